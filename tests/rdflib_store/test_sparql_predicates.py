"""Facts of rare predicates are looked up together: nothing else is found than predicate by
predicate."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from rdflib import Dataset, Graph, URIRef
from rdflib_store.names import DERIVED, EXPLICIT

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.plugins.rdflib_store import RdfincStore
from thresholds import put

PARTS = [
    "?s ?p ?o",
    "<x:n1> ?p ?o",
    "?s ?p <x:n2>",
    "?s ?p ?s",
    "?p ?p ?o",
    "?s ?p ?p",
    "?s ?p ?o . ?o ?q ?r",
    "?s ?p ?o . ?o ?p ?r",
    "?s ?p ?o . ?s ?p ?r",
    "VALUES ?p { <x:p1> <x:p2> <x:none> } ?s ?p ?o",
    "VALUES (?s ?o) { (<x:n1> <x:n2>) (<x:none> <x:n1>) (<x:n3> UNDEF) } ?s ?p ?o",
    "?s <x:p1> ?o . ?o ?p <x:n2>",
    "?s !(<x:p1>|^<x:p2>) ?o",
    "<x:n1> (!<x:p1>)+ ?o",
    "?s (!<x:p1>)* <x:n2>",
    "?s <x:p1> ?o FILTER NOT EXISTS { ?o ?p ?s }",
    "?s <x:p1>* ?o",
    "?s ?p 1 MINUS { ?s <x:p2> ?x }",
]


ONCE = [("<x:n0>", "<x:once>", "<x:n0>")]
SCHEMA = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> .
    <x:p1> rdfs:subPropertyOf <x:p2> . <x:p3> owl:inverseOf <x:p4> ; rdfs:range <x:c> .
    <x:c> rdfs:subClassOf [ owl:onProperty <x:p1> ; owl:hasValue <x:n4> ] ."""


def counted(graph: Graph, text: str) -> Counter:
    return Counter(frozenset(row.items()) for row in graph.query(text).bindings)


def fact(chance: random.Random) -> str:
    subject, object_ = (chance.choice([f"<x:n{i}>" for i in range(5)]) for _ in range(2))
    predicate = f"<x:p{min(chance.randrange(9), chance.randrange(9))}>"
    return f"{subject} {predicate} {chance.choice([object_, predicate, '1'])} ."


def update(chance: random.Random) -> str:
    some = " ".join(fact(chance) for _ in range(6))
    graph = chance.choice(["", "<x:g1>", "<x:g2>"])
    block = f"GRAPH {graph} {{ {some} }}" if graph else some
    return f"{chance.choice(['INSERT', 'INSERT', 'DELETE'])} DATA {{ {block} }}"


@pytest.mark.parametrize("seed", range(12))
def test_together_as_one_by_one(monkeypatch, seed):
    chance = random.Random(seed)
    store = RdfincStore(profile=chance.choice(["none", "owl2rl"]))
    store.kb.load(SCHEMA.encode(), format="turtle")
    apart, union = Dataset(store), Dataset(store, default_union=True)
    asked = [apart, union, apart.graph(EXPLICIT), apart.graph(DERIVED)]
    for _ in range(4):
        apart.update(update(chance))
        for part in PARTS:
            texts = [
                f"SELECT * {{ {part} }}",
                f"SELECT * {{ GRAPH <x:g1> {{ {part} }} }}",
                f"SELECT * {{ GRAPH ?g {{ {part} }} }}",
                f"SELECT * FROM <x:g1> FROM <x:g2> FROM NAMED <x:g2> {{ {part} }}",
                f"SELECT * FROM NAMED <x:g2> {{ GRAPH ?g {{ {part} }} }}",
            ]
            graph, text = chance.choice(asked), chance.choice(texts)
            if graph not in (apart, union):
                text = texts[0]
            put(monkeypatch, KNOWLEDGE, few_predicates=10**6, rare_pairs=0)
            store.kb.update(insert=ONCE)
            one_by_one = counted(graph, text)
            store.kb.update(delete=ONCE)
            put(monkeypatch, KNOWLEDGE, few_predicates=0, rare_pairs=chance.choice([3, 1000]))
            store.kb.update(insert=ONCE)
            for _ in range(2):
                assert counted(graph, text) == one_by_one, text


def test_what_is_described_has_rare_predicates():
    graph = Graph(RdfincStore())
    for i in range(40):
        graph.add((URIRef("x:s"), URIRef(f"x:p{i}"), URIRef("x:o")))
    assert len(graph.query("DESCRIBE <x:s>").graph) == 40


def test_rare_facts_are_as_they_are_now():
    graph = Graph(RdfincStore())
    for i in range(40):
        graph.add((URIRef("x:s"), URIRef(f"x:p{i}"), URIRef("x:o")))
    for i in range(3):
        assert len(graph.query("SELECT * { ?s ?p ?o }")) == 40 + i
        assert len(graph.query("SELECT ?s { ?s !<x:p1> ?o }")) == 39 + i
        graph.add((URIRef("x:s"), URIRef("x:p1"), URIRef(f"x:o{i}")))
        graph.add((URIRef("x:s"), URIRef(f"x:q{i}"), URIRef("x:o")))
        graph.remove((URIRef("x:s"), URIRef("x:p1"), URIRef(f"x:o{i}")))
