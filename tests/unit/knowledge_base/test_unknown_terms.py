"""A slip in the name of a term of RDF, RDFS, OWL or XSD is told, wherever the term stands."""

from __future__ import annotations

import pytest
from rdflib import OWL, RDF, RDFS, XSD

from rdfinc import KnowledgeBase
from rdfinc.datalog.functions import DATATYPES
from rdfinc.owl.coverage.w3c_terms import advice, unknown_name

HEAD = "".join(f"@prefix {prefix}: <{iri}> . " for prefix, iri in (
    ("", "http://example.org/"), ("rdf", RDF), ("rdfs", RDFS), ("owl", OWL), ("xsd", XSD)
))  # fmt: skip

SLIPS = {
    ":p a owl:TransitveProperty .": "p rdf:type owl:TransitveProperty (there is no"
    " owl:TransitveProperty; did you mean owl:TransitiveProperty?)",
    ":A rdfs:subclassOf :B .": "A rdfs:subclassOf B (there is no rdfs:subclassOf; did you mean"
    " rdfs:subClassOf?)",
    ":x rdf:typ :A .": "x rdf:typ A (there is no rdf:typ; did you mean rdf:type?)",
    ":x rdfs:type :A .": "x rdfs:type A (there is no rdfs:type; did you mean rdf:type?)",
    ':x :age "3"^^xsd:integr .': 'x age "3"^^xsd:integr (there is no xsd:integr; did you mean'
    " xsd:integer?)",
    "owl:thing :p :x .": "owl:thing p x (there is no owl:thing; did you mean owl:Thing?)",
    ":x owl:qqqqqq :y .": "x owl:qqqqqq y (there is no owl:qqqqqq)",
}


@pytest.mark.parametrize("profile", ["rdfs", "owl2rl"])
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_with_what_may_be_meant(slip: str, profile: str) -> None:
    kb = KnowledgeBase(profile)
    loaded = kb.load((HEAD + slip).encode(), format="turtle")
    assert loaded.axioms == (f"ignored: {SLIPS[slip]}",)
    assert [str(axiom) for axiom in kb.report()] == list(loaded.axioms)


def test_under_no_profile_triples_are_only_triples() -> None:
    kb = KnowledgeBase("none")
    assert kb.load((HEAD + ":x rdf:typ :A .").encode(), format="turtle").axioms == ()


def test_what_is_withdrawn_is_not_told_and_comes_back_with_it() -> None:
    kb = KnowledgeBase()
    slip = ("<a:x>", f"<{RDFS}subclassOf>", "<a:y>")
    for expected in (1, 0, 1):
        kb.update(**{"insert" if expected else "delete": [slip]})
        assert len(kb.load(b"", format="nt").axioms) == expected
    kb._engine.reclaim(kb._telling.forget)
    assert len(kb.load(f"<a:z> <{RDF}typ> <a:y> .".encode(), format="nt").axioms) == 2


def test_all_terms_that_there_are_are_known() -> None:
    known = [
        *(f"<{namespace}{name}>" for namespace in (RDF, RDFS, OWL)
          for name in namespace.__annotations__ if not name.startswith("_")),
        *DATATYPES,
        f"<{RDF}_1>", f"<{RDF}_12>", f"<{OWL}>", f'"1"^^<{XSD}integer>', '"a"@en', '"<"', "_:b",
        "<http://www.w3.org/2002/07/owl>", '"x"^^<http://example.org/t>',
    ]  # fmt: skip
    assert [name for name in known if unknown_name(name.encode())] == []


@pytest.mark.parametrize("name", ["_0", "_01", "li", "about"])
def test_names_of_rdf_that_are_none(name: str) -> None:
    assert unknown_name(f"<{RDF}{name}>".encode())
    assert advice(f"<{RDF}{name}>".encode()).startswith(f"there is no rdf:{name}")
