"""Rows of ids that many share: equal ones are kept once, and more can be added."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table_thresholds import TABLES


class SharedRows:
    """Immutable: for each number from 1 on a row of ids, ascending; 0 has none.

    4 bytes an id and 8 a row; as much again for each id once the rows that hold one are asked for.
    """

    __slots__ = ("_asked", "_holders", "ids", "offsets")

    def __init__(self, sizes: Indices, ids: IdArray) -> None:
        """The sizes of row 1, 2, …, and their ids one after the other."""
        self.ids = ids
        self.offsets = np.zeros(sizes.size + 2, np.intp)
        np.cumsum(sizes, out=self.offsets[2:])
        self._holders: KeyArray | None = None
        self._asked: dict[int, IdArray] = {}

    def __len__(self) -> int:
        return self.offsets.size - 2

    def row(self, number: int) -> IdArray:
        return self.ids[self.offsets.item(number) : self.offsets.item(number + 1)]

    def sizes(self, numbers: NDArray[Any]) -> Indices:
        """How many ids each of the rows has."""
        sizes: Indices = self.offsets[numbers + np.uint32(1)] - self.offsets[numbers]
        return sizes

    def follow(self, numbers: NDArray[Any]) -> tuple[Indices, IdArray]:
        """(index into `numbers`, id) for all ids of each row."""
        index, at = kernels.expand(self.offsets[numbers], self.offsets[numbers + np.uint32(1)])
        return index, self.ids[at]

    def contains(self, numbers: NDArray[Any], ids: IdArray) -> Mask:
        """For each id whether its row has it. As many steps as halve the longest row."""
        found = np.zeros(ids.size, np.bool_)
        for start in range(0, ids.size if self.ids.size else 0, TABLES.row_questions_block):
            some = slice(start, start + TABLES.row_questions_block)
            found[some] = self._contains(numbers[some], ids[some])
        return found

    def _contains(self, numbers: NDArray[Any], ids: IdArray) -> Mask:
        start, stop = self.offsets[numbers], self.offsets[numbers + np.uint32(1)]
        at = start - 1  # moves on to the last one that is not greater
        for bit in reversed(range(int((stop - start).max(initial=0)).bit_length())):
            further = at + (1 << bit)
            within = further < stop
            within &= self.ids[np.minimum(further, self.ids.size - 1)] <= ids
            at = np.where(within, further, at)
        found: Mask = (at >= start) & (self.ids[at] == ids)
        return found

    def holding(self, ids: IdArray) -> tuple[Indices, IdArray]:
        """(index into `ids`, number) for all rows that hold each id."""
        if self._holders is None:
            numbers = np.repeat(np.arange(1, len(self) + 1), np.diff(self.offsets[1:]))
            self._holders = kernels.transposed(kernels.pack(numbers, self.ids))
        return kernels.follow(self._holders, ids)

    def holding_one(self, id: int) -> IdArray:
        """The numbers of the rows that hold it; remembered."""
        found = self._asked.get(id)
        if found is None:
            if len(self._asked) >= TABLES.remembered_holders:
                self._asked.clear()
            found = self._asked[id] = self.holding(np.array([id], np.uint32))[1]
        return found

    def chosen(self, numbers: NDArray[Any]) -> SharedRows:
        """Some of the rows, in this order, as rows 1, 2, …"""
        return SharedRows(self.sizes(numbers), self.follow(numbers)[1])

    def plus(self, rows: list[tuple[int, ...]]) -> SharedRows:
        """With more rows behind these."""
        more = np.array([id for row in rows for id in row], np.uint32)
        sizes = np.array([len(row) for row in rows], np.intp)
        return SharedRows(*joined([self, SharedRows(sizes, more)]))

    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that there are by now."""
        holders = [] if self._holders is None else [self._holders]
        return [self.ids, self.offsets, *holders, *self._asked.values()]


def joined(rows: list[SharedRows]) -> tuple[Indices, IdArray]:
    """The sizes and the ids of the rows of each, one after the other."""
    sizes = np.concatenate([np.diff(some.offsets[1:]) for some in rows])
    return sizes, np.concatenate([some.ids for some in rows])


NO_ROWS = SharedRows(np.empty(0, np.intp), kernels.NO_IDS)


def grouped(sizes: Indices, ids: IdArray) -> tuple[Indices, SharedRows]:
    """For each of many rows, the first of which has the first `sizes[0]` ids, the number of an
    equal row; and the different rows. Numbers are below 2³².

    Rows go down a tree of their beginnings, a step an id: rows with the same beginning so far are
    divided by the next id. O(n) while ids are dense in the steps.
    """
    values = kernels.unique_ids(ids)
    rank = _ranks(values, ids)
    start = np.cumsum(sizes) - sizes
    node = np.zeros(sizes.size, np.intp)
    going, depth, nodes = np.flatnonzero(sizes), 0, 1
    here = np.zeros(going.size, np.intp)
    while going.size:
        here, count = _numbered(here * values.size + rank[start[going] + depth])
        node[going] = here + nodes
        nodes, depth = nodes + count, depth + 1
        further = sizes[going] > depth
        going, here = going[further], here[further]
    last = np.zeros(nodes, np.intp)
    last[node] = np.arange(sizes.size)
    different = np.flatnonzero(np.bincount(node, minlength=nodes)[1:]) + 1
    number = np.zeros(nodes, np.intp)
    number[different] = np.arange(1, different.size + 1)
    chosen = last[different]
    at = kernels.expand(start[chosen], start[chosen] + sizes[chosen])[1]
    return number[node], SharedRows(sizes[chosen], ids[at])


def _ranks(values: IdArray, ids: IdArray) -> Indices:
    """The place of each id among the sorted values, which hold all of them."""
    if not kernels.is_dense(int(values[-1]) if values.size else 0, ids.size):
        return np.searchsorted(values, ids)
    place = np.empty(int(values[-1]) + 1 if values.size else 0, np.intp)
    place[values] = np.arange(values.size)
    return place[ids]


def _numbered(codes: Indices) -> tuple[Indices, int]:
    """For each code its place among the different ones, and how many these are."""
    largest = int(codes.max())
    if not kernels.is_dense(largest, codes.size):
        different, places = np.unique(codes, return_inverse=True)
        return places, different.size
    marks = np.zeros(largest + 1, np.bool_)
    marks[codes] = True
    places = np.cumsum(marks) - 1
    return places[codes], int(places[-1]) + 1


class RowKinds:
    """For each number from 1 on the row of classes that something of this kind has; 0 has none.

    A number's row never changes, so all versions of a table may share these, whichever of them
    has added a row. Two numbers may have equal rows.
    """

    __slots__ = ("_base", "_by_row", "_fresh", "_fresh_holding", "_sets", "_whole")

    def __init__(self, rows: SharedRows = NO_ROWS) -> None:
        self._base = rows
        self._whole = rows
        self._fresh: list[tuple[int, ...]] = []
        self._fresh_holding: dict[int, list[int]] = {}
        self._sets: dict[int, frozenset[int]] = {}
        self._by_row: dict[tuple[int, ...], int] | None = None

    def row(self, number: int) -> list[int]:
        if number > len(self._base):
            return list(self._fresh[number - len(self._base) - 1])
        row: list[int] = self._base.row(number).tolist()
        return row

    def has(self, number: int, class_: int) -> bool:
        classes = self._sets.get(number)
        if classes is None:
            classes = frozenset(self.row(number))
            if len(classes) <= TABLES.short_row:
                if len(self._sets) >= TABLES.remembered_rows:
                    self._sets.clear()
                self._sets[number] = classes
        return class_ in classes

    def rows(self) -> SharedRows:
        """All rows."""
        known = len(self._whole) - len(self._base)
        if known < len(self._fresh):
            self._whole = self._base.plus(self._fresh[:])  # another version may add one meanwhile
        return self._whole

    def holding(self, class_: int) -> IdArray:
        """The numbers of those with a class, ascending."""
        known, fresh = self._base.holding_one(class_), self._fresh_holding.get(class_)
        return np.append(known, np.array(fresh, np.uint32)) if fresh else known

    def number(self, row: tuple[int, ...]) -> int:
        """A number of a row of ascending classes, a new one if need be."""
        if not row:
            return 0
        if self._by_row is None:
            some = range(1, min(len(self._base), TABLES.remembered_rows) + 1)
            self._by_row = {tuple(self.row(number)): number for number in some}
        number = self._by_row.get(row)
        if number is None:
            self._fresh.append(row)
            number = self._by_row[row] = len(self._base) + len(self._fresh)
            for class_ in row:
                self._fresh_holding.setdefault(class_, []).append(number)
        return number

    def fresh(self) -> int:
        """How many rows were added."""
        return len(self._fresh)

    def sizes(self, numbers: IdArray) -> Indices:
        return self.rows().sizes(numbers)

    def arrays(self) -> list[NDArray[Any]]:
        base = [] if self._whole is self._base else self._base.arrays()
        return [*base, *self._whole.arrays()]

    def overlay_bytes(self) -> int:
        """Estimated memory of what is remembered beside."""
        classes = sum(map(len, self._fresh)) + sum(map(len, self._sets.values()))
        return 100 * (len(self._fresh) + len(self._sets)) + 64 * classes
