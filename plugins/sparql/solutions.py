"""Solution mappings as columns of ids, and their join."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.intp]
Keys = npt.NDArray[np.uint64]
Variable = Hashable

BLOCK = 1 << 18
"""About as many rows are joined in one step, so that memory stays bounded and LIMIT is quick."""


@dataclass(frozen=True, slots=True)
class Solutions:
    """A multiset of solution mappings: row i maps every variable v to `columns[v][i]`.

    All columns have `size` entries; without columns it is `size` times the empty mapping.
    """

    size: int = 1
    columns: Mapping[Variable, Ids] = field(default_factory=dict)

    def take(self, rows: Rows) -> Solutions:
        return Solutions(len(rows), {v: column[rows] for v, column in self.columns.items()})

    def where(self, kept: npt.NDArray[np.bool_]) -> Solutions:
        return self.take(np.flatnonzero(kept))


def join(left: Solutions, right: Solutions) -> Iterator[Solutions]:
    """All unions of a left and a right mapping that agree on the variables (≤ 3) they share.

    Rows follow the left ones, ties the right ones, in non-empty blocks of BLOCK rows or what one
    left row has. O(n log n) in the longer side, plus the result.
    """
    shared = [v for v in left.columns if v in right.columns]
    for at_left, at_right in _pairs(_keys(left, shared[:2]), _keys(right, shared[:2])):
        columns = {**right.take(at_right).columns, **left.take(at_left).columns}
        both = Solutions(len(at_left), columns)
        if len(shared) == 3:
            both = both.where(both.columns[shared[2]] == right.columns[shared[2]][at_right])
        if both.size:
            yield both


def _keys(solutions: Solutions, variables: list[Variable]) -> Keys:
    """One number a row, equal for rows that agree on the (at most two) variables."""
    keys = np.zeros(solutions.size, np.uint64)
    for v in variables:
        keys = keys << np.uint64(32) | solutions.columns[v]
    return keys


def _pairs(left: Keys, right: Keys) -> Iterator[tuple[Rows, Rows]]:
    """(i, j) for every left[i] == right[j], in order of i, then j."""
    order = None if _is_sorted(right) else np.argsort(right, kind="stable")
    keys = right if order is None else right[order]
    first = np.searchsorted(keys, left, "left")
    matches = np.searchsorted(keys, left, "right") - first
    for start, stop in _blocks(matches):
        at_left, at_keys = _expanded(first[start:stop], matches[start:stop])
        yield at_left + start, at_keys if order is None else order[at_keys]


def _is_sorted(keys: Keys) -> bool:
    return bool((keys[:-1] <= keys[1:]).all())


def _blocks(matches: Rows) -> Iterator[tuple[int, int]]:
    """Ranges of left rows with about BLOCK matches each."""
    total = np.cumsum(matches)
    start = 0
    while start < len(total):
        done = total[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(total, done + BLOCK, "right")))
        yield start, stop
        start = stop


def _expanded(first: Rows, matches: Rows) -> tuple[Rows, Rows]:
    """Row i and first[i], first[i] + 1, … for as many as it has matches."""
    rows = np.repeat(np.arange(len(matches)), matches)
    offsets = first - (np.cumsum(matches) - matches)
    return rows, offsets[rows] + np.arange(len(rows))
