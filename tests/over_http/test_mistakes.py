"""What bad requests get: a status of the protocol and one sentence, never a traceback."""

from __future__ import annotations

from typing import Any

import pytest

from over_http.asking import Client
from over_http.places import EX, client, places

QUERY, UPDATE = "application/sparql-query", "application/sparql-update"
FORM = "application/x-www-form-urlencoded"
READ_ONLY = "this server is read-only: start it with --update to change data"

MISTAKES: list[tuple[str, str, dict[str, str], bytes, int, str]] = [
    ("GET", "/sparql?query=SELECT%20*%20%7B", {}, b"", 400,
     "line 1, column 11: Expected a pattern or '}', found end of text"),
    ("GET", "/sparql?query=SELECT%20*%0A%7B%20?x%20y:p%201%20%7D", {}, b"", 400,
     "line 2, column 6: Unknown namespace prefix : y"),
    ("GET", "/sparql?query=a&query=b", {}, b"", 400,
     "the parameter query is given 2 times: send one"),
    ("GET", "/sparql?query=%FF", {}, b"", 400, "the parameters are no UTF-8"),
    ("GET", "/sparql?update=CLEAR%20ALL", {}, b"", 405, "an update is sent by POST"),
    ("GET", "/sparql?query=ASK%7B%7D", {"Accept": "image/png"}, b"", 406,
     "the answer is to be had as application/sparql-results+json, application/sparql-results+xml, "
     "application/json, application/xml, text/xml, not as image/png"),
    ("GET", "/sparql?query=ASK%7BSERVICE%20%3Chttp://x.org/%3E%7B?s%20?p%20?o%7D%7D", {}, b"", 403,
     "SERVICE <http://x.org/> is closed here: this server reads its own data only"),
    ("POST", "/sparql", {}, b"ASK {}", 415,
     f"what tells no Content-Type is not taken here: send {QUERY}, {UPDATE} or {FORM}"),
    ("POST", "/sparql", {"Content-Type": f"{QUERY}; charset=utf-16"}, b"ASK {}", 415,
     "texts are UTF-8 here, not utf-16"),
    ("POST", "/sparql", {"Content-Type": QUERY}, b"ASK {} # \xff", 400,
     "the body is no UTF-8 at byte 9"),
    ("POST", "/sparql", {"Content-Type": QUERY, "Content-Encoding": "gzip"}, b"x", 415,
     "bodies are sent as they are here, not in the coding gzip"),
    ("POST", "/sparql", {"Content-Type": FORM}, b"x=1", 400,
     "a form has a parameter query, or a parameter update"),
    ("POST", "/update", {"Content-Type": QUERY}, b"ASK {}", 400,
     "updates are taken here, queries at /sparql"),
    ("POST", "/update", {"Content-Type": UPDATE}, b"CLEAR", 400,
     "line 1, column 6: Expected GRAPH or DEFAULT or NAMED or ALL, found end of text"),
    ("POST", "/update", {"Content-Type": UPDATE}, b"LOAD <http://x.org/>", 403,
     "LOAD <http://x.org/> is closed here: this server reads its own data only"),
    ("POST", "/update", {"Content-Type": UPDATE}, b"LOAD <file:///etc/passwd>", 403,
     "LOAD <file:///etc/passwd> is closed here: this server reads its own data only"),
    ("POST", "/update", {"Content-Type": UPDATE}, b"COPY <x:none> TO <x:some>", 400,
     "COPY: there is no graph <x:none>; COPY SILENT passes over it"),
    ("POST", "/update", {"Content-Type": UPDATE},
     b"INSERT DATA { GRAPH <urn:rdfinc:derived> { <a:a> <a:b> <a:c> } }", 403,
     "urn:rdfinc:derived is a read-only view; state facts in another graph"),
    ("GET", "/graphs", {}, b"", 400,
     "name one graph: /graphs?default, /graphs?graph=IRI or /graphs/NAME"),
    ("GET", "/graphs?graph=x%20y", {}, b"", 400,
     "<x y> is no absolute IRI"),
    ("GET", f"/graphs?graph={EX}none", {}, b"", 404, f"there is no graph <{EX}none>"),
    ("DELETE", "/graphs/none", {}, b"", 404, "there is no graph <http://localhost/graphs/none>"),
    ("PUT", "/graphs/new", {"Content-Type": "text/html"}, b"x", 415,
     "text/html is not taken here: send text/turtle, application/n-triples, application/rdf+xml, "
     "application/ld+json, or a form of them"),
    ("PUT", "/graphs/new", {"Content-Type": "text/turtle"}, b"<a:a> <a:b>\n<a:c> ; ; , .", 400,
     "line 2: "),
    ("GET", "/nothing", {}, b"", 404,
     "there is nothing at /nothing: the protocols are at /sparql, /update and /graphs"),
    ("PATCH", "/sparql", {}, b"", 405, "PATCH is not for /sparql, which takes "),
]  # fmt: skip


@pytest.fixture(scope="module")
def asked() -> Client:
    return client(update=True)


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status", "sentence"),
    MISTAKES,
    ids=lambda value: str(value)[:40],
)
def test_a_mistake_is_told_in_one_sentence(
    asked: Client,
    method: str,
    path: str,
    headers: dict[str, str],
    body: bytes,
    status: int,
    sentence: str,
) -> None:
    got = asked.ask(method, path, headers, content=body)
    assert got.status_code == status, got.text
    assert got.text.startswith(sentence), got.text
    assert got.text.count("\n") == 1 and got.text.endswith("\n")
    assert got.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert got.headers["X-Content-Type-Options"] == "nosniff"


CHANGES: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "/update", {"data": {"update": "CLEAR ALL"}}),
    ("POST", "/sparql", {"data": {"update": "CLEAR ALL"}}),
    ("PUT", "/graphs?default", {"content": b"", "headers": {"Content-Type": "text/turtle"}}),
    ("POST", "/graphs", {"content": b"", "headers": {"Content-Type": "text/turtle"}}),
    ("DELETE", "/graphs?default", {}),
]


@pytest.mark.parametrize(("method", "path", "sent"), CHANGES)
def test_nothing_changes_unless_it_is_allowed(method: str, path: str, sent: dict[str, Any]) -> None:
    kb = places()
    got = client(kb).ask(method, path, **sent)
    assert (got.status_code, got.text) == (403, f"{READ_ONLY}\n")
    assert set(kb) == set(places())


def test_what_is_refused_changes_nothing() -> None:
    kb = places()
    asked = client(kb, update=True)
    before, prefixes = set(kb), dict(kb.namespaces)
    text = f"INSERT DATA {{ <{EX}a> <{EX}b> <{EX}c> }} ; LOAD <http://x.org/>"
    assert asked.ask("POST", "/update", data={"update": text}).status_code == 403
    turtle = b"@prefix new: <x:> . <a:a> <a:b> <a:c> . <a:a> ."
    got = asked.ask("PUT", "/graphs?default", {"Content-Type": "text/turtle"}, content=turtle)
    assert got.status_code == 400
    assert (set(kb), kb.namespaces) == (before, prefixes)
    assert asked.ask("GET", "/graphs?graph=x:none").status_code == 404


def test_what_contradicts_the_ontology_is_refused_where_that_is_asked_for() -> None:
    import rdfinc

    kb = rdfinc.KnowledgeBase(on_violation="raise")
    kb.load(b"<a:A> <http://www.w3.org/2002/07/owl#disjointWith> <a:B> .", format="nt")
    got = client(kb, update=True).ask(
        "POST", "/update", data={"update": "INSERT DATA { <a:x> a <a:A>, <a:B> }"}
    )
    assert got.status_code == 409
    assert got.text.startswith("it would contradict the ontology, so nothing was changed: ")
    assert len(kb) == 1


def test_a_fault_of_the_server_is_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    kb = places()
    asked = client(kb)
    kb._namespaces = None  # type: ignore[assignment]
    got = asked.ask("GET", "/sparql?query=ASK%7B%7D")
    assert got.status_code == 500
    assert got.text == "this is a fault of the server, whose log tells more: please report it\n"
    assert "TypeError" in caplog.text


@pytest.mark.parametrize("name", ["default-graph-uri", "named-graph-uri"])
def test_a_graph_of_a_query_that_is_no_iri(name: str) -> None:
    got = client().ask("GET", "/sparql", params={"query": "ASK {}", name: "nothing"})
    assert got.status_code == 400 and "<nothing> is no absolute IRI" in got.text


def test_a_graph_of_an_update_that_is_no_iri() -> None:
    asked = {"update": "DELETE WHERE { ?a ?b ?c }", "using-graph-uri": "nothing"}
    assert client(update=True).ask("POST", "/update", data=asked).status_code == 400


def test_an_empty_field_names_no_graph() -> None:
    got = client().ask(
        "GET", "/sparql", params={"query": "ASK { ?s ?p ?o }", "default-graph-uri": ""}
    )
    assert got.json()["boolean"]
