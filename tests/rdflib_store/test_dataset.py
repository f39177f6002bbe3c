"""Datasets: the default graph, named graphs, virtual graphs, and what shows what."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest
from rdflib import BNode, Dataset, Graph, Literal, URIRef
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, ConjunctiveGraph
from rdflib.plugins.stores.memory import Memory
from rdflib.store import Store
from rdflib_store.names import (
    ANIMAL,
    ANN,
    CAT,
    CLOSURE,
    DERIVED,
    EX,
    EXPLICIT,
    G1,
    G2,
    KNOWS,
    STATED,
    SUB,
    TOM,
    TYPE,
    default_graph,
)

from rdfinc import KnowledgeBase, ReservedGraphError
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.rdflib.rdflib_versions import default_of

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def names(dataset: Dataset) -> set[URIRef]:
    return {graph.identifier for graph in dataset.graphs()}


def named(quad: tuple) -> tuple:
    """With one name for the default graph, which Memory calls None."""
    return (*quad[:3], quad[3] or DATASET_DEFAULT_GRAPH_ID)


def test_rules_read_all_graphs_and_write_none_of_the_named(split: Dataset) -> None:
    assert set(split.graph(G1)) == {(CAT, SUB, ANIMAL)}
    assert set(split.graph(G2)) == {(TOM, TYPE, CAT)}
    assert set(default_graph(split)) == {(TOM, TYPE, ANIMAL)}


def test_default_union_shows_the_closure(split: Dataset) -> None:
    union = Dataset(split.store, default_union=True)
    assert set(union.triples((None, None, None))) == CLOSURE
    assert set(split.triples((None, None, None))) == {(TOM, TYPE, ANIMAL)}
    assert (TOM, TYPE, CAT) in union
    assert len(union) == len(split) == 3


def test_quads_name_the_graphs_that_state(split: Dataset) -> None:
    split.add((TOM, TYPE, CAT))
    assert set(split) == {
        (CAT, SUB, ANIMAL, G1),
        (TOM, TYPE, CAT, G2),
        (TOM, TYPE, CAT, DATASET_DEFAULT_GRAPH_ID),
        (TOM, TYPE, ANIMAL, DATASET_DEFAULT_GRAPH_ID),
    }
    assert set(split.quads((None, None, CAT, G2))) >= {(TOM, TYPE, CAT, G2)}
    assert {g.identifier for g in split.graphs((TOM, TYPE, CAT))} >= {G2}


def test_a_fact_in_two_graphs_stands_until_both_withdraw_it(dataset: Dataset) -> None:
    one, two = dataset.graph(G1), dataset.graph(G2)
    dataset.add((CAT, SUB, ANIMAL))
    one.add((TOM, TYPE, CAT))
    two.add((TOM, TYPE, CAT))
    assert len(dataset) == 3
    one.remove((TOM, TYPE, CAT))
    assert not set(one)
    assert set(two) == {(TOM, TYPE, CAT)}
    assert (TOM, TYPE, ANIMAL) in default_graph(dataset)
    two.remove((TOM, None, None))
    assert len(dataset) == 1


def test_removing_without_a_graph_removes_everywhere(dataset: Dataset) -> None:
    for graph in (dataset.graph(G1), dataset.graph(G2), default_graph(dataset)):
        graph.add((TOM, KNOWS, ANN))
    dataset.remove((TOM, KNOWS, ANN))
    assert len(dataset) == 0
    dataset.add((TOM, KNOWS, ANN)).add((TOM, KNOWS, ANN, G1))
    dataset.remove((TOM, KNOWS, ANN, G1))
    assert set(default_graph(dataset)) == {(TOM, KNOWS, ANN)}


def test_empty_graphs_are_remembered(dataset: Dataset) -> None:
    dataset.graph(G1)
    dataset.graph(G2).add((TOM, KNOWS, ANN))
    dataset.graph(G2).remove((None, None, None))
    assert names(dataset) == {G1, G2, DATASET_DEFAULT_GRAPH_ID}
    dataset.remove_graph(G1)
    assert names(dataset) == {G2, DATASET_DEFAULT_GRAPH_ID}


def test_removing_a_graph_removes_what_it_states(split: Dataset) -> None:
    split.remove_graph(G1)
    assert set(split.triples((None, None, None))) == set()
    assert names(split) == {G2, DATASET_DEFAULT_GRAPH_ID}
    split.add((TOM, KNOWS, ANN))
    split.remove_graph(default_graph(split))
    assert set(split) == {(TOM, TYPE, CAT, G2)}


def test_virtual_graphs_are_read_and_never_listed(split: Dataset) -> None:
    assert set(split.graph(EXPLICIT)) == STATED
    assert set(split.graph(DERIVED)) == CLOSURE - STATED
    assert names(split) == {G1, G2, DATASET_DEFAULT_GRAPH_ID}
    assert "urn:rdfinc" not in split.serialize(format="trig")
    assert "urn:rdfinc" not in split.serialize(format="nquads")


@pytest.mark.parametrize("name", [EXPLICIT, DERIVED])
def test_virtual_graphs_are_not_written(dataset: Dataset, name: URIRef) -> None:
    with pytest.raises(ReservedGraphError):
        dataset.graph(name).add((TOM, KNOWS, ANN))
    with pytest.raises(ReservedGraphError):
        dataset.addN([(TOM, KNOWS, ANN, dataset.graph(name))])
    with pytest.raises(ReservedGraphError):
        dataset.remove_graph(name)
    with pytest.raises(ReservedGraphError):
        dataset.update(f"INSERT DATA {{ GRAPH <{name}> {{ <x:s> <x:p> <x:o> }} }}")
    with pytest.raises(ReservedGraphError):
        dataset.parse(data=f"<x:s> <x:p> <x:o> <{name}> .", format="nquads")
    assert len(dataset) == 0


def test_the_first_plain_graph_is_the_default_graph() -> None:
    graph = Graph(store="rdfinc")
    graph.add((TOM, KNOWS, ANN))
    dataset = Dataset(graph.store)
    assert set(default_graph(dataset)) == {(TOM, KNOWS, ANN)}
    assert names(dataset) == {DATASET_DEFAULT_GRAPH_ID}
    graph.store.kb.load(b"<x:s> <x:p> <x:o> .", format="nt")
    assert len(graph) == len(default_graph(dataset)) == 2
    default_graph(dataset).remove((TOM, None, None))
    assert set(graph) == {(URIRef("x:s"), URIRef("x:p"), URIRef("x:o"))}


def test_further_plain_graphs_are_graphs_of_their_own() -> None:
    first = Graph(store="rdfinc")
    second = Graph(first.store)
    first += STATED
    second.add((ANN, TYPE, CAT))
    assert set(second) == {(ANN, TYPE, CAT)}
    assert set(first) == CLOSURE | {(ANN, TYPE, ANIMAL)}
    assert names(Dataset(first.store)) == {second.identifier, DATASET_DEFAULT_GRAPH_ID}


def test_a_blank_node_named_graph_of_a_dataset_is_its_own(dataset: Dataset) -> None:
    name = BNode("g")
    dataset.graph(name).add((TOM, KNOWS, ANN))
    assert set(dataset.graph(name)) == {(TOM, KNOWS, ANN)}
    assert not set(default_graph(dataset))
    (listed,) = (graph for graph in dataset.graphs() if graph.identifier == name)
    assert set(listed) == {(TOM, KNOWS, ANN)}


DOCUMENT = """
@prefix : <http://example.org/> .
_:g { :tom :knows _:x }
:g1 { :ann :knows _:x . _:x :name "x"@en }
:Cat <http://www.w3.org/2000/01/rdf-schema#subClassOf> :Animal . :tom a :Cat .
"""


@pytest.mark.parametrize("format", ["trig", "rdfinc-trig"])
def test_trig_may_begin_with_a_blank_node_named_graph(dataset: Dataset, format: str) -> None:
    dataset.parse(data=DOCUMENT, format=format)
    assert set(default_graph(dataset)) == CLOSURE
    (own,) = (g for g in dataset.graphs() if isinstance(g.identifier, BNode))
    ((_, _, node),) = own
    assert (ANN, KNOWS, node) in dataset.graph(G1)
    assert (node, EX.name, Literal("x", lang="en")) in dataset.graph(G1)


@pytest.mark.parametrize("format", ["trig", "nquads", "trix", "json-ld"])
def test_saved_and_read_back(split: Dataset, format: str) -> None:
    split.bind("ex", EX)
    split.graph(G2).add((TOM, EX.age, Literal(3)))
    split.graph(G2).add((TOM, EX.name, Literal("Tom", lang="en")))
    text = split.serialize(format=format)
    for again in (Dataset("rdfinc"), Dataset()):
        again.parse(data=text, format=format)
        assert {named(quad) for quad in again} == {named(quad) for quad in split}


@pytest.mark.parametrize("format", ["nquads", "hext", "trig", "turtle"])
def test_parsing_keeps_what_is_there(format: str) -> None:
    fact = {"hext": '["x:s", "x:p", "x:o", "globalId", "", ""]'}.get(format, "<x:s> <x:p> <x:o> .")
    for graph in (Graph(store="rdfinc"), Dataset("rdfinc")):
        graph.add((TOM, KNOWS, ANN))
        graph.parse(data=fact, format=format)
        assert len(graph) == 2


def test_a_conjunctive_graph_lists_its_default_graph() -> None:
    graph = ConjunctiveGraph("rdfinc")
    graph.add((TOM, KNOWS, ANN))
    graph.get_context(G1).add((ANN, KNOWS, TOM))
    assert {c.identifier for c in graph.contexts()} == {graph.default_context.identifier, G1}
    assert {c.identifier for *_, c in graph.quads((TOM, None, None))} == {
        graph.default_context.identifier
    }
    assert len(graph) == len(set(graph)) == 2
    rows = graph.query("SELECT ?g { GRAPH ?g { ?s ?p ?o } }")
    assert {row.g for row in rows} == {G1}


def test_a_conjunctive_graph_lists_its_default_graph_once() -> None:
    graph = ConjunctiveGraph(RdfincStore(profile="none"))
    name = graph.default_context.identifier
    graph.parse(data='["x:a", "x:p", "x:b", "globalId", "", ""]', format="hext", publicID=name)
    assert [(context.identifier, len(context)) for context in graph.contexts()] == [(name, 1)]


def test_a_dataset_over_a_loaded_knowledge_base() -> None:
    kb = KnowledgeBase()
    kb.load(DOCUMENT.encode(), format="trig")
    dataset = Dataset(RdfincStore(kb))
    assert set(default_graph(dataset)) == CLOSURE
    assert len(list(dataset.graphs())) == 3


def test_graphs_keep_their_base(dataset: Dataset) -> None:
    dataset.graph(G1, base="http://example.org/base/").add((TOM, KNOWS, ANN))
    assert [g.base for g in dataset.graphs() if g.identifier == G1] == ["http://example.org/base/"]


@pytest.mark.parametrize("format", ["nquads", "trig", "INSERT DATA"])
def test_data_may_name_the_default_graph(dataset: Dataset, format: str) -> None:
    """Some releases of rdflib write its name."""
    name = f"<{DATASET_DEFAULT_GRAPH_ID}>"
    if format == "nquads":
        dataset.parse(data=f"<x:a> <x:p> <x:b> {name} .", format=format)
    elif format == "trig":
        dataset.parse(data=f"GRAPH {name} {{ <x:a> <x:p> <x:b> }}", format=format)
    else:
        dataset.update(f"INSERT DATA {{ GRAPH {name} {{ <x:a> <x:p> <x:b> }} }}")
    assert len(dataset.graph(DATASET_DEFAULT_GRAPH_ID)) == len(dataset.store.kb.explicit) == 1
    dataset.update(f"COPY GRAPH {name} TO <x:g>; CLEAR GRAPH {name}")
    assert [graph for *_, graph in dataset.quads()] == [URIRef("x:g")]


STATEMENT = (EX.tmp, EX.p, EX.b)


@pytest.mark.parametrize("store", [Memory, RdfincStore])
@pytest.mark.parametrize("kind", [Dataset, ConjunctiveGraph])
@pytest.mark.parametrize("used", [False, True])
def test_a_nameless_graph_beside_a_dataset_is_a_graph_of_its_own(
    store: type[Store], kind: type[ConjunctiveGraph], used: bool
) -> None:
    dataset = kind(store())
    if used:
        dataset.add((EX.keep, EX.p, EX.b))
    scratch = Graph(dataset.store, BNode())
    scratch.add(STATEMENT)
    assert set(scratch) == {STATEMENT}
    assert len(default_of(dataset)) == used
    assert scratch.identifier in {graph.identifier for graph in dataset.contexts()}
    scratch.remove((None, None, None))
    assert len(default_of(dataset)) == used
    assert not set(Graph(store=dataset.store))


@pytest.mark.parametrize("store", [Memory, RdfincStore])
@pytest.mark.parametrize("kind", [Dataset, ConjunctiveGraph])
def test_an_anonymous_graph_of_a_document_is_a_graph_of_its_own(
    store: type[Store], kind: type[ConjunctiveGraph]
) -> None:
    triple = "<triple><uri>urn:a</uri><uri>urn:b</uri><uri>urn:c</uri></triple>"
    xmlns = "http://www.w3.org/2004/03/trix/trix-1/"
    dataset = kind(store())
    dataset.parse(data=f'<TriX xmlns="{xmlns}"><graph>{triple}</graph></TriX>', format="trix")
    assert not len(default_of(dataset))
    assert len(list(dataset.query("SELECT ?g { GRAPH ?g { ?s ?p ?o } }"))) == 1
    assert dataset.serialize(format="nquads").count("urn:a") == 1


@pytest.mark.parametrize("format", ["trig", "nquads", "json-ld", "trix"])
def test_a_plain_graph_that_begins_with_a_document_is_the_default_graph(format: str) -> None:
    """Although rdflib's parsers make a Dataset over its store."""
    graph, data = Graph(RdfincStore()), Dataset()
    data.add((TOM, TYPE, CAT))
    data.add((CAT, SUB, ANIMAL))
    graph.parse(data=data.serialize(format=format), format=format)
    assert (TOM, TYPE, ANIMAL) in graph
    assert (TOM, TYPE, ANIMAL) in default_graph(Dataset(graph.store))


@pytest.mark.parametrize("store", [Memory, RdfincStore])
@pytest.mark.parametrize("later", [0, 1])
def test_a_nameless_graph_stays_a_graph_of_its_own_when_datasets_go(
    store: type[Store], later: int
) -> None:
    kept = store()
    dataset = Dataset(kept)
    dataset.add((TOM, TYPE, CAT))
    others = [Dataset(kept) for _ in range(later)]
    del dataset, others
    gc.collect()
    graph = Graph(kept)
    assert len(graph) == 0
    graph.remove((None, None, None))
    assert (TOM, TYPE, CAT) in default_graph(Dataset(kept))


@pytest.mark.parametrize("make", [lambda kb: kb.dataset(), lambda kb: Dataset(RdfincStore(kb))])
def test_a_nameless_graph_beside_the_dataset_of_a_knowledge_base(make) -> None:
    dataset = make(KnowledgeBase())
    dataset.add((TOM, TYPE, CAT))
    scratch = Graph(dataset.store, BNode())
    scratch.remove((None, None, None))
    assert len(scratch) == 0
    assert (TOM, TYPE, CAT) in dataset


def test_a_plain_graph_that_begins_with_an_update_is_the_default_graph() -> None:
    graph = Graph(RdfincStore())
    graph.update(f"INSERT DATA {{ {TOM.n3()} a {CAT.n3()} }}")
    assert (TOM, TYPE, CAT) in default_graph(Dataset(graph.store))
    assert (TOM, TYPE, CAT) in graph


def test_a_copy_of_a_conjunctive_graph_keeps_its_default_graph() -> None:
    graph = ConjunctiveGraph(RdfincStore())
    for each in (copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        each.add((TOM, TYPE, CAT))
        assert len(each.default_context) == 1
        assert (TOM, TYPE, CAT) in default_graph(Dataset(each.store))
