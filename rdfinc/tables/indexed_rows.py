"""Rows of ids in columns, looked up by any of these: pairs with their graphs or predicates, say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Protocol

import numpy as np
from msgspec import Struct

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, KeyArray

Columns = tuple[IdArray, ...]


class AnyRows(Protocol):
    """Rows that can be looked up; see `IndexedRows`."""

    columns: Columns

    def all(self) -> Columns:
        """The columns of these rows, of which `columns` may have more."""

    def find(self, known: Mapping[int, IdArray]) -> tuple[Indices, Indices]: ...
    def count(self, known: Mapping[int, int]) -> int: ...


class IndexedRows:
    """A multiset of rows: row i has the id `columns[c][i]` in column c.

    Cost: for each set of columns that is asked for, once, O(n log n) and 16 bytes a row, and 8 for
    a third column and each further one. Then a search a column for each look-up, which meets
    nothing but what it finds.
    """

    def __init__(self, *columns: IdArray) -> None:
        self.columns = columns
        self._orders: list[_Order] = []

    def __len__(self) -> int:
        return len(self.columns[0])

    def all(self) -> Columns:
        return self.columns

    def find(self, known: Mapping[int, IdArray]) -> tuple[Indices, Indices]:
        """(index, row) for every row that has, in each column known, the id with that index."""
        if not len(self):
            return kernels.NO_PLACES, kernels.NO_PLACES
        order = self._by(frozenset(known))
        index, places = kernels.expand(*order.ranges(known))
        return index, order.rows[places]

    def count(self, known: Mapping[int, int]) -> int:
        """How many rows have these ids."""
        if not known or not len(self):
            return len(self)
        one = {column: np.array([id], np.uint32) for column, id in known.items()}
        starts, stops = self._by(frozenset(known)).ranges(one)
        return int(stops[0] - starts[0])

    def _by(self, known: frozenset[int]) -> _Order:
        """The rows in an order by these columns first."""
        for order in self._orders:
            if known == set(order.by[: len(known)]):
                return order
        made = _ordered(self.columns, tuple(sorted(known)))
        self._orders.append(made)
        return made


class RowsBut:
    """The rows that have in the last column none of some ids."""

    def __init__(self, rows: IndexedRows, but: Set[int]) -> None:
        self._rows, self._but = rows, np.array(sorted(but), np.uint32)

        self.columns = rows.columns

    def all(self) -> Columns:
        kept = ~np.isin(self.columns[-1], self._but)
        return tuple(column[kept] for column in self.columns)

    def find(self, known: Mapping[int, IdArray]) -> tuple[Indices, Indices]:
        index, at = self._rows.find(known)
        kept = ~np.isin(self.columns[-1][at], self._but)
        return index[kept], at[kept]

    def count(self, known: Mapping[int, int]) -> int:
        """As many or more."""
        return self._rows.count(known)


def labelled(parts: Mapping[int, KeyArray]) -> tuple[IdArray, IdArray, IdArray]:
    """All pairs with the id that they are given by: subjects, objects, these ids."""
    keys = np.concatenate([kernels.NO_KEYS, *parts.values()])
    sizes = np.fromiter(map(len, parts.values()), np.intp, len(parts))
    labels = np.repeat(np.fromiter(parts, np.uint32, len(parts)), sizes)
    return kernels.high(keys), kernels.low(keys), labels


class _Order(Struct, frozen=True):
    """Rows in the order of some columns, those with equal ids in their own order. `keys` are of
    the first two columns; in `further` ones, for each column after these, the place where the
    rows begin that are equal so far goes before the id."""

    by: tuple[int, ...]
    rows: Indices
    keys: KeyArray
    further: tuple[KeyArray, ...]

    def ranges(self, known: Mapping[int, IdArray]) -> tuple[Indices, Indices]:
        """Where the rows of each look-up begin and end."""
        first, *others = (known[column] for column in self.by[: len(known)])
        if not others:
            return kernels.ranges(self.keys, first)
        start, stop = _both_ends(self.keys, kernels.pack(first, others[0]))
        for keys, ids in zip(self.further, others[1:], strict=False):
            none = start == stop
            start, stop = _both_ends(keys, kernels.pack(start, ids))
            stop[none] = start[none]
        return start, stop


def _ordered(columns: Sequence[IdArray], by: tuple[int, ...]) -> _Order:
    high, low = columns[by[0]], columns[by[1]] if len(by) > 1 else 0
    keys = kernels.pack(high, low)
    if len(by) <= 2:
        rows = np.argsort(keys, kind="stable")
    else:
        rows = np.lexsort([columns[column] for column in reversed(by)])
    keys = keys[rows]
    further, equal = [], keys
    for column in by[2:]:
        equal = kernels.pack(_beginnings(equal), columns[column][rows])
        further.append(equal)
    return _Order(by, rows, keys, tuple(further))


def _beginnings(keys: KeyArray) -> Indices:
    """For each place where the keys that equal its own begin."""
    starts = np.arange(keys.size)
    starts[1:][keys[1:] == keys[:-1]] = 0
    return np.maximum.accumulate(starts)


def _both_ends(ordered: KeyArray, keys: KeyArray) -> tuple[Indices, Indices]:
    """For each key where those equal to it begin and end."""
    return np.searchsorted(ordered, keys, "left"), np.searchsorted(ordered, keys, "right")
