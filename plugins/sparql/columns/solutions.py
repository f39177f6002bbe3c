"""Solution mappings as columns of ids, and their joins."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.kernels import Indices, KeyArray, Mask

Ids = npt.NDArray[np.uint32]
Variable = Hashable
Columns = Mapping[Variable, Ids]
Numbers = npt.NDArray[np.int64]


class Solutions(Struct, frozen=True):
    """A multiset of solution mappings: row i maps the variable v to `columns[v][i]`.

    All columns have `size` entries. Id 0, and a column that is not there, leave v unbound; without
    columns it is `size` times the empty mapping.
    """

    size: int = 1
    columns: Columns = field(default_factory=dict)

    def take(self, rows: Indices) -> Solutions:
        if len(rows) == self.size and (rows[1:] > rows[:-1]).all():
            return self
        return Solutions(len(rows), {v: column[rows] for v, column in self.columns.items()})

    def where(self, kept: Mask) -> Solutions:
        return self if kept.all() else self.take(np.flatnonzero(kept))

    def slice(self, start: int, stop: int) -> Solutions:
        if start == 0 and stop >= self.size:
            return self
        columns = {v: column[start:stop] for v, column in self.columns.items()}
        return Solutions(max(0, min(stop, self.size) - start), columns)

    def with_columns(self, columns: Columns) -> Solutions:
        return Solutions(self.size, {**self.columns, **columns})

    def only(self, variables: Iterable[Variable]) -> Solutions:
        return Solutions(self.size, {v: self.columns[v] for v in variables if v in self.columns})

    def without(self, *variables: Variable) -> Solutions:
        return self.only([v for v in self.columns if v not in variables])

    def column(self, variable: Variable) -> Ids:
        found = self.columns.get(variable)
        return np.zeros(self.size, np.uint32) if found is None else found

    def numbered(self, variable: Variable) -> Solutions:
        """With the number of each row, plus 1, in a further column."""
        return self.with_columns({variable: np.arange(1, self.size + 1, dtype=np.uint32)})


NONE = Solutions(0)


def concatenated(blocks: Sequence[Solutions]) -> Solutions:
    """All rows of the blocks, in their order."""
    if len(blocks) == 1:
        return blocks[0]
    variables = dict.fromkeys(v for block in blocks for v in block.columns)
    columns = {v: np.concatenate([block.column(v) for block in blocks]) for v in variables}
    return Solutions(sum(block.size for block in blocks), columns)


def in_heaps(
    blocks: Iterable[Solutions], most: int, first: int | None = None
) -> Iterator[list[Solutions]]:
    """The blocks in order, as many at a time as have `most` rows together, or all that are left;
    as many as have `first` rows at first, and then more and more."""
    heap: list[Solutions] = []
    rows, size = 0, most if first is None else min(first, most)
    for block in blocks:
        heap.append(block)
        rows += block.size
        if rows >= size:
            yield heap
            heap, rows, size = [], 0, min(size * QUERIES.block_growth, most)
    if heap:
        yield heap


def partitioned(solutions: Solutions, variables: Iterable[Variable]) -> Iterator[Solutions]:
    """The rows in groups; in each, every one of the variables is bound in all rows, or has no
    column. O(rows) for each variable and group."""
    columns = [(v, solutions.columns[v]) for v in variables if v in solutions.columns]
    partial = [(v, unbound) for v, column in columns if (unbound := column == 0).any()]
    if not partial:
        yield solutions
        return
    signature = np.zeros(solutions.size, np.int64)
    for i, (_, unbound) in enumerate(partial):
        signature |= unbound.astype(np.int64) << i
    for one in np.unique(signature).tolist():
        group = solutions.where(signature == one)
        yield group.without(*(v for i, (v, _) in enumerate(partial) if one >> i & 1))


def join(left: Solutions, right: Solutions) -> Iterator[Solutions]:
    """All unions of a compatible left and right mapping: of two that agree where both are bound.

    Blocks are non-empty and have `solutions_block` rows, or those of one left row. Rows follow the
    left ones, ties the right ones, if all shared variables are bound. O(n log n) in the longer
    side, plus the result (that of the first two shared variables, if there are more).
    """
    if not left.columns and left.size == 1:
        if right.size:
            yield right
        return
    for some in partitioned(left, right.columns):
        for others in partitioned(right, some.columns):
            yield from _equal(some, others, shared(some, others))


def shared(left: Solutions, right: Solutions) -> list[Variable]:
    return [v for v in left.columns if v in right.columns]


def _equal(left: Solutions, right: Solutions, variables: list[Variable]) -> Iterator[Solutions]:
    """The join of solutions that bind the variables they share everywhere."""
    for at_left, at_right in _pairs(_keys(left, variables[:2]), _keys(right, variables[:2])):
        agree = np.ones(len(at_left), np.bool_)
        for v in variables[2:]:
            agree &= left.columns[v][at_left] == right.columns[v][at_right]
        one, other = left.take(at_left[agree]), right.take(at_right[agree])
        if one.size:
            yield Solutions(one.size, {**other.columns, **one.columns})


def matched(left: Solutions, right: Solutions, variables: Sequence[Variable]) -> Mask:
    """For each left row whether a right one agrees with it on the variables, bound in all rows."""
    keys, number = numbers_of([[*pair] for pair in _side_by_side(left, right, variables)])
    return kernels.marked(keys[left.size :], number)[keys[: left.size]]


def _side_by_side(
    left: Solutions, right: Solutions, variables: Sequence[Variable]
) -> Iterator[tuple[Ids, Ids]]:
    return ((left.columns[v], right.columns[v]) for v in variables)


def numbers_of(columns: Sequence[Sequence[Ids]]) -> tuple[Numbers, int]:
    """A number for each row of some columns (each in parts), equal for equal rows, and how many
    numbers there are: 0, 1, 2, …, in the order of the rows as tuples. O(n log n) a column, O(n +
    largest id) for many rows."""
    if sum(map(len, columns[0])) <= QUERIES.few_rows:
        return _numbers_of_few(columns)
    numbers: Numbers = np.zeros(sum(map(len, columns[0])), np.int64)
    count = 1 if len(numbers) else 0
    for parts in columns:
        column = np.concatenate(parts) if len(parts) > 1 else parts[0]
        if len(column) and (column == column[0]).all():
            continue
        distinct, own = kernels.numbered(column)
        if count <= 1:
            numbers, count = own, len(distinct)
        elif count * len(distinct) < 1 << 32:
            pairs = (numbers * len(distinct) + own).astype(np.uint32)
            distinct, numbers = kernels.numbered(pairs)
            count = len(distinct)
        else:
            keys = numbers.astype(np.uint64) << kernels.SHIFT | column
            values, numbers = np.unique(keys, return_inverse=True)
            count = len(values)
    return numbers, count


def _numbers_of_few(columns: Sequence[Sequence[Ids]]) -> tuple[Numbers, int]:
    """`numbers_of`, row by row."""
    rows = [*zip(*([id for ids in parts for id in ids.tolist()] for parts in columns), strict=True)]
    known = {row: number for number, row in enumerate(sorted(set(rows)))}
    return np.array([known[row] for row in rows], np.int64), len(known)


def distinct(solutions: Solutions) -> Solutions:
    """Each row once, where it stands first."""
    return solutions.take(first_rows(solutions))


def first_rows(solutions: Solutions) -> Indices:
    """The rows that equal no earlier one. O(n log n) a column."""
    if not solutions.columns:
        return np.arange(min(1, solutions.size))
    numbers, count = numbers_of([[column] for column in solutions.columns.values()])
    return first_of_each(numbers, count)


def tallied(rows: Solutions, times: Numbers) -> tuple[Solutions, Numbers]:
    """Each different row where it stands first, and its `times` taken together. O(n log n) a
    column."""
    columns = [[column] for column in rows.columns.values()]
    numbers, count = numbers_of(columns or [[np.zeros(rows.size, np.uint32)]])
    first = first_of_each(numbers, count)
    sums = np.bincount(numbers, times, minlength=count).astype(np.int64)
    return rows.take(first), sums[numbers[first]]


def first_of_each(numbers: Numbers, count: int) -> Indices:
    """For each number, all of which are there, where it stands first, in order of the places."""
    first = np.empty(count, np.intp)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return np.sort(first)


def _keys(solutions: Solutions, variables: list[Variable]) -> KeyArray:
    """One number a row, equal for rows that agree on the (at most two) variables."""
    keys = np.zeros(solutions.size, np.uint64)
    for v in variables:
        keys = keys << kernels.SHIFT | solutions.columns[v]
    return keys


def _pairs(left: KeyArray, right: KeyArray) -> Iterator[tuple[Indices, Indices]]:
    """(i, j) for every left[i] == right[j], in order of i, then j."""
    order = None if _is_sorted(right) else np.argsort(right, kind="stable")
    keys = right if order is None else right[order]
    first = np.searchsorted(keys, left, "left")
    stop = np.searchsorted(keys, left, "right")
    for start, end in _blocks(stop - first):
        at_left, at_keys = kernels.expand(first[start:end], stop[start:end])
        yield at_left + start, at_keys if order is None else order[at_keys]


def _is_sorted(keys: KeyArray) -> bool:
    return bool((keys[:-1] <= keys[1:]).all())


def _blocks(matches: Indices) -> Iterator[tuple[int, int]]:
    """Ranges of left rows with about `solutions_block` matches each."""
    total = np.cumsum(matches)
    start = 0
    while start < len(total):
        done = total[start - 1] if start else 0
        stop = max(
            start + 1,
            int(np.searchsorted(total, done + QUERIES.solutions_block, "right")),
        )
        yield start, stop
        start = stop
