"""Every release of rdflib from 7.1 to the coming 8: what they have under different names.

Where the installed rdflib has not what a release has, it is given it.
"""

from __future__ import annotations

import warnings

import pytest
from rdflib import BNode, Dataset, Graph
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, ConjunctiveGraph
from rdflib.term import Identifier
from rdflib_store.names import ANIMAL, ANN, EX, G1, G2, KNOWS, TOM, TYPE, default_graph

from rdfinc.plugins import RdfincStore

TRIG = "@prefix : <http://a/> . :g { :s :p :o } _:g { :s :p :q }"
WHOM = "SELECT ?g ?s { GRAPH ?g { ?s ?p ?o } }"


@pytest.fixture
def named_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms have an `identifier`, a str, as in rdflib 8."""
    monkeypatch.setattr(Identifier, "identifier", property(str), raising=False)


@pytest.fixture
def without_old_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Dataset has none of the names that rdflib 8 takes away, nor those that 7.1 has not yet."""
    for name in ("default_context", "contexts", "graphs", "default_graph"):
        monkeypatch.delattr(Dataset, name, raising=False)


@pytest.mark.usefixtures("named_terms")
@pytest.mark.parametrize("name", [G1, BNode("g")])
def test_contexts_by_name_where_terms_have_identifiers(name: Identifier) -> None:
    assert name.identifier == str(name)
    store = RdfincStore()
    store.add((TOM, KNOWS, ANN), name)
    assert set(Graph(store, name)) == {(TOM, KNOWS, ANN)}
    assert [triple for triple, _ in store.triples((None, None, None), name)] == [(TOM, KNOWS, ANN)]
    assert store.__len__(name) == 1
    assert store.has_graph(name)
    store.remove((None, None, None), name)
    assert store.__len__(name) == 0


@pytest.mark.usefixtures("named_terms")
@pytest.mark.parametrize("name", [G1, DATASET_DEFAULT_GRAPH_ID])
def test_remove_graph_by_name_where_terms_have_identifiers(name: Identifier) -> None:
    dataset = Dataset("rdfinc")
    dataset.add((TOM, KNOWS, ANN, name)).add((ANN, KNOWS, TOM, G2))
    dataset.remove_graph(name)
    assert {quad[:3] for quad in dataset.quads()} == {(ANN, KNOWS, TOM)}
    dataset.store.remove_graph(G2)
    assert not set(dataset.quads())
    assert not dataset.store.has_graph(G2)


@pytest.mark.usefixtures("named_terms")
def test_facts_name_their_graph_where_terms_have_identifiers(split: Dataset) -> None:
    kb = split.store.kb
    kb.update(insert=[(TOM, KNOWS, ANN, Graph(identifier=G1)), (ANN, KNOWS, TOM, G2)])
    assert (TOM, KNOWS, ANN) in split.graph(G1)
    assert (ANN, KNOWS, TOM) in split.graph(G2)


@pytest.mark.usefixtures("without_old_names")
def test_sparql_over_a_dataset_needs_no_name_that_some_releases_lack(split: Dataset) -> None:
    derived = set(default_graph(split))
    assert {row.g for row in split.query(WHOM)} == {G1, G2}
    assert {row.g for row in split.query("SELECT ?g { GRAPH ?g { } }")} == {G1, G2}
    split.update(f"INSERT {{ GRAPH <{EX.g3}> {{ ?s ?p ?o }} }} WHERE {{ ?s ?p ?o }}")
    assert set(split.graph(EX.g3)) == derived == {(TOM, TYPE, ANIMAL)}
    split.update(f"WITH <{G1}> DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o }}")
    assert not set(split.graph(G1))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_conjunctive_graph_has_its_own_default_graph() -> None:
    graph = ConjunctiveGraph("rdfinc")
    graph.get_context(G1).add((TOM, KNOWS, ANN))
    graph.add((ANN, KNOWS, TOM))
    assert {row.g for row in graph.query(WHOM)} == {G1}


def test_nothing_of_rdflib_is_used_that_warns() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        dataset = Dataset("rdfinc")
        for syntax in ("trig", "rdfinc-trig"):
            dataset.parse(data=TRIG, format=syntax)
            Dataset().parse(data="<http://a/s> <http://a/p> 1 .", format="rdfinc-turtle")
        dataset.query(WHOM)
        list(dataset.query("SELECT ?g { GRAPH ?g { } }"))
        dataset.update("INSERT { ?s ?s ?s } WHERE { ?s ?p ?o }")
        dataset.update("CLEAR ALL")
    ours = [w for w in told if "rdfinc" in w.filename or "plugins" in w.filename.split("/")[-3:]]
    assert not [str(w.message) for w in ours if "rdflib" not in w.filename]
