"""SPARQL's casts of literals and IRIs (SPARQL 1.1, 17.5), by the IRIs of datatypes."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from rdfinc.plugins.sparql.expressions.operand_views import (
    KEYS,
    VALUES,
    Function,
    literal_key,
    unary,
)
from rdfinc.terms.builtins import numeric
from rdfinc.terms.builtins.calendar import Moment
from rdfinc.terms.builtins.values import XSD, NoValue, Single, key_of, value_of
from rdfinc.terms.grammar import escape, literal_parts


def _cast(name: str, convert: Callable[[Any], Any]) -> Function:
    """A cast of literals: texts by their lexical form, numbers and booleans by value."""

    def cast(value: Any) -> Any:
        if isinstance(value, str):
            value = value_of(f'"{escape(value.strip())}"^^<{XSD}{name}>'.encode())
        if not isinstance(value, _CASTABLE):
            raise NoValue
        return convert(value)

    return unary(VALUES, cast)


_CASTABLE = (int, Decimal, float)  # a bool is an int


def _decimal(value: Any) -> Decimal:
    if isinstance(value, float) and not math.isfinite(value):
        raise NoValue
    return Decimal(value)


def _moment(key: bytes) -> bytes:
    """With its lexical form, if that is one of xsd:dateTime."""
    value, found = value_of(literal_key(key)), key
    if isinstance(value, str):
        found = f'"{escape(value)}"^^<{XSD}dateTime>'.encode()
    moment = value_of(found)
    if type(moment) is not Moment or moment.kind != "dateTime":
        raise NoValue
    return found


def _to_text(key: bytes) -> str:
    """The text of an IRI or a literal; that of a number or boolean is the one of its value."""
    if key[:1] == b"<":
        return key[1:-1].decode()
    value = value_of(literal_key(key))
    return literal_parts(key_of(value) if isinstance(value, _CASTABLE) else key)[0]


CASTS: dict[str, Function] = {
    f"{XSD}{name}": function
    for name, function in {
        "integer": _cast("integer", int),
        "decimal": _cast("decimal", _decimal),
        "double": _cast("double", partial(numeric.promoted, to=float)),
        "float": _cast("float", partial(numeric.promoted, to=Single)),
        "string": unary(KEYS, _to_text),
        "boolean": _cast("boolean", lambda value: bool(value) and not numeric.is_nan(value)),
        "dateTime": unary(KEYS, _moment, KEYS),
    }.items()
}
