"""What parts of queries denote, where rdflib's translation or parser tells otherwise."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox
import pytest
from pyparsing import ParseException
from rdflib import Graph, Literal, URIRef, Variable
from rdflib.plugins.sparql import prepareQuery, prepareUpdate
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery

from rdfinc import DataSyntaxError, KnowledgeBase

DATA = """
@prefix : <x:> .
:a :p :b, 1, 2 ; :q 1 .
:b :p :c .
:c :q :a .
:d :r "x"@en .
"""
PREFIX = "PREFIX : <x:> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
FALSE = ["false", "0", "0.0", '""', '"x"^^xsd:integer', '"2"^^xsd:boolean', "0e0", "!true"]


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase("none")
    kb.load(DATA.encode(), format="turtle")
    return kb


@pytest.fixture
def graph() -> Graph:
    return Graph(store="rdfinc").parse(data=DATA, format="turtle")


def rows(result: Any) -> list[dict[str, str]]:
    """The solutions of a SELECT, sorted."""
    found = [{str(v): term.n3() for v, term in row.items()} for row in result.bindings]
    return sorted(found, key=lambda row: sorted(row.items()))


def of_oxigraph(text: str) -> list[dict[str, str]]:
    store = ox.Store()
    store.load(DATA.encode(), format=ox.RdfFormat.TURTLE)
    found: Any = store.query(text)
    names = [variable.value for variable in found.variables]
    bound = [
        {name: str(term) for name, term in zip(names, row, strict=True) if term is not None}
        for row in found
    ]
    return sorted(bound, key=lambda row: sorted(row.items()))


@pytest.mark.parametrize("condition", FALSE)
@pytest.mark.parametrize(
    "pattern",
    [
        "?s :p ?o FILTER({})",
        "FILTER({}) ?s :p ?o . ?o :p ?z",
        "?s :p ?o OPTIONAL {{ ?o :p ?z FILTER({}) }}",
        "?s :p ?o OPTIONAL {{ {{ ?o :p ?z }} FILTER({}) }}",
        "?s :p ?o MINUS {{ ?s :q ?z FILTER({}) }}",
        "?s :p ?o FILTER EXISTS {{ ?s :q ?z FILTER({}) }}",
        "?s :p ?o FILTER NOT EXISTS {{ ?s :q ?z FILTER({}) }}",
        "{{ ?s :p ?o FILTER({}) }} UNION {{ ?s :q ?o }}",
        "{{ SELECT * {{ ?s :p ?o FILTER({}) }} }}",
        "{{ SELECT (COUNT(*) AS ?n) {{ ?s :p ?o }} HAVING({}) }}",
        "?s :p ?o FILTER(?s = :a) FILTER({})",
        "FILTER({})",
    ],
)
def test_a_constant_condition_that_is_false_holds_nowhere(kb, pattern, condition):
    text = f"{PREFIX} SELECT * {{ {pattern.format(condition)} }}"
    assert rows(kb.query(text)) == of_oxigraph(text)


def test_updates_under_a_false_condition_change_nothing(graph):
    before = set(graph)
    for condition in FALSE:
        where = f"WHERE {{ ?s ?p ?o FILTER({condition}) }}"
        graph.update(f"{PREFIX} DELETE {{ ?s ?p ?o }} {where}")
        graph.update(f"{PREFIX} INSERT {{ ?s :new ?o }} {where}")
        assert set(graph) == before


@pytest.mark.parametrize("condition", FALSE)
def test_prepared_requests_hold_conditions_that_are_constant(graph, condition):
    before = set(graph)
    where = f"WHERE {{ ?s ?p ?o FILTER({condition}) }}"
    query = prepareQuery(f"{PREFIX} SELECT * {where}")
    assert not graph.query(query).bindings
    assert not graph.query(query, initBindings={"s": URIRef("x:a")}).bindings
    graph.update(prepareUpdate(f"{PREFIX} DELETE {{ ?s ?p ?o }} {where}"))
    assert set(graph) == before


@pytest.mark.parametrize(
    "block", ["?s { <x:a> }", "(?s ?o) { (<x:a> 1) (UNDEF 2) (<x:b> UNDEF) }", "?s { }"]
)
def test_algebra_that_rdflib_has_made_may_have_a_table(graph, block):
    text = f"SELECT * {{ VALUES {block} ?s ?p ?o }}"
    assert rows(graph.query(translateQuery(parseQuery(text)))) == rows(graph.query(text))


def test_prepared_requests_mean_the_names_that_they_were_prepared_with(graph):
    base, other = "http://one/", "http://two/"
    text = "INSERT DATA { <a> n:p 1 } ; BASE <http://two/> INSERT DATA { <b> n:p 2 }"
    graph.update(prepareUpdate(text, {"n": "x:"}, base))
    for name, value in (("one/a", 1), ("two/b", 2)):
        assert (URIRef(f"http://{name}"), URIRef("x:p"), Literal(value)) in graph
    query = prepareQuery("SELECT ?o { <a> n:p ?o }", {"n": "x:"}, base)
    for _ in range(2):
        (row,) = graph.query(query, initNs={"n": "y:"}, base=other)
        assert row.o == Literal(1)


def test_limits_of_any_size_are_limits(graph):
    huge, zeros = "9" * 5000, "0" * 5000
    every = len(graph)
    for cut, count in ((f"LIMIT {huge}", every), (f"OFFSET {huge}", 0), (f"LIMIT {zeros}1", 1)):
        assert len(graph.query(f"SELECT * {{ ?s ?p ?o }} {cut}")) == count
    assert len(graph.query(f"SELECT * {{ ?s ?p ?o }} ORDER BY ?s OFFSET 0 LIMIT {huge}")) == every


@pytest.mark.parametrize("text", ["", " # nothing\n", "PREFIX : <x:>", "BASE <x:> PREFIX : <x:>"])
def test_an_update_may_have_no_operation(graph, text):
    before = set(graph)
    graph.update(text)
    assert set(graph) == before


def test_what_is_no_sparql_raises_where_it_is_not(graph):
    for text in ("INSERT DATA { <x:a> <x:p> -0.5", "INSERT DATA { <x:a> 5 }"):
        with pytest.raises(ParseException):
            graph.update(text)
    with pytest.raises(ParseException):
        graph.query("SELECT * { <x:a> <x:p> -0.5")
    with pytest.raises(DataSyntaxError, match="nested too deeply"):
        graph.update("INSERT { } WHERE { " + "{" * 5000 + "}" * 5000 + "}")


def test_nothing_answers_a_watched_query_under_a_false_condition(kb):
    told: list[Any] = []
    kb.watch(
        f"{PREFIX} SELECT * {{ ?s :p ?o FILTER(false) }}", lambda *answers: told.append(answers)
    )
    kb.update(insert=[("<x:e>", "<x:p>", "<x:f>")])
    assert told == []


@pytest.mark.parametrize(
    "pattern",
    [
        "?s !(^:q) ?o", "?s !^:p ?o", "?s !(:p|:q) ?o", "?s !a ?o", "?s (!(^:q))+ ?o",
        "?s (!(^:q|^:p)/:p)* ?o", ":a !^:p ?o", "?s !(^:p) 1",
        "?s :p ?o FILTER EXISTS { VALUES ?o { 1 } }",
        "?s :p ?o FILTER EXISTS { VALUES (?o ?s) { (1 :a) (2 :b) } }",
        "?s :p ?o FILTER NOT EXISTS { VALUES ?o { 1 } }",
        "?s :p ?o FILTER EXISTS { { VALUES ?o { 1 } } UNION { VALUES ?s { :b } } }",
        "?s :p ?o BIND(EXISTS { VALUES ?o { 1 } } AS ?e)",
        "?s :p ?o FILTER EXISTS { ?s :q ?w MINUS { ?s :q ?w FILTER(?o = 1) } }",
        "?s :p ?o OPTIONAL { { ?o :p ?z FILTER(?s = :a) } }",
        "?s :p ?o OPTIONAL { ?o :p ?z FILTER(?s = :a) }",
        "VALUES ?x { }", "VALUES () { () }", "VALUES () { }", "VALUES () { () () }",
        "VALUES (?x ?y) { (1 UNDEF) (:a :b) } ?y :p ?z", "?s :p ?o VALUES ?o { }",
        "OPTIONAL { ?s :p 5 }", "{} UNION { ?s :p 1 }",
        "BIND(MD5(\"a\"@en) AS ?x)", "BIND(SHA1(\"a\"@en) AS ?x)", "BIND(IRI(3) AS ?x)",
        "BIND(URI(\"x:y\"@en) AS ?x)", "BIND(SHA256(1) AS ?x)", "BIND(MD5(\"a\") AS ?x)",
        "BIND(YEAR(\"2020\"^^xsd:dateTime) AS ?x)",
    ],
)  # fmt: skip
def test_a_pattern_has_the_solutions_that_oxigraph_finds(kb, pattern):
    text = f"{PREFIX} SELECT * {{ {pattern} }}"
    assert rows(kb.query(text)) == of_oxigraph(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?s (EXISTS { ?s :q ?z } AS ?e) { ?s :p ?o }",
        "SELECT ?s { ?s :p ?o } ORDER BY (EXISTS { ?s :q ?z }) ?s LIMIT 1",
        "SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s HAVING(EXISTS { ?s :q ?z })",
        "SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s HAVING(NOT EXISTS { ?s :q ?z })",
        "SELECT (SUM(IF(EXISTS { ?s :q ?z }, 1, 0)) AS ?n) { ?s :p ?o }",
        "SELECT ?e (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY (EXISTS { ?s :q ?z } AS ?e)",
        "SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s ORDER BY DESC(COUNT(*)) LIMIT 1",
        "SELECT ?s { ?s :p ?o } VALUES ?o { 1 }",
    ],
)
def test_clauses_may_ask_what_exists(kb, text):
    assert rows(kb.query(PREFIX + text)) == of_oxigraph(PREFIX + text)


def test_an_aggregate_may_be_named_in_what_follows(kb):
    text = "SELECT (COUNT(*) AS ?n) (?n * 2 AS ?m) { ?s :p ?o } ORDER BY ?m"
    (row,) = kb.query(PREFIX + text)
    assert [term.toPython() for term in row] == [4, 8]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT * { ?z :p ?b . ?a :q ?z }", "z b a"),
        ("SELECT * { ?s :p ?o MINUS { ?s :q ?m } FILTER EXISTS { ?s :q ?e } FILTER(?f) }", "s o"),
        ("SELECT * { { SELECT ?y ?x { ?x :p ?y ; :q ?h } } BIND(1 AS ?c) ?x :p+ ?d }", "y x c d"),
        ("SELECT * { OPTIONAL { ?b :p ?a } { ?d :p ?c } UNION { ?e :p ?a } }", "b a d c e"),
        ("SELECT * { ?b :p ?a } VALUES (?v ?a) { (1 2) }", "b a v"),
        ("SELECT * { VALUES (?k ?l) { (1 2) } ?s :p/^:q ?o }", "k l s o"),
    ],
)  # fmt: skip
def test_all_columns_stand_in_the_order_of_first_appearance(kb, text, names):
    assert kb.query(PREFIX + text).vars == [Variable(name) for name in names.split()]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT * { _:k :p ?x { _:k :q ?y } }", "two basic graph patterns"),
        ("SELECT * { _:k :p ?x OPTIONAL { ?x :q ?y } _:k :q ?z }", "two basic graph patterns"),
        ("SELECT * { _:k :p ?x FILTER EXISTS { _:k :q ?y } }", "two basic graph patterns"),
        ("SELECT * { ?s :p ?o } GROUP BY ?s", r"SELECT \*"),
        ("SELECT ?o (COUNT(*) AS ?n) { ?s :p ?o }", r"\?o is no key"),
        ("SELECT ?s ?o { ?s :p ?o } GROUP BY ?s", r"\?o is no key"),
        ("SELECT (?a + 1 AS ?b) { ?s :p ?a } GROUP BY (?a + 1)", r"\?a is no key"),
        ("SELECT ?s { { SELECT ?s (MAX(?o) AS ?m) { ?s :p ?o } } }", r"\?s is no key"),
        ("SELECT (COUNT(*) AS ?n) { { SELECT ?s ?o { ?s :p ?o } GROUP BY ?s } }", r"\?o is no key"),
        ("SELECT (1 AS ?x) (2 AS ?x) {}", r"SELECT: \?x"),
        ("SELECT ?x (2 AS ?x) {}", r"SELECT: \?x"),
        ("SELECT (1 AS ?o) { ?s :p ?o }", r"SELECT: \?o"),
        ("SELECT (1 AS ?o) { { SELECT ?o { ?s :p ?o } } }", r"SELECT: \?o"),
        ("SELECT * { ?s :p ?o BIND(1 AS ?o) }", r"BIND: \?o"),
        ("SELECT * { { ?s :p ?o } UNION { ?s :q ?r } BIND(1 AS ?r) }", r"BIND: \?r"),
        ("SELECT * { VALUES ?v { 1 } BIND(1 AS ?v) }", r"BIND: \?v"),
        ("SELECT (COUNT(*) AS ?n) { ?s :p ?o } VALUES ?n { 3 9 }", r"SELECT: \?n"),
        ("SELECT * { ?s :p ?o } HAVING(COUNT(*) > 1)", r"SELECT \* does not go with groups"),
        ("SELECT * { ?s :p ?o } ORDER BY COUNT(?s)", r"SELECT \* does not go with groups"),
    ],
)
def test_what_is_no_query_is_told(kb, graph, text, reason):
    with pytest.raises(DataSyntaxError, match=reason):
        kb.query(PREFIX + text)
    with pytest.raises(DataSyntaxError, match=reason):
        graph.query(PREFIX + text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?s (COUNT(*) + SAMPLE(?o) AS ?n) { ?s :p ?o } GROUP BY ?s",
        "SELECT ?k (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY (STR(?o) AS ?k)",
        "SELECT (MAX(?o) AS ?m) (?m + 1 AS ?n) { ?s :p ?o } ORDER BY ?s HAVING (1 = 1)",
        "SELECT (1 AS ?r) { ?s :p ?o MINUS { ?s :q ?r } FILTER NOT EXISTS { ?s :q ?r } }",
        "SELECT * { { ?s :p ?o BIND(1 AS ?x) } UNION { BIND(2 AS ?x) } }",
        "SELECT * { BIND(1 AS ?o) ?s :p ?o }",
    ],
)
def test_a_variable_may_be_named_where_it_has_no_value_yet(kb, text):
    kb.query(PREFIX + text.replace("ORDER BY ?s HAVING (1 = 1)", "HAVING (1 = 1) ORDER BY ?s"))


def test_what_is_bound_before_a_request_is_a_key_of_each_group(graph):
    text = PREFIX + "SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o }"
    (row,) = graph.query(text, initBindings={"s": URIRef("x:a")})
    assert row.n.toPython() == 3
    (row,) = graph.query(prepareQuery(text), initBindings={"s": URIRef("x:b")})
    assert row.n.toPython() == 1
    with pytest.raises(DataSyntaxError, match="no key"):
        graph.query(prepareQuery(text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("DELETE DATA { ?s :p :b }", r"\?s in DELETE DATA"),
        ("INSERT DATA { :a :p ?o }", r"\?o in INSERT DATA"),
        ("INSERT DATA { GRAPH ?g { :a :p :b } }", r"\?g in INSERT DATA"),
        ("INSERT { ?s :n ?o } WHERE { SELECT ?s (MAX(?v) AS ?o) { ?s :p ?v } }", r"\?s is no key"),
        ("INSERT { ?s :n ?o } WHERE { ?s :p ?o BIND(1 AS ?o) }", r"BIND: \?o"),
    ],
)
def test_what_is_no_update_is_told_and_changes_nothing(graph, text, reason):
    before = set(graph)
    with pytest.raises(DataSyntaxError, match=reason):
        graph.update(PREFIX + text)
    assert set(graph) == before


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("<x:a>", "x:a"),
        ("+07", "7"),
        ("'0'^^xsd:boolean", "false"),
        ("1e0", "1"),
        ("2.50", "2.5"),
        ("'x'^^xsd:date", "x"),
        ("'x'@en", "x"),
    ],
)
def test_a_cast_to_a_text_is_that_of_the_value(kb, term, text):
    (row,) = kb.query(f"{PREFIX} SELECT (xsd:string({term}) AS ?text) {{}}")
    assert row.text == Literal(text)


def test_a_blank_node_may_stand_on_both_sides_of_a_filter(kb):
    assert len(kb.query(PREFIX + "SELECT * { _:k :p ?x FILTER(true) _:k :q ?z }")) == 3


def test_both_ways_are_followed_where_some_predicates_are_excluded_each_way(kb):
    found = rows(kb.query(PREFIX + "SELECT * { ?s !(:p|^:q) ?o }"))
    forwards = of_oxigraph(PREFIX + "SELECT * { ?s !(:p) ?o }")
    backwards = of_oxigraph(PREFIX + "SELECT * { ?o !(:q) ?s }")
    assert found == sorted(forwards + backwards, key=lambda row: sorted(row.items()))
    everything = rows(kb.query(PREFIX + "SELECT * { ?s !() ?o }"))
    assert everything == of_oxigraph(PREFIX + "SELECT * { ?s !:none ?o }")


def test_an_empty_template_constructs_nothing(kb):
    assert not len(kb.query(PREFIX + "CONSTRUCT {} { ?s :p ?o }").graph)
    assert len(kb.query(PREFIX + "CONSTRUCT WHERE { ?s :p ?o }").graph) == 4
    assert not len(kb.query("CONSTRUCT WHERE {}").graph)


def test_literals_are_asked_for_as_they_are_written():
    kb = KnowledgeBase("none")
    kb.load(b"<x:a> <x:p> 1e0, 01, +1.0, \"01\"^^<http://www.w3.org/2001/XMLSchema#int> .",
            format="turtle")  # fmt: skip
    for text in ("1e0", "01", "+1.0", '"01"^^<http://www.w3.org/2001/XMLSchema#int>'):
        assert kb.query(f"ASK {{ <x:a> <x:p> {text} }}").askAnswer, text
        assert kb.query(f"SELECT * {{ ?s <x:p> ?o VALUES ?o {{ {text} }} }}").bindings, text
    assert not kb.query("ASK { <x:a> <x:p> 1 }").askAnswer


BOUND = {"this": URIRef("x:a")}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?this ?n { { SELECT (COUNT(?v) AS ?n) { ?this :p ?v } } }",
        "SELECT ?this ?n { { SELECT ?n { ?this :p ?n } } }",
        "SELECT ?this ?v { { SELECT ?v { BIND(?this AS ?v) } } }",
        "SELECT ?this ?m { ?this :p ?v { SELECT (MAX(?w) AS ?m) { ?this :p ?w } } }",
        "SELECT ?this ?n { { SELECT ?x (COUNT(?v) AS ?n) { ?x :p ?v } GROUP BY ?x } }",
        "SELECT ?this (COUNT(*) AS ?n) { ?this :p ?v } GROUP BY ?this",
        "SELECT ?this ?v { { ?this :p ?v } UNION { ?v :q 1 } }",
        "SELECT ?v { ?v :p ?o MINUS { ?this :p ?o } }",
    ],
)
def test_initial_bindings_hold_everywhere(graph, text):
    memory = Graph().parse(data=DATA, format="turtle")
    ours, theirs = (each.query(PREFIX + text, initBindings=BOUND) for each in (graph, memory))
    assert sorted(map(tuple, ours)) == sorted(map(tuple, theirs))


@pytest.mark.parametrize("text", ["Tom", "x:a", "UNDEF", "1"])
def test_a_text_is_a_literal_as_pyshacl_has_it(graph, text):
    """pySHACL in SPARQL mode binds variables to the text UNDEF, which nothing may match."""
    graph.add((URIRef("x:t"), URIRef("x:name"), Literal("Tom")))
    asked = {"v": text}
    found = [row.s for row in graph.query("SELECT ?s { ?s ?p ?v }", initBindings=asked)]
    assert found == ([URIRef("x:t")] if text == "Tom" else [])
    assert not graph.query("SELECT ?s { ?v ?p ?s }", initBindings=asked).bindings
    optional = "SELECT ?s ?o { ?s <x:q> 1 OPTIONAL { ?s <x:q> ?v, ?o } }"
    assert [tuple(row) for row in graph.query(optional, initBindings=asked)] == [
        (URIRef("x:a"), None)
    ]


def test_initial_bindings_are_terms_or_values(graph):
    text = "SELECT ?s { ?s <x:q> ?o }"
    assert [row.s for row in graph.query(text, initBindings={"o": 1})] == [URIRef("x:a")]
    assert not graph.query(text, initBindings={"o": 1.5}).bindings
    assert len(graph.query(text, initBindings={"o": Literal(1)})) == 1
    for unclear in (b"1", None):
        with pytest.raises(TypeError, match=r"\?o is bound to .* no term; write URIRef"):
            graph.query(text, initBindings={"o": unclear})
        with pytest.raises(TypeError, match="no term"):
            graph.update("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", initBindings={"o": unclear})
    graph.update("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", initBindings={"o": 1})
    assert len(graph) == 5


def test_what_is_escaped_in_a_name_stands_for_itself():
    kb = KnowledgeBase("none")
    kb.update(insert=[("<x:a#b>", "<x:p>", "<x:c,d>")])
    assert kb.query(PREFIX + r"ASK { :a\#b :p :c\,d }").askAnswer


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("OPTIONAL { ?d :r ?b } ?d :q :n0", []),
        ("{ OPTIONAL { ?d :r ?b } } ?d :q :n0", []),
        ("?d :q :n0 . OPTIONAL { ?d :r ?b }", ["n0", "n1"]),
        ("?d :q :n0 . { OPTIONAL { ?d :r ?b } }", []),
        ("?d :q :n0 . { ?e :r ?b FILTER(!BOUND(?d)) }", ["n0", "n1"]),
        ("?d :q :n0 . { ?e :r ?b BIND(?d AS ?f) } FILTER(!BOUND(?f))", ["n0", "n1"]),
        ("?d :q :n0 . { ?e :r ?b MINUS { ?d :q :n0 } }", ["n0", "n1"]),
        ("?d :q :n0 . { ?e :r ?b MINUS { ?d :q :n0 . ?c :r ?b } }", []),
        ("?d :q :n0 . { ?e :r ?b FILTER(?b = :n1) }", ["n1"]),
        ("?d :q :n0 . { ?e :r ?x FILTER(?x = ?b) }", ["n0", "n1"]),
        ("BIND(:n9 AS ?b)", []),
    ],
)
def test_parts_of_an_exists_see_the_values_outside_and_not_each_others(graph, pattern, expected):
    data = ":n5 :r :n0 . :n6 :r :n1 . :n2 :q :n0"
    graph.update(f"PREFIX : <x:> INSERT DATA {{ {data} }}")
    found = graph.query(f"PREFIX : <x:> SELECT ?b {{ ?a :r ?b FILTER EXISTS {{ {pattern} }} }}")
    assert sorted(str(row.b)[2:] for row in found if str(row.b) in ("x:n0", "x:n1")) == expected
