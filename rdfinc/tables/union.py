"""The members of classes that form a hierarchy: for each individual its least classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.hierarchy import Hierarchy
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.plain import Plain
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Keys, MutableTable, Table

LOW = 0xFFFFFFFF

BLOCK = 1 << 20
"""Kept pairs whose pairs are given at once."""


class Union(MutableTable):
    """All (x, C) with D ≤ C in the hierarchy for a kept (x, D).

    That is any set of pairs which is *closed*: with (x, D) it has (x, C) for all C above D, as
    the copy rules `type(x, C) ← type(x, D)` see to. How a pair was derived plays no part. Kept
    are, for each x, the representatives of the minimal classes: none of them is below another.
    A change must leave the set closed, and must name all of the pairs that come or go.

    An individual has few minimal classes: to look at one costs what it costs in a plain table,
    and O(log n) for each class of its row. The members of a class are gathered from all classes
    below, each once, O(their number, repetitions included). A change costs as much as in a plain
    table, and the direct parents of its classes; where pairs go, the classes above these as well.
    After the union scheme of Zhang, Hu, Nenov, Horrocks, *Optimised storage for Datalog
    reasoning* (2023), which keeps external facts instead and must know what depends on what.
    """

    __slots__ = ("_counts", "_kept", "_size", "hierarchy")

    general = False

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self._kept = Plain()
        self._size = 0
        self._counts: dict[int, int] = {}

    @classmethod
    def of(cls, facts: Table | KeyArray, hierarchy: Hierarchy) -> Union:
        """The table of a closed set."""
        table = cls(hierarchy)
        table.extend(facts.scan() if isinstance(facts, Table) else facts)
        return table

    def plain(self) -> Plain:
        """All pairs in a plain table."""
        return Plain(SortedPairs(self.scan()))

    def rearranged(self, hierarchy: Hierarchy) -> Union:
        """The same set under another hierarchy, under which it must be closed as well.

        What was minimal may no longer be; what was not may be now where it was so because of a
        pair of classes that is lost. O(n), however many pairs there are, and what became of them.
        """
        twin = self.copy()
        if hierarchy == self.hierarchy:
            return twin
        twin.hierarchy = hierarchy
        pairs = self.hierarchy.pairs()
        lost = pairs[~hierarchy.are_below(kernels.high(pairs), kernels.low(pairs))]
        kept = self._kept.scan()
        index, upper = kernels.follow(kernels.sort(lost), kernels.low(kept))
        subjects = np.concatenate((kernels.high(kept), kernels.high(kept)[index]))
        classes = np.concatenate((kernels.low(kept), upper))
        found = kernels.unique(kernels.pack(subjects, hierarchy.representatives(classes)))
        twin._kept = Plain(SortedPairs(_minimal(found, hierarchy)))
        return twin

    def copy(self) -> Union:
        twin = Union(self.hierarchy)
        twin._kept = self._kept.copy()
        twin._size = self._size
        twin._counts = dict(self._counts)
        return twin

    # -- a fact at a time

    def __len__(self) -> int:
        return self._size

    def has(self, key: int) -> bool:
        class_, is_below = key & LOW, self.hierarchy.is_below
        for lower in self._kept.objects(key >> 32):  # noqa: SIM110 (half the time of `any`)
            if is_below(lower, class_):
                return True
        return False

    def objects(self, subject: int) -> list[int]:
        kept = self._kept.objects(subject)
        above = self.hierarchy.above
        if len(kept) == 1:
            return above(kept[0])
        return list(dict.fromkeys(upper for lower in kept for upper in above(lower)))

    def subjects(self, object_: int) -> list[int]:
        below = self.hierarchy.below(object_)
        if below.size == 1:
            return self._kept.subjects(below.item())
        found: list[int] = self._members(below).tolist()
        return found

    def _members(self, below: IdArray) -> IdArray:
        """Those of some classes, each once."""
        members = self._kept.by_objects(below)[1]
        return members if below.size == 1 else kernels.unique_ids(members)

    def present(self, keys: Keys) -> Keys:
        if not isinstance(keys, list):
            return super().present(keys)
        held = self._held(keys)
        return [key for key in keys if key in held]

    def missing(self, keys: Keys) -> Keys:
        if not isinstance(keys, list):
            return super().missing(keys)
        held = self._held(keys)
        return [key for key in keys if key not in held]

    def _held(self, keys: list[int]) -> set[int]:
        """Those of the keys that are there; reads the row of each subject once."""
        is_below, kept = self.hierarchy.is_below, self._kept.objects
        rows = {subject: kept(subject) for subject in {key >> 32 for key in keys}}
        return {key for key in keys if any(is_below(d, key & LOW) for d in rows[key >> 32])}

    # -- a column at a time

    def contains(self, keys: KeyArray) -> Mask:
        at, lower = self._kept.by_subjects(kernels.high(keys))
        found = np.zeros(keys.size, np.bool_)
        found[at[self.hierarchy.are_below(lower, kernels.low(keys)[at])]] = True
        return found

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        at, lower = self._kept.by_subjects(subjects)
        index, upper = self.hierarchy.all_above(lower)
        several = np.bincount(at, minlength=subjects.size) > 1
        return _once(at[index], upper, several)

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        if objects.size == 1:
            members = self._members(self.hierarchy.below(objects.item()))
            return np.zeros(members.size, np.intp), members
        at, lower = self.hierarchy.all_below(objects)
        index, members = self._kept.by_objects(lower)
        several = np.bincount(at, minlength=objects.size) > 1
        return _once(at[index], members, several)

    def scan(self) -> KeyArray:
        return self._spread(self._kept.scan())

    def blocks(self) -> Iterator[KeyArray]:
        """In the order of a scan, those of some subjects at a time."""
        kept, start = self._kept.scan(), 0
        while start < kept.size:
            last = kept[min(start + BLOCK, kept.size) - 1]
            stop = int(kept.searchsorted(last | kernels.LOW, side="right"))
            yield self._spread(kept[start:stop])
            start = stop

    def _spread(self, kept: KeyArray) -> KeyArray:
        """All pairs that some kept ones stand for, sorted."""
        index, upper = self.hierarchy.all_above(kernels.low(kept))
        return kernels.unique(kernels.pack(kernels.high(kept)[index], upper))

    def count(self, subject: int | None, object_: int | None) -> int:
        """The members of a class are counted once and remembered."""
        if subject is not None:
            if object_ is not None:
                return int(self.has(subject << 32 | object_))
            return len(self.objects(subject))
        if object_ is None:
            return self._size
        if object_ not in self._counts:
            self._counts[object_] = len(self.subjects(object_))
        return self._counts[object_]

    # -- changes

    def add(self, keys: Keys) -> Keys:
        """Adds; returns those that were not there. The set must be closed afterwards."""
        fresh = self.missing(keys) if self._size else keys
        self.extend(fresh)
        return fresh

    def extend(self, keys: Keys) -> None:
        """Adds keys none of which is there. What is kept no longer, or never, is what has one of
        the new pairs directly below: a pair that was there has none of the old ones below."""
        if isinstance(keys, list):
            self._extend_by_few(keys)
        else:
            self._extend_by_many(keys)
        self._size += len(keys)
        self._recount(keys, 1)

    def _extend_by_few(self, keys: list[int]) -> None:
        representative = self.hierarchy.representative
        fresh = [key for key in keys if representative(key & LOW) == key & LOW]
        covered = self._directly_above(fresh)
        self._kept.discard(list(covered.difference(fresh)))
        self._kept.extend([key for key in fresh if key not in covered])

    def _extend_by_many(self, keys: KeyArray) -> None:
        fresh = self._represented(keys)
        covered = self._all_directly_above(fresh)
        self._kept.discard(covered)
        self._kept.extend(kernels.difference(fresh, covered))

    def discard(self, keys: Keys) -> Keys:
        """Removes; returns those that were there. The set must be closed afterwards. Kept instead
        is what had only those directly below."""
        gone = self.present(keys)
        if isinstance(gone, list):
            self._discard_few(gone)
        else:
            self._discard_many(gone)
        self._size -= len(gone)
        self._recount(gone, -1)
        return gone

    def _discard_few(self, keys: list[int]) -> None:
        representative = self.hierarchy.representative
        gone = dict.fromkeys(key for key in keys if representative(key & LOW) == key & LOW)
        left: dict[int, list[int]] = {}
        for key in sorted(self._directly_above(gone).difference(gone)):
            left.setdefault(key >> 32, []).append(key & LOW)
        self._kept.discard(list(gone))
        for subject, upper in left.items():
            kept = self._kept.objects(subject)
            self._kept.extend([subject << 32 | least for least in self._least(upper, kept)])

    def _least(self, upper: list[int], kept: list[int]) -> list[int]:
        """Those of some representatives that have no other one, nor one of the kept, below."""
        is_below, lower = self.hierarchy.is_below, upper + kept
        return [c for c in upper if not any(d != c and is_below(d, c) for d in lower)]

    def _discard_many(self, keys: KeyArray) -> None:
        gone = self._represented(keys)
        self._kept.discard(gone)
        upper = kernels.difference(self._all_directly_above(gone), gone)
        subjects = kernels.unique_ids(kernels.high(upper))
        at, kept = self._kept.by_subjects(subjects)
        lower = np.concatenate((upper, kernels.pack(subjects[at], kept)))
        self._kept.extend(kernels.difference(upper, _strictly_above(lower, self.hierarchy)))

    def _directly_above(self, keys: Iterable[int]) -> set[int]:
        """The pairs of the same subjects with the direct parents of the classes."""
        parents = self.hierarchy.parents
        return {key >> 32 << 32 | upper for key in keys for upper in parents(key & LOW)}

    def _all_directly_above(self, keys: KeyArray) -> KeyArray:
        """Sorted."""
        index, upper = self.hierarchy.all_parents(kernels.low(keys))
        found: KeyArray = kernels.unique(kernels.pack(kernels.high(keys)[index], upper))
        return found

    def _represented(self, keys: KeyArray) -> KeyArray:
        """The pairs whose class represents those equivalent to it."""
        classes = kernels.low(keys)
        represented: Mask = self.hierarchy.representatives(classes) == classes
        return keys[represented]

    def _recount(self, keys: Keys, change: int) -> None:
        """Keeps the numbers remembered right, `change` for each key."""
        counts = self._counts
        if not counts:
            return
        if isinstance(keys, list):
            for key in keys:
                if key & LOW in counts:
                    counts[key & LOW] += change
        else:
            classes, sizes = np.unique(kernels.low(keys), return_counts=True)
            for class_, size in zip(classes.tolist(), sizes.tolist(), strict=True):
                if class_ in counts:
                    counts[class_] += change * size

    def fold(self) -> None:
        """Moves recent changes of what is kept into a new base. O(n)."""
        self._kept.fold()

    # -- memory

    def arrays(self) -> list[NDArray[Any]]:
        """Those of the hierarchy, which others may share, included."""
        return [*self._kept.arrays(), *self.hierarchy.arrays()]

    def overlay_bytes(self) -> int:
        return self._kept.overlay_bytes() + self.hierarchy.overlay_bytes() + 100 * len(self._counts)

    def _check(self) -> None:
        self._kept._check()
        kept = self._kept.scan()
        assert self._represented(kept).size == kept.size
        above = _strictly_above(kept, self.hierarchy)
        assert not self._kept.contains(above).any(), "one kept above another"
        assert self._size == self.scan().size
        for class_, size in self._counts.items():
            assert size == len(self.subjects(class_))


def _strictly_above(keys: KeyArray, hierarchy: Hierarchy) -> KeyArray:
    """The pairs of the same subjects with all other classes above those of the keys; sorted."""
    classes = kernels.low(keys)
    index, upper = hierarchy.all_above(classes)
    others = np.flatnonzero(upper != classes[index])
    subjects = kernels.high(keys)[index[others]]
    found: KeyArray = kernels.unique(kernels.pack(subjects, upper[others]))
    return found


def _minimal(keys: KeyArray, hierarchy: Hierarchy) -> KeyArray:
    """Those of sorted keys of representatives that have no other one below; of each subject."""
    subjects = kernels.high(keys)
    again = np.flatnonzero(subjects[1:] == subjects[:-1])
    several = np.zeros(keys.size, np.bool_)
    several[again] = several[again + 1] = True
    rivals = keys[several]
    several[several] = kernels.contains(_strictly_above(rivals, hierarchy), rivals)
    return keys[~several]


def _once(at: Indices, ids: IdArray, several: Mask) -> tuple[Indices, IdArray]:
    """Each match once; only those of the rows in `several` may repeat."""
    if not several.any():
        return at, ids
    repeats = several[at]
    rows, distinct = _distinct(at[repeats], ids[repeats])
    single = ~repeats
    return np.concatenate((at[single], rows)), np.concatenate((ids[single], distinct))


def _distinct(at: Indices, ids: IdArray) -> tuple[Indices, IdArray]:
    """Each match once; by marking, if ids are dense in the rows."""
    height, width = int(at.max(initial=0)) + 1, int(ids.max(initial=0)) + 1
    if kernels.is_dense(height * width, ids.size):
        marks = np.zeros((height, width), np.bool_)
        marks[at, ids] = True
        rows, distinct = np.nonzero(marks)
        return rows, distinct.astype(np.uint32)
    matches = kernels.unique(kernels.pack(at, ids))
    return (matches >> kernels.SHIFT).astype(np.intp), kernels.low(matches)
