"""Compound updates, or *steps*: several changes that count as one, and are taken back together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

import numpy as np
from msgspec import Struct, field

from rdfinc.datalog.model import Rule
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import Reader, View
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, shaped
from rdfinc.tables.kernels import KeyArray


class RuleChange(Struct):
    """A net change of rules, by canonical form."""

    removed: dict[Rule, Rule] = field(default_factory=dict)
    added: dict[Rule, Rule] = field(default_factory=dict)

    def then(self, removed: Mapping[Rule, Rule], added: Mapping[Rule, Rule]) -> None:
        """Makes this the net change of itself and what came next."""
        _then(self.removed, self.added, removed)
        _then(self.added, self.removed, added)


class Step(Struct, eq=False):
    """The facts, prefixes and notes before a step, and its net change so far: of facts in view
    (None before the first), and of rules. `committed` are the facts before the outermost step.
    `undo` has others forget what they noted of it, if it is taken back."""

    before: Reader
    committed: Reader
    prefixes: dict[str, str]
    notes: dict[str, Any]
    delta: Delta | None = None
    rules: RuleChange = field(default_factory=RuleChange)
    undo: dict[object, Callable[[], object]] = field(default_factory=dict)

    def join(self, inner: Step) -> None:
        """Takes in the rules and notes of a step inside this one that has ended."""
        self.rules.then(inner.rules.removed, inner.rules.added)
        self.undo = {**inner.undo, **self.undo}

    def note(self, delta: Delta) -> None:
        self.delta = delta if self.delta is None else self.delta.then(delta)

    def back(self, now: Reader) -> Change:
        """The change that makes facts and rules what they were before."""
        back = change_back(self.before, now)
        back.rules_removed, back.rules_added = self.rules.added, self.rules.removed
        return back


INSIDE: ContextVar[tuple[Step, ...]] = ContextVar("INSIDE", default=())
"""The steps that a thread or task has open, and those that were open where it was begun."""


def _then(these: dict[Rule, Rule], others: dict[Rule, Rule], rules: Mapping[Rule, Rule]) -> None:
    """Rules join those of one side, but for those that only leave the other."""
    for form, rule in rules.items():
        if others.pop(form, None) is None:
            these[form] = rule


def change_back(saved: Reader, now: Reader) -> Change:
    """The change that makes every graph state what it did in `saved`.

    Cost: the facts of relations that have changed since; versions share the tables of others.
    """
    delete: dict[int, Batch] = {}
    insert: dict[int, Batch] = {}
    for graph in dict.fromkeys((0, *saved.graphs(), *now.graphs())):
        before, after = saved.stated(graph), now.stated(graph)
        for predicate in _changed(saved.version, now.version, graph):
            old, new = (_keys(view, predicate) for view in (before, after))
            for batches, one, other in ((insert, old, new), (delete, new, old)):
                keys = kernels.difference(one, other)
                if keys.size:
                    batches.setdefault(graph, {})[predicate] = shaped(keys)
    return Change(delete=delete, insert=insert)


def _changed(saved: Version, now: Version, graph: int) -> Iterator[int]:
    """The predicates of which a graph may not state the same in both versions."""
    before, after = _kept(saved, graph), _kept(now, graph)
    for predicate in dict.fromkeys(p for facts in (*before, *after) for p in facts.tables):
        pairs = zip(before, after, strict=True)
        if any(old.get(predicate) is not new.get(predicate) for old, new in pairs):
            yield predicate


def _kept(version: Version, graph: int) -> list[FactSet]:
    """Where a graph's statements are kept."""
    if not graph:
        return [version.explicit, version.only_named]
    return [version.graphs.get(graph, FactSet())]


def _keys(view: View, predicate: int) -> KeyArray:
    return np.asarray(view.keys(predicate, None, None), np.uint64)
