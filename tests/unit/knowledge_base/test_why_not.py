"""Why a fact is not there, in words."""

from __future__ import annotations

from typing import Any

import pytest

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.datalog.model import Var

RULES = """
@prefix : <http://e.org/> .
@rule adult .
:Adult[?who] :- :Person[?who], [?who, :age, ?years], FILTER(?years >= 18) .
@rule lonely .
:Lonely[?x] :- :Person[?x], NOT EXISTS ?y IN ([?x, :knows, ?y]) .
@rule stranger .
[?x, :strangerTo, ?y] :- :Person[?x], :Person[?y], NOT [?x, :knows, ?y] .
@rule popular .
:Popular[?x] :- AGGREGATE([?y, :knows, ?x] ON ?x BIND COUNT(?y) AS ?n), FILTER(?n > 2) .
@rule fan .
[?x, :fanOf, ?z] :- [?x, :likes, ?song], [?song, :by, ?z], :Song[?song] .
"""
FACTS = """
@prefix : <http://e.org/> .
:ann a :Person ; :age 7 ; :knows :bob . :bob a :Person .
:hit a :Song ; :by :max . :other a :Song . :bob :likes :other .
"""


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    kb = KnowledgeBase(profile="none")
    kb.bind("", "http://e.org/")
    kb.add_rules(RULES)
    kb.load(FACTS.encode(), format="turtle")
    return kb


def lines(kb: KnowledgeBase, fact: str) -> list[str]:
    s, p, o = (f"<http://e.org/{name}>" if name != "a" else rdf_type for name in fact.split())
    return [line.strip() for line in str(kb.why_not((s, p, o))).splitlines()]


rdf_type = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (
            "ann a Adult",
            [
                "by adult",
                ":ann rdf:type :Person   is there",
                ":ann :age 7   is there",
                "FILTER(?years >= 18)   does not hold for ?years = 7",
            ],
        ),
        (
            "bob a Adult",
            ["by adult", ":bob rdf:type :Person   is there", ":bob :age ?years   is missing"],
        ),
        (
            "ann a Lonely",
            [
                "by lonely",
                ":ann rdf:type :Person   is there",
                "NOT EXISTS does not hold: :ann :knows :bob   is there",
            ],
        ),
        (
            "ann strangerTo bob",
            [
                "by stranger",
                ":ann rdf:type :Person   is there",
                ":bob rdf:type :Person   is there",
                ":ann :knows :bob   must not be there",
            ],
        ),
        ("bob a Popular", ["by popular", "FILTER(?n > 2)   does not hold for ?n = 1"]),
        ("ann a Popular", ["by popular", "an AGGREGATE of the rule finds nothing"]),
        (
            "bob fanOf max",
            [
                "by fan",
                ":other rdf:type :Song   is there",
                ":bob :likes :other   is there",
                ":other :by :max   is missing",
                "by fan",
                ":hit rdf:type :Song   is there",
                ":hit :by :max   is there",
                ":bob :likes :hit   is missing",
            ],
        ),
        ("newcomer a Lonely", ["by lonely", ":newcomer rdf:type :Person   is missing"]),
    ],
)
def test_near_instances_are_told_as_text(kb: KnowledgeBase, fact: str, told: list[str]) -> None:
    first, *rest = lines(kb, fact)
    assert first.endswith("is not stated, and does not follow")
    assert sorted(rest) == sorted(told)


def test_near_instances_are_told_to_programs(kb: KnowledgeBase) -> None:
    (near,) = kb.why_not(("<http://e.org/bob>", rdf_type, "<http://e.org/Adult>")).instances
    ((s, _, o),) = near.missing
    assert (near.rule, str(s), o) == ("adult", "http://e.org/bob", Var("years"))
    assert len(near.present) == 1 and not near.denied and not near.failing


def test_a_fact_that_is_there(kb: KnowledgeBase) -> None:
    told = kb.why_not(("<http://e.org/bob>", rdf_type, "<http://e.org/Person>"))
    assert told.proof is not None and told.proof.explicit and not told.instances
    assert "is there" in str(told)


def test_nothing_derives_it(kb: KnowledgeBase) -> None:
    assert lines(kb, "ann unheard bob") == [
        ":ann :unheard :bob   is not stated, and does not follow: no rule comes near to it"
    ]
    with pytest.raises(rdfinc.TermError):
        kb.why_not(("no term", "<http://e.org/p>", "<http://e.org/o>"))


def test_class_expressions_without_name_are_looked_into() -> None:
    kb = KnowledgeBase()
    kb.load(
        b"""@prefix : <http://e.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        :Mother owl:equivalentClass [ owl:intersectionOf ( :Woman :Parent ) ] .
        :ann a :Woman .""",
        format="turtle",
    )
    told = lines(kb, "ann a Mother")
    assert ":ann rdf:type :Parent   is missing" in told
    assert told.count(":ann rdf:type :Woman   is there") == 1


def test_the_search_is_bounded() -> None:
    """A rule with thousands of matches that all lack something."""
    kb = KnowledgeBase(profile="none")
    kb.add_rules("@prefix : <u:> . [?x, :far, ?z] :- [?x, :p, ?y], [?y, :q, ?w], [?w, :r, ?z] .")
    edges = [("<u:a>", "<u:p>", f"<u:{i}>") for i in range(3000)]
    kb.update(insert=[*edges, *((f"<u:{i}>", "<u:q>", f"<u:w{i}>") for i in range(3000))])
    near = kb.why_not(("<u:a>", "<u:far>", "<u:z>")).instances
    assert [len(each.missing) for each in near] == [1, 1, 1]


@pytest.mark.parametrize(
    ("fact", "hints"),
    [
        ((":ann", ":Knows", ":hit"), ["no fact has :Knows; did you mean :knows?"]),
        (
            (":Ann", ":knows", ":HIT"),
            ["no fact has :Ann; did you mean :ann?", "no fact has :HIT; did you mean :hit?"],
        ),
        ((":ann", ":known", ":hit"), []),
        ((":hit", ":knows", ":ann"), []),
        ((":ann", ":age", '"SEVEN"'), []),
    ],
)
def test_a_name_with_other_capitals_is_told(kb: KnowledgeBase, fact: Any, hints: list[str]) -> None:
    for _ in range(2):
        why = kb.why_not(fact)
        assert list(why.hints) == hints
        assert [line.strip() for line in str(why).splitlines()][1 : 1 + len(hints)] == hints


def test_an_explanation_warns_of_a_name_with_other_capitals(kb: KnowledgeBase) -> None:
    with pytest.warns(rdfinc.RdfincWarning, match="no fact has :Knows; did you mean :knows?"):
        assert kb.explain((":ann", ":Knows", ":bob")) is None


def test_an_explanation_of_what_is_absent_is_silent(
    kb: KnowledgeBase, recwarn: pytest.WarningsRecorder
) -> None:
    assert kb.explain((":hit", ":knows", ":ann")) is None
    assert list(kb.explain((":ann", ":known", ":bob"), all=True)) == []
    assert not recwarn.list
