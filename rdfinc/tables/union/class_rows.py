"""Numbered rows of classes, the kinds of individuals, to which more are added."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables.kernels import IdArray, Indices
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.union.shared_rows import NO_ROWS, SharedRows


class Kinds:
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
