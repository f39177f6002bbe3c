"""XSD numbers as Python numbers, and back."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Context, Decimal
from functools import lru_cache

import numpy as np

Number = int | Decimal | float

_XSD = "<http://www.w3.org/2001/XMLSchema#"
_INTEGERS = (
    "integer nonPositiveInteger negativeInteger nonNegativeInteger positiveInteger long int short "
    "byte unsignedLong unsignedInt unsignedShort unsignedByte"
)
INTEGER, DECIMAL, FLOAT, DOUBLE = range(4)
"""The numeric types in the order of promotion (XPath: B.1)."""

_NAMES = ("integer", "decimal", "float", "double")
_TYPE = {f"{_XSD}{name}>": INTEGER for name in _INTEGERS.split()}
_TYPE |= {f"{_XSD}{name}>": i for i, name in enumerate(_NAMES)}
_LEXICAL = (
    re.compile(r"[+-]?\d+"),
    re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"),
    *[re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN")] * 2,
)
_EXACT = Context(prec=400)
_PLACES = Decimal(1).scaleb(-18)


@lru_cache(maxsize=1 << 14)
def number(key: bytes) -> tuple[int, Number] | None:
    """(type, value) of a literal; None for any other term, and for an ill-typed number."""
    lexical, quote, datatype = key.decode().rpartition('"^^')
    kind = _TYPE.get(datatype)
    if not quote or kind is None or not _LEXICAL[kind].fullmatch(lexical[1:]):
        return None
    text = lexical[1:]
    if kind == INTEGER:
        return kind, int(text)
    if kind == DECIMAL:
        return kind, Decimal(text)
    return kind, float(text) if kind == DOUBLE else float(np.float32(float(text)))


def literal(kind: int, value: Number) -> bytes:
    """The literal of a value as SPARQL arithmetic writes it: no exponent, no needless zero."""
    return f'"{_text(kind, value)}"^^{_XSD}{_NAMES[kind]}>'.encode()


def _text(kind: int, value: Number) -> str:
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "INF" if value > 0 else "-INF"
        value = Decimal(str(np.float32(value)) if kind == FLOAT else repr(value))
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def total(kind: int, values: Iterable[Number]) -> Number:
    """The sum in a type to which all values promote, whatever their order."""
    if kind == INTEGER:
        return sum(int(value) for value in values)
    if kind == DECIMAL:
        exact = Decimal(0)
        for value in values:
            exact = _EXACT.add(exact, Decimal(value))
        return exact
    return _rounded(kind, _sum(list(map(float, values))))


def mean(kind: int, values: list[Number]) -> tuple[int, Number]:
    """(type, average); that of integers is a decimal. Decimals keep 18 fractional digits."""
    if kind > DECIMAL:
        return kind, _rounded(kind, _sum(list(map(float, values))) / len(values))
    quotient = _EXACT.divide(Decimal(total(kind, values)), Decimal(len(values)))
    return DECIMAL, quotient.quantize(_PLACES, context=_EXACT)


def _sum(values: list[float]) -> float:
    """`math.fsum`, the correctly rounded sum, where there are infinities too."""
    special = [value for value in values if not math.isfinite(value)]
    if special:
        return sum(special)
    try:
        return math.fsum(values)
    except OverflowError:
        return math.copysign(math.inf, math.fsum(value / 2**64 for value in values))


def _rounded(kind: int, value: float) -> float:
    return float(np.float32(value)) if kind == FLOAT else value
