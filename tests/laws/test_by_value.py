"""Random rules that join literals by value, against the definition: occurrences of a variable match
if they denote one value.

What the definition finds is found by brute force, over all ways to choose a fact for each atom. The
rule and those made of it find each match once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest
from naive import Bindings, instances

from laws.names import TYPE, Fact, ex
from rdfinc.datalog.clause import VALUE
from rdfinc.datalog.functions import NAME_AMONG
from rdfinc.datalog.model import Atom, Expression, Filter, Literal, Rule, Term, Var
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.profiles.by_value import of_objects, of_terms
from rdfinc.terms.builtins import value_spelling
from thresholds import put

XSD = "http://www.w3.org/2001/XMLSchema#"
KINDS = [("1", "integer"), ("01", "int"), ("1.0", "decimal"), ("2", "integer"), ("02", "int")]
LITERALS = [f'"{text}"^^<{XSD}{kind}>' for text, kind in KINDS]
TERMS = [*LITERALS, '"1"', ex("a"), ex("b")]
RELATIONS = [ex("p"), ex("q")]
CLASS = ex("C")
NAMES = tuple(map(Var, "xyz"))


class Drawn:
    """A body of some atoms, in which names of variables stand where they may be literals."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.every = draw.random() < 0.6
        """Whether a variable may be a literal at each end, as under variable relations."""
        self.atoms = [self.atom(draw, place) for place in range(draw.randrange(2, 5))]
        variables = [term for atom in self.atoms for term in (atom.subject, atom.object)]
        found = sorted({each for each in variables if each in NAMES}, key=str)
        self.names = draw.sample(found, 2) if len(found) > 1 and draw.random() < 0.5 else None
        first, last = draw.choice(found), draw.choice(found)
        self.head = Atom(first, ex("h"), last)
        number = draw.randrange(3, 9)
        self.facts = [self.fact(draw) for _ in range(number)]

    def atom(self, draw: random.Random, place: int) -> Atom:
        if not self.every:
            return Atom(Var(f"s{draw.randrange(2)}"), draw.choice(RELATIONS), draw.choice(NAMES))
        if draw.random() < 0.3:
            return Atom(draw.choice(NAMES), TYPE, CLASS)
        return Atom(draw.choice(NAMES), Var(f"p{place}"), draw.choice(NAMES))

    def fact(self, draw: random.Random) -> Fact:
        if self.every and draw.random() < 0.4:
            return draw.choice(TERMS), TYPE, CLASS
        subject = draw.choice(TERMS if self.every else [ex("a"), ex("b")])
        return subject, draw.choice(RELATIONS), draw.choice(TERMS)

    @property
    def rule(self) -> Rule:
        tests = []
        if self.names:
            one, other = self.names
            tests = [Filter(Expression(f"{NAME_AMONG}({one}, {other})", (one, other)))]
        return Rule(self.head, (*map(Literal, self.atoms), *tests))

    def matches(self) -> Iterator[Fact]:
        """The heads by the definition, one for each match."""
        for chosen in product(sorted(set(self.facts)), repeat=len(self.atoms)):
            known: Bindings = {}
            met = (
                self.meets(term, part, known)
                for atom, fact in zip(self.atoms, chosen, strict=True)
                for term, part in zip(atom.terms(), fact, strict=True)
            )
            if all(met) and (not self.names or not all(known[v][0] == '"' for v in self.names)):
                yield known[self.head.subject], self.head.predicate, known[self.head.object]

    def meets(self, term: Term, part: str, known: Bindings) -> bool:
        """Whether a part of a fact stands for a term; the first occurrence of a variable counts."""
        if not isinstance(term, Var):
            return term == part
        first = known.setdefault(term, part)
        return first == part or (term in NAMES and value_of(first) == value_of(part))


def value_of(term: str) -> str:
    return value_spelling(term.encode()).decode() if term[0] == '"' else term


def values(facts: list[Fact]) -> Iterator[Fact]:
    """From each literal to its value, if another one has it."""
    literals = {term for fact in facts for term in fact if term[0] == '"'}
    several = Counter(map(value_of, literals))
    return ((each, VALUE, value_of(each)) for each in literals if several[value_of(each)] > 1)


def check(seed: int) -> None:
    drawn = Drawn(seed)
    made = of_terms(drawn.rule) if drawn.every else of_objects(drawn.rule)
    facts = {*drawn.facts, *values(drawn.facts)}
    found: Counter[Fact] = Counter()
    for rule in (drawn.rule, *made):
        for known in instances(rule, facts):
            s, p, o = (known[t] if isinstance(t, Var) else t for t in drawn.head.terms())
            found[s, p, o] += 1
    assert found == Counter(drawn.matches()), (seed, str(drawn.rule), sorted(drawn.facts))


@pytest.mark.parametrize("ways", [1, LISTS.differing_ways, 1000])
def test_each_match_by_value_is_found_once(
    ways: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, LISTS, differing_ways=ways)
    first, count = request.config.getoption("--long") or (0, 400)
    for seed in range(first, first + count):
        check(seed)
