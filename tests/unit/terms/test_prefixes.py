"""Prefixes are checked where they are bound, and left out where a syntax has none such."""

from __future__ import annotations

import io
from typing import Any

import pyoxigraph as ox
import pytest
from rdflib import FOAF, Namespace, URIRef

from rdfinc import KnowledgeBase, TermError
from rdfinc.plugins import RdfincStore
from rdfinc.terms.io.formats import format_named

E = "http://e.org/"
FACT = URIRef(E + "s"), URIRef(E + "p"), URIRef(E + "o")

NO_PREFIX = [None, 5, "a b", "1", "x:", "_", "_x", "a.", "-a", "@id", "x\x01", "a\n", "é:", b"x"]
NO_IRI = [5, None, "foo bar", "", "rel", "<http://e.org/>", "#", "http://e.org/ "]
XML_ONLY = ["xml", "xmlns", "XMLa", "Ɂ", "😀"]
FINE = ["", "x", "é", "a.b", "a-b", "a1", "a_b", "rdf"]


@pytest.mark.parametrize("prefix", NO_PREFIX)
def test_an_invalid_prefix_is_refused(prefix: Any) -> None:
    kb = KnowledgeBase()
    with pytest.raises(TermError, match="is no prefix: write a letter"):
        kb.bind(prefix, E)
    assert kb.namespaces == {}


@pytest.mark.parametrize("iri", NO_IRI)
def test_an_invalid_iri_is_refused(iri: Any) -> None:
    kb = KnowledgeBase()
    with pytest.raises(TermError, match="give an absolute IRI"):
        kb.bind("x", iri)
    assert kb.namespaces == {}


@pytest.mark.parametrize("iri", [E, URIRef(E), Namespace(E), ox.NamedNode(E)])
def test_iris_in_any_form(iri: Any) -> None:
    kb = KnowledgeBase()
    kb.bind("", iri)
    assert kb.namespaces == {"": E}


def test_a_namespace_of_rdflib() -> None:
    kb = KnowledgeBase()
    kb.bind("foaf", FOAF)
    assert kb.namespaces == {"foaf": "http://xmlns.com/foaf/0.1/"}


@pytest.mark.parametrize("prefix", FINE + XML_ONLY)
def test_bound_prefixes_can_be_written_and_read_back(prefix: str) -> None:
    kb = KnowledgeBase("none")
    kb.bind(prefix, E)
    kb.update(insert=[FACT])
    for format in ("ttl", "trig", "n3", "xml", "json-ld"):
        assert read_back(kb, format) == [FACT]


@pytest.mark.parametrize("prefix", [p for p in NO_PREFIX if isinstance(p, str)])
def test_prefixes_that_only_rdflib_tolerates_are_left_out(prefix: str) -> None:
    kb = KnowledgeBase("none")
    store = RdfincStore(kb)
    store.bind(prefix, URIRef(E))
    store.bind("odd", URIRef("foo bar"))
    assert kb.namespaces[prefix] == E
    kb.update(insert=[FACT])
    for format in ("ttl", "trig", "n3", "xml", "json-ld"):
        assert read_back(kb, format) == [FACT]


@pytest.mark.parametrize(
    "iri", ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"]
)
def test_namespaces_of_xml_itself(iri: str) -> None:
    kb = KnowledgeBase("none")
    kb.bind("x", iri)
    kb.update(insert=[FACT])
    assert read_back(kb, "xml") == [FACT]


def read_back(kb: KnowledgeBase, format: str) -> list[Any]:
    stream = io.BytesIO()
    kb.dump(stream, format=format)
    list(ox.parse(stream.getvalue(), format=format_named(format)))
    again = KnowledgeBase("none")
    again.load(stream.getvalue(), format=format)
    return list(again)
