"""The facts of a view by subject: what is asked about one subject after another looks up first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch
from rdfinc.tables.kernels import IdArray, KeyArray
from rdfinc.tables.table import Table

Row = tuple[int, list[int]]
"""A predicate, with objects of its facts about one subject."""

NotedFacts = Callable[[], Batch]
"""Gives the facts to be noted."""

_PART = 1 << 10
"""Objects that are told at once."""


class SubjectRows:
    """The rows of each subject, noted once they were asked for so often that it pays.

    Noting takes a pass over all facts, 4 B a fact and 12 B a row. A row is a key of `_heads`, in
    the order of subjects: subject and predicate. Its objects are those of `_objects` from its place
    in `_starts` to the next one.
    """

    __slots__ = ("_asked", "_heads", "_objects", "_pairs", "_starts")

    def __init__(self) -> None:
        self._asked, self._pairs = 0, -1
        self._heads: KeyArray | None = None

    def of(self, s: int, tables: Collection[Table], facts: NotedFacts) -> Iterator[Row] | None:
        """The rows of a subject, long ones in parts, in the order of predicates: O(log rows + facts
        told) once they are noted. None before. `tables` have the facts, and maybe others."""
        if self._heads is None:
            if not self._pays(tables):
                return None
            self._note(facts())
        return self._told(s)

    def _pays(self, tables: Collection[Table]) -> bool:
        """Whether the look-ups so far took as long as it would take to note all facts."""
        if self._pairs < 0:
            self._pairs = sum(table.at_most() for table in tables)
        self._asked += 1
        looked_at = self._asked * KNOWLEDGE.look_up_facts
        return self._pairs <= min(looked_at, KNOWLEDGE.noted_facts)

    def _note(self, facts: Batch) -> None:
        predicates: list[IdArray] = [kernels.NO_IDS]
        found: list[KeyArray] = [kernels.NO_KEYS]
        for predicate, pairs in facts.items():
            found.append(np.asarray(pairs, np.uint64))
            predicates.append(np.full(len(pairs), predicate, np.uint32))
        keys = np.concatenate(found)
        order = np.argsort(kernels.high(keys), kind="stable")
        heads = kernels.pack(kernels.high(keys)[order], np.concatenate(predicates)[order])
        starts = np.flatnonzero(np.append(True, heads[1:] != heads[:-1])[: heads.size])
        self._starts: NDArray[np.uint32] = np.append(starts, heads.size).astype(np.uint32)
        self._objects = kernels.low(keys)[order]
        self._heads = heads[starts]

    def _told(self, s: int) -> Iterator[Row]:
        heads = self._heads
        assert heads is not None
        first, last = kernels.span(heads, s)
        predicates = kernels.low(heads[first:last]).tolist()
        places, objects = self._starts[first : last + 1].tolist(), self._objects
        for p, (start, stop) in zip(predicates, pairwise(places), strict=True):
            for part in range(start, stop, _PART):
                yield p, objects[part : min(part + _PART, stop)].tolist()
