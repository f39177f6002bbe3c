"""Triple terms and JSON nested too deeply for parsers by recursive descent.

Only an object may be a triple term within a triple term (RDF 1.2 Turtle, `tripleTerm`). So triple
terms open one after the other, with a subject and a predicate between: `<<( s p <<( s p …`.
"""

from __future__ import annotations

import re
from typing import BinaryIO

import numpy as np

from rdfinc.errors import UnsupportedError

DEEPEST = 200
"""Triple terms, or objects and arrays, within each other; a thread's stack holds some more."""

_LONG = 1 << 16
_OPEN = b"<<("
_PASSED = re.compile(rb"<[^<>]*>|\\.")
_PASSED_OR_COMMENT = re.compile(rb"<[^<>]*>|\\.|#[^\n]*")
_NEVER = re.compile(rb"[\"'()]")


class TermDepth:
    """How many triple terms may be open at the end of a text in parts.

    A `#` may begin a comment or stand in a literal. Only a reader of the whole text could tell, so
    the text is read in both ways. Without triple terms 0.2 ns a byte.
    """

    def __init__(self) -> None:
        self._ways = (_Run(_PASSED), _Run(_PASSED_OR_COMMENT))

    def follow(self, text: bytes) -> None:
        """Raises UnsupportedError where more than DEEPEST may be open."""
        for run in self._ways:
            run.follow(text)


class _Run:
    """A text read in one way: the number of `_open` triple terms, the names since the last of
    them, and the rest of the text, not taken apart yet; `_comment` is set while the rest is in a
    comment."""

    def __init__(self, passed: re.Pattern[bytes]) -> None:
        self._passed = passed
        self._open, self._names, self._rest, self._comment = 0, b"", b"", b""

    def follow(self, text: bytes) -> None:
        *parts, self._rest = (self._rest + text).split(_OPEN)
        for part in parts:
            self._pass(part)
        if not self._open or len(self._names) + len(self._rest) > _LONG:
            self._open, self._names, self._comment = 0, b"", b""
            self._rest = self._rest[-2:]

    def _pass(self, text: bytes) -> None:
        """Takes the text before the sign of a triple term, unless the sign is part of a comment."""
        names = self._passed.sub(_shown, self._comment + text)
        self._comment = b"#" if self._open and names.endswith(_UNENDED) else b""
        self._names += names.rstrip(_UNENDED)
        if not self._comment:
            self._open = self._open + 1 if _are_names(self._names) else 1
            self._names = b""
        if self._open > DEEPEST:
            raise UnsupportedError(f"RDF 1.2 triple terms, {DEEPEST} within each other")


_UNENDED = b"\0"


def _shown(found: re.Match[bytes]) -> bytes:
    """A comment as a space, or as a sign where it may go on; all else as a name."""
    if found[0][:1] != b"#":
        return b" x " if found[0][:1] == b"<" else b"x"
    return _UNENDED if found.end() == len(found.string) else b" "


def _are_names(text: bytes) -> bool:
    """Whether a text is a subject and a predicate; a blank node in brackets may be two words."""
    return 2 <= len(text.split()) <= 4 and not _NEVER.search(text)


class ShallowTerms:
    """A stream of Turtle or TriG. Raises UnsupportedError, with the place, before a text nested too
    deeply is read."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream, self._name = stream, name
        self._depth, self._line = TermDepth(), 1

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        try:
            self._depth.follow(data)
        except UnsupportedError as error:
            raise error.at("", self._line, 0).within(self._name) from None
        self._line += data.count(b"\n")
        return data


_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STEP = np.zeros(256, np.int8)
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1


class TooDeepError(Exception):
    """`line`: the first line (1-based) on which the depth may be too great."""

    def __init__(self, line: int) -> None:
        super().__init__(f"more than {DEEPEST} objects and arrays within each other")
        self.line = line


class ShallowJson:
    """A stream of JSON. Raises TooDeepError before a text nested too deeply is read.

    About 2 ns a byte.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._held = b""
        self._depth, self._in_string, self._line = 0, False, 1

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        text = self._held + data
        slashes = len(text) - len(text.rstrip(b"\\"))
        self._held = b"\\" * (slashes % 2)
        self._follow(text[: len(text) - len(self._held)])
        self._line += data.count(b"\n")
        return data

    def _follow(self, text: bytes) -> None:
        marks = text.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
        parts = marks.split(b'"')
        outside = b"".join(parts[self._in_string :: 2])
        self._in_string ^= len(parts) % 2 == 0
        depths = self._depth + np.cumsum(_STEP[np.frombuffer(outside, np.uint8)], dtype=np.int64)
        if depths.max(initial=0) > DEEPEST:
            raise TooDeepError(self._line)
        self._depth = int(depths[-1]) if depths.size else self._depth
