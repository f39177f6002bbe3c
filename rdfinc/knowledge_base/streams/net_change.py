"""The net change of several changes that were made one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce

from rdfinc.errors import RdfincError
from rdfinc.knowledge_base.streams.compound_update import RuleChange
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.knowledge_base.versions.change import Change, Statements
from rdfinc.tables.facts import Batch, FactSet


def net_change(changes: Iterable[Change]) -> Change:
    """The one change that leads where changes lead, and undoes nothing of itself.

    Each deletes what is stated and inserts what is not, and so does the net change: what was
    deleted first and is not stated in the end, and the reverse. Cost: the statements of all.
    """
    gone, new = _Graphs(), _Graphs()
    rules = RuleChange()
    for change in changes:
        gone.add(new.without(change.delete))
        new.add(gone.without(change.insert))
        rules.then(change.rules_removed, change.rules_added)
    return Change(gone.statements(), new.statements(), rules.removed, rules.added)


def undone(changes: Sequence[Change]) -> list[Change]:
    """The changes that lead back: the last one first, each from its end to its beginning."""
    return [
        Change(each.insert, each.delete, each.rules_added, each.rules_removed)
        for each in reversed(changes)
    ]


def made_as_one(changes: Sequence[Change], make: Callable[[Change], Delta]) -> Delta:
    """The delta of changes that are made as their net change. That can be refused for its rules
    where they were not; then they are made one by one."""
    try:
        return make(net_change(changes))
    except RdfincError:
        return reduce(Delta.then, map(make, changes))


class _Graphs:
    """Statements of graphs, to be added and taken away."""

    def __init__(self) -> None:
        self._facts: dict[int, FactSet] = {}

    def add(self, statements: Statements) -> None:
        for graph, batch in statements.items():
            self._facts.setdefault(graph, FactSet()).add(batch)

    def without(self, statements: Statements) -> Statements:
        """Takes statements away; returns those that were not here."""
        rest = dict(statements)
        for graph in self._facts.keys() & statements.keys():
            rest[graph] = self._facts[graph].missing(statements[graph])
            self._facts[graph].discard(statements[graph])
        return rest

    def statements(self) -> Statements:
        batches: dict[int, Batch] = {g: facts.batch() for g, facts in self._facts.items()}
        return {graph: batch for graph, batch in batches.items() if batch}
