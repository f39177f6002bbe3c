"""The dictionary in a folder that Spark has made, of which the driver asks for few terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from rdfinc.plugins.spark.load.layout import DICTIONARY
from rdfinc.plugins.spark.storage.folder_places import Folder

_TERMS = pa.schema([("id", pa.int64()), ("term", pa.string())])


class TermFiles:
    """The ids and terms in the dictionary of a folder. A question is a pass over all of them,
    0.1 µs for each."""

    def __init__(self, folder: Folder) -> None:
        self._files = folder.dataset(DICTIONARY, _TERMS)

    def ids(self, terms: Iterable[str]) -> dict[str, int]:
        """The ids of some terms, as far as they have one."""
        found = self._found("term", pa.array(terms, pa.string()))
        return {row["term"]: row["id"] for row in found.to_pylist()}

    def terms(self, ids: Iterable[int]) -> dict[int, str]:
        """The terms of some ids."""
        found = self._found("id", pa.array(ids, pa.int64()))
        return {row["id"]: row["term"] for row in found.to_pylist()}

    def typed(self) -> Iterator[pa.RecordBatch]:
        """The literals with a datatype, with their ids."""
        term = pc.field("term")
        chosen = pc.starts_with(term, '"') & pc.ends_with(term, ">")
        yield from self._files.to_batches(filter=chosen)

    def _found(self, column: str, values: pa.Array) -> pa.Table:
        return self._files.to_table(filter=pc.field(column).isin(values))
