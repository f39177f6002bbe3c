"""All proofs of a fact in order, each made when it is asked for.

The remaining proofs are divided by their common part with the best one: first the proofs that
derive its first fact by another instance, then those that share the first instance and derive the
second fact by another one, and so on. The best proof of each part waits for its turn; its part is
then divided in the same manner (Lawler 1972, *A procedure for computing the K best solutions to
discrete optimization problems*). So no proof is missed and none comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from heapq import heappop, heappush
from itertools import count, islice

from msgspec import Struct, field

from rdfinc.reasoning.explanation.explain import ShortProof, Way, Ways, shortest_proof
from rdfinc.reasoning.explanation.rule_instances import Fact, Support
from rdfinc.reasoning.reasoning_thresholds import REASONING


def all_proofs(fact: Fact, support: Support) -> Iterator[ShortProof]:
    """The proofs of a fact in order of their steps; each proves a fact by one instance wherever it
    is used. They are made of the `proof_instances` nearest rule instances, level by level, and of
    those of a shortest proof. These are read before the first proof is asked for, and nothing else
    later.

    Cost: for each proof, as many times the instances as facts of it can be proved otherwise.
    """
    return _in_order(_nearest(fact, support)) if support.closure.has(*fact) else iter(())


class _Choice(Struct):
    """The ways to prove what is met from a goal on."""

    goal: Fact
    ways: Ways = field(default_factory=Ways)
    of: dict[Fact, dict[Way, None]] = field(default_factory=dict)
    instances: int = 0

    def add(self, fact: Fact, way: Way) -> None:
        known = self.of.setdefault(fact, {})
        if way in known:
            return
        known[way] = None
        if way is None:
            self.ways.stated.append(fact)
        else:
            self.ways.add(way)
            self.instances += 1


def _nearest(goal: Fact, support: Support) -> _Choice:
    choice, met = _Choice(goal), {goal: None}
    waiting = [goal]
    for fact in waiting:  # grows while it is read
        if support.explicit.has(*fact):
            choice.add(fact, None)
        for instance in islice(
            support.instances(fact),
            max(0, REASONING.proof_instances - choice.instances),
        ):
            choice.add(fact, instance)
            fresh = [premise for premise in instance.body if premise not in met]
            met.update(dict.fromkeys(fresh))
            waiting += dict.fromkeys(fresh)
    shortest = shortest_proof(goal, support)
    assert shortest is not None, "every fact of the closure has a proof"
    for fact in shortest.facts():
        choice.add(fact, shortest.by[fact])
    return choice


class _Part(Struct, frozen=True):
    """The proofs that derive some facts by the `fixed` instances, and others by none of the
    `barred` ones; with the best of these proofs."""

    fixed: Mapping[Fact, Way]
    barred: Mapping[Fact, Set[Way]]
    best: ShortProof


def _in_order(choice: _Choice) -> Iterator[ShortProof]:
    number = count()
    queue: list[tuple[int, int, _Part]] = []

    def put(fixed: Mapping[Fact, Way], barred: Mapping[Fact, Set[Way]]) -> None:
        best = _best(choice, fixed, barred)
        if best is not None:
            heappush(queue, (best.steps, next(number), _Part(fixed, barred, best)))

    put({}, {})
    while queue:
        _, _, part = heappop(queue)
        yield part.best
        fixed = dict(part.fixed)
        for fact in part.best.facts():
            way = part.best.by[fact]
            barred = {*part.barred.get(fact, ()), way}
            if fact not in fixed and len(barred) < len(choice.of[fact]):
                put(dict(fixed), {**part.barred, fact: barred})
            fixed[fact] = way


def _best(
    choice: _Choice, fixed: Mapping[Fact, Way], barred: Mapping[Fact, Set[Way]]
) -> ShortProof | None:
    def allowed(fact: Fact, way: Way) -> bool:
        return fixed.get(fact, way) == way and way not in barred.get(fact, ())

    return choice.ways.shortest(choice.goal, allowed)
