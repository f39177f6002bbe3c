"""Answers in the formats that are asked for, and graphs that come back as they were sent."""

from __future__ import annotations

import csv
import gc
import io
import json
import weakref
from typing import Any
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import BNode, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.query import Result
from rdflib.util import from_n3
from unit.terms.term_strategies import literals, named_nodes

import rdfinc
from over_http.asking import Client
from over_http.places import EX, client, places

JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
TURTLE = {"Content-Type": "text/turtle"}

HOSTILE = [
    URIRef("http://example.org/%3Cscript%3E"),
    URIRef("http://example.org/'&quot;%22;--"),
    URIRef("javascript:alert(1)"),
    BNode(),
    Literal("</script><script>alert(1)</script>"),
    Literal('"\\\n\r\t,;&<>\'"'),
    Literal("\u202e\u2028\ufeff🙂 "),
    Literal("]]>", lang="en-us"),
    Literal('1"2', datatype=URIRef("http://example.org/d&t")),
    Literal(""),
    Literal(" leading, trailing "),
]


@pytest.fixture(scope="module")
def hostile() -> Client:
    kb = rdfinc.KnowledgeBase(profile="none")
    subject = URIRef("http://example.org/s")
    for number, term in enumerate(HOSTILE):
        kb.update(insert=[(subject, URIRef(f"http://example.org/p{number}"), term)])
    return client(kb)


def rows(asked: Client, media_type: str) -> Any:
    text = "SELECT ?p ?o ?none { ?s ?p ?o } ORDER BY STRLEN(STR(?p)) ?p"
    got = asked.ask("GET", "/sparql", {"Accept": media_type}, params={"query": text})
    assert got.status_code == 200
    assert got.headers["Content-Type"].partition(";")[0] == media_type
    return got


def terms_of(got: Any, media_type: str) -> list[Any]:
    """The second column."""
    if media_type == TSV:
        return [from_n3(line.split("\t")[1]) for line in got.text.split("\n")[1:-1]]
    form = "json" if media_type == JSON else "xml"
    return [row.o for row in Result.parse(io.BytesIO(got.content), format=form)]


@pytest.mark.parametrize("media_type", [JSON, XML, TSV])
def test_hostile_terms_come_back_whole(hostile: Client, media_type: str) -> None:
    found = terms_of(rows(hostile, media_type), media_type)
    for term, back in zip(HOSTILE, found, strict=True):
        assert isinstance(back, BNode) if isinstance(term, BNode) else back == term
        assert type(back) is type(term)


@settings(max_examples=10, deadline=None)
@given(st.lists(named_nodes | literals, min_size=50, max_size=100))
def test_random_terms_come_back_whole(drawn: list[Any]) -> None:
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.update(insert=[("<a:s>", "<a:p>", term) for term in drawn])
    text = {"query": "SELECT ?o { <a:s> <a:p> ?o }"}
    got = client(kb).ask("GET", "/sparql", {"Accept": JSON}, params=text).json()
    found = [row["o"] for row in got["results"]["bindings"]]
    assert {ox_term(each) for each in found} == {*drawn} and len(found) == len({*drawn})


def ox_term(record: dict[str, str]) -> Any:
    """The term that a cell of an answer in JSON is, as the W3C defines it."""
    if record["type"] == "uri":
        return ox.NamedNode(record["value"])
    datatype = record.get("datatype")
    return ox.Literal(
        record["value"],
        language=record.get("xml:lang"),
        datatype=ox.NamedNode(datatype) if datatype else None,
    )


def test_csv_has_the_texts(hostile: Client) -> None:
    got = rows(hostile, CSV)
    _, *lines = csv.reader(io.StringIO(got.text, newline=""))
    assert [line[1] for line in lines][4:] == [str(term) for term in HOSTILE[4:]]


@pytest.mark.parametrize("form", ["turtle", "nt", "xml", "json-ld"])
def test_hostile_terms_in_graphs(hostile: Client, form: str) -> None:
    media_type = {"turtle": "text/turtle", "nt": "application/n-triples"}.get(form)
    media_type = media_type or {"xml": "application/rdf+xml"}.get(form, "application/ld+json")
    text = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"
    got = hostile.ask("GET", "/sparql", {"Accept": media_type}, params={"query": text})
    assert got.status_code == 200
    whole = Graph()
    for number, term in enumerate(HOSTILE):
        whole.add((URIRef(f"{EX}s"), URIRef(f"{EX}p{number}"), term))
    back = rdfinc.KnowledgeBase(profile="none")
    back.load(got.content, format=form)
    assert isomorphic(Graph() + back.graph(), whole)


def test_what_xml_has_no_place_for_is_refused() -> None:
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.update(insert=[("<a:s>", "<a:p>", '"\\u0001"')])
    asked = client(kb)
    for text, accept in (("SELECT * { ?s ?p ?o }", XML), ("DESCRIBE <a:s>", "application/rdf+xml")):
        got = asked.ask("GET", "/sparql", {"Accept": accept}, params={"query": text})
        assert got.status_code == 406
        assert "XML has no character U+0001" in got.text
    got = asked.ask("GET", "/sparql", {"Accept": JSON}, params={"query": "SELECT * { ?s ?p ?o }"})
    assert got.json()["results"]["bindings"][0]["o"]["value"] == "\x01"


ACCEPTED = [
    (None, JSON),
    ("*/*", JSON),
    ("", JSON),
    ("text/csv", CSV),
    ("text/*", CSV),
    ("text/csv;q=0.5, application/sparql-results+xml;q=0.7", XML),
    ("application/sparql-results+json;q=0, */*;q=0.1", XML),
    ("application/json", "application/json"),
    ("text/html, */*;q=0.1", JSON),
    ("text/csv;q=nonsense, text/tab-separated-values;q=0.2", TSV),
]


@pytest.mark.parametrize(("accept", "media_type"), ACCEPTED)
def test_the_format_is_what_the_client_likes_best(accept: str | None, media_type: str) -> None:
    headers = {"Accept": accept} if accept is not None else {"Accept": ""}
    got = client().ask("GET", "/sparql", headers, params={"query": "SELECT * { ?s ?p ?o }"})
    assert got.headers["Content-Type"].partition(";")[0] == media_type
    assert got.headers["Vary"] == "Accept"


FORMATS = [
    (["csv"], "*/*", CSV),
    (["csv"], "text/html,*/*;q=0.8", CSV),
    (["TSV", TSV], "*/*", TSV),
    ([TSV, "tsv"], JSON, TSV),
    (["csv"], XML, XML),
    (["xml", "xml"], "", XML),
    (["unheard of"], "*/*", JSON),
    (["turtle"], "*/*", JSON),
    (["xml", "application/rdf+xml"], "*/*", XML),
]


@pytest.mark.parametrize(("names", "accept", "media_type"), FORMATS)
def test_a_link_may_name_formats(names: list[str], accept: str, media_type: str) -> None:
    """By media types, or by short names if the header names nothing that is to be had."""
    asked = {"query": "SELECT * { ?s ?p ?o }", "format": names}
    got = client().ask("GET", "/sparql", {"Accept": accept}, params=asked)
    assert got.headers["Content-Type"].partition(";")[0] == media_type


def test_rows_without_variables_and_without_values() -> None:
    asked = client()
    got = asked.ask("GET", "/sparql", params={"query": "SELECT * {}"})
    assert json.loads(got.text) == {"head": {"vars": []}, "results": {"bindings": [{}]}}
    got = asked.ask("GET", "/sparql", {"Accept": XML}, params={"query": "SELECT ?x {}"})
    assert len(ElementTree.fromstring(got.text)[1]) == 1
    got = asked.ask("GET", "/sparql", {"Accept": CSV}, params={"query": "SELECT ?x ?y {}"})
    assert got.text == "x,y\r\n,\r\n"
    got = asked.ask("GET", "/sparql", params={"query": "SELECT ?x { ?x <a:none> ?x }"})
    assert got.json()["results"]["bindings"] == []


def test_answers_are_those_of_the_knowledge_base() -> None:
    kb = places()
    text = "SELECT ?s ?p ?o { ?s ?p ?o }"
    got = client(kb).ask("GET", "/sparql", params={"query": text})
    found = Result.parse(io.BytesIO(got.content), format="json")
    assert sorted(map(tuple, found)) == sorted(map(tuple, kb.query(text)))


def test_what_is_known_by_prefix_needs_no_declaration() -> None:
    got = client().ask("GET", "/sparql", params={"query": "ASK { :louvre :locatedIn :europe }"})
    assert got.json() == {"head": {}, "boolean": True}


def test_graphs_come_back_as_they_were_sent_without_what_follows() -> None:
    asked = client(update=True)
    turtle = "@prefix : <http://example.org/> . :mona :locatedIn :louvre ; :by [ :name 'Leo' ] ."
    place = f"/graphs?graph={EX}art"
    assert asked.ask("PUT", place, TURTLE, content=turtle).status_code == 201
    sent, got = Graph().parse(data=turtle, format="turtle"), asked.ask("GET", place)
    assert isomorphic(Graph().parse(data=got.text, format="turtle"), sent)
    lines = {"Accept": "application/n-triples"}
    derived = asked.ask("GET", "/graphs?graph=urn:rdfinc:derived", lines)
    assert f"<{EX}mona> <{EX}locatedIn> <{EX}europe> ." in derived.text
    assert asked.ask("PUT", place, TURTLE, content=turtle).status_code == 204
    assert asked.ask("DELETE", place).status_code == 204
    assert asked.ask("GET", place).status_code == 404
    question = {"query": "ASK { :mona ?p ?o }"}
    assert not asked.ask("GET", "/sparql", params=question).json()["boolean"]


def test_the_head_of_an_answer() -> None:
    asked = client()
    got = asked.ask("HEAD", "/sparql", params={"query": "ASK {}"})
    assert got.status_code == 200 and not got.content
    assert asked.ask("HEAD", "/sparql", params={"query": "nonsense"}).status_code == 400


def test_an_empty_graph_is_there_until_it_is_deleted() -> None:
    asked = client(update=True)
    assert asked.ask("PUT", "/graphs/empty", TURTLE, content="").status_code == 201
    assert asked.ask("GET", "/graphs/empty").status_code == 200
    assert asked.ask("HEAD", "/graphs/empty").status_code == 200
    assert asked.ask("PUT", "/graphs/empty", TURTLE, content="").status_code == 204
    assert asked.ask("DELETE", "/graphs/empty").status_code == 204
    assert asked.ask("GET", "/graphs/empty").status_code == 404


def test_replacing_a_graph_is_one_step() -> None:
    kb = places()
    asked, deltas = client(kb, update=True), []

    class Hearing:
        def hear(self, delta: Any) -> None:
            deltas.append(delta)

    hearing = Hearing()
    kb._turns.hear(hearing.hear)
    changed = "@prefix : <http://example.org/> . :louvre :locatedIn :paris ."
    assert asked.ask("PUT", "/graphs?default", TURTLE, content=changed).status_code == 204
    (delta,) = deltas
    assert (
        URIRef(f"{EX}louvre"),
        URIRef(f"{EX}locatedIn"),
        URIRef(f"{EX}paris"),
    ) not in delta.removed
    assert len(kb) == 1


def test_updates_see_the_graphs_that_the_protocol_names() -> None:
    asked = client(update=True)
    asked.ask("PUT", "/graphs?graph=a:g", TURTLE, content="<a:s> <a:p> 1 .")
    asked.ask("PUT", "/graphs?graph=a:h", TURTLE, content="<a:s> <a:p> 2 .")
    text = "INSERT { GRAPH <a:i> { ?s <a:q> ?o } } WHERE { ?s <a:p> ?o }"
    sent = {"update": text, "using-graph-uri": "a:h"}
    assert asked.ask("POST", "/update", data=sent).status_code == 204
    got = asked.ask("GET", "/graphs?graph=a:i", {"Accept": "application/n-triples"})
    assert got.text == '<a:s> <a:q> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'


def test_the_service_describes_itself() -> None:
    sd = "http://www.w3.org/ns/sparql-service-description#"
    for update in (False, True):
        got = client(update=update).ask("GET", "/sparql", {"Accept": "application/rdf+xml"})
        graph = Graph().parse(data=got.content, format="xml")
        assert (None, URIRef(f"{sd}endpoint"), URIRef("http://localhost/sparql")) in graph
        language = URIRef(f"{sd}supportedLanguage"), URIRef(f"{sd}SPARQL11Update")
        assert ((None, *language) in graph) == update


def test_a_text_that_is_sent_again_is_answered_anew() -> None:
    kb = places()
    asked = client(kb, update=True)

    def rows(text: str) -> list[dict[str, Any]]:
        got = asked.ask("GET", "/sparql", params={"query": text})
        found: list[dict[str, Any]] = got.json()["results"]["bindings"]
        return found

    moment = "SELECT (STRUUID() AS ?i) (NOW() AS ?t) { FILTER EXISTS { ?x :locatedIn :europe } }"
    assert rows(moment) != rows(moment)
    inside = "SELECT ?x { ?x p:locatedIn :europe FILTER NOT EXISTS { ?x a p:City } }"
    kb.bind("p", EX)
    assert len(rows(inside)) == 2
    asked.ask("POST", "/update", data={"update": "INSERT DATA { :x :locatedIn :louvre }"})
    assert len(rows(inside)) == 3
    kb.bind("p", "http://example.org/other#")
    assert rows(inside) == []
    of_a_graph = {"query": inside.replace("p:", ":"), "default-graph-uri": "urn:rdfinc:explicit"}
    for _ in range(2):
        got = asked.ask("GET", "/sparql", params=of_a_graph)
        assert len(got.json()["results"]["bindings"]) == 1


def test_a_version_that_was_asked_is_held_no_longer() -> None:
    kb = places()
    asked, version = client(kb), weakref.ref(kb.reader())
    gc.collect()
    gc.disable()
    try:
        for text in (
            "ASK {}",
            "SELECT * { ?s ?p ?o }",
            "ASK { GRAPH ?g {} }",
            "CONSTRUCT WHERE { ?s ?p ?o }",
            "DESCRIBE :paris",
        ):
            assert asked.ask("GET", "/sparql", params={"query": text}).status_code == 200
        kb.update(insert=[(f"<{EX}a>", f"<{EX}b>", f"<{EX}c>")])
        assert version() is None
    finally:
        gc.enable()
