"""What terms look like, as regular expressions over N-Triples bytes, how literals escape, and what
names are.

`SAFE` accepts only terms that are valid and already canonical. It is narrower than the standards
on purpose (no percent signs, user info, ports, rare language tags): what it does not accept may
still be a term, and `rdfinc.terms.canonical_terms` finds out with pyoxigraph.
"""

from __future__ import annotations

import re

from rdfinc.terms.late_patterns import late

NESTED = 100
"""How deeply expressions, and bodies within bodies, may be nested."""

LONGEST = 2000
"""Operands that operators of one kind may join without parentheses."""

_CHARACTERS = rb"[A-Za-z0-9._~!$&'()*+,;=:@/?-]*"
_IRI = (
    rb"<[A-Za-z][A-Za-z0-9+.-]*:"
    rb"(?://[A-Za-z0-9._-]+(?=[/?#>])|(?!//))" + _CHARACTERS + rb"(?:#" + _CHARACTERS + rb")?>"
)
_IMPLIED_DATATYPE = (
    rb"<http://www\.w3\.org/(?:2001/XMLSchema#string|1999/02/22-rdf-syntax-ns#(?:dirL|l)angString)>"
)
_RAW = rb'[^"\\\x00-\x1f\x7f]*'
_LITERAL = (
    rb'"' + _RAW + rb'(?:\\[\\"nrtbf]' + _RAW + rb')*"'
    rb"(?:@[a-z]{2,3}(?:-[a-z]{2})?|\^\^(?!" + _IMPLIED_DATATYPE + rb")" + _IRI + rb")?"
)

SAFE = late(_IRI + rb"|" + _LITERAL)
"""Valid, canonical IRIs and literals, provided that the bytes are UTF-8 without U+FFFE, U+FFFF."""

SAFE_LINES = late(rb"(?m)^(?:" + SAFE.pattern + rb")\n")
"""The lines of a text that consist of one such term each."""

TOKEN = late(
    r'<[^<>"\s]*>'
    r"|_:[^\s<>\"#]+"
    r'|"(?:[^"\\\n\r]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^<>"\s]*>)?'
)
"""The outline of one N-Triples term; not every text of this outline is valid."""

NAME_START = (
    r"A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
NAME_FURTHER = NAME_START + r"\-.0-9\xB7\u0300-\u036F\u203F-\u2040"
"""What an XML name without colon begins with, and what else it may hold, within brackets."""

PREFIX = late(rf"(?:(?!_)[{NAME_START}][{NAME_FURTHER}]*(?<!\.))?")
"""What stands before the colon of a prefixed name in Turtle and SPARQL."""

_ESCAPES = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"'}
_ESCAPES |= {"\\": "\\\\", "\x7f": "\\u007F", "\ufffe": "\\uFFFE", "\uffff": "\\uFFFF"}
_ESCAPES = {chr(code): f"\\u{code:04X}" for code in range(0x20)} | _ESCAPES
_ESCAPED = late('["\\\\\x00-\x1f\x7f\ufffe\uffff]')

_UNESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_SEQUENCE = late(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)


def escape(lexical: str) -> str:
    """The lexical form as it stands between the quotes of a canonical literal."""
    if _ESCAPED.search(lexical) is None:
        return lexical
    return _ESCAPED.sub(lambda found: _ESCAPES[found[0]], lexical)


def unescape(escaped: str) -> str:
    """The inverse of `escape`, for every escape that N-Triples has."""
    if "\\" not in escaped:
        return escaped
    return _SEQUENCE.sub(_unescaped, escaped)


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _UNESCAPES.get(found[3], found[3])


def literal_parts(key: bytes) -> tuple[str, str | None, str | None]:
    """Lexical form, language tag, datatype IRI of a canonical literal; None where it has none."""
    text = key.decode()
    if text[-1] == '"':
        return unescape(text[1:-1]), None, None
    end = text.rindex('"')
    lexical = unescape(text[1:end])
    if text[end + 1] == "@":
        return lexical, text[end + 2 :], None
    return lexical, None, text[end + 4 : -1]
