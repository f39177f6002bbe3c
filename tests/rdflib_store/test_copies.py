"""deepcopy and pickle make an independent equal store; so does `kb.copy`."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from rdflib import Dataset, Graph, Literal
from rdflib_store.names import (
    ANIMAL,
    ANN,
    CAT,
    CLOSURE,
    EX,
    G1,
    KNOWS,
    STATED,
    TOM,
    TYPE,
    default_graph,
)

from rdfinc.plugins import RdfincStore


def pickled(graph: Graph) -> Graph:
    return pickle.loads(pickle.dumps(graph))


copies = pytest.mark.parametrize("copied", [copy.deepcopy, pickled])


@copies
def test_equal_and_independent(graph: Graph, copied) -> None:
    graph += STATED
    graph.bind("ex", EX)
    twin = copied(graph)
    assert set(twin) == set(graph) == CLOSURE
    assert twin == graph
    assert twin.store is not graph.store
    assert dict(twin.namespaces())["ex"] == EX[""]
    twin.add((ANN, TYPE, CAT))
    graph.remove((TOM, None, None))
    assert (ANN, TYPE, ANIMAL) in twin
    assert (TOM, TYPE, ANIMAL) in twin
    assert len(graph) == 1


@copies
def test_waiting_statements_are_copied(graph: Graph, copied) -> None:
    graph.add((TOM, KNOWS, ANN))
    twin = copied(graph)
    graph.remove((TOM, KNOWS, ANN))
    assert len(graph) == 0
    assert set(twin) == {(TOM, KNOWS, ANN)}


@copies
def test_datasets_rules_and_odd_statements(dataset: Dataset, copied) -> None:
    dataset.graph(G1).add((TOM, KNOWS, ANN))
    dataset.graph(EX.empty)
    dataset.add((Literal("odd"), KNOWS, TOM))
    dataset.store.kb.add_rules(f"[?y, <{KNOWS}>, ?x] :- [?x, <{KNOWS}>, ?y] .")
    twin = copied(dataset)
    assert set(twin) == set(dataset)
    assert len(set(twin)) == 3
    assert {g.identifier for g in twin.graphs()} == {g.identifier for g in dataset.graphs()}
    twin.graph(G1).add((CAT, KNOWS, TOM))
    assert (TOM, KNOWS, CAT) in default_graph(twin)
    assert len(dataset) == 3


@copies
def test_formulas(graph: Graph, copied) -> None:
    graph.parse(
        data="@prefix : <http://example.org/> . {:tom :knows ?x} :says {:a :b :c} .", format="n3"
    )
    twin = copied(graph)
    ((formula, _, said),) = twin
    assert set(said) == {(EX.a, EX.b, EX.c)}
    assert formula.store is said.store is twin.store
    assert len(formula) == 1


@copies
def test_the_copy_has_no_transaction_and_no_subscribers(graph: Graph, copied) -> None:
    graph.store.dispatcher.subscribe(object, print)
    graph += STATED
    twin = copied(graph)
    twin.rollback()
    assert set(twin) == CLOSURE
    assert twin.store.dispatcher.get_map() is None


def test_a_copied_knowledge_base_is_independent(graph: Graph) -> None:
    graph += STATED
    graph.commit()
    twin = Graph(RdfincStore(graph.store.kb.copy()))
    twin.remove((None, None, None))
    assert len(twin) == 0
    assert set(graph) == CLOSURE


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x ?y { ?x <x:p> ?o OPTIONAL { ?x <x:none> ?y } } ORDER BY ?x",
        "SELECT (1 AS ?one) {}",
        "ASK { ?x <x:p> ?y }",
        "CONSTRUCT { ?x <x:q> ?o } WHERE { ?x <x:p> ?o }",
        "DESCRIBE <x:a>",
    ],
)
def test_answers_are_pickled_with_all_that_they_tell(text: str) -> None:
    graph = Graph(store="rdfinc")
    graph.update('INSERT DATA { <x:a> <x:p> "1", 2 . <x:b> <x:p> <x:a> }')
    answer = graph.query(text)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(answer))))
    assert again.type == answer.type and again.vars == answer.vars
    if answer.type in ("SELECT", "ASK"):
        assert str(again) == str(answer) and again._repr_html_() == answer._repr_html_()
    else:  # a graph has no order
        assert sorted(str(again).split("\n")) == sorted(str(answer).split("\n"))
        shown = (re.findall("<tr>.*?</tr>", each._repr_html_()) for each in (again, answer))
        assert len({tuple(sorted(rows)) for rows in shown}) == 1
    if answer.type == "SELECT":
        assert [*again] == [*answer] and again.serialize(format="json") == answer.serialize(
            format="json"
        )
        assert [row.asdict() for row in again] == [row.asdict() for row in answer]
    elif answer.type == "ASK":
        assert again.askAnswer is answer.askAnswer is True
    else:
        assert len(again) == len(answer) and {*again.graph} == {*answer.graph}
