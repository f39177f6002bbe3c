"""Segments: files of blocks that never change; a block that an earlier segment has is not written
again.

A block is bytes at a place of a segment, named by their digest (BLAKE2b, 128 bits), which is
checked before they are used.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from rdfinc.durable.damage import Damage
from rdfinc.durable.directory_files import Files
from rdfinc.durable.durable_thresholds import DURABLE


class StoredBlock(NamedTuple):
    """Where bytes stand, and their digest."""

    segment: int
    start: int
    length: int
    digest: str


def segment_name(number: int) -> str:
    return f"segment-{number}"


def digest_of(content: bytes | memoryview) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class SegmentWriter:
    """Writes one segment, beside the blocks of earlier ones. `blocks` are those put so far, each
    once; `written` counts bytes."""

    def __init__(self, files: Files, number: int, earlier: Iterable[StoredBlock]) -> None:
        self._number, self._files = number, files
        self._known = {block.digest: block for block in _worth_keeping(earlier)}
        self._indices: dict[str, int] = {}
        self.blocks: list[StoredBlock] = []
        self.written = 0
        self._file = files.create(segment_name(number))

    def put(self, content: bytes | memoryview) -> int:
        """The index of the block with this content."""
        digest = digest_of(content)
        index = self._indices.get(digest)
        if index is None:
            index = self._indices[digest] = len(self.blocks)
            self.blocks.append(self._known.get(digest) or self._write(content, digest))
        return index

    def _write(self, content: bytes | memoryview, digest: str) -> StoredBlock:
        size = memoryview(content).nbytes
        block = StoredBlock(self._number, self.written, size, digest)
        self._file.append(content)
        padding = -size % DURABLE.alignment_bytes
        self._file.append(bytes(padding))
        self.written += size + padding
        return block

    def close(self) -> None:
        """Returns when the segment is on disk."""
        self._file.sync()
        self._file.close()

    def give_up(self) -> None:
        """Leaves nothing of the segment, if that can be done: a full disk has no room for it."""
        with suppress(OSError):
            self._file.close()
            self._files.remove(segment_name(self._number))


def _worth_keeping(blocks: Iterable[StoredBlock]) -> Iterator[StoredBlock]:
    """The blocks of those segments of which much is still in use."""
    known = list(blocks)
    used, sizes = Counter[int](), Counter[int]()
    for block in known:
        used[block.segment] += block.length
        sizes[block.segment] = max(sizes[block.segment], block.start + block.length)
    for block in known:
        if used[block.segment] >= DURABLE.live_share * sizes[block.segment]:
            yield block


def _mapped(files: Files, name: str) -> memoryview:
    try:
        return files.mapped(name)
    except FileNotFoundError as error:
        raise Damage(f"{name} is missing") from error


class SegmentReader:
    """The blocks of a checkpoint, mapped from its segments and checked when they are asked for."""

    def __init__(self, files: Files, blocks: list[StoredBlock]) -> None:
        self._blocks = blocks
        numbers = {block.segment for block in blocks}
        self._segments = {number: _mapped(files, segment_name(number)) for number in numbers}

    def get(self, index: int) -> memoryview:
        """Raises Damage if the bytes are not what was written."""
        if not 0 <= index < len(self._blocks):
            raise Damage(f"there is no block {index}")
        block = self._blocks[index]
        content = self._segments[block.segment][block.start : block.start + block.length]
        if len(content) != block.length or digest_of(content) != block.digest:
            raise Damage(f"{segment_name(block.segment)} is not what was written, at {block.start}")
        return content
