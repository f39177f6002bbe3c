"""Ids in numbered groups, each in one: a partition in versions that share all unchanged parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.closure.components.disjoint_sets import Placed, Searched
from rdfinc.tables.kernels import NO_IDS, IdArray, Indices
from rdfinc.tables.table_thresholds import TABLES


class Groups:
    """A number for each id, 0 for all but those in groups.

    The base has the members of group n, sorted, in `members[starts[n] : starts[n + 1]]`, and the
    number of each id in as few bytes as it takes. Beside it stand the ids that moved since, with
    their numbers: `_moved`, and before that `_shared`, which never changes. Base arrays are
    immutable and shared by copies. A lookup is O(1) or O(log n).
    """

    __slots__ = ("_columns", "_moved", "_numbers", "_shared", "members", "starts")

    def __init__(self, ids: IdArray = NO_IDS, numbers: NDArray[Any] = NO_IDS) -> None:
        """Sorted ids with their numbers, none of them 0."""
        counts = _counts(numbers)
        self.starts = np.zeros(counts.size + 1, np.intp)
        np.cumsum(counts, out=self.starts[1:])
        small = numbers.astype(np.min_scalar_type(counts.size), copy=False)
        self.members: IdArray = ids[np.argsort(small, kind="stable")]
        by_id = (int(ids[-1]) + 1 if ids.size else 0) * small.itemsize
        chosen = Placed if by_id <= ids.size * (4 + small.itemsize) else Searched
        self._numbers = chosen(ids, small)
        self._moved: dict[int, int] = {}
        self._shared: dict[int, int] = {}
        self._columns: tuple[IdArray, IdArray] | None = None

    def copy(self) -> Groups:
        """O(groups_recent), and once in so many changes O(groups_overlay)."""
        twin = Groups.__new__(Groups)
        twin.starts, twin.members, twin._numbers = self.starts, self.members, self._numbers
        twin._moved, twin._shared, twin._columns = dict(self._moved), self._shared, None
        if len(self._moved) > TABLES.groups_recent:
            twin._moved, twin._shared = {}, {**self._shared, **self._moved}
        return twin

    # -- reading

    def one(self, id: int) -> int:
        number = self._moved.get(id)
        if number is None and self._shared:
            number = self._shared.get(id)
        return self._numbers.one(id) if number is None else number

    def waiting(self) -> int:
        """About how many ids stand beside the base."""
        return len(self._moved) + len(self._shared)

    def many(self, ids: IdArray) -> IdArray:
        found = self._numbers.many(ids).astype(np.uint32)
        if self.waiting() and ids.size:
            moved, numbers = self._beside()
            at = np.minimum(np.searchsorted(moved, ids), moved.size - 1)
            there = moved[at] == ids
            found[there] = numbers[at[there]]
        return found

    def _beside(self) -> tuple[IdArray, IdArray]:
        """The ids that moved, sorted, and their numbers."""
        if self._columns is None:
            moved = {**self._shared, **self._moved}
            ids = np.fromiter(moved, np.uint32, len(moved))
            numbers = np.fromiter(moved.values(), np.uint32, len(moved))
            order = np.argsort(ids)
            self._columns = ids[order], numbers[order]
        return self._columns

    def follow(self, numbers: IdArray) -> tuple[Indices, IdArray]:
        """(index into `numbers`, id) for the members of each group."""
        top = self.starts.size - 1
        index, at = kernels.expand(
            self.starts[np.minimum(numbers, top)], self.starts[np.minimum(numbers + 1, top)]
        )
        found = self.members[at]
        if not self.waiting():
            return index, found
        moved, now = self._beside()
        stays = ~kernels.contains(moved, found)
        also, arrived = kernels.follow(kernels.sort(kernels.pack(now, moved)), numbers)
        return np.concatenate((index[stays], also)), np.concatenate((found[stays], arrived))

    def together(self, numbers: IdArray) -> IdArray:
        """The members of groups with ascending numbers; few of them one after the other."""
        if self.waiting():
            return self.follow(numbers)[1]
        if numbers.size > TABLES.few_slices:
            start, stop = self._runs(numbers)
            return self.members[kernels.expand(start, stop)[1]]
        return np.concatenate([NO_IDS, *(self.members[a:b] for a, b in self._ranges(numbers))])

    def total(self, numbers: IdArray) -> int:
        """How many members groups with ascending numbers have together."""
        if self.waiting():
            return self.follow(numbers)[1].size
        if numbers.size > TABLES.few_slices:
            start, stop = self._runs(numbers)
            return int((stop - start).sum())
        return sum([stop - start for start, stop in self._ranges(numbers)])

    def _ranges(self, numbers: IdArray) -> list[tuple[int, int]]:
        """Where the members of each group stand in the base."""
        place, top = self.starts.data, self.starts.size - 1
        return [(place[n], place[n + 1]) for n in numbers.tolist() if n < top]

    def _runs(self, numbers: IdArray) -> tuple[Indices, Indices]:
        """Where the members of neighbouring groups begin and end in the base."""
        top = self.starts.size - 1
        apart = numbers[1:] != numbers[:-1] + 1
        first, last = numbers[np.append(True, apart)], numbers[np.append(apart, True)]
        return self.starts[np.minimum(first, top)], self.starts[np.minimum(last + 1, top)]

    def ids(self) -> IdArray:
        """All ids in groups, sorted."""
        ids = kernels.unique_ids(self.members)
        if self.waiting():
            moved, numbers = self._beside()
            ids = ids[~kernels.contains(moved, ids)]
            ids = np.sort(np.concatenate((ids, moved[numbers > 0])))
        return ids

    # -- changes

    def put(self, id: int, number: int) -> None:
        self._moved[id] = number
        self._columns = None

    def arrays(self) -> list[NDArray[Any]]:
        return [self.members, self.starts, *self._numbers.arrays()]

    def overlay_bytes(self) -> int:
        return 100 * self.waiting()


def _counts(numbers: NDArray[Any]) -> Indices:
    """How often each number up to the largest one occurs; some at a time, which are widened."""
    counts = np.zeros(int(numbers.max(initial=0)) + 1, np.intp)
    step = max(TABLES.counted_numbers_block, counts.size)
    for start in range(0, numbers.size, step):
        counts += np.bincount(numbers[start : start + step], minlength=counts.size)
    return counts
