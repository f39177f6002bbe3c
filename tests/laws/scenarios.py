"""Random programs, ontologies and update sequences, the same for the same seed.

Each step is made knowing what the oracle expects of those before, so that it can state what is
derived, withdraw what others prove, and bring back what has gone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from laws import random_facts
from laws.names import GRAPHS, PROPERTIES, Fact, Quad
from laws.oracle import Expected, Oracle
from laws.random_rules import META, SCHEMA, random_rule, renamed
from laws.steps import Step, is_axiom
from rdfinc.datalog.model import Rule

LARGE = 350
"""Facts of a closure at which a scenario ends: the oracle becomes slow."""


@dataclass
class Scenario:
    """The steps, and what is to be seen after each."""

    seed: int
    profile: str
    steps: list[Step] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)


def scenario(seed: int) -> Scenario:
    rnd = random.Random(seed)
    profile = rnd.choice(["none", "none", "none", "owl2rl", "owl2rl", "rdfs"])
    case, maker = Scenario(seed, profile), _Maker(rnd, profile)
    for number in range(rnd.randint(5, 8)):
        step = maker.first() if number == 0 else maker.next()
        expected = maker.perform(step)
        if len(expected.closure) > LARGE:
            break
        case.steps.append(step)
        case.expected.append(expected)
    return case


class _Maker:
    def __init__(self, rnd: random.Random, profile: str) -> None:
        self.rnd, self.profile, self.oracle = rnd, profile, Oracle(profile)
        self.themes = _themes(rnd, profile)
        self.predicates = PROPERTIES if profile == "none" else SCHEMA
        self.with_rules = profile == "none" or rnd.random() < 0.4
        self.stated: set[Quad] = set()
        self.gone: list[Quad] = []
        self.derived: list[Fact] = []

    def perform(self, step: Step) -> Expected:
        expected = self.oracle.step(step)
        self.stated = set(expected.stated)
        self.gone = sorted(step.delete - self.stated, key=repr)
        self.derived = sorted(filter(_can_be_stated, expected.closure - expected.explicit))
        return expected

    # -- steps

    def first(self) -> Step:
        rnd = self.rnd
        rules = [*META] if random_facts.meta in self.themes else []
        most = 0 if not self.with_rules else 7 if self.profile == "none" else 3
        for _ in range(rnd.randint(min(2, most), most)):
            rules.append(random_rule(rnd, rules, self.predicates))
        facts = [fact for _ in range(rnd.randint(14, 24)) for fact in self.some_facts()]
        return Step(insert=self.quads(facts), rules_added=tuple(rules))

    def next(self) -> Step:
        rnd, kind = self.rnd, self.rnd.random()
        if not self.with_rules:
            kind = 1.0
        if kind < 0.12:
            return Step(rules_added=self.new_rules())
        if kind < 0.24 and self.rules:
            return Step(rules_removed=(renamed(rnd.choice(self.rules)),))
        delete, insert = self.deletions(), self.insertions()
        if rnd.random() < 0.2:
            delete = set()
        elif rnd.random() < 0.3:
            insert = set()
        if rnd.random() < 0.15:  # what is deleted and inserted in one update stays
            insert |= {quad for quad in sorted(delete, key=repr) if rnd.random() < 0.6}
        if kind < 0.3 and self.rules:
            some = (rnd.choice(self.rules),)
            return Step(delete, insert, some, () if rnd.random() < 0.5 else self.new_rules())
        return Step(delete, insert)

    @property
    def rules(self) -> list[Rule]:
        return list(self.oracle.rules.values())

    def new_rules(self) -> tuple[Rule, ...]:
        if self.rules and self.rnd.random() < 0.15:
            return (renamed(self.rnd.choice(self.rules)),)
        return (random_rule(self.rnd, self.rules, self.predicates),)

    # -- facts

    def some_facts(self) -> list[Fact]:
        return self.rnd.choice(self.themes)(self.rnd)

    def quads(self, facts: Iterable[Fact]) -> set[Quad]:
        return {(*fact, self.rnd.choice(GRAPHS)) for fact in facts}

    def insertions(self) -> set[Quad]:
        kinds = [0, 0, 1, 1, 1, 2, 3, 4]
        return {quad for _ in range(self.rnd.choice([0, 1, 1, 2])) for quad in self.one(kinds)}

    def one(self, kinds: list[int]) -> set[Quad]:
        rnd, kind = self.rnd, self.rnd.choice(kinds)
        if kind == 2 and self.derived:
            return self.quads([rnd.choice(self.derived)])
        if kind == 3 and self.stated:  # perhaps in another graph
            return self.quads([rnd.choice(sorted(self.stated, key=repr))[:3]])
        if kind == 4:
            return set(self.gone)
        return self.quads(self.some_facts())

    def deletions(self) -> set[Quad]:
        rnd, stated = self.rnd, sorted(self.stated, key=repr)
        kind = rnd.random()
        if kind < 0.06:
            return set(rnd.sample(stated, len(stated) // 2))
        if kind < 0.12 and self.derived:  # not stated: nothing happens
            return self.quads([rnd.choice(self.derived)])
        if kind < 0.3:
            stated = [quad for quad in stated if is_axiom(quad[:3])] or stated
        return set(rnd.sample(stated, min(len(stated), rnd.choice([1, 1, 1, 2, 3]))))


def _themes(rnd: random.Random, profile: str) -> list[Callable[[random.Random], list[Fact]]]:
    if profile == "none":
        extra = [random_facts.meta] * 2 if rnd.random() < 0.5 else []
        if extra and rnd.random() < 0.3:
            extra.append(random_facts.meta_above)
    else:
        extra = rnd.sample(random_facts.THEMES, rnd.randint(2, 4))
    return [*[random_facts.data] * max(2, len(extra)), *extra]


def _can_be_stated(fact: Fact) -> bool:
    return not fact[0].startswith('"') and fact[1].startswith("<")
