"""The net change of several changes that were made one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Rule
from rdfinc.durable.record import Part, Statements
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.knowledge_base.streams.compound_update import RuleChange
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.tables.facts import Batch, FactSet


def change_of(part: Part) -> Change:
    """A part of a record as a change to be made."""
    removed, added = (_rules(text) for text in (part.rules_removed, part.rules_added))
    return Change(part.delete, part.insert, removed, added)


def _rules(text: str) -> dict[Rule, Rule]:
    return {canonical(rule): rule for rule in rules_of(text, {})} if text else {}


def net_change(parts: Iterable[Part]) -> Change:
    """The one change that leads where the parts lead: (E ∖ D) ∪ I, then ∖ d, then ∪ i, is
    (E ∖ (D ∪ d)) ∪ ((I ∖ d) ∪ i). Cost: the statements of all parts."""
    delete, insert = _Graphs(), _Graphs()
    rules = RuleChange()
    for part in parts:
        change = change_of(part)
        delete.add(change.delete)
        insert.discard(change.delete)
        insert.add(change.insert)
        rules.then(change.rules_removed, change.rules_added)
    return Change(delete.statements(), insert.statements(), rules.removed, rules.added)


class _Graphs:
    """Statements of graphs, to be added and taken away."""

    def __init__(self) -> None:
        self._facts: dict[int, FactSet] = {}

    def _of(self, graph: int) -> FactSet:
        return self._facts.setdefault(graph, FactSet())

    def add(self, statements: Statements) -> None:
        for graph, batch in statements.items():
            self._of(graph).add(batch)

    def discard(self, statements: Statements) -> None:
        for graph, batch in statements.items():
            self._of(graph).discard(batch)

    def statements(self) -> Statements:
        batches: dict[int, Batch] = {g: facts.batch() for g, facts in self._facts.items()}
        return {graph: batch for graph, batch in batches.items() if batch}
