"""Looks at RDF/XML beside the fast parser: does a document need more care, and is it whole?"""

from __future__ import annotations

import re
from typing import BinaryIO
from xml.parsers import expat

import numpy as np

_BLOCK = 1 << 18
_SMALL_BLOCK = 1 << 16
_LONGEST = 1 << 20
_LITERAL = re.compile(rb"parseType\s*=\s*[\"'](?!(?:Resource|Collection)[\"'])")
_ENCODED = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"'](?!(?i:utf-8|us-ascii)[\"'])")
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00<", b"<\x00")
_DEEP = 200
_STEP = np.ones(256, np.int8)
_STEP[list(b"!?")], _STEP[ord("/")] = 0, -1


def ill_formed(error: expat.ExpatError) -> str:
    """Why a document is no XML, and what to do about what is met most."""
    why = f"not well-formed XML: {expat.ErrorString(error.code)}"
    token = error.code == expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
    return f"{why}; in texts & is written &amp; and < is written &lt;" if token else why


def needs_care(stream: BinaryIO) -> bool:
    """Whether a document may have a DTD, an XML literal, another encoding than UTF-8, more than
    `_DEEP` elements within each other, or `_LONGEST` bytes without a tag; if not, it has none of
    them. About 1 ns a byte.

    It is looked at in blocks that end before a tag: no attribute value has a `<`.
    """
    text = stream.read(_BLOCK)
    if text.startswith(_WIDE) or _ENCODED.match(text):
        return True
    depth, block = 0, text
    while block:
        block = stream.read(_BLOCK)
        text, rest = _cut(text + block) if block else (text, b"")
        deepest, depth = _depths(text, depth)
        if deepest > _DEEP or len(rest) > _LONGEST or _is_rare(text):
            return True
        text = rest
    return False


def _is_rare(text: bytes) -> bool:
    if b"<!DOCTYPE" in text:
        return True
    return b"parseType" in text and _LITERAL.search(text) is not None


def _cut(text: bytes) -> tuple[bytes, bytes]:
    place = max(text.rfind(b"<"), 0)
    return text[:place], text[place:]


def _depths(text: bytes, depth: int) -> tuple[int, int]:
    """The greatest depth and the last one, from `depth` on."""
    codes = np.frombuffer(text, np.uint8)
    opened = np.flatnonzero(codes[:-1] == ord("<"))
    closed = np.flatnonzero(codes[1:] == ord(">"))
    steps = np.zeros(codes.size, np.int8)
    steps[opened] = _STEP[codes[opened + 1]]
    steps[closed[codes[closed] == ord("/")]] = -1
    depths = depth + np.cumsum(steps[steps != 0], dtype=np.int64)
    return int(depths.max(initial=depth)), int(depths[-1]) if depths.size else depth


class XmlWitness:
    """A stream that lets expat read along. pyoxigraph (up to 0.5) takes the end of input within an
    element for the end of the document, so that a truncated file would be loaded in part; it has
    forgotten the prefixes when it is done; and it takes ends of lines as they are, of which XML
    makes line feeds (XML 1.0, 2.11).

    `problem`: line (1-based) and reason why the text so far is no XML, or None. `prefixes`: prefix
    -> IRI as first declared. About 10 ns a byte.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartNamespaceDeclHandler = self._declare
        self.problem: tuple[int, str] | None = None
        self.prefixes: dict[str, str] = {}
        self._after_return = False

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if self.problem is None and size != 0:
            self._follow(data)
        if self._after_return and data == b"\n":
            self._after_return = False
            return self.read(size)
        return self._with_line_feeds(data) if self._after_return or b"\r" in data else data

    def _with_line_feeds(self, data: bytes) -> bytes:
        """A block in which all lines end as XML has them end; the last line may go on."""
        text = data[1:] if self._after_return and data.startswith(b"\n") else data
        self._after_return = text.endswith(b"\r")
        return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def read_on(self) -> XmlWitness:
        """Reads to the end, or to the first problem."""
        while self.problem is None and self.read(_SMALL_BLOCK):
            pass
        return self

    def _follow(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, not data)
        except expat.ExpatError as error:
            self.problem = error.lineno, ill_formed(error)

    def _declare(self, prefix: str | None, iri: str) -> None:
        self.prefixes.setdefault(prefix or "", iri)
