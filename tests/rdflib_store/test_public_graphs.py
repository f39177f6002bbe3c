"""`rdfinc.Graph` and `rdfinc.Dataset`: graphs of rdflib over a knowledge base of their own."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest
import rdflib
from rdflib import RDF, RDFS, URIRef

import rdfinc
from rdfinc import Dataset, Graph, KnowledgeBase

A, B, C, D = (URIRef(f"http://e.org/{name}") for name in "abcd")


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
