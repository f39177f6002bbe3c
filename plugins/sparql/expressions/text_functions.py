"""SPARQL's functions of texts (SPARQL 1.1, 17.4.3), and those that make literals and hashes of
them."""

from __future__ import annotations

import hashlib
import operator
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from rdfinc.plugins.sparql.columns.enclosed_texts import EnclosedTexts
from rdfinc.plugins.sparql.columns.term_values import number
from rdfinc.plugins.sparql.expressions.operand_views import (
    KEYS,
    LEXICAL,
    TEXTS,
    TRUTHS,
    VALUES,
    Function,
    binary,
    unary,
)
from rdfinc.tables.kernels import Mask
from rdfinc.terms.builtins import numeric
from rdfinc.terms.builtins.strings import LONGEST_TEXT
from rdfinc.terms.builtins.values import RDF, XSD, NoValue, Tagged, key_of
from rdfinc.terms.expressions.regular import search, substitute
from rdfinc.terms.grammar import escape


def _each_text(function: Callable[[str], str], of_bytes: Callable[[bytes], bytes]) -> Function:
    """A function of texts that leaves the language as it is, and the same of those in ASCII."""

    def of_text(text: Any) -> Any:
        return Tagged(function(text.text), text.tag) if type(text) is Tagged else function(text)

    return unary(TEXTS, of_text, simple=function, enclosed=lambda texts: texts.changed(of_bytes))


def plain(text: Any) -> str:
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
        return function(plain(text), plain(other))

    return of_texts


def _test(function: Callable[[str, str], bool], enclosed: Callable[..., Mask | None]) -> Function:
    compatible = _compatible(function)
    return binary((TEXTS, TEXTS), compatible, TRUTHS, simple=function, enclosed=enclosed)


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
        return _like(text, found) if plain(other) in plain(text) else ""

    return binary((TEXTS, TEXTS), of_texts, simple=function)


def _substring(text: Any, start: Any, length: Any = None) -> Any:
    """Positions count from 1; those before it are empty (XPath, fn:substring)."""
    content = plain(text)
    first = _whole(start)
    stop = len(content) + 1 if length is None else first + _whole(length)
    return _like(text, content[max(first, 1) - 1 : max(stop, 1) - 1])


def _plain_substring(text: str, start: int, length: int = sys.maxsize) -> str:
    return text[max(start, 1) - 1 : max(start + length, 1) - 1]


def concatenation(*texts: Any) -> Any:
    """In the language of all parts, if they have one in common."""
    found = joined(*map(plain, texts))
    tags = {text.tag if type(text) is Tagged else None for text in texts}
    tag = tags.pop() if len(tags) == 1 else None
    return found if tag is None else Tagged(found, tag)


def _whole(value: Any) -> int:
    return value if type(value) is int else int(numeric.round_up_halves(number(value)))


def joined(*texts: str) -> str:
    """The concatenation of simple literals."""
    if sum(map(len, texts)) > LONGEST_TEXT:
        raise NoValue
    return "".join(texts)


def _matches(text: Any, pattern: Any, flags: str = "") -> bool:
    return search(plain(pattern), plain(text), flags)


def _replacement(text: Any, pattern: Any, by: Any, flags: str = "") -> Any:
    return _like(text, substitute(plain(pattern), plain(by), plain(text), flags))


def _simple(text: Any) -> str:
    """A simple literal; raises NoValue."""
    if type(text) is not str:
        raise NoValue
    return text


def _hash(name: str) -> Function:
    digest = getattr(hashlib, name)
    return unary(TEXTS, lambda text: digest(_simple(text).encode()).hexdigest())


_TAG = re.compile(r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*")


def _in_language(text: Any, tag: str) -> Tagged:
    if not _TAG.fullmatch(tag.lower()):
        raise NoValue
    return Tagged(_simple(text), tag.lower())


def _typed(text: Any, datatype: bytes) -> bytes:
    if datatype[:1] != b"<" or datatype == LANG_STRING:
        raise NoValue
    if datatype == STRING:
        return key_of(_simple(text))
    return b'"%b"^^%b' % (escape(_simple(text)).encode(), datatype)


STRING, LANG_STRING = f"<{XSD}string>".encode(), f"<{RDF}langString>".encode()


def _language_matches(tag: Any, wanted: Any) -> bool:
    """Whether a tag begins like a language range, in which * stands for one part of a tag."""
    parts, asked = (plain(text).strip().lower().split("-") for text in (tag, wanted))
    pairs = zip(asked, parts, strict=False)
    return bool(plain(tag)) and len(asked) <= len(parts) and all(a in ("*", p) for a, p in pairs)


TEXT_FUNCTIONS: dict[str, Function] = {
    "STRDT": binary((TEXTS, KEYS), _typed, KEYS),
    "STRLANG": binary((TEXTS, LEXICAL), _in_language),
    "LANGMATCHES": binary((TEXTS, TEXTS), _language_matches, TRUTHS),
    "STRLEN": unary(TEXTS, lambda text: len(plain(text)), simple=len),
    "UCASE": _each_text(str.upper, bytes.upper),
    "LCASE": _each_text(str.lower, bytes.lower),
    "ENCODE_FOR_URI": unary(TEXTS, lambda text: quote(plain(text).encode(), safe="")),
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
    **{name: _hash(name.lower()) for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")},
}
