"""Columns of terms side by side: the different tuples of entries that the rows of a block have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rdfinc.plugins.sparql.columns.term_columns import Places, TermColumn
from rdfinc.tables.kernels import Indices
from rdfinc.terms.builtins.value_arrays import TypedValues


class Together:
    """Columns entry by entry: the different tuples of entries that rows have, each once as far as
    that is cheap; `places` as of a column of these tuples."""

    def __init__(self, columns: Sequence[TermColumn]) -> None:
        self._columns = columns
        varying = {id(column.places): column for column in columns if column.places is not None}
        self._index: dict[int, Indices] = {}
        self.places: Places = None
        if len(varying) == 1:
            (self.places,) = (column.places for column in varying.values())
        elif varying:
            self.places, first = _distinct(list(varying.values()))
            for key, column in varying.items():
                self._index[key] = column.places[first]  # type: ignore[index]

    def lists(self, *views: str) -> list[list[Any]]:
        """A view of each column, by tuples; one item where it is the same for all."""
        pairs = zip(self._columns, views, strict=True)
        return self.lists_of([getattr(column, view) for column, view in pairs])

    def lists_of(self, entries: Sequence[list[Any]]) -> list[list[Any]]:
        """What belongs to the entries of each column, by tuples."""
        return list(map(self._list, self._columns, entries))

    def _list(self, column: TermColumn, items: list[Any]) -> list[Any]:
        index = self._index.get(id(column.places))
        return items if index is None else [items[place] for place in index.tolist()]

    def columns(self, tuples: Indices) -> list[TermColumn]:
        """Some of the tuples: each column with a row for each of them."""
        return [self._column(column, tuples) for column in self._columns]

    def _column(self, column: TermColumn, tuples: Indices) -> TermColumn:
        if column.places is None:
            return column
        index = self._index.get(id(column.places))
        found = column.only(tuples if index is None else index[tuples])
        found.places = np.arange(len(tuples))
        return found

    def typed(self) -> list[TypedValues]:
        """The typed values of each column, by tuples; one where it is the same for all."""
        return list(map(self._typed, self._columns))

    def _typed(self, column: TermColumn) -> TypedValues:
        index = self._index.get(id(column.places))
        return column.typed if index is None else column.typed.at(index)


def _distinct(columns: Sequence[TermColumn]) -> tuple[Indices, Indices]:
    """The number of each row's tuple, and a row of each tuple."""
    first, *others = columns
    assert first.places is not None
    numbers = rows = first.places.astype(np.int64)
    if 2 * max(map(len, columns)) >= numbers.size:
        rows = np.arange(numbers.size)
        return rows, rows
    for column in others:
        numbers = numbers * len(column) + column.places
        _, rows, numbers = np.unique(numbers, return_index=True, return_inverse=True)
    return numbers, rows
