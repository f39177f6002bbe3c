"""SPARQL's functions (SPARQL 1.1, 17.4), of terms, numbers and dates; those of texts are
`text_functions`.

A function has no value where it raises one of `FAULTS`; none is called with an operand that has
no value. Arithmetic keeps to the numeric types of XPath: 2*3 is an integer, 1e0/0 is INF.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from rdfinc.plugins.sparql.columns.typed_columns import date_part, time_part
from rdfinc.plugins.sparql.expressions.operand_views import (
    KEYS,
    LEXICAL,
    TRUTHS,
    VALUES,
    Function,
    literal_key,
    unary,
)
from rdfinc.plugins.sparql.expressions.text_functions import LANG_STRING, STRING, TEXT_FUNCTIONS
from rdfinc.terms.builtins import numeric
from rdfinc.terms.builtins.calendar import Duration, Moment, date_of, fields
from rdfinc.terms.builtins.value_arrays import TypedValues
from rdfinc.terms.builtins.values import NoValue
from rdfinc.terms.grammar import literal_parts

# -- terms


def _language(key: bytes) -> str:
    return literal_parts(literal_key(key))[1] or ""


def _datatype(key: bytes) -> bytes:
    if literal_key(key)[-1:] == b'"':
        return STRING
    return LANG_STRING if key[-1:] != b">" else key[key.rindex(b'"') + 3 :]


def _begins(letter: bytes) -> Function:
    return unary(KEYS, lambda key: key[:1] == letter, TRUTHS)


# -- numbers


def _of_number(function: Callable[[Any], Any], operand: str = "arg") -> Function:
    return Function((operand,), (VALUES,), function)


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": numeric.add,
    "-": numeric.subtract,
    "*": numeric.multiply,
    "/": numeric.divide,
}

# -- dates and times


def _moment_of(value: Any, *kinds: str) -> Moment:
    """A point in time of one of these kinds; raises NoValue."""
    if type(value) is not Moment or value.kind not in kinds:
        raise NoValue
    return value


def _of_date(place: int) -> Function:
    return Function(
        ("arg",),
        (VALUES,),
        lambda value: date_of(_moment_of(value, "date", "dateTime"))[place],
        typed=partial(date_part, place),
    )


def _of_time(name: str, typed: Callable[..., TypedValues | None] | None = None) -> Function:
    def part(value: Any) -> Any:
        return fields(_moment_of(value, "dateTime"))[name]

    return Function(("arg",), (VALUES,), part, typed=typed)


def _time_zone(value: Any) -> Duration:
    zone = _moment_of(value, "dateTime").zone
    if zone is None:
        raise NoValue
    return Duration("dayTimeDuration", 0, Decimal(60 * zone))


FUNCTIONS: dict[str, Function] = {
    **TEXT_FUNCTIONS,
    "UnaryPlus": _of_number(numeric.unary_plus, "expr"),
    "UnaryMinus": _of_number(numeric.unary_minus, "expr"),
    "ABS": _of_number(numeric.absolute),
    "CEIL": _of_number(numeric.ceiling),
    "FLOOR": _of_number(numeric.floor),
    "ROUND": _of_number(numeric.round_up_halves),
    "isNUMERIC": unary(VALUES, numeric.is_number, TRUTHS),
    "isIRI": _begins(b"<"),
    "isURI": _begins(b"<"),
    "isBLANK": _begins(b"_"),
    "isLITERAL": _begins(b'"'),
    "STR": unary(LEXICAL, str, enclosed=lambda texts: texts),
    "LANG": unary(KEYS, _language),
    "DATATYPE": unary(KEYS, _datatype, KEYS),
    "YEAR": _of_date(0),
    "MONTH": _of_date(1),
    "DAY": _of_date(2),
    "HOURS": _of_time("hours", partial(time_part, 3_600_000_000, 24)),
    "MINUTES": _of_time("minutes", partial(time_part, 60_000_000, 60)),
    "SECONDS": _of_time("seconds"),
    "TIMEZONE": unary(VALUES, _time_zone),
    "TZ": _of_time("zone"),
}
"""By the names of nodes, `Builtin_` left out."""
