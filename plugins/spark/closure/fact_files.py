"""The facts in a folder of a closure that Spark has made, of which the driver asks for few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import and_

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from rdfinc.plugins.spark.closure.run_state import ENDS
from rdfinc.plugins.spark.load.layout import FACTS, HIDDEN
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.folder_places import Folder

HIDDEN_ROWS = pa.schema([(name, pa.int64()) for name in ENDS])
"""The columns of facts that users do not see,"""
SEEN_ROWS = pa.schema([*HIDDEN_ROWS, ("g", pa.int64()), ("derived", pa.bool_())])
"""and of the others."""

_BY_PREDICATE = ds.partitioning(pa.schema([("p", pa.int64())]), flavor="hive")

STATED_OR_NOT = HIDDEN_ROWS.append(pa.field("stated", pa.bool_()))
"""Facts, with a column that says whether they are stated."""


class FactFiles:
    """The facts in the files of a closure's folder: seen ones by predicate, and hidden ones. A
    question is a pass over those of some predicates, 0.1 µs for each fact."""

    def __init__(self, folder: Folder) -> None:
        self._seen = folder.dataset(FACTS, SEEN_ROWS, _BY_PREDICATE)
        self._hidden = (
            folder.dataset(HIDDEN, HIDDEN_ROWS)
            if folder.has(HIDDEN)
            else ds.dataset(HIDDEN_ROWS.empty_table())
        )

    def are_few(self, predicates: pa.Array | None = None) -> bool:
        """Whether the driver itself looks through the facts of some predicates, or through all."""
        chosen = None if predicates is None else pc.field("p").isin(predicates)
        rows = self._seen.count_rows(filter=chosen)
        return rows + self._hidden.count_rows() <= SPARK.asked_here

    def counts(self) -> Counter[int]:
        """How many facts there are of each predicate, one for each graph."""
        hidden = self._hidden.to_table(["p"]).group_by("p").aggregate([([], "count_all")])
        counted = {row["p"]: row["count_all"] for row in hidden.to_pylist()}
        return self._counted() + Counter(counted)

    def objects(self, predicate: int) -> set[int]:
        """The objects of a predicate."""
        chosen = pc.field("p") == predicate
        tables = (each.to_table(["o"], chosen) for each in (self._seen, self._hidden))
        return {o for table in tables for o in pc.unique(table.column("o")).to_pylist()}

    @property
    def has_graphs(self) -> bool:
        """Whether a statement is in a named graph."""
        return self._seen.head(1, columns=["g"], filter=pc.field("g") != 0).num_rows > 0

    def stated(self) -> Counter[int]:
        """How many statements there are of each predicate."""
        return self._counted(~pc.field("derived"))

    def _counted(self, *chosen: ds.Expression) -> Counter[int]:
        """How many rows of seen facts there are of each predicate."""
        found: Counter[int] = Counter()
        for fragment in self._seen.get_fragments():
            p = ds.get_partition_keys(fragment.partition_expression)["p"]
            found[p] += fragment.count_rows(*chosen)
        return +found  # without those of which there are none

    def statements(self, facts: pa.Table) -> pa.Table:
        """What is stated of some facts, in all graphs: s, p, o, g."""
        return _among(self._seen, facts, [*ENDS, "g"], ~pc.field("derived"))

    def asked(self, table: pa.Table) -> pa.Table:
        """The facts with what a table has in its columns, as `STATED_OR_NOT`."""
        seen = _among(self._seen, table, [*ENDS, "derived"])
        hidden = _among(self._hidden, table, ENDS)
        stated = pc.invert(seen.column("derived"))
        seen = seen.drop_columns("derived").append_column("stated", stated)
        hidden = hidden.append_column("stated", pa.repeat(False, hidden.num_rows))
        return pa.concat_tables(each.cast(STATED_OR_NOT) for each in (seen, hidden))


def _among(
    files: ds.Dataset, table: pa.Table, columns: Sequence[str], *more: ds.Expression
) -> pa.Table:
    """Some columns of the rows with what a table has in its columns."""
    names = table.column_names
    chosen = [pc.field(name).isin(pc.unique(table.column(name))) for name in names]
    found = files.to_table([*columns], reduce(and_, (*chosen, *more)))
    return found.join(table, names, join_type="left semi")
