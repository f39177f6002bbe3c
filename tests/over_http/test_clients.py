"""The clients that Python's users have, against a real server."""

from __future__ import annotations

import io

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore, SPARQLUpdateStore

from over_http.places import EX, places
from over_http.serving import serving

PARIS, IN = URIRef(f"{EX}paris"), URIRef(f"{EX}locatedIn")


def test_rdflib_reads() -> None:
    with serving(places()) as address:
        graph = Graph(SPARQLStore(f"{address}/sparql"))
        assert (PARIS, IN, URIRef(f"{EX}europe")) in graph
        assert len(graph) == len(places())
        found = graph.query("SELECT ?x { ?x :locatedIn :europe }", initNs={"": EX})
        assert {str(row.x).removeprefix(EX) for row in found} == {"louvre", "paris", "france"}
        assert graph.query("ASK { ?x a <http://example.org/City> }").askAnswer


@pytest.mark.parametrize("method", ["POST", "POST_FORM"])
def test_rdflib_writes(method: str) -> None:
    kb = places()
    with serving(kb, update=True) as address:
        store = SPARQLUpdateStore(f"{address}/sparql", f"{address}/update", method=method)
        graph = Graph(store, URIRef(f"{EX}graph"))
        text = Literal('"; DROP ALL \\ \n</script>')
        graph.add((PARIS, URIRef(f"{EX}says"), text))
        assert (PARIS, URIRef(f"{EX}says"), text) in kb
        graph.remove((PARIS, None, None))
        assert (PARIS, None, None) not in graph
        assert (PARIS, IN, None) in kb.graph()  # which another graph states
        store.update("INSERT DATA { <a:a> <a:b> <a:c> } ; DELETE DATA { <a:a> <a:b> <a:c> }")
        assert (URIRef("a:a"), URIRef("a:b"), URIRef("a:c")) not in kb


def test_sparqlwrapper() -> None:
    wrapper = pytest.importorskip("SPARQLWrapper")
    with serving(places(), update=True) as address:
        client = wrapper.SPARQLWrapper(f"{address}/sparql", f"{address}/update")
        client.setMethod("POST")
        client.setQuery(f"INSERT DATA {{ <{EX}mona> <{EX}locatedIn> <{EX}louvre> }}")
        client.query()
        client.setMethod("GET")
        client.setQuery(f"SELECT ?x {{ <{EX}mona> <{EX}locatedIn> ?x }}")
        for form in (wrapper.JSON, wrapper.XML):
            client.setReturnFormat(form)
            found = client.query().convert()
            text = str(found) if form == wrapper.JSON else found.toxml()
            assert f"{EX}europe" in text
        client.setReturnFormat(wrapper.CSV)
        assert len(io.BytesIO(client.query().convert()).read().split()) == 5
        client.setReturnFormat(wrapper.TSV)
        assert len(client.query().convert().splitlines()) == 5
        client.setQuery(f"CONSTRUCT WHERE {{ <{EX}mona> ?p ?o }}")
        client.setReturnFormat(wrapper.TURTLE)
        assert len(Graph().parse(data=client.query().convert(), format="turtle")) == 4
        for form in (wrapper.JSONLD, wrapper.RDFXML):
            client.setReturnFormat(form)
            assert len(client.query().convert()) == 4
