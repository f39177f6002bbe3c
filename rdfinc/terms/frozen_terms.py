"""Terms that a checkpoint holds: read from blocks when needed, found by an index of hashes.

A frozen term costs its text, 4 bytes for its place and 8 for the index, all of it mapped; a look-up
by id 0.4 µs, one by text some 1.5 µs.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from rdfinc.terms.dictionary import Ids

_UINT32 = 4


def block_of(terms: Sequence[bytes]) -> bytes:
    """Terms as a block: their number, where each begins in the text, where that ends, the text."""
    starts = np.zeros(len(terms) + 2, np.uint32)
    starts[0] = len(terms)
    np.cumsum(np.fromiter(map(len, terms), np.uint32, len(terms)), out=starts[2:])
    return b"".join((starts.tobytes(), *terms))


def index_of(terms: Iterable[bytes], ids: Ids) -> tuple[Ids, Ids]:
    """The hashes of terms in order, and the ids that go with them. The hash is CRC-32, which is the
    same in all processes."""
    hashes = np.fromiter(map(crc32, terms), np.uint32, len(ids))
    order = np.argsort(hashes, kind="stable")
    return hashes[order], ids[order]


def merged_index(one: tuple[Ids, Ids], other: tuple[Ids, Ids]) -> tuple[Ids, Ids]:
    """The index of the terms of both."""
    hashes, ids = (np.concatenate(pair) for pair in zip(one, other, strict=True))
    order = np.argsort(hashes, kind="stable")
    return hashes[order], ids[order]


class FrozenTerms:
    """The terms of the ids below `size`, `in_block` in each block; an id that is free has an empty
    one. `hashes` are those of all others, in order, and `ids` theirs."""

    def __init__(
        self,
        blocks: Sequence[Callable[[], memoryview]],
        in_block: int,
        size: int,
        hashes: Ids,
        ids: Ids,
    ) -> None:
        self._readers, self.in_block, self.size = blocks, in_block, size
        self.hashes, self.ids = hashes, ids
        self._hash, self._id, self._end = hashes.data, ids.data, len(ids)
        self._blocks: list[tuple[memoryview, memoryview] | None] = [None] * len(blocks)

    def block(self, number: int) -> memoryview:
        """One block, as `block_of` makes it."""
        return self._readers[number]()

    def _read(self, number: int) -> tuple[memoryview, memoryview]:
        """Where the terms of a block begin, and their text; read when it is first asked for."""
        block = self.block(number)
        head = _UINT32 * (2 + int.from_bytes(block[:_UINT32], sys.byteorder))
        found = self._blocks[number] = block[_UINT32:head].cast("I"), block[head:]
        return found

    def __getitem__(self, id: int) -> bytes:
        number, place = divmod(id, self.in_block)
        starts, text = self._blocks[number] or self._read(number)
        return bytes(text[starts[place] : starts[place + 1]])

    def find(self, term: bytes) -> int | None:
        """The id of a term that is frozen here."""
        hash, hashes = crc32(term), self._hash
        at, end = bisect_left(hashes, hash), self._end
        while at < end and hashes[at] == hash:
            id = self._id[at]
            if self[id] == term:
                return id
            at += 1
        return None

    def find_many(self, terms: Sequence[bytes]) -> Ids:
        """The ids of terms; 0 for those that are not frozen here. 0.3 µs for each of them."""
        found = np.zeros(len(terms), np.uint32)
        if self._end:
            hashes = np.fromiter(map(crc32, terms), np.uint32, len(terms))
            at = np.searchsorted(self.hashes, hashes)
            for place in np.flatnonzero(self.hashes.take(at, mode="clip") == hashes).tolist():
                found[place] = self.find(terms[place]) or 0
        return found


class ThawedTerms:
    """The terms of all ids: frozen ones, but for those that have `changed`, and `later` ones."""

    def __init__(
        self,
        frozen: FrozenTerms,
        changed: dict[int, bytes] | None = None,
        later: Iterable[bytes] = (),
    ) -> None:
        self.frozen, self.changed, self.later = frozen, changed or {}, list(later)
        self._size = frozen.size
        self.append: Callable[[bytes], None] = self.later.append
        self.extend: Callable[[Iterable[bytes]], None] = self.later.extend

    def __len__(self) -> int:
        return self._size + len(self.later)

    def __getitem__(self, id: int) -> bytes:
        if id >= self._size:
            return self.later[id - self._size]
        changed = self.changed.get(id) if self.changed else None
        return self.frozen[id] if changed is None else changed

    def __setitem__(self, id: int, term: bytes) -> None:
        if id >= self._size:
            self.later[id - self._size] = term
        else:
            self.changed[id] = term

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))

    def copy(self) -> ThawedTerms:
        """An independent equal list, over the same frozen terms."""
        return ThawedTerms(self.frozen, dict(self.changed), self.later)
