"""Insertion of many facts that are copied along a hierarchy.

A rule `R(x, y) ← Q(x, y), T(Q, R)` copies facts from a relation, or class, to those above it
(prp-spo1, cax-sco). If two steps of T make one (scm-spo, scm-sco), a copy need not be copied again:
of Q(x, y), T(Q, R) and T(R, S) there is T(Q, S), and S(x, y) is a copy of Q(x, y). So a fact with n
relations above it has n copies in one round, instead of n²/2 instances more in the next.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rdfinc.datalog.clause import Clause
from rdfinc.reasoning.evaluation.run import Parts
from rdfinc.reasoning.program.plan_index import Driven
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.kernels import NO_KEYS


class HierarchyInsertion:
    """The copies of one insertion, round after round; `copying` are the clauses that copy along a
    hierarchy, each with the place of the literal whose facts are copied."""

    def __init__(self, copying: Mapping[Clause, int]) -> None:
        self._copying = copying
        self._copies: Batch = {}

    def split(self, driven: list[Driven]) -> tuple[list[Driven], list[Driven]]:
        """The plans that copy nothing, and those that do, without the copies that the last round
        made."""
        copies, self._copies = self._copies, {}
        rest: list[Driven] = []
        copying: list[Driven] = []
        for plans, predicate, keys in driven:
            mine = tuple(plan for plan in plans if plan.clause in self._copying)
            if not mine:
                rest.append((plans, predicate, keys))
                continue
            rest.append((tuple(plan for plan in plans if plan not in mine), predicate, keys))
            by_data = tuple(p for p in mine if p.driver == p.body[self._copying[p.clause]])
            copying.append((tuple(plan for plan in mine if plan not in by_data), predicate, keys))
            fresh = np.asarray(keys, np.uint64)
            fresh = fresh[~kernels.contains(np.asarray(copies.get(predicate, NO_KEYS)), fresh)]
            if fresh.size:
                copying.append((by_data, predicate, shaped(fresh)))
        return rest, copying

    def note(self, copies: Batch, heads: Parts) -> None:
        """Adds new copies to the heads of a round."""
        self._copies = copies
        for predicate, keys in copies.items():
            heads.setdefault(predicate, []).append(keys)
