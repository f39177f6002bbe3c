"""Few solution mappings, as rows of Python's ids: some rows cost as much as a call of NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rdfinc.plugins.sparql.columns.solutions import Solutions, Variable
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables.kernels import Indices, Mask

Row = tuple[int, ...]


class FewSolutions:
    """A multiset of solution mappings: each of `rows` maps the variable v to its item at
    `columns[v]`. Id 0, and a variable that is not there, leave v unbound."""

    __slots__ = ("columns", "rows", "size")

    def __init__(self, rows: Sequence[Row], columns: Mapping[Variable, int]) -> None:
        self.rows, self.columns, self.size = rows, columns, len(rows)

    def take(self, rows: Indices) -> FewSolutions:
        return FewSolutions([self.rows[at] for at in rows.tolist()], self.columns)

    def where(self, kept: Mask) -> FewSolutions:
        return self if kept.all() else self.take(np.flatnonzero(kept))

    def slice(self, start: int, stop: int) -> FewSolutions:
        if start == 0 and stop >= self.size:
            return self
        return FewSolutions(self.rows[start:stop], self.columns)

    def wider(self, rows: Sequence[Row], *variables: Variable) -> FewSolutions:
        """Rows that begin as these do and go on with the values of further variables."""
        columns = dict(self.columns)
        for variable in variables:
            columns[variable] = len(columns)
        return FewSolutions(rows, columns)

    def only(self, variables: Iterable[Variable]) -> Solutions:
        """The values of some of the variables, by columns."""
        columns = self.columns
        return Solutions(
            self.size,
            {v: np.array([row[columns[v]] for row in self.rows], np.uint32) for v in variables},
        )

    def by_columns(self) -> Solutions:
        if not self.rows:
            return Solutions(0, {v: np.empty(0, np.uint32) for v in self.columns})
        ids = zip(*self.rows, strict=True)
        columns = {v: np.array(own, np.uint32) for v, own in zip(self.columns, ids, strict=True)}
        return Solutions(self.size, columns)


Rows = Solutions | FewSolutions


def as_fits(rows: Rows) -> Rows:
    """The same rows one by one where they are few, and by columns where they are many."""
    if isinstance(rows, FewSolutions):
        return rows if rows.size <= QUERIES.few_rows else rows.by_columns()
    if rows.size > QUERIES.few_rows:
        return rows
    columns = rows.columns
    if not columns:
        return FewSolutions([()] * rows.size, {})
    ids = zip(*(column.tolist() for column in columns.values()), strict=True)
    return FewSolutions([*ids], {v: at for at, v in enumerate(columns)})


def by_columns(rows: Rows) -> Solutions:
    return rows.by_columns() if isinstance(rows, FewSolutions) else rows
