"""Equal and ill-typed literals come and go with the triples that hold them, few or many at once."""

from __future__ import annotations

import pickle

import pytest

from rdfinc import KnowledgeBase, ViolationError
from rdfinc.knowledge_base import literals

XSD = "http://www.w3.org/2001/XMLSchema#"
P = "<urn:p>"


def integer(text: object, datatype: str = "integer") -> str:
    return f'"{text}"^^<{XSD}{datatype}>'


def derived(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    return {tuple(term.n3() for term in fact) for fact in kb.derived}


A = ("<urn:a>", P, integer(1))
B = ("<urn:b>", P, integer("01"))
BOTH = {("<urn:a>", P, integer("01")), ("<urn:b>", P, integer(1))}


def test_one_after_the_other_and_back():
    kb = KnowledgeBase()
    kb.update(insert=[A])
    assert derived(kb) == set()
    assert len(kb.update(insert=[B]).added) == 3
    assert derived(kb) == BOTH
    assert len(kb.update(delete=[A]).removed) == 3
    assert derived(kb) == set()
    kb.update(insert=[A])
    assert derived(kb) == BOTH
    kb._check()


def test_a_literal_stays_while_another_triple_holds_it():
    kb = KnowledgeBase()
    other = ("<urn:c>", "<urn:q>", integer("01"), "<urn:g>")
    kb.update(insert=[A, B, other])
    kb.update(delete=[B])
    assert derived(kb) == {("<urn:a>", P, integer("01")), ("<urn:c>", "<urn:q>", integer(1))}
    kb.update(delete=[other])
    assert derived(kb) == set()


def test_the_numbers_of_cardinalities_do_not_count():
    kb = KnowledgeBase()
    cardinality = "<http://www.w3.org/2002/07/owl#maxCardinality>"
    kb.update(insert=[A, ("<urn:C>", cardinality, integer(1, "nonNegativeInteger"))])
    assert derived(kb) == set()


@pytest.mark.parametrize("many", [1, 10**9])
def test_many_at_once(monkeypatch, many):
    """By going through the triples, and by asking for one literal after another."""
    monkeypatch.setattr(literals, "MANY", many)
    kb = KnowledgeBase()
    kb.update(insert=[(f"<urn:a{i}>", P, integer(i)) for i in range(200)])
    kb.update(delete=[(f"<urn:a{i}>", P, integer(i)) for i in range(0, 200, 2)])
    kb.update(insert=[(f"<urn:b{i}>", P, integer(f"0{i}")) for i in range(200)])
    alike = range(1, 200, 2)
    expected = {(f"<urn:a{i}>", P, integer(f"0{i}")) for i in alike}
    assert derived(kb) == expected | {(f"<urn:b{i}>", P, integer(i)) for i in alike}
    kb.update(delete=[(f"<urn:b{i}>", P, integer(f"0{i}")) for i in range(200)])
    assert derived(kb) == set()
    kb._check()


def copies():
    return [KnowledgeBase.copy, lambda kb: pickle.loads(pickle.dumps(kb))]


@pytest.mark.parametrize("copy", copies())
def test_copies_go_on(copy):
    kb = KnowledgeBase()
    kb.update(insert=[A])
    twin = copy(kb)
    twin.update(insert=[B])
    assert derived(twin) == BOTH and derived(kb) == set()
    kb.update(insert=[B], delete=[A])
    assert derived(kb) == set()


def test_what_a_refused_update_brought_is_looked_at_again():
    kb = KnowledgeBase(on_violation="raise")
    kb.update(insert=[A])
    with pytest.raises(ViolationError, match="dt-not-type"):
        kb.update(insert=[B, ("<urn:c>", P, integer("x"))])
    assert derived(kb) == set()
    kb.update(insert=[B])
    assert derived(kb) == BOTH


def test_ill_typed_literals_are_reported_where_they_stand():
    kb = KnowledgeBase()
    wrong = ("<urn:a>", P, integer("x"))
    kb.update(insert=[wrong, A])
    (violation,) = kb.violations()
    assert violation.rule == "dt-not-type"
    assert [tuple(t.n3() for t in fact) for fact in violation.facts] == [wrong]
    kb.update(delete=[wrong])
    assert kb.violations() == []


def test_other_profiles_know_no_values():
    for profile in ("none", "rdfs"):
        kb = KnowledgeBase(profile=profile)
        kb.update(insert=[A, B, ("<urn:c>", P, integer("x"))])
        assert derived(kb) == set() and kb.violations() == []
