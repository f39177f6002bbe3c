"""Many texts as one: what is asked of each of them is found in all at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from rdfinc.tables.kernels import Indices, Mask

_LINE = b"\n"
_ENDS = {b'"': b'"', b"<": b">"}
"""What a key ends with, by what it begins with: simple literals and IRIs."""
_AROUND = {*_ENDS, *_ENDS.values(), _LINE}


class EnclosedTexts(Struct, frozen=True):
    """The keys of terms below each other: simple literals all of them, or IRIs.

    Line feeds stand between them only, at the places `lines`, and there are no escapes. So the
    quotes of literals are those around them, and their texts hold no character that would be
    escaped.
    """

    together: bytes
    lines: Indices

    @classmethod
    def of(cls, keys: Sequence[bytes | None]) -> EnclosedTexts | None:
        """The texts of keys; None unless they are of that form. O(their length)."""
        if None in keys or not keys:
            return None
        together: bytes = _LINE.join(keys)  # type: ignore[arg-type]
        begin = together[:1]
        end = _ENDS.get(begin)
        if end is None or together[-1:] != end or b"\\" in together:
            return None
        letters = np.frombuffer(together, np.uint8)
        lines = np.flatnonzero(letters == _LINE[0])
        is_plain = (
            len(lines) == len(keys) - 1
            and (letters[lines - 1] == end[0]).all()
            and (letters[lines + 1] == begin[0]).all()
        )
        return cls(together, lines) if is_plain else None

    def __len__(self) -> int:
        return len(self.lines) + 1

    @property
    def are_literals(self) -> bool:
        return self.together[:1] == b'"'

    @property
    def _between(self) -> bytes:
        """What stands between two texts."""
        return self.together[-1:] + _LINE + self.together[:1]

    def texts(self) -> list[str]:
        return self.together[1:-1].decode().split(self._between.decode())

    def some(self, places: Indices) -> list[str]:
        """The texts at some places."""
        together = self.together
        starts = np.append(-1, self.lines)[places] + 2
        stops = np.append(self.lines, len(together))[places] - 1
        pairs = zip(starts.tolist(), stops.tolist(), strict=True)
        return [together[start:stop].decode() for start, stop in pairs]

    @property
    def longest(self) -> int:
        """The length of the longest text, in bytes and with what stands around it."""
        return int(np.diff(self.lines, prepend=-1, append=len(self.together)).max())

    # -- functions of all texts

    def changed(self, change: Callable[[bytes], bytes]) -> EnclosedTexts | None:
        """The texts with their letters changed, one by one; None if some are not those of ASCII."""
        if not self.together.isascii():
            return None
        return EnclosedTexts(change(self.together), self.lines)

    def containing(self, part: str) -> Mask | None:
        """For each text whether it contains another one."""
        return self._with(b"", part, b"")

    def beginning(self, part: str) -> Mask | None:
        return self._with(_LINE + self.together[:1], part, b"")

    def ending(self, part: str) -> Mask | None:
        return self._with(b"", part, self.together[-1:] + _LINE)

    def _with(self, before: bytes, part: str, behind: bytes) -> Mask | None:
        """The texts with a part that stands between others; None for one that cannot be told from
        what stands around texts."""
        sought = part.encode()
        if not sought or any(mark in sought for mark in _AROUND):
            return None
        framed = b"%b%b%b" % (_LINE, self.together, _LINE)
        *pieces, _ = framed.split(before + sought + behind)
        step = len(before) + len(sought) + len(behind)
        ends = np.cumsum(np.fromiter(map(len, pieces), np.intp, len(pieces)) + step)
        found = np.zeros(len(self), np.bool_)
        found[np.searchsorted(self.lines, ends - len(behind) - 2)] = True
        return found
