"""The reach of each component of an acyclic graph: the interface of the encodings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.kernels import IdArray, Indices, Mask

Spans = tuple[Indices, Indices, Indices]
"""(index of the row, first number, number behind the last) of ranges, row by row, ascending."""


NO_INDICES: Indices = np.empty(0, np.intp)


class ReachRows(ABC):
    """For each component, by number, the set of numbers it reaches, its own among them.

    The rows of a table are immutable; a copy made by `extended` may be changed until it belongs to
    another table. Encoded rows lie in an arena shared by all copies, so that an unchanged row is at
    the same place in both.
    """

    __slots__ = ()

    @abstractmethod
    def has(self, number: int, reached: int) -> bool: ...

    @abstractmethod
    def contains(self, numbers: Indices, reached: Indices) -> Mask:
        """For each pair whether the row of the first holds the second."""

    @abstractmethod
    def row(self, number: int, nodes: ComponentPartition) -> IdArray:
        """The members of what one row holds."""

    @abstractmethod
    def rows(self, numbers: Indices, nodes: ComponentPartition) -> tuple[Indices, IdArray]:
        """(index into `numbers`, member of what the row holds), row by row."""

    @abstractmethod
    def spans(self, numbers: Indices) -> Spans:
        """The spans of ids held by the rows."""

    @abstractmethod
    def above(self, reached: int, nodes: ComponentPartition) -> IdArray:
        """The members of all numbers whose rows hold one."""

    @abstractmethod
    def count_above(self, reached: int, nodes: ComponentPartition) -> int:
        """How many these are."""

    @abstractmethod
    def holders(self, reached: Indices) -> tuple[Indices, Indices]:
        """(index into `reached`, number whose row holds it), one by one."""

    @abstractmethod
    def totals(self, numbers: Indices, bounds: IdArray) -> Indices:
        """How many members the numbers in each row have, `bounds[c + 1] - bounds[c]` of c."""

    @abstractmethod
    def extended(self, size: int) -> ReachRows:
        """A copy with so many numbers in all, to be changed; a new one reaches itself alone."""

    @abstractmethod
    def unite(self, numbers: Indices, index: Indices, successors: Indices) -> Mask:
        """Gives each number the row of itself and all that its successors' rows hold, the `index`
        into `numbers` ascending. For each whether that is another row than before."""

    @abstractmethod
    def drop(self, numbers: Indices) -> None:
        """Takes the rows of dead numbers away."""

    @abstractmethod
    def is_loose(self) -> bool:
        """Whether too much of the arena is what this version does not read."""

    @abstractmethod
    def compacted(self) -> ReachRows:
        """A copy in an arena that holds nothing else."""

    @abstractmethod
    def differing(self, other: ReachRows, numbers: Indices) -> Mask | None:
        """For each of the numbers, which have rows in both, whether the rows are different; None
        if the encodings are."""

    @abstractmethod
    def beyond(self, numbers: Indices, other: ReachRows, others: Indices, known: int) -> Spans:
        """The numbers that each row holds beyond the other's, as far as they are below `known`;
        -1 among `others` stands for an empty row."""

    @abstractmethod
    def is_reached(self, reached: int) -> bool:
        """Whether the row of another number holds this one."""

    @abstractmethod
    def reached(self, numbers: Indices) -> Mask:
        """For each of all numbers that have a row whether the row of another holds it."""

    @abstractmethod
    def arrays(self) -> list[NDArray[Any]]: ...


Holders = tuple[Indices, Indices]
"""(index of the question, number whose row holds it), by the first."""


def renewed(known: Holders, stale: Indices, instead: Holders) -> Holders:
    """The holders known by an index, with those found anew for stale numbers."""
    at, found = known
    kept = ~np.isin(found, stale)
    at = np.concatenate((at[kept], instead[0]))
    order = np.argsort(at, kind="stable")
    return at[order], np.concatenate((found[kept], instead[1]))[order]


def slices(weights: Indices, most: int) -> Iterator[slice]:
    """Cuts a sequence so that each piece weighs at most `most`, or is a single one."""
    total = np.cumsum(weights)
    start = 0
    while start < weights.size:
        before = total[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(total, before + most, side="right")))
        yield slice(start, stop)
        start = stop
