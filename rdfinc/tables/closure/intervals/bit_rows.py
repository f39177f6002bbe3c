"""Rows as bit sets."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.arena import Arena
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.reach_rows import NO_INDICES, ReachRows, Spans, renewed, slices
from rdfinc.tables.kernels import IdArray, Indices, Mask
from rdfinc.tables.table_thresholds import TABLES

NONE = np.uint32(0xFFFFFFFF)


Bytes: TypeAlias = "NDArray[np.uint8]"

ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
"""How many bits each byte has."""


class BitColumns(Struct, frozen=True):
    """The rows transposed, as they were at `place`: a row of bytes for each number reached."""

    bits: Bytes
    place: IdArray


NO_COLUMNS = BitColumns(np.empty((0, 0), np.uint8), kernels.NO_IDS)


class BitRows(ReachRows):
    """A row is one bit a number, at `data[place]` of the arena: bit `number & 7` of byte
    `number >> 3`; NONE is the place of numbers without a row.

    n * n / 8 bytes, whatever is reached; a lookup is O(1), a union n / 64 words a row. As much
    again once so many holders were asked for that it pays to keep the columns as well.
    """

    __slots__ = ("_arena", "_columns", "_known", "_looked_at", "_place")

    def __init__(self, arena: Arena, place: IdArray, columns: BitColumns = NO_COLUMNS) -> None:
        self._arena = arena
        self._place = place
        self._columns = columns
        self._known: tuple[BitColumns, Indices] | None = None
        self._looked_at = 0

    @classmethod
    def of(cls, size: int) -> BitRows:
        """Every number with itself alone."""
        words = np.zeros(
            (size, (size + size // 32 + TABLES.spare_bit_rows + 63) // 64),
            np.uint64,
        )
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

    def _bytes(self) -> Bytes:
        return self._arena.data.view(np.uint8)

    def _pieces(self, count: int) -> list[slice]:
        rows = max(1, TABLES.bit_words_block // self._arena.data.shape[1])
        return [slice(at, min(at + rows, count)) for at in range(0, count, rows)]

    def row(self, number: int, nodes: ComponentPartition) -> IdArray:
        return nodes.members_of(_ones(self._bytes()[self._place.item(number)]))

    def rows(self, numbers: Indices, nodes: ComponentPartition) -> tuple[Indices, IdArray]:
        return nodes.each(*_all_ones(self._bytes(), self._place[numbers]))

    def spans(self, numbers: Indices) -> Spans:
        index, first = _all_ones(self._bytes(), self._place[numbers])
        return index, first, first + 1

    def above(self, reached: int, nodes: ComponentPartition) -> IdArray:
        column = self._column(reached)
        if column is None:
            return nodes.members_of(self.holders(np.array([reached]))[1])
        return nodes.members_of(_ones(column))

    def count_above(self, reached: int, nodes: ComponentPartition) -> int:
        column = self._column(reached) if nodes.is_flat() else None
        return self.above(reached, nodes).size if column is None else int(ONES[column].sum())

    def _column(self, reached: int) -> Bytes | None:
        """The numbers whose rows hold one, if the columns tell."""
        columns, stale = self._transposed(1)
        return None if stale.size or reached >= len(columns.bits) else columns.bits[reached]

    def holders(self, reached: Indices) -> tuple[Indices, Indices]:
        columns, stale = self._transposed(reached.size)
        if stale.size == self._place.size:
            return self._scanned(stale, reached)
        inside = np.flatnonzero(reached < len(columns.bits))
        at, found = _all_ones(columns.bits, reached[inside])
        at = inside[at]
        if not stale.size:
            return at, found
        return renewed((at, found), stale, self._scanned(stale, reached))

    def _scanned(self, numbers: Indices, reached: Indices) -> tuple[Indices, Indices]:
        """(index into `reached`, number) for those of the numbers whose rows hold it."""
        numbers = numbers[self._place[numbers] != NONE]
        place = self._place[numbers]
        data = self._bytes()
        parts = [(NO_INDICES, NO_INDICES)]
        for piece in slices(np.full(reached.size, numbers.size), 8 * TABLES.bit_words_block):
            some = reached[piece]
            bytes_ = data[place, (some >> 3)[:, None]]
            index, at = np.nonzero(bytes_ & (1 << (some & 7)).astype(np.uint8)[:, None])
            parts.append((index + piece.start, numbers[at]))
        index, found = (np.concatenate(column) for column in zip(*parts, strict=True))
        return index, found

    def _transposed(self, asked: int) -> tuple[BitColumns, Indices]:
        """The transposed rows for so many lookups, and the numbers with other rows since.

        Rows are transposed once the lookups without it have cost as much.
        """
        known = self._known
        if known is None:
            size = min(self._columns.place.size, self._place.size)
            changed = np.flatnonzero(self._place[:size] != self._columns.place[:size])
            stale = np.concatenate((changed, np.arange(size, self._place.size)))
            known = self._known = self._columns, stale
        stale = known[1]
        self._looked_at += stale.size * asked
        if stale.size and TABLES.bits_a_transposed_byte * self._looked_at > self._place.size**2:
            rows = np.zeros((self._place.size, self._bytes().shape[1]), np.uint8)
            here = np.flatnonzero(self._place != NONE)
            rows[here] = self._bytes()[self._place[here]]
            self._columns = BitColumns(_transposed(rows), self._place.copy())
            known = self._known = self._columns, NO_INDICES
        return known

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
        twin = BitRows(self._wide_enough(size), place, self._columns)
        twin.unite(np.arange(self._place.size, size), NO_INDICES, NO_INDICES)
        return twin

    def _wide_enough(self, size: int) -> Arena:
        data = self._arena.data
        if size <= 64 * data.shape[1]:
            return self._arena
        wider = np.zeros(
            (
                self._arena.used,
                (size + size // 8 + TABLES.spare_bit_rows + 63) // 64,
            ),
            np.uint64,
        )
        wider[:, : data.shape[1]] = data[: self._arena.used]
        return Arena(wider)

    def unite(self, numbers: Indices, index: Indices, successors: Indices) -> Mask:
        bounds = np.searchsorted(index, np.arange(numbers.size + 1))
        width = self._arena.data.shape[1]
        changed = np.zeros(numbers.size, np.bool_)
        for piece in slices((np.diff(bounds) + 1) * width, TABLES.bit_words_block):
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
        self._known = None
        changed: Mask = place == NONE
        known = np.flatnonzero(~changed)
        changed[known] = (rows[known] != self._arena.data[place[known]]).any(axis=1)
        at = self._arena.append(rows[changed])
        fresh = numbers[changed]
        self._place[fresh] = np.arange(at, at + fresh.size)
        return changed

    def drop(self, numbers: Indices) -> None:
        self._place[numbers] = NONE
        self._known = None

    def is_loose(self) -> bool:
        return (
            self._arena.used
            > 2 * int(np.count_nonzero(self._place != NONE)) + TABLES.spare_bit_rows
        )

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
        parts = [(NO_INDICES, NO_INDICES)]
        for piece in self._pieces(numbers.size):
            rows = self._arena.data[self._place[numbers[piece]]]
            there = np.flatnonzero(others[piece] >= 0)
            gone = other._arena.data[other._place[others[piece][there]], :width] & counted
            rows[there, :width] &= ~gone
            index, first = _all_ones(rows.view(np.uint8), np.arange(len(rows)))
            parts.append((index + piece.start, first))
        index, first = (np.concatenate(column) for column in zip(*parts, strict=True))
        return index, first, first + 1

    def is_reached(self, reached: int) -> bool:
        return self.holders(np.array([reached]))[1].size > 1

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
        columns: list[NDArray[Any]] = [self._columns.bits, self._columns.place]
        return [self._arena.data, self._place, *columns]


def _set(rows: NDArray[np.uint64], index: Indices, numbers: Indices) -> None:
    """Adds one number to each of the rows."""
    rows.view(np.uint8)[index, numbers >> 3] |= (1 << (numbers & 7)).astype(np.uint8)


def _ones(row: Bytes) -> Indices:
    """The places of all bits in a row."""
    return np.flatnonzero(np.unpackbits(row, bitorder="little").view(np.bool_))


def _all_ones(rows: Bytes, chosen: Indices | IdArray) -> tuple[Indices, Indices]:
    """(index into `chosen`, place) of all bits of the chosen rows, row by row."""
    size = max(1, TABLES.bit_bytes_read // rows.shape[1])
    parts = [(NO_INDICES, NO_INDICES)]
    for start in range(0, chosen.size, size):
        bits = np.unpackbits(rows[chosen[start : start + size]], axis=1, bitorder="little")
        at = np.flatnonzero(bits.view(np.bool_))
        count, width = bits.shape
        begin = np.arange(count + 1) * width
        counts = np.diff(np.searchsorted(at, begin))
        index = np.repeat(np.arange(count), counts)
        at -= np.repeat(begin[:-1], counts)
        parts.append((index + start, at))
    if len(parts) == 2:
        return parts[1]
    index, place = (np.concatenate(column) for column in zip(*parts, strict=True))
    return index, place


def _transposed(rows: Bytes) -> Bytes:
    """A row for each bit of the rows. By few columns at a time, which stay in the cache."""
    count, width = rows.shape
    found = np.empty((8 * width, (count + 7) // 8), np.uint8)
    for at in range(0, width, 8):
        bits = np.unpackbits(rows[:, at : at + 8], axis=1, bitorder="little")
        turned = np.ascontiguousarray(bits.T)
        found[8 * at : 8 * at + len(turned)] = np.packbits(turned, axis=1, bitorder="little")
    return found
