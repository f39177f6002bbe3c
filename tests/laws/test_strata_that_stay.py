"""Strata stay through changes of the schema only where strata made anew would be the same."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from laws.names import TYPE, Fact
from laws.random_owl import Ontologist
from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.updates.stratifier import Basis, Stratifier
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.facts import FactSet, joined


def compared(monkeypatch: pytest.MonkeyPatch) -> Counter[bool]:
    """Has strata that stay compared with those made with and without the facts that change; counts
    the answers."""
    asked, answers = Stratifier._may_change, Counter[bool]()

    def may_change(self: Stratifier, strata: Strata, basis: Basis) -> bool:
        found = asked(self, strata, basis)
        if self._stays:
            compiled, wanted = self._rules.compiled, self._wanted(basis)
            changed = FactSet.of(joined(basis.deleted, basis.inserted))
            kept = basis.version.modules
            one, other = (
                compiled.copy().strata(facts, wanted, kept, wanted)
                for facts in (
                    basis.facts(compiled.schema),
                    State(basis.before.tables, (changed,)),
                )
            )
            assert one.levels == other.levels and one.modules == other.modules
            assert one.equality == other.equality
        answers[self._stays] += any(map(strata.watches, (basis.deleted, basis.inserted)))
        return found

    monkeypatch.setattr(Stratifier, "_may_change", may_change)
    return answers


def check_strata(seed: int) -> None:
    """Axioms are taken apart and put together again, others come."""
    rnd = random.Random(seed)
    kb, ontologist = KnowledgeBase(storage=rnd.choice(("auto", "compact"))), Ontologist(rnd)
    stated: set[Fact] = set()
    for _ in range(rnd.randrange(3, 9)):
        stated |= ontologist.axiom() if rnd.random() < 0.8 else ontologist.fact()
    kb.update(insert=sorted(stated))
    for _ in range(15):
        gone = rnd.sample(sorted(stated), min(len(stated), rnd.choice((1, 1, 2))))
        new = ontologist.axiom() if rnd.random() < 0.2 else frozenset[Fact]()
        kb.update(delete=gone, insert=new)
        stated = (stated - set(gone)) | new
        if rnd.random() < 0.8:
            kb.update(insert=gone)
            stated |= set(gone)
    fresh = KnowledgeBase()
    fresh.update(insert=sorted(stated))
    assert set(kb) == set(fresh), seed


def test_strata_that_stay_are_those_made_anew(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = compared(monkeypatch)
    start, count = pytestconfig.getoption("--long") or (0, 8)
    for seed in range(start, start + count):
        check_strata(seed)
    assert answers[True] and answers[False]


def test_a_module_comes_and_goes_though_nothing_ordered_depends_on_it() -> None:
    kb = KnowledgeBase(storage="compact")
    transitive = [(f"<x:{p}>", TYPE, f"<{OWL}TransitiveProperty>") for p in "pq"]
    kb.update(insert=[transitive[0], ("<x:a>", "<x:p>", "<x:b>"), ("<x:a>", "<x:q>", "<x:b>")])

    def modules() -> int:
        return len(kb._engine.strata().modules.all)

    assert modules() == 1
    kb.update(insert=transitive[1:])
    assert modules() == 2
    kb.update(delete=transitive[1:])
    assert modules() == 1
