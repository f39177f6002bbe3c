"""Plans are looked for by the parameter tables that a term is in, whatever comes and goes."""

from __future__ import annotations

import pytest

from laws.names import RDFS, TYPE, Fact, ex
from rdfinc import KnowledgeBase, ViolationError
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

BELOW, DOMAIN = f"<{RDFS}subPropertyOf>", f"<{RDFS}domain>"
A, B, C, P, Q, R = map(ex, "ABCpqr")


@pytest.fixture(autouse=True)
def noted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, look_up_pairs=10**6)
    put(monkeypatch, REASONING, rows_read_together=1)


def terms_are_noted(kb: KnowledgeBase) -> bool:
    plans = kb._engine._stratifier.in_use
    return plans is not None and plans.memory.terms._noted.are_noted


def same_as_anew(kb: KnowledgeBase) -> bool:
    fresh = KnowledgeBase(profile=kb.profile)
    fresh.update(insert=list(kb.explicit))
    return set(fresh) == set(kb)


def based(*facts: Fact) -> KnowledgeBase:
    kb = KnowledgeBase(on_violation="raise")
    kb.update(insert=[(P, DOMAIN, A), (ex("x"), P, ex("y")), (ex("z"), TYPE, B), *facts])
    kb.update(insert=[(ex("z"), P, ex("y"))])
    assert terms_are_noted(kb)
    return kb


def test_a_row_that_comes_leads_to_its_plans() -> None:
    kb = based()
    kb.update(insert=[(ex("x"), Q, ex("y"))])
    kb.update(insert=[(Q, DOMAIN, B)])
    kb.update(insert=[(ex("w"), Q, ex("y"))])
    assert (ex("w"), TYPE, B) in kb and terms_are_noted(kb) and same_as_anew(kb)
    kb.update(delete=[(Q, DOMAIN, B)])
    assert (ex("w"), TYPE, B) not in kb and same_as_anew(kb)
    kb.update(insert=[(Q, DOMAIN, B)])
    assert (ex("w"), TYPE, B) in kb and same_as_anew(kb)


def test_a_table_that_becomes_a_closure_leads_to_its_plans() -> None:
    kb = based((P, BELOW, Q))
    for fact in ((Q, BELOW, R), (R, DOMAIN, C), (ex("w"), P, ex("y")), (R, BELOW, Q)):
        kb.update(insert=[fact])
        assert same_as_anew(kb)
    kb.update(delete=[(Q, BELOW, R)])
    assert same_as_anew(kb)


def test_copies_note_apart() -> None:
    kb = based()
    twin = kb.copy()
    kb.update(insert=[(Q, DOMAIN, B)])
    twin.update(insert=[(R, DOMAIN, C)])
    for one in (kb, twin):
        one.update(insert=[(ex("x"), Q, ex("y")), (ex("x"), R, ex("y"))])
        assert same_as_anew(one)
    assert (ex("x"), TYPE, C) not in kb and (ex("x"), TYPE, B) not in twin


def test_an_update_that_fails_changes_nothing() -> None:
    kb = based((A, f"<{OWL}disjointWith>", C))
    with pytest.raises(ViolationError):
        kb.update(insert=[(Q, DOMAIN, C), (ex("x"), Q, ex("y"))])
    kb.update(insert=[(ex("x"), Q, ex("y"))])
    assert (ex("x"), TYPE, C) not in kb and same_as_anew(kb)
    kb.update(insert=[(Q, DOMAIN, B)])
    assert (ex("x"), TYPE, B) in kb and same_as_anew(kb)


def test_the_value_of_a_group_may_be_a_row() -> None:
    kb = KnowledgeBase(profile="none")
    kb.add_rules(
        """@prefix : <http://example.org/> .
        [?p, :uses, ?n] :- AGGREGATE([?u, :use, ?p] ON ?p BIND COUNT(?u) AS ?n) .
        [?x, :said, ?y] :- [?p, :uses, 2], [?x, ?p, ?y] ."""
    )
    kb.update(insert=[(ex("u"), ex("use"), P), (ex("v"), ex("use"), P), (ex("x"), P, ex("y"))])
    kb.update(insert=[(ex("x"), Q, ex("y")), (ex("u"), ex("use"), Q)])
    assert (ex("x"), ex("said"), ex("y")) in kb
    kb.update(delete=[(ex("u"), ex("use"), P)])
    assert (ex("x"), ex("said"), ex("y")) not in kb
    kb.update(insert=[(ex("w"), ex("use"), Q)])
    kb.update(insert=[(ex("w"), Q, ex("y"))])
    assert (ex("w"), ex("said"), ex("y")) in kb and (ex("x"), ex("said"), ex("y")) in kb
