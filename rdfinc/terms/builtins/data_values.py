"""The data values of literals: which literals have the same, which have different ones, and which
have none. OWL 2's datatype rules ask this.

Values are the same in the sense of OWL 2 (section 4): the numbers of xsd:decimal and of all types
derived from it are one space, xsd:float and xsd:double are two others; 0 and -0 differ, as do the
same point in time told in two time zones. Of literals with an unknown datatype nothing is said.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np

from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.comparison import greater, greater_or_equal, less, less_or_equal
from rdfinc.terms.builtins.datatypes import DATATYPES
from rdfinc.terms.builtins.strings import matches
from rdfinc.terms.builtins.values import (
    EXACT,
    RDF,
    XSD,
    Binary,
    NoValue,
    Other,
    Single,
    Tagged,
    Uri,
    is_too_long,
    key_of,
    value_of,
)  # fmt: skip
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.late_patterns import late


def value_spelling(key: bytes) -> bytes:
    """The spelling of a literal's data value: the same bytes exactly for the literals of one value;
    often one of these.

    A literal whose value is not known has itself.
    """
    value = value_of(key)
    return key if isinstance(value, Other) else _of_value(value)


def _of_value(value: Any) -> bytes:
    if isinstance(value, float):
        return _of_float(value)
    if isinstance(value, Decimal):
        return key_of(int(value) if value == int(value) else value.normalize(EXACT))
    if isinstance(value, Duration):
        return key_of(Duration("duration", value.months, value.seconds))
    if isinstance(value, Moment) and value.kind not in ("date", "time", "dateTime"):
        return f"{value.kind} {value.local.normalize(EXACT)} {value.zone}".encode()
    return key_of(value)


def is_its_own(key: bytes) -> bool:
    """Whether a literal is well-typed and spelled as its value is, as far as that can be told by a
    look at its text; false of many that are."""
    found = _OWN.match(key)
    if found is None:
        return False
    return found[1] is None or repr(float(found[1])).encode() == found[1]


_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d*[1-9])?"
_DAY = r"[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])"
_ZONE = r"(?:Z|[+-](?:0[1-9]|1[0-3]):[0-5]\d)?"
_OWN = late(
    "|".join(
        rf'"{lexical}"\^\^<{re.escape(XSD)}{datatype}>\Z'
        for lexical, datatype in (
            (r"(?:0|-?[1-9]\d{0,99})", "integer"),
            (r"-?(?:0|[1-9]\d{0,99})\.\d{0,99}[1-9]", "decimal"),
            (r"(?:true|false)", "boolean"),
            (r"(-?\d{1,15}\.\d{1,15})", "double"),
            (_DAY + _ZONE, "date"),
            (_DAY + "T" + _CLOCK + _ZONE, "dateTime"),
        )
    ).encode()
)


def _of_float(value: float) -> bytes:
    """A float as Python writes it: most people write it so, and the sign of zero is kept."""
    single = isinstance(value, Single)
    text = str(np.float32(value)) if single else repr(value)
    text = text.replace("inf", "INF").replace("nan", "NaN")
    return f'"{text}"^^<{XSD}{"float" if single else "double"}>'.encode()


@lru_cache(maxsize=1 << 14)
def is_ill_typed(key: bytes) -> bool:
    """Whether a literal names a datatype of XML Schema, rdf:XMLLiteral or rdf:PlainLiteral, and
    its text is none of that datatype's."""
    lexical, tag, datatype = literal_parts(key)
    test = None if tag is not None else DATATYPES.get(f"<{datatype}>")
    named = datatype is not None and (datatype.startswith(XSD) or datatype in _OF_RDF)
    if test is None or not named or is_too_long(lexical, datatype):
        return False
    return not test(value_of(key))


_OF_RDF = (f"{RDF}XMLLiteral", f"{RDF}PlainLiteral")


_OWN_ORDER = (int, str)
"""Types whose equal values are one data value."""


def differ_in_order(left: Any, right: Any) -> bool:
    """Whether the left literal comes before the right one, by an order of all values: two literals
    of different values are told so once."""
    if type(left) is type(right) and type(left) in _OWN_ORDER:
        return bool(left < right)
    if not (_is_known(left) and _is_known(right)):
        return False
    return _of_value(left) < _of_value(right)


def alike(left: Any, right: Any) -> bool:
    """Whether two terms are one, or two literals have one value."""
    if type(left) is type(right) and type(left) in _OWN_ORDER:
        return bool(left == right)
    if _is_known(left) and _is_known(right):
        return _of_value(left) == _of_value(right)
    return bool(left == right)


def is_name_among(left: Any, right: Any) -> bool:
    """Whether one of two terms is no literal."""
    return any(isinstance(term, Other) and term.key[:1] != b'"' for term in (left, right))


def may_equal(left: Any, right: Any) -> bool:
    """Whether two terms may be equal: literals are as far as they have one value."""
    return is_name_among(left, right) or alike(left, right)


def _is_known(value: Any) -> bool:
    return not isinstance(value, Other)


def outside_datatype(value: Any, datatype: Any) -> bool:
    """Whether a literal has a value, and one that the datatype does not have. Raises NoValue for a
    datatype that is not known."""
    test = DATATYPES.get(datatype.key.decode()) if isinstance(datatype, Other) else None
    if test is None:
        raise NoValue
    return _is_known(value) and not test(value)


def outside_facet(value: Any, facet: Any, limit: Any) -> bool:
    """Whether a facet excludes a literal's value. Raises NoValue where it has nothing to say of
    such values."""
    within = _FACETS.get(facet.key.decode()) if isinstance(facet, Other) else None
    if within is None:
        raise NoValue
    return not within(value, limit)


def _length(value: Any) -> int:
    if isinstance(value, (Tagged, Uri)):
        return len(value.text)
    if isinstance(value, Binary):
        return len(value.octets)
    if type(value) is not str:
        raise NoValue
    return len(value)


def _count(limit: Any) -> int:
    if type(limit) is not int:
        raise NoValue
    return limit


def _whole(value: Any, pattern: Any) -> bool:
    """XML Schema's patterns are about the whole text."""
    text = value.text if isinstance(value, (Tagged, Uri)) else value
    if type(pattern) is not str:
        raise NoValue
    return matches(text, f"^(?:{pattern})$")


def _in_language(value: Any, wanted: Any) -> bool:
    if type(wanted) is not str or not isinstance(value, (str, Tagged)):
        raise NoValue
    tag = value.tag if isinstance(value, Tagged) else ""
    wanted = wanted.lower()
    return tag == wanted or tag.startswith(f"{wanted}-") or (wanted == "*" and tag != "")


_FACETS = {
    f"<{XSD}minInclusive>": greater_or_equal,
    f"<{XSD}maxInclusive>": less_or_equal,
    f"<{XSD}minExclusive>": greater,
    f"<{XSD}maxExclusive>": less,
    f"<{XSD}length>": lambda value, limit: _length(value) == limit,
    f"<{XSD}minLength>": lambda value, limit: _length(value) >= _count(limit),
    f"<{XSD}maxLength>": lambda value, limit: _length(value) <= _count(limit),
    f"<{XSD}pattern>": _whole,
    f"<{RDF}langRange>": _in_language,
}
FACETS = tuple(_FACETS)
"""The constraining facets that are known, as IRIs in angle brackets."""
