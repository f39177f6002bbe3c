"""After every step of random updates, what rules compute is what Python's integers give, however
long they get."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from naive import naive

from laws.random_values import (
    BITS,
    NAMES,
    XSD,
    closure,
    fact,
    random_number,
    random_rules,
)
from rdfinc import KnowledgeBase

SLICE = 0, 60
STRATEGIES = ["bf", "dred"]
STATED, MOST = 3, 100
"""Numbers that are stated at a time; facts beyond which a sequence ends."""


def test_computed_values_are_those_of_integers(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    met: Counter[str] = Counter()
    for seed in range(start, start + count):
        met += check(seed)
    assert count < SLICE[1] or all(met[what] > 60 for what in ("word", "long", "longest")), met


def check(seed: int) -> Counter[str]:
    """How many values were met of which length."""
    rnd = random.Random(seed)
    rules = random_rules(rnd)
    text = f"PREFIX xsd: <{XSD}>\n" + "\n".join(map(str, rules))
    bases = [KnowledgeBase(profile="none", maintenance=way) for way in STRATEGIES]
    for kb in bases:
        kb.add_rules(text)
    stated: set[tuple[str, int]] = set()
    met: Counter[str] = Counter()
    for step in range(5):
        lost = set(rnd.sample(sorted(stated), len(stated) // 3))
        new = {(rnd.choice(NAMES), random_number(rnd)) for _ in range(rnd.randint(1, 3))}
        if len(stated - lost | new) > STATED:
            new, lost = set(), set(rnd.sample(sorted(stated), 1))
        expected = closure(rules, stated - lost | new)
        if len(expected) > MOST:
            break
        stated = stated - lost | new
        for kb in bases:
            delete, insert = ([fact(x, 0, n) for x, n in some] for some in (lost - new, new))
            kb.update(delete=delete, insert=insert)
            assert shown(kb) == expected, f"seed {seed}, step {step}, {kb.maintenance}"
        met += Counter(_length(number) for _, _, number in expected)
    explicit = {fact(x, 0, n) for x, n in stated}
    assert naive(bases[0].program.rules, explicit) == closure(rules, stated), f"seed {seed}"
    return met


def shown(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    return {tuple(term.n3() for term in triple) for triple in kb}


def _length(number: str) -> str:
    bits = int(number[1 : number.rindex('"')]).bit_length()
    return "word" if bits < 64 else "long" if bits < BITS // 2 else "longest"
