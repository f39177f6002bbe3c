"""Aggregates of random groups of terms of every kind: for all groups at once as for each alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import pyoxigraph as ox
import pytest
from rdflib import Literal
from rdflib_store.test_sparql_expressions import NUMBERS, TERMS, alike, typed

from laws.asking import turtle_key
from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.columns.term_values import rank
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.terms.builtins.values import key_of, value_of
from rdfinc.terms.expressions.aggregates import aggregate
from rdfinc.terms.io.convert import key_of as key_of_term
from rdfinc.terms.rdflib_terms import to_rdflib
from thresholds import put

FINEST = Decimal(2).scaleb(-18)

Group = list[bytes | None]
EXACT = [term for term in typed("integer", "decimal") if '"x"' not in term]
LONG = [f'"{"7" * 390}"^^{EXACT[0].partition("^^")[2]}', '"0.1234567890123456789012345"^^'
        + NUMBERS[-20].partition("^^")[2]]  # fmt: skip
FINE = ["0.000000000000000001", "0.000000000000000002", "98765432109876543210.123456789012345678"]
"""Whose averages lie between decimals of 18 digits, and whose sums have more than 28."""
POOLS = [
    TERMS,
    NUMBERS,
    EXACT,
    [*EXACT, *LONG],
    typed("integer"),
    typed("double", "float"),
    typed("double"),
    FINE,
    ["1", "2", "3", "1.5", "0.25"],
    [str((1 << 62) - 5), "2"],
    typed("date"),
    typed("dateTime"),
    ['"a"', '"b"', '""', '"ab"'],
]
FUNCTIONS = ["SUM", "AVG", "MIN", "MAX", "SAMPLE", "COUNT", "GROUP_CONCAT"]


def groups_of(chance: random.Random) -> list[Group]:
    pool = [key for key in map(turtle_key, chance.choice(POOLS)) if key[:1] != b"_"]
    few = chance.sample(pool, min(len(pool), chance.choice([2, 5, 50])))
    error = chance.choice([0, 0, 0.1])
    return [
        [None if chance.random() < error else chance.choice(few) for _ in range(size)]
        for size in (chance.choice([1, 2, 3, 9, 40]) for _ in range(chance.choice([1, 2, 6])))
    ]


def text_of(groups: Sequence[Group], shown: str, by: str) -> str:
    """The rows of all groups are mixed, those of one in their order."""
    numbers = [number for number, group in enumerate(groups) for _ in group]
    random.Random(len(numbers)).shuffle(numbers)
    parts = [iter(group) for group in groups]
    keys = [(number, next(parts[number])) for number in numbers]
    rows = " ".join(
        f"(<x:{number}> {'UNDEF' if key is None else key.decode()})" for number, key in keys
    )
    return f"SELECT {by} ({shown} AS ?v) {{ VALUES (?g ?x) {{ {rows} }} }} GROUP BY ?g"


def told(groups: Sequence[Group], shown: str) -> list[bytes | None]:
    """In the order of the groups."""
    found = KnowledgeBase(profile="none").query(text_of(groups, shown, "?g"))
    values = {str(row.g): None if row.v is None else key_of_term(row.v) for row in found}
    return [values[f"x:{number}"] for number in range(len(groups))]


def alone(function: str, group: Group, distinct: bool) -> bytes | None:
    """The value of one group, by its definition."""
    known = [key for key in group if key is not None]
    known = list(dict.fromkeys(known)) if distinct else known
    if function in ("SUM", "AVG", "COUNT"):
        return aggregate(function, Counter(group), distinct=distinct)
    if function == "GROUP_CONCAT":
        return key_of("; ".join(str(to_rdflib(key)) for key in known))
    if function == "SAMPLE":
        return known[0] if known else None
    if None in group:
        return None
    return {"MIN": min, "MAX": max}[function](known, key=lambda key: (rank(key), key))


@pytest.mark.parametrize("seed", range(120))
def test_all_groups_at_once_are_worth_what_each_is_alone(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    put(monkeypatch, QUERIES, solutions_block=chance.choice([4, 1 << 18]))
    groups = groups_of(chance)
    for function in FUNCTIONS:
        distinct = chance.random() < 0.3
        separator = '; SEPARATOR="; "' if function == "GROUP_CONCAT" else ""
        shown = f"{function}({'DISTINCT ' * distinct}?x{separator})"
        for found, group in zip(told(groups, shown), groups, strict=True):
            assert found == alone(function, group, distinct), f"{shown} of {group}"


@pytest.mark.parametrize("seed", range(60))
def test_groups_are_worth_what_they_are_to_oxigraph(seed: int) -> None:
    """Where no number is longer than Oxigraph has them."""
    chance = random.Random(seed)
    pool = chance.choice(
        [["1", "2", "3", "1.5", "0.25"], ["1", "-2", "7"], ["1e0", "2.5e0", "1"], POOLS[-1]]
    )
    groups = [[turtle_key(chance.choice(pool)) for _ in range(chance.randint(1, 9))] for _ in "abc"]
    for shown in ("SUM(?x)", "AVG(?x)", "MIN(?x)", "MAX(?x)", "COUNT(DISTINCT ?x)", "SUM(?x + 1)"):
        theirs = ox.Store().query(text_of(groups, shown, "?g"))
        values = {row["g"].value: row["v"] for row in theirs}
        for number, found in enumerate(told(groups, shown)):
            value = values[f"x:{number}"]
            expected = None if value is None else str(value).encode()
            assert alike(found, expected) or nearly(found, expected), f"{shown} of {groups[number]}"


def nearly(found: bytes | None, expected: bytes | None) -> bool:
    """But for the last digit of a decimal, which Oxigraph cuts off."""
    values = [value_of(key or b"") for key in (found, expected)]
    return all(type(value) is Decimal for value in values) and abs(values[0] - values[1]) < FINEST


@pytest.mark.parametrize("seed", range(20))
def test_averages_are_rounded_once(seed: int) -> None:
    chance = random.Random(seed)
    pool = chance.choice([EXACT, FINE])
    keys = [turtle_key(chance.choice(pool)) for _ in range(chance.randint(1, 9))]
    whole = sum(Fraction(value_of(key)) for key in keys) * 10**18
    (found,) = told([keys], "AVG(?x)")
    assert Fraction(value_of(found)) == Fraction(round(whole / len(keys)), 10**18)


def test_an_average_between_two_decimals_is_the_even_one() -> None:
    one, two, _ = map(turtle_key, FINE)
    (found,) = told([[one, two]], "AVG(?x)")
    assert value_of(found) == value_of(two)


def test_an_error_of_a_group_is_one_of_its_aggregate() -> None:
    """ListEval retains errors (SPARQL 1.1, 18.5.1), which COUNT, SAMPLE and GROUP_CONCAT pass over;
    a blank node has no text, is no number, and has an order."""
    kb = KnowledgeBase(profile="none")
    facts = '<x:a> <x:p> _:b , "x" . <x:b> <x:p> 1 , "x" . <x:c> <x:p> "x" , "y"@en'
    kb.graph().update(f"INSERT DATA {{ {facts} }}")
    values = {}
    for function in ("GROUP_CONCAT", "SUM", "AVG", "MAX", "SAMPLE", "COUNT"):
        for row in kb.query(
            f"SELECT ?s ({function}(?o) AS ?v) ({function}(?o + 1) AS ?e)"
            f" {{ SELECT * {{ ?s <x:p> ?o }} ORDER BY ?o }} GROUP BY ?s"
        ):
            found = tuple(None if each is None else str(each) for each in (row.v, row.e))
            values[function, str(row.s)] = found
    assert values["GROUP_CONCAT", "x:a"] == (None, "")
    assert values["GROUP_CONCAT", "x:b"] == ("1 x", "2")
    assert values["GROUP_CONCAT", "x:c"] == ("x y", "")
    for function in ("SUM", "AVG"):
        assert {values[function, f"x:{name}"] for name in "abc"} == {(None, None)}
    assert values["MAX", "x:a"] == ("x", None)
    assert values["SAMPLE", "x:b"][1] == "2"
    assert [values["COUNT", f"x:{name}"] for name in "abc"] == [("2", "0"), ("2", "1"), ("2", "0")]


def test_a_group_of_nothing() -> None:
    shown = ["SUM(?x)", "AVG(?x)", "COUNT(?x)", "MIN(?x)", "SAMPLE(?x)", "GROUP_CONCAT(?x)"]
    text = " ".join(f"({each} AS ?v{i})" for i, each in enumerate(shown))
    (row,) = KnowledgeBase(profile="none").query(f"SELECT {text} {{ ?s <x:p> ?x }}")
    assert [None if term is None else str(term) for term in row] == ["0", "0", "0", None, None, ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT (COUNT(*) AS ?c) { ?s :p ?o }", [3]),
        ("SELECT (COUNT(*) AS ?c) (COUNT(?o) AS ?d) { ?s :p ?o . ?t :p ?v }", [9, 9]),
        ("SELECT (COUNT(*) AS ?c) { ?s :none ?o }", [0]),
        ("SELECT (COUNT(*) AS ?c) { ?s :p ?o } HAVING(COUNT(*) > 5)", []),
        ("SELECT (COUNT(*) + 1 AS ?c) { { ?s :p ?o } UNION { ?s :p ?o } }", [7]),
        ("SELECT (COUNT(*) AS ?c) { GRAPH ?g { ?s :p ?o } }", [2]),
        ("SELECT ?c { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s :p ?o } } }", [2]),
        ("SELECT ?c { GRAPH :g { SELECT (COUNT(*) AS ?c) { ?s :none ?o } } }", [0]),
        ("SELECT ?c { ?s :p 1 { SELECT (COUNT(*) AS ?c) { ?s :p ?o } } }", [3]),
    ],
)
def test_solutions_are_counted_without_being_kept(
    text: str, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = KnowledgeBase(profile="none")
    kb.load(b"@prefix : <x:> . :a :p 1, 2 . :b :p 2 . :g { :a :p 1 . :b :p 2 }", format="trig")
    if "GRAPH" not in text:
        monkeypatch.delattr("rdfinc.plugins.sparql.evaluation.grouping.Tally")
    found = kb.query(f"PREFIX : <x:> {text}")
    assert [value.toPython() for row in found for value in row] == expected


def test_counts_show_what_is_given() -> None:
    kb = KnowledgeBase(profile="none")
    kb.load(b"@prefix : <x:> . :a :p 1, 2 . :b :p 2 .", format="turtle")
    query = kb.prepare("PREFIX : <x:> SELECT ?o (COUNT(*) AS ?c) { ?s :p ?o }")
    assert [(row.o, row.c.toPython()) for row in query(o=Literal(2))] == [(Literal(2), 2)]
    assert [(row.o, row.c.toPython()) for row in query(o=Literal(7))] == [(Literal(7), 0)]
