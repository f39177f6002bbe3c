"""One shortest proof of a fact, searched when asked for and never stored.

Backward from the fact, level by level, all rule instances that could derive the facts met so far
are collected; as soon as some of them join to a proof from explicit facts it is a shortest one,
since every proof of height h lies within the first h levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rdfinc.datalog.clause import Clause
from rdfinc.datalog.planning import Slots
from rdfinc.reasoning.run import run
from rdfinc.reasoning.states import State
from rdfinc.reasoning.strata import Strata

Fact = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Instance:
    """A rule instance: `head` by `clause` from the facts of its body in order."""

    head: Fact
    clause: Clause
    body: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a proof: an explicit fact (no `instance`) or one derived from its premises."""

    fact: Fact
    instance: Instance | None
    premises: tuple[Step, ...]


def shortest_proof(fact: Fact, strata: Strata, closure: State, explicit: State) -> Step | None:
    """A proof of least height, or None for a fact that is not there.

    Cost: the rule instances within the height of the proof.
    """
    if not closure.has(*fact):
        return None
    search = _Search(strata, closure, explicit)
    frontier = [fact]
    while fact not in search.proved:
        assert frontier, "every fact of the closure has a proof"
        frontier = search.deepen(frontier)
    return search.proof(fact)


class _Search:
    def __init__(self, strata: Strata, closure: State, explicit: State) -> None:
        self.strata, self.closure, self.explicit = strata, closure, explicit
        self.seen: set[Fact] = set()
        self.proved: dict[Fact, Instance | None] = {}
        self.readers: dict[Fact, list[Instance]] = {}

    def deepen(self, frontier: list[Fact]) -> list[Fact]:
        """Meets the facts of one more level; returns those of the next."""
        following: dict[Fact, None] = {}
        for fact in frontier:
            if fact in self.seen:
                continue
            self.seen.add(fact)
            if self.explicit.has(*fact):
                self.prove(fact, None)
                continue
            for instance in instances(fact, self.strata, self.closure):
                for premise in instance.body:
                    self.readers.setdefault(premise, []).append(instance)
                    following[premise] = None
                self.try_(instance)
        return list(following)

    def try_(self, instance: Instance) -> None:
        if instance.head not in self.proved and all(b in self.proved for b in instance.body):
            self.prove(instance.head, instance)

    def prove(self, fact: Fact, by: Instance | None) -> None:
        """Notes that a fact is proved, and what follows from it among the instances met."""
        self.proved[fact] = by
        waiting = [fact]
        while waiting:
            for instance in self.readers.get(waiting.pop(), ()):
                ready = all(premise in self.proved for premise in instance.body)
                if ready and instance.head not in self.proved:
                    self.proved[instance.head] = instance
                    waiting.append(instance.head)

    def proof(self, fact: Fact) -> Step:
        """The tree; built from the premises up, so a long proof needs no recursion."""
        built: dict[Fact, Step] = {}
        open_ = [fact]
        while open_:
            instance = self.proved[open_[-1]]
            missing = [b for b in (instance.body if instance else ()) if b not in built]
            if missing:
                open_.extend(missing)
                continue
            current = open_.pop()
            premises = tuple(built[b] for b in (instance.body if instance else ()))
            built[current] = Step(current, instance, premises)
        return built[fact]


def instances(fact: Fact, strata: Strata, closure: State) -> Iterator[Instance]:
    """All rule instances in the closure that derive a fact, cheapest rules first."""
    s, p, o = fact
    stratum = strata.list[strata.level(p, o)]
    for plan, keys in stratum.derivers(p, [s << 32 | o]):
        for block in run(plan, p, keys, (closure, closure)):
            for body in zip(*(_facts(block.values(_slots(at))) for at in plan.body), strict=True):
                yield Instance(fact, plan.clause, body)


def _slots(at: Slots) -> tuple[int, int, int]:
    return at.s, at.p, at.o


def _facts(values: list[tuple[int, ...]]) -> list[Fact]:
    return [(s, p, o) for s, p, o in values]
