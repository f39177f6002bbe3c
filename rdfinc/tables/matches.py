"""The matches of a column of ids in a relation, looked up once for all rows with the same id."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices
from rdfinc.tables.table_thresholds import TABLES

Lookup = Callable[[IdArray], "tuple[Indices, IdArray]"]
"""Ids -> (index of the id, id that it meets) for every match."""


Words = NDArray[np.uint64]


class Matches:
    """Row i of the column meets the ids of the list with the number `lists[i]`.

    Each distinct id is looked up once: O(column + largest id) and the lookups of distinct ids.
    """

    __slots__ = ("_counts", "_found", "_lists")

    def __init__(self, column: IdArray, lookup: Lookup) -> None:
        ids, self._lists = kernels.numbered(column)
        at, found = lookup(ids)
        if (at[1:] < at[:-1]).any():
            order = np.argsort(at, kind="stable")
            at, found = at[order], found[order]
        self._counts = np.bincount(at, minlength=ids.size)
        self._found = found

    @property
    def number(self) -> int:
        """The number of matches."""
        return int(self._counts[self._lists].sum())

    def parts(self, most: int) -> Iterator[tuple[Indices, IdArray]]:
        """(row, id that it meets) for every match, in parts of at most so many, or of one row."""
        stop = np.cumsum(self._counts)
        start = stop - self._counts
        for first, last in _pieces(self._counts[self._lists], most):
            lists = self._lists[first:last]
            owner, at = kernels.expand(start[lists], stop[lists])
            yield owner + first, self._found[at]

    def pairs(self, heads: IdArray) -> tuple[IdArray, IdArray] | None:
        """(head of a row, id that it meets) for every match, each pair once; None where to look at
        every match costs less.

        The lists are rows of bits, and those of one head are united word by word.
        """
        ids, places = kernels.numbered(self._found)
        words = (ids.size + 63) // 64
        if not words * (heads.size + self._counts.size) < self.number:
            return None
        rows, lists = self._bits(places, words), self._lists
        if (heads[1:] < heads[:-1]).any():
            order = np.argsort(heads, kind="stable")
            heads, lists = heads[order], lists[order]
        starts = np.flatnonzero(np.diff(heads, prepend=heads[0] + np.uint32(1)))
        owner, number = _united(rows, lists, starts)
        return heads[starts][owner], ids[number]

    def _bits(self, places: Indices, words: int) -> Words:
        """The lists as rows of bits, bit i for the i-th of all ids that are met."""
        stop = np.cumsum(self._counts)
        rows = np.empty((stop.size, words), np.uint64)
        height = max(1, TABLES.bit_matrix_block // words)
        for first in range(0, stop.size, height):
            counts = self._counts[first : first + height]
            flags = np.zeros((counts.size, words * 64), np.bool_)
            end = int(stop[first + counts.size - 1])
            some = places[end - int(counts.sum()) : end]
            flags[np.repeat(np.arange(counts.size), counts), some] = True
            packed = np.packbits(flags, axis=1, bitorder="little")
            rows[first : first + counts.size] = packed.view(np.uint64)
        return rows


def _united(rows: Words, lists: Indices, starts: Indices) -> tuple[Indices, Indices]:
    """(group, bit) for every bit of some list of a group; groups begin at `starts`."""
    parts = []
    stops = np.append(starts[1:], lists.size)
    for first, last in _pieces((stops - starts) * rows.shape[1], TABLES.bit_matrix_block):
        some = lists[starts[first] : stops[last - 1]]
        if last - first == 1:
            united = _union(rows, some)
        else:
            at = starts[first:last] - starts[first]
            united = np.bitwise_or.reduceat(rows.take(some, axis=0), at, axis=0)
        bits = np.unpackbits(united.view(np.uint8), axis=1, bitorder="little")
        owner, number = np.divmod(np.flatnonzero(bits), bits.shape[1])
        parts.append((owner + first, number))
    owners, numbers = zip(*parts, strict=True)
    return np.concatenate(owners), np.concatenate(numbers)


def _union(rows: Words, lists: Indices) -> Words:
    """One row, the union of some, however many."""
    union = np.zeros((1, rows.shape[1]), np.uint64)
    height = max(1, TABLES.bit_matrix_block // rows.shape[1])
    for first in range(0, lists.size, height):
        union |= np.bitwise_or.reduce(rows.take(lists[first : first + height], axis=0), axis=0)
    return union


def _pieces(weights: Indices, most: int) -> Iterator[tuple[int, int]]:
    """Cuts a sequence into ranges that weigh at most so much, or are one long."""
    total = np.cumsum(weights)
    first = 0
    while first < weights.size:
        before = total[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(total, before + most, side="right")))
        yield first, last
        first = last
