"""The W3C's tests of the SPARQL protocol and of the graph store protocol, where they are at hand,
against the server; those that are not passed stand here with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rdflib import Graph
from rdflib.compare import isomorphic
from w3c.http_exchanges import Described, Exchange, in_words
from w3c.manifests import ARCHIVE, MF, UT, stated_graphs, unpacked

import rdfinc
from over_http.asking import Client

pytest.importorskip("fastapi")

pytestmark = pytest.mark.skipif(not ARCHIVE.is_file(), reason="the W3C's tests are not here")

HOST = "www.example"
FOLDERS = {
    "protocol": ("manifest.ttl",),
    "graph-store-protocol": ("manifest-direct.ttl", "manifest-indirect.ttl"),
}
UNLIKE = {
    "put__default_graph": "the default graph is always there: 204 for it, not 201",
    "delete__existing_graph": "no test before it makes the graph that it deletes",
    "post__existing_graph": "its Turtle ends without a full stop",
    "get_of_post__existing_graph": "asks for less than was there before: the name that it added is"
    " to be missing, and a value is the one that an earlier test replaced",
    "post__multipart_formdata": "its Turtle ends without full stops",
    "get_of_post__multipart_formdata": "asks for what the two before it were to add",
}
"""Tests of `http-rdf-update`, all of which are deprecated in favour of `graph-store-protocol`."""


def client() -> Client:
    from rdfinc.plugins.server import Settings, app

    kb = rdfinc.KnowledgeBase(profile="none")
    return Client(app(kb, Settings(update=True, hosts=(HOST,))), HOST)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("w3c")) / "sparql" / "sparql11"


def answered(asked: Client, exchange: Exchange, places: dict[str, str]) -> Any:
    path = exchange.path.replace("/gsp", "/graphs", 1)
    for name, place in places.items():
        path = path.replace(name, place)
    got = asked.ask(exchange.method, path, exchange.headers, content=exchange.body)
    kinds = {got.status_code, got.status_code // 100}
    assert kinds & exchange.statuses, (exchange, got.status_code, got.text)
    if exchange.location:
        places[exchange.location] = got.headers["Location"]
    if exchange.turtle:
        expected = Graph().parse(data=exchange.turtle, format="turtle")
        assert isomorphic(Graph().parse(data=got.text, format="turtle"), expected), got.text
    if exchange.boolean is not None:
        assert got.json()["boolean"] == exchange.boolean, exchange
    if exchange.kind:
        kinds_told = {"boolean": "sparql-results", "tabular": "sparql-results", "RDF": "turtle"}
        assert kinds_told[exchange.kind] in got.headers["Content-Type"]
    return got


@pytest.mark.parametrize("folder", FOLDERS)
def test_described_exchanges(folder: str, suite: Path) -> None:
    count = 0
    for file in FOLDERS[folder]:
        manifest = Graph().parse(suite / folder / file, publicID=(suite / folder / file).as_uri())
        for node in sorted(set(manifest.subjects(MF.action))):
            asked, places = client(), dict[str, str]()
            for name, data in stated_graphs(manifest, node, UT):
                asked.ask("PUT", "/graphs", {"Content-Type": "application/n-triples"},
                          params={"graph": name}, content=data.read_bytes())  # fmt: skip
            for exchange in Described(manifest, manifest.value(node, MF.action)).exchanges():
                answered(asked, exchange, places)
            count += 1
    assert count == {"protocol": 34, "graph-store-protocol": 14}[folder]


def test_exchanges_in_words(suite: Path) -> None:
    asked, places, unlike = client(), dict[str, str](), set()
    for name, exchange in in_words(suite / "http-rdf-update"):
        try:
            answered(asked, exchange, places)
        except AssertionError:
            unlike.add(name)
    assert unlike == UNLIKE.keys()
