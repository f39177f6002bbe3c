"""What users may hand in as a term, a graph, a fact."""

from __future__ import annotations

import subprocess
import sys

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from rdflib.namespace import FOAF, XSD
from unit.terms.term_strategies import key, terms

from rdfinc.errors import TermError, UnsupportedError
from rdfinc.plugins.rdflib.rdflib_versions import default_of
from rdfinc.terms.io.convert import graph_key, key_of, pattern_key, statement_keys

A, B = rdflib.URIRef("a:a"), rdflib.URIRef("a:b")


@given(terms)
def test_pyoxigraph_terms_and_ntriples_texts_agree(term) -> None:
    assert key_of(term) == key_of(str(term)) == key(term)


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (rdflib.URIRef("http://e.org/"), b"<http://e.org/>"),
        (rdflib.URIRef("with space"), b"<with space>"),
        (FOAF.name, b"<http://xmlns.com/foaf/0.1/name>"),
        (rdflib.BNode("b"), b"_:b"),
        (rdflib.Literal("a"), b'"a"'),
        (rdflib.Literal("a", datatype=XSD.string), b'"a"'),
        (rdflib.Literal("a", lang="EN-gb"), b'"a"@en-gb'),
        (rdflib.Literal('q"\n'), b'"q\\"\\n"'),
        (rdflib.Literal(5), b'"5"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        (
            rdflib.Literal("01", datatype=XSD.integer, normalize=False),
            b'"01"^^<http://www.w3.org/2001/XMLSchema#integer>',
        ),
        (type("Mine", (rdflib.URIRef,), {})("a:mine"), b"<a:mine>"),
        (type("Text", (str,), {})("<a:b>"), b"<a:b>"),
    ],
)
def test_keys(term: object, expected: bytes) -> None:
    assert key_of(term) == expected
    assert pattern_key(term) == expected


def test_a_wildcard() -> None:
    assert pattern_key(None) is None


@pytest.mark.parametrize("value", [5, 1.5, True, None, b"<a:b>", object(), ("a", "b")])
def test_values_that_are_no_terms(value: object) -> None:
    with pytest.raises(TermError, match="give an rdflib term"):
        key_of(value)


@pytest.mark.parametrize("value", [rdflib.Variable("x"), rdflib.Graph(), FOAF.name / FOAF.name])
def test_rdflib_objects_that_are_no_terms(value: object) -> None:
    with pytest.raises(TermError, match="cannot stand in a fact"):
        key_of(value)


@pytest.mark.parametrize("text", ["\ud800"])
@pytest.mark.parametrize("make", [rdflib.URIRef, rdflib.BNode, rdflib.Literal, str])
def test_surrogates_are_no_text(make, text: str) -> None:
    with pytest.raises(TermError):
        key_of(make(text))


def test_terms_of_rdf_1_2() -> None:
    node = ox.NamedNode("a:b")
    directed = ox.Literal("a", language="en", direction=ox.BaseDirection.LTR)
    for term in (ox.Triple(node, node, node), directed):
        with pytest.raises(UnsupportedError):
            key_of(term)


def test_facts() -> None:
    assert statement_keys((A, B, rdflib.Literal(""))) == (b"<a:a>", b"<a:b>", b'""', None)
    assert statement_keys(["<a:a>", B, "_:x", "<a:g>"]) == (b"<a:a>", b"<a:b>", b"_:x", b"<a:g>")
    node = ox.NamedNode("a:a")
    assert statement_keys(ox.Quad(node, node, node)) == (b"<a:a>", b"<a:a>", b"<a:a>", None)
    assert statement_keys(ox.Triple(node, node, node))[3] is None


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ((rdflib.Literal("a"), A, B), "a subject is"),
        ((A, rdflib.BNode(), B), "a predicate is"),
        ((A, rdflib.Literal("a"), B), "a predicate is"),
        ((A, B, A, rdflib.Literal("a")), "a graph's name is"),
        ((A, B), "a fact is"),
        ((A, B, A, A, A), "a fact is"),
        ("abc", "a fact is"),
        (A, "a fact is"),
        (5, "a fact is"),
        ((A, B, None), "no RDF term"),
    ],
)
def test_statements_of_wrong_shape_are_refused(fact: object, message: str) -> None:
    with pytest.raises(TermError, match=message):
        statement_keys(fact)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "graph",
    [
        None,
        ox.DefaultGraph(),
        rdflib.URIRef("urn:x-rdflib:default"),
        default_of(rdflib.Dataset()),
    ],
)
def test_the_default_graph(graph: object) -> None:
    assert graph_key(graph) is None


def test_named_graphs() -> None:
    assert graph_key(rdflib.Graph(identifier=A)) == graph_key(A) == graph_key("<a:a>") == b"<a:a>"
    assert graph_key(rdflib.BNode("g")) == b"_:g"
    assert graph_key(ox.NamedNode("a:a")) == b"<a:a>"


def test_rdflib_is_not_needed_for_other_terms() -> None:
    code = (
        "import sys; from rdfinc.terms.io.convert import key_of, statement_keys; key_of('<a:b>');"
        "statement_keys(('<a:b>', '<a:b>', '\"x\"')); assert 'rdflib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_number_that_python_does_not_write_is_no_term() -> None:
    with pytest.raises(TermError, match=r"… \(int\) is no RDF term"):
        key_of(10**5000)
