"""Queries that are read once and asked often."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from rdflib import Graph, Literal, Variable
from rdflib.plugins.sparql import CUSTOM_EVALS, prepareQuery
from rdflib_store.names import ANN, EX, TOM

import rdfinc.plugins.sparql_door as door
from rdfinc import BudgetExceededError, DataSyntaxError, KnowledgeBase, RemoteAccessError
from rdfinc.plugins.sparql.expressions import column_expressions

PREFIX = "PREFIX : <http://example.org/> "
FACTS = """
@prefix : <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:tom :knows :ann ; :age 9 . :ann :knows :ann, :eve ; :age 7 ; :born "2001-02-03"^^xsd:date .
:eve :age 7 ; :knows :tom .
"""


@pytest.fixture
def kb() -> KnowledgeBase:
    found = KnowledgeBase()
    found.load(FACTS.encode(), format="ttl")
    return found


def rows(result) -> list[tuple]:
    return sorted(map(tuple, result), key=str)


TEXTS = [
    "SELECT ?x ?y { ?x :knows ?y }",
    "SELECT ?x ?n { ?x :knows ?y . ?x :age ?n FILTER(?n > 7 || ?y = ?x) }",
    "SELECT ?t { ?x :age ?n BIND(CONCAT(STR(?x), STR(?n + 1)) AS ?t) } ORDER BY ?t",
    "SELECT ?n (COUNT(?x) AS ?k) { ?x :age ?n } GROUP BY ?n HAVING(COUNT(?x) > 0)",
    "SELECT ?x ?y { ?x :age ?n OPTIONAL { ?x :knows ?y FILTER(?n = 7) } }",
    "SELECT ?x { ?x :age ?n FILTER NOT EXISTS { ?x :knows ?y } }",
    "SELECT ?x ?k { { SELECT ?x (COUNT(?y) AS ?k) { ?x :knows ?y } GROUP BY ?x } }",
    "SELECT ?x ?y { ?x :knows+ ?y MINUS { ?y :age ?n } }",
]
BINDINGS = [{}, {"x": TOM}, {"x": ANN, "y": ANN}, {"n": Literal(7)}, {"x": EX.nobody}]


@pytest.mark.parametrize("text", TEXTS)
def test_each_asking_is_one_of_the_text_under_bindings(kb: KnowledgeBase, text: str) -> None:
    prepared = kb.prepare(PREFIX + text)
    graph = kb.dataset()
    for _, given in product(range(2), BINDINGS):
        wanted = rows(graph.query(PREFIX + text, initBindings=given))
        assert rows(prepared(**given)) == wanted, given
        assert rows(prepared.query(given)) == wanted, given
        assert rows(prepared.query({Variable(v): term for v, term in given.items()})) == wanted


@pytest.mark.parametrize("given", BINDINGS)
def test_bindings_are_those_of_rdflib(kb: KnowledgeBase, given: dict) -> None:
    memory = Graph().parse(data=FACTS, format="turtle")
    for text in TEXTS[:1]:
        wanted = memory.query(prepareQuery(PREFIX + text), initBindings=given)
        assert rows(kb.prepare(PREFIX + text)(**given)) == rows(wanted)


def test_what_changed_is_seen(kb: KnowledgeBase) -> None:
    prepared = kb.prepare(PREFIX + "SELECT ?y { ?x :likes ?y FILTER(STRLEN(STR(?y)) > 3) }")
    assert rows(prepared(x=TOM)) == []
    kb.update(insert=[(TOM, EX.likes, ANN)])
    before = prepared(x=TOM)
    kb.update(delete=[(TOM, EX.likes, ANN)])
    assert rows(prepared(x=TOM)) == []
    assert rows(before) == [(ANN,)]


def test_results_are_read_side_by_side(kb: KnowledgeBase) -> None:
    prepared = kb.prepare(PREFIX + "SELECT ?x ?y { ?x :knows ?y FILTER(?x != :nobody) }")
    found = [iter(prepared(x=each)) for each in (TOM, ANN, TOM)]
    assert [tuple(next(each)) for each in found][::2] == [(TOM, ANN), (TOM, ANN)]
    assert [len(list(each)) for each in found] == [0, 1, 0]


def test_values_of_python_are_literals(kb: KnowledgeBase) -> None:
    assert len(kb.prepare(PREFIX + "SELECT ?x { ?x :age ?n }")(n=7)) == 2
    prepared = kb.prepare(PREFIX + "ASK { ?x :born ?day }")
    assert prepared(day=date(2001, 2, 3)).askAnswer
    assert not prepared(day=date(2001, 2, 4)).askAnswer
    with pytest.raises(TypeError, match=r"\?day is bound to None"):
        prepared(day=None)


def test_the_text_is_read_once_and_compiled_once(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = kb.prepare(PREFIX + "SELECT ?x { ?x :age ?n FILTER(?n > 7 && ?n < ?m) }")
    assert rows(prepared(m=10)) == [(TOM,)]

    def again(*args, **kwargs):
        raise AssertionError("again")

    monkeypatch.setattr(door, "query_of", again)
    monkeypatch.setattr(column_expressions.QueryExpression, "__init__", again)
    assert rows(prepared(m=10)) == [(TOM,)]
    assert rows(prepared(m=8)) == []


def test_blank_nodes_and_random_numbers_are_new_each_time(kb: KnowledgeBase) -> None:
    prepared = kb.prepare("SELECT (BNODE('x') AS ?b) (RAND() AS ?r) (UUID() AS ?u) {}")
    found = [prepared().bindings[0] for _ in range(2)]
    assert all(found[0][v] != found[1][v] for v in map(Variable, "bru"))


def test_limits_are_those_of_each_asking(kb: KnowledgeBase) -> None:
    prepared = kb.prepare("SELECT * { ?s ?p ?o . ?x ?y ?z }")
    with pytest.raises(BudgetExceededError):
        len(prepared.query(max_rows=10))
    assert len(prepared()) == len(prepared.query(max_rows=1000)) > 10
    assert prepared.query(explain=True).startswith("Project ")


def test_errors_come_when_they_can_be_told(kb: KnowledgeBase) -> None:
    with pytest.raises(DataSyntaxError):
        kb.prepare("SELECT {")
    with pytest.raises(DataSyntaxError, match="unknown prefix"):
        kb.prepare("ASK { ?x nowhere:p ?y }")
    with pytest.raises(TypeError):
        kb.prepare(7)
    with pytest.raises(RemoteAccessError):
        kb.prepare("ASK { SERVICE <http://localhost:1/> { ?x ?p ?y } }")()
    unkeyed = kb.prepare(PREFIX + "SELECT ?x { ?x :age ?n } GROUP BY ?n")
    with pytest.raises(DataSyntaxError, match="no key of GROUP BY"):
        unkeyed()
    assert len(unkeyed(x=TOM)) == 1


def test_rdflib_answers_under_the_same_bindings(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def declines(ctx, part):
        raise NotImplementedError

    prepared = kb.prepare(PREFIX + "SELECT ?y { ?x :knows ?y }")
    monkeypatch.setitem(CUSTOM_EVALS, "other", declines)
    assert rows(prepared(x=TOM)) == [(ANN,)]
