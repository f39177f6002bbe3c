"""Values of groups: what SPARQL's aggregates and MEDIAN give."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rdfinc.terms.expressions.aggregates import aggregate


def number(lexical: str, datatype: str = "integer") -> bytes:
    return f'"{lexical}"^^<http://www.w3.org/2001/XMLSchema#{datatype}>'.encode()


@pytest.mark.parametrize(
    ("function", "terms", "value"),
    [
        ("COUNT", [number("1"), None], number("1")),
        ("SUM", [number("93667960446564304660"), number("-3")], number("93667960446564304657")),
        ("SUM", [number("1"), number("0.5", "decimal")], number("1.5", "decimal")),
        ("SUM", [number("1"), b"<x:a>"], None),
        ("SUM", [number("1"), None], None),
        ("AVG", [number("1"), number("2")], number("1.5", "decimal")),
        ("MIN", [number("1"), number("01")], number("01")),
        ("MAX", [number("2"), number("1e1", "double")], number("1e1", "double")),
        ("MIN", [b"<x:a1>", b"<x:a>", b"<x:a/>"], b"<x:a>"),
        ("MAX", [b"<x:a1>", b"<x:a>", b"<x:a/>"], b"<x:a1>"),
        ("MIN", [b'"a b"', b'"a"', b'"a!"'], b'"a"'),
        ("MAX", [b'"a b"', b'"a"', b'"a!"'], b'"a!"'),
        ("MIN", [b'"a\\n"', b'"a!"', b'"a\\\\"'], b'"a\\n"'),
        ("MAX", [b'"a"', b'"a"@en', b'"a"@de'], b'"a"@en'),
        ("MAX", [b'"a b"^^<x:t>', b'"a"^^<x:t>', b'"z"'], b'"a b"^^<x:t>'),
        ("MEDIAN", [number("1"), number("9"), number("2.5", "decimal")], number("2.5", "decimal")),
        ("MEDIAN", [number("1"), number("2")], number("1.5", "decimal")),
        ("MEDIAN", [b'"a"'], None),
    ],
)
def test_values(function: str, terms: list[bytes | None], value: bytes | None) -> None:
    assert aggregate(function, Counter(terms), distinct=False) == value


def test_distinct_counts_terms() -> None:
    terms = Counter([number("1"), number("1"), number("01")])
    assert aggregate("COUNT", terms, distinct=True) == number("2")


def test_a_sum_of_doubles_does_not_depend_on_their_order() -> None:
    terms: list[bytes | None] = [number(repr(0.1 * i), "double") for i in range(40)]
    terms += [number("1e16", "double"), number("-1e16", "double")]
    sums = set()
    for seed in range(20):
        random.Random(seed).shuffle(terms)
        sums.add(aggregate("SUM", Counter(terms), distinct=False))
    assert sums == {number("78", "double")}
