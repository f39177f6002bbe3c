"""The axioms of rdf:_1, rdf:_2, … hold while they are in use, under RDFS."""

from __future__ import annotations

import pickle

import pytest

from rdfinc import KnowledgeBase, ViolationError
from rdfinc.datalog.syntax.rule_text import parse_rules

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
MEMBER, SUB, RESOURCE = (f"<{RDFS}{name}>" for name in ("member", "subPropertyOf", "Resource"))
TYPE, MEMBERSHIP = f"<{RDF}type>", f"<{RDFS}ContainerMembershipProperty>"


def nth(n: object) -> str:
    return f"<{RDF}_{n}>"


def holds(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    return {tuple(term.n3() for term in fact) for fact in kb.derived}


FIRST = ("<urn:b>", nth(1), "<urn:x>")
IN_VIEW = {(nth(1), SUB, MEMBER), ("<urn:b>", MEMBER, "<urn:x>")}


@pytest.fixture(params=["bf", "dred", "dred-counting", "fbf", "rematerialise"])
def kb(request):
    return KnowledgeBase("rdfs", maintenance=request.param)


def test_members_come_and_go_with_their_triples(kb):
    assert len(kb.update(insert=[FIRST]).added) == 3
    assert holds(kb) == IN_VIEW
    assert len(kb.update(delete=[FIRST]).removed) == 3
    assert len(kb) == 0
    kb.update(insert=[FIRST])
    assert holds(kb) == IN_VIEW
    kb._check()


@pytest.mark.parametrize(
    "mention",
    [
        (nth(1), "<urn:p>", "<urn:o>"),
        ("<urn:s>", nth(1), "<urn:o>"),
        ("<urn:s>", "<urn:p>", nth(1)),
        ("<urn:s>", "<urn:p>", nth(1), "<urn:g>"),
    ],
)
def test_any_mention_will_do(kb, mention):
    kb.update(insert=[FIRST, mention])
    kb.update(delete=[FIRST])
    assert (nth(1), SUB, MEMBER) in holds(kb)
    kb.update(insert=[FIRST], delete=[mention])
    assert holds(kb) == IN_VIEW
    kb.update(delete=[FIRST])
    assert len(kb) == 0
    kb._check()


def test_a_rule_of_the_user_is_a_mention(kb):
    kb.update(insert=[("<urn:b>", "<urn:p>", "<urn:x>")])
    (rule,) = parse_rules(f"[?x, {nth(3)}, ?y] :- [?x, <urn:p>, ?y] .")
    kb.add_rules([rule])
    assert ("<urn:b>", MEMBER, "<urn:x>") in holds(kb)
    kb.remove_rules([rule])
    assert holds(kb) == set()


@pytest.mark.parametrize("name", [nth(0), nth("01"), nth("1a"), nth("")])
def test_other_names_are_none(kb, name):
    kb.update(insert=[("<urn:b>", name, "<urn:x>")])
    assert holds(kb) == set()


def test_axiomatic_facts_are_read_and_not_shown(kb):
    kb.update(insert=[FIRST, (MEMBERSHIP, f"<{RDFS}subClassOf>", "<urn:K>")])
    kb.add_rules(parse_rules(f"[?x, <urn:is>, <urn:here>] :- [?x, {TYPE}, {MEMBERSHIP}] ."))
    more = {(nth(1), TYPE, "<urn:K>"), (nth(1), "<urn:is>", "<urn:here>")}
    assert holds(kb) == IN_VIEW | more
    kb.update(insert=[("<urn:p>", TYPE, "<urn:C>"), ("<urn:C>", f"<{RDFS}subClassOf>", MEMBERSHIP)])
    assert ("<urn:p>", TYPE, MEMBERSHIP) in holds(kb)
    kb.update(insert=[(nth(1), TYPE, MEMBERSHIP)])
    assert (nth(1), TYPE, MEMBERSHIP) in kb.explicit
    kb._check()


def test_an_axiomatic_one_shows_all():
    kb = KnowledgeBase("rdfs", axiomatic=True)
    kb.update(insert=[FIRST])
    axioms = {(nth(1), TYPE, MEMBERSHIP), (nth(1), TYPE, f"<{RDF}Property>")}
    axioms |= {(nth(1), f"<{RDFS}{end}>", RESOURCE) for end in ("domain", "range")}
    assert axioms | IN_VIEW <= holds(kb)
    kb.update(delete=[FIRST])
    assert not any(nth(1) in fact for fact in holds(kb))
    kb._check()


@pytest.mark.parametrize("profile", ["none", "owl2rl"])
def test_other_profiles_have_no_such_axioms(profile):
    kb = KnowledgeBase(profile)
    kb.update(insert=[FIRST])
    kb.add_rules(parse_rules(f"[?p, {TYPE}, {MEMBERSHIP}] :- [?x, ?p, <urn:x>] ."))
    assert holds(kb) == {(nth(1), TYPE, MEMBERSHIP)}


def test_many_at_once(kb):
    many = [("<urn:b>", nth(n), f"<urn:x{n}>") for n in range(1, 301)]
    kb.update(insert=many)
    assert len(holds(kb)) == 600
    kb.update(delete=many[1:])
    assert len(holds(kb)) == 2
    kb._check()


@pytest.mark.parametrize("copy", [KnowledgeBase.copy, lambda kb: pickle.loads(pickle.dumps(kb))])
def test_copies_go_on(kb, copy):
    kb.update(insert=[FIRST])
    twin = copy(kb)
    twin.update(delete=[FIRST], insert=[("<urn:b>", nth(2), "<urn:x>")])
    assert holds(twin) == {(nth(2), SUB, MEMBER), ("<urn:b>", MEMBER, "<urn:x>")}
    assert holds(kb) == IN_VIEW


def test_a_refused_update_is_no_use():
    kb = KnowledgeBase("rdfs", on_violation="raise")
    ill = ("<urn:a>", "<urn:p>", '"x"^^<http://www.w3.org/2001/XMLSchema#integer>')
    with pytest.raises(ViolationError, match="dt-not-type"):
        kb.update(insert=[FIRST, ill])
    kb.update(insert=[FIRST])
    kb.update(delete=[FIRST])
    assert len(kb) == 0
    kb._check()
