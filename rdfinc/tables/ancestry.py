"""Which of numbered groups of classes are above which others, in three forms."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, Mask

Match: TypeAlias = "tuple[Indices, IdArray]"

NEVER = 0x7FFFFFFF
"""A place behind all others."""


class Rows:
    """For each number from 1 to `size` a row of ids, ascending; 0 has none."""

    __slots__ = ("ids", "offsets")

    def __init__(self, numbers: NDArray[Any], ids: IdArray, size: int) -> None:
        keys = kernels.sort(kernels.pack(numbers, ids))
        self.ids = kernels.low(keys)
        self.offsets = np.zeros(size + 2, np.intp)
        np.cumsum(np.bincount(numbers, minlength=size + 1), out=self.offsets[1:])

    def row(self, number: int) -> IdArray:
        return self.ids[self.offsets.item(number) : self.offsets.item(number + 1)]

    def follow(self, numbers: NDArray[Any]) -> Match:
        """(index into `numbers`, id) for all ids of each row."""
        index, at = kernels.expand(self.offsets[numbers], self.offsets[numbers + np.uint32(1)])
        return index, self.ids[at]

    def contains(self, numbers: NDArray[Any], ids: IdArray) -> Mask:
        """For each id whether its row has it. As many steps as halve the longest row."""
        if not self.ids.size:
            return np.zeros(ids.size, np.bool_)
        start, stop = self.offsets[numbers], self.offsets[numbers + np.uint32(1)]
        end = stop
        for _ in range(int((stop - start).max(initial=0)).bit_length()):
            middle = (start + stop) >> 1
            less = (start < stop) & (self.ids[np.minimum(middle, self.ids.size - 1)] < ids)
            start, stop = np.where(less, middle + 1, start), np.where(less, stop, middle)
        found: Mask = (start < end) & (self.ids[np.minimum(start, self.ids.size - 1)] == ids)
        return found


class Order(Protocol):
    """Tells of pairs of numbers whether one is below the other, or the same; 0 is nowhere."""

    def below(self, lower: IdArray, upper: IdArray) -> Mask:
        """For each row whether lower ≤ upper."""

    def arrays(self) -> list[NDArray[Any]]: ...


class Matrix:
    """A cell for each pair, a byte each; one look."""

    __slots__ = ("_cells", "_width")

    def __init__(self, rows: list[Indices]) -> None:
        self._width = np.intp(len(rows) + 1)
        self._cells = np.zeros(self._width * self._width, np.bool_)
        for number, row in enumerate(rows, 1):
            self._cells[number * self._width + row + 1] = True

    def below(self, lower: IdArray, upper: IdArray) -> Mask:
        found: Mask = self._cells[lower * self._width + upper]
        return found

    def arrays(self) -> list[NDArray[Any]]:
        return [self._cells]


class Tree:
    """A spanning tree, in which each group hangs below one of its parents: the place of each in
    preorder and the last place below it.

    The tree tells of almost all pairs; the rows, of representatives and others, are searched for
    those groups that have *ways* up which are not in the tree. 9 bytes a group.
    """

    __slots__ = ("_first", "_last", "_representatives", "_rows", "_ways")

    def __init__(
        self,
        rows: list[Indices],
        parents: list[Indices],
        order: list[int],
        above: Rows,
        representatives: IdArray,
    ) -> None:
        """The order has parents first."""
        size = len(rows)
        over = [upper.item(0) if upper.size else size for upper in parents]
        width, depth, first, following = ([start] * (size + 1) for start in (1, 0, 0, 0))
        for node in reversed(order):
            width[over[node]] += width[node]
        for node in order:
            parent = over[node]
            depth[node] = depth[parent] + 1
            first[node] = following[parent]
            following[parent] += width[node]
            following[node] = first[node] + 1
        self._first = np.array([NEVER, *first[:-1]], np.int32)
        self._last = self._first + np.array([0, *width[:-1]], np.int32) - np.int32(1)
        self._ways: Mask = np.array([0, *(row.size for row in rows)]) != [0, *depth[:-1]]
        self._rows, self._representatives = above, representatives

    def below(self, lower: IdArray, upper: IdArray) -> Mask:
        place = self._first[lower]
        found: Mask = (self._first[upper] <= place) & (place <= self._last[upper])
        open_ = np.flatnonzero(self._ways[lower] & ~found)
        if open_.size:
            sought = self._representatives[upper[open_]]
            found[open_] = self._rows.contains(lower[open_], sought)
        return found

    def arrays(self) -> list[NDArray[Any]]:
        return [self._first, self._last, self._ways]
