"""Marked facts: sets that only grow and are asked only for membership."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.kernels import KeyArray, Mask
from rdfinc.tables.plain_table import NOTHING
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Keys


class Marked:
    """Facts of one relation: `few` ∪ `many`, which are disjoint.

    What comes in a list is added to the set, O(1) a fact; what comes in an array is merged into
    the sorted pairs, O(n). Keys are given back in the form that suits their number.
    """

    __slots__ = ("few", "many")

    def __init__(self, keys: Keys) -> None:
        """`keys` are without repetition, an array sorted."""
        if isinstance(keys, list):
            self.few, self.many = set(keys), NOTHING
        else:
            self.few, self.many = set[int](), SortedPairs(keys)

    def __len__(self) -> int:
        return len(self.few) + len(self.many)

    def __bool__(self) -> bool:
        return bool(self.few) or self.many is not NOTHING

    def has(self, key: int) -> bool:
        return key in self.few or (self.many is not NOTHING and self.many.has(key))

    def contains(self, keys: KeyArray) -> Mask:
        """For each key whether it is there; keys in any order."""
        found = self.many.contains(keys)
        return found | kernels.members(keys, self.few) if self.few else found

    def holds(self, keys: Keys) -> bool:
        """Whether all of the keys are there."""
        if isinstance(keys, list) and self.many is NOTHING:
            return self.few.issuperset(keys)
        return not len(self.missing(keys))

    def missing(self, keys: Keys) -> Keys:
        """The keys that are not marked."""
        if not isinstance(keys, list):
            return shaped(keys[~self.contains(keys)])
        if self.many is not NOTHING:
            return [key for key in keys if not self.has(key)]
        few = self.few
        return [key for key in keys if key not in few] if few else keys

    def present(self, keys: Keys) -> Keys:
        """The keys that are marked."""
        if not isinstance(keys, list):
            return shaped(keys[self.contains(keys)])
        if self.many is not NOTHING:
            return [key for key in keys if self.has(key)]
        few = self.few
        return [key for key in keys if key in few] if few else []

    def split(self, keys: Keys) -> tuple[Keys, Keys]:
        """The keys that are marked, and those that are not."""
        return self.present(keys), self.missing(keys)

    def add(self, keys: Keys) -> Keys:
        """Adds; returns those that were not there."""
        fresh = self.missing(keys) if self.few or self.many is not NOTHING else keys
        if isinstance(fresh, list):
            self.few.update(fresh)
        else:
            self.many = self.many.plus(fresh)
        return fresh

    def keys(self) -> Keys:
        """All marked keys."""
        if self.many is NOTHING:
            return shaped(list(self.few))
        few = np.sort(np.array(list(self.few), np.uint64))
        return shaped(kernels.merge(self.many.keys, few))


class AllMarked(Marked):
    """All pairs, none of which is listed."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__([])

    def has(self, key: int) -> bool:
        return True

    def contains(self, keys: KeyArray) -> Mask:
        return np.ones(keys.size, np.bool_)

    def missing(self, keys: Keys) -> Keys:
        return []

    def present(self, keys: Keys) -> Keys:
        return keys

    def holds(self, keys: Keys) -> bool:
        return True

    def add(self, keys: Keys) -> Keys:
        return []


class Swapped:
    """Marked facts, asked for with subject and object exchanged."""

    __slots__ = ("_marked",)

    def __init__(self, marked: Marked) -> None:
        self._marked = marked

    def has(self, key: int) -> bool:
        return self._marked.has((key & 0xFFFFFFFF) << 32 | key >> 32)

    def contains(self, keys: KeyArray) -> Mask:
        return self._marked.contains(kernels.swap(keys))

    def missing(self, keys: Keys) -> Keys:
        """The keys that are not marked."""
        if isinstance(keys, list):
            return [key for key in keys if not self.has(key)]
        return shaped(keys[~self.contains(keys)])

    def holds(self, keys: Keys) -> bool:
        """Whether all of the keys are there."""
        return not len(self.missing(keys))


class Marks(dict[int, Marked]):
    """Marked facts by predicate; a relation that is asked for is there."""

    def __missing__(self, predicate: int) -> Marked:
        marked = self[predicate] = Marked([])
        return marked

    def table(self, predicate: int) -> Marked:
        return self[predicate]

    def __bool__(self) -> bool:
        return any(map(len, self.values()))

    def add(self, batch: Batch) -> Batch:
        """Marks; returns those that were not marked."""
        fresh: Batch = {}
        for predicate, keys in batch.items():
            some = self[predicate].add(keys)
            if len(some):
                fresh[predicate] = some
        return fresh

    def missing(self, batch: Batch) -> Batch:
        """The facts of the batch that are not marked."""
        found: Batch = {}
        for predicate, keys in batch.items():
            marked = self.get(predicate)
            some = keys if marked is None else marked.missing(keys)
            if len(some):
                found[predicate] = some
        return found

    def present(self, predicate: int, keys: Keys) -> Keys:
        """The facts of a relation that are marked."""
        marked = self.get(predicate)
        return [] if marked is None else marked.present(keys)

    def batch(self) -> Batch:
        """All marked facts."""
        return {predicate: marked.keys() for predicate, marked in self.items() if len(marked)}
