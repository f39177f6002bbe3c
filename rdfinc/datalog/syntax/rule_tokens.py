"""Rule text as tokens, and where its statements stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rdfinc.terms.late_patterns import late

TOKEN = late(
    r"""(?P<space>\s+|\#[^\n\r]*)
    |(?P<text>\"{3}(?:\"{0,2}(?:[^"\\]|\\.))*\"{3}|'{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
        |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|\{[^{}]*\})
    |(?P<iri><[^\x00-\x20<>"{}|^`\\]*>)
    |[?$]\w+
    |(?:\d+\.\d*|\.\d+|\d+)[eE][+-]?\d+|\d*\.\d+|\d+  # numbers, then names
    |(?:[^\W\d](?:[\w.-]*[\w-])?)?:(?:(?:[\w:.-]|%[0-9A-Fa-f]{2}|\\.)*(?:[\w:-]|%[0-9A-Fa-f]{2}|\\.))?
    |[^\W\d](?:[\w.-]*[\w-])?
    |(?P<stop>\.)
    |.""",
    re.VERBOSE | re.DOTALL,
)
_WITHOUT_STOP = {"prefix", "base"}
"""SPARQL's declarations end with their IRI."""


class Span(NamedTuple):
    """Where a statement stands: `text[start:end]`, its first character at `line`, `column`."""

    start: int
    end: int
    line: int
    column: int


def spans(text: str) -> Iterator[Span]:
    """Where the statements stand, whether they can be read or not; comments are left out."""
    first: re.Match[str] | None = None
    end = 0
    places = LineIndex(text)
    for token in TOKEN.finditer(text):
        if token["space"] is not None:
            continue
        first = first or token
        end = token.end()
        declares = first[0].lower() in _WITHOUT_STOP and token["iri"] is not None
        if token["stop"] is not None or declares:
            yield Span(first.start(), end, *places.of(first.start()))
            first = None
    if first is not None:
        yield Span(first.start(), end, *places.of(first.start()))


class LineIndex:
    """Lines and columns of ascending offsets of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line, self._at = 1, 0

    def of(self, offset: int) -> tuple[int, int]:
        self._line += self._text.count("\n", self._at, offset)
        self._at = offset
        return self._line, offset - self._text.rfind("\n", 0, offset)
