"""The 14 university queries over the maintained closure against their answers by definition."""

from __future__ import annotations

import random

import pytest
from rdflib import Graph
from university_answers import answers

from rdfinc import university

MAINTAINED = ("takes", "partOf", "memberOf", "worksFor", "leads", "bachelorFrom", "teaches")


@pytest.fixture(scope="module")
def triples() -> list[tuple[str, str, str]]:
    return list(university.triples(2, departments=2))


@pytest.fixture(scope="module")
def graph(triples: list[tuple[str, str, str]]) -> Graph:
    graph = Graph(store="rdfinc")
    graph.parse(data=university.ontology(), format="turtle")
    graph.store.kb.update(insert=triples)
    return graph


def answered(graph: Graph) -> dict[str, set[tuple[str, ...]]]:
    found = {}
    for name, query in university.queries().items():
        rows = [tuple(term.n3() for term in row) for row in graph.query(query)]
        assert len(rows) == len(set(rows)), name
        found[name] = set(rows)
    return found


def test_over_the_closure(graph: Graph, triples: list[tuple[str, str, str]]) -> None:
    assert answered(graph) == answers(triples)


def test_most_queries_need_reasoning(triples: list[tuple[str, str, str]]) -> None:
    plain = Graph().parse(data="".join(f"{s} {p} {o} .\n" for s, p, o in triples), format="nt")
    expected = answers(triples)
    for name in ("q04", "q06", "q10", "q11", "q12", "q13"):
        assert expected[name]
        assert not set(plain.query(university.queries()[name]))
    assert expected["q14"] == {(row.x.n3(),) for row in plain.query(university.queries()["q14"])}


def test_after_deletions_and_after_putting_back(
    graph: Graph, triples: list[tuple[str, str, str]]
) -> None:
    properties = {f"<{university.NAMESPACE}{local}>" for local in MAINTAINED}
    removable = [triple for triple in triples if triple[1] in properties]
    gone = random.Random(3).sample(removable, 1000)
    kb = graph.store.kb
    kb.update(delete=gone)
    left = set(gone)
    expected = answers(t for t in triples if t not in left)
    assert expected != answers(triples)
    assert answered(graph) == expected
    kb.update(insert=gone)
    assert answered(graph) == answers(triples)
