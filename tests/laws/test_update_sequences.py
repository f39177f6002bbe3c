"""Every configuration equals the naive oracle after every step of random update sequences."""

from __future__ import annotations

from collections import Counter

import pytest

from laws.oracle import Oracle
from laws.scenarios import GRAPHS, Scenario, Step, scenario
from rdfinc import KnowledgeBase
from rdfinc.tables import facts
from rdfinc.tables.hashed import Hashed
from rdfinc.tables.plain import Plain
from rdfinc.terms.dictionary import AUXILIARY

CONFIGURATIONS = [
    (narrow, table, maintenance)
    for narrow in (0, 10**9, facts.NARROW)
    for table in (Plain, Hashed)
    for maintenance in ("bf", "dred")
    if narrow != facts.NARROW or table is Plain
]
BATCH = 20


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "first_seed" in metafunc.fixturenames:
        start, count = metafunc.config.getoption("--long") or (0, 240)
        metafunc.parametrize("first_seed", range(start, start + count, BATCH))


def test_every_configuration_equals_the_oracle(
    first_seed: int, monkeypatch: pytest.MonkeyPatch, seen: Counter
) -> None:
    for seed in range(first_seed, first_seed + BATCH):
        check(scenario(seed), monkeypatch, seen)


def check(case: Scenario, monkeypatch: pytest.MonkeyPatch, seen: Counter) -> None:
    oracle = Oracle(case.profile)
    kbs = [
        (narrow, KnowledgeBase(profile=case.profile, maintenance=maintenance, table=table))
        for narrow, table, maintenance in CONFIGURATIONS
    ]
    for number, step in enumerate(case.steps):
        oracle.step(step)
        for narrow, kb in kbs:
            monkeypatch.setattr(facts, "NARROW", narrow)
            place = f"seed {case.seed} step {number} narrow {narrow} {kb.maintenance}"
            counters = perform(kb, step, oracle, place)
            compare(kb, oracle, place)
            if narrow and kb.maintenance == "bf" and kb._engine.version.make is Plain:
                note(seen, step, oracle, counters)


def perform(kb: KnowledgeBase, step: Step, oracle: Oracle, place: str) -> dict[str, int]:
    if not step.rules_added and not step.rules_removed:
        delta = kb.update(insert=step.insert, delete=step.delete)
        assert texts(delta.added) == oracle.added, place
        assert texts(delta.removed) == oracle.removed, place
        return delta.report.counters
    rules = [rule for rule in step.rules_removed if rule in kb.program.rules]
    kb.remove_rules(rules)
    kb.add_rules(step.rules_added)
    return kb.update(insert=step.insert, delete=step.delete).report.counters


def compare(kb: KnowledgeBase, oracle: Oracle, place: str) -> None:
    kb._check()
    assert raw(kb) == oracle.closure, place
    assert texts(kb) == oracle.shown, place
    assert len(kb) == len(oracle.shown), place
    assert texts(kb.explicit) == oracle.explicit, place
    assert texts(kb.derived) == oracle.shown - oracle.explicit, place
    assert len(kb.violations()) == oracle.clashes, place
    reader = kb.reader()
    for name in set(GRAPHS) - {None}:
        graph = kb.dictionary.find(name.encode())
        found = {decoded(kb, t) for t in reader.graph(graph or 0).match()}
        assert found == oracle.graph(name), place
    assert {decoded(kb, t) for t in reader.stated_in_default.match()} == oracle.graph(None), place


def raw(kb: KnowledgeBase) -> set[tuple[str, str, str]]:
    """The whole closure but for auxiliary facts, whatever users are shown of it."""
    found = facts.triples(kb._engine.version.closure.batch())
    visible = (t for t in found if kb.dictionary.kind(t[1]) != AUXILIARY)
    return {decoded(kb, t) for t in visible}


def decoded(kb: KnowledgeBase, triple: tuple[int, int, int]) -> tuple[str, ...]:
    return tuple(kb.dictionary.decode(id).decode() for id in triple)


def texts(triples) -> set[tuple[str, str, str]]:
    listed = [tuple(term.n3() for term in triple) for triple in triples]
    assert len(listed) == len(set(listed)) == len(triples)
    return set(listed)


def note(seen: Counter, step: Step, oracle: Oracle, counters: dict[str, int]) -> None:
    """How demanding the deletions were."""
    if counters["checked"] or counters["propagate"]:
        seen["deletions"] += 1
        seen["with facts kept by another proof"] += counters["kept"] > 0
        seen["recursive"] += counters["propagate"] > 1
        seen["changing an axiom"] += step.axioms
