"""Disjoint sets of ids that split and merge, in versions that share all unchanged parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import NO_IDS, IdArray, Indices, Mask
from rdfinc.tables.table_thresholds import TABLES

NOWHERE = 0
"""The number of what is in no part."""


class Numbers(Protocol):
    """For each id a number, NOWHERE unless told otherwise."""

    def one(self, id: int) -> int: ...

    def many(self, ids: IdArray) -> NDArray[Any]: ...

    def arrays(self) -> list[NDArray[Any]]: ...


class Placed:
    """The numbers in an array by id, which ends with NOWHERE; O(1)."""

    __slots__ = ("places",)

    def __init__(self, ids: IdArray, numbers: NDArray[Any]) -> None:
        self.places = np.zeros(int(ids.max(initial=0)) + 2, numbers.dtype)
        self.places[ids] = numbers

    def one(self, id: int) -> int:
        return self.places.item(id) if id < self.places.size else NOWHERE

    def many(self, ids: IdArray) -> NDArray[Any]:
        return self.places[np.minimum(ids, self.places.size - 1)]

    def arrays(self) -> list[NDArray[Any]]:
        return [self.places]


class Searched:
    """The numbers beside the sorted ids; O(log n)."""

    __slots__ = ("ids", "numbers")

    def __init__(self, ids: IdArray, numbers: NDArray[Any]) -> None:
        self.ids, self.numbers = ids, numbers

    def one(self, id: int) -> int:
        at = int(self.ids.searchsorted(np.uint32(id)))
        found = at < self.ids.size and self.ids.item(at) == id
        return self.numbers.item(at) if found else NOWHERE

    def many(self, ids: IdArray) -> NDArray[Any]:
        at = np.searchsorted(self.ids, ids)
        np.minimum(at, self.ids.size - 1, out=at)
        return np.where(self.ids[at] == ids, self.numbers[at], self.numbers.dtype.type(NOWHERE))

    def arrays(self) -> list[NDArray[Any]]:
        return [self.ids, self.numbers]


def _numbers(ids: IdArray, numbers: IdArray) -> Numbers:
    """Whichever takes less memory, give or take; ids in any order."""
    if int(ids.max(initial=0)) <= 3 * ids.size:
        return Placed(ids, numbers)
    order = np.argsort(ids)
    return Searched(ids[order], numbers[order])


def plus(ids: IdArray, more: IdArray) -> IdArray:
    """Sorted ids with more (sorted, none of them there). O(n + m log n)."""
    return np.insert(ids, np.searchsorted(ids, more), more) if more.size else ids


def without(ids: IdArray, gone: IdArray) -> IdArray:
    """Sorted ids without some (sorted, all of them there). O(n + m log n)."""
    return np.delete(ids, np.searchsorted(ids, gone)) if gone.size else ids


def _together(part: IdArray) -> int:
    """How many members of a part have others beside them."""
    return part.size if part.size > 1 else 0


def _among(values: NDArray[Any], changed: Mapping[int, object]) -> Mask:
    """For each value whether it is among what has changed."""
    if values.size * TABLES.few_changes_a_value < len(changed):
        return np.fromiter(map(changed.__contains__, values.tolist()), np.bool_, values.size)
    return kernels.members(values, changed)


class Partition:
    """Numbered sets of ids, the *parts*: number → members, id → number.

    The base has the parts 1, 2, …, one after the other in `base`, number n in
    `base[starts[n] : starts[n + 1]]`, and the number of each id. Beside it stand what changed
    since, by number (no members: the part is no more; greater numbers: it is new) and by id.
    The members of a part are sorted. `size` is the number of ids in parts, `together` of those in
    parts of several, `squares` the sum of the squares of the parts' sizes. Numbers change when the
    overlay is folded, which is O(n). A copy is O(overlay). Base arrays and those of members are
    immutable and shared by copies.
    """

    __slots__ = (
        "_changed",
        "_changed_ids",
        "_last",
        "_numbers",
        "_sorted_overlay",
        "base",
        "size",
        "squares",
        "starts",
        "together",
    )

    def __init__(self, ids: IdArray = NO_IDS, marks: NDArray[Any] | None = None) -> None:
        """Ids (sorted) are in one part if they have the same mark, less than 2³²."""
        by_mark = kernels.transposed(kernels.pack(ids, NO_IDS if marks is None else marks))
        ordered = kernels.high(by_mark)
        first = np.ones(ids.size, np.bool_)
        np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
        begins = np.flatnonzero(first)
        self.base: IdArray = kernels.low(by_mark)
        self.starts = np.concatenate(([0], begins, [ids.size])).astype(np.uint32)
        self._numbers = _numbers(self.base, np.cumsum(first, dtype=np.uint32))
        self._last = begins.size
        self.size = ids.size
        sizes = self.starts[1:] - self.starts[:-1]
        self.squares = int(np.square(sizes, dtype=np.uint64).sum())
        self.together = int(sizes[sizes > 1].sum(dtype=np.uint64))
        self._changed: dict[int, IdArray] = {}
        self._changed_ids: dict[int, int] = {}
        self._sorted_overlay: Searched | None = None

    def copy(self) -> Partition:
        twin = Partition.__new__(Partition)
        twin.base, twin.starts, twin._numbers = self.base, self.starts, self._numbers
        twin._last, twin.size = self._last, self.size
        twin.squares, twin.together = self.squares, self.together
        twin._changed, twin._changed_ids = dict(self._changed), dict(self._changed_ids)
        twin._sorted_overlay = None
        return twin

    # -- reading

    def number(self, id: int) -> int:
        """The number of the part that the id is in, or NOWHERE."""
        found = self._changed_ids.get(id)
        return self._numbers.one(id) if found is None else found

    def numbers(self, ids: IdArray) -> IdArray:
        if ids.size <= TABLES.few_ids_of_partition:
            return np.array([self.number(id) for id in ids.tolist()], np.uint32)
        found, changed_ids = self._numbers.many(ids), self._changed_ids
        if ids.size * TABLES.few_changes_a_value < len(changed_ids):
            for place, id in enumerate(ids.tolist()):
                found[place] = changed_ids.get(id, found[place])
        elif changed_ids and ids.size:
            overlay = self._overlay()
            at = np.minimum(np.searchsorted(overlay.ids, ids), overlay.ids.size - 1)
            changed = overlay.ids[at] == ids
            found[changed] = overlay.numbers[at[changed]]
        return found

    def _overlay(self) -> Searched:
        if self._sorted_overlay is None:
            changed = self._changed_ids
            ids = np.fromiter(changed, np.uint32, len(changed))
            numbers = np.fromiter(changed.values(), np.uint32, len(changed))
            order = np.argsort(ids)
            self._sorted_overlay = Searched(ids[order], numbers[order])
        return self._sorted_overlay

    def members(self, number: int) -> IdArray:
        """The ids in a part, sorted."""
        found = self._changed.get(number)
        if found is not None:
            return found
        if number >= self.starts.size - 1:
            return NO_IDS
        return self.base[self.starts.item(number) : self.starts.item(number + 1)]

    def sizes(self, numbers: IdArray) -> Indices:
        """How many members each of the parts has."""
        if numbers.size <= TABLES.few_ids_of_partition:
            return np.array([self.members(n).size for n in numbers.tolist()], np.intp)
        top = np.uint32(self.starts.size - 1)
        stop = self.starts[np.minimum(numbers + np.uint32(1), top)]
        sizes: Indices = (stop - self.starts[np.minimum(numbers, top)]).astype(np.intp)
        at, parts, which = self._changed_among(numbers)
        sizes[at] = np.array([part.size for part in parts], np.intp)[which]
        return sizes

    def firsts(self, numbers: IdArray) -> IdArray:
        """The least member of each of the parts, none of which is empty."""
        if numbers.size <= TABLES.few_ids_of_partition:
            return np.array([self.members(n).item(0) for n in numbers.tolist()], np.uint32)
        found = np.zeros(numbers.size, np.uint32)
        if self.base.size:
            at = np.minimum(numbers, np.uint32(self.starts.size - 1))
            found = self.base[np.minimum(self.starts[at], np.uint32(self.base.size - 1))]
        at, parts, which = self._changed_among(numbers)
        found[at] = np.array([part[0] for part in parts], np.uint32)[which]
        return found

    def _changed_among(self, numbers: IdArray) -> tuple[Indices, list[IdArray], Indices]:
        """The places of changed parts among some, the members of these parts, and for each place
        the index of its part."""
        at = np.flatnonzero(_among(numbers, self._changed))
        changed, which = kernels.numbered(numbers[at])
        return at, [self._changed[number] for number in changed.tolist()], which

    def beside(self, ids: IdArray) -> tuple[Indices, IdArray]:
        """Join with the members of each id's part: (index into `ids`, member), in order."""
        return self.follow(self.numbers(ids))

    def follow(self, numbers: IdArray) -> tuple[Indices, IdArray]:
        """Join with the members of parts: (index into `numbers`, member), in order."""
        if numbers.size == 1:
            found = self.members(int(numbers[0]))
            return np.zeros(found.size, np.intp), found
        if not self._changed:
            start = self.starts[numbers].astype(np.intp)
            owner, at = kernels.expand(start, self.starts[numbers + np.uint32(1)].astype(np.intp))
            return owner, self.base[at]
        return self._follow_changed(numbers)

    def _follow_changed(self, numbers: IdArray) -> tuple[Indices, IdArray]:
        """Positions from the end of the base on are those in the members of changed parts."""
        changed = _among(numbers, self._changed)
        asked = kernels.unique(numbers[changed])
        parts = [self.base[:0], *(self._changed[number] for number in asked.tolist())]
        more = np.concatenate(parts)
        bounds = self.base.size + np.cumsum([part.size for part in parts])
        start, stop = np.empty(numbers.size, np.intp), np.empty(numbers.size, np.intp)
        same = numbers[~changed]
        start[~changed], stop[~changed] = self.starts[same], self.starts[same + np.uint32(1)]
        rank = np.searchsorted(asked, numbers[changed])
        start[changed], stop[changed] = bounds[rank], bounds[rank + 1]
        owner, at = kernels.expand(start, stop)
        found = np.empty(at.size, np.uint32)
        inside = at < self.base.size
        found[inside] = self.base[at[inside]]
        found[~inside] = more[at[~inside] - self.base.size]
        return owner, found

    def ids(self) -> IdArray:
        """All ids in parts, sorted."""
        changed = np.fromiter(self._changed_ids, np.uint32, len(self._changed_ids))
        ids = kernels.unique_ids(np.concatenate((self.base, changed)))
        found: IdArray = ids[self.numbers(ids) != NOWHERE]
        return found

    def differing(self, other: Partition) -> IdArray:
        """The sorted ids of parts without an equal part in the other partition (and possibly
        more); few, and found among few, if both stem from one base."""
        if self.base is not other.base:
            return self._compared(other)
        mine, others = self._changed, other._changed
        numbers = [n for n in {**mine, **others} if mine.get(n) is not others.get(n)]
        ids: IdArray = np.concatenate([NO_IDS, *map(self.members, numbers)])
        return kernels.unique(ids)

    def _compared(self, other: Partition) -> IdArray:
        """As `differing`, of all parts: one is the other's if that has as many members and all of
        these. O(n)."""
        ids = self.ids()
        numbers, there = self.numbers(ids), other.numbers(ids)
        apart = there != other.numbers(self.firsts(numbers))
        apart |= self.sizes(numbers) != other.sizes(there)
        found: IdArray = ids[kernels.contains_ids(numbers[apart], numbers)]
        return found

    # -- changes

    def begin(self) -> int:
        """The number of a new part, without members as yet."""
        self._last += 1
        return self._last

    def join(self, ids: IdArray, source: int, target: int) -> None:
        """Puts the sorted ids, all there are in `source` (NOWHERE: they are new), into `target`."""
        if source != NOWHERE:
            self._set(source, ids, NO_IDS)
        before = self.members(target)
        self._set(target, before, plus(before, ids))
        self._put(ids, target)

    def divide(self, number: int, stay: IdArray, parts: list[IdArray], gone: IdArray) -> None:
        """Leaves those that `stay` in a part, makes parts of others, puts the rest nowhere."""
        self._set(number, self.members(number), stay)
        for part in parts:
            fresh = self.begin()
            self._set(fresh, NO_IDS, part)
            self._put(part, fresh)
        self._put(gone, NOWHERE)

    def _put(self, ids: IdArray, number: int) -> None:
        self._changed_ids.update(dict.fromkeys(ids.tolist(), number))
        self._sorted_overlay = None

    def _set(self, number: int, before: IdArray, after: IdArray) -> None:
        self.size += after.size - before.size
        self.together += _together(after) - _together(before)
        self.squares += after.size**2 - before.size**2
        self._changed[number] = after

    def regrouped(self, ids: IdArray, marks: Indices) -> Partition:
        """The partition with sorted ids regrouped: ids with the same mark make one part, a
        negative mark none. All or none of the ids of an old part are given. O(n) for many."""
        if ids.size * 2 <= TABLES.partition_overlay:
            return self._regrouped_beside(ids, marks)
        before = self.ids()
        rest = before[~kernels.contains(ids, before)]
        kept = marks >= 0
        stays = np.concatenate((rest, ids[kept]))
        mark = np.concatenate((self.numbers(rest), marks[kept] + (self._last + 1)))
        order = np.argsort(stays, kind="stable")
        return Partition(stays[order], mark[order])

    def _regrouped_beside(self, ids: IdArray, marks: Indices) -> Partition:
        """As `regrouped`, in the overlay."""
        twin = self.copy()
        for number in kernels.unique(self.numbers(ids)).tolist():
            if number != NOWHERE:
                twin._set(number, self.members(number), NO_IDS)
        order = np.argsort(marks, kind="stable")
        ordered = marks[order]
        for part in np.split(order, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1):
            if marks[part[0]] < 0:
                twin._put(ids[part], NOWHERE)
            else:
                target = twin.begin()
                twin._set(target, NO_IDS, ids[part])
                twin._put(ids[part], target)
        return twin

    def folded(self) -> Partition:
        """The same parts; folded if the overlay has grown. O(n) then."""
        if (
            len(self._changed) <= TABLES.partition_overlay
            and len(self._changed_ids) <= TABLES.partition_overlay
        ):
            return self
        ids = self.ids()
        return Partition(ids, self.numbers(ids))

    def arrays(self) -> list[NDArray[Any]]:
        return [self.base, self.starts, *self._numbers.arrays(), *self._changed.values()]

    def overlay_bytes(self) -> int:
        return 100 * (len(self._changed) + len(self._changed_ids))

    def _check(self) -> None:
        ids = self.ids()
        numbers = self.numbers(ids)
        assert numbers.tolist() == [self.number(id) for id in ids.tolist()]
        sizes = []
        for number in sorted(set(numbers.tolist())):
            members = self.members(number)
            assert members.dtype == np.uint32
            assert members.tolist() == ids[numbers == number].tolist()
            sizes.append(members.size)
        assert self.size == sum(sizes) == ids.size
        assert self.squares == sum(size**2 for size in sizes)
        assert self.together == sum(size for size in sizes if size > 1)
        assert all(not part.size or number in numbers for number, part in self._changed.items())
        assert max(numbers.tolist(), default=0) <= self._last
