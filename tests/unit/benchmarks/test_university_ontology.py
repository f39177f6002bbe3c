"""The ontology declares what the data and queries use, and stays within OWL 2 RL."""

from __future__ import annotations

import re

import pytest
from rdflib import OWL, RDF, RDFS, Graph, URIRef

from rdfinc import university

CLASSES = {OWL.Class}
PROPERTIES = {OWL.ObjectProperty, OWL.DatatypeProperty}


@pytest.fixture(scope="module")
def ontology() -> Graph:
    return Graph().parse(data=university.ontology(), format="turtle")


def declared(ontology: Graph, kinds: set[URIRef]) -> set[str]:
    return {s.n3() for kind in kinds for s in ontology.subjects(RDF.type, kind)}


def test_data_use_declared_names_only(ontology: Graph) -> None:
    kinds, predicates = set(), set()
    for _, predicate, value in university.triples(1, departments=2):
        predicates.add(predicate)
        if predicate == RDF.type.n3():
            kinds.add(value)
    assert kinds <= declared(ontology, CLASSES)
    assert predicates - {RDF.type.n3()} <= declared(ontology, PROPERTIES)


def test_queries_use_declared_names_only(ontology: Graph) -> None:
    names = declared(ontology, CLASSES | PROPERTIES)
    queries = university.queries()
    assert len(queries) == 14
    for text in queries.values():
        used = re.findall(r"(?<=[\s])(?::)(\w+)", text)
        assert used
        assert {f"<{university.NAMESPACE}{local}>" for local in used} <= names


def test_everything_has_a_label(ontology: Graph) -> None:
    for subject in set(ontology.subjects(RDF.type)):
        if isinstance(subject, URIRef):
            assert (subject, RDFS.label, None) in ontology, subject


def test_some_values_from_only_on_the_left_of_a_subclass_axiom(ontology: Graph) -> None:
    """OWL 2 RL, section 4.2.3: no existential in a superclass or an equivalent class."""
    existential = set(ontology.subjects(OWL.someValuesFrom))
    assert len(existential) == 6
    uses_them = existential | {
        whole
        for whole, members in ontology.subject_objects(OWL.intersectionOf)
        if existential & set(ontology.items(members))
    }
    assert not uses_them & set(ontology.objects(None, RDFS.subClassOf))
    assert not uses_them & set(ontology.objects(None, OWL.equivalentClass))
    assert not any(isinstance(whole, URIRef) for whole in uses_them)
