"""Membership in a datatype's value space, whatever datatype the literal itself names.

`"5"^^xsd:integer` and `"5.0"^^xsd:decimal` are values of xsd:byte; an ill-typed literal is a value
of no datatype but rdfs:Literal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.markup import Markup
from rdfinc.terms.builtins.values import (
    BOUNDS,
    RDF,
    XSD,
    Binary,
    NoValue,
    Other,
    Single,
    Tagged,
    Uri,
)
from rdfinc.terms.grammar import NAME_FURTHER, NAME_START
from rdfinc.terms.late_patterns import late

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"

Test = Callable[[Any], bool]


def in_datatype(value: Any, datatype: Any) -> bool:
    """Raises NoValue for a datatype that is not known."""
    test = DATATYPES.get(datatype.key.decode()) if isinstance(datatype, Other) else None
    if test is None:
        raise NoValue
    return test(value)


def _of_type(*types: type) -> Test:
    return lambda value: type(value) in types


def _whole(least: int | None, most: int | None) -> Test:
    def test(value: Any) -> bool:
        if type(value) not in (int, Decimal) or value != int(value):
            return False
        return (least is None or value >= least) and (most is None or value <= most)

    return test


def _text(pattern: str) -> Test:
    form = late(pattern)
    return lambda value: type(value) is str and form.fullmatch(value) is not None


def _moment(kind: str) -> Test:
    return lambda value: isinstance(value, Moment) and value.kind == kind


def _binary(kind: str) -> Test:
    return lambda value: isinstance(value, Binary) and value.kind == kind


_OF_XSD: Mapping[str, Test] = {
    "decimal": _of_type(int, Decimal),
    "float": _of_type(Single),
    "double": _of_type(float),
    "boolean": _of_type(bool),
    "anyURI": _of_type(Uri),
    "string": _of_type(str),
    "normalizedString": _text(r"[^\t\n\r]*"),
    "token": _text(r"(?:[^\s]+(?: [^\s]+)*)?"),
    "language": _text(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*"),
    "dateTimeStamp": lambda value: _moment("dateTime")(value) and value.zone is not None,
    "Name": _text(f"[:{NAME_START}][:{NAME_FURTHER}]*"),
    "NCName": _text(f"[{NAME_START}][{NAME_FURTHER}]*"),
    "NMTOKEN": _text(f"[:{NAME_FURTHER}]+"),
    "hexBinary": _binary("hexBinary"),
    "base64Binary": _binary("base64Binary"),
    "duration": _of_type(Duration),
    "yearMonthDuration": lambda value: isinstance(value, Duration) and not value.seconds,
    "dayTimeDuration": lambda value: isinstance(value, Duration) and not value.months,
    **{name: _whole(*bounds) for name, bounds in BOUNDS.items()},
    **{
        name: _moment(name)
        for name in (
            "dateTime", "date", "time", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay",
        )
    },
}  # fmt: skip

DATATYPES: Mapping[str, Test] = {
    **{f"<{XSD}{name}>": test for name, test in _OF_XSD.items()},
    f"<{_OWL}real>": _OF_XSD["decimal"],
    f"<{_OWL}rational>": _OF_XSD["decimal"],
    f"<{RDF}langString>": _of_type(Tagged),
    f"<{RDF}PlainLiteral>": _of_type(str, Tagged),
    f"<{RDF}XMLLiteral>": _of_type(Markup),
    f"<{_RDFS}Literal>": lambda value: not isinstance(value, Other) or value.key[:1] == b'"',
}
"""By IRI as it stands in an expression."""
