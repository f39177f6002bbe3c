"""SPARQL's functions (SPARQL 1.1, 17.4), of terms looked at in one of the ways of `term_columns`.

A function has no value where it raises one of `FAULTS`; none is called with an operand that has
no value. Arithmetic keeps to the numeric types of XPath: 2*3 is an integer, 1e0/0 is INF.
"""

from __future__ import annotations

import hashlib
import math
import operator
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any
from urllib.parse import quote

from rdfinc.plugins.sparql.columns.enclosed_texts import EnclosedTexts
from rdfinc.plugins.sparql.columns.term_values import number
from rdfinc.plugins.sparql.columns.typed_columns import date_part, time_part
from rdfinc.plugins.sparql.expressions.regular import search, substitute
from rdfinc.tables.kernels import Mask
from rdfinc.terms.builtins import numeric
from rdfinc.terms.builtins.calendar import Duration, Moment, date_of, fields
from rdfinc.terms.builtins.value_arrays import TypedValues
from rdfinc.terms.builtins.values import RDF, XSD, NoValue, Single, Tagged, key_of, value_of
from rdfinc.terms.grammar import escape, literal_parts

FAULTS = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError, re.error)
"""The exceptions of functions that stand for errors in the sense of SPARQL."""

LONGEST = 1 << 26
"""Characters of a text that CONCAT and REPLACE make; beyond, they have no value."""

VALUES, TEXTS, KEYS, LEXICAL, TRUTHS = "values", "texts", "keys", "lexical", "truths"


@dataclass(frozen=True)
class Function:
    """`function` of operands in these `views` gives values, keys or truths.

    `operands` are their names in nodes of expressions. Where the first operand is of type str, and
    the others are so, or of the type `others`, the function `simple` gives the same. So do `typed`
    for whole columns of values, and `enclosed` for many texts as one and single texts beside;
    both may give None.
    """

    operands: tuple[str, ...]
    views: tuple[str, ...]
    function: Callable[..., Any]
    gives: str = VALUES
    simple: Callable[..., Any] | None = None
    others: type = str
    typed: Callable[..., TypedValues | None] | None = None
    enclosed: Callable[..., EnclosedTexts | Mask | None] | None = None


def _unary(view: str, function: Any, gives: str = VALUES, **ways: Any) -> Function:
    return Function(("arg",), (view,), function, gives, **ways)


def _binary(views: tuple[str, str], function: Any, gives: str = VALUES, **ways: Any) -> Function:
    return Function(("arg1", "arg2"), views, function, gives, **ways)


# -- texts


def _each_text(function: Callable[[str], str], of_bytes: Callable[[bytes], bytes]) -> Function:
    """A function of texts that leaves the language as it is, and the same of those in ASCII."""

    def of_text(text: Any) -> Any:
        return Tagged(function(text.text), text.tag) if type(text) is Tagged else function(text)

    return _unary(TEXTS, of_text, simple=function, enclosed=lambda texts: texts.changed(of_bytes))


def _string(text: Any) -> str:
    """The text without its language."""
    return text.text if type(text) is Tagged else text


def _like(text: Any, content: str) -> Any:
    """A text in the language of another one."""
    return Tagged(content, text.tag) if type(text) is Tagged else content


def _compatible(function: Callable[[str, str], Any]) -> Callable[[Any, Any], Any]:
    """A function of two texts, the second one simple or in the language of the first (17.4.3.1)."""

    def of_texts(text: Any, other: Any) -> Any:
        if type(other) is Tagged and (type(text) is not Tagged or text.tag != other.tag):
            raise NoValue
        return function(_string(text), _string(other))

    return of_texts


def _test(function: Callable[[str, str], bool], enclosed: Callable[..., Mask | None]) -> Function:
    compatible = _compatible(function)
    return _binary((TEXTS, TEXTS), compatible, TRUTHS, simple=function, enclosed=enclosed)


def _before(text: str, other: str) -> str:
    return text[: max(text.find(other), 0)]


def _after(text: str, other: str) -> str:
    place = text.find(other)
    return text[place + len(other) :] if place >= 0 else ""


def _part(function: Callable[[str, str], str]) -> Function:
    """What is found is in the language of the text; nothing is the simple literal \"\"."""
    compatible = _compatible(function)

    def of_texts(text: Any, other: Any) -> Any:
        found = compatible(text, other)
        return _like(text, found) if _string(other) in _string(text) else ""

    return _binary((TEXTS, TEXTS), of_texts, simple=function)


def _substring(text: Any, start: Any, length: Any = None) -> Any:
    """Positions count from 1; those before it are empty (XPath, fn:substring)."""
    content = _string(text)
    first = _whole(start)
    stop = len(content) + 1 if length is None else first + _whole(length)
    return _like(text, content[max(first, 1) - 1 : max(stop, 1) - 1])


def _plain_substring(text: str, start: int, length: int = sys.maxsize) -> str:
    return text[max(start, 1) - 1 : max(start + length, 1) - 1]


def concatenation(*texts: Any) -> Any:
    """In the language of all parts, if they have one in common."""
    found = joined(*map(_string, texts))
    tags = {text.tag if type(text) is Tagged else None for text in texts}
    tag = tags.pop() if len(tags) == 1 else None
    return found if tag is None else Tagged(found, tag)


def _whole(value: Any) -> int:
    return value if type(value) is int else int(numeric.round_up_halves(number(value)))


def joined(*texts: str) -> str:
    """The concatenation of simple literals."""
    found = "".join(texts)
    if len(found) > LONGEST:
        raise NoValue
    return found


def _matches(text: Any, pattern: Any, flags: str = "") -> bool:
    return search(_string(pattern), _string(text), flags)


def _replacement(text: Any, pattern: Any, by: Any, flags: str = "") -> Any:
    found = substitute(_string(pattern), _string(by), _string(text), flags)
    if len(found) > LONGEST:
        raise NoValue
    return _like(text, found)


def _simple(text: Any) -> str:
    """A simple literal; raises NoValue."""
    if type(text) is not str:
        raise NoValue
    return text


def _hash(name: str) -> Function:
    digest = getattr(hashlib, name)
    return _unary(TEXTS, lambda text: digest(_simple(text).encode()).hexdigest())


_TAG = re.compile(r"[a-z]+(?:-[a-z0-9]+)*")


def _in_language(text: Any, tag: str) -> Tagged:
    if not _TAG.fullmatch(tag.lower()):
        raise NoValue
    return Tagged(_simple(text), tag.lower())


def _typed(text: Any, datatype: bytes) -> bytes:
    if datatype[:1] != b"<":
        raise NoValue
    if datatype == _STRING:
        return key_of(_simple(text))
    return b'"%b"^^%b' % (escape(_simple(text)).encode(), datatype)


_STRING, _TEXT_IN_LANGUAGE = f"<{XSD}string>".encode(), f"<{RDF}langString>".encode()


def _language_matches(tag: Any, wanted: Any) -> bool:
    """Whether a tag begins like a language range, in which * stands for one part of a tag."""
    parts, asked = (_string(text).strip().lower().split("-") for text in (tag, wanted))
    pairs = zip(asked, parts, strict=False)
    return bool(_string(tag)) and len(asked) <= len(parts) and all(a in ("*", p) for a, p in pairs)


# -- terms


def _language(key: bytes) -> str:
    return literal_parts(_literal(key))[1] or ""


def _literal(key: bytes) -> bytes:
    """The key of a literal; raises NoValue for other terms."""
    if key[:1] != b'"':
        raise NoValue
    return key


def _datatype(key: bytes) -> bytes:
    if _literal(key)[-1:] == b'"':
        return _STRING
    return _TEXT_IN_LANGUAGE if key[-1:] != b">" else key[key.rindex(b'"') + 3 :]


def _begins(letter: bytes) -> Function:
    return _unary(KEYS, lambda key: key[:1] == letter, TRUTHS)


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


# -- casts (17.5)


def _cast(name: str, convert: Callable[[Any], Any]) -> Function:
    """A cast of literals: texts by their lexical form, numbers and booleans by value."""

    def cast(value: Any) -> Any:
        if isinstance(value, str):
            value = value_of(f'"{escape(value.strip())}"^^<{XSD}{name}>'.encode())
        if not isinstance(value, _CASTABLE):
            raise NoValue
        return convert(value)

    return _unary(VALUES, cast)


_CASTABLE = (int, Decimal, float)  # a bool is an int


def _decimal(value: Any) -> Decimal:
    if isinstance(value, float) and not math.isfinite(value):
        raise NoValue
    return Decimal(value)


def _moment(key: bytes) -> bytes:
    """With its lexical form, if that is one of xsd:dateTime."""
    value, found = value_of(_literal(key)), key
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
    value = value_of(_literal(key))
    return literal_parts(key_of(value) if isinstance(value, _CASTABLE) else key)[0]


CASTS: dict[str, Function] = {
    f"{XSD}{name}": function
    for name, function in {
        "integer": _cast("integer", int),
        "decimal": _cast("decimal", _decimal),
        "double": _cast("double", partial(numeric.promoted, to=float)),
        "float": _cast("float", partial(numeric.promoted, to=Single)),
        "string": _unary(KEYS, _to_text),
        "boolean": _cast("boolean", lambda value: bool(value) and not numeric.is_nan(value)),
        "dateTime": _unary(KEYS, _moment, KEYS),
    }.items()
}

FUNCTIONS: dict[str, Function] = {
    "UnaryPlus": _of_number(numeric.unary_plus, "expr"),
    "UnaryMinus": _of_number(numeric.unary_minus, "expr"),
    "ABS": _of_number(numeric.absolute),
    "CEIL": _of_number(numeric.ceiling),
    "FLOOR": _of_number(numeric.floor),
    "ROUND": _of_number(numeric.round_up_halves),
    "isNUMERIC": _unary(VALUES, numeric.is_number, TRUTHS),
    "isIRI": _begins(b"<"),
    "isURI": _begins(b"<"),
    "isBLANK": _begins(b"_"),
    "isLITERAL": _begins(b'"'),
    "STR": _unary(LEXICAL, str, enclosed=lambda texts: texts),
    "LANG": _unary(KEYS, _language),
    "DATATYPE": _unary(KEYS, _datatype, KEYS),
    "STRDT": _binary((TEXTS, KEYS), _typed, KEYS),
    "STRLANG": _binary((TEXTS, LEXICAL), _in_language),
    "LANGMATCHES": _binary((TEXTS, TEXTS), _language_matches, TRUTHS),
    "STRLEN": _unary(TEXTS, lambda text: len(_string(text)), simple=len),
    "UCASE": _each_text(str.upper, bytes.upper),
    "LCASE": _each_text(str.lower, bytes.lower),
    "ENCODE_FOR_URI": _unary(TEXTS, lambda text: quote(_string(text).encode(), safe="")),
    "CONTAINS": _test(operator.contains, EnclosedTexts.containing),
    "STRSTARTS": _test(str.startswith, EnclosedTexts.beginning),
    "STRENDS": _test(str.endswith, EnclosedTexts.ending),
    "STRBEFORE": _part(_before),
    "STRAFTER": _part(_after),
    "SUBSTR": Function(
        ("arg", "start", "length"),
        (TEXTS, VALUES, VALUES),
        _substring,
        simple=_plain_substring,
        others=int,
    ),
    "REGEX": Function(("text", "pattern", "flags"), (TEXTS, TEXTS, LEXICAL), _matches, TRUTHS),
    "REPLACE": Function(
        ("arg", "pattern", "replacement", "flags"), (TEXTS, TEXTS, TEXTS, LEXICAL), _replacement
    ),
    "YEAR": _of_date(0),
    "MONTH": _of_date(1),
    "DAY": _of_date(2),
    "HOURS": _of_time("hours", partial(time_part, 3_600_000_000, 24)),
    "MINUTES": _of_time("minutes", partial(time_part, 60_000_000, 60)),
    "SECONDS": _of_time("seconds"),
    "TIMEZONE": _unary(VALUES, _time_zone),
    "TZ": _of_time("zone"),
    **{name: _hash(name.lower()) for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")},
}
"""By the names of nodes, `Builtin_` left out."""
