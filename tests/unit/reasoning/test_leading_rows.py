"""A plan after its leading rows, or among them, has the matches of the whole plan."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from laws.names import FIRST, NIL, RDFS, REST, TYPE, Fact, ex
from rdfinc import KnowledgeBase
from rdfinc.datalog.compile.planning import Plan
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.evaluation.run import run
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.leading_rows import LeadingSteps
from rdfinc.reasoning.program.plan_index import PlanIndex
from rdfinc.reasoning.program.plan_memory import Relation, Still
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, FactSet
from thresholds import put

Heads = set[tuple[int, ...]]
CLASSES, PROPERTIES = [ex(f"C{i}") for i in range(5)], [ex(f"p{i}") for i in range(3)]


def axioms(rnd: random.Random, number: int) -> Iterator[Fact]:
    """One or more triples of an axiom about some classes and properties."""
    c, d, p, q = rnd.choice(CLASSES), rnd.choice(CLASSES), *rnd.sample(PROPERTIES, 2)
    node, cell, last = (f"_:{name}{number}" for name in ("node", "cell", "last"))
    kind = rnd.choice(("below", "property", "domain", "some", "value", "and", "and"))
    if kind == "below":
        yield c, f"<{RDFS}subClassOf>", d
    elif kind == "property":
        yield p, f"<{RDFS}subPropertyOf>", q
    elif kind == "domain":
        yield p, f"<{RDFS}domain>", d
    elif kind == "and":
        yield c, f"<{OWL}intersectionOf>", cell
        yield from ((cell, FIRST, d), (cell, REST, last))
        yield from ((last, FIRST, rnd.choice(CLASSES)), (last, REST, NIL))
    else:
        yield from ((c, f"<{RDFS}subClassOf>", node), (node, f"<{OWL}onProperty>", p))
        yield node, f"<{OWL}{kind}ValuesFrom>" if kind == "some" else f"<{OWL}hasValue>", d


def facts_of(rnd: random.Random) -> list[Fact]:
    names = [ex(f"i{i}") for i in range(4)]
    typed = [(rnd.choice(names), TYPE, rnd.choice(CLASSES)) for _ in range(6)]
    return [
        *typed,
        *(tuple(rnd.choice(some) for some in (names, PROPERTIES, names)) for _ in range(6)),
    ]


def heads(plan: Plan, predicate: int, keys: list[int], state: State) -> Heads:
    at = plan.head.s, plan.head.p, plan.head.o
    blocks = run(plan, predicate, keys, (state, state))
    return {row for block in blocks for row in block.values(at)}


def relations(facts: State, type_: int) -> Iterator[tuple[Relation, list[int]]]:
    """All relations with their facts, classes one by one."""
    for predicate in facts.predicates():
        keys = facts.table(predicate).scan().tolist()
        classes = {key & 0xFFFFFFFF for key in keys} if predicate == type_ else {None}
        for class_ in classes:
            some = [key for key in keys if class_ in (None, key & 0xFFFFFFFF)]
            yield (predicate, class_), some


def some_of(facts: State, rnd: random.Random) -> FactSet:
    gone: Batch = {}
    for predicate in facts.predicates():
        gone[predicate] = [k for k in facts.table(predicate).scan().tolist() if rnd.random() < 0.3]
    return FactSet.of({p: keys for p, keys in gone.items() if keys})


def leading_plans(
    index: PlanIndex, relation: Relation, facts: State
) -> Iterator[tuple[Plan, tuple[int, ...], dict[int, int]]]:
    """The plans that a relation drives, with their leading steps and known values."""
    predicate, class_ = relation
    for place in index._candidates(relation, Still(facts)):
        plan = index._all[place]
        steps = index._leading(plan, class_ is not None)
        if steps and index._is_driven(plan, relation):
            known = {} if class_ is None else {plan.driver.o: class_}
            yield plan, steps, {plan.driver.p: predicate, **known}


@pytest.mark.parametrize("interpreted", [0, 10**9])
def test_plans_after_rows_and_among_them_have_all_matches(
    interpreted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, REASONING, interpreted_searches=interpreted)
    rnd, compared = random.Random(1), 0
    kb = KnowledgeBase(storage="plain")
    for number in range(14):
        kb.update(insert=list(axioms(rnd, number)))
    kb.update(insert=facts_of(rnd))
    cache, tables = kb._engine.prepared_strata(), kb._engine.version.held.tables
    facts = State(tables)
    assert all(each._derivers for each in cache.list)  # made when first asked for
    fewer = State(tables, (some_of(facts, rnd),))
    for relation, keys in relations(facts, cache.strata.type):
        for index in cache.memory.indexes:
            assert isinstance(index, PlanIndex)
            for plan, steps, known in leading_plans(index, relation, facts):
                first, count = plan.first(steps), len(steps)
                leading = LeadingSteps(first, count, known).rows(known.values(), facts)
                assert leading is not None
                among = first.among(count, tuple(leading.rows))
                after = first.after(count, tuple(leading.rows))
                for state in (facts, fewer):
                    whole = heads(plan, relation[0], keys, state)
                    assert heads(first, relation[0], keys, state) == whole
                    assert heads(among, relation[0], keys, state) == whole
                    compared += bool(whole)
                assert heads(after, relation[0], keys, facts) == heads(
                    plan, relation[0], keys, facts
                )
    assert compared > 100
