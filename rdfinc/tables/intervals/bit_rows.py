"""Rows as bit sets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables.intervals.arena import Arena
from rdfinc.tables.intervals.reach_rows import NO_INDICES, ReachRows, Spans, slices
from rdfinc.tables.kernels import IdArray, Indices, Mask

CHUNK = 1 << 21
"""Words that are put together at a time."""

SPARE = 1 << 6
"""Rows that nobody reads any more which are always tolerated; also numbers to come."""

NONE = np.uint32(0xFFFFFFFF)


ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
"""How many bits each byte has."""


class BitRows(ReachRows):
    """A row is one bit a number, at `data[place]` of the arena: bit `number & 7` of byte
    `number >> 3`; NONE is the place of numbers without a row.

    n * n / 8 bytes, whatever is reached; a lookup is O(1), a union n / 64 words a row.
    """

    __slots__ = ("_arena", "_place")

    def __init__(self, arena: Arena, place: IdArray) -> None:
        self._arena = arena
        self._place = place

    @classmethod
    def of(cls, size: int) -> BitRows:
        """Every number with itself alone."""
        words = np.zeros((size, (size + size // 32 + SPARE + 63) // 64), np.uint64)
        numbers = np.arange(size)
        _set(words, numbers, numbers)
        return cls(Arena(words), numbers.astype(np.uint32))

    def has(self, number: int, reached: int) -> bool:
        row = self._arena.data[self._place[number]].view(np.uint8)
        return bool(row[reached >> 3] >> (reached & 7) & 1)

    def contains(self, numbers: Indices, reached: Indices) -> Mask:
        found = self._bytes()[self._place[numbers], reached >> 3]
        bits: Mask = (found >> (reached & 7).astype(np.uint8) & 1).astype(np.bool_)
        return bits

    def _bytes(self) -> NDArray[np.uint8]:
        return self._arena.data.view(np.uint8)

    def _pieces(self, count: int) -> list[slice]:
        rows = max(1, CHUNK // self._arena.data.shape[1])
        return [slice(at, min(at + rows, count)) for at in range(0, count, rows)]

    def spans(self, numbers: Indices) -> Spans:
        parts = [
            (piece.start, _ones(self._arena.data[self._place[numbers[piece]]]))
            for piece in self._pieces(numbers.size)
        ]
        return _spans(parts)

    def holders(self, reached: Indices) -> tuple[Indices, Indices]:
        numbers = np.flatnonzero(self._place != NONE)
        place = self._place[numbers]
        data = self._bytes()
        parts = [(NO_INDICES, NO_INDICES)]
        for piece in slices(np.full(reached.size, numbers.size), 8 * CHUNK):
            some = reached[piece]
            bytes_ = data[place, (some >> 3)[:, None]]
            index, at = np.nonzero(bytes_ & (1 << (some & 7)).astype(np.uint8)[:, None])
            parts.append((index + piece.start, numbers[at]))
        index, found = (np.concatenate(column) for column in zip(*parts, strict=True))
        return index, found

    def totals(self, numbers: Indices, bounds: IdArray) -> Indices:
        sizes = np.diff(bounds)
        several = np.flatnonzero(sizes > 1)
        found = np.zeros(numbers.size, np.intp)
        for piece in self._pieces(numbers.size):
            place = self._place[numbers[piece]]
            found[piece] = ONES[self._bytes()[place]].sum(axis=1, dtype=np.intp)
            if several.size:
                bits = self._bytes()[place[:, None], several >> 3] >> (several & 7).astype(np.uint8)
                found[piece] += (bits & 1) @ (sizes[several].astype(np.intp) - 1)
        return found

    def extended(self, size: int) -> BitRows:
        place = np.full(size, NONE)
        place[: self._place.size] = self._place
        twin = BitRows(self._wide_enough(size), place)
        twin.unite(np.arange(self._place.size, size), NO_INDICES, NO_INDICES)
        return twin

    def _wide_enough(self, size: int) -> Arena:
        data = self._arena.data
        if size <= 64 * data.shape[1]:
            return self._arena
        wider = np.zeros((self._arena.used, (size + size // 8 + SPARE + 63) // 64), np.uint64)
        wider[:, : data.shape[1]] = data[: self._arena.used]
        return Arena(wider)

    def unite(self, numbers: Indices, index: Indices, successors: Indices) -> Mask:
        bounds = np.searchsorted(index, np.arange(numbers.size + 1))
        width = self._arena.data.shape[1]
        changed = np.zeros(numbers.size, np.bool_)
        for piece in slices((np.diff(bounds) + 1) * width, CHUNK):
            starts = bounds[piece.start : piece.stop + 1]
            some = successors[starts[0] : starts[-1]]
            rows = self._united(some, starts - starts[0])
            _set(rows, np.arange(len(rows)), numbers[piece])
            changed[piece] = self._replace(numbers[piece], rows)
        return changed

    def _united(self, successors: Indices, bounds: Indices) -> NDArray[np.uint64]:
        """Row i is the union of those of `successors[bounds[i]:bounds[i + 1]]`."""
        data = self._arena.data
        rows = np.zeros((bounds.size - 1, data.shape[1]), np.uint64)
        some = np.flatnonzero(np.diff(bounds))
        if some.size:
            found = data[self._place[successors]]
            rows[some] = np.bitwise_or.reduceat(found, bounds[some], axis=0)
        return rows

    def _replace(self, numbers: Indices, rows: NDArray[np.uint64]) -> Mask:
        """For each number whether the new row is another one, which is then taken."""
        place = self._place[numbers]
        changed: Mask = place == NONE
        known = np.flatnonzero(~changed)
        changed[known] = (rows[known] != self._arena.data[place[known]]).any(axis=1)
        at = self._arena.append(rows[changed])
        fresh = numbers[changed]
        self._place[fresh] = np.arange(at, at + fresh.size)
        return changed

    def drop(self, numbers: Indices) -> None:
        self._place[numbers] = NONE

    def is_loose(self) -> bool:
        return self._arena.used > 2 * int(np.count_nonzero(self._place != NONE)) + SPARE

    def compacted(self) -> BitRows:
        numbers = np.flatnonzero(self._place != NONE)
        place = np.full(self._place.size, NONE)
        place[numbers] = np.arange(numbers.size)
        return BitRows(Arena(self._arena.data[self._place[numbers]]), place)

    def differing(self, other: ReachRows, numbers: Indices) -> Mask | None:
        if not isinstance(other, BitRows):
            return None
        mine, theirs = self._place[numbers], other._place[numbers]
        if self._arena is other._arena:
            elsewhere: Mask = mine != theirs
            return elsewhere
        width = min(self._arena.data.shape[1], other._arena.data.shape[1])
        differ = np.zeros(numbers.size, np.bool_)
        for piece in self._pieces(numbers.size):
            first, second = self._arena.data[mine[piece]], other._arena.data[theirs[piece]]
            differ[piece] = (first[:, :width] != second[:, :width]).any(axis=1)
            differ[piece] |= first[:, width:].any(axis=1) | second[:, width:].any(axis=1)
        return differ

    def beyond(self, numbers: Indices, other: ReachRows, others: Indices, known: int) -> Spans:
        assert isinstance(other, BitRows)
        width = min(self._arena.data.shape[1], other._arena.data.shape[1])
        counted = np.packbits(np.arange(64 * width) < known, bitorder="little").view(np.uint64)
        parts = []
        for piece in self._pieces(numbers.size):
            rows = self._arena.data[self._place[numbers[piece]]]
            there = np.flatnonzero(others[piece] >= 0)
            gone = other._arena.data[other._place[others[piece][there]], :width] & counted
            rows[there, :width] &= ~gone
            parts.append((piece.start, _ones(rows)))
        return _spans(parts)

    def reached(self, numbers: Indices) -> Mask:
        held = np.zeros(self._arena.data.shape[1], np.uint64)
        for piece in self._pieces(numbers.size):
            some = numbers[piece]
            rows = self._arena.data[self._place[some]]
            own = np.arange(some.size), some >> 3
            rows.view(np.uint8)[own] &= ~(1 << (some & 7)).astype(np.uint8)
            held |= np.bitwise_or.reduce(rows, axis=0)
        bits = np.unpackbits(held.view(np.uint8), bitorder="little")
        found: Mask = bits[numbers] != 0
        return found

    def arrays(self) -> list[NDArray[Any]]:
        return [self._arena.data, self._place]


def _set(rows: NDArray[np.uint64], index: Indices, numbers: Indices) -> None:
    """Adds one number to each of the rows."""
    rows.view(np.uint8)[index, numbers >> 3] |= (1 << (numbers & 7)).astype(np.uint8)


def _ones(rows: NDArray[np.uint64]) -> tuple[Indices, Indices]:
    """(row, number) of all bits, row by row."""
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
    at = np.flatnonzero(bits)
    return np.divmod(at, bits.shape[1])


def _spans(parts: list[tuple[int, tuple[Indices, Indices]]]) -> Spans:
    """One range a bit, of pieces that begin at the given rows."""
    index = np.concatenate([NO_INDICES, *(at + row for at, (row, _) in parts)])
    first = np.concatenate([NO_INDICES, *(bits for _, (_, bits) in parts)])
    return index, first, first + 1
