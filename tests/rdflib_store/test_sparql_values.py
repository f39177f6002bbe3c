"""VALUES, beside Oxigraph's: which terms it takes, what they stand for, where its rows end."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pyoxigraph as ox
import pytest
from pyparsing import ParseException
from rdflib import Graph

from rdfinc import DataSyntaxError
from rdfinc.terms.io.convert import key_of

PROLOGUE = """PREFIX : <x:> PREFIX ex: <http://e/> BASE <http://b/c>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
WRITTEN = r"""
<x:a> :a ex:b.c ex:d-e : <r> <../r> <#f> 1 -2 +3 4.5 -.5 1e3 1.E2 +.1e-1 true false UNDEF undef
:1a :a:b '' '5'^^<http://www.w3.org/2001/XMLSchema#integer> "a" 'b' "it\"s" "" '\n\\' "x"@en
"01"^^ex:t "01"^^xsd:integer "x"^^xsd:integer "\u0041" "\\u0041" "1.0"^^xsd:decimal
"é😀" <x:é> :é "})(" '#no' 'y'@de-AT "z"@EN-gb
"""
TERMS = WRITTEN.split()
UNUSUAL = r"""
:a%20b ex:c\,d _:b [] ?x un:a 1. a { "a :a. (1) ) "x"@ <x:\u0020> '''long''' <x
"""
OTHERS = [*UNUSUAL.split(), '"""long"""', "<a b>", "<< :a :p :b >>", "1 2 3 )"]
TEXTS = """
{ VALUES ?x { } }
{ VALUES () { () () } }
{ VALUES () { } }
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
{ VALUES ?x { 1 } FILTER(?x<2&& ?x>0) }
{ VALUES ?x { UNDEF UNDEF } } VALUES ?x { 1 }
""".strip().split("\n")


OWN = [r":\u0061", "TRUE", "False"]
"""Escapes in names, and words in any case: Oxigraph does not take them."""


def answered(text: str) -> Any:
    """What the query shows, or that it is refused."""
    try:
        found = Graph(store="rdfinc").query(PROLOGUE + text)
    except (ParseException, DataSyntaxError):
        return "refused"
    return rows(
        {str(v): key_of(term).decode() for v, term in row.items()} for row in found.bindings
    )


def oxigraph(text: str) -> Any:
    try:
        found = ox.Store().query(PROLOGUE + text)
    except SyntaxError:
        return "refused"
    names = [variable.value for variable in found.variables]
    return rows({name: str(row[name]) for name in names if row[name] is not None} for row in found)


def rows(found: Iterable[dict[str, str]]) -> list[list[tuple[str, str]]]:
    return sorted(sorted((name, _canonical(term)) for name, term in row.items()) for row in found)


def _canonical(term: str) -> str:
    """A tag in lower case and a number by its value, as Oxigraph has them."""
    term = re.sub(r'"@([A-Za-z-]+)$', lambda tag: tag[0].lower(), term)
    number = re.fullmatch(r'"([0-9.eE+-]+)"\^\^<.*#(integer|decimal|double)>', term)
    return f"{Decimal(number[1]).normalize()} {number[2]}" if number else term


@pytest.mark.parametrize("term", [*TERMS, *OTHERS])
def test_a_term_stands_for_what_it_does_elsewhere(term):
    texts = [f"VALUES ?x {{ {term} }}", f"VALUES (?x ?y) {{ (<x:a> {term}) ({term} 1) }}"]
    if term not in ("''", '""') and not re.match(r"\w*:|[A-Za-z]", term):
        texts.append(f"VALUES ?x {{ {term}{term} <x:a> }}")
    for text in texts:
        assert answered(f"SELECT * {{ {text} }}") == oxigraph(f"SELECT * {{ {text} }}"), text


def test_words_are_no_matter_of_case_and_escapes_no_matter_of_place():
    found = [answered(f"SELECT * {{ VALUES ?x {{ {term} }} }}") for term in OWN]
    boolean = "http://www.w3.org/2001/XMLSchema#boolean"
    truth = [f'"{word}"^^<{boolean}>' for word in ("true", "false")]
    assert found == [[[("x", term)]] for term in ("<x:a>", *truth)]


@pytest.mark.parametrize("text", TEXTS)
def test_blocks_end_where_they_do_elsewhere(text):
    assert answered(f"SELECT * {text}") == oxigraph(f"SELECT * {text}")


@pytest.mark.parametrize("seed", range(30))
def test_random_blocks_are_read_as_they_are_elsewhere(seed):
    chance = random.Random(seed)
    width = chance.randint(1, 3)
    names = " ".join(chance.choice("?$") + f"v{i}" for i in range(width))
    space = [" ", "\n", "  # ( ) }\n", "\t"]
    rows = [
        "(" + chance.choice(space).join(chance.choice(TERMS) for _ in range(width)) + ")"
        for _ in range(chance.randint(1, 12))
    ]
    block = f"VALUES ({names}) {{{chance.choice(space).join(rows)}}}"
    text = f"SELECT * {{ {block} VALUES ?w {{ {' '.join(TERMS)} }} }}"
    assert answered(text) == oxigraph(text) != "refused"


def test_a_row_has_a_term_for_each_variable():
    with pytest.raises(ParseException, match="VALUES has 2 variables and a row of 1 term"):
        Graph(store="rdfinc").query("SELECT * { VALUES (?x ?y) { (1 2) (3) } }")


def test_a_literal_keeps_its_spaces():
    spaced = '" a  b "^^<http://www.w3.org/2001/XMLSchema#token>'
    graph = Graph(store="rdfinc").parse(data=f"<x:a> <x:p> {spaced} .", format="turtle")
    for text in (f"<x:a> <x:p> {spaced}", f"<x:a> <x:p> ?o VALUES ?o {{ {spaced} }}"):
        assert graph.query(f"ASK {{ {text} }}").askAnswer
