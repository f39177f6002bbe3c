"""A closure that another evaluation tells of is taken over, and goes on as one derived here.

What is told is what a knowledge base in plain tables holds after some steps, without what others
keep back. `--long START:COUNT` runs other scenarios than the slice; a failure names its seed.
"""

from __future__ import annotations

import random

import pytest

from laws.checking import CLOSURES, Configuration, check_delta, check_unstratifiable, compare
from laws.names import TYPE
from laws.oracle import NOTHING
from laws.performing import perform
from laws.scenarios import (
    Scenario,
    scenario,
    scenario_of_closures,
    scenario_of_equality,
)
from rdfinc import KnowledgeBase
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.knowledge_base.versions.change import Change, Statements
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance import untold
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.facts import Batch, FactSet
from rdfinc.tables.plain_table import Plain

SLICE = 0, 8
APART = "<x:C>", "<http://www.w3.org/2002/07/owl#disjointWith>", "<x:D>"
KINDS = scenario, scenario_of_closures, scenario_of_equality


def stated(kb: KnowledgeBase) -> Statements:
    """The statements of a knowledge base by graph."""
    reader = kb.reader()
    return {
        graph: {p: view.keys(p, None, None) for p in view.predicates()}
        for graph, view in ((g, reader.stated(g)) for g in (0, *reader.graphs()))
    }


def told(kb: KnowledgeBase) -> Batch:
    """What follows, without contradictions and what others keep back."""
    version, compiled = kb._engine.version, kb._engine.rules.compiled
    explicit, derived = version.explicit, FactSet.of(version.held.batch())
    derived.remove(explicit.batch())
    relations = untold._KeptBack(State(explicit.tables), compiled).relations
    hidden = filter(compiled.signature.is_auxiliary, relations.intersection(derived.tables))
    kept = {p: derived.tables[p].all() for p in hidden}
    derived.remove(kept)
    derived.drop(kb._engine.violation)
    update = Update({}, State(explicit.tables), Plain, closed)
    update.added.add(explicit.batch())
    update.added.add(derived.batch())
    untold.add_untold(update, compiled)
    derived.add(update.added.missing(kept))
    return derived.batch()


def taken_over(kb: KnowledgeBase, configuration: Configuration) -> KnowledgeBase:
    """A knowledge base that takes over what another one in plain tables tells."""
    twin = KnowledgeBase(
        profile=kb.profile,
        storage=configuration.storage,
        maintenance=configuration.strategy,
        table=configuration.table,
        closed=configuration.closed,
        dictionary=kb.dictionary.copy(),
    )
    rules = {canonical(rule): rule for rule in kb.program}
    assert twin._engine.take_over(Change(insert=stated(kb), rules_added=rules), lambda: told(kb))
    return twin


def play(case: Scenario, configuration: Configuration) -> None:
    """Each state is taken over, and all later steps are made there."""
    chance, there = random.Random(case.seed), KnowledgeBase(profile=case.profile, storage="plain")
    here, before = None, NOTHING
    for number, (step, expected) in enumerate(zip(case.steps, case.expected, strict=True)):
        place = f"seed {case.seed}, step {number}, {configuration}"
        if number in case.refused:
            check_unstratifiable(there, step, before, place)
            continue
        perform(there, step)
        with configuration.in_force():
            if here is None or not chance.randrange(3):
                here = taken_over(there, configuration)
                compare(here, expected, f"{place}, taken over")
            else:
                check_delta(perform(here, step), expected, place)
                compare(here, expected, place)
            here._check()
        before = expected


def test_a_closure_that_is_told_goes_on(request: pytest.FixtureRequest) -> None:
    start, count = request.config.getoption("--long") or SLICE
    for seed in range(start, start + count):
        configuration = CLOSURES[seed % len(CLOSURES)]
        play(KINDS[seed % len(KINDS)](seed), configuration)


def test_contradictions_are_found_where_nobody_looked() -> None:
    there = KnowledgeBase(storage="plain")
    there.update(insert=[("<x:a>", TYPE, "<x:C>"), ("<x:a>", TYPE, "<x:D>"), APART])
    assert len(there.violations()) == 1
    here = taken_over(there, CLOSURES[0])
    assert [str(each) for each in here.violations()] == [str(each) for each in there.violations()]
    here.update(delete=[APART])
    assert here.is_consistent
