"""A value of JSON and blocks of bytes beside it, in one piece of bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any

from rdfinc.durable.damage import Damage

_SIZE = struct.Struct("<I")
_encoded = json.JSONEncoder(separators=(",", ":")).encode


def packed(value: Any, blocks: Sequence[bytes | memoryview]) -> bytes:
    """The value and the blocks, to be had again by `unpacked`."""
    head = _encoded([value, list(map(len, blocks))]).encode()
    return b"".join((_SIZE.pack(len(head)), head, *blocks))


def unpacked(content: memoryview) -> tuple[Any, list[memoryview]]:
    """The value and the blocks. Raises Damage for what `packed` does not make."""
    try:
        (size,) = _SIZE.unpack_from(content)
        value, sizes = json.loads(bytes(content[_SIZE.size : _SIZE.size + size]))
    except (struct.error, ValueError, TypeError) as error:
        raise Damage("the head of a record cannot be read") from error
    place, blocks = _SIZE.size + size, []
    for length in sizes:
        blocks.append(content[place : place + length])
        place += length
    if place != len(content):
        raise Damage("a record has another length than it says")
    return value, blocks
