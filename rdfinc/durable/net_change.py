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
    """The one change that leads where the parts lead, and undoes nothing of itself.

    Each part deletes what is stated and inserts what is not, and so does the net change: what was
    deleted first and is not stated in the end, and the reverse. Cost: the statements of all parts.
    """
    gone, new = _Graphs(), _Graphs()
    rules = RuleChange()
    for part in parts:
        change = change_of(part)
        gone.add(new.without(change.delete))
        new.add(gone.without(change.insert))
        rules.then(change.rules_removed, change.rules_added)
    return Change(gone.statements(), new.statements(), rules.removed, rules.added)


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
