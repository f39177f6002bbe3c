"""VALUES of many rows that are read beside the grammar, and what is left to it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rdflib import Graph

from rdfinc.plugins.sparql import requests
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

PROLOGUE = "PREFIX : <x:> PREFIX ex: <http://e/> BASE <http://b/c> "
WRITTEN = r"""
<x:a> :a ex:b.c ex:d-e : <r> <../r> <#f> 1 -2 +3 4.5 -.5 1e3 1.E2 +.1e-1 true false UNDEF undef
:1a :a:b '' '5'^^<http://www.w3.org/2001/XMLSchema#integer> "a" 'b' "it\"s" "" '\n\\' "x"@en
"01"^^ex:t "01"^^xsd:integer "x"^^xsd:integer "\u0041" "\\u0041" :\u0061 "1.0"^^xsd:decimal
"é😀" <x:é> :é "})(" '#no' 'y'@de-AT "z"@EN-gb
"""
TERMS = WRITTEN.split()
UNUSUAL = r"""
:a%20b ex:c\,d TRUE False _:b [] ?x un:a 1. a { "a :a. (1) ) "x"@ <x:\u0020> '''long''' <x
"""
FOR_THE_GRAMMAR = [*UNUSUAL.split(), '"""long"""', "<a b>", "<< :a :p :b >>", "1 2 3 )"]
TEXTS = """
{ VALUES ?x { } }
{ VALUES () { () () } }
{ VALUES () { } }
{ VALUES (?x ?x) { (1 1) } }
{ VALUES (?x ?y) { (1) (2) } }
{ VALUES (?x) { ) 1 ) } }
{ VALUES ?x { (1) } }
{ VALUES (?x) { 1 } }
{ VALUES (?x ?y) { (1 2 } }
{ VALUES ?x { 1
{ ?s ?p ?o } VALUES (?s ?o) { (<x:a> UNDEF) (UNDEF 1) (<x:b> 1) }
{ ?s ?p ?o FILTER EXISTS { VALUES ?o { 1 2 } } values $s { <x:a> :b } }
{ { SELECT ?x { VALUES ?x { 1 2 1 } } } { VALUES ?x { 1 3 } } UNION { VALUES ?x { 2 } } }
{ { SELECT ?x (COUNT(*) AS ?n) { VALUES(?x ?y){(1 2)(1 3)(:a UNDEF)} } GROUP BY ?x } }
{ BIND("VALUES ?x { 1 }" AS ?y) VALUES ?x { 2 } } # VALUES ?x { 3 }
{ VALUES ?VALUES { 1 } ?VALUES ?p ?o }
{ VALUES ?x { <urn:rdfinc:values:0> } }
{ VALUES ?x { 1 } FILTER(?x<2&&?x>0) }
{ VALUES ?x { UNDEF UNDEF } } VALUES ?x { 1 }
""".strip().split("\n")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, QUERIES, least_block_cells=1)


def answered(monkeypatch: pytest.MonkeyPatch, text: str, least: int) -> Any:
    put(monkeypatch, QUERIES, least_block_text=least)
    graph = Graph(store="rdfinc")
    graph.update("INSERT DATA { <x:a> <x:p> 1 }")
    try:
        result = graph.query(PROLOGUE + text)
        return [str(v) for v in result.vars], [
            sorted((str(v), term.n3()) for v, term in row.items()) for row in result.bindings
        ]
    except Exception as error:
        return type(error).__name__


def same(monkeypatch: pytest.MonkeyPatch, text: str) -> bool:
    read, parsed = (answered(monkeypatch, text, least) for least in (0, 1 << 30))
    return bool(read == parsed)


@pytest.mark.parametrize("term", [*TERMS, *FOR_THE_GRAMMAR])
def test_a_term_is_read_as_the_grammar_reads_it(monkeypatch, term):
    assert same(monkeypatch, f"SELECT * {{ VALUES ?x {{ {term} }} }}")
    assert same(monkeypatch, f"SELECT * {{ VALUES ?x {{ {term}{term} <x:a> }} }}")
    assert same(monkeypatch, f"SELECT * {{ VALUES (?x ?y) {{ (<x:a> {term}) ({term} 1) }} }}")


@pytest.mark.parametrize("text", TEXTS)
def test_blocks_stand_where_they_stood(monkeypatch, text):
    assert same(monkeypatch, f"SELECT * {text}")


@pytest.mark.parametrize("seed", range(30))
def test_random_blocks_are_read_as_the_grammar_reads_them(monkeypatch, seed):
    chance = random.Random(seed)
    width = chance.randint(1, 3)
    names = " ".join(chance.choice("?$") + f"v{i}" for i in range(width))
    space = [" ", "\n", "  # ( ) }\n", "\t"]
    rows = [
        "(" + chance.choice(space).join(chance.choice(TERMS) for _ in range(width)) + ")"
        for _ in range(chance.randint(1, 12))
    ]
    block = f"VALUES ({names}) {{{chance.choice(space).join(rows)}}}"
    assert same(monkeypatch, f"SELECT * {{ {block} VALUES ?w {{ {' '.join(TERMS)} }} }}")


def test_a_long_block_is_read_without_the_grammar(monkeypatch):
    texts: list[str] = []
    original = requests.query_tree
    monkeypatch.setattr(
        requests, "query_tree", lambda text, check: texts.append(text) or original(text)
    )
    put(monkeypatch, QUERIES, least_block_cells=64)
    graph = Graph(store="rdfinc")
    rows = " ".join(f"(<x:s{i}> {i})" for i in range(1000))
    found = graph.query(f"SELECT * {{ VALUES (?s ?o) {{ {rows} }} FILTER(?o < 10) }}")
    assert len(found) == 10
    assert max(map(len, texts)) < 150
