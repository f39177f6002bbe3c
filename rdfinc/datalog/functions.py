"""The SPARQL 1.1 functions that rules may call: spelling, and how many arguments each takes.

SWRL's built-ins may be called as well (`rdfinc.terms.builtins`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rdfinc.errors import UnsupportedError
from rdfinc.terms.builtins import (
    ALIKE,
    ANY,
    DATATYPES,
    FACETS,
    FUNCTIONS,
    IN_DATATYPE,
    NAME_AMONG,
    OUTSIDE_FACET,
    SOLUTION,
    SWRLB,
    UNKNOWN,
    WANTED,
    Builtin,
    solvable,
    value_spelling,
)  # fmt: skip

__all__ = [
    "ALIKE", "DATATYPES", "EQUAL", "FACETS", "FIRST_OF", "FUNCTIONS", "IN_DATATYPE", "LIST_ATOMS",
    "LIST_FUNCTIONS", "MEMBER_OF", "NAME_AMONG", "OUTSIDE_FACET", "REST_OF", "SOLUTION", "SWRLB",
    "UNKNOWN", "WANTED", "called", "check_cast", "function_name", "solvable", "value_spelling",
]  # fmt: skip

_XSD = "http://www.w3.org/2001/XMLSchema#"

EQUAL = f"<{SWRLB}equal>"
MEMBER_OF, FIRST_OF, REST_OF = (f"<{SWRLB}{name}>" for name in ("member", "first", "rest"))
LIST_ATOMS = (MEMBER_OF, FIRST_OF, REST_OF)
"""The built-ins that stand as atoms in rules, from the list: `[?list, swrlb:member, ?x]`."""


class ListFunction(Struct, frozen=True):
    """A built-in over lists in the data; see `terms.builtins.Builtin`."""

    least: int
    most: int
    gives: bool


LIST_FUNCTIONS: Mapping[str, ListFunction] = {
    f"<{SWRLB}length>": ListFunction(1, 1, gives=True),
    f"<{SWRLB}listConcat>": ListFunction(2, ANY, gives=True),
    f"<{SWRLB}listIntersection>": ListFunction(2, 2, gives=True),
    f"<{SWRLB}listSubtraction>": ListFunction(2, 2, gives=True),
    f"<{SWRLB}sublist>": ListFunction(2, 2, gives=False),
}
"""The functions over lists that rules may call. Their values depend on the facts about their
arguments (`rdfinc.datalog.list_builtins`)."""

_BY_ARITY = {
    (1, 1): "STR LANG DATATYPE BOUND IRI URI ABS CEIL FLOOR ROUND STRLEN UCASE LCASE "
    "ENCODE_FOR_URI YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 "
    "SHA512 isIRI isURI isBlank isLiteral isNumeric",
    (2, 2): "LANGMATCHES CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT sameTerm",
    (2, 3): "SUBSTR REGEX",
    (3, 3): "IF",
    (3, 4): "REPLACE",
    (0, ANY): "CONCAT",
    (1, ANY): "COALESCE",
}
_FUNCTIONS = {
    name.upper(): (name, *arity) for arity, names in _BY_ARITY.items() for name in names.split()
}
AGGREGATES = ("AVG", "COUNT", "MAX", "MEDIAN", "MIN", "SUM")
_CHANGING = {"NOW", "RAND", "UUID", "STRUUID", "BNODE"}
_CAST_NAMES = (
    "boolean integer decimal float double string dateTime date time duration "
    "dayTimeDuration yearMonthDuration gYear gYearMonth gMonthDay gDay gMonth"
)
_CASTS = {f"<{_XSD}{name}>" for name in _CAST_NAMES.split()}


def function_name(name: str, arguments: int) -> str:
    """The usual spelling of a built-in.

    Raises UnsupportedError for one whose value is not a function of its arguments, ValueError
    with a sentence for an unknown name or a wrong number of arguments.
    """
    if name.upper() in _CHANGING:
        raise UnsupportedError(
            f"{name.upper()}() in a rule: its value changes from call to call, so what follows "
            "from it could not be maintained"
        )
    if name.upper() not in _FUNCTIONS:
        raise ValueError(f"there is no SPARQL function {name}")
    spelling, least, most = _FUNCTIONS[name.upper()]
    if not least <= arguments <= most:
        raise ValueError(f"{spelling} takes {_count(least, most)}, not {arguments}")
    return spelling


def aggregate_name(name: str) -> str:
    """The usual spelling of an aggregate function; raises ValueError with a sentence."""
    if name.upper() not in AGGREGATES:
        raise ValueError(f"there is no aggregate {name}; there are {', '.join(AGGREGATES)}")
    return name.upper()


def called(iri: str) -> Builtin | ListFunction | None:
    """The built-in with this name."""
    return FUNCTIONS.get(iri) or LIST_FUNCTIONS.get(iri)


def check_cast(iri: str, arguments: int) -> None:
    """Accepts the XML Schema constructors and SWRL's built-ins; raises as `function_name` does."""
    builtin = called(iri)
    if builtin is not None:
        _check_builtin(iri, builtin, arguments)
        return
    if iri not in _CASTS:
        raise UnsupportedError(f"the function {iri}")
    if arguments != 1:
        raise ValueError(f"a cast takes 1 argument, not {arguments}")


def _check_builtin(iri: str, builtin: Builtin | ListFunction, arguments: int) -> None:
    if not builtin.least <= arguments <= builtin.most:
        name = iri[1:-1].replace(SWRLB, "swrlb:")
        without = " (all but the result)" if builtin.gives else ""
        count = _count(builtin.least, builtin.most)
        raise ValueError(f"{name} takes {count}{without}, not {arguments}")


def _count(least: int, most: int) -> str:
    if least == most:
        return f"{least} argument" + "s" * (least > 1)
    return f"at least {least} argument(s)" if most == ANY else f"{least} or {most} arguments"
