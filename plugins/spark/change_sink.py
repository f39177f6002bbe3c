"""Structured Streaming: batches of changes into a knowledge base, and what they do out of it.

    changes/batch=<id>/   Parquet: op, s, p, o, g, as they were applied: a journal
    deltas/batch=<id>/    Parquet: op, s, p, o, what came into the closure and went out of it

A batch counts when its changes are there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

from rdfinc.errors import DataSyntaxError, TermError
from rdfinc.knowledge_base.facade import KnowledgeBase
from rdfinc.knowledge_base.streams.delta import Delta, Facts
from rdfinc.plugins.spark.session import refuse_connect
from rdfinc.plugins.spark.sink import text
from rdfinc.plugins.spark.storage.input_files import path_here
from rdfinc.tables.facts import triples

INSERT, DELETE = "insert", "delete"

CHANGES, DELTAS = "changes", "deltas"

_CHANGES = pa.schema([(name, pa.string()) for name in ("op", *"spog")])
_DELTAS = pa.schema([(name, pa.string()) for name in ("op", *"spo")])

Row = tuple[str | None, ...]


class ChangeSink:
    """`stream.writeStream.foreachBatch(ChangeSink(kb, folder)).option("checkpointLocation", …)`.

    A batch has columns op ("insert" or "delete"), s, p, o and perhaps g, terms as the data source
    "rdf" gives them; it is one atomic update; a statement both inserted and deleted is inserted. A
    batch that Spark repeats, after a restart say, is applied once: it is known by its number, so a
    query with another checkpoint needs another folder. The change of the closure is written to the
    folder, for `spark.read` and `spark.readStream`.

    A sink is made with a knowledge base as it was before the first batch: the batches that the
    folder has are applied to it at once. While it lives, only the sink should change that. Spark
    Connect is refused (UnsupportedError).
    """

    def __init__(self, kb: KnowledgeBase, folder: str | os.PathLike[str]) -> None:
        """Raises DataSyntaxError for a folder that is damaged, StorageError, UnsupportedError."""
        refuse_connect("a ChangeSink")
        self._kb, self._folder = kb, path_here(folder, "changes of a stream are kept")
        self._unsaved: tuple[int, list[Row], Delta] | None = None
        for kind in (CHANGES, DELTAS):
            (self._folder / kind).mkdir(parents=True, exist_ok=True)
        for batch in sorted(self._saved()):
            delta = self._update(self._changes(batch))
            if not self._place(DELTAS, batch).exists():
                self._save(DELTAS, batch, _told(delta, kb), _DELTAS)

    def __call__(self, frame: DataFrame, batch: int) -> None:
        """Applies a batch unless it was applied.

        Raises ValueError for other columns and operations, TermError and what else
        `KnowledgeBase.update` raises; then nothing has changed.
        """
        if self._place(CHANGES, batch).exists():
            return
        if self._unsaved is None or self._unsaved[0] != batch:
            rows = list(_rows(frame))
            self._unsaved = batch, rows, self._update(rows)
        _, rows, delta = self._unsaved
        self._save(CHANGES, batch, rows, _CHANGES)
        self._save(DELTAS, batch, _told(delta, self._kb), _DELTAS)
        self._unsaved = None

    def _update(self, rows: Iterable[Row]) -> Delta:
        changes: dict[str, list[Row]] = {INSERT: [], DELETE: []}
        for operation, *fact in rows:
            chosen = changes.get(operation or "")
            if chosen is None:
                raise ValueError(f'op is "insert" or "delete", not {operation!r} (of {fact})')
            chosen.append(tuple(fact if fact[3] is not None else fact[:3]))
        return self._kb.update(insert=changes[INSERT], delete=changes[DELETE])

    # -- the folder

    def _place(self, kind: str, batch: int) -> Path:
        return self._folder / kind / f"batch={batch}"

    def _saved(self) -> Iterator[int]:
        for place in (self._folder / CHANGES).glob("batch=*"):
            yield int(place.name.removeprefix("batch="))

    def _changes(self, batch: int) -> list[Row]:
        place = self._place(CHANGES, batch) / "part.parquet"
        try:
            table = pq.ParquetFile(place).read()
        except (OSError, pa.ArrowException) as error:
            raise DataSyntaxError(str(place), None, "", f"damaged: {error}") from error
        columns = (table.column(name).to_pylist() for name in _CHANGES.names)
        return list(zip(*columns, strict=True))

    def _save(self, kind: str, batch: int, rows: Iterable[Row], schema: pa.Schema) -> None:
        """Writes what a batch is or did; it appears as a whole."""
        columns = list(zip(*rows, strict=True)) or [()] * len(schema)
        table = pa.table([pa.array(column, pa.string()) for column in columns], schema=schema)
        made = self._folder / f".{uuid4().hex}"
        made.mkdir()
        try:
            pq.write_table(table, made / "part.parquet")
            made.rename(self._place(kind, batch))
        finally:
            shutil.rmtree(made, ignore_errors=True)


def _rows(frame: DataFrame) -> Iterator[Row]:
    """(op, s, p, o, g), terms as N-Triples, g None in the default graph."""
    given = frame.columns
    if not {"op", *"spo"} <= set(given) <= {"op", *"spog"}:
        raise ValueError(f"columns are op, s, p, o and perhaps g, not {', '.join(given)}")
    names = [name for name in "spog" if name in given]
    table = frame.select("op", *names).toArrow()
    columns = (table.column(name).to_pylist() for name in ("op", *names))
    for operation, *terms in zip(*columns, strict=True):
        s, p, o, *g = map(text, terms, names)
        if None in (s, p, o):
            raise TermError(f"a statement lacks a term: {terms}")
        yield operation, s, p, o, g[0] if g else None


def _told(delta: Delta, kb: KnowledgeBase) -> Iterator[Row]:
    for operation, facts in ((INSERT, delta.added), (DELETE, delta.removed)):
        yield from ((operation, *fact) for fact in _terms(facts, kb))


def _terms(facts: Facts, kb: KnowledgeBase) -> Iterator[tuple[str, ...]]:
    for fact in triples(facts.batch):
        yield tuple(term.decode() for term in kb.dictionary.decode_many(fact))
