"""Some ways to prove facts, and the proof with the fewest steps among them
(Knuth 1977, *A generalization of Dijkstra's algorithm*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from rdfinc.reasoning.explanation.rule_instances import Fact, Instance

Way = Instance | None
"""How a fact is proved: by a rule instance, or by being explicit."""


@dataclass(frozen=True, slots=True)
class ProofStep:
    """A node of a proof: an explicit fact (no `instance`) or one derived from its premises."""

    fact: Fact
    instance: Way
    premises: tuple[ProofStep, ...]


@dataclass(frozen=True)
class ShortProof:
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


@dataclass
class Ways:
    """Explicit facts and rule instances, these by premise."""

    stated: list[Fact] = field(default_factory=list)
    readers: dict[Fact, list[Instance]] = field(default_factory=dict)

    def add(self, instance: Instance) -> None:
        for premise in dict.fromkeys(instance.body):
            self.readers.setdefault(premise, []).append(instance)

    def shortest(
        self, goal: Fact, allowed: Callable[[Fact, Way], bool] = _any
    ) -> ShortProof | None:
        """The proof with the fewest steps among the ways that are allowed; hidden premises are
        none. Cost: O(n log n) for n premises of the instances."""
        steps: dict[Fact, int] = {}
        by: dict[Fact, Way] = {}
        number = count()
        queue: list[tuple[int, int, Fact, Way]] = [
            (1, next(number), fact, None) for fact in self.stated if allowed(fact, None)
        ]
        while queue and goal not in steps:
            cost, _, fact, way = heappop(queue)
            if fact in steps:
                continue
            steps[fact], by[fact] = cost, way
            for reader in self.readers.get(fact, ()):
                if all(map(steps.__contains__, reader.body)) and allowed(reader.head, reader):
                    hidden = reader.clause.hidden
                    total = 1 + sum(steps[b] for b in reader.body if not hidden(b[1]))
                    heappush(queue, (total, next(number), reader.head, reader))
        return ShortProof(goal, steps[goal], by) if goal in steps else None
