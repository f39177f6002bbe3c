"""An immutable relation in PSO and POS order."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import LOW, NO_KEYS, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Table


class SortedPairs(Table):
    """The set of pairs in a sorted key array; the swapped order is built when first needed.

    One lookup is O(log n), a column of m lookups O(m log n) plus its matches; 8 bytes a pair and
    order. Arrays are never written to, so any number of tables may share them.
    """

    __slots__ = ("_swapped", "keys")

    def __init__(self, keys: KeyArray = NO_KEYS, swapped: KeyArray | None = None) -> None:
        self.keys = keys
        self._swapped = swapped

    @property
    def swapped(self) -> KeyArray:
        if self._swapped is None:
            if not self.keys.size:  # what many tables begin with shall not make them keep both
                return NO_KEYS
            self._swapped = kernels.transposed(self.keys)
        return self._swapped

    def plus(self, fresh: KeyArray) -> SortedPairs:
        """With `fresh` (sorted, none of them here yet)."""
        swapped = self._swapped
        if swapped is not None:
            swapped = kernels.merge(swapped, kernels.transposed(fresh))
        return SortedPairs(kernels.merge(self.keys, fresh), swapped)

    def union(self, other: SortedPairs) -> SortedPairs:
        """With all of another that has none of these."""
        swapped = self._swapped
        if swapped is not None:
            swapped = kernels.merge(swapped, other.swapped)
        return SortedPairs(kernels.merge(self.keys, other.keys), swapped)

    def minus(self, gone: KeyArray) -> SortedPairs:
        """Without `gone` (sorted)."""
        keys, _ = kernels.differences(self.keys, gone)
        swapped = self._swapped
        if swapped is not None and 2 * keys.size > swapped.size:
            swapped, _ = kernels.differences(swapped, kernels.transposed(gone))
        else:
            swapped = None
        return SortedPairs(keys, swapped)

    def __len__(self) -> int:
        return self.keys.size

    def has(self, key: int) -> bool:
        keys = self.keys
        at = int(keys.searchsorted(np.uint64(key)))
        return at < keys.size and keys.item(at) == key

    def objects(self, subject: int) -> list[int]:
        return _row(self.keys, subject)

    def subjects(self, object_: int) -> list[int]:
        return _row(self.swapped, object_)

    def is_subject(self, id: int) -> bool:
        return _width(self.keys, id) > 0

    def is_object(self, id: int) -> bool:
        return _width(self.swapped, id) > 0

    def contains(self, keys: KeyArray) -> Mask:
        return kernels.contains(self.keys, keys)

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        return kernels.follow(self.keys, subjects)

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return kernels.follow(self.swapped, objects)

    def scan(self) -> KeyArray:
        return self.keys

    def count(self, subject: int | None, object_: int | None) -> int:
        if subject is None and object_ is None:
            return len(self)
        if subject is None:
            return _width(self.swapped, object_ or 0)
        if object_ is None:
            return _width(self.keys, subject)
        return int(self.has(subject << 32 | object_))

    def arrays(self) -> list[KeyArray]:
        """The arrays that there are by now."""
        return [self.keys] if self._swapped is None else [self.keys, self._swapped]


def _bounds(keys: KeyArray, head: int) -> tuple[int, int]:
    first = np.uint64(head << 32)
    start = keys.searchsorted(first)
    return int(start), int(keys.searchsorted(first | LOW, side="right"))


def _row(keys: KeyArray, head: int) -> list[int]:
    size, end = keys.size, head + 1 << 32
    start = int(keys.searchsorted(np.uint64(head << 32))) if size else 0
    if start == size or keys.item(start) >= end:
        return []
    if start + 1 == size or keys.item(start + 1) >= end:  # as most rows are
        return [keys.item(start) & 0xFFFFFFFF]
    stop = int(keys.searchsorted(np.uint64(end - 1), side="right"))
    row: list[int] = (keys[start:stop] & LOW).tolist()
    return row


def _width(keys: KeyArray, head: int) -> int:
    start, stop = _bounds(keys, head)
    return stop - start
