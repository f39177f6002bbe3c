"""Insertion of many facts that are copied along a hierarchy.

A rule `R(x, y) ← Q(x, y), T(Q, R)` copies facts from a relation, or class, to those above it
(prp-spo1, cax-sco). If two steps of T make one (scm-spo, scm-sco), a copy need not be copied again:
of Q(x, y), T(Q, R) and T(R, S) there is T(Q, S), and S(x, y) is a copy of Q(x, y). So a fact with n
relations above it has n copies in one round, instead of n²/2 instances more in the next.

A relation that a table closes holds the facts of its parts, and others beside them. Of R(x, y) it
has S(x, y) beside, although Q is a part of S. So relations below a closed one copy all their facts.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from rdfinc.datalog.clause import Clause
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.plan_index import Driven
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.kernels import NO_KEYS, KeyArray


class HierarchyInsertion:
    """The copies that one rule makes along a hierarchy, round after round of an insertion.

    `copied` is the place of the literal whose facts it copies; `closed` are the relations that
    tables close, `known` all facts so far.
    """

    def __init__(
        self, clause: Clause, along: tuple[int, int], closed: Collection[int], known: State
    ) -> None:
        self._clause, (self._hierarchy, self._copied) = clause, along
        self._closed, self._known = closed, known
        self._copies: dict[int, KeyArray] = {}

    def pays(self) -> bool:
        """Whether the hierarchy may have many steps."""
        return self._known.table(self._hierarchy).at_most() >= REASONING.hierarchy_pairs

    def split(self, driven: list[Driven]) -> tuple[list[Driven], list[Driven]]:
        """The plans of other rules, and those of this one, without the copies of the last round."""
        copies, self._copies = self._copies, {}
        below = self._below_closed()
        rest: list[Driven] = []
        copying: list[Driven] = []
        for plans, predicate, keys in driven:
            mine = tuple(plan for plan in plans if plan.clause is self._clause)
            if not mine or predicate in below:
                rest.append((plans, predicate, keys))
                continue
            rest.append((tuple(plan for plan in plans if plan not in mine), predicate, keys))
            by_facts = tuple(plan for plan in mine if plan.driver == plan.body[self._copied])
            copying.append((tuple(plan for plan in mine if plan not in by_facts), predicate, keys))
            fresh = np.asarray(keys, np.uint64)
            fresh = fresh[~kernels.contains(copies.get(predicate, NO_KEYS), fresh)]
            if fresh.size:
                copying.append((by_facts, predicate, shaped(fresh)))
        return rest, copying

    def _below_closed(self) -> set[int]:
        """The relations that are copied to closed ones."""
        closed = np.array(list(self._closed), np.uint32)
        if not closed.size:
            return set()
        return set(self._known.table(self._hierarchy).by_objects(closed)[1].tolist())

    def note(self, copies: Batch) -> None:
        """Takes note of the copies of a round."""
        for predicate, keys in copies.items():
            self._copies[predicate] = kernels.sort(np.asarray(keys, np.uint64))
