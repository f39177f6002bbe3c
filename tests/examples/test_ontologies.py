"""The shipped ontologies hold what their comments promise."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from rdflib import OWL, RDF, Graph, Namespace

import rdfinc

ONTOLOGIES = files("rdfinc.ontologies")
FAMILY = Namespace("http://example.org/family#")


@pytest.fixture(scope="module")
def family() -> rdfinc.KnowledgeBase:
    kb = rdfinc.KnowledgeBase()
    kb.load(ONTOLOGIES / "family.ttl")
    return kb


@pytest.mark.parametrize("name", ["university", "family", "contradictions"])
def test_every_axiom_is_supported(name: str) -> None:
    report = rdfinc.KnowledgeBase().load(ONTOLOGIES / f"{name}.ttl")
    assert report.triples == len(Graph().parse(ONTOLOGIES / f"{name}.ttl"))
    assert report.axioms == ()


def test_contradictions_has_one_for_each_rule_named_in_it() -> None:
    kb = rdfinc.KnowledgeBase()
    kb.load(ONTOLOGIES / "contradictions.ttl")
    text = (ONTOLOGIES / "contradictions.ttl").read_text("utf-8")
    named = re.findall(r"^# ([a-z]+-[a-z0-9]+):", text, re.MULTILINE)
    assert len(named) == len(set(named)) == 16
    assert {violation.rule for violation in kb.violations()} == set(named)


def test_family_is_consistent(family: rdfinc.KnowledgeBase) -> None:
    assert family.violations() == []


@pytest.mark.parametrize(
    ("construct", "subject", "predicate", "value"),
    [
        ("subClassOf", "minka", RDF.type, "Being"),
        ("equivalentClass", "adam", RDF.type, "Human"),
        ("someValuesFrom a class", "adam", RDF.type, "Parent"),
        ("someValuesFrom owl:Thing", "carl", RDF.type, "PetOwner"),
        ("intersectionOf", "berta", RDF.type, "Mother"),
        ("unionOf", "minka", RDF.type, "Pet"),
        ("oneOf", "emil", RDF.type, "Twin"),
        ("hasValue, value to class", "the_hermit", RDF.type, "Villager"),
        ("hasValue, class to value", "dora", "livesIn", "ulmen"),
        ("allValuesFrom", "rex", RDF.type, "Dog"),
        ("maxCardinality 1", "clara", OWL.sameAs, "mrs_c"),
        ("maxQualifiedCardinality 1", "rex", OWL.sameAs, "the_brown_one"),
        ("hasKey", "anna", OWL.sameAs, "nana"),
        ("FunctionalProperty", "berta", OWL.sameAs, "mrs_k"),
        ("InverseFunctionalProperty", "carl", OWL.sameAs, "the_neighbour"),
        ("SymmetricProperty", "berta", "marriedTo", "adam"),
        ("TransitiveProperty", "august", "olderThan", "adam"),
        ("subPropertyOf", "frida", "hasParent", "erna"),
        ("equivalentProperty", "adam", "spouseOf", "berta"),
        ("inverseOf", "adam", "hasChild", "emil"),
        ("domain", "emil", RDF.type, "Person"),
        ("range", "erna", RDF.type, "Woman"),
        ("a chain of two", "emil", "hasUncle", "bruno"),
        ("a chain of three", "frida", "hasGreatUncle", "bruno"),
        ("sameAs", "hugo", "livesIn", "ulmen"),
    ],
)
def test_family_derives_by(
    family: rdfinc.KnowledgeBase, construct: str, subject: str, predicate: str, value: str
) -> None:
    fact = (FAMILY[subject], predicate if ":" in predicate else FAMILY[predicate], FAMILY[value])
    assert fact in family.derived, construct
