"""What is said of axioms that the rules use, and of those that they do not, or in part."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from rdfinc import KnowledgeBase
from rdfinc.owl.coverage.findings import IGNORED, PARTLY
from rdfinc.owl.coverage.report import axioms, report, unsupported
from rdfinc.terms.dictionary import Dictionary

PREFIXES = """
    @prefix : <http://example.org/> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix swrl: <http://www.w3.org/2003/11/swrl#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


class Counting(Dictionary):
    decoded = 0

    def decode(self, id: int) -> bytes:
        self.decoded += 1
        return super().decode(id)


class Listed:
    """Triples of ids; counts how many come out, and of how many terms the text is asked for."""

    def __init__(self, turtle: str) -> None:
        self.terms, self.seen = Counting(), 0
        self.by = {}
        for quad in ox.parse(PREFIXES + turtle, format=ox.RdfFormat.TURTLE):
            s, p, o = (
                self.terms.encode(str(t).encode())
                for t in (quad.subject, quad.predicate, quad.object)
            )
            for key in ((s, p, None), (None, p, o), (None, p, None), (s, None, None)):
                self.by.setdefault(key, []).append((s, p, o))

    def match(self, s=None, p=None, o=None):
        for triple in self.by.get((s, p, o), []):
            self.seen += 1
            yield triple

    def objects(self, p, s):
        return [o for _, _, o in self.match(s, p)]

    def subjects(self, p, o):
        return [s for s, _, _ in self.match(None, p, o)]

    def pairs(self, p):
        return [(s, o) for s, _, o in self.match(None, p)]

    def about(self, s):
        return [(p, o) for _, p, o in self.match(s)]

    def predicates(self):
        return [p for s, p, o in self.by if p is not None and s is o is None]


def found(turtle: str) -> dict[str, str]:
    triples = Listed(turtle)
    return {axiom.text: axiom.status for axiom in axioms(triples, triples.terms)}


def restriction(rest: str) -> str:
    return f"[ a owl:Restriction ; owl:onProperty :p ; {rest} ]"


ONE = '"1"^^xsd:nonNegativeInteger'
ONE_WITH_NOUGHT = '"01"^^xsd:nonNegativeInteger'

ON_THE_RIGHT = [
    ("owl:someValuesFrom :B", "∃p.B", PARTLY),
    ("owl:someValuesFrom owl:Thing", "∃p.owl:Thing", PARTLY),
    ("owl:hasSelf true", '∃p."true"^^xsd:boolean', IGNORED),
    (f"owl:minCardinality {ONE}", "≥1 p", IGNORED),
    (f"owl:cardinality {ONE}", "=1 p", IGNORED),
    (f"owl:minQualifiedCardinality {ONE} ; owl:onClass :B", "≥1 p.B", IGNORED),
    (f"owl:qualifiedCardinality {ONE} ; owl:onClass :B", "=1 p.B", IGNORED),
    ('owl:maxCardinality "2"^^xsd:nonNegativeInteger', "≤2 p", IGNORED),
    ("owl:maxCardinality 1e0", "≤1e0 p", IGNORED),
    ('owl:maxCardinality "1"', "≤1 p", IGNORED),
    (f"owl:maxQualifiedCardinality {ONE}", "≤1 p", IGNORED),
    ("owl:allValuesFrom [ owl:unionOf ( :B :C ) ]", "∀p.(B ⊔ C)", PARTLY),
]


@pytest.mark.parametrize(("rest", "text", "status"), ON_THE_RIGHT)
def test_restrictions_on_the_right(rest, text, status):
    text = text.replace('"true"^^xsd:boolean', "Self")
    assert found(f":A rdfs:subClassOf {restriction(rest)} .") == {f"A ⊑ {text}": status}


ON_THE_LEFT = [
    ("owl:allValuesFrom :B", "∀p.B"),
    ("owl:hasSelf true", "∃p.Self"),
    (f"owl:minCardinality {ONE}", "≥1 p"),
    (f"owl:maxCardinality {ONE}", "≤1 p"),
    (f"owl:cardinality {ONE}", "=1 p"),
]


@pytest.mark.parametrize(("rest", "text"), ON_THE_LEFT)
def test_restrictions_on_the_left(rest, text):
    assert found(f"{restriction(rest)} rdfs:subClassOf :A .") == {f"{text} ⊑ A": IGNORED}


USED = [
    f":A rdfs:subClassOf {restriction('owl:minCardinality 0')} .",
    f":A rdfs:subClassOf {restriction('owl:minQualifiedCardinality 00 ; owl:onClass :B')} .",
    f":A rdfs:subClassOf {restriction('owl:allValuesFrom :B')} .",
    f":A rdfs:subClassOf {restriction('owl:hasValue :b')} .",
    f":A rdfs:subClassOf {restriction(f'owl:maxCardinality {ONE}')} .",
    f":A rdfs:subClassOf {restriction('owl:maxCardinality 1')} .",
    f":A rdfs:subClassOf {restriction(f'owl:maxCardinality {ONE_WITH_NOUGHT}')} .",
    f":A rdfs:subClassOf {restriction('owl:maxQualifiedCardinality 0.0 ; owl:onClass :B')} .",
    f":A rdfs:subClassOf {restriction(f'owl:maxQualifiedCardinality {ONE} ; owl:onClass :B')} .",
    f":A owl:equivalentClass {restriction('owl:hasValue :b')} .",
    f"{restriction('owl:someValuesFrom :B')} rdfs:subClassOf :A .",
    ":A rdfs:subClassOf [ owl:complementOf :B ] , [ owl:intersectionOf ( :B :C ) ] .",
    "[ owl:unionOf ( :B [ owl:oneOf ( :b ) ] ) ] rdfs:subClassOf :A .",
    ":p a owl:FunctionalProperty ; owl:inverseOf :q ; owl:propertyChainAxiom ( :q :p ) .",
    ":A owl:hasKey ( :p ) ; owl:disjointWith :B ; owl:equivalentClass :C .",
    "[ a owl:AllDisjointClasses ; owl:members ( :A :B ) ] .",
    "[ a owl:AllDifferent ; owl:distinctMembers ( :a :b ) ] .",
    "[ owl:sourceIndividual :a ; owl:assertionProperty :p ; owl:targetValue 1 ] .",
    ":a owl:sameAs :b ; owl:versionInfo 1 .",
    ":p a owl:FunctionalProperty , owl:DatatypeProperty ; rdfs:range xsd:int .",
    f"{restriction('owl:someValuesFrom xsd:int')} rdfs:subClassOf :A .",
    ":p rdfs:range [ owl:onDatatype xsd:int ; owl:withRestrictions ( [ xsd:maxExclusive 5 ] ) ] .",
]


@pytest.mark.parametrize("turtle", USED)
def test_nothing_is_said_of_what_is_used(turtle):
    assert found(turtle) == {}


OTHERS = [
    (":A rdfs:subClassOf [ owl:unionOf ( :B :C ) ] .", "A ⊑ (B ⊔ C)", PARTLY),
    (":A rdfs:subClassOf [ owl:oneOf ( :b ) ] .", "A ⊑ {b}", PARTLY),
    (":A owl:unionOf ( :B :C ) .", "A ⊑ (B ⊔ C)", PARTLY),
    ("[ owl:complementOf :B ] rdfs:subClassOf :A .", "¬B ⊑ A", IGNORED),
    (":A owl:complementOf :B .", "¬B ⊑ A", IGNORED),
    ("[ owl:unionOf ( :B [ owl:complementOf :C ] ) ] rdfs:subClassOf :A .", "(B ⊔ ¬C) ⊑ A", PARTLY),
    (":A rdfs:subClassOf [ owl:complementOf [ owl:complementOf :B ] ] .", "A ⊑ ¬¬B", IGNORED),
    (f":p rdfs:domain {restriction('owl:someValuesFrom :B')} .", "the domain of p is ∃p.B", PARTLY),
    (":p rdfs:range [ owl:unionOf ( :B :C ) ] .", "the range of p is (B ⊔ C)", PARTLY),
    (f":x a {restriction('owl:someValuesFrom :B')} .", "x : ∃p.B", PARTLY),
    (":A owl:disjointWith [ owl:complementOf :B ] .", "A and ¬B are disjoint", PARTLY),
    (
        "[ a owl:AllDisjointClasses ; owl:members ( :A [ owl:complementOf :B ] ) ] .",
        "all disjoint: A, ¬B",
        PARTLY,
    ),
    ("[ owl:complementOf :B ] owl:hasKey ( :p ) .", "a key of ¬B", IGNORED),
    (":A owl:disjointUnionOf ( :B :C ) .", "A is the disjoint union of B, C", IGNORED),
    (":p a owl:ReflexiveProperty .", "p is reflexive", IGNORED),
    (":r a swrl:Imp .", "SWRL rule <http://example.org/r>", IGNORED),
    (":d a owl:AllDifferent .", "owl:AllDifferent d", IGNORED),
    (":d a owl:AllDisjointProperties .", "owl:AllDisjointProperties d", IGNORED),
    (":d owl:members ( :a ) .", "owl:members of d", IGNORED),
    (":d owl:distinctMembers ( :a ) .", "owl:distinctMembers of d", IGNORED),
    (":p owl:propertyChainAxiom _:l . _:l rdf:first :q .", "owl:propertyChainAxiom of p", IGNORED),
    (":A owl:intersectionOf () .", "owl:intersectionOf of A", IGNORED),
    (":n owl:sourceIndividual :a .", "negative assertion <http://example.org/n>", IGNORED),
    (":R owl:onProperty :p .", "restriction <http://example.org/R> on p", IGNORED),
    (":R owl:onProperties ( :p ) .", "restriction <http://example.org/R>", IGNORED),
    (":a owl:topObjectProperty :b .", "facts with owl:topObjectProperty", PARTLY),
    (
        ":p rdfs:subPropertyOf owl:bottomDataProperty .",
        "p rdfs:subPropertyOf owl:bottomDataProperty",
        PARTLY,
    ),
    (
        ":D owl:onDatatype xsd:int ; owl:withRestrictions ( [ xsd:minInclusive 1 ] ) .",
        'xsd:int[minInclusive "1"^^xsd:integer] ⊑ D',
        IGNORED,
    ),
]


AT_MOST_ONE_INT = f"owl:maxQualifiedCardinality {ONE} ; owl:onDataRange xsd:int"
DATA_RANGES = [
    (":p rdfs:range [ owl:datatypeComplementOf xsd:int ] .", "the range of p is ¬xsd:int"),
    (":p rdfs:range [ owl:onDatatype :d ] .", "the range of p is d[]"),
    (
        ":p rdfs:range [ owl:onDatatype xsd:int ; owl:withRestrictions ( [ :facet :v ] ) ] .",
        "the range of p is xsd:int[facet v]",
    ),
    (f"{restriction('owl:someValuesFrom xsd:ENTITY')} rdfs:subClassOf :A .", "∃p.xsd:ENTITY ⊑ A"),
    (
        f":A rdfs:subClassOf {restriction(AT_MOST_ONE_INT)} .",
        "A ⊑ ≤1 p.xsd:int",
    ),
]


@pytest.mark.parametrize(("turtle", "text"), DATA_RANGES, ids=[row[1] for row in DATA_RANGES])
def test_data_ranges_of_no_use(turtle, text):
    assert found(turtle) == {text: IGNORED}


@pytest.mark.parametrize(("turtle", "text", "status"), OTHERS, ids=[row[1] for row in OTHERS])
def test_other_axioms(turtle, text, status):
    assert found(turtle) == {text: status}


def test_an_equivalence_is_used_in_one_direction():
    some = restriction("owl:someValuesFrom :C")
    turtle = f":A owl:equivalentClass [ owl:intersectionOf ( :B {some} ) ] ."
    assert found(turtle) == {"A ⊑ ∃p.C": PARTLY}


def test_every_construct_of_owl_is_named():
    here = Path(__file__).parent
    triples = Listed((here / "constructs.ttl").read_text())
    told = {f"{axiom.status}: {axiom.text}" for axiom in report(triples, triples.terms)}
    assert told == set((here / "constructs.txt").read_text().splitlines())


def test_a_knowledge_base_reports_what_changes():
    kb = KnowledgeBase()
    assert kb.report() == []
    ex, sub = "<http://example.org/{}>".format, "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    kb.update(insert=[(ex("A"), sub, ex("B"))])
    assert [str(axiom) for axiom in kb.report()] == ["used: A ⊑ B"]
    kb.update(delete=[(ex("A"), sub, ex("B"))])
    assert kb.report() == []
    assert KnowledgeBase(profile="rdfs").report() == []


def test_the_university_benchmark_names_its_existential():
    turtle = (
        f":GraduateStudent rdfs:subClassOf {restriction('owl:someValuesFrom :GraduateCourse')} ."
    )
    triples = Listed(turtle.replace(":p ", ":takesCourse "))
    (line,) = unsupported(triples, triples.terms)
    assert line.startswith(
        "partly used: GraduateStudent ⊑ ∃takesCourse.GraduateCourse (existential"
    )
    assert "left-to-right" in line


def test_names_follow_the_longest_namespace():
    triples = Listed(
        ":a/b rdfs:subClassOf [ owl:unionOf ( :c ) ] .".replace(":a/b", "<http://example.org/a/b>")
    )
    (plain,) = unsupported(triples, triples.terms)
    (bound,) = unsupported(triples, triples.terms, {"": "http://example.org/"})
    assert plain.startswith("partly used: b ⊑ (c)") and bound.startswith("partly used: a/b ⊑ (c)")


def test_names_do_not_depend_on_which_term_came_first():
    clash = ":x a [ owl:maxCardinality 0 ; owl:onProperty :p, :q ] ; :p :y ; :q :y ."
    found = []
    for first in (":p :s :q .", ":q :s :p ."):
        kb = KnowledgeBase()
        for turtle in (first, clash):
            kb.load((PREFIXES + turtle).encode(), format="turtle")
        found.append({violation.message for violation in kb.violations()})
    assert found[0] == found[1] and len(found[0]) == 2


def test_cyclic_expressions_end():
    loop = "_:x owl:onProperty :p ; owl:someValuesFrom _:x . :A rdfs:subClassOf _:x ."
    assert list(found(loop).values()) == [PARTLY]
    loop = "_:x owl:onProperty :p ; owl:allValuesFrom _:x . :A rdfs:subClassOf _:x ."
    assert found(loop) == {}


def test_facets_of_facets_end():
    loop = (
        "_:x owl:onDatatype xsd:int ; owl:withRestrictions ( [ xsd:minInclusive _:x ] ) ."
        " :A rdfs:subClassOf [ owl:unionOf ( _:x ) ] ."
    )
    ((text, status),) = found(loop).items()
    assert status == PARTLY and text.startswith("A ⊑ (xsd:int[minInclusive xsd:int[")


def deep(levels: int) -> str:
    """A ⊑ ∀p.∀p. … ∀p.(B ⊔ C)."""
    chain = (f"_:x{i} owl:onProperty :p ; owl:allValuesFrom _:x{i + 1} .\n" for i in range(levels))
    return "".join(chain) + f"_:x{levels} owl:unionOf ( :B :C ) . :A rdfs:subClassOf _:x0 ."


def test_deep_and_wide_expressions_are_cut_short():
    (text,) = found(deep(5000))
    assert text == "A ⊑ ∀p.∀p.∀p.∀p.∀p.…"
    items = " ".join(f":c{i}" for i in range(5000))
    (text,) = found(f":A rdfs:subClassOf [ owl:unionOf ( {items} ) ] .")
    assert text == "A ⊑ (c0 ⊔ c1 ⊔ c2 ⊔ c3 ⊔ c4 ⊔ c5 ⊔ c6 ⊔ c7 ⊔ …)"


def test_the_cost_does_not_depend_on_the_data():
    schema = f":A rdfs:subClassOf {restriction('owl:someValuesFrom :B')} . :p rdfs:range xsd:int ."
    data = "".join(f":i{i} a :A ; :p {i} .\n" for i in range(1000))
    small, large = Listed(schema), Listed(schema + data)
    axioms(small, small.terms), axioms(large, large.terms)
    assert small.seen == large.seen


def test_the_cost_is_linear_in_the_depth_of_an_expression():
    few, many = Listed(deep(100)), Listed(deep(400))
    axioms(few, few.terms), axioms(many, many.terms)
    assert many.terms.decoded <= 4 * few.terms.decoded
