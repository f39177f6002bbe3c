"""The values that literals denote, as the built-ins compute with them; and back to keys.

A key denotes: an `int` (xsd:integer and what is derived from it), a `Decimal`, a `Single` or a
`float` (xsd:float, xsd:double), a `bool`, a `str` (plain strings only), `Tagged`, `Uri`, `Binary`,
a `Duration`, a `Moment`, `Markup`; everything else, IRIs, unknown and ill-typed literals included,
is `Other` and equal to nothing but itself.

What is computed is written as Oxigraph writes it, so that `?x + 1` and `swrlb:add(?x, 1)` give
the same term. Decimals have 18 fractional digits, what is beyond is cut off; those of more than
`_DIGITS` digits are no values here. Integers of any length are; a computed one has `_DIGITS` digits
at most, or no more bits than the longest of those that it is made of.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from decimal import ROUND_DOWN, Context, Decimal
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct

from rdfinc.terms.builtins.calendar import Duration, Moment, read_duration, read_moment
from rdfinc.terms.builtins.integers import integer_text, read_integer
from rdfinc.terms.builtins.markup import Markup, read_markup
from rdfinc.terms.grammar import escape, literal_parts

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

_DIGITS = 400
MOST_DIGITS = 100_000
"""Characters of an integer with a known value; reading so many takes some hundredths of a
second."""

EXACT = Context(prec=2 * _DIGITS)
"""Decimal arithmetic in which a sum or product of two values is exact."""

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")
_TAG = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_CUT = Decimal(1).scaleb(-18)

BOUNDS: dict[str, tuple[int | None, int | None]] = {
    "integer": (None, None),
    "long": (-(1 << 63), (1 << 63) - 1),
    "int": (-(1 << 31), (1 << 31) - 1),
    "short": (-(1 << 15), (1 << 15) - 1),
    "byte": (-(1 << 7), (1 << 7) - 1),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "unsignedLong": (0, (1 << 64) - 1),
    "unsignedInt": (0, (1 << 32) - 1),
    "unsignedShort": (0, (1 << 16) - 1),
    "unsignedByte": (0, (1 << 8) - 1),
}
_STRINGS = ["string", "normalizedString", "token", "language", "Name", "NCName", "NMTOKEN"]


class NoValue(ValueError):  # noqa: N818  an outcome, not a fault
    """A built-in has no value for these arguments; its atom is false."""


class Single(float):
    """A value of xsd:float."""

    def __new__(cls, value: Any) -> Single:
        with np.errstate(over="ignore"):
            return super().__new__(cls, float(np.float32(value)))


class Tagged(Struct, frozen=True):
    """A text in a language."""

    text: str
    tag: str


class Uri(Struct, frozen=True):
    """A value of xsd:anyURI."""

    text: str


class Binary(Struct, frozen=True):
    """Octets; `kind` is the datatype's local name."""

    kind: str
    octets: bytes

    def __str__(self) -> str:
        """The canonical form."""
        if self.kind == "hexBinary":
            return self.octets.hex().upper()
        return b64encode(self.octets).decode()


class Other(Struct, frozen=True):
    """A term with no value but itself."""

    key: bytes


@lru_cache(maxsize=1 << 15)
def value_of(key: bytes) -> Any:
    """The value of a term."""
    if key[:1] != b'"':
        return Other(key)
    lexical, tag, datatype = literal_parts(key)
    if tag is not None:
        return Tagged(lexical, tag)
    if datatype is None:
        return lexical
    read = _READERS.get(datatype)
    value = None if read is None else read(lexical)
    return Other(key) if value is None else value


def key_of(value: Any) -> bytes:
    """The term that denotes a computed value."""
    if type(value) is str:
        return f'"{escape(value)}"'.encode()
    if type(value) in _WRITERS:
        datatype, written = _WRITERS[type(value)]
        return f'"{escape(written(value))}"^^<{XSD}{datatype}>'.encode()
    if isinstance(value, Other):
        return value.key
    if isinstance(value, Tagged):
        return f'"{escape(value.text)}"@{value.tag}'.encode()
    if isinstance(value, Markup):
        return f'"{escape(value.text)}"^^<{RDF}XMLLiteral>'.encode()
    return _of_kind(value)


def keys_of_texts(texts: list[str]) -> list[bytes]:
    """What `key_of` gives for each text; four times as fast where none has to be escaped."""
    together = "".join(texts)
    if not texts or not together.isprintable() or '"' in together or "\\" in together:
        return list(map(key_of, texts))
    return ('"' + '"\n"'.join(texts) + '"').encode().split(b"\n")


def _of_kind(value: Any) -> bytes:
    """The term of a value of a subclass, or of one that tells its datatype."""
    known = next((type_ for type_ in _WRITERS if isinstance(value, type_)), None)
    if known is not None:
        return key_of(known(value))
    return f'"{value}"^^<{XSD}{value.kind}>'.encode()


def bounded(value: Any, *operands: Any) -> Any:
    """The value as far as its type keeps it; raises NoValue for a number that is too long for what
    it is made of."""
    if isinstance(value, Decimal):
        value = EXACT.plus(value)
        if value.adjusted() >= _DIGITS:
            raise NoValue
        return value.quantize(_CUT, rounding=ROUND_DOWN, context=EXACT)
    if isinstance(value, int) and value.bit_length() > 3 * _DIGITS:
        longest = max((operand.bit_length() for operand in operands), default=0)
        if value.bit_length() > longest:  # else doubling again and again would not end
            raise NoValue
    return value


def decimal_text(value: Decimal) -> str:
    """A decimal as Oxigraph writes it: no exponent, no zeros that can be left out."""
    text = str(value)
    if "E" in text:
        text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").removesuffix(".")
    return "0" if text in ("-0", "") else text


def _float_text(value: Any) -> str:
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "INF" if value > 0 else "-INF"
    return np.format_float_positional(value, unique=True, trim="-")


_WRITERS: dict[type, tuple[str, Callable[[Any], str]]] = {
    bool: ("boolean", lambda value: str(value).lower()),
    int: ("integer", integer_text),
    Decimal: ("decimal", decimal_text),
    Single: ("float", lambda value: _float_text(np.float32(value))),
    float: ("double", _float_text),
    Uri: ("anyURI", lambda value: value.text),
}


def _read_integer(bounds: tuple[int | None, int | None]) -> Callable[[str], int | None]:
    least, most = bounds

    def read(lexical: str) -> int | None:
        if len(lexical) > MOST_DIGITS or not _INTEGER.fullmatch(lexical):
            return None
        value = read_integer(lexical)
        below, above = least is not None and value < least, most is not None and value > most
        return None if below or above else value

    return read


def _read_decimal(lexical: str) -> Decimal | None:
    if len(lexical) > _DIGITS or not _DECIMAL.fullmatch(lexical):
        return None
    return Decimal(lexical)


def _read_double(lexical: str) -> float | None:
    return float(lexical.replace("INF", "inf")) if _FLOAT.fullmatch(lexical) else None


def _read_single(lexical: str) -> Single | None:
    value = _read_double(lexical)
    return None if value is None else Single(value)


def is_too_long(lexical: str, datatype: str | None) -> bool:
    """Whether a number is none here though it may be one by its datatype."""
    name = (datatype or "").removeprefix(XSD)
    most = MOST_DIGITS if name in BOUNDS else _DIGITS
    return len(lexical) > most and name != datatype


def _read_hex(lexical: str) -> Binary | None:
    return Binary("hexBinary", bytes.fromhex(lexical)) if _HEX.fullmatch(lexical) else None


def _read_base64(lexical: str) -> Binary | None:
    try:
        return Binary("base64Binary", b64decode(lexical.replace(" ", ""), validate=True))
    except (binascii.Error, ValueError):
        return None


def _read_plain(lexical: str) -> str | Tagged | None:
    """A text with its language behind the last `@`, where that is not empty."""
    text, at, tag = lexical.rpartition("@")
    if at and _TAG.fullmatch(tag):
        return Tagged(text, tag.lower())
    return text if at and not tag else None


def _moments(kind: str) -> Callable[[str], Moment | None]:
    return lambda lexical: read_moment(kind, lexical)


def _durations(kind: str) -> Callable[[str], Duration | None]:
    return lambda lexical: read_duration(kind, lexical)


_OF_XSD: dict[str, Callable[[str], Any]] = {
    "decimal": _read_decimal,
    "float": _read_single,
    "double": _read_double,
    "boolean": _BOOLEANS.get,
    "anyURI": Uri,
    "hexBinary": _read_hex,
    "base64Binary": _read_base64,
}
_OF_XSD |= {name: _read_integer(bounds) for name, bounds in BOUNDS.items()}
_OF_XSD |= dict.fromkeys(_STRINGS, str)
_OF_XSD |= {
    name: _moments(name)
    for name in ["dateTime", "date", "time", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay"]
}
_OF_XSD["dateTimeStamp"] = lambda lexical: (
    moment if (moment := read_moment("dateTime", lexical)) and moment.zone is not None else None
)
_OF_XSD |= {name: _durations(name) for name in ("duration", "yearMonthDuration", "dayTimeDuration")}
_READERS = {f"{XSD}{name}": read for name, read in _OF_XSD.items()}
_READERS |= {f"{RDF}PlainLiteral": _read_plain, f"{RDF}XMLLiteral": read_markup}
