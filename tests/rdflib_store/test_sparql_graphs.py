"""GRAPH: named graphs that there are not, and all of them at once."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox
import pytest
from rdflib import Dataset, URIRef

from rdfinc.plugins import RdfincStore
from rdfinc.plugins.sparql import joins

QUADS = "\n".join(
    f"<x:s{g * 5 + i % 5}> <x:{'pqr'[i % 3]}> {f'<x:s{i}>' if i % 2 else i} <x:g{g}> ."
    for g in range(6)
    for i in range(9)
).replace(" 0 ", ' "0" ')
QUADS = "".join(f"{line}\n" for line in QUADS.split("\n")) + "<x:s1> <x:p> <x:s2> .\n"
PARTS = [
    "?s ?p ?o", "<x:s7> ?p ?o", "?s <x:p> ?o", "?s <x:p> <x:s3>", "?s ?p ?s", "<x:s7> <x:p> ?o",
    "?s <x:p> ?o . ?s <x:q> ?x", "?s <x:p> ?o . ?o <x:q> ?x",
    "?s <x:p> ?o OPTIONAL { ?o <x:q> ?x }", "?s <x:p> ?o MINUS { ?o <x:q> ?x }",
    "?s <x:p> ?o MINUS { ?y <x:q> ?s }", "{ ?s <x:p> ?o } UNION { ?s <x:q> ?o }",
    "?s <x:p> ?o FILTER(isIRI(?o))", "?s <x:p> ?o BIND(STR(?o) AS ?x)",
    "?s <x:p> ?o FILTER(BOUND(?g))", "?s <x:p> ?o BIND(?g AS ?x)", "?g ?p ?o",
    "?s <x:p> ?o FILTER EXISTS { ?o <x:q> ?x }", "?s <x:p>/<x:q> ?o", "?s <x:p>* <x:s3>",
    "SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s", "VALUES ?s { <x:s7> } ?s ?p ?o", "",
]  # fmt: skip
AROUND = [
    "GRAPH ?g {{ {} }}",
    "GRAPH ?g {{ {} }} GRAPH ?h {{ ?s <x:q> ?z }}",
    "VALUES ?g {{ <x:g1> <x:g2> <x:none> 1 }} GRAPH ?g {{ {} }}",
    "?s <x:p> ?z GRAPH ?g {{ {} }}",
    "VALUES (?g ?s) {{ (UNDEF <x:s7>) (<x:g2> UNDEF) }} GRAPH ?g {{ {} }}",
    "?a <x:p> ?b FILTER EXISTS {{ GRAPH ?g {{ {} }} }}",
]


UNLIKE = ["EXISTS", "BOUND", "BIND(?g", "GRAPH ?g { SELECT"]
"""Where Oxigraph hands the name down into the part, or loses it."""


@pytest.fixture(scope="module")
def stores() -> tuple[Dataset, ox.Store]:
    """The same quads in ours and in Oxigraph's."""
    ours, theirs = Dataset(RdfincStore(profile="none")), ox.Store()
    text = QUADS.replace(" 1 ", ' "1" ')
    ours.parse(data=_quoted(text), format="nquads")
    theirs.load(_quoted(text).encode(), format=ox.RdfFormat.N_QUADS)
    return ours, theirs


def _quoted(text: str) -> str:
    words = (line.split() for line in text.splitlines())
    return "".join(
        " ".join(f'"{word}"' if word.isdigit() else word for word in line) + "\n" for line in words
    )


def rows(result: Any) -> list[Any]:
    return sorted(sorted((str(v), term.n3()) for v, term in row.items()) for row in result.bindings)


def of_oxigraph(store: ox.Store, text: str) -> list[Any]:
    found: Any = store.query(text)
    names = [variable.value for variable in found.variables]
    bound = ([(n, str(t)) for n, t in zip(names, row, strict=True) if t] for row in found)
    return sorted(map(sorted, bound))


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("part", PARTS)
def test_all_graphs_are_asked_as_each_of_them(stores, monkeypatch, part, around):
    ours, theirs = stores
    text = f"SELECT * {{ {around.format(part)} }}"
    found = rows(ours.query(text))
    monkeypatch.setattr(joins, "has_column", lambda part, name: False)
    assert found == rows(ours.query(text))
    if not any(word in text for word in UNLIKE):
        assert found == of_oxigraph(theirs, text)


def test_no_graph_is_looked_at_by_itself(stores, monkeypatch):
    ours, _ = stores

    def refused(*_: Any) -> Any:
        raise AssertionError("a loop over graphs")

    monkeypatch.setattr(joins, "_in_each", refused)
    for text in (
        "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g",
        "SELECT * { GRAPH ?g { <x:s7> ?p ?o } }",
        "SELECT * { GRAPH ?g { ?s <x:p> ?o } GRAPH ?h { ?s <x:q> ?x } }",
    ):
        assert ours.query(text).bindings, text


def test_graphs_are_as_they_are_now():
    ds = Dataset(RdfincStore(profile="none"))
    count = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s <x:p> ?o } }"

    def counted() -> int:
        ((number,),) = ds.query(count)
        return int(number)

    for i in range(3):
        ds.graph(URIRef("x:g")).add((URIRef(f"x:{i}"), URIRef("x:p"), URIRef("x:o")))
        ds.graph(URIRef("x:h")).add((URIRef("x:0"), URIRef("x:p"), URIRef(f"x:{i}")))
        assert counted() == 2 * (i + 1)
    pinned = ds.query("SELECT * { GRAPH ?g { ?s <x:p> ?o } }")
    twin = ds.store.kb.copy()
    ds.update("DELETE WHERE { GRAPH <x:g> { ?s <x:p> ?o } }")
    assert counted() == 3
    assert len(pinned) == 6
    assert len(Dataset(RdfincStore(twin)).query(count).bindings) == 1
    ds.remove_graph(URIRef("x:h"))
    assert counted() == 0


@pytest.mark.parametrize(
    "part", ["", "BIND(1 AS ?x)", "OPTIONAL { ?s ?p ?o }", "<x:a> <x:p>* ?x", "VALUES ?x { 1 }"]
)
def test_nothing_is_found_in_a_graph_that_there_is_not(stores, part):
    ours, _ = stores
    assert rows(ours.query(f"SELECT * {{ GRAPH <x:none> {{ {part} }} }}")) == []
    chosen = f"SELECT * FROM NAMED <x:g1> {{ GRAPH <x:g2> {{ {part} }} }}"
    assert rows(ours.query(chosen)) == []


def test_an_empty_graph_that_is_remembered_is_a_graph():
    ds = Dataset(RdfincStore(profile="none"))
    ds.update("CREATE GRAPH <x:g>")
    assert rows(ds.query("SELECT * { GRAPH <x:g> { BIND(1 AS ?x) } }"))
