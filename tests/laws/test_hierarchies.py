"""Hierarchies with many steps: what is closed at once is what rounds derive.

Random classes and properties with cycles, equivalents, transitive and inverse properties, changed
by few and by many statements. After each step the knowledge base is compared with one that derives
the same anew, by rounds alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from laws.names import TYPE, Fact, ex, owl, rdfs
from rdfinc import KnowledgeBase
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

SUB_CLASS, SUB_PROPERTY = rdfs("subClassOf"), rdfs("subPropertyOf")


BELOW = ex("below")
RULE = f"[?x, a, ?d] :- [?x, a, ?c], [?c, {BELOW}, ?d] ."
"""Copies along a hierarchy of which two steps make no third."""


def statements(draw: random.Random, size: int) -> Iterator[Fact]:
    """Some axioms and facts: steps of two hierarchies, one in two to a neighbour, and others."""
    for _ in range(size):
        name = draw.choice("cp")
        one = draw.randrange(24)
        other = draw.choice((one + 1, one + 2, draw.randrange(24)))
        c, d, p, q = (ex(f"{kind}{n}") for kind in "cp" for n in (one, other))
        x, y = (ex(f"i{draw.randrange(5)}") for _ in "xy")
        kind = draw.random()
        if kind < 0.6:
            yield (c, SUB_CLASS, d) if name == "c" else (p, SUB_PROPERTY, q)
        elif kind < 0.65:
            yield (c, owl("equivalentClass"), d) if name == "c" else (p, owl("inverseOf"), q)
        elif kind < 0.67:
            yield (c, BELOW, d)
        elif kind < 0.69:
            yield (p, TYPE, owl("TransitiveProperty"))
        elif kind < 0.72:
            special = draw.choice((SUB_CLASS, TYPE, owl("sameAs")))
            yield draw.choice(((p, SUB_PROPERTY, special), (TYPE, SUB_PROPERTY, q)))
        else:
            yield (x, TYPE, c) if name == "c" else (x, p, y)


def anew(stated: set[Fact]) -> set[Fact]:
    """The facts of some statements, by rounds alone."""
    with pytest.MonkeyPatch.context() as patch:
        put(patch, REASONING, closed_one_by_one=0, closed_share=2.0, hierarchy_pairs=1 << 40)
        kb = KnowledgeBase()
        kb.add_rules(RULE)
        kb.update(insert=sorted(stated))
        return set(kb.triples())


def check(seed: int) -> None:
    draw = random.Random(seed)
    storage, strategy = draw.choice(("auto", "compact")), draw.choice(("bf", "dred", "auto"))
    kb = KnowledgeBase(storage=storage, maintenance=strategy)
    kb.add_rules(RULE)
    stated: set[Fact] = set()
    for step in range(6):
        size = draw.choice((1, 1, 3, 12, 60))
        insert = set(statements(draw, size))
        delete = set(draw.sample(sorted(stated), min(len(stated), draw.choice((0, 1, 8))))) - insert
        with at_once(draw):
            kb.update(insert=sorted(insert), delete=sorted(delete))
        stated = (stated - delete) | insert
        assert set(kb.triples()) == anew(stated), f"seed {seed}, step {step}"


@contextmanager
def at_once(draw: random.Random) -> Iterator[None]:
    """Much is closed at once, and what is not varies."""
    with pytest.MonkeyPatch.context() as patch:
        few, share = draw.choice((1, 8)), draw.choice((0.1, 0.3, 0.5))
        put(patch, REASONING, closed_ends=draw.choice((1, 3)), closed_one_by_one=few)
        put(patch, REASONING, closed_share=share, closed_facts=1, hierarchy_pairs=1)
        put(patch, TABLES, narrow_batch=4)
        yield


def test_hierarchies_closed_at_once_are_those_closed_by_rounds(
    request: pytest.FixtureRequest,
) -> None:
    first, count = request.config.getoption("--long") or (0, 5)
    for seed in range(first, first + count):
        check(seed)


def chained(steps: int) -> list[Fact]:
    """A hierarchy of classes and one of properties, each of so many steps."""
    names = ((ex(f"{kind}{n}"), ex(f"{kind}{n + 1}"), kind) for n in range(steps) for kind in "cp")
    return [(low, SUB_CLASS if kind == "c" else SUB_PROPERTY, high) for low, high, kind in names]


@pytest.mark.parametrize("fact", [(ex("i"), TYPE, ex("c0")), (ex("i"), ex("p0"), ex("j"))])
def test_what_one_fact_copies_is_copied_no_further(fact: Fact) -> None:
    """A round of few facts may have many copies."""
    kb, steps = KnowledgeBase(), 150
    kb.update(insert=chained(steps))
    delta = kb.update(insert=[fact])
    assert len(delta.added) == steps + 1
    assert delta.report.counters["insertions"] <= 3 * steps


LOOPS = [["r"], ["q", "r"], ["q", "r", "t"]]


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("loop", LOOPS)
def test_new_facts_on_a_cycle_are_no_copies_of_each_other(
    loop: list[str], small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cycle comes in a round of few facts, and those of its members in the next, by another
    rule than that of the hierarchy."""
    members = [(ex(f"x{n}"), ex("m"), ex(f"y{n}")) for n in range(10 if small else 200)]
    beside = [(ex(f"h{n}"), SUB_PROPERTY, ex(f"g{n}")) for n in range(0 if small else 4200)]
    above = [(ex(each), SUB_PROPERTY, ex("s")) for each in loop]
    cycle = list(zip(loop, [*loop[1:], loop[0]], strict=True))
    steps = [(ex(low), SUB_PROPERTY, ex(high)) for low, high in cycle]
    inverse = [(ex("m"), owl("inverseOf"), ex(each)) for each in loop]
    if small:
        put(monkeypatch, REASONING, hierarchy_pairs=1)
        put(monkeypatch, TABLES, narrow_batch=8)
    kb, anew = KnowledgeBase(), KnowledgeBase()
    kb.update(insert=[*members, *beside, *above])
    kb.update(insert=[*steps, *inverse])
    anew.update(insert=[*members, *beside, *above, *steps, *inverse])
    assert set(kb.triples()) == set(anew.triples())
    assert (members[0][2], ex("s"), members[0][0]) in kb
