"""Oxigraph's operators on numbers, as functions of terms that compute with numbers of any length.

They are the built-ins of `rdfinc.terms.builtins`, within whose bounds a number has a value. What
concerns anything else than numbers is asked of Oxigraph, in 30 µs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from functools import cache, lru_cache, reduce
from typing import Any

import pyoxigraph as ox
from msgspec import Struct

from rdfinc.terms.builtins import comparison, numeric
from rdfinc.terms.builtins.numeric import is_nan, is_number
from rdfinc.terms.builtins.values import (
    EXACT,
    XSD,
    NoValue,
    Other,
    Single,
    bounded,
    is_too_long,
    key_of,
    value_of,
)
from rdfinc.terms.expressions.rewriting import RESERVED
from rdfinc.terms.grammar import escape, literal_parts
from rdfinc.terms.oxigraph_terms import to_oxigraph

Term = Any
"""A term of pyoxigraph's."""

Function = Callable[..., "Term | None"]
_NO_VALUE = (NoValue, ArithmeticError, ValueError)
_OPERAND = ox.NamedNode(f"{RESERVED}operand")


@cache
def chain(operators: tuple[str, ...]) -> Function:
    """Operands joined from left to right by + and -, or by * and /."""
    functions = [_ARITHMETIC[sign] for sign in operators]

    def total(first: Any, *others: Any) -> Any:
        steps = zip(functions, others, strict=True)
        return reduce(lambda left, step: step[0](left, step[1]), steps, first)

    parts = [f"{sign} {_operand(place)}" for place, sign in enumerate(operators, 1)]
    return _of_numbers(total, " ".join([_operand(0), *parts]))


def _operand(place: int) -> str:
    return f"?v{place}"


def _of_numbers(
    function: Callable[..., Any], otherwise: str, beside: Term | None = None
) -> Function:
    """A function of numbers; what it gives for a number beside another value; an expression of
    Oxigraph's where no operand is a number."""

    def compute(*terms: Term) -> Term | None:
        values = [value_of(str(term).encode()) for term in terms]
        numbers = list(map(is_number, values))
        if all(numbers):
            return _computed(function, *values)
        if any(numbers):
            return None if any(map(_is_unknown, values)) else beside
        return _asked(otherwise, *terms)

    return compute


def _is_unknown(value: Any) -> bool:
    """Is it a literal whose value is not known?"""
    return isinstance(value, Other) and value.key[:1] == b'"'


def _computed(function: Callable[..., Any], *values: Any) -> Term | None:
    with localcontext(EXACT):
        try:
            return to_oxigraph(key_of(function(*values)))
        except _NO_VALUE:
            return None


@lru_cache(maxsize=1 << 12)
def _asked(text: str, *terms: Term) -> Term | None:
    """Oxigraph's value of an expression of operands."""
    binds = (f"BIND({_OPERAND}({place}) AS {_operand(place)})" for place in range(len(terms)))
    operands = {_OPERAND: lambda place: terms[int(place.value)]}
    found: Any = _engine().query(
        f"SELECT ({text} AS ?r) {{{' '.join(binds)}}}", custom_functions=operands
    )
    return next(iter(found))[0]


@cache
def _engine() -> ox.Store:
    return ox.Store()


def _relation(sign: str, function: Callable[[Any, Any], bool]) -> Function:
    beside = {"=": ox.Literal(False), "!=": ox.Literal(True)}.get(sign)
    return _of_numbers(function, f"{_operand(0)} {sign} {_operand(1)}", beside)


def _call(name: str, function: Callable[[Any], Any]) -> Function:
    return _of_numbers(function, f"{name}({_operand(0)})")


def _truth(term: Term) -> Term | None:
    """The effective boolean value of a number; other terms as they are."""
    value = value_of(str(term).encode())
    return ox.Literal(not (value == 0 or is_nan(value))) if is_number(value) else term


def _is_numeric(term: Term) -> Term | None:
    """Not known of a literal that is too long to be read."""
    lexical, _, datatype = _parts(term)
    if is_too_long(lexical, datatype):
        return None
    return ox.Literal(is_number(value_of(str(term).encode())))


def _parts(term: Term) -> tuple[str, str | None, str | None]:
    return literal_parts(str(term).encode()) if isinstance(term, ox.Literal) else ("", None, None)


def _cast(name: str, convert: Callable[[Any], Any]) -> Function:
    """A cast of numbers and booleans by value, of texts by lexical form."""

    def cast(term: Term) -> Term | None:
        value = value_of(str(term).encode())
        if type(value) is str:
            value = value_of(f'"{escape(value.strip())}"^^<{XSD}{name}>'.encode())
        known = is_number(value) or isinstance(value, bool)
        return _computed(convert, value) if known else None

    return cast


def _decimal(value: Any) -> Any:
    """The shortest decimal that is nearest to a double."""
    exact = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        raise NoValue
    return bounded(exact)


_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": numeric.add,
    "-": numeric.subtract,
    "*": numeric.multiply,
    "/": numeric.divide,
}

RELATIONS: Mapping[str, Function] = {
    "=": _relation("=", comparison.equal),
    "!=": _relation("!=", comparison.not_equal),
    "<": _relation("<", comparison.less),
    "<=": _relation("<=", comparison.less_or_equal),
    ">": _relation(">", comparison.greater),
    ">=": _relation(">=", comparison.greater_or_equal),
}

SIGNS: Mapping[str, Function] = {
    "+": _call("+", numeric.unary_plus),
    "-": _call("-", numeric.unary_minus),
}

TRUTH: Function = _truth


class Masked(Struct, frozen=True):
    """A function for which Oxigraph may have a value where there should be an error."""

    function: Function
    where: str


_OF_DOUBLE = f"DATATYPE({{0}}) IN (<{XSD}double>, <{XSD}float>)"

MASKED: Mapping[str, Masked] = {
    "ISNUMERIC": Masked(_is_numeric, "!isNumeric({0})"),
    f"<{XSD}integer>": Masked(_cast("integer", int), _OF_DOUBLE),
    f"<{XSD}decimal>": Masked(_cast("decimal", _decimal), _OF_DOUBLE),
}

CALLS: Mapping[str, Function] = {
    **{name: masked.function for name, masked in MASKED.items()},
    "ABS": _call("ABS", numeric.absolute),
    "CEIL": _call("CEIL", numeric.ceiling),
    "FLOOR": _call("FLOOR", numeric.floor),
    "ROUND": _call("ROUND", numeric.round_up_halves),
    f"<{XSD}double>": _call(f"<{XSD}double>", lambda value: numeric.promoted(value, float)),
    f"<{XSD}float>": _call(f"<{XSD}float>", lambda value: numeric.promoted(value, Single)),
    f"<{XSD}boolean>": _call(f"<{XSD}boolean>", lambda value: bool(value) and not is_nan(value)),
}
"""By name as it stands in an expression, in capitals."""
