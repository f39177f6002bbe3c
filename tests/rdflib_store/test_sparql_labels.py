"""BNODE: a label is one node in a solution, and another in every other one."""

from __future__ import annotations

import pytest
from rdflib import BNode, Graph, Literal
from rdflib_store.names import EX

from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

ROWS = 3


@pytest.fixture
def numbers(plain: Graph) -> Graph:
    for number in range(ROWS):
        plain.add((EX[f"n{number}"], EX.number, Literal(number)))
    return plain


def nodes(graph: Graph, text: str) -> list[tuple]:
    rows = [tuple(row) for row in graph.query(f"PREFIX : <{EX}> SELECT {text}")]
    assert len(rows) == ROWS
    return rows


@pytest.mark.parametrize(
    "text",
    [
        '(BNODE("a") AS ?x) (BNODE("a") AS ?y) { ?s :number ?n }',
        '?x ?y { ?s :number ?n BIND(BNODE("a") AS ?x) BIND(BNODE("a") AS ?y) }',
        '?x ?y { ?s :number ?n BIND(BNODE("a") AS ?x) BIND(?n + 1 AS ?m) BIND(BNODE("a") AS ?y) }',
        '(IF(BNODE("a") = BNODE("a"), BNODE("a"), 1) AS ?x) (BNODE("a") AS ?y) { ?s :number ?n }',
        '?x ?y { ?s :number ?n BIND(BNODE("a") AS ?x)'
        ' BIND(IF(EXISTS { ?s :number ?n }, BNODE("a"), 1) AS ?y) }',
        "(BNODE(?k) AS ?x) (BNODE(STR(?k)) AS ?y) { ?s :number ?n VALUES ?k { 'k' } }",
    ],
)
def test_a_label_is_one_node_in_each_solution(numbers: Graph, text: str) -> None:
    found = nodes(numbers, text)
    assert all(isinstance(x, BNode) and x == y for x, y in found)
    assert len({x for x, _ in found}) == ROWS


def test_a_label_is_one_node_in_each_solution_where_the_time_is_looked_at(
    numbers: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, watched_rows=2)
    shown = '(BNODE("a") AS ?x) (IF(BNODE("a") = ?x, ?x, 1) AS ?y) (BNODE(STR(?n)) AS ?z)'
    text = f"PREFIX : <{EX}> SELECT {shown} {{ ?s :number ?n }}"
    rows = [tuple(row) for row in numbers.query(text, timeout=1000)]
    assert len(rows) == ROWS and all(x == y for x, y, _ in rows)
    assert len({node for x, _, z in rows for node in (x, z)}) == 2 * ROWS


def test_labels_and_calls_without_one_differ(numbers: Graph) -> None:
    found = nodes(
        numbers, '(BNODE("a") AS ?x) (BNODE("b") AS ?y) (BNODE() AS ?z) { ?s :number ?n }'
    )
    assert len({node for row in found for node in row}) == 3 * ROWS
    found = nodes(numbers, "(BNODE() = BNODE() AS ?x) { ?s :number ?n }")
    assert {x for (x,) in found} == {Literal(False)}


def test_queries_share_no_node(numbers: Graph) -> None:
    text = '(BNODE("a") AS ?x) { ?s :number ?n }'
    assert not {*nodes(numbers, text)} & {*nodes(numbers, text)}


@pytest.mark.parametrize("label", ["1", '"a"@en', ":n1", "?nothing"])
def test_a_label_is_a_simple_literal(numbers: Graph, label: str) -> None:
    assert nodes(numbers, f"(BNODE({label}) AS ?x) {{ ?s :number ?n }}") == [(None,)] * ROWS


def test_updates_make_a_node_for_each_solution(numbers: Graph) -> None:
    insert = 'INSERT { ?s :has ?x . ?x :of ?s } WHERE { ?s :number ?n BIND(BNODE("a") AS ?x) }'
    numbers.update(f"PREFIX : <{EX}> {insert}")
    assert len(set(numbers.objects(None, EX.has))) == ROWS
