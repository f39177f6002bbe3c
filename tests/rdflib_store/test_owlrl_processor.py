"""`processor="owlrl"` and `"rdfs"`, for queries and updates, over any store."""

from __future__ import annotations

import pytest
from rdflib import Graph
from rdflib_store.names import ANIMAL, ANN, CAT, CLOSURE, EX, G1, KNOWS, STATED, SUB, TOM, TYPE

from rdfinc.plugins import RdfincStore

AXIOMS = f"<{CAT}> <{SUB}> <{ANIMAL}> ."
STORES = {
    "memory": lambda: "default",
    "live": RdfincStore,
    "plain": lambda: RdfincStore(profile="none"),
}


@pytest.fixture(params=STORES)
def data(request: pytest.FixtureRequest) -> Graph:
    return Graph(STORES[request.param]()).add((TOM, TYPE, CAT))


@pytest.fixture(params=["owlrl", "rdfs"])
def processor(request: pytest.FixtureRequest) -> str:
    return request.param


def test_the_consequences(data: Graph, processor: str) -> None:
    data.add((CAT, SUB, ANIMAL))
    found = data.query("", processor=processor)
    assert found.type == "CONSTRUCT"
    assert (TOM, TYPE, ANIMAL) in found.graph
    assert not STATED & set(found.graph)


def test_with_axioms_as_text(data: Graph) -> None:
    found = data.query(AXIOMS, processor="owlrl").graph
    assert (TOM, TYPE, ANIMAL) in found
    assert (CAT, SUB, ANIMAL) in data


def test_with_axioms_as_a_graph(data: Graph) -> None:
    axioms = Graph().parse(data=AXIOMS, format="turtle")
    assert (TOM, TYPE, ANIMAL) in data.query(axioms, processor="owlrl").graph


@pytest.mark.parametrize("text", [AXIOMS, "@prefix : <http://example.org/> . " + AXIOMS])
def test_updates_make_the_consequences_show(data: Graph, text: str, processor: str) -> None:
    data.update(text, processor=processor)
    assert set(data) >= CLOSURE


def test_an_empty_update(data: Graph) -> None:
    data.add((CAT, SUB, ANIMAL))
    data.update("", processor="owlrl")
    assert set(data) >= CLOSURE


def test_rdfs_knows_nothing_of_owl(processor: str) -> None:
    data = Graph().add((TOM, KNOWS, ANN))
    axiom = f"<{KNOWS}> a <http://www.w3.org/2002/07/owl#SymmetricProperty> ."
    found = data.query(axiom, processor=processor).graph
    assert ((ANN, KNOWS, TOM) in found) == (processor == "owlrl")


def test_live_graphs_stay_explicit_as_they_are(processor: str) -> None:
    graph = Graph(store="rdfinc").add((TOM, TYPE, CAT))
    graph.update(AXIOMS, processor=processor)
    assert set(graph.store.kb.explicit) == STATED
    graph.remove((CAT, SUB, ANIMAL))
    assert set(graph) == {(TOM, TYPE, CAT)}


def test_a_named_graph_is_reasoned_over_by_itself() -> None:
    store = RdfincStore()
    default, named = Graph(store), Graph(store, G1)
    default.add((CAT, SUB, ANIMAL)).add((ANN, TYPE, CAT))
    named.add((TOM, TYPE, CAT)).add((TOM, KNOWS, EX.x))
    assert (TOM, TYPE, ANIMAL) not in named.query("", processor="owlrl").graph
    assert (TOM, TYPE, ANIMAL) in named.query(AXIOMS, processor="owlrl").graph
