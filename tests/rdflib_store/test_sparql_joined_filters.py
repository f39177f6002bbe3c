"""A FILTER over a join, tested as soon as enough of it is joined, and one over patterns that share
no variable: the rows are those of Oxigraph."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from rdflib import Literal
from rdflib_store.written_rows import rows

from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

FACTS = """
:a :p 0, 1, 2, "x", "2"@en, :b . :b :p 10, true ; :q 3 . :c :q 2 ; :p 2 . :d :q 1, :a ; :r :d .
:b :r :c, :a . :c :r :d .
"""
QUADS = f"@prefix : <x:> . {FACTS} :g {{ {FACTS} }} :h {{ {FACTS.replace(':b :r :c, :a .', '')} }}"
QUERY_PARTS = """
{ ?s :p ?v } UNION { ?s :q ?v } OPTIONAL { ?s :r ?t } { SELECT ?s { ?s :q ?n } } FILTER(BOUND(?t))
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :q ?n } FILTER(?n > 1)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :q ?n } FILTER(!BOUND(?n) || ?n > 1)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?u OPTIONAL { ?u :q ?n } } FILTER(!BOUND(?n))
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s OPTIONAL { ?t :p ?n } } FILTER(COALESCE(?n, 2) = 2)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(?n + ?v > 4)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(!(?n + ?v > 4))
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(?nowhere = ?v || ?v = 2)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } OPTIONAL { ?t :q ?o } FILTER(BOUND(?n))
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } OPTIONAL { ?t :q ?o } FILTER(BOUND(?o))
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } OPTIONAL { ?t :q ?n } FILTER(?n < 3)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } MINUS { ?t :q ?n } FILTER(?n > 1)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } BIND(?n + 1 AS ?w) FILTER(?n > 1) FILTER(?w > 3)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } BIND(?v AS ?w) FILTER(?w = ?v) FILTER(BOUND(?n))
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } BIND(?v + 1 AS ?w) FILTER(?w = 3 || ?w > ?n)
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER EXISTS { ?s :q ?m FILTER(?m = ?n) }
{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(RAND() < 2 && BOUND(?n))
?s :p ?v FILTER NOT EXISTS { { ?t :r ?s OPTIONAL { ?t :q ?n } } { ?t ?y ?z } FILTER(?n = ?v) }
?s :p ?v FILTER EXISTS { { ?t :r ?s OPTIONAL { ?t :q ?n } } { ?t ?y ?z } FILTER(?n > ?v) }
?s :p ?v OPTIONAL { { ?s :r ?t OPTIONAL { ?t :q ?n } } { ?t ?y ?z } FILTER(BOUND(?n) && ?v > 2) }
?s :p ?v OPTIONAL { { { ?s :r ?t OPTIONAL { ?t :q ?n } } { ?t ?y ?z } FILTER(BOUND(?n) || ?v) } }
?s :q ?n { { ?s :r ?t OPTIONAL { ?t :q ?n } } { ?t :q ?z } FILTER(!BOUND(?n) || ?n < 3) }
?s :q ?n { { ?s :r ?t OPTIONAL { ?t :p ?n } } { ?t :q ?z } FILTER(!BOUND(?n)) }
{ VALUES (?s ?n) { (:a UNDEF) (:b 3) } } { ?s :p ?v } { ?s ?y ?n } FILTER(?n != 3 || ?v > 2)
{ VALUES (?s ?n) { (:a UNDEF) (:b 3) } } { ?s :p ?v } UNION { ?s :q ?v } FILTER(!BOUND(?n))
{ SELECT ?s (COUNT(*) AS ?n) { ?s :p ?v } GROUP BY ?s } { ?s :r ?t MINUS { ?t :q 9 } } FILTER(?n=2)
{ SELECT ?s { ?s :p ?v OPTIONAL { ?s :q ?n } } } { ?s :r ?t } UNION { ?t :r ?s } FILTER(!BOUND(?n))
GRAPH :g { { ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(?n > 1) }
GRAPH ?g { { ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(?n > 1) }
{ GRAPH ?g { ?s :p ?v } } { GRAPH ?g { ?t :r ?s OPTIONAL { ?t :q ?n } } } FILTER(?g != :g || ?n > 1)
{ { ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(BOUND(?n)) } { ?t ?y ?n } FILTER(?n > 1)
?s :p ?v . ?t :q ?n . FILTER(?n > 1)
?s :p ?v . ?t :q ?n . FILTER(?n > 1 && ?v > 1)
?s :p ?v . ?t :q ?n . FILTER(?n > 1) FILTER(?t != :c) FILTER(?v = ?n || ?s = :a)
?s :p ?v . ?t :q ?n . ?t :r ?u . FILTER(?n > 1 || ISIRI(?n)) FILTER(?u != ?s)
?s :p ?v . ?t ?y ?n . FILTER(?y = :q) FILTER(ISNUMERIC(?n))
?s :p ?v . ?t :r+ ?t . FILTER(?t = :d)
?s :p ?v . ?t :r/:q ?n . ?x :q/^:p ?t FILTER(?n > 1)
?s :p ?v OPTIONAL { ?t :q ?n . ?x :r ?y FILTER(?n > ?v) FILTER(?y != :a) }
GRAPH ?g { ?s :p ?v . ?t :q ?n . FILTER(?n > 1) }
""".strip().split("\n")
PREFIX = "PREFIX : <x:> "


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    kb = KnowledgeBase(profile="none")
    kb.load(QUADS.encode(), format="trig")
    return kb


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    store.load(QUADS.encode(), format=ox.RdfFormat.TRIG)
    return store


@pytest.mark.parametrize("block", [1 << 16, 2], ids=["at once", "in parts"])
@pytest.mark.parametrize("part", QUERY_PARTS)
def test_rows(
    kb: KnowledgeBase, store: ox.Store, part: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, solutions_block=block, first_solutions=block)
    query = f"{PREFIX} SELECT * {{ {part} }}"
    expected = rows(store.query(query), lambda t: str(t.value))
    assert rows(kb.query(query), str) == expected
    found = kb.query(f"{query} LIMIT 2")
    assert sum(1 for _ in found) == min(2, sum(expected.values()))
    counted = kb.query(f"{PREFIX} SELECT (COUNT(*) AS ?size) {{ {part} }}")
    assert [row.size for row in counted] == [Literal(sum(expected.values()))]


def test_some_of_the_queries_have_rows(store: ox.Store) -> None:
    found = [bool(store.query(f"{PREFIX} ASK {{ {part} }}")) for part in QUERY_PARTS]
    assert sum(found) > len(found) * 3 / 4


@pytest.mark.parametrize("given", [None, 2, 3])
def test_variables_that_are_given(kb: KnowledgeBase, given: int | None) -> None:
    """The value of a variable that is given holds from the outset."""
    part = "{ ?s :p ?v OPTIONAL { ?s :q ?n } } { ?t :r ?s } FILTER(BOUND(?n) && ?n < 3)"
    query = kb.prepare(f"{PREFIX} SELECT * {{ {part} }}")
    found = [row.n for row in (query() if given is None else query(n=Literal(given)))]
    assert {*found} == ({Literal(2)} if given != 3 else set())


def joined(kb: KnowledgeBase, part: str, pattern: str) -> int:
    """How many rows there were once a pattern was joined."""
    plan = kb.query(f"{PREFIX} SELECT * {{ {part} }}", explain=True)
    (line,) = (line for line in plan.splitlines() if line.strip().startswith(pattern))
    found = re.search(r": ([\d,]+) rows", line)
    assert found is not None, line
    return int(found[1].replace(",", ""))


@pytest.fixture(scope="module")
def many() -> KnowledgeBase:
    """Hundred resources of which each has a value and is linked with ten others."""
    kb = KnowledgeBase(profile="none")
    data = "".join(f"<x:{i}> <x:v> {i} . <x:{i}> <x:w> {i} .\n" for i in range(100))
    links = ((i, (i + step) % 100) for i in range(100) for step in range(1, 11))
    data += "".join(f"<x:{i}> <x:r> <x:{j}> .\n" for i, j in links)
    kb.load(data.encode(), format="turtle")
    return kb


@pytest.mark.parametrize(
    "between",
    ["", "MINUS { ?t :none ?s }", "BIND(STR(?t) AS ?b)", "OPTIONAL { ?t :none ?o }"],
)
def test_a_join_goes_on_with_the_rows_that_pass(many: KnowledgeBase, between: str) -> None:
    part = "{ ?s :v ?v OPTIONAL { ?s :w ?n } } { ?s :r ?t OPTIONAL { ?t :none ?m } }"
    found = joined(many, f"{part} {between} FILTER(?n < 3)", "?s <x:r> ?t")
    assert found == 30


def test_what_is_left_may_bind_what_a_test_reads(many: KnowledgeBase) -> None:
    """Only then are all rows joined first."""
    part = "{ ?s :v ?v OPTIONAL { ?s :none ?n } } { ?s :w ?n }"
    assert len(many.query(f"{PREFIX} SELECT * {{ {part} FILTER(?n < 3) }}")) == 3


def test_all_pairs_are_of_the_solutions_that_pass(many: KnowledgeBase) -> None:
    found = joined(many, "?s :v ?v . ?t :w ?w FILTER(?w * 1 < 3) FILTER(?v + 0 = 7)", "?t <x:w>")
    assert found <= 100
