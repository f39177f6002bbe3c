"""One short proof of a fact, searched when asked for and never stored.

Backward from the fact, level by level, all rule instances that could derive the facts met so far
are collected until some of them join to a proof from explicit facts that is no higher than the
levels searched: every proof of height h lies within the first h levels, so none is lower. Among
the collected instances the proof with the fewest steps is taken
(Knuth 1977, *A generalization of Dijkstra's algorithm*).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from rdfinc.reasoning.support import Fact, Instance, Support


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a proof: an explicit fact (no `instance`) or one derived from its premises."""

    fact: Fact
    instance: Instance | None
    premises: tuple[Step, ...]


def shortest_proof(fact: Fact, support: Support) -> Step | None:
    """A proof with the fewest steps (hidden premises are none) among the rule instances within
    the least height of a proof, or None for a fact that is not there. Cost: those instances.
    """
    if not support.closure.has(*fact):
        return None
    search = _Search(support)
    frontier, levels = [fact], 0
    while search.heights.get(fact, levels) >= levels:
        assert frontier or fact in search.heights, "every fact of the closure has a proof"
        frontier = search.deepen(frontier)
        levels += 1
    return _tree(fact, search.cheapest(fact))


class _Search:
    """Facts met (`seen`), the least heights of proofs by what was met, and the instances met by
    premise."""

    def __init__(self, support: Support) -> None:
        self.support = support
        self.seen: set[Fact] = set()
        self.stated: list[Fact] = []
        self.heights: dict[Fact, int] = {}
        self.readers: dict[Fact, list[Instance]] = {}

    def deepen(self, frontier: list[Fact]) -> list[Fact]:
        """Meets the facts of one more level; returns those of the next."""
        following: dict[Fact, None] = {}
        for fact in frontier:
            if fact in self.seen:
                continue
            self.seen.add(fact)
            if self.support.explicit.has(*fact):
                self.stated.append(fact)
                self.prove(fact, 0)
                continue
            for instance in self.support.instances(fact):
                for premise in dict.fromkeys(instance.body):
                    self.readers.setdefault(premise, []).append(instance)
                    following[premise] = None
                height = self.height(instance)
                if height is not None:
                    self.prove(fact, height)
        return list(following)

    def height(self, instance: Instance) -> int | None:
        """That of the lowest proof that ends in the instance."""
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
            for instance in self.readers.get(current, ()):
                above = self.height(instance)
                if above is not None:
                    waiting.append((instance.head, above))

    def cheapest(self, fact: Fact) -> dict[Fact, Instance | None]:
        """How to prove each fact in the fewest steps, at least for what a proof of `fact` needs."""
        steps: dict[Fact, int] = {}
        by: dict[Fact, Instance | None] = {}
        number = count()
        queue: list[tuple[int, int, Fact, Instance | None]] = [
            (1, next(number), stated, None) for stated in self.stated
        ]
        while fact not in steps:
            cost, _, current, instance = heappop(queue)
            if current in steps:
                continue
            steps[current], by[current] = cost, instance
            for reader in self.readers.get(current, ()):
                if all(premise in steps for premise in reader.body):
                    hidden = reader.clause.hidden
                    total = 1 + sum(steps[b] for b in reader.body if not hidden(b[1]))
                    heappush(queue, (total, next(number), reader.head, reader))
        return by


def _tree(fact: Fact, by: dict[Fact, Instance | None]) -> Step:
    """The proof tree, built from the premises up, so a long proof needs no recursion."""
    built: dict[Fact, Step] = {}
    open_ = [fact]
    while open_:
        if open_[-1] in built:
            open_.pop()
            continue
        instance = by[open_[-1]]
        body = instance.body if instance else ()
        missing = [premise for premise in body if premise not in built]
        if missing:
            open_.extend(missing)
        else:
            current = open_.pop()
            built[current] = Step(current, instance, tuple(built[premise] for premise in body))
    return built[fact]
