r"""Escapes `\uXXXX` and `\UXXXXXXXX`, which stand for characters wherever they are.

They are replaced before a text is read (SPARQL 1.1, 19.2); errors of what is read have their place
in the text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from rdfinc.plugins.sparql.syntax.sparql_error import SparqlSyntaxError

_ESCAPE = re.compile(r"\\\\|\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


@contextmanager
def unescaped(text: str) -> Iterator[str]:
    """A text with characters for its escapes, but for those whose backslash is escaped. Raises
    SparqlSyntaxError for surrogates; and what is raised here for its result, with the place in the
    text itself."""
    plain = _unescaped(text)
    try:
        yield plain
    except SparqlSyntaxError as error:
        raise error.within(text, _written_at(text, error.place)) from None


def _unescaped(text: str) -> str:
    try:
        text.encode()
        return _ESCAPE.sub(_character, text) if "\\" in text else text
    except UnicodeEncodeError as error:
        raise SparqlSyntaxError(text, error.start, "a surrogate is no character") from None


def _character(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    number = int(digits, 16) if digits else 0
    if 0xD800 <= number <= 0xDFFF:
        raise SparqlSyntaxError(escape.string, escape.start(), f"{escape[0]} is no character")
    return chr(number) if digits and number <= 0x10FFFF else escape[0]


def _written_at(text: str, place: int) -> int:
    """The place in a text of a place in its unescaped form."""
    for escape in _ESCAPE.finditer(text):
        if escape.start() >= place:
            break
        place += len(escape[0]) - len(_character(escape))
    return place
