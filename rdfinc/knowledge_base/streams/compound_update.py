"""Compound updates, or *steps*: several changes that count as one, and are taken back together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import Reader, View
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, shaped
from rdfinc.tables.kernels import KeyArray


@dataclass
class Step:
    """The facts before a step, and its net change so far; None before the first change."""

    before: Reader
    delta: Delta | None = None

    def note(self, delta: Delta) -> None:
        self.delta = delta if self.delta is None else self.delta.then(delta)


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
