"""What a fact that is not there is said to lack: it does, and with it the fact would be there."""

from __future__ import annotations

import random

import pytest
from naive import assumes, by_predicate, ground, matching

from laws.checking import CLOSURES, CONFIGURATIONS, Configuration
from laws.names import Fact, ex
from laws.oracle import Expected
from laws.performing import perform
from laws.scenarios import Scenario, positive, scenario, scenario_of_closures
from rdfinc import KnowledgeBase
from rdfinc.datalog.model import Atom, Literal, NotExists, Var
from rdfinc.knowledge_base.explanations.why_not import NearInstance
from rdfinc.reasoning.reasoning_thresholds import REASONING

pytestmark = pytest.mark.xdist_group("explanations")  # they play the same scenarios


@pytest.mark.parametrize("seed", range(8))
def test_missing_facts_are_missing_and_would_do(seed: int) -> None:
    check_scenario(scenario(seed), CONFIGURATIONS[seed % len(CONFIGURATIONS)])


@pytest.mark.parametrize("seed", range(6))
def test_missing_facts_of_closures_are_missing_and_would_do(seed: int) -> None:
    check_scenario(scenario_of_closures(seed), CLOSURES[seed % len(CLOSURES)])


def check_scenario(case: Scenario, configuration: Configuration) -> None:
    rnd = random.Random(case.seed)
    with configuration.in_force():
        kb = configuration.knowledge_base(case.profile)
        for number, (step, expected) in enumerate(zip(case.steps, case.expected, strict=True)):
            if number not in case.refused:
                perform(kb, step)
                excluded = by_head(expected)
                chosen = rnd.sample(sorted(excluded), min(2, len(excluded)))
                for fact in some_facts(expected, rnd).union(chosen):
                    check_why_not(kb, fact, expected)
                    check_excluded(kb, fact, excluded.get(fact, []))


def some_facts(expected: Expected, rnd: random.Random) -> set[Fact]:
    """Made of the terms of facts that are there; most of them are not."""
    shown = sorted(expected.shown)
    pairs = [(rnd.choice(shown), rnd.choice(shown)) for _ in range(5 if shown else 0)]
    return {(one[0], other[1], other[2]) for one, other in pairs if not one[0].startswith('"')}


def by_head(expected: Expected) -> dict[Fact, list[list[Fact]]]:
    """For facts that are not there and would follow if nothing were negated, by instance of a rule:
    the facts that it excludes and that are there."""
    facts = by_predicate(expected.closure)
    found: dict[Fact, list[list[Fact]]] = {}
    for rule in expected.rules:
        excluded = [literal.atom for literal in rule.literals() if not literal.positive]
        if rule.head and excluded and not any(isinstance(each, NotExists) for each in rule.body):
            for i in matching(positive(rule).body, facts, facts):
                head = ground(rule.head, i)
                if head not in expected.closure and head[0][0] != '"' and head[1][0] == "<":
                    there = [ground(atom, i) for atom in excluded]
                    there = [fact for fact in there if fact in expected.closure]
                    found.setdefault(head, []).append(there)
    return found


def check_excluded(kb: KnowledgeBase, fact: Fact, instances: list[list[Fact]]) -> None:
    """Instances that lack nothing but the absence of some facts are among the nearest; where not
    so many are told that some may be left out, all those that exclude one fact are."""
    told = kb.why_not(fact).instances if instances else ()
    gaps = [len((*each.missing, *each.denied, *each.failing)) for each in told]
    assert not instances or min(gaps, default=99) <= min(map(len, instances)), fact
    if len(told) < REASONING.nearest_of_rule:
        found = [list(map(texts, each.denied)) for each in told if not each.missing]
        assert all(each in found for each in instances if len(each) == 1), fact


def check_why_not(kb: KnowledgeBase, fact: Fact, expected: Expected) -> None:
    told = kb.why_not(fact)
    assert (told.proof is not None) == (fact in expected.closure) and str(told)
    assert not (told.proof and told.instances)
    gaps = [len((*each.missing, *each.denied, *each.failing)) for each in told.instances]
    assert gaps == sorted(gaps) and 0 not in gaps
    for each in told.instances:
        check_instance(each, expected)
    if told.instances:
        check_that_it_would_do(kb, fact, told.instances[-1], expected)


def check_instance(near: NearInstance, expected: Expected) -> None:
    assert {texts(each) for each in (*near.present, *near.denied)} <= expected.closure
    facts = by_predicate(expected.closure)
    missing = [Literal(Atom(*texts(each))) for each in near.missing]
    assert not missing or not any(True for _ in matching(missing, facts, facts)), near


def check_that_it_would_do(
    kb: KnowledgeBase, fact: Fact, near: NearInstance, expected: Expected
) -> None:
    """Where nothing is assumed: once the missing facts are stated, the fact follows."""
    would_do = not (near.denied or near.failing or any(map(assumes, expected.rules)))
    missing = list(map(filled, near.missing))
    if would_do and not any(s.startswith('"') or not p.startswith("<") for s, p, _ in missing):
        more = kb.copy()
        more.update(insert=missing)
        found = more._find(fact)
        assert more._engine.version.closure.has(*found) or has_conditions(near), (fact, near)


def has_conditions(near: NearInstance) -> bool:
    """Whether values that were made up for variables may not do."""
    variables = any(isinstance(term, Var) for each in near.missing for term in each)
    return variables and any(word in near.rule for word in ("FILTER", "BIND"))


def texts(fact) -> tuple:
    return tuple(term if isinstance(term, Var) else term.n3() for term in fact)


def filled(fact) -> Fact:
    """A fact with an individual of its own for every variable."""
    s, p, o = (ex(f"new-{t.name}") if isinstance(t, Var) else t for t in texts(fact))
    return s, p, o
