"""Rows of solutions for which an expression is evaluated together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions
from rdfinc.plugins.sparql.columns.term_columns import IdColumn, KeyColumn, TermColumn, spread
from rdfinc.plugins.sparql.expressions.labels import RowLabels
from rdfinc.plugins.sparql.expressions.operand_views import FAULTS
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.kernels import Indices


class EnclosingQuery(Protocol):
    """The query of which an expression is a part."""

    @property
    def ctx(self) -> QueryContext: ...
    @property
    def terms(self) -> Terms: ...
    @property
    def budget(self) -> Budget: ...
    @property
    def labels(self) -> RowLabels: ...


class RowBlock:
    """Some rows of solutions for which an expression is evaluated: those with these `numbers`, or
    all if that is None."""

    def __init__(
        self, rows: Solutions, query: EnclosingQuery, numbers: Indices | None = None
    ) -> None:
        self.rows, self.query, self._numbers = rows, query, numbers
        self.size = rows.size if numbers is None else len(numbers)
        self._columns: dict[Any, TermColumn] = {}

    @property
    def numbers(self) -> Indices:
        return np.arange(self.size) if self._numbers is None else self._numbers

    def part(self, places: Indices) -> RowBlock:
        """The rows at some places."""
        if len(places) == self.size:
            return self
        return RowBlock(self.rows, self.query, self.numbers[places])

    def column(self, variable: Any) -> TermColumn:
        if variable not in self._columns:
            self._columns[variable] = self._distinct(self.rows.columns.get(variable))
        return self._columns[variable]

    def give(self, variable: Any, column: TermColumn) -> None:
        """Lets a variable have the values of a column."""
        self._columns[variable] = column

    def _distinct(self, ids: Ids | None) -> TermColumn:
        if ids is None:
            return KeyColumn([None], None)
        some = ids if self._numbers is None else ids[self._numbers]
        return IdColumn(*kernels.numbered(some), self.query.terms)

    @cached_property
    def each_row(self) -> Indices:
        """The places of a column with an entry for each row."""
        return np.arange(self.size)

    def ids(self, column: TermColumn) -> Ids:
        """The id of each row's term, 0 for an error."""
        return self.entries(column)[column.at(self.size)]

    def ids_at(self, column: TermColumn, rows: Indices) -> Ids:
        """The ids of some rows' terms; no other terms are made."""
        used, places = kernels.numbered(column.at(self.size)[rows])
        return self.entries(column.only(used))[places]

    def entries(self, column: TermColumn) -> Ids:
        """The ids of a column's entries."""
        if isinstance(column, IdColumn):
            return column.ids
        return self.query.terms.numbers_of_keys(self.query.budget.compute(column.keys))

    def called(self, function: Callable[..., Any], lists: Sequence[list[Any]]) -> list[Any]:
        """What a function gives for operands side by side; None for an error, of which there may
        be some among the operands."""
        call = self.query.budget.watched(function)
        if any(None in some for some in lists):
            call = partial(_of_known, call)
        found: list[Any] = []
        calls = map(call, *spread(lists))
        while True:
            try:
                found.extend(calls)  # what came before a fault stays, what comes after it is next
                return found
            except FAULTS:
                found.append(None)


Way = Callable[[RowBlock], TermColumn]
"""How the column of an expression comes of rows."""


def blocks(rows: Solutions, query: EnclosingQuery) -> Iterator[RowBlock]:
    """All rows at once, or parts of them where the time is limited; one block at least."""
    if not query.budget.is_timed or not rows.size:
        yield RowBlock(rows, query)
        return
    for start in range(0, rows.size, QUERIES.watched_rows):
        query.budget.check()
        stop = min(start + QUERIES.watched_rows, rows.size)
        yield RowBlock(rows, query, np.arange(start, stop))


def _of_known(function: Callable[..., Any], *operands: Any) -> Any:
    return None if None in operands else function(*operands)
