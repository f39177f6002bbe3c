"""`rdfinc.Graph` and `rdfinc.Dataset`: graphs of rdflib over a knowledge base of their own."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import deepcopy
from inspect import signature
from itertools import product
from typing import Any

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, Literal, URIRef, Variable
from rdflib.exceptions import UniquenessError

import rdfinc
from rdfinc import Dataset, Graph, KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from thresholds import put

A, B, C, D = (URIRef(f"http://e.org/{name}") for name in "abcd")
PROPERTY, NAME = (URIRef(f"http://e.org/{name}") for name in "pn")


def test_a_graph_with_options_of_its_own():
    graph = Graph(profile="rdfs")
    assert isinstance(graph, rdflib.Graph)
    graph.add((B, RDFS.subClassOf, C))
    graph.add((A, RDF.type, B))
    assert (A, RDF.type, C) in graph
    assert graph.kb.settings["profile"] == "rdfs"
    assert graph.kb.explain((A, RDF.type, C))
    assert graph.query("ASK { ?x a ?y }").askAnswer


def test_a_graph_and_a_dataset_over_a_knowledge_base():
    kb = KnowledgeBase()
    assert kb.graph().kb is kb is Graph(kb).kb is kb.dataset().kb is Dataset(kb).kb
    assert isinstance(kb.graph(), Graph) and isinstance(kb.dataset(), Dataset)
    Graph(kb).add((A, RDF.type, B))
    assert (A, RDF.type, B) in Graph(kb) and (A, RDF.type, B) in Dataset(kb)
    assert Graph(kb, identifier=D).identifier == D


def test_a_dataset_shows_the_union():
    dataset = Dataset(profile="none")
    dataset.graph(D).add((A, RDF.type, B))
    assert (A, RDF.type, B) in dataset
    assert D in [graph.identifier for graph in dataset.graphs()]
    assert dataset.kb.settings["profile"] == "none"


def test_sums_and_differences_are_plain_graphs():
    graph, other = Graph(), rdflib.Graph()
    graph.bind("e", "http://e.org/")
    graph.add((B, RDFS.subClassOf, C))
    graph.add((A, RDF.type, B))
    other.add((A, RDF.type, C))
    other.add((A, RDF.type, D))
    assert set(graph + other) == {*graph, *other}
    assert set(graph - other) == {*graph} - {*other}
    assert set(graph * other) == {*graph} & {*other} == {(A, RDF.type, C)}
    assert set(graph ^ other) == {*graph} ^ {*other}
    for made in (graph + other, graph - other, graph * other, graph ^ other):
        assert type(made) is rdflib.Graph
    assert dict((graph + other).namespaces())["e"] == URIRef("http://e.org/")
    graph += other
    assert type(graph) is Graph and (A, RDF.type, D) in graph


@pytest.mark.parametrize("kind", [Graph, Dataset])
def test_what_is_no_knowledge_base_is_refused_with_advice(kind):
    with pytest.raises(TypeError, match=r"is a KnowledgeBase, not 'default'.*store="):
        kind("default")
    with pytest.raises(TypeError, match="profle"):
        kind(profle="rdfs")
    with pytest.raises(TypeError, match="options of a new knowledge base, but one was given"):
        kind(KnowledgeBase(), profile="rdfs")


@pytest.mark.parametrize("kind", [Graph, Dataset])
def test_a_copy_is_of_the_same_kind_and_has_a_knowledge_base_of_its_own(kind):
    graph = kind(profile="rdfs")
    graph.add((B, RDFS.subClassOf, C))
    graph.add((A, RDF.type, B))
    for copied in (deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        assert type(copied) is kind and (A, RDF.type, C) in copied
        assert copied.kb is not graph.kb and copied.kb.settings["profile"] == "rdfs"
        copied.remove((B, RDFS.subClassOf, C))
        assert (A, RDF.type, C) not in copied and (A, RDF.type, C) in graph


def test_names_are_public():
    assert {"Graph", "Dataset"} <= {*rdfinc.__all__}


SHAPE = """
@prefix : <http://e.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:D owl:equivalentClass [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :C ] .
:p rdfs:domain :D ; a owl:SymmetricProperty . :a :p :b, :c ; a :C ; :n "a", 1, "a"@en . :b a :C .
:c :p [ :n 1 ] . :a owl:sameAs :d .
"""


SEVERAL = [[A, B]] if "List" in str(signature(rdflib.Graph.objects)) else []
"""Subjects for which objects are looked up together, which rdflib 7.1 does not do."""


def looked_up(graph: rdflib.Graph) -> list[object]:
    """What each way to look something up finds for all terms in all places."""
    nodes = [A, B, D, RDF.type, URIRef("http://e.org/none"), *sorted({*graph.subjects(PROPERTY)})]
    terms = [*nodes, Literal("a"), Literal("a", lang="en"), Literal(1), Literal(2)]
    paths = [PROPERTY, NAME, RDF.type, OWL.sameAs, ~PROPERTY, PROPERTY / NAME, None]
    found: list[object] = []
    for path, term in product(paths, [*terms, None, *SEVERAL]):
        if not isinstance(term, Literal):
            found += [[*graph.objects(term, path)], sorted(graph.objects(term, path, unique=True))]
        if path is not None and term is not None and not isinstance(term, list):
            found += [graph.value(term, path), graph.value(term, path, default=A)]
            found += [graph.value(None, path, term), [*graph.subjects(path, term)]]
            found += [(node, path, term) in graph for node in nodes]
        if path is None and not isinstance(term, list):
            found += [[*graph.predicate_objects(term)]]
            found += [sorted(graph.predicate_objects(term, unique=True))]
        found += [(term, path, None) in graph] if not isinstance(term, list) else []
    return found


def unordered(found: Any) -> Any:
    return Counter(found) if isinstance(found, list) else found


@pytest.mark.parametrize("beyond_rdf", [False, True])
def test_look_ups_find_what_those_of_rdflib_find(beyond_rdf: bool) -> None:
    graph = Graph()
    graph.parse(data=SHAPE, format="turtle")
    if beyond_rdf:
        graph.add((A, PROPERTY, Variable("x")))
    plain = rdflib.Graph(graph.store, graph.identifier)
    memory = rdflib.Graph()
    for triple in graph:
        memory.add(triple)
    found = looked_up(graph)
    assert [*map(unordered, found)] == [*map(unordered, looked_up(plain))]
    sets = [Counter(map(str, each)) if isinstance(each, list) else bool(each) for each in found]
    assert sets == [
        Counter(map(str, each)) if isinstance(each, list) else bool(each)
        for each in looked_up(memory)
    ]


def test_a_look_up_begins_when_its_first_answer_is_asked_for() -> None:
    graph = Graph(profile="none")
    graph.add((A, PROPERTY, B))
    objects, subjects = graph.objects(A, PROPERTY), graph.subjects(PROPERTY, B)
    both = graph.predicate_objects(A)
    graph.add((A, PROPERTY, C))
    graph.add((C, PROPERTY, B))
    assert sorted(objects) == [B, C] and sorted(subjects) == [A, C]
    assert sorted(both) == [(PROPERTY, B), (PROPERTY, C)]


def test_look_ups_of_a_named_graph_and_of_several_values() -> None:
    kb = KnowledgeBase(profile="none")
    named, default = Graph(kb, D), Graph(kb)
    named.add((A, PROPERTY, B))
    default.add((A, PROPERTY, C))
    assert [*named.objects(A, PROPERTY)] == [B] and named.value(A, PROPERTY) == B
    assert (A, PROPERTY, C) not in named and (A, PROPERTY, C) in default
    default.add((A, PROPERTY, D))
    with pytest.raises(UniquenessError):
        default.value(A, PROPERTY, any=False)


def test_an_id_that_another_term_has_got_is_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=8)
    graph = Graph(profile="none")
    nodes = [URIRef(f"http://e.org/{n}") for n in range(200)]
    for node in nodes:
        graph.add((node, PROPERTY, B))
        assert [each for each in nodes if (each, PROPERTY, B) in graph] == [node]
        graph.remove((node, None, None))
