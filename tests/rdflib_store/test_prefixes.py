"""rdflib's bindings in a knowledge base's namespaces."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
from rdflib import Graph, URIRef

from rdfinc.plugins import RdfincStore


@pytest.fixture
def _quick_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_quick_switches")
def test_reading_while_others_bind() -> None:
    store = RdfincStore(profile="none")
    for number in range(200):
        store.bind(f"a{number}", URIRef(f"urn:a{number}:"))
    done = threading.Event()

    def bind() -> None:
        for number in range(500):
            store.bind(f"b{number}", URIRef(f"urn:b{number}:"))
            store.bind(f"c{number}", URIRef(f"urn:b{number}:"))
        done.set()

    writer = threading.Thread(target=bind)
    writer.start()
    while not done.is_set():
        assert store.prefix(URIRef("urn:a199:")) == "a199"
        assert store.prefix(URIRef("urn:none:")) is None
        assert len(list(store.namespaces())) >= 200
    writer.join()
    assert len(list(store.namespaces())) == 700


def test_what_was_looked_up_is_looked_up_again_when_others_bind() -> None:
    store = RdfincStore()
    store.bind("a", URIRef("urn:x:"))
    assert store.prefix(URIRef("urn:x:")) == "a"
    del store.kb.namespaces["a"]
    assert store.prefix(URIRef("urn:x:")) is None
    store.kb.bind("b", "urn:x:")
    assert store.prefix(URIRef("urn:x:")) == "b"
    store.bind("b", URIRef("urn:y:"), override=True)
    assert store.prefix(URIRef("urn:x:")) is None and store.prefix(URIRef("urn:y:")) == "b"


TWO = "@prefix {} <http://s/> . @prefix {} <http://s/> . :a :b :c ."
XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://s/"
  xmlns:a="http://s/"><rdf:Description rdf:about="http://s/a"><z:b/></rdf:Description></rdf:RDF>"""


@pytest.mark.parametrize("store", ["Memory", "rdfinc"])
@pytest.mark.parametrize(
    ("document", "format", "kept"),
    [
        (TWO.format("ex:", ":"), "turtle", ""),
        (TWO.format(":", "ex:"), "trig", "ex"),
        (TWO.format("ex:", ":"), "n3", ""),
        (TWO.format("ex:", ":") + ' :a :b "prefix ex: here" . # PREFIX ex: there', "turtle", ""),
        (XML, "xml", "z"),
    ],
    ids=["turtle", "trig", "n3", "comments", "xml"],
)
def test_of_two_prefixes_for_a_namespace_the_one_stays_that_rdflib_keeps(
    store: str, document: str, format: str, kept: str
) -> None:
    graph = Graph(store)
    graph.parse(data=document, format=format)
    assert [prefix for prefix, iri in graph.namespaces() if str(iri) == "http://s/"] == [kept]


def test_documents_in_other_encodings_may_have_two_prefixes_for_a_namespace(tmp_path) -> None:
    file, graph = tmp_path / "latin.rdf", Graph("rdfinc")
    beginning = "<?xml version='1.0' encoding='iso-8859-1'?>"
    text = XML.replace("<z:b/>", "<z:b>a prefix caf\xe9: xmlns:caf\xe9=''</z:b>")
    file.write_bytes((beginning + text).encode("latin-1"))
    graph.parse(file, format="xml")
    assert len(graph) == 1
    assert [prefix for prefix, iri in graph.namespaces() if str(iri) == "http://s/"] == ["z"]
