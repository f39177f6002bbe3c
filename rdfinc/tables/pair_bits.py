"""Pairs of ids that lie close together, as the bits of a rectangle.

Of a deep hierarchy or a dense graph a good part of all subjects and objects are pairs. A bit for
each pair that may be there takes less memory than the pairs that are. One look tells whether a pair
is there, in a tenth of the time of a search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables.kernels import LOW, SHIFT, Indices, KeyArray, Mask, blocks, extent, low
from rdfinc.tables.table_thresholds import TABLES

NOTHING_FOUND: Mask = np.empty(0, np.bool_)


class PairBits:
    """A set of pairs (s, o) with s in `first` … `first` + `height` - 1 and o in `left` … `left` +
    `width` - 1: bit (s - first) · width + (o - left) of `_bits` says whether the pair is there.

    Made in O(pairs + width · height / 8); a look is O(1).
    """

    __slots__ = ("_bits", "_first", "_height", "_left", "_width")

    def __init__(self, keys: KeyArray, first: int, height: int, left: int, width: int) -> None:
        self._first, self._height = np.uint64(first), np.uint64(height)
        self._left, self._width = np.uint64(left), np.uint64(width)
        self._bits = self._bits_of(keys, height * width)

    @classmethod
    def of(cls, keys: KeyArray) -> PairBits | None:
        """The pairs of sorted keys; None where the bits would be many more than the pairs."""
        if not keys.size:
            return None
        most = keys.size * TABLES.bits_a_pair
        first, last = int(keys[0] >> SHIFT), int(keys[-1] >> SHIFT)
        height = last - first + 1
        step = max(1, keys.size // TABLES.sampled_pairs)
        for some in (keys[::step], keys):  # a sample tells most tables that are not dense
            left, right = _extent(some)
            if height * (right - left + 1) > most:
                return None
        return cls(keys, first, height, left, right - left + 1)

    def _bits_of(self, keys: KeyArray, size: int) -> NDArray[np.uint8]:
        bits = np.zeros(size // 8 + 1, np.uint8)
        for block in blocks(keys.size):
            some = keys[block]
            at = self._places(some >> SHIFT, some & LOW)
            octets, ones = at >> 3, np.uint8(1) << (at & 7).astype(np.uint8)
            begins = np.flatnonzero(np.append(True, octets[1:] != octets[:-1]))
            bits[octets[begins]] |= np.bitwise_or.reduceat(ones, begins)
        return bits

    def _places(self, subjects: KeyArray, objects: KeyArray) -> Indices:
        """The bits of pairs in the rectangle. The columns are written to."""
        subjects -= self._first
        objects -= self._left
        subjects *= self._width
        subjects += objects
        return subjects.view(np.int64)

    def array(self) -> NDArray[np.uint8]:
        """What it is kept in."""
        return self._bits

    def contains(self, keys: KeyArray) -> Mask:
        """For each pair, in whatever order, whether it is there."""
        return np.concatenate(
            [NOTHING_FOUND, *(self._contained(keys[block]) for block in blocks(keys.size))]
        )

    def _contained(self, keys: KeyArray) -> Mask:
        subjects, objects = keys >> SHIFT, keys & LOW
        inside = (subjects - self._first < self._height) & (objects - self._left < self._width)
        at = self._places(subjects, objects)
        if not inside.all():
            at[~inside] = 0
        there: Mask = (self._bits[at >> 3] >> (at & 7).astype(np.uint8) & 1).view(np.bool_)
        return there & inside


def _extent(keys: KeyArray) -> tuple[int, int]:
    """The least and the largest object of some pairs."""
    least, largest = zip(*(extent(low(keys[block])) for block in blocks(keys.size)), strict=True)
    return min(least), max(largest)
