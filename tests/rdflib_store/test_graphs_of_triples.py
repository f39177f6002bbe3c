"""Each triple that a store gives is told with the graphs that state it."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from rdflib import OWL, XSD, Dataset, Graph, Literal, URIRef
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.plugins import RdfincStore
from thresholds import put

TERMS = [URIRef(f"urn:{letter}") for letter in "abc"]
OBJECTS = [*TERMS, Literal("x"), Literal(1)]
GRAPHS = [DATASET_DEFAULT_GRAPH_ID, *(URIRef(f"urn:{letter}") for letter in "ghi")]


def told(dataset: Dataset, pattern: Any) -> list[Any]:
    """What matches, with the names of its graphs, as a store tells it of all graphs."""
    found = dataset.store.triples(pattern, None)
    return sorted((triple, sorted(_name(graph) for graph in graphs)) for triple, graphs in found)


def _name(graph: Any) -> str:
    """Memory's own name of the default graph is None where a triple is in no other."""
    return str(DATASET_DEFAULT_GRAPH_ID if graph is None else graph.identifier)


@pytest.mark.parametrize("graphs", range(1, 5))
@pytest.mark.parametrize("seed", range(5))
def test_triples_are_told_with_the_graphs_that_memory_tells(
    seed: int, graphs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, KNOWLEDGE, look_up_facts=10**6 if seed % 2 else 1, few_graphs=seed % 3)
    r = random.Random(f"{seed} {graphs}")
    ours, memory = Dataset(RdfincStore(profile="none")), Dataset()
    for _ in range(40):
        quad = r.choice(TERMS), r.choice(TERMS), r.choice(OBJECTS), r.choice(GRAPHS[:graphs])
        is_added = r.random() < 0.7
        for dataset in (ours, memory):
            graph = dataset.graph(quad[3])
            graph.add(quad[:3]) if is_added else graph.remove(quad[:3])
        s, p, o, _ = quad
        for pattern in itertools.product((s, None), (p, None), (o, None)):
            assert told(ours, pattern) == told(memory, pattern)


def test_quads_of_facts_about_literals_where_a_graph_is_named() -> None:
    dataset = Dataset(RdfincStore(KnowledgeBase("owl2rl", axiomatic=True)))
    a, b, c = TERMS
    dataset.add((a, b, Literal(1)))
    dataset.graph(c).add((a, b, c))
    found = list(dataset.quads())
    assert (a, b, c, c) in found
    assert (Literal(1), OWL.sameAs, Literal(1)) in {quad[:3] for quad in found}


def test_a_literal_is_told_as_the_store_writes_it() -> None:
    graph = Graph(RdfincStore(profile="none"))
    a, b, _ = TERMS
    graph.add((a, b, Literal("x")))
    graph.add((a, b, Literal("hallo", lang="de-AT")))
    for asked in (Literal("x", datatype=XSD.string), Literal("hallo", lang="DE-at")):
        assert set(graph.triples((a, b, asked))) <= set(graph)


def test_what_has_no_hash_matches_nothing() -> None:
    graph = Graph(RdfincStore(profile="none"))
    a, b, c = TERMS
    graph.add((a, b, c))
    assert (a, b, ["c"]) not in graph
    assert not list(graph.subjects(b, {}))  # type: ignore[arg-type]


def test_a_graph_follows_prefixes_that_replace_all() -> None:
    graph = Graph(RdfincStore(), bind_namespaces="none")
    kb = graph.store.kb
    kb.namespaces = {"e": "urn:e:"}
    assert graph.store.prefix(URIRef("urn:e:")) == "e"
    graph.bind("f", "urn:f:")
    assert kb.namespaces == {"e": "urn:e:", "f": "urn:f:"}
