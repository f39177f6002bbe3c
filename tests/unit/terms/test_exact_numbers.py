"""Numbers of any length in rules' expressions: against Python's integers and fractions, and the
exact texts against Oxigraph where both can compute."""

from __future__ import annotations

import operator
import random
from decimal import Decimal
from fractions import Fraction

import pytest

from rdfinc import KnowledgeBase
from rdfinc.datalog.syntax.rule_text import parse_expression
from rdfinc.terms.builtins.values import value_of
from rdfinc.terms.expressions.exact_numbers import Exactness, doubt
from rdfinc.terms.expressions.expression import _Query, evaluate, holds
from rdfinc.terms.expressions.rewriting import Rewriting

XSD = "http://www.w3.org/2001/XMLSchema#"
LARGEST = 2**63 - 1


def typed(lexical: object, datatype: str = "integer") -> bytes:
    return f'"{lexical}"^^<{XSD}{datatype}>'.encode()


def value(text: str, *row: bytes) -> bytes | None:
    (found,) = evaluate(parse_expression(text), [row])
    return found


def condition(text: str, *row: bytes) -> bool:
    (found,) = holds(parse_expression(text), [row])
    return found


def integers(chance: random.Random, digits: int) -> int:
    return chance.choice((1, -1)) * chance.randrange(10 ** chance.randint(1, digits))


# -- oracle: Python's integers

ARITHMETIC = {
    "?x + ?y": operator.add,
    "?x - ?y": operator.sub,
    "?x * ?y": operator.mul,
    "?x * ?y - ?x + 7": lambda x, y: x * y - x + 7,
    "-?x - ?y * ABS(?y)": lambda x, y: -x - y * abs(y),
    "IF(?x < ?y, ?x - ?y, ?y * ?y * 2)": lambda x, y: x - y if x < y else y * y * 2,
    "COALESCE(?x * ?y, 0)": operator.mul,
}
RELATIONS = {
    "?x < ?y": operator.lt,
    "?x <= ?y": operator.le,
    "?x = ?y": operator.eq,
    "?x != ?y": operator.ne,
    "?x + 1 > ?y": lambda x, y: x + 1 > y,
    "?x - ?y >= 0": operator.ge,
    "?x IN (?y, 3)": lambda x, y: x in (y, 3),
    "?x NOT IN (?y, 3)": lambda x, y: x not in (y, 3),
    "!(?x - ?y)": operator.eq,
    "?x * ?y || ?x": lambda x, y: bool(x),
}


@pytest.mark.parametrize("digits", [4, 12, 20, 60])
@pytest.mark.parametrize("text", ARITHMETIC)
def test_integers_are_computed_exactly(text: str, digits: int) -> None:
    chance = random.Random(f"{text} {digits}")
    pairs = [(integers(chance, digits), integers(chance, digits)) for _ in range(60)]
    found = evaluate(parse_expression(text), [(typed(x), typed(y)) for x, y in pairs])
    assert found == [typed(ARITHMETIC[text](x, y)) for x, y in pairs]


@pytest.mark.parametrize("digits", [1, 12, 20, 60])
@pytest.mark.parametrize("text", RELATIONS)
def test_integers_are_compared_exactly(text: str, digits: int) -> None:
    chance = random.Random(f"{text} {digits}")
    pairs = [(integers(chance, digits), integers(chance, digits)) for _ in range(40)]
    pairs += [(x, x) for x, _ in pairs] + [(x, x + 1) for x, _ in pairs]
    found = holds(parse_expression(text), [(typed(x), typed(f"0{y}", "integer")) for x, y in pairs
                                           if y >= 0])  # fmt: skip
    assert found == [RELATIONS[text](x, y) for x, y in pairs if y >= 0]


def test_decimals_are_exact_as_far_as_they_have_digits() -> None:
    """18 fractional digits, what is beyond is cut off; before the point as integers."""
    chance = random.Random(18)
    for _ in range(200):
        x, y = (Decimal(integers(chance, 40)).scaleb(-chance.randint(0, 12)) for _ in range(2))
        row = typed(f"{x:f}", "decimal"), typed(f"{y:f}", "decimal")
        product = value("?x * ?y", *row)
        assert product is not None and product.endswith(b"#decimal>")
        scaled = Fraction(x) * Fraction(y) * 10**18
        expected = Fraction(abs(scaled).__floor__() * (1 if scaled >= 0 else -1), 10**18)
        assert Fraction(value_of(product)) == expected
        assert condition("?x < ?y", *row) == (x < y)


# -- differential: the exact texts, and Oxigraph's own operators

TEXTS = [
    "?x + ?y", "?x - ?y - 1", "?x * ?y", "?x / ?y", "2 * ?x / 8 * ?y", "-?x", "+?y", "?x < ?y",
    "?x >= ?y", "?x = ?y", "?x != ?y", "?x IN (?y, 1, 'a')", "?x NOT IN (?y)", "!?x", "?x && ?y",
    "?x || ?y", "IF(?x, ?y, 'no')", "COALESCE(?x + 1, ?y)", "isNumeric(?x)", "ABS(?x)", "CEIL(?x)",
    "FLOOR(?x)", "ROUND(?x)", "xsd:integer(?x)", "xsd:decimal(?x)", "xsd:double(?x)",
    "xsd:float(?x)", "xsd:boolean(?x)", "STRLEN(STR(?x + 2))", "CONCAT(STR(?x), 'b') = ?y",
    "(?x + ?y) * 2 = ?y + ?y && ?x < 3", "sameTerm(?x + 1, ?y)", "DATATYPE(?x * ?y)", "?x IN ()",
]  # fmt: skip
TERMS = [
    typed(1), typed("01"), typed(0), typed(-7), typed(5, "byte"), typed(123456),
    typed("1.50", "decimal"), typed("-2.5", "decimal"), typed("0.1", "double"),
    typed("INF", "double"), typed("NaN", "float"), typed("2.5", "float"), typed("1e3", "double"),
    typed("true", "boolean"), typed("x", "integer"), typed("2020-01-01T00:00:00Z", "dateTime"),
    typed("P1D", "dayTimeDuration"), b'"a"', b'"12"', b'"1.5"', b'""', b'"a"@en', b"<http://e.org/a>",
    b"_:n", b'"a"^^<http://e.org/dt>',
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_values_that_oxigraph_can_compute_are_the_same(text: str) -> None:
    parsed = parse_expression(text)
    rewriting = Rewriting([variable.name for variable in parsed.variables])
    plain, exactness = rewriting.value(parsed.text), Exactness()
    exact = exactness.exact(plain)
    rows = [(x, y)[: len(parsed.variables)] for x in TERMS for y in TERMS]
    by_oxigraph = _Query(plain, rewriting, text, {}).values(rows)
    by_us = _Query(exact, rewriting, text, exactness.functions).values(rows)
    differ = {
        row: (theirs, ours)
        for row, theirs, ours in zip(rows, by_oxigraph, by_us, strict=True)
        if theirs != ours and theirs is not None and not any(b"NaN" in key for key in row)
    }
    assert not differ  # NaN >= NaN is true to Oxigraph, though not to XPath


# -- named

NINES = typed("9" * 30)


def test_an_integer_of_64_bits_is_not_the_end() -> None:
    assert value("?n + 1", typed(LARGEST)) == typed(LARGEST + 1)
    assert value("-?n", typed(-LARGEST - 1)) == typed(LARGEST + 1)
    assert value("9223372036854775807 + 1") == typed(LARGEST + 1)
    assert value("?n + 1", typed(2**64 - 1, "unsignedLong")) == typed(2**64)


def test_an_overflow_is_not_mistaken_for_an_error() -> None:
    assert value("COALESCE(?n * ?n, 0)", typed(2**40)) == typed(2**80)
    assert value("COALESCE('a' + 1, ?n * ?n, 0)", typed(2**40)) == typed(2**80)
    assert value("COALESCE(COALESCE('a' + 1, ?n * ?n) * ?n, 0)", typed(2**40)) == typed(2**120)
    assert value("COALESCE('a' + 1, ?n * 2)", typed(2**40)) == typed(2**41)


def test_long_numbers_are_numeric_and_have_a_boolean_value() -> None:
    assert condition("isNumeric(?n)", NINES) and condition("?n", NINES)
    assert not condition("isNumeric(?n)", typed("9" * 30 + "x")) and not condition("!?n", NINES)
    assert value("IF(?n, 1, 2)", NINES) == typed(1)


def test_casts_of_long_texts_and_large_doubles() -> None:
    assert value("xsd:integer(?t)", b'"' + b"9" * 30 + b'"') == NINES
    assert value("xsd:integer(?d)", typed("1e18", "double")) == typed(10**18)
    assert value("xsd:integer(?d + 1)", typed("1e18", "double")) == typed(10**18)
    assert value("xsd:integer(?d)", typed("1e30", "double")) == typed(int(1e30))
    assert value("xsd:decimal(?d)", typed("1e18", "double")) == typed(10**18, "decimal")
    assert value("xsd:decimal(?d)", typed("0.1", "double")) == typed("0.1", "decimal")
    assert value("xsd:integer(?d)", typed("INF", "double")) is None
    assert value("xsd:double(?n)", NINES) == value("1e30 + 0")
    assert value("xsd:boolean(?n)", NINES) == typed("true", "boolean")


def test_texts_of_long_numbers() -> None:
    assert value("STR(?n + 1)", NINES) == b'"1' + b"0" * 30 + b'"'
    assert value("sameTerm(?n + 1, ?m)", NINES, typed(10**30)) == typed("true", "boolean")
    assert value("STRLEN(STR(?n * ?n))", NINES) == typed(60)


def test_a_long_number_beside_what_is_none() -> None:
    assert condition("?n != ?x", NINES, b"<http://e.org/a>") and condition("?n != 'a'", NINES)
    assert not condition("?n = 'a'", NINES) and value("?n = ?x", NINES, b'"a"^^<urn:x>') is None
    assert value("?n + ?x", NINES, b'"a"') is None and value("?n < ?x", NINES, b"_:a") is None


def test_fractions_beyond_18_digits_are_cut_off() -> None:
    assert value("?x / 3 * 0.1", typed(1)) == typed("0.033333333333333333", "decimal")
    assert value("?x * 0.1", typed("0.000000000000000001", "decimal")) == typed(0, "decimal")


def test_past_the_bound_there_is_no_value() -> None:
    """1 200 bits, and no wrong one: what is masked is the error."""
    within, beyond = 2**599, 2**600
    assert value("?n * ?n", typed(within)) == typed(within**2)
    assert value("?n * ?n", typed(beyond)) is None
    assert value("COALESCE(?n * ?n, 'long')", typed(beyond)) == b'"long"'
    assert value("?n - 1", typed(beyond**2)) == typed(beyond**2 - 1)
    unread = typed("9" * 100_001)
    assert value("?n + 1", unread) is None and value("isNumeric(?n)", unread) is None
    assert not condition("?n > 1", unread) and not condition("?n < 1", unread)


def test_errors_for_other_reasons_are_not_looked_at_twice() -> None:
    short, long = typed(12_345), typed(1_234_567_890)
    comparison = doubt(parse_expression("?x < ?y").text)
    assert not comparison((short, b'"a"')) and comparison((long, b'"a"'))
    assert not comparison((b"<http://e.org/" + b"x" * 100 + b">", b'"' + b"9" * 100 + b'"'))
    assert doubt(parse_expression("?x > 5").text).digits == 17
    assert doubt(parse_expression("?x / ?y").text).digits == -1
    assert doubt(parse_expression("xsd:integer(?x) > 5").text).digits == -1


@pytest.mark.parametrize("length", [100, 2000])
def test_long_and_deep_expressions(length: int) -> None:
    """As long, and as deep, as the reader of rules admits."""
    assert value(" + ".join(["?n"] * length), NINES) == typed(length * (10**30 - 1))
    assert condition(" || ".join(["?n < 1"] * (length - 1) + ["?n > 1"]), NINES)
    deep = "?n + 1 * (" * 48 + "?n" + ")" * 48
    assert value(deep, NINES) == typed(49 * (10**30 - 1))


def test_rules_compute_with_long_integers() -> None:
    rules = """
        @prefix : <urn:> .
        [?x, :square, ?m] :- [?x, :number, ?n], BIND(?n * ?n AS ?m) .
        [?x, :isLarge, true] :- [?x, :square, ?n], FILTER(?n > 18446744073709551616) .
    """
    kb = KnowledgeBase()
    kb.add_rules(rules)
    numbers = {"a": 2**32, "b": 2**32 + 1}
    kb.update([(f"<urn:{x}>", "<urn:number>", typed(n).decode()) for x, n in numbers.items()])
    found = {str(fact[0]): int(str(fact[2])) for fact in kb.triples((None, "<urn:square>", None))}
    assert found == {"urn:a": 2**64, "urn:b": (2**32 + 1) ** 2}
    assert [str(fact[0]) for fact in kb.triples((None, "<urn:isLarge>", None))] == ["urn:b"]
