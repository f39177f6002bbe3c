"""Insertion into a transitive relation that is held in full.

A relation that parameter tables read is no module (`rdfs:subClassOf`); a rule `R(x, z) ← R(x, y),
R(y, z)` derives its pairs. Semi-naive evaluation meets a pair once for each term between its ends:
a chain of n edges has n³/6 instances for n²/2 pairs. Here a round makes, of its new facts, all that
the rule derives from them in this round and in those to come: the closure of all known facts, by
the tables of closures; or for each of a few new pairs (x, y) the product of what leads to x and
what y leads to (Italiano 1986).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np

from rdfinc.datalog.analysis.modules import transitive_relation
from rdfinc.datalog.compile.planning import Plan
from rdfinc.reasoning.evaluation.run import Parts
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.plan_index import Driven
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.facts import shaped
from rdfinc.tables.kernels import NO_KEYS, IdArray, KeyArray
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Table


class TransitiveInsertion:
    """The transitive relations of one insertion, round after round.

    `known` are all facts so far, those of a batch among them. The pairs that a round has closed are
    all in the batch of the next; they, with the facts known before, derive nothing more by the
    rule. `update` hears of pairs before they are listed. More than it has room for come by rounds,
    and so bit by bit.
    """

    def __init__(self, relations: AbstractSet[int], known: State, update: Update) -> None:
        self._relations, self._known, self._update = relations, known, update
        self._closed: dict[int, SortedPairs] = {}

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
                fresh = fresh[~was_closed.contains(fresh)]
            if not fresh.size:
                continue
            found = self._pairs(fresh, self._known.table(predicate))
            if found is not None:
                self._closed[predicate] = SortedPairs(found)
                heads.setdefault(predicate, []).append(found)
                pairs += found.size
            else:
                drive = rest if was_closed is None else beside
                drive.append((rules, predicate, shaped(fresh)))
        return rest, beside, pairs

    def _pairs(self, fresh: KeyArray, known: Table) -> KeyArray | None:
        """The pairs that new ones lead to, or all pairs, sorted; None where they are to be met by
        rounds."""
        if fresh.size <= REASONING.closed_one_by_one:
            if not any(_leads_to_many(key, known) for key in fresh.tolist()):
                return None
            products = _products(fresh, known)
            return None if products is None else self._multiplied(products)
        if fresh.size < max(REASONING.closed_facts, REASONING.closed_share * known.at_most()):
            return None
        closure = closed(known, symmetric=False, diagonal=True)
        if not self._update.has_room(len(closure) - len(known)):
            return None
        parts = [NO_KEYS]
        for part in closure.blocks():
            self._update.find(part.size)
            parts.append(part)
        return kernels.sort(np.concatenate(parts))

    def _multiplied(self, products: list[Product]) -> KeyArray | None:
        """The pairs of products, which may share some."""
        if not self._update.has_room(sum(first.size * second.size for first, second in products)):
            return None
        found = NO_KEYS
        for first, second in products:
            pairs = kernels.pack(np.repeat(first, second.size), np.tile(second, first.size))
            more = kernels.unique(np.concatenate((found, pairs)))
            self._update.find(more.size - found.size)
            found = more
        return found


def _leads_to_many(key: int, known: Table) -> bool:
    """Whether many terms lead to the first of a pair, or from the second on."""
    many, x, y = REASONING.closed_ends, key >> 32, key & 0xFFFFFFFF
    return known.few_subjects(x, many) is None or known.few_objects(y, many) is None


Product = tuple[IdArray, IdArray]


def _products(fresh: KeyArray, known: Table) -> list[Product] | None:
    """For each new pair (x, y) all unknown pairs that it makes, as a product, perhaps with known
    ones: of x and what leads to it, but not to y, with y and what it leads to, but x does not.

    Each is told by the pairs known before and those made by the pairs taken already, a relation to
    which the rule adds nothing. None if it does: if a new pair follows from two that are not new.
    """
    taken: list[Product] = []

    def leading_to(term: IdArray) -> IdArray:
        _, found = known.by_objects(term)
        found = found[~kernels.contains(fresh, kernels.pack(found, term))]
        return np.concatenate((found, *(a for a, b in taken if term in b)))

    def led_to(term: IdArray) -> IdArray:
        _, found = known.by_subjects(term)
        found = found[~kernels.contains(fresh, kernels.pack(term, found))]
        return np.concatenate((found, *(b for a, b in taken if term in a)))

    ends = list(zip(kernels.high(fresh)[:, None], kernels.low(fresh)[:, None], strict=True))
    if any(np.intersect1d(led_to(x), leading_to(y)).size for x, y in ends):
        return None
    for x, y in ends:
        first = np.setdiff1d(np.concatenate((leading_to(x), x)), leading_to(y))
        second = np.setdiff1d(np.concatenate((led_to(y), y)), led_to(x))
        taken.append((first, second))
    return taken
