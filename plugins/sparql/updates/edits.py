"""The changes made by the operations of a request, as statements by graph."""

from __future__ import annotations

from rdfinc.knowledge_base.streams.input_facts import Statements
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.tables.facts import Batch, FactSet, joined


class Edits:
    """Changes that wait for maintenance: the statements E of `reader` are to become (E ∖ `_delete`)
    ∪ `_insert`.

    Operations that only state and withdraw cost no maintenance of their own, and nothing but their
    batches.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._delete: Statements = {}
        self._insert: Statements = {}

    def __bool__(self) -> bool:
        return any((*self._delete.values(), *self._insert.values()))

    def put(self, delete: Statements, insert: Statements) -> None:
        """Withdraws, then states."""
        for graph, batch in delete.items():
            self._delete[graph] = joined(self._delete.get(graph, {}), batch)
            if graph in self._insert:
                self._insert[graph] = FactSet.of(batch).missing(self._insert[graph])
        for graph, batch in insert.items():
            self._insert[graph] = joined(self._insert.get(graph, {}), batch)

    def change(self) -> Change:
        return Change(delete=dict(self._delete), insert=dict(self._insert))

    def stated(self, graph: int) -> Batch:
        """The statements of a graph after the changes. O(statements)."""
        before = self._reader.stated(graph).batch()
        kept = FactSet.of(self._delete.get(graph, {})).missing(before)
        return joined(kept, self._insert.get(graph, {}))

    def graphs(self) -> list[int]:
        """The default graph, and the named ones that may state something."""
        return list(dict.fromkeys((0, *self._reader.graphs(), *self._insert)))
