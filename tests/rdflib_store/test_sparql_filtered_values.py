"""A FILTER over the values of a BIND, tested before these are terms: the rows are those of
Oxigraph."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from rdflib import Literal
from rdflib_store.written_rows import rows

from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

DATA = """@prefix : <x:> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a :p 0, 1, 2, 3, 2.5, "1"^^xsd:double, "x", "2"@en, :b . :b :p 10, true ; :q 3 . :c :q 2 .
"""
QUERY_PARTS = """
?s :p ?v BIND(10 / ?v AS ?w) FILTER(?w > 4)
?s :p ?v BIND(10 / ?v AS ?w) FILTER(!BOUND(?w))
?s :p ?v BIND(10 / ?v AS ?w) FILTER(?w > 4 || ?v = "x")
?s :p ?v BIND(?v + 1 AS ?w) BIND(?w * 2 AS ?x) FILTER(?w > 2) FILTER(?x < 8)
?s :p ?v BIND(?v + 1 AS ?w) BIND(?w * 2 AS ?x) FILTER(?x > ?w + 3)
?s :p ?v BIND(?v AS ?w) FILTER(?w = 1)
?s :p ?v BIND(STR(?v) AS ?w) FILTER(STRLEN(?w) > 1 && ?s = :a)
?s :p ?v { BIND(1 AS ?n) FILTER(?n = 1 && BOUND(?v)) }
?s :p ?v { ?s :q ?n BIND(1 AS ?w) FILTER(?w = ?n || !BOUND(?v)) }
?s :p ?v OPTIONAL { ?s :q ?n BIND(?n - 1 AS ?w) FILTER(?w = 2) }
?s :p ?v OPTIONAL { { ?s :q ?n BIND(?n - 1 AS ?w) FILTER(?w = ?v) } }
?s :q ?w { ?s :p ?v BIND(1 / ?v AS ?w) FILTER(!BOUND(?w)) }
?s :p ?v OPTIONAL { ?s :q ?n } BIND(?v + 1 AS ?w) FILTER(COALESCE(?n, 0) < ?w)
?s :p ?v FILTER EXISTS { ?t :q ?n BIND(?n AS ?w) FILTER(?w = ?v) }
{ ?s :p ?v } UNION { ?s :q ?v } BIND(?v + 1 AS ?w) FILTER(?w IN (2, 3, 4.0))
GRAPH ?g { ?s :p ?v BIND(?v + 1 AS ?w) FILTER(?w > 1) }
{ SELECT ?s (SUM(?v) AS ?w) { ?s :q ?v } GROUP BY ?s } BIND(?w * 2 AS ?x) FILTER(?x > 4)
""".strip().split("\n")


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    kb = KnowledgeBase(profile="none")
    kb.load(DATA.encode(), format="turtle")
    return kb


@pytest.mark.parametrize("limits", [{}, {"timeout": 60}], ids=["at once", "in parts"])
@pytest.mark.parametrize("part", QUERY_PARTS)
def test_rows(
    kb: KnowledgeBase, part: str, limits: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, watched_rows=3)
    store = ox.Store()
    store.load(DATA.encode(), format=ox.RdfFormat.TURTLE)
    query = f"PREFIX : <x:> SELECT * {{ {part} }}"
    found = kb.query(query, **limits)
    expected = rows(store.query(query), lambda t: str(t.value))
    assert rows(found, str) == expected


def test_a_variable_that_is_given_keeps_its_value(kb: KnowledgeBase) -> None:
    """Where the value of the BIND is an error."""
    query = kb.prepare("PREFIX : <x:> SELECT ?s { ?s :q ?v BIND(1 / 0 AS ?w) FILTER(?w = 7) }")
    assert len(query()) == 0
    assert len(query(w=Literal(7))) == 2


def test_no_term_is_made_for_what_does_not_pass(kb: KnowledgeBase) -> None:
    found = kb.query("PREFIX : <x:> SELECT ?w { ?s :p ?v BIND(?v + 7000 AS ?w) FILTER(?w > 7005) }")
    assert [row.w for row in found] == [Literal(7010)]
    assert found._scope.terms._local == [b'"7010"^^<http://www.w3.org/2001/XMLSchema#integer>']
