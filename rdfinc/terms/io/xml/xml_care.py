"""Looks at RDF/XML beside the fast parser: does a document need more care, and is it whole?"""

from __future__ import annotations

import re
from typing import BinaryIO
from xml.parsers import expat

import numpy as np

from rdfinc.terms.io.xml.rare_features import Codes, Places, has_rare_feature

_BLOCK = 1 << 18
_SMALL_BLOCK = 1 << 16
_LONGEST = 1 << 20
_ENCODED = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"'](?!(?i:utf-8)[\"'])")
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
    """Whether a document may have another encoding than UTF-8, a rare feature (see there),
    `_DEEP` elements within each other, or `_LONGEST` bytes without a tag; if not, it has none
    of them. About 6 ns a byte, of which the search for rare features is half.

    It is looked at in blocks that end before a tag: no attribute value has a `<`.
    """
    text = stream.read(_BLOCK).removeprefix(b"\xef\xbb\xbf")
    if text.startswith(_WIDE) or _ENCODED.match(text):
        return True
    depth, before, block = 0, b"", text
    while block:
        block = stream.read(_BLOCK)
        text, rest = _cut(text + block) if block else (text, b"")
        seen = text + rest[:2]
        codes = np.frombuffer(seen, np.uint8)
        opened = np.flatnonzero(codes[:-1] == ord("<"))
        deepest, depth = _depths(codes, opened[: -1 if rest else None], depth)
        if (
            deepest >= _DEEP
            or len(rest) > _LONGEST
            or has_rare_feature(seen, codes, opened, before)
        ):
            return True
        text, before = rest, text[text.rfind(b"<") :].rstrip() or before
    return False


def _cut(text: bytes) -> tuple[bytes, bytes]:
    place = max(text.rfind(b"<", 0, -1), 0)
    return text[:place], text[place:]


def _depths(codes: Codes, opened: Places, depth: int) -> tuple[int, int]:
    """The greatest depth of what is not empty, and the last one, from `depth` on."""
    if not opened.size:
        return depth, depth
    closed = np.flatnonzero(codes == ord(">"))
    empty = closed[codes[closed - 1] == ord("/")]
    steps = _STEP[codes[opened + 1]]
    steps[np.searchsorted(opened, empty) - 1] = 0
    depths = depth + np.cumsum(steps, dtype=np.int64)
    return int(depths.max()), int(depths[-1])


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
