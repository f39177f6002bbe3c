"""Plans have the same matches whether or not it is noted which relations a term has."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from laws.names import TYPE, Fact, ex
from rdfinc import KnowledgeBase
from rdfinc.datalog.compile.planning import Match, Plan
from rdfinc.reasoning.evaluation.plan_codegen import led_by
from rdfinc.reasoning.evaluation.related import Related
from rdfinc.reasoning.evaluation.run import run
from rdfinc.reasoning.evaluation.states import Hiding, State
from rdfinc.reasoning.program.plan_memory import Still
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import FactSet, batch_of, triples
from rdfinc.tables.table import Keys
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

RULES = """[?x, a, ?c] :- [?p, :domain, ?c], [?x, ?p, ?y] .
    [?y, a, ?c] :- [?p, :range, ?c], [?x, ?p, ?y] .
    [?x, ?p, ?y] :- [?q, :below, ?p], [?x, ?q, ?y] .
    [?y, ?p, ?x] :- [?q, :inverse, ?p], [?x, ?q, ?y] .
    [?x, a, ?c] :- [?p, :local, ?c], [?x, ?p, ?x] .
    [?x, :twice, ?c] :- [?p, :domain, ?c], [?x, ?p, ?y], [?y, ?p, ?z] .
    [?p, :used, ?x] :- [?p, :domain, ?c], [?x, ?p, ?y], NOT [?x, :own, ?p] .
    [?x, :meant, ?c] :- [?x, :said, ?c], [?p, :domain, ?c], [?x, ?p, ?y] .
    [?p, :of, ?z] :- [?z, :like, ?x], [?x, ?p, ?y] .
    [?p, :to, ?z] :- [?z, :like, ?y], [?x, ?p, ?y] .
    [?p, :about, ?z] :- [?z, :like, ?y], [?p, ?p, ?x] ."""
NAMES, CLASSES = [ex(f"i{i}") for i in range(9)], [ex("C"), ex("D")]
PROPERTIES = [ex(f"p{i}") for i in range(24)]
Matches = set[tuple[int, ...]]
Asked = tuple[Plan, int, Keys]


def schema(rnd: random.Random) -> Iterator[Fact]:
    """Many properties of each class; few properties are below others."""
    for p in PROPERTIES:
        yield from ((p, ex(name), rnd.choice(CLASSES)) for name in ("domain", "range", "local"))
    for name in ("below", "inverse"):
        yield rnd.choice(PROPERTIES), ex(name), rnd.choice(PROPERTIES)


def data(rnd: random.Random) -> Iterator[Fact]:
    for _ in range(20):
        yield rnd.choice(NAMES), rnd.choice(PROPERTIES), rnd.choice(NAMES)
        yield rnd.choice(NAMES), rnd.choice((TYPE, ex("said"))), rnd.choice(CLASSES)
    yield rnd.choice(NAMES), ex("own"), (p := rnd.choice(PROPERTIES))
    yield p, p, rnd.choice(NAMES)
    yield from ((rnd.choice(NAMES), ex("like"), rnd.choice(NAMES)) for _ in range(3))


def plans(kb: KnowledgeBase, facts: State) -> Iterator[Asked]:
    """The plans of all strata that some facts drive, and those that derive some facts."""
    for stratum in kb._engine.prepared_strata().list:
        for predicate, keys in facts.batch().items():
            driven = stratum.derivers(predicate, keys, Still(facts))
            driven += stratum.drivers.readers({predicate: keys}, Still(facts))
            yield from ((plan, p, some) for found, p, some in driven for plan in found)


def leads(asked: Asked) -> bool:
    """Whether a step may match any relation, or finds that of the next one, of which an end is
    known."""
    steps = asked[0].steps
    found = [(i, step) for i, step in enumerate(steps) if isinstance(step, Match)]
    return any(not step.p or led_by(steps, i, step.at.s) for i, step in found)


def matches(plan: Plan, predicate: int, keys: Keys, state: State) -> Matches:
    at = plan.head.s, plan.head.p, plan.head.o
    blocks = run(plan, predicate, keys, (state, state))
    return {row for block in blocks for row in block.values(at)}


def by_rows(plan: Plan, predicate: int, keys: Keys, state: State) -> Matches:
    """The matches fact by fact, for which nothing is done to many relations at once."""
    with pytest.MonkeyPatch.context() as patch:
        put(patch, TABLES, narrow_batch=10**9)
        return matches(plan, predicate, np.asarray(keys, np.uint64).tolist(), state)


def some_of(keys: Keys, rnd: random.Random) -> list[Keys]:
    """All keys, and some one by one."""
    every = np.asarray(keys, np.uint64).tolist()
    return [keys, *([key] for key in rnd.sample(every, min(len(every), 12)))]


def compared(kb: KnowledgeBase, rnd: random.Random) -> int:
    """How many times there were matches, which were the same."""
    held = kb._engine.version.held
    every, found = list(triples(held.batch())), 0
    changing = rnd.sample(sorted({predicate for _, predicate, _ in every}), 5)
    changed = [fact for fact in every if rnd.random() < 0.8 and fact[1] in changing]
    gone, base = FactSet.of(batch_of(changed[::2])), held.fork()
    new = FactSet.of(base.discard(batch_of(changed[1::2])))
    related, hidden = Related(base, (new.tables, ())), batch_of(every[::7])
    assert related.ask(10**6)
    without = Hiding(State(base.tables, (gone,), new), hidden)
    noted = Hiding(State(base.tables, (gone,), new, related=related), hidden)
    for plan, predicate, keys in filter(leads, plans(kb, State(held.tables))):
        for some in some_of(keys, rnd):
            whole = by_rows(plan, predicate, some, without)
            assert matches(plan, predicate, some, noted) == whole
            found += bool(whole)
    return found


@pytest.mark.parametrize("scattered", [0, 10**9])
@pytest.mark.parametrize("narrow", [0, 2, 10**9])
@pytest.mark.parametrize(("interpreted", "long"), [(0, 100), (10**9, 0)])
def test_matches_are_those_in_all_relations(
    scattered: int, narrow: int, interpreted: int, long: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, narrow_batch=narrow, look_up_pairs=10**6)
    put(monkeypatch, REASONING, few_relations=8, scattered_rows=scattered)
    put(monkeypatch, REASONING, interpreted_searches=interpreted, long_plan=long)
    rnd, found = random.Random(narrow + interpreted), 0
    for _ in range(3):
        kb = KnowledgeBase(profile="none", storage="plain")
        kb.add_rules(f"@prefix : <http://example.org/> . {RULES}")
        kb.update(insert=[*schema(rnd), *data(rnd)])
        found += compared(kb, rnd)
    assert found > 50
