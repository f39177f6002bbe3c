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
from laws.names import NEW, TYPE, Fact
from laws.random_owl import Ontologist
from rdfinc import KnowledgeBase
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.profiles.profile_rules import profile_rules
from rdfinc.reasoning.reasoning_thresholds import REASONING
from thresholds import put

SLICE = 0, 14
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
    """Plays a sequence; returns how often each rule was contradicted. What counts as a long list,
    whether plans are written out at once, and whether what becomes equal is closed at once, is
    drawn too."""
    with pytest.MonkeyPatch.context() as patch:
        put(
            patch,
            LISTS,
            long_list=(0, 1, LISTS.long_list)[seed // 3 % 3],
            few_entries=(1, LISTS.few_entries)[seed // 2 % 2],
        )
        put(
            patch,
            REASONING,
            interpreted_searches=(0, REASONING.interpreted_searches)[seed // 9 % 2],
            equal_rounds=(1, REASONING.equal_rounds)[seed // 4 % 2],
            equal_share=0,
        )
        return _check(seed)


def _check(seed: int) -> Counter[str]:
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
    anew = KnowledgeBase(axiomatic=axiomatic)
    anew.update(insert=stated)
    assert set(kb.violations()) == set(anew.violations()), f"seed {seed}"
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
    if rnd.random() < 0.5:
        insert |= anew(delete)
    return insert, delete - insert


def anew(delete: set[Fact]) -> set[Fact]:
    """What has the members that classes lose be members of a new class below these."""
    lost = [(s, class_) for s, p, class_ in sorted(delete) if p == TYPE]
    members, rows = ((s, TYPE, NEW) for s, _ in lost), ((NEW, w3c_tables.SUB, c) for _, c in lost)
    return {*members, *rows}


def compare(kb: KnowledgeBase, stated: set[Fact], axiomatic: bool, place: str) -> Counter[str]:
    less = set[Fact]() if axiomatic else w3c_tables.closure(stated, axiomatic=False)[0]
    triples, contradicted = w3c_tables.closure(stated, less, axiomatic=True)
    decode = kb.dictionary.decode_many
    found = {tuple(t.decode() for t in decode(fact)) for fact in kb.reader().closure.match()}
    if axiomatic:
        compare_all(found, triples, place)
    else:
        compare_shown(found, stated, less, triples, place)
    ours = {violation.rule for violation in kb.violations()}
    theirs = {name for names in contradicted for name in names.split()}
    if not axiomatic and speaks_of_types(stated):
        theirs &= ours | {name for name in theirs if name != "cls-nothing2"}
    told = ours <= theirs if not axiomatic and turns_types(stated, triples) else ours == theirs
    assert told, f"{place}: {ours=}, {theirs=}"
    kb._check()
    return Counter(violation.rule for violation in kb.violations())


def compare_all(found: set[Fact], triples: set[Fact], place: str) -> None:
    """Where a knowledge base is axiomatic it shows all triples; those about literals are not
    compared."""
    expected = {t for t in triples if t[0][0] != '"' and t[1][0] == "<"}
    same({t for t in found if t[0][0] != '"'}, expected, place)


def compare_shown(
    found: set[Fact], stated: set[Fact], less: set[Fact], triples: set[Fact], place: str
) -> None:
    """Where it is not, a knowledge base shows what follows without the axiomatic rules; beside that
    only what follows with them, and of this everything but the axiomatic facts; a literal may be
    written in any way that gives its value."""
    found, shown = (
        by_value(found),
        by_value({t for t in triples if w3c_tables.is_shown(t)} | stated),
    )
    lost = by_value({t for t in less if w3c_tables.is_shown(t)} | stated) - found
    assert not lost, f"{place}: {sorted(lost)=}"
    is_said = w3c_tables.is_said
    if speaks_of_types(stated):

        def is_said(triple: Fact) -> bool:
            return w3c_tables.is_said(triple) and not w3c_tables.is_about_built_in(triple)

    if not turns_types(stated, triples):
        same(set(filter(is_said, found)), set(filter(is_said, shown)), place)
    assert found <= shown, f"{place}: {sorted(found - shown)=}"


def same(found: set[Fact], expected: set[Fact], place: str) -> None:
    missing, extra = sorted(expected - found), sorted(found - expected)
    assert not missing and not extra, f"{place}: {missing=}, {extra=}"


def speaks_of_types(stated: set[Fact]) -> bool:
    """Whether something is said of rdf:type, and so of what axiomatic triples say: it is not drawn
    from these, unless they are shown."""
    return any(TYPE in (s, o) for s, _, o in stated)


def turns_types(stated: set[Fact], triples: set[Fact]) -> bool:
    """Whether what is drawn from axiomatic triples may be about any term: rdf:type has an inverse,
    or what is said of it makes a term of these triples equal to another term."""
    inverse, built_in = w3c_tables.owl("inverseOf"), w3c_tables.BUILT_IN
    if any(p == inverse and TYPE in (s, o) for s, p, o in stated):
        return True
    equal = ((s, o) for s, p, o in triples if p == w3c_tables.SAME)
    return speaks_of_types(stated) and any((s in built_in) != (o in built_in) for s, o in equal)


def by_value(triples: set[Fact]) -> set[Fact]:
    """Triples with one way to write each value."""
    write = w3c_tables.as_value
    return {(write(s), p, write(o)) for s, p, o in triples}


def test_the_tables_are_those_of_the_rule_file() -> None:
    ours = {name for names in w3c_tables.RULES for name in names.split()}
    assert ours == {rule.name for rule in profile_rules("owl2rl")}
