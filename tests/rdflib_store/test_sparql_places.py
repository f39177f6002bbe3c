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


@pytest.mark.parametrize(
    ("text", "column", "told"),
    [
        ("SELECT ?x, ?y { }", 10, "Expected WHERE or '{', found ','; what is listed here has no"),
        ("ASK { FILTER ?a > 3 }", 14, "Expected '(' or a function, found '?a'"),
        ("ASK { FILTER(?a == 3) }", 18, "Expected an expression, found '='; equal is ="),
        ("ASK { FILTER(?a <> 3) }", 17, "found '<>'; unequal is !="),
        ("ASK { FILTER(?a & ?b) }", 17, "found '&'; and is &&"),
        ("ASK { FILTER(?a and ?b) }", 17, "found 'and'; and is &&"),
        ("ASK { FILTER(not ?b) }", 18, "Expected EXISTS, found '?b'; not is ! before a condition"),
        ("ASK { NOT EXISTS { } }", 7, "found 'NOT'; conditions stand in FILTER"),
        ("ASK { FILTER(isnull(?x)) }", 14, "found 'isnull'; SPARQL has no function isnull"),
        ("ASK { a :p ?x }", 7, "found 'a'; a, for rdf:type, stands between"),
        ("ASK { ?x a Cat }", 12, "found 'Cat'; a name has a colon, :Cat, a text quotes, "),
        ("ASK { ?x a :B UNION { } }", 15, "UNION stands between groups in braces"),
        ("ASK { ?x a <x:a b> }", 12, "found '<'; an IRI that begins here has no end, or a space"),
        ("ASK { ?x :p “a” }", 13, "found '“'; quotes are "),
        ("SELECT (COUNT(?x)) { }", 18, "Expected AS ?name, found ')'"),
        ("SELECT (COUNT(?x) AS n) { }", 22, "found 'n'; a variable has a mark, ?n"),
        ("SELECT * FROM cats { }", 15, "Expected an IRI, found 'cats'; a name has a colon, :cats"),
        ("ASK { } LIMIT 3 ORDER BY ?x", 17, "found 'ORDER'; the order is WHERE, GROUP BY, HAVING"),
        ("ASK { ?x :p 1 2 }", 15, "Expected '.', ';', ',' or '}', found '2'"),
        ("ASK { VALUES ?x { 1, 2 } }", 20, "Expected an IRI or a literal, found ','; what is"),
        ("ASK { ?x :p '" + "x" * 99 + "' ' }", 115, "a text that begins here has no end"),
        ("ASK { ?x :p 'a' 😀 '" + "x" * 99 + "' }", 17, "found '😀'"),
    ],
)
def test_what_was_perhaps_meant_is_told(kb: KnowledgeBase, text: str, column: int, told) -> None:
    with pytest.raises(DataSyntaxError) as refused:
        kb.query(PREFIX + text)
    assert told in refused.value.reason
    assert (refused.value.line, refused.value.column) == (2, column)


def test_declarations_are_no_turtle(kb: KnowledgeBase) -> None:
    with pytest.raises(DataSyntaxError, match="write PREFIX, without @, and no dot behind it"):
        kb.query("@prefix : <x:> . ASK { }")
    with pytest.raises(DataSyntaxError, match=r"found '\.'; declarations have no dot behind them"):
        kb.query("PREFIX : <x:> . ASK { }")


def test_a_byte_order_mark_is_passed_and_not_counted(kb: KnowledgeBase) -> None:
    assert not kb.query("\ufeffASK { ?s ?p ?o }").askAnswer
    kb.graph().update("\ufeff# a file\nINSERT DATA { <x:a> <x:p> 1 }")
    assert kb.query("\ufeffASK { ?s ?p ?o }").askAnswer
    for text, place in (("\ufeffASK { ?s }", (1, 10)), ("\ufeff\nASK { ?s }", (2, 10))):
        with pytest.raises(DataSyntaxError) as told:
            kb.query(text)
        assert (told.value.line, told.value.column) == place
        assert str(told.value).endswith("\n    ASK { ?s }\n             ^")


def test_a_long_token_is_cut(kb: KnowledgeBase) -> None:
    with pytest.raises(DataSyntaxError) as told:
        kb.query('ASK { ?s ?p 1 """' + "x" * 99 + '\n""" }')
    assert told.value.reason.endswith(f'found \'"""{"x" * 37}…\'')


def test_the_place_is_pickled(kb: KnowledgeBase) -> None:
    with pytest.raises(DataSyntaxError) as told:
        kb.query("SELECT *\n{ ?s }")
    twin = pickle.loads(pickle.dumps(told.value))
    assert (twin.line, twin.column, str(twin)) == (2, 6, str(told.value))
