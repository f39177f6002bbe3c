"""Integers of more digits than Python reads and writes of its own accord."""

from __future__ import annotations

import random

import pytest

from rdfinc import KnowledgeBase
from rdfinc.terms.builtins import is_ill_typed, value_spelling
from rdfinc.terms.builtins.integers import integer_text, read_integer
from rdfinc.terms.builtins.values import key_of, value_of
from rdfinc.terms.expressions.aggregates import aggregate

XSD = "http://www.w3.org/2001/XMLSchema#"
NINES = "9" * 5000


def integer(text: object, datatype: str = "integer") -> str:
    return f'"{text}"^^<{XSD}{datatype}>'


@pytest.mark.parametrize("digits", [1, 4000, 4001, 4301, 30_000])
def test_texts_and_values(digits: int) -> None:
    """Compared with what shifting and adding one digit after the other gives."""
    chance = random.Random(digits)
    text = "1" + "".join(chance.choice("0123456789") for _ in range(digits - 1))
    value = 0
    for digit in text:
        value = 10 * value + int(digit)
    assert read_integer(text) == read_integer(f"+{text}") == read_integer(f"00{text}") == value
    assert read_integer(f"-{text}") == -value
    assert integer_text(value) == text and integer_text(-value) == f"-{text}"


def test_a_million_digits() -> None:
    text = "7" * 10**6
    assert integer_text(read_integer(text)) == text


def test_a_long_integer_has_a_value() -> None:
    key = integer(NINES).encode()
    assert value_of(key) == 10**5000 - 1 and key_of(value_of(key)) == key
    assert value_spelling(integer(f"0{NINES}").encode()) == key
    assert is_ill_typed(integer(NINES, "byte").encode())
    assert not is_ill_typed(integer(NINES, "positiveInteger").encode())
    assert not is_ill_typed(f'"{NINES}.5"^^<{XSD}decimal>'.encode())


def test_aggregates_of_long_integers_are_exact() -> None:
    long, one = integer(NINES).encode(), integer(1).encode()
    half = f'"0.5"^^<{XSD}decimal>'.encode()
    double = integer(1, "double").encode()

    def result(function: str, *terms: bytes) -> str:
        return aggregate(function, dict.fromkeys(terms, 1), distinct=False).decode()

    assert result("SUM", long, one) == integer("1" + "0" * 5000)
    assert result("SUM", long, half) == integer(f"{NINES}.5", "decimal")
    assert result("AVG", long) == integer(NINES, "decimal")
    assert result("MAX", long, one) == integer(NINES)
    assert result("SUM", long, double) == integer("INF", "double")


def test_a_knowledge_base_understands_long_integers() -> None:
    kb = KnowledgeBase()
    kb.add_rules(
        "@prefix : <urn:> . [:all, :sum, ?s] :- AGGREGATE([?x, :p, ?v] BIND SUM(?v) AS ?s) . "
        "[:all, :most, ?s] :- AGGREGATE([?x, :p, ?v] BIND MAX(?v) AS ?s) ."
    )
    in_bytes = "<urn:p>", "<http://www.w3.org/2000/01/rdf-schema#range>", f"<{XSD}byte>"
    functional = "<http://www.w3.org/2002/07/owl#FunctionalProperty>"
    type_ = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    kb.update(insert=[("<urn:a>", "<urn:p>", integer(NINES)), ("<urn:b>", "<urn:p>", integer(1))])
    found = {tuple(term.n3() for term in fact) for fact in kb.derived}
    assert ("<urn:all>", "<urn:sum>", integer("1" + "0" * 5000)) in found
    assert ("<urn:all>", "<urn:most>", integer(NINES)) in found
    kb.update(insert=[in_bytes])
    assert [violation.rule for violation in kb.violations()] == ["dt-not-type"]
    kb.update(delete=[in_bytes], insert=[("<urn:q>", type_, functional)])
    kb.update(insert=[("<urn:c>", "<urn:q>", integer(text)) for text in (NINES, f"0{NINES}")])
    assert kb.violations() == []
    kb.update(insert=[("<urn:c>", "<urn:q>", integer(2))])
    assert {violation.rule for violation in kb.violations()} == {"dt-diff"}


@pytest.mark.parametrize("function", ["add(?k, ?k)", "multiply(?k, 2)", "multiply(?k, ?k)"])
def test_a_rule_that_an_axiom_feeds_with_its_own_values_ends(function: str) -> None:
    kb = KnowledgeBase("rdfs")
    kb.add_rules(
        f"@prefix : <http://e.org/> .[?x, :m, ?m] :- [?x, :n, ?k], BIND(swrlb:{function} AS ?m) ."
    )
    sub = "<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>"
    long = f'"{7**1000}"^^<http://www.w3.org/2001/XMLSchema#integer>'
    two = '"2"^^<http://www.w3.org/2001/XMLSchema#integer>'
    for number in (two, long):
        kb.update(insert=[("<http://e.org/a>", "<http://e.org/n>", number)])
    kb.update(insert=[("<http://e.org/m>", sub, "<http://e.org/n>")])
    assert 10 < len(kb) < 5000
