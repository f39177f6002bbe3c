"""Expressions: against rdflib's SPARQL evaluator, and what must hold whatever rdflib says."""

import numpy as np
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib import BNode, Graph, Literal, URIRef

from rdfinc.datalog.model import Expression
from rdfinc.datalog.syntax import parse_expression
from rdfinc.datalog.variables import variables_in
from rdfinc.errors import RuleError
from rdfinc.terms.expressions import evaluate, holds
from rdfinc.terms.identity import identity

XSD = "http://www.w3.org/2001/XMLSchema#"


def typed(lexical, datatype):
    return f'"{lexical}"^^<{XSD}{datatype}>'.encode()


ONE, ZERO_ONE, TWO = typed("1", "integer"), typed("01", "integer"), typed("2", "integer")
TRUE, FALSE = typed("true", "boolean"), typed("false", "boolean")
IRI, OTHER, NODE = b"<http://e.org/a>", b"<http://e.org/b>", b"_:n"
TERMS = [
    ONE, ZERO_ONE, TWO, TRUE, FALSE, IRI, OTHER, NODE, b"_:other",
    typed("5", "byte"), typed("-3", "long"), typed("1.50", "decimal"), typed("1.0E0", "double"),
    typed("2.5", "float"), typed("1", "boolean"), typed("2020-01-01T00:00:00.000Z", "dateTime"),
    typed("2021-02-03T04:05:06Z", "dateTime"), typed("2020-01-01", "date"),
    b'"a"', b'"b"', b'""', b'"a"@en', b'"a"@en-gb', b'"?v0 <x> (1"', '"é\\n\\"q\\" \\\\"'.encode(),
    b'"a"^^<http://e.org/dt>', b'"b"^^<http://e.org/dt>',
]  # fmt: skip


def value(text, *row):
    (found,) = evaluate(parse_expression(text), [row])
    return found


def condition(text, *row):
    (found,) = holds(parse_expression(text), [row])
    return found


# -- differential: rdflib


@pytest.fixture
def lexical_forms_kept(monkeypatch):
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


def to_rdflib(key):
    text = key.decode()
    if text[0] == "<":
        return URIRef(text[1:-1])
    if text[0] == "_":
        return BNode(text[2:])
    return rdflib.util.from_n3(text)


def by_rdflib(text, row):
    """rdflib's value; None for an error."""
    names = [variable.name for variable in parse_expression(text).variables]
    bindings = dict(zip(names, map(to_rdflib, row), strict=True))
    query = f"SELECT ({parse_expression(text).text} AS ?result) {{}}"
    (solution,) = Graph().query(query, initBindings=bindings)
    return solution.get("result")


def same(ours, theirs):
    if ours is None or theirs is None:
        return ours is None and theirs is None
    ours = to_rdflib(ours)
    if isinstance(ours, Literal) and ours.value is not None:
        return ours.datatype == theirs.datatype and ours.value == theirs.value
    return ours == theirs


TABLE = [
    ("?x = ?y", [(ONE, ZERO_ONE), (ONE, TWO), (IRI, IRI), (IRI, OTHER), (IRI, ONE), (NODE, NODE),
                 (NODE, b"_:other"), (b'"a"', b'"a"@en'), (b'"a"', b'"a"'), (ONE, typed("1.0", "double")),
                 (TRUE, FALSE), (typed("5", "byte"), typed("5", "long"))]),
    ("?x != ?y", [(ONE, ZERO_ONE), (ONE, TWO), (IRI, IRI), (IRI, OTHER), (NODE, IRI), (b'"a"', b'"b"')]),
    ("?x < ?y", [(ONE, TWO), (TWO, ONE), (b'"a"', b'"b"'), (typed("1.50", "decimal"), ONE),
                 (TERMS[15], TERMS[16]), (FALSE, TRUE)]),
    ("?x >= ?y", [(ONE, ZERO_ONE), (ONE, TWO), (TERMS[15], TERMS[16])]),
    ("?x + ?y", [(ONE, TWO), (ONE, typed("1.50", "decimal")), (ONE, b'"a"'), (ONE, IRI),
                 (typed("2.5", "double"), ONE)]),
    ("?x - ?y * 2", [(ONE, TWO), (ZERO_ONE, ZERO_ONE)]),
    ("?x / ?y", [(ONE, TWO), (typed("3", "double"), TWO)]),
    ("-?x", [(ONE,), (typed("1.50", "decimal"),), (b'"a"',)]),
    ("!?x", [(TRUE,), (FALSE,), (ONE,), (b'""',), (IRI,)]),
    ("?x && ?y", [(TRUE, FALSE), (TRUE, TRUE), (FALSE, IRI), (TRUE, IRI), (IRI, FALSE)]),
    ("?x || ?y", [(TRUE, IRI), (IRI, TRUE), (FALSE, IRI), (FALSE, FALSE)]),
    ("?x IN (1, 'a', <http://e.org/a>)", [(ONE,), (ZERO_ONE,), (b'"a"',), (IRI,), (OTHER,)]),
    ("?x NOT IN (1, 2)", [(ONE,), (IRI,), (ZERO_ONE,)]),
    ("IF(?x, ?y, 'no')", [(TRUE, ONE), (FALSE, ONE), (IRI, ONE)]),
    ("COALESCE(?x + 1, ?y)", [(ONE, TWO), (IRI, ZERO_ONE), (NODE, NODE), (b'"a"', b'"a"@en')]),
    ("isIRI(?x)", [(t,) for t in TERMS]),
    ("isBlank(?x)", [(t,) for t in TERMS]),
    ("isLiteral(?x)", [(t,) for t in TERMS]),
    ("isNumeric(?x)", [(ONE,), (b'"1"',), (IRI,), (typed("5", "byte"),), (NODE,)]),
    ("STR(?x)", [(t,) for t in TERMS if t[:1] != b"_"]),
    ("DATATYPE(?x)", [(t,) for t in TERMS if t[:1] != b"_"]),
    ("LANG(?x)", [(b'"a"',), (b'"a"@en-gb',), (ONE,), (IRI,)]),
    ("LANGMATCHES(LANG(?x), 'en')", [(b'"a"@en-gb',), (b'"a"',), (b'"a"@de',)]),
    ("sameTerm(?x, ?y)", [(a, b) for a in TERMS for b in TERMS[:10]]),
    ("STRLEN(?x)", [(b'"a"',), ('"é\\n\\"q\\" \\\\"'.encode(),), (b'"abc"@en',), (ONE,)]),
    ("UCASE(?x)", [(b'"ab"',), (b'"ab"@en',)]),
    ("CONCAT(?x, ?y)", [(b'"a"', b'"b"'), (b'"a"@en', b'"b"@en'), (b'"a"@en', b'"b"'), (b'"a"', ONE)]),
    ("SUBSTR(?x, 2, 1)", [(b'"abc"',), (b'"abc"@en',)]),
    ("CONTAINS(?x, 'b') && STRSTARTS(?x, 'a') && STRENDS(?x, 'c')", [(b'"abc"',), (b'"xbc"',)]),
    ("STRBEFORE(?x, 'b')", [(b'"abc"',), (b'"xyz"',)]),
    ("STRAFTER(?x, 'b')", [(b'"abc"',), (b'"xyz"',)]),
    ("REGEX(?x, '^A.C$', 'i')", [(b'"abc"',), (b'"abcd"',)]),
    ("REPLACE(?x, 'b+', '-')", [(b'"abbbc"',)]),
    ("ENCODE_FOR_URI(?x)", [('"é b/"'.encode(),)]),
    ("IRI(?x)", [(b'"http://e.org/a"',), (IRI,)]),
    ("STRLANG(?x, 'en')", [(b'"a"',)]),
    ("STRDT(?x, xsd:integer)", [(b'"1"',)]),
    ("ABS(?x) + CEIL(?y)", [(typed("-3", "integer"), ONE)]),
    ("FLOOR(?x)", [(typed("1.50", "decimal"),)]),
    ("ROUND(?x)", [(typed("2.5", "decimal"),), (typed("2.4", "decimal"),)]),
    ("YEAR(?x) + MONTH(?x) * 100 + DAY(?x) * 10000", [(TERMS[15],), (TERMS[16],)]),
    ("HOURS(?x) * 100 + MINUTES(?x)", [(TERMS[16],)]),
    ("xsd:integer(?x)", [(b'"01"',), (ZERO_ONE,), (b'"a"',), (TRUE,)]),
    ("xsd:double(?x)", [(b'"1.5"',), (ONE,)]),
    ("xsd:string(?x)", [(IRI,), (ONE,), (b'"a"',)]),
    ("xsd:boolean(?x)", [(b'"true"',), (ONE,), (b'"x"',)]),
    ("SHA1(?x)", [(b'"abc"',)]),
    ("MD5(?x)", [(b'"abc"',)]),
    ("BOUND(?x)", [(IRI,)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rows"), TABLE, ids=[text for text, _ in TABLE])
@pytest.mark.usefixtures("lexical_forms_kept")
def test_as_rdflib(text, rows):
    found = evaluate(parse_expression(text), rows)
    expected = [by_rdflib(text, row) for row in rows]
    different = [
        (row, ours, theirs)
        for row, ours, theirs in zip(rows, found, expected, strict=True)
        if not same(ours, theirs)
    ]
    assert not different
