"""One short proof of a fact, searched when asked for and never stored.

Backward from the fact, all rule instances that could derive the facts met so far are collected
level by level, until some of them form a proof from explicit facts no higher than the searched
levels. The instances of a proof of height h lie within the first h levels, so no proof is lower. Of
the collected instances the proof with the fewest steps is taken (Knuth 1977, *A generalization of
Dijkstra's algorithm*).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import count

from msgspec import Struct, field

from rdfinc.reasoning.explanation.rule_instances import Fact, Instance, Support

Way = Instance | None
"""How a fact is proved: by a rule instance, or by being explicit."""


class ProofStep(Struct, frozen=True):
    """A node of a proof: an explicit fact (no `instance`) or one derived from its premises."""

    fact: Fact
    instance: Way
    premises: tuple[ProofStep, ...]


class ShortProof(Struct, frozen=True):
    """A proof: how each fact in it is proved, and its steps, counted wherever they are used."""

    fact: Fact
    steps: int
    by: dict[Fact, Way]

    def facts(self) -> Iterator[Fact]:
        """Each fact of the proof once, the conclusion first."""
        met = {self.fact: None}
        waiting = [self.fact]
        for fact in waiting:  # grows while it is read
            yield fact
            instance = self.by[fact]
            for premise in instance.body if instance else ():
                if premise not in met:
                    met[premise] = None
                    waiting.append(premise)

    def tree(self) -> ProofStep:
        """Equal parts are one, built from the premises up, so that a long proof needs no
        recursion."""
        built: dict[Fact, ProofStep] = {}
        open_ = [self.fact]
        while open_:
            if open_[-1] in built:
                open_.pop()
                continue
            instance = self.by[open_[-1]]
            body = instance.body if instance else ()
            missing = [premise for premise in body if premise not in built]
            if missing:
                open_.extend(missing)
            else:
                fact = open_.pop()
                built[fact] = ProofStep(fact, instance, tuple(built[premise] for premise in body))
        return built[self.fact]


def _any(fact: Fact, way: Way) -> bool:
    return True


class Ways(Struct):
    """Explicit facts and rule instances, these by premise."""

    stated: list[Fact] = field(default_factory=list)
    readers: dict[Fact, list[Instance]] = field(default_factory=dict)

    def add(self, instance: Instance) -> None:
        for premise in dict.fromkeys(instance.body):
            self.readers.setdefault(premise, []).append(instance)

    def shortest(
        self, goal: Fact, allowed: Callable[[Fact, Way], bool] = _any
    ) -> ShortProof | None:
        """The proof with the fewest steps among the ways that are allowed; auxiliary premises are
        none. Of ways with as many steps that with the fewest for data: what axioms imply is the
        same for many facts. Cost: O(n log n) for n premises of the instances."""
        steps: dict[Fact, int] = {}
        by: dict[Fact, Way] = {}
        number = count()
        queue: list[tuple[int, int, int, Fact, Way]] = [
            (1, 0, next(number), fact, None) for fact in self.stated if allowed(fact, None)
        ]
        while queue and goal not in steps:
            cost, _, _, fact, way = heappop(queue)
            if fact in steps:
                continue
            steps[fact], by[fact] = cost, way
            for reader in self.readers.get(fact, ()):
                if all(map(steps.__contains__, reader.body)) and allowed(reader.head, reader):
                    total, for_data = _steps(reader, steps)
                    heappush(queue, (total, for_data, next(number), reader.head, reader))
        return ShortProof(goal, steps[goal], by) if goal in steps else None


def _steps(instance: Instance, steps: Mapping[Fact, int]) -> tuple[int, int]:
    """The steps of the proof that ends in an instance, and those for premises that no parameter
    table has."""
    clause, axioms, data = instance.clause, 0, 0
    for i, premise in enumerate(instance.body):
        if clause.is_auxiliary(premise[1]):
            continue
        if i in clause.parameters:
            axioms += steps[premise]
        else:
            data += steps[premise]
    return 1 + axioms + data, data


def shortest_proof(fact: Fact, support: Support) -> ShortProof | None:
    """A proof with the fewest steps (auxiliary premises are none) among the rule instances within
    the least height of a proof, or None for a fact that is not there. Cost: those instances.
    """
    if not support.closure.has(*fact):
        return None
    search = _ProofSearch(support)
    frontier, levels = search.unstated([fact]), 0
    while frontier and search.heights.get(fact, levels + 1) > levels:
        frontier = search.deepen(frontier)
        levels += 1
    assert fact in search.heights, "every fact of the closure has a proof"
    return search.ways.shortest(fact)


class _ProofSearch:
    """Facts met (`seen`), how they may be proved, and the least heights of proofs by what was
    met."""

    def __init__(self, support: Support) -> None:
        self.support = support
        self.seen: set[Fact] = set()
        self.ways = Ways()
        self.heights: dict[Fact, int] = {}

    def unstated(self, facts: Iterable[Fact]) -> list[Fact]:
        """Those of some facts that are met for the first time and are not explicit; those that are
        have their proof."""
        found = []
        for fact in facts:
            if fact in self.seen:
                continue
            self.seen.add(fact)
            if self.support.explicit.has(*fact):
                self.ways.stated.append(fact)
                self.prove(fact, 0)
            else:
                found.append(fact)
        return found

    def deepen(self, frontier: list[Fact]) -> list[Fact]:
        """Meets what the facts of one level follow from; returns those of the next."""
        following: list[Fact] = []
        for fact in frontier:
            for instance in self.support.instances(fact):
                self.ways.add(instance)
                self.support.looked_at += 1
                following += self.unstated(instance.body)
                height = self.height(instance)
                if height is not None:
                    self.prove(fact, height)
        return following

    def height(self, instance: Instance) -> int | None:
        """The height of the lowest proof that ends in the instance."""
        found = [self.heights.get(premise) for premise in instance.body]
        known = [height for height in found if height is not None]
        return 1 + max(known, default=0) if len(known) == len(found) else None

    def prove(self, fact: Fact, height: int) -> None:
        """Notes a proof of a fact, and what follows from it by the instances met."""
        waiting = deque([(fact, height)])
        while waiting:
            current, height = waiting.popleft()
            if height >= self.heights.get(current, height + 1):
                continue
            self.heights[current] = height
            for instance in self.ways.readers.get(current, ()):
                above = self.height(instance)
                if above is not None:
                    waiting.append((instance.head, above))
