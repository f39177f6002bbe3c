"""Errors about a whole query or update have a place in the text that was asked."""

from __future__ import annotations

import pickle

import pytest
from rdflib import Graph
from rdflib.plugins.sparql import prepareQuery

from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

PREFIX = "PREFIX : <http://example.org/>\n"


@pytest.fixture
def kb() -> KnowledgeBase:
    return KnowledgeBase(profile="none")


WRONG = [
    ("SELECT * { _:k :p ?x { ›_:k‹ :q ?y } }", "_:k stands in two basic graph patterns"),
    ("SELECT * { _:k :p ?x OPTIONAL { ?x :q ?y } ›_:k‹ :q ?z }", "in two basic graph patterns"),
    ("SELECT * { _:k :p ?x FILTER EXISTS { ›_:k‹ :q ?y } }", "in two basic graph patterns"),
    ("SELECT * { { _:k :p ?x } UNION { ›_:k‹ :q ?y } }", "in two basic graph patterns"),
    ("SELECT * { _:k :p ?x BIND(1 AS ?y) ›_:k‹ :q ?x }", "in two basic graph patterns"),
    ("SELECT ›*‹ { ?s :p ?o } GROUP BY ?s", "SELECT * does not go with groups"),
    ("SELECT DISTINCT ›*‹ { ?s :p ?o } ORDER BY COUNT(?s)", "SELECT * does not go with groups"),
    ("SELECT (COUNT(*) AS ?n) ›?o‹ { ?s :p ?o }", "?o is no key"),
    ("SELECT (STR(?s) AS ?t) (STR( ›$o‹) AS ?u) { ?s :p ?o } GROUP BY ?s", "?o is no key"),
    ("SELECT (1 AS ?x) (?x + 2 AS ›?x‹) {}", "SELECT: ?x has a value"),
    ("SELECT (?o + 1 AS ›?o‹) { ?s :p ?o }", "SELECT: ?o has a value"),
    ("SELECT * { ?s :p ?o BIND(?o + 1 AS ›?o‹) }", "BIND: ?o has a value"),
    ("SELECT ?s { { SELECT ›?s‹ (MAX(?o) AS ?m) { ?s :p ?o } } }", "?s is no key"),
    ("SELECT * { VALUES (?a ?b) { (1 2) ›(‹3) } }", "VALUES has 2 variables and a row of 1 term:"),
    ("SELECT * { VALUES (?a ?b ›?a‹) { } }", "VALUES names ?a twice"),
    ("ASK { ?s :p " + "(" * (QUERIES.deepest_nesting - 1) + "›(‹ 1 ", "nested too deeply"),
]


def marked(text: str) -> tuple[str, int]:
    """A text, and where its mark was."""
    return text.translate({ord("›"): "", ord("‹"): ""}), text.index("›") + 1


@pytest.mark.parametrize(("text", "reason"), WRONG)
def test_the_place_is_told_by_line_and_column(kb: KnowledgeBase, text: str, reason: str) -> None:
    text, column = marked(text)
    for begin in (PREFIX, "# \\u0061 𝄞\r\n" + PREFIX):
        with pytest.raises(DataSyntaxError) as told:
            kb.query(begin + text)
        assert reason in told.value.reason
        assert (told.value.line, told.value.column) == (begin.count("\n") + 1, column)
        assert str(told.value).startswith(f"query, line {told.value.line}, column {column}: ")
        assert str(told.value).split("\n")[-1] == " " * (min(column, 81) + 3) + "^"


def test_escapes_before_the_place_count_as_they_are_written(kb: KnowledgeBase) -> None:
    for text, column in (
        (r"SELECT ?x { ?x <x:\u0061> ?o BIND(1 AS ?x) }", 40),
        (r"SELECT (COUNT(?\u0061) AS ?n) ?a { ?a <x:a> ?o }", 31),
    ):
        with pytest.raises(DataSyntaxError) as told:
            kb.query(text)
        assert told.value.column == column


def test_texts_of_one_shape_have_each_its_own_place(kb: KnowledgeBase) -> None:
    for name in ("a", "abcdefg", "ab", "b", "c", "abcd"):
        text = f"SELECT ?p ?o {{ <x:{name}> ?p ?o }} GROUP BY ?p"
        shifted = f"SELECT (COUNT(*) AS ?n) {{ {{ <x:{name}> ?p ?q }} {{ {text} }} }}"
        with pytest.raises(DataSyntaxError, match=r"\?o is no key") as told:
            kb.query(shifted)
        assert told.value.column == shifted.index("?p ?o {") + 4
        assert name in told.value.text


def test_a_prepared_query_tells_its_place_when_it_is_asked(kb: KnowledgeBase) -> None:
    text = "SELECT ?s\n  (COUNT(*) AS ?n) { ?s ?p ?o }"
    prepared = kb.prepare(text)
    with pytest.raises(DataSyntaxError, match=r"query, line 1, column 8: \?s is no key"):
        prepared()
    with pytest.raises(DataSyntaxError, match=r"query, line 1, column 8: \?s is no key"):
        Graph(store="rdfinc").query(prepareQuery(text))


def test_a_graph_of_rdflib_tells_the_place_too() -> None:
    graph = Graph(store="rdfinc")
    with pytest.raises(DataSyntaxError, match="query, line 2, column 11: BIND"):
        graph.query("SELECT * { ?s ?p ?o \nBIND(1 AS ?s) }")
    with pytest.raises(DataSyntaxError, match="request, line 2, column 11: BIND"):
        graph.update("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o \nBIND(1 AS ?s) }")


@pytest.mark.parametrize("least", [0, 1 << 20])
def test_an_update_with_long_data_tells_the_place(monkeypatch, least: int) -> None:
    put(monkeypatch, QUERIES, least_block_text=least)
    groups = "SELECT ?s (MAX(?v) AS ?o) { ?s <x:p> ?v }"
    text = f"INSERT DATA {{ <x:a> <x:p> 1 }} ;\nINSERT {{ ?s <x:n> ?o }} WHERE {{ {groups} }}"
    with pytest.raises(DataSyntaxError, match="request, line 2, column 39: "):
        Graph(store="rdfinc").update(text)


def test_labels_may_be_shared_where_they_are_of_one_pattern(kb: KnowledgeBase) -> None:
    for text in (
        "SELECT * { _:k :p ?x FILTER(?x > 1) _:k :q ?y }",
        "SELECT * { _:k :p ?x FILTER EXISTS { ?x :q ?y } _:k :q ?y }",
        "CONSTRUCT { _:k :p ?x } WHERE { _:k :p ?x }",
        "CONSTRUCT WHERE { _:k :p ?x . _:k :q ?y }",
    ):
        kb.query(PREFIX + text)
    graph = kb.graph()
    graph.update("INSERT { _:k <x:p> 1 } WHERE { _:k <x:q> 1 } ; DELETE { } WHERE { _:k <x:q> 1 }")


def test_the_place_is_pickled(kb: KnowledgeBase) -> None:
    with pytest.raises(DataSyntaxError) as told:
        kb.query("SELECT *\n{ ?s }")
    twin = pickle.loads(pickle.dumps(told.value))
    assert (twin.line, twin.column, str(twin)) == (2, 6, str(told.value))
