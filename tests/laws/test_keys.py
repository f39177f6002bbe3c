"""Members of classes with keys of several properties, where each has several values or none, are
what the definition of owl:hasKey says (prp-key), whatever the order in which they are looked at.

`--long START:COUNT` checks COUNT sequences from seed START.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from laws.checking import EQUALITY, MIXED
from laws.names import Fact
from laws.test_named_regressions import fact
from laws.test_regressions_of_equality import listed
from rdfinc import KnowledgeBase

PROPERTIES, WHO, VALUES = "pqrst", "abcdef", 4
CONFIGURATIONS = [*EQUALITY, *MIXED]
CLASSES = ["B rdfs:subClassOf C", "a a B", "e a B", "a owl:sameAs f"]


class Members:
    """Statements about possible members of a class, of which some are `within`."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.key = chance.sample(PROPERTIES, chance.choice((2, 3, 3, 4, 5)))
        self.axiom = [*listed("_:k", *self.key), "C owl:hasKey _:k0"]
        values = [f"{who} {p} v{i}" for who in WHO for p in self.key for i in range(VALUES)]
        self.some = [*(f"{who} a C" for who in WHO), *values, *CLASSES]
        often = chance.choice((0.3, 0.6, 0.8))
        self.within = {text for text in self.some if chance.random() < often}

    def change(self) -> tuple[set[str], set[str]]:
        """What comes and what goes."""
        chosen = set(self.chance.sample(self.some, self.chance.choice((1, 1, 2, 4))))
        come, gone = chosen - self.within, chosen & self.within
        self.within ^= chosen
        return come, gone

    def equal(self) -> list[set[str]]:
        """Who is the same, by the definition."""
        told = "a owl:sameAs f" in self.within
        groups = [{"a", "f"}, *map(set, "bcde")] if told else [*map(set, WHO)]
        while pair := next((p for p in combinations(groups, 2) if self.agree(*p)), None):
            groups = [*(g for g in groups if g not in pair), pair[0] | pair[1]]
        return groups

    def agree(self, one: set[str], other: set[str]) -> bool:
        members = self.are(one, "C") and self.are(other, "C")
        return members and all(self.values(one, p) & self.values(other, p) for p in self.key)

    def are(self, some: set[str], class_: str) -> bool:
        stated = any(f"{who} a {class_}" in self.within for who in some)
        above = class_ == "C" and "B rdfs:subClassOf C" in self.within
        return stated or (above and self.are(some, "B"))

    def values(self, some: set[str], p: str) -> set[str]:
        numbers = (f"v{i}" for i in range(VALUES))
        return {v for v in numbers if any(f"{who} {p} {v}" in self.within for who in some)}

    def facts(self) -> set[Fact]:
        """What holds of them."""
        found = set[str]()
        for some in self.equal():
            found |= {f"{x} owl:sameAs {y}" for x in some for y in some if x != y}
            found |= {f"{x} {p} {v}" for x in some for p in self.key for v in self.values(some, p)}
            found |= {f"{x} a {class_}" for x in some for class_ in "BC" if self.are(some, class_)}
        return set(map(fact, found))


def found(kb: KnowledgeBase) -> set[Fact]:
    told = {fact(f"x {p} v")[1] for p in [*PROPERTIES, "owl:sameAs", "a"]}
    people = {fact(f"{who} p v")[0] for who in WHO}
    every = {(s.n3(), p.n3(), o.n3()) for s, p, o in kb.triples((None, None, None))}
    return {(s, p, o) for s, p, o in every if s in people and p in told}


def check(seed: int, steps: int = 8) -> int:
    """Returns how often two who were not told to be the same were."""
    chance = random.Random(seed)
    configuration, members, agreed = chance.choice(CONFIGURATIONS), Members(chance), 0
    with configuration.in_force():
        kb = configuration.knowledge_base("owl2rl")
        kb.update(insert=map(fact, sorted({*members.axiom, *members.within})))
        for step in range(steps):
            come, gone = members.change()
            kb.update(insert=map(fact, sorted(come)), delete=map(fact, sorted(gone)))
            assert found(kb) == members.facts(), f"seed {seed}, step {step}, {configuration}"
            agreed += any(members.agree({x}, {y}) for x, y in combinations(WHO, 2))
    return agreed


def test_members_that_agree_on_a_key_are_equal(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or (45, 12)
    agreed = sum(check(seed) for seed in range(start, start + count))
    assert agreed > count
