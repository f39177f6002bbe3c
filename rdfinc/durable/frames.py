"""Frames: numbered, checksummed pieces of a file that only grows.

A frame is a header and a payload. The header has a mark, the checksum of all that follows, the
number, the length of the payload, and how much of the file was on disk when the frame was written.
That tells damage from a write that was cut short: what lies before a `synced` place of a later
frame was whole once.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from msgspec import Struct

from rdfinc.durable.damage import Damage

_HEADER = struct.Struct("<4sIQQQ")
_MARK = b"\xf5RDF"
_REST = struct.Struct("<QQQ")
"""The checked part of a header."""
_CHECKED = _HEADER.size - _REST.size
"""Where that begins."""


class Frame(Struct, frozen=True):
    """A frame that was read: its number, its payload and where it ends."""

    number: int
    payload: memoryview
    end: int
    synced: int


def framed(number: int, payload: bytes, synced: int) -> bytes:
    """The bytes of a frame."""
    rest = _REST.pack(number, len(payload), synced)
    checksum = zlib.crc32(payload, zlib.crc32(rest))
    return b"".join((_MARK, checksum.to_bytes(4, "little"), rest, payload))


def read_frames(content: memoryview, number: int) -> Iterator[Frame]:
    """The frames of a file's bytes, numbered from `number` on, as far as they were written whole.
    Raises Damage where a frame that was on disk is no longer what it was."""
    place = 0
    while (frame := _frame_at(content, place)) is not None:
        if frame.number != number:
            raise Damage(f"the record after {number - 1} is {frame.number}")
        yield frame
        place, number = frame.end, number + 1
    if any(later.synced > place for later in _frames_after(content, place)):
        raise Damage(f"byte {place} and what follows are not what was written there")


def is_lone_frame(content: memoryview, number: int) -> bool:
    """Whether a file's bytes are one frame with a number before `number`."""
    frame = _frame_at(content, 0)
    return frame is not None and frame.number < number and frame.end == len(content)


def _frame_at(content: memoryview, place: int) -> Frame | None:
    """The whole frame that begins at a place, if there is one."""
    start = place + _HEADER.size
    if start > len(content):
        return None
    mark, checksum, number, length, synced = _HEADER.unpack_from(content, place)
    if mark != _MARK or length > len(content) - start:
        return None
    checked = content[place + _CHECKED : start + length]
    if zlib.crc32(checked) != checksum:
        return None
    return Frame(number, content[start : start + length], start + length, synced)


def _frames_after(content: memoryview, place: int) -> Iterator[Frame]:
    """All whole frames that begin at a place or later."""
    text = bytes(content[place:])
    found = text.find(_MARK)
    while found >= 0:
        frame = _frame_at(content, place + found)
        if frame is not None:
            yield frame
        found = text.find(_MARK, found + 1)
