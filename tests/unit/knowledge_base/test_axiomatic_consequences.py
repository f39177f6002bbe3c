"""By default axiomatic facts are left out, but nothing that follows from them."""

from __future__ import annotations

import io
from itertools import cycle

import pytest
from rdflib import Literal
from small_bases import contradicted, derived, loaded

from rdfinc import KnowledgeBase

RESTRICTION = "[a owl:Restriction; owl:onProperty :p; {}]"
ALL_D = RESTRICTION.format("owl:allValuesFrom :D")
SOME_D = RESTRICTION.format("owl:someValuesFrom :D")
MAXIMUM = 'owl:maxCardinality "1"^^xsd:nonNegativeInteger'
ONE = RESTRICTION.format(MAXIMUM)

CASES = {
    "a universal restriction above owl:Thing": (
        f"owl:Thing rdfs:subClassOf {ALL_D} . :C a owl:Class . :x a :C; :p :y .",
        {":y rdf:type :D"},
    ),
    "a maximum above owl:Thing": (
        f"owl:Thing rdfs:subClassOf {ONE} . :C a owl:Class . :x a :C; :p :y, :z .",
        {":y owl:sameAs :z", ":z owl:sameAs :y"},
    ),
    "a class above owl:Thing": (
        "owl:Thing rdfs:subClassOf :E . :C a owl:Class . :x a :C .",
        {":x rdf:type :E", ":C rdfs:subClassOf :E"},
    ),
    "equal names of a class": (
        ":c1 a owl:Class; owl:sameAs :c2 .",
        {
            ":c1 owl:equivalentClass :c2", ":c2 owl:equivalentClass :c1",
            ":c1 rdfs:subClassOf :c2", ":c2 rdfs:subClassOf :c1",
        },
    ),
    "equal names of a property": (
        ":p1 a owl:DatatypeProperty; owl:sameAs :p2 .",
        {":p1 owl:equivalentProperty :p2", ":p2 rdfs:subPropertyOf :p1"},
    ),
    "a class below owl:Nothing": (
        ":C a owl:Class; rdfs:subClassOf owl:Nothing .",
        {":C owl:equivalentClass owl:Nothing", "owl:Nothing owl:equivalentClass :C"},
    ),
    "an existential restriction to owl:Thing": (
        ":R1 owl:onProperty :p; owl:someValuesFrom owl:Thing ."
        " :R2 owl:onProperty :p; owl:someValuesFrom :D . :D a owl:Class .",
        {":R2 rdfs:subClassOf :R1"},
    ),
    "a universal restriction to what is empty, below one to owl:Thing": (
        ":D rdfs:subClassOf :E . :E rdfs:subClassOf owl:Nothing ."
        " :R1 owl:onProperty :p; owl:allValuesFrom :D ."
        " :R2 owl:onProperty :p; owl:allValuesFrom owl:Thing .",
        {":R1 rdfs:subClassOf :R2"},
    ),
    "a restriction to two classes, of which another has one": (
        ":p a owl:ObjectProperty . _:k owl:onProperty :p; owl:allValuesFrom :C, :D ."
        " _:l owl:onProperty :p; owl:allValuesFrom :C . :x a _:l; :p :y .",
        {":y rdf:type :D"},
    ),
    "a restriction of two properties, of which another has one": (
        ":p a owl:ObjectProperty . _:k owl:onProperty :p, :q; owl:allValuesFrom :C ."
        " _:l owl:onProperty :p; owl:allValuesFrom :C . :x a _:l; :q :y .",
        {":y rdf:type :C"},
    ),
    "an existential restriction that is a universal one": (
        ":p a owl:ObjectProperty . _:k owl:onProperty :p; owl:someValuesFrom :C;"
        " owl:allValuesFrom :D . _:l owl:onProperty :p; owl:someValuesFrom :C . :x a _:l; :p :y .",
        {":y rdf:type :D"},
    ),
    "an existential restriction to owl:Nothing, below one to what everything is": (
        "owl:Thing rdfs:subClassOf :D ."
        " :R1 owl:onProperty :p; owl:someValuesFrom owl:Nothing ."
        " :R2 owl:onProperty :p; owl:someValuesFrom :D .",
        {":R1 rdfs:subClassOf :R2"},
    ),
    "a restriction like another, with a value too": (
        ":R1 owl:onProperty :p; owl:allValuesFrom owl:Thing . :x a :R1 ."
        " [] owl:onProperty :p; owl:allValuesFrom owl:Thing; owl:hasValue :v .",
        {":x :p :v"},
    ),
    "a restriction like another, an intersection too": (
        ":R1 owl:onProperty :p; owl:allValuesFrom owl:Thing . :x a :R1 ."
        " [] owl:onProperty :p; owl:allValuesFrom owl:Thing; owl:intersectionOf (:D) .",
        {":x rdf:type :D"},
    ),
    "a restriction like another, with a maximum too": (
        ":R1 owl:onProperty :p; owl:allValuesFrom owl:Thing . :x a :R1; :p :y, :z ."
        f" [] owl:onProperty :p; owl:allValuesFrom owl:Thing; {MAXIMUM} .",
        {":y owl:sameAs :z"},
    ),
    "a restriction like another, with a qualified maximum too": (
        ":R1 owl:onProperty :p; owl:allValuesFrom owl:Thing . :x a :R1; :p :y, :z ."
        " :y a :D . :z a :D . [] owl:onProperty :p; owl:allValuesFrom owl:Thing; owl:onClass :D;"
        ' owl:maxQualifiedCardinality "1"^^xsd:nonNegativeInteger .',
        {":y owl:sameAs :z"},
    ),
    "an existential restriction like another, a universal one too": (
        ":R1 owl:onProperty :p; owl:someValuesFrom owl:Thing . :x a :R1; :p :y ."
        " [] owl:onProperty :p; owl:someValuesFrom owl:Thing; owl:allValuesFrom :D .",
        {":y rdf:type :D"},
    ),
    "a key of everything, numbers included": (
        ":N a owl:Class . xsd:integer rdfs:subClassOf :N . :x a :N; :k :v . :k owl:inverseOf :i ."
        " :v :i 2 . owl:Thing owl:hasKey (:k) . :x :q :w .",
        {":x rdf:type xsd:integer"},
    ),
    "classes of equal restrictions": (
        f":D a owl:Class . :A owl:equivalentClass {SOME_D} . :B owl:equivalentClass {SOME_D} ."
        " :x a :A .",
        {":A rdfs:subClassOf :B", ":B owl:equivalentClass :A", ":x rdf:type :B"},
    ),
    "restrictions to values that are equal": (
        ":p a owl:ObjectProperty . :M owl:onProperty :p; owl:hasValue :v ."
        " :N owl:onProperty :p; owl:hasValue :w . :v owl:sameAs :w . :K rdfs:subClassOf :M ."
        " :x a :K .",
        {":M rdfs:subClassOf :N", ":N owl:equivalentClass :M", ":K rdfs:subClassOf :N",
         ":x rdf:type :N"},
    ),
    "restrictions to values that become equal": (
        ":p a owl:DatatypeProperty . :M owl:onProperty :p; owl:hasValue :v ."
        " :N owl:onProperty :p; owl:hasValue 5.0 . :f a owl:FunctionalProperty . :x :f :v, 5 .",
        {":M rdfs:subClassOf :N", ":N rdfs:subClassOf :M"},
    ),
    "a restriction said of two names": (
        ":D a owl:Class . :M owl:onProperty :p; owl:sameAs :O . :O owl:someValuesFrom :D ."
        " :N owl:onProperty :p; owl:someValuesFrom :D . :x a :N .",
        {":M owl:equivalentClass :N", ":N rdfs:subClassOf :O", ":x rdf:type :M"},
    ),
    "a universal restriction said of two names": (
        ":D a owl:Class . :M owl:allValuesFrom :D; owl:sameAs :O . :O owl:onProperty :p ."
        " :N owl:onProperty :p; owl:allValuesFrom :D .",
        {":M owl:equivalentClass :N", ":N rdfs:subClassOf :O"},
    ),
    "existential restrictions whose undeclared properties are equal": (
        ":M owl:onProperty :p; owl:someValuesFrom owl:Thing ."
        " :N owl:onProperty :q; owl:someValuesFrom owl:Thing . :p owl:sameAs :q . :x a :M .",
        {":M rdfs:subClassOf :N", ":N owl:equivalentClass :M", ":x rdf:type :N"},
    ),
    "universal restrictions whose undeclared properties become equal": (
        ":D a owl:Class . :M owl:onProperty :p; owl:allValuesFrom :D ."
        " :N owl:onProperty :q; owl:allValuesFrom :D . :f a owl:FunctionalProperty ."
        " :x :f :p, :r . :y :f :q, :r .",
        {":M rdfs:subClassOf :N", ":N rdfs:subClassOf :M"},
    ),
    "existential restrictions to undeclared classes that are equal": (
        ":p a owl:ObjectProperty . :M owl:onProperty :p; owl:someValuesFrom :D ."
        " :N owl:onProperty :p; owl:someValuesFrom :E . :D owl:sameAs :E .",
        {":M rdfs:subClassOf :N", ":N owl:equivalentClass :M"},
    ),
    "universal restrictions to undeclared classes that are equal": (
        ":p a owl:ObjectProperty . :M owl:onProperty :p; owl:allValuesFrom :D ."
        " :N owl:onProperty :p; owl:allValuesFrom :E . :E owl:sameAs :D .",
        {":M rdfs:subClassOf :N", ":N owl:equivalentClass :M"},
    ),
    "an intersection with owl:Thing": (
        ":K owl:intersectionOf (owl:Thing :D) . :D a owl:Class . :x a :D .",
        {":x rdf:type :K"},
    ),
    "a name of an annotation property": (
        ":l owl:sameAs rdfs:label .",
        {":l rdf:type owl:AnnotationProperty"},
    ),
}  # fmt: skip
STORAGES = "auto", "plain", "compact"
"""Each case has the next one."""


@pytest.mark.parametrize(
    ("turtle", "expected", "storage"),
    [(*case, storage) for case, storage in zip(CASES.values(), cycle(STORAGES))],
    ids=list(CASES),
)
def test_consequences_of_axiomatic_facts_are_there_and_these_are_not(turtle, expected, storage):
    kb = loaded(turtle, storage=storage)
    assert expected <= derived(kb) <= derived(loaded(turtle, axiomatic=True))
    assert not {":C rdfs:subClassOf owl:Thing", ":D rdfs:subClassOf owl:Thing"} & derived(kb)
    stated = list(kb.explicit)
    kb.update(delete=stated)
    assert derived(kb) == set()
    kb.update(insert=stated)
    assert expected <= derived(kb)
    kb._check()


def test_a_member_of_a_class_contradicts_what_is_disjoint_with_owl_thing():
    turtle = "owl:Thing owl:disjointWith :C . :C a owl:Class . :x a :C ."
    assert contradicted(loaded(turtle)) == ["cax-dw"]
    assert set(contradicted(loaded(turtle, axiomatic=True))) == {"cax-dw"}


def test_rules_of_users_read_what_is_shown():
    kb = loaded("owl:Thing rdfs:subClassOf :E . :C a owl:Class . :x a :C .")
    kb.bind("", "http://e/")
    kb.add_rules("[?c, :below, ?d] :- [?c, rdfs:subClassOf, ?d] .")
    kb.add_rules(":Plain[?x] :- :C[?x], NOT owl:Thing[?x] .")
    assert {f for f in derived(kb) if ":below" in f} == {":C :below :E", "owl:Thing :below :E"}
    assert ":x rdf:type :Plain" in derived(kb)


def test_equal_restrictions_take_room_for_each_of_them_only():
    """Each pair of them lies below each other: facts that nobody sees, and a million of them."""
    restrictions = "".join(f":C{i} rdfs:subClassOf {SOME_D} ." for i in range(1000))
    kb = loaded(f":D a owl:Class . {restrictions}")
    assert len(kb._engine.version.held) < 25_000
    kb.update(insert=[("<http://e/x>", "<http://e/p>", "<http://e/d>")])
    assert len(kb) == len(kb.explicit)


def test_members_of_equal_restrictions_are_told_by_another_name_of_rdf_type():
    restriction = "owl:onProperty :p; owl:allValuesFrom :D ."
    kb = loaded(
        f":K {restriction} _:k {restriction} :p a owl:ObjectProperty . "
        ":C rdfs:subClassOf :K . :x a :C . rdf:type owl:sameAs :t ."
    )
    assert any(fact.startswith(":x :t _:") for fact in derived(kb))


def test_a_key_of_everything_counts_for_all_that_belong_to_owl_thing_one_way_or_another():
    kb = loaded(
        "owl:Thing owl:hasKey (:p) . :C a owl:Class . :x a :C; :p 1 . :y a owl:Thing; :p 1 ."
    )
    assert {":x owl:sameAs :y", ":y owl:sameAs :x"} <= derived(kb)


@pytest.mark.parametrize("profile", ["rdfs", "owl2rl"])
@pytest.mark.parametrize("format", ["nt", "nq", "turtle", "trig", "xml", "json-ld"])
def test_facts_about_literals_are_not_dumped(profile, format):
    kb = KnowledgeBase(profile, axiomatic=True)
    kb.load(b'<http://e/x> <http://e/p> "v" .', format="nt")
    literals = [fact for fact in kb.graph() if isinstance(fact[0], Literal)]
    assert literals, "they are shown"
    stream = io.BytesIO()
    kb.dump(stream, format=format)
    again = KnowledgeBase("none")
    again.load(stream.getvalue(), format=format)
    assert len(again) == len(kb) - len(literals)
