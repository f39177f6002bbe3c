"""An immutable relation in PSO and POS order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import LOW, NO_KEYS, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.pair_bits import PairBits
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES


class SortedPairs(Table):
    """The set of pairs in a sorted key array; the swapped order is built when first needed.

    One lookup is O(log n), a column of m lookups O(m log n) plus its matches; 8 bytes a pair and
    order. Arrays are never written to, so any number of tables may share them. Of one pair or row,
    Python's bisection of the array's buffer takes two thirds of the time of NumPy's. Once so many
    pairs were `_searched` that bits would have cost less, these are made, if the pairs are dense.
    """

    __slots__ = ("_bits", "_searched", "_swapped", "keys")

    def __init__(self, keys: KeyArray = NO_KEYS, swapped: KeyArray | None = None) -> None:
        self.keys = keys
        self._swapped = swapped
        self._bits: PairBits | None = None
        self._searched = 0

    def __reduce__(self) -> tuple[Callable[..., SortedPairs], tuple[KeyArray | None, ...]]:
        return _restored, (self.keys, self._swapped)

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

    def without(self, gone: KeyArray) -> SortedPairs:
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
        view = self.keys.data
        at = bisect_left(view, key)
        return at < len(view) and view[at] == key

    def objects(self, subject: int) -> list[int]:
        return _few(self.keys, subject, len(self.keys)) or []

    def subjects(self, object_: int) -> list[int]:
        return _few(self.swapped, object_, len(self.keys)) or []

    def first_object(self, subject: int) -> int | None:
        view = self.keys.data
        at = bisect_left(view, subject << 32)
        if at == len(view):
            return None
        key: int = view[at]
        return key & 0xFFFFFFFF if key >> 32 == subject else None

    def few_objects(self, subject: int, most: int) -> list[int] | None:
        return _few(self.keys, subject, most)

    def few_subjects(self, object_: int, most: int) -> list[int] | None:
        return _few(self.swapped, object_, most)

    def is_subject(self, id: int) -> bool:
        return _begins(self.keys, id)

    def is_object(self, id: int) -> bool:
        return _begins(self.swapped, id)

    def contains(self, keys: KeyArray) -> Mask:
        if self._bits is None and keys.size > TABLES.many_ids:
            self._bits = self._bits_after(keys.size)
        return (
            kernels.contains(self.keys, keys) if self._bits is None else self._bits.contains(keys)
        )

    def _bits_after(self, searched: int) -> PairBits | None:
        """The pairs as bits, if it has come to that by more searches."""
        most = self.keys.size // TABLES.bits_made_a_search
        before, self._searched = self._searched, self._searched + searched
        return PairBits.of(self.keys) if before <= most < self._searched else None

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

    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that there are by now."""
        bits = None if self._bits is None else self._bits.array()
        return [array for array in (self.keys, self._swapped, bits) if array is not None]


def _restored(keys: KeyArray, swapped: KeyArray | None) -> SortedPairs:
    """Arrays may come out of the middle of a message, or from a machine of another kind."""
    return SortedPairs(_own(keys), None if swapped is None else _own(swapped))


def _own(keys: KeyArray) -> KeyArray:
    """The keys as this machine keeps them."""
    return np.require(keys, np.uint64, "A")


def _begins(keys: KeyArray, head: int) -> bool:
    """Whether a row is there."""
    view = keys.data
    at = bisect_left(view, head << 32)
    return at < len(view) and view[at] >> 32 == head


def _few(keys: KeyArray, head: int, most: int) -> list[int] | None:
    """The tails of the pairs with this head; None where they are more than `most`."""
    view, end, far = keys.data, head + 1 << 32, TABLES.row_pair_by_pair
    start = bisect_left(view, head << 32)
    row: list[int] = []
    for key in view[start : start + far]:
        if key >= end:  # after one or two, in most rows
            return row if len(row) <= most else None
        row.append(key & 0xFFFFFFFF)
    stop = bisect_left(view, end, start + len(row))
    if stop - start > most:
        return None
    return row if stop == start + len(row) else (keys[start:stop] & LOW).tolist()


def _width(keys: KeyArray, head: int) -> int:
    start, stop = kernels.span(keys, head)
    return stop - start
