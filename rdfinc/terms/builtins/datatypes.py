"""Membership in a datatype's value space, whatever datatype the literal itself names.

`"5"^^xsd:integer` and `"5.0"^^xsd:decimal` are values of xsd:byte; an ill-typed literal is a value
of no datatype but rdfs:Literal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from msgspec import Struct

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


def _all(_: Any) -> bool:
    return True


class ValueSpace(Struct, frozen=True):
    """The values of a datatype: those of some types, or of any where none is named, as far as they
    pass a test."""

    types: tuple[type, ...]
    passes: Test = _all

    def __call__(self, value: Any) -> bool:
        return self.may_hold(type(value)) and self.passes(value)

    def may_hold(self, kind: type) -> bool:
        return not self.types or kind in self.types


def in_datatype(value: Any, datatype: Any) -> bool:
    """Raises NoValue for a datatype that is not known."""
    test = DATATYPES.get(datatype.key.decode()) if isinstance(datatype, Other) else None
    if test is None:
        raise NoValue
    return test(value)


def _whole(least: int | None, most: int | None) -> ValueSpace:
    def is_inside(value: int | Decimal) -> bool:
        if value != int(value):
            return False
        return (least is None or value >= least) and (most is None or value <= most)

    return ValueSpace((int, Decimal), is_inside)


def _text(pattern: str) -> ValueSpace:
    form = late(pattern)
    return ValueSpace((str,), lambda value: form.fullmatch(value) is not None)


def _moment(kind: str) -> ValueSpace:
    return ValueSpace((Moment,), lambda value: value.kind == kind)


def _binary(kind: str) -> ValueSpace:
    return ValueSpace((Binary,), lambda value: value.kind == kind)


def _is_stamp(value: Moment) -> bool:
    return value.kind == "dateTime" and value.zone is not None


def _is_literal(value: Any) -> bool:
    return not isinstance(value, Other) or value.key[:1] == b'"'


_OF_XSD: Mapping[str, ValueSpace] = {
    "decimal": ValueSpace((int, Decimal)),
    "float": ValueSpace((Single,)),
    "double": ValueSpace((float,)),
    "boolean": ValueSpace((bool,)),
    "anyURI": ValueSpace((Uri,)),
    "string": ValueSpace((str,)),
    "normalizedString": _text(r"[^\t\n\r]*"),
    "token": _text(r"(?:[^\s]+(?: [^\s]+)*)?"),
    "language": _text(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*"),
    "dateTimeStamp": ValueSpace((Moment,), _is_stamp),
    "Name": _text(f"[:{NAME_START}][:{NAME_FURTHER}]*"),
    "NCName": _text(f"[{NAME_START}][{NAME_FURTHER}]*"),
    "NMTOKEN": _text(f"[:{NAME_FURTHER}]+"),
    "hexBinary": _binary("hexBinary"),
    "base64Binary": _binary("base64Binary"),
    "duration": ValueSpace((Duration,)),
    "yearMonthDuration": ValueSpace((Duration,), lambda value: not value.seconds),
    "dayTimeDuration": ValueSpace((Duration,), lambda value: not value.months),
    **{name: _whole(*bounds) for name, bounds in BOUNDS.items()},
    **{
        name: _moment(name)
        for name in (
            "dateTime", "date", "time", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay",
        )
    },
}  # fmt: skip

DATATYPES: Mapping[str, ValueSpace] = {
    **{f"<{XSD}{name}>": test for name, test in _OF_XSD.items()},
    f"<{_OWL}real>": _OF_XSD["decimal"],
    f"<{_OWL}rational>": _OF_XSD["decimal"],
    f"<{RDF}langString>": ValueSpace((Tagged,)),
    f"<{RDF}PlainLiteral>": ValueSpace((str, Tagged)),
    f"<{RDF}XMLLiteral>": ValueSpace((Markup,)),
    f"<{_RDFS}Literal>": ValueSpace((), _is_literal),
}
"""By IRI as it stands in an expression."""
