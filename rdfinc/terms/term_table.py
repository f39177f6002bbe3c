"""The ids of terms by the hashes of their texts, in one array, in memory or mapped."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from rdfinc.terms.term_thresholds import TERMS

if TYPE_CHECKING:
    from rdfinc.terms.dictionary import Ids

Entries = npt.NDArray[np.uint64]
"""Hashes of terms in the high halves, their ids in the low ones."""

_HALF = np.uint64(32)
_HIGH = 1 if sys.byteorder == "little" else 0  # which half of an entry is the high one
_MOST_HASHES = 1 << 32


class TermTable(Struct, frozen=True, dict=True):
    """A hash table with linear probing (Knuth, *Sorting and Searching*, 6.4) whose entries are in
    order (Amble and Knuth, *Ordered hash tables*, 1974).

    An entry stands in the slot `hash * capacity >> 32`, or behind that and other entries without a
    gap. A gap is 0; one ends the table, behind the last of the `capacity` slots. So whoever looks
    for an entry from its slot on may stop at a greater one and at a gap: at 5 slots for 3 entries
    after 1.6 of them. 13.3 bytes an entry.
    """

    slots: Entries
    capacity: int

    @classmethod
    def of(cls, entries: Entries) -> TermTable:
        """The table of entries that are in order. 30 ns for each of them."""
        capacity = min(1 + len(entries) * 5 // 3, _MOST_HASHES)
        last = 0
        for _, places in _places(entries, capacity):
            last = int(places[-1])
        slots = np.zeros(1 + max(capacity, 1 + last), np.uint64)
        for some, places in _places(entries, capacity):
            slots[places] = some
        return cls(slots, capacity)

    @property
    def is_whole(self) -> bool:
        """Whether all searches end in the table."""
        return 0 < self.capacity < len(self.slots) and not self.slots[-1]

    @property
    def entries(self) -> Entries:
        """All entries, in order."""
        return self.slots[self.slots > 0]

    @property
    def hashes(self) -> Ids:
        """The hash in each slot, 0 in a gap."""
        return self.slots.view(np.uint32)[_HIGH::2]

    @property
    def ids(self) -> Ids:
        """The id in each slot, 0 in a gap alone."""
        return self.slots.view(np.uint32)[1 - _HIGH :: 2]

    @cached_property
    def count(self) -> int:
        """The number of entries."""
        return int(np.count_nonzero(self.slots))

    def first_ids(self, hashes: Entries) -> Ids:
        """The first id with each of some hashes, 0 where there is none. 0.1 µs for each of them,
        half of it if they are in order."""
        at, least = _slots_of(hashes, self.capacity), hashes << _HALF
        found = self.slots[at]
        less = np.flatnonzero((found > 0) & (found < least))
        while less.size:
            at[less] += 1
            found[less] = following = self.slots[at[less]]
            less = less[(following > 0) & (following < least[less])]
        return np.where(found >> _HALF == hashes, found, 0).astype(np.uint32)


def _places(entries: Entries, capacity: int) -> Iterator[tuple[Entries, npt.NDArray[np.int64]]]:
    """Some of the entries, which are in order, and the slot of each: its own, or the next one
    behind those before it. Some at a time, since what passes would take more than the table."""
    step, end = TERMS.placed_entries, 0
    for start in range(0, len(entries), step):
        some = entries[start : start + step]
        order = np.arange(len(some))
        places = _slots_of(some >> _HALF, capacity)
        places[0] = max(int(places[0]), end)
        places -= order
        np.maximum.accumulate(places, out=places)
        places += order
        end = int(places[-1]) + 1
        yield some, places


def _slots_of(hashes: Entries, capacity: int) -> npt.NDArray[np.int64]:
    slots = hashes * np.uint64(capacity)
    slots >>= _HALF
    return slots.view(np.int64)


def ids_of(entries: Entries) -> Ids:
    """The ids of entries."""
    return entries.astype(np.uint32)
