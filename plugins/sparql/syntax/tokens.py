"""Tokens of SPARQL (SPARQL 1.1, 19.8, terminals).

The longest token is taken, as the specification has it: `<?b&&?c>` is an IRI. A number never
contains its sign; a sign right before a number may be an operator as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from rdfinc.terms.late_patterns import late

Check = Callable[[], object]
"""Raises where a request is to be stopped."""

END, WRONG = "end", "wrong"
"""The kinds of what stands behind the last token, and of a character that begins none."""

BYTE_ORDER_MARK = "\ufeff"
"""What may stand before a text that was kept in a file."""

_THEMSELVES = ("bracket", "sign", "word")
"""The groups of tokens that are kinds themselves; brackets and separators are looked for early."""

_CHECKED = 1 << 10
"""Tokens that are read between two checks."""

_LETTER = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_MARK = "\u00b7\u0300-\u036f\u203f-\u2040"
_ESCAPE = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%]"


def _token(letters: str, marks: str) -> re.Pattern[str]:
    """A token, in whose names there may be some letters beside those of ASCII, and some marks.

    Words with dots and hyphens between them are read again from each word, as a prefix. So that
    this is linear, prefixes with more than 16 of those are looked for at the first word only.
    """
    first = f"A-Za-z{letters}_0-9"
    next_ = f"{first}{marks}"
    word, more = f"[A-Za-z{letters}][{next_}]*", rf"[.\-]+[{next_}]+"
    local = rf"(?:[:{first}]|{_ESCAPE})(?:[:\-{next_}]+|{_ESCAPE})*"
    begin = rf"(?:\A{BYTE_ORDER_MARK})?" if letters else ""
    dotted = rf"(?:\.+(?:[:\-{next_}]+|{_ESCAPE})+)*"
    return late(
        rf"""
    {begin}[ \t\r\n]*(?:\#[^\r\n]*[ \t\r\n]*)*
    (?:(?P<variable>[?$][{first}][{next_}]*)
      |(?P<iri><[^<>"{{}}|^`\\\x00-\x20]*>)
      |(?P<bracket>[{{}}()\[\],;])
      |(?P<long>\"\"\"[^"\\]*(?:(?:\\[tbnrf"'\\]|"(?!""))[^"\\]*)*\"\"\"
               |'''[^'\\]*(?:(?:\\[tbnrf"'\\]|'(?!''))[^'\\]*)*''')
      |(?P<text>"(?!"")[^"\\\n\r]*(?:\\[tbnrf"'\\][^"\\\n\r]*)*"
               |'(?!'')[^'\\\n\r]*(?:\\[tbnrf"'\\][^'\\\n\r]*)*')
      |(?P<name>(?:{word}(?:{more}){{0,16}}(?:[.\-]*-)?
                  |(?<![.\-{next_}]){word}(?:{more}){{17,}}(?:[.\-]*-)?)?
               :(?:{local}{dotted})?)
      |(?P<word>[A-Za-z][A-Za-z0-9_]*)
      |(?P<double>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+\-]?[0-9]+)
      |(?P<decimal>[0-9]*\.[0-9]+)
      |(?P<integer>[0-9]+)
      |(?P<signed>[+\-](?=\.?[0-9]))
      |(?P<sign>&&|\|\||\^\^|[!<>]=|[.=<>*/|^!?+\-])
      |(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
      |(?P<label>_:[{first}][\-{next_}]*(?:\.+[\-{next_}]+)*)
      |(?P<{END}>\Z)
      |(?P<{WRONG}>.).*)""",
        re.VERBOSE | re.DOTALL,
    )


_OF_ASCII, _OF_ANY = _token("", ""), _token(_LETTER, _MARK)

_GROUPS = ["", *re.findall(r"\(\?P<(\w+)>", _OF_ASCII.pattern)]
_KINDS = [group if group not in _THEMSELVES else "" for group in _GROUPS]
"""The kinds of tokens by the number of their group; empty for those that are kinds themselves."""


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Texts in ASCII, as most are, need no other letters, with which to compile takes 25 ms."""
    return (_OF_ASCII if text.isascii() else _OF_ANY).finditer(text)


class Tokens(NamedTuple):
    """The kinds of tokens, and the tokens as they are written; the last one is END or WRONG.

    The kind of a word is the word in upper case, that of a sign the sign.
    """

    kinds: list[str]
    texts: list[str]


def tokens_of(text: str, check: Check) -> Tokens:
    """The tokens of a text, up to the first character that begins none. O(text)."""
    kinds: list[str] = []
    texts: list[str] = []
    found, add_kind, add_text = _tokens(text), kinds.append, texts.append
    while not kinds or kinds[-1] != END:
        check()
        first = len(kinds)
        for token in islice(found, _CHECKED):
            group: int = token.lastindex  # type: ignore[assignment]
            written = token[group]
            add_text(written)
            add_kind(_KINDS[group] or written.upper())
        if WRONG in kinds[first:]:
            end = kinds.index(WRONG, first) + 1
            return Tokens(kinds[:end], texts[:end])
    return Tokens(kinds, texts)


def places(text: str) -> list[tuple[int, int]]:
    """Where each token begins and ends, counted from 0."""
    return [token.span(token.lastindex or 0) for token in _tokens(text)]
