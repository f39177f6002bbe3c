"""The files of a closure on Spark after a change of few facts, as the driver makes them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from rdfinc.plugins.spark.closure.fact_files import HIDDEN_ROWS, SEEN_ROWS
from rdfinc.plugins.spark.closure.run_state import ENDS
from rdfinc.plugins.spark.load.layout import FACTS, HIDDEN
from rdfinc.plugins.spark.storage.folder_places import Folder, by_number, take

_OF_PREDICATE = SEEN_ROWS.remove(SEEN_ROWS.get_field_index("p"))
"""The columns in the files of a predicate, which is in the name of their folder."""


def rows_of(facts: pa.Table, *, derived: bool) -> pa.Table:
    """Facts or statements as in the files of seen ones: those without a graph are in the default
    one."""
    columns = {name: facts.column(name) for name in ENDS}
    has_graphs = "g" in facts.column_names
    columns["g"] = facts.column("g") if has_graphs else pa.repeat(0, facts.num_rows)
    return pa.table({**columns, "derived": pa.repeat(derived, facts.num_rows)}).cast(SEEN_ROWS)


class RowChange(Struct, frozen=True):
    """Rows that go and come."""

    dropped: pa.Table
    added: pa.Table


class ChangedFiles(Struct, frozen=True):
    """The files of a closure's `folder`, of whose facts some go and come: `seen` ones, in rows s,
    p, o, g, derived, and `hidden` ones, s, p, o. Files of predicates without such facts stay."""

    folder: Folder
    seen: RowChange
    hidden: RowChange

    def write(self, place: Folder) -> None:
        """Makes the files in another folder. Memory: the facts of one predicate, or the hidden
        ones."""
        changed = pa.concat_tables((self.seen.dropped, self.seen.added)).column("p")
        predicates = {*pc.unique(changed).to_pylist()}
        there = {p for p, _ in by_number(self.folder, FACTS)}
        for p in sorted(there - predicates):
            take(place, self.folder, f"{FACTS}/p={p}")
        for p in predicates:
            some = RowChange(_of(p, self.seen.dropped), _of(p, self.seen.added))
            self._write(place, f"{FACTS}/p={p}", _OF_PREDICATE, some)
        self._write(place, HIDDEN, HIDDEN_ROWS, self.hidden)

    def _write(self, place: Folder, name: str, schema: pa.Schema, change: RowChange) -> None:
        """The rows of the files of one data frame as one file in another folder."""
        rows = schema.empty_table()
        if self.folder.has(name):
            rows = self.folder.dataset(name, schema).to_table()
            rows = rows.join(change.dropped, schema.names, join_type="left anti")
        rows = pa.concat_tables((rows.cast(schema), change.added.select(schema.names).cast(schema)))
        if rows.num_rows or not schema.equals(_OF_PREDICATE):
            order = [(each, "ascending") for each in ("p", "s", "o", "g") if each in schema.names]
            place.put(f"{name}/facts.parquet", rows.sort_by(order))


def _of(predicate: int, rows: pa.Table) -> pa.Table:
    return rows.filter(pc.field("p") == predicate).select(_OF_PREDICATE.names)
