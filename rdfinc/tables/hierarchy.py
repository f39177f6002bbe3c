"""What lies below what: a partial order of classes, with classes that are equivalent."""

from __future__ import annotations

import itertools
import sys
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.ancestry import Match, Matrix, Order, Rows, Tree
from rdfinc.tables.connection.partition import Numbers, Placed, Searched
from rdfinc.tables.intervals.adjacency import Adjacency, degrees, heights
from rdfinc.tables.intervals.condensation import components
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask

Edges: TypeAlias = "tuple[Indices, Indices]"
Closed: TypeAlias = "tuple[list[Indices], list[Indices], list[int]]"

DENSE = 1 << 18
"""Ids below which an array by id is always small enough."""

REMEMBERED = 1 << 12
"""Classes whose rows are remembered as sets, if they are not longer than SHORT."""

SHORT = 1 << 8

SMALL = 1 << 10
"""Groups up to which there is a cell for each pair of them."""


class Hierarchy:
    """The reflexive transitive closure ≤ of pairs (below, above). Immutable.

    Classes that lie below each other are *equivalent*; the least id of them represents them. An
    id in no pair is below nothing but itself. Kept for each group of equivalent classes, numbered
    by their representatives from 1: all classes above, the representatives of the groups directly
    above, and, once asked for, the representatives of those below; 4 bytes for each of these;
    and what tells of many pairs at once whether one is below the other (see `ancestry`).
    From m pairs O(m log m) and the size of what is kept; one answer costs O(log n) and its size.
    """

    __slots__ = (
        "_above",
        "_below",
        "_classes",
        "_numbers",
        "_order",
        "_parents",
        "_representatives",
        "_sets",
    )

    def __init__(self, pairs: KeyArray = kernels.NO_KEYS) -> None:
        """From keys `below << 32 | above` in any order, closed or not."""
        pairs = kernels.unique(pairs[kernels.high(pairs) != kernels.low(pairs)])
        self._classes = kernels.unique_ids(
            np.concatenate((kernels.high(pairs), kernels.low(pairs)))
        )
        edges = _bypassed(
            np.searchsorted(self._classes, kernels.high(pairs)),
            np.searchsorted(self._classes, kernels.low(pairs)),
            self._classes.size,
        )
        groups, first = _groups(edges, self._classes.size)
        self._representatives: IdArray = np.append(np.uint32(0), self._classes[first])
        self._numbers = _numbers(self._classes, groups + 1)
        rows, parents, order = _closed(edges, groups, first.size)
        members = Adjacency(*_by_tail(groups, self._classes), first.size)
        owner, found = _flat(rows)
        index, at = kernels.expand(members.offsets[found], members.offsets[found + 1])
        self._above = Rows(owner[index] + 1, members.targets[at], first.size)
        self._order: Order = (
            Matrix(rows)
            if first.size <= SMALL
            else Tree(rows, parents, order, self._above, self._representatives)
        )
        owner, found = _flat(parents)
        self._parents = Rows(owner + 1, self._representatives[found + 1], first.size)
        self._below: Rows | None = None
        self._sets: dict[int, frozenset[int]] = {}

    def __eq__(self, other: object) -> bool:
        """Whether they say the same of every id."""
        if not isinstance(other, Hierarchy):
            return NotImplemented
        return self is other or (
            np.array_equal(self._classes, other._classes)
            and np.array_equal(self._above.offsets, other._above.offsets)
            and np.array_equal(self._above.ids, other._above.ids)
        )

    __hash__ = None  # type: ignore[assignment]

    # -- a class at a time

    def representative(self, id: int) -> int:
        number = self._numbers.one(id)
        return self._representatives.item(number) if number else id

    def above(self, id: int) -> list[int]:
        """All classes above, `id` included."""
        number = self._numbers.one(id)
        above: list[int] = self._above.row(number).tolist() if number else [id]
        return above

    def below(self, id: int) -> IdArray:
        """The representatives of all classes below, that of `id` included."""
        number = self._numbers.one(id)
        return self._rows_below().row(number) if number else np.array([id], np.uint32)

    def parents(self, id: int) -> list[int]:
        """The representatives of the classes directly above."""
        parents: list[int] = self._parents.row(self._numbers.one(id)).tolist()
        return parents

    def is_below(self, lower: int, upper: int) -> bool:
        """Whether lower ≤ upper."""
        if lower == upper:
            return True
        remembered = self._sets.get(lower)
        if remembered is not None:
            return upper in remembered
        row = self._above.row(self._numbers.one(lower))
        if row.size <= SHORT:
            if len(self._sets) >= REMEMBERED:
                self._sets.clear()
            self._sets[lower] = frozenset(row.tolist())
        at = row.searchsorted(np.uint32(upper))
        return bool(at < row.size and row[at] == upper)

    # -- a column at a time

    def representatives(self, ids: IdArray) -> IdArray:
        numbers = self._numbers.many(ids)
        return np.where(numbers, self._representatives[numbers], ids)

    def all_above(self, ids: IdArray) -> Match:
        """(index into `ids`, class) for all classes above each id."""
        return _with_strangers(self._above, ids, self._numbers.many(ids))

    def all_below(self, ids: IdArray) -> Match:
        """(index into `ids`, representative) for all classes below each id."""
        return _with_strangers(self._rows_below(), ids, self._numbers.many(ids))

    def all_parents(self, ids: IdArray) -> Match:
        """(index into `ids`, representative) for all classes directly above each id."""
        return self._parents.follow(self._numbers.many(ids))

    def are_below(self, lower: IdArray, upper: IdArray) -> Mask:
        """For each row whether lower ≤ upper."""
        found = self._order.below(self._numbers.many(lower), self._numbers.many(upper))
        found |= lower == upper
        return found

    # -- as a whole

    def pairs(self) -> KeyArray:
        """All (below, above) with a representative below, in any order."""
        sizes = np.diff(self._above.offsets)
        return kernels.pack(np.repeat(self._representatives, sizes), self._above.ids)

    def _rows_below(self) -> Rows:
        if self._below is None:
            pairs = self.pairs()
            pairs = pairs[self.representatives(kernels.low(pairs)) == kernels.low(pairs)]
            swapped = kernels.transposed(pairs)
            upper = self._numbers.many(kernels.high(swapped))
            self._below = Rows(upper, kernels.low(swapped), self._representatives.size - 1)
        return self._below

    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that there are by now."""
        rows = [self._above, self._parents] + ([] if self._below is None else [self._below])
        arrays = [array for some in rows for array in (some.offsets, some.ids)]
        arrays += [*self._numbers.arrays(), *self._order.arrays()]
        return [self._classes, self._representatives, *arrays]

    def overlay_bytes(self) -> int:
        """Estimated memory of what is remembered beside."""
        return sum(map(sys.getsizeof, self._sets.values()))


def _with_strangers(rows: Rows, ids: IdArray, numbers: IdArray) -> Match:
    """All matches of the rows; those that have no number match themselves."""
    index, found = rows.follow(numbers)
    if numbers.all():
        return index, found
    strangers = np.flatnonzero(numbers == 0)
    return np.concatenate((index, strangers)), np.concatenate((found, ids[strangers]))


def _numbers(ids: IdArray, numbers: Indices) -> Numbers:
    largest = int(ids.max(initial=0))
    chosen = Placed if largest <= max(DENSE, 4 * ids.size) else Searched
    return chosen(ids, numbers.astype(np.uint32))


def _by_tail(tails: Indices, heads: NDArray[Any]) -> tuple[Indices, NDArray[Any]]:
    order = np.argsort(tails, kind="stable")
    return tails[order], heads[order]


def _bypassed(tails: Indices, heads: Indices, size: int) -> Edges:
    """Edges with the same closure: without those from a node to what its *best* successor leads
    to directly. O(m log m).

    Best is the one with the most edges, among those with fewer than the node itself has. So by
    induction over the number of edges whatever was reached is reached; and of a closed order in
    which nobody has two parents only the edges to the parents remain.
    """
    if not tails.size:
        return tails, heads
    degree = degrees(tails, size)
    fewer = degree[heads] < degree[tails]
    score = np.where(fewer, kernels.pack(degree[heads] + 1, heads), np.uint64(0))
    begins = np.flatnonzero(np.append(True, tails[1:] != tails[:-1]))
    best = np.zeros(size, np.uint64)
    best[tails[begins]] = np.maximum.reduceat(score, begins)
    there = best[tails]
    bypassed = there > 0
    by_way = kernels.pack(kernels.low(there[bypassed]), heads[bypassed])
    bypassed[bypassed] = kernels.contains(kernels.pack(tails, heads), by_way)
    return tails[~bypassed], heads[~bypassed]


def _groups(edges: Edges, size: int) -> tuple[Indices, Indices]:
    """For each node the number of its component, and for each of these its first node, which they
    are numbered by."""
    labels, count = components(*edges, size)
    first = np.full(count, size, np.intp)
    np.minimum.at(first, labels, np.arange(size))
    rank = np.empty(count, np.intp)
    rank[np.argsort(first)] = np.arange(count)
    return rank[labels], np.sort(first)


def _closed(edges: Edges, groups: Indices, size: int) -> Closed:
    """For each group those above, itself included, and those directly above; and all groups in an
    order that has parents first."""
    tails, heads = groups[edges[0]], groups[edges[1]]
    between = kernels.unique(kernels.pack(tails, heads)[tails != heads])
    tails, heads = (kernels.high(between).astype(np.intp), kernels.low(between).astype(np.intp))
    height = heights(tails, heads, size)
    highest_first = np.lexsort((-height[heads], tails))
    up = Adjacency(tails[highest_first], heads[highest_first], size)
    targets, offsets = up.targets.astype(np.intp), up.offsets.tolist()
    rows: list[Indices] = list(np.arange(size).reshape(-1, 1))
    parents = [targets[start:stop] for start, stop in itertools.pairwise(offsets)]
    seen = np.zeros(size, np.bool_)
    order: list[int] = np.argsort(height, kind="stable").tolist()
    for node in order:
        if parents[node].size > 1:
            parents[node] = _direct(parents[node], rows, seen)
        above = [rows[node], *(rows[parent] for parent in parents[node].tolist())]
        rows[node] = np.concatenate(above) if len(above) < 3 else np.unique(np.concatenate(above))
    return rows, parents, order


def _direct(upper: Indices, rows: list[Indices], seen: Mask) -> Indices:
    """Those of the nodes above that are above no other one of them; they come with the greatest
    heights first. `seen` is used and left empty."""
    found = []
    for node in upper.tolist():
        if not seen[node]:
            found.append(node)
            seen[rows[node]] = True
    for node in found:
        seen[rows[node]] = False
    return np.array(found, np.intp)


def _flat(rows: list[Indices]) -> Edges:
    """(number of the row, entry) for all entries."""
    if not rows:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    return np.repeat(np.arange(len(rows)), [row.size for row in rows]), np.concatenate(rows)
