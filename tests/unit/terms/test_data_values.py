"""Which literals denote the same value, different ones, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfinc.terms.builtins import FUNCTIONS, is_ill_typed, is_its_own, value_spelling

XSD = "http://www.w3.org/2001/XMLSchema#"


def literal(text: str) -> bytes:
    """`1^integer`, `a@en`, `a`."""
    lexical, mark, datatype = text.partition("^")
    if mark:
        return f'"{lexical}"^^<{XSD}{datatype}>'.encode()
    lexical, mark, tag = text.partition("@")
    return f'"{lexical}"{mark}{tag}'.encode()


def relation(name: str, *keys: bytes) -> bool:
    value = FUNCTIONS[f"<urn:rdfinc:{name}>"](*keys)
    return value == f'"true"^^<{XSD}boolean>'.encode()


ALIKE = [
    ["1^integer", "01^integer", "+1^int", "1.0^decimal", "1^nonNegativeInteger", "1.^decimal"],
    ["1^double", "1.0^double", "1E0^double", "10e-1^double"],
    ["1^float", "1.0^float"],
    ["0.0^double", "0^double"],
    ["-0^double", "-0.0e1^double"],
    ["0.5^decimal", ".50^decimal", "+0.5^decimal"],
    ["NaN^double"],
    ["true^boolean", "1^boolean"],
    ["a", "a^string", "a^token", "a^NCName"],
    ["a@en"],
    ["a@en-gb"],
    ["a^anyURI"],
    ["0A^hexBinary", "0a^hexBinary"],
    ["Cg==^base64Binary", "C g = =^base64Binary"],
    ["2020-01-01T00:00:00Z^dateTime", "2020-01-01T00:00:00.0+00:00^dateTimeStamp"],
    ["2020-01-01T01:00:00+01:00^dateTime"],
    ["2020-01-01T00:00:00^dateTime", "2019-12-31T24:00:00^dateTime"],
    ["2020-01-01^date"],
    ["2020-01-01Z^date", "2020-01-01+00:00^date"],
    ["2020^gYear"],
    ["2020Z^gYear", "2020-00:00^gYear"],
    ["P1Y^duration", "P12M^yearMonthDuration"],
    ["a^unknown"],
]


def test_values_are_told_apart():
    groups = [{value_spelling(literal(text)) for text in alike} for alike in ALIKE]
    assert [len(group) for group in groups] == [1] * len(ALIKE)
    assert len(set().union(*groups)) == len(ALIKE)


def test_of_different_values_one_order_is_true():
    known = [literal(alike[0]) for alike in ALIKE if not alike[0].endswith("unknown")]
    for one in known:
        for other in known:
            ordered = relation("apart", one, other) + relation("apart", other, one)
            assert ordered == (one != other), (one, other)
    assert not relation("apart", literal("a"), literal("b^unknown"))
    assert not relation("apart", literal("a"), b"<urn:x>")


PLAIN = "http://www.w3.org/1999/02/22-rdf-syntax-ns#PlainLiteral"


def plain(text: str) -> bytes:
    return f'"{text}"^^<{PLAIN}>'.encode()


def test_plain_literals_are_texts_with_or_without_a_language():
    assert value_spelling(plain("a@")) == literal("a")
    assert value_spelling(plain("a@EN-gb")) == literal("a@en-gb")
    assert value_spelling(plain("a@b@en")) == b'"a@b"@en'
    assert value_spelling(plain("@")) == b'""'
    assert relation("apart", plain("a@"), plain("a@en")) != relation(
        "apart", plain("a@en"), plain("a@")
    )
    assert relation("inDatatype", plain("a@"), f"<{XSD}string>".encode())


@pytest.mark.parametrize("text", ["", "a", "a@1-", "a@e n", "a@en-"])
def test_plain_literals_without_their_mark_are_ill_typed(text):
    assert is_ill_typed(plain(text)) and value_spelling(plain(text)) == plain(text)


ILL = ["x^integer", "300^byte", "1.0^integer", " 1^integer", "2020-02-30^date", "a  b^token",
       "TRUE^boolean", "0^hexBinary", "-1^nonNegativeInteger"]  # fmt: skip


@pytest.mark.parametrize("text", ILL)
def test_ill_typed(text):
    assert is_ill_typed(literal(text)) and not is_its_own(literal(text))


def test_well_typed_or_unknown():
    texts = [text for alike in ALIKE for text in alike]
    texts += ["9" * 500 + "^integer", "x^ENTITY", "a", "a@en"]
    assert [text for text in texts if is_ill_typed(literal(text))] == []


@given(
    st.from_regex(r"-?\d{0,4}\.?\d{0,4}(e\d)?", fullmatch=True)
    | st.from_regex(
        r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,2})?)?(Z|[+-]\d\d:\d\d)?", fullmatch=True
    )
    | st.sampled_from(["true", "false", "1", "0", "NaN", "INF"]),
    st.sampled_from(["integer", "decimal", "double", "boolean", "date", "dateTime", "int"]),
)
def test_literals_canonical_by_a_look_are_canonical(lexical, datatype):
    key = literal(f"{lexical}^{datatype}")
    if is_its_own(key):
        assert value_spelling(key) == key and not is_ill_typed(key)


def test_usual_forms_are_told_by_a_look():
    usual = ["0^integer", "-17^integer", "1.5^decimal", "true^boolean", "0.1^double",
             "2020-01-31^date", "2020-12-28T23:59:59.5Z^dateTime"]  # fmt: skip
    assert [text for text in usual if not is_its_own(literal(text))] == ["2020-01-31^date"]


FACETS = [
    ("minInclusive", "5^integer", ["5^integer", "5.0^decimal"], ["4^integer"]),
    ("maxExclusive", "5^integer", ["4.9^decimal"], ["5^integer"]),
    ("minExclusive", "2020-01-01^date", ["2020-01-02^date"], ["2020-01-01^date"]),
    ("maxInclusive", "5^integer", ["5^integer", "a"], ["6^integer"]),
    ("length", "2^integer", ["ab", "ab@en", "0a0a^hexBinary", "2^integer"], ["abc"]),
    ("minLength", "2^integer", ["ab"], ["a"]),
    ("maxLength", "2^integer", ["ab"], ["abc"]),
    ("pattern", "[ab]+", ["ab", "5^integer"], ["abc", "xa"]),
    ("none", "1^integer", ["a"], []),
]


@pytest.mark.parametrize(("name", "limit", "inside", "outside"), FACETS)
def test_facets(name, limit, inside, outside):
    facet = f"<{XSD}{name}>".encode()
    assert not any(relation("outsideFacet", literal(v), facet, literal(limit)) for v in inside)
    assert all(relation("outsideFacet", literal(v), facet, literal(limit)) for v in outside)


def test_languages():
    facet = b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#langRange>"
    inside, outside = ["a@en", "a@en-gb"], ["a@de", "a", "a@eng"]
    assert not any(relation("outsideFacet", literal(v), facet, literal("EN")) for v in inside)
    assert all(relation("outsideFacet", literal(v), facet, literal("en")) for v in outside)


def test_outside_a_datatype():
    byte = f"<{XSD}byte>".encode()
    inside = [literal("127^int"), literal("x^unknown"), literal("x^integer"), b"<urn:x>", b"_:x"]
    assert not any(relation("outsideDatatype", key, byte) for key in inside)
    assert relation("outsideDatatype", literal("128^int"), byte)
    assert relation("outsideDatatype", literal("1"), byte)
    assert not relation("outsideDatatype", literal("1"), b"<urn:d>")


def test_a_duration_of_more_digits_than_python_reads_is_only_itself() -> None:
    key = f'"P{"9" * 5000}Y"^^<http://www.w3.org/2001/XMLSchema#duration>'.encode()
    assert value_spelling(key) == key
