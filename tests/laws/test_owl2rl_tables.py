"""A knowledge base equals a naive evaluation of the W3C's tables (`laws.w3c_tables`), after every
step of a random sequence of changes to a random OWL 2 RL ontology and its data.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed, and
`python -c "from laws.test_owl2rl_tables import check; check(SEED)"` with `tests` on the path
repeats it alone.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from laws import w3c_tables
from laws.names import Fact
from laws.random_owl import Ontologist
from rdfinc import KnowledgeBase
from rdfinc.owl.rules import profile_rules

SLICE = 0, 40
STEPS = 5
CONTRADICTED = 15
"""Rules that are contradicted in the slice, at least."""

SETTINGS = [
    {"storage": "auto", "maintenance": "auto"},
    {"storage": "plain", "maintenance": "bf"},
    {"storage": "compact", "maintenance": "dred"},
]

def test_every_step_equals_the_tables(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    contradicted = sum(map(check, range(start, start + count)), Counter())
    assert count < SLICE[1] or len(contradicted) >= CONTRADICTED


def check(seed: int) -> Counter[str]:
    """Plays a sequence; returns how often each rule was contradicted."""
    rnd = random.Random(seed)
    axiomatic = seed % 5 == 4
    kb = KnowledgeBase(axiomatic=axiomatic, **SETTINGS[seed % len(SETTINGS)])
    ontologist = Ontologist(rnd)
    stated: set[Fact] = set()
    removed: list[Fact] = []
    contradicted: Counter[str] = Counter()
    for step in range(STEPS):
        insert, delete = change(rnd, ontologist, stated, removed, first=step == 0)
        kb.update(insert=insert, delete=delete)
        stated = (stated - delete) | insert
        removed += sorted(delete)
        contradicted += compare(kb, stated, axiomatic, f"seed {seed}, step {step}")
    return contradicted


def change(
    rnd: random.Random, ontologist: Ontologist, stated: set[Fact], removed: list[Fact], first: bool
) -> tuple[set[Fact], set[Fact]]:
    """What to insert and to delete: axioms, facts and what was there before; single triples."""
    axioms, facts = (rnd.randint(5, 9), rnd.randint(5, 9)) if first else (rnd.randint(0, 2),) * 2
    insert = set().union(*(ontologist.axiom() for _ in range(axioms)))
    insert = insert.union(*(ontologist.fact() for _ in range(facts)))
    insert |= ontologist.ill_typed() if rnd.random() < 0.2 else set()
    insert |= set(rnd.sample(removed, min(len(removed), rnd.randint(0, 3))))
    delete = set(rnd.sample(sorted(stated), min(len(stated), rnd.randint(0, 4))))
    return insert, delete - insert


def compare(kb: KnowledgeBase, stated: set[Fact], axiomatic: bool, place: str) -> Counter[str]:
    triples, contradicted = w3c_tables.closure(stated, axiomatic=axiomatic)
    expected = {t for t in triples if w3c_tables.is_shown(t, axiomatic=axiomatic)} | stated
    decode = kb.dictionary.decode_many
    found = {tuple(t.decode() for t in decode(fact)) for fact in kb.reader().closure.match()}
    found = {t for t in found if t[0][0] != '"'}
    if not axiomatic:
        expected, found = by_value(expected), by_value(found)
    missing, extra = sorted(expected - found), sorted(found - expected)
    assert not missing and not extra, f"{place}: {missing=}, {extra=}"
    clashes = {violation.rule for violation in kb.violations()}
    ours = clashes
    theirs = {name for names in contradicted for name in names.split()}
    assert ours == theirs, f"{place}: {ours=}, {theirs=}"
    kb._check()
    return Counter(clashes)


def by_value(triples: set[Fact]) -> set[Fact]:
    """Triples with one way to write each value."""
    write = w3c_tables.as_value
    return {(write(s), p, write(o)) for s, p, o in triples}


def test_the_tables_are_those_of_the_rule_file() -> None:
    ours = {name for names in w3c_tables.RULES for name in names.split()}
    assert ours == {rule.name for rule in profile_rules("owl2rl")} - {"dt-diff"}
