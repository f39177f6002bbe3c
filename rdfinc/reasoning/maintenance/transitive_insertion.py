"""Insertion into a transitive relation that is held in full.

A relation that parameter tables read is no module (`rdfs:subClassOf`); a rule `R(x, z) ← R(x, y),
R(y, z)` derives its pairs. Semi-naive evaluation meets a pair once for each term between its ends:
a chain of n edges has n³/6 instances for n²/2 pairs. Here a round makes, of its new facts, all that
the rule derives from them in this round and in those to come: the closure of all known facts, by
the tables of closures; or for each of a few new pairs (x, y) the product of x and all before it
with y and all after it (Italiano 1986).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np

from rdfinc.datalog.analysis.modules import transitive_relation
from rdfinc.datalog.compile.planning import Plan
from rdfinc.reasoning.evaluation.run import Parts
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.update import Spend
from rdfinc.reasoning.program.plan_index import Driven
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.kernels import IdArray, KeyArray
from rdfinc.tables.table import Table


class TransitiveInsertion:
    """The transitive relations of one insertion, round after round.

    `known` are all facts so far, those of a batch among them. The pairs that a round has closed are
    all in the batch of the next; they, with the facts known before, derive nothing more by the
    rule. `spend` hears of pairs before they are listed.
    """

    def __init__(self, relations: AbstractSet[int], known: State, spend: Spend) -> None:
        self._relations, self._known, self._spend = relations, known, spend
        self._closed: dict[int, KeyArray] = {}

    def concerns(self, batch: Batch) -> bool:
        return not self._relations.isdisjoint(batch)

    def close(self, driven: list[Driven], heads: Parts) -> tuple[list[Driven], list[Driven], int]:
        """Adds closed pairs to `heads` and returns their number, with the plans that are left to
        run: in the states of the round, and with all known facts beside those that drive them.
        """
        rest: list[Driven] = []
        beside: list[Driven] = []
        pairs = 0
        for plans, predicate, keys in driven:
            rules: tuple[Plan, ...] = ()
            if predicate in self._relations:
                rules = tuple(p for p in plans if transitive_relation(p.clause) == predicate)
            if not rules:
                rest.append((plans, predicate, keys))
                continue
            rest.append((tuple(p for p in plans if p not in rules), predicate, keys))
            was_closed = self._closed.pop(predicate, None)
            fresh = kernels.sort(np.asarray(keys, np.uint64))
            if was_closed is not None:
                fresh, _ = kernels.differences(fresh, was_closed)
            if not fresh.size:
                continue
            found = self._pairs(fresh, self._known.table(predicate))
            if found is not None:
                self._closed[predicate] = found
                heads.setdefault(predicate, []).append(found)
                pairs += found.size
            else:
                drive = rest if was_closed is None else beside
                drive.append((rules, predicate, shaped(fresh)))
        return rest, beside, pairs

    def _pairs(self, fresh: KeyArray, known: Table) -> KeyArray | None:
        """All pairs that new ones lead to, sorted; None where it costs less to meet them by rounds,
        as there are few."""
        if fresh.size <= REASONING.closed_one_by_one:
            if not any(_leads_to_many(key, known) for key in fresh.tolist()):
                return None
            products = _products(fresh, known)
            self._spend(sum(first.size * second.size for first, second in products))
            return kernels.unique(np.concatenate([_product(*each) for each in products]))
        if fresh.size < REASONING.closed_share * known.at_most():
            return None
        closure = closed(known, symmetric=False, diagonal=True)
        self._spend(len(closure))
        return closure.scan()


def _leads_to_many(key: int, known: Table) -> bool:
    """Whether many terms lead to the first of a pair, or from the second on."""
    many, x, y = REASONING.closed_ends, key >> 32, key & 0xFFFFFFFF
    return known.few_subjects(x, many) is None or known.few_objects(y, many) is None


Product = tuple[IdArray, IdArray]


def _products(fresh: KeyArray, known: Table) -> list[Product]:
    """For each new pair the terms that lead to its first one and those that its second one leads
    to, these two among them, by the known facts and the pairs taken already.

    Two known facts, neither of them new, have what they derive among the known ones; so whatever
    is derived passes along new pairs, and once the last of these is taken nothing is missing.
    """
    taken: list[Product] = []
    for x, y in zip(kernels.high(fresh), kernels.low(fresh), strict=True):
        _, ahead = known.by_objects(x[None])
        _, behind = known.by_subjects(y[None])
        firsts = [each[0] for each in taken if x in each[1]]
        seconds = [each[1] for each in taken if y in each[0]]
        first = kernels.unique(np.concatenate((ahead, x[None], *firsts)))
        second = kernels.unique(np.concatenate((behind, y[None], *seconds)))
        taken.append((first, second))
    return taken


def _product(first: IdArray, second: IdArray) -> KeyArray:
    return kernels.pack(np.repeat(first, second.size), np.tile(second, first.size))
