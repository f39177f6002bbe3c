"""The alias table: a relation between representatives and the terms they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.closure.components.disjoint_sets import NOWHERE, Partition
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import KeptTable


class Aliases(KeptTable):
    """All (r, x) where r is the representative of x: the least id equal to x, and x itself without
    equals. Immutable.

    Every id is in it, so that it is never scanned. A look-up is O(1) or O(log n) by x, and costs
    its matches by r. The partition is shared with the table of the equality itself.
    """

    __slots__ = ("_partition", "_with_equals")

    def __init__(self, partition: Partition) -> None:
        self._partition = partition
        self._with_equals: IdArray | None = None

    def __len__(self) -> int:
        return 1 << 32

    @property
    def partition(self) -> Partition:
        """The classes of equal ids."""
        return self._partition

    @property
    def trivial(self) -> bool:
        """Whether every id stands for itself alone."""
        return self._partition.squares == self._partition.size

    # -- an id at a time

    def representative(self, id: int) -> int:
        number = self._partition.number(id)
        return id if number == NOWHERE else int(self._partition.members(number)[0])

    def members(self, id: int) -> list[int]:
        """All that are equal to an id, itself among them."""
        number = self._partition.number(id)
        return [id] if number == NOWHERE else self._partition.members(number).tolist()

    def has(self, key: int) -> bool:
        return self.representative(key & 0xFFFFFFFF) == key >> 32

    def objects(self, subject: int) -> list[int]:
        found = self.members(subject)
        return found if found[0] == subject else []

    def subjects(self, object_: int) -> list[int]:
        return [self.representative(object_)]

    # -- a column at a time

    def representatives(self, ids: IdArray) -> IdArray:
        """The representative of each id."""
        if not self._partition.size:
            return ids
        numbers = self._partition.numbers(ids)
        known = np.flatnonzero(numbers != NOWHERE)
        if not known.size:
            return ids
        found: IdArray = ids.copy()
        found[known] = self._partition.firsts(numbers[known])
        return found

    def have_equals(self, ids: IdArray) -> Mask:
        """For each id whether something else is equal to it."""
        found: Mask = self._partition.sizes(self._partition.numbers(ids)) > 1
        return found

    def normal(self, keys: KeyArray) -> KeyArray:
        """Each pair with representatives of both ends."""
        return kernels.pack(
            self.representatives(kernels.high(keys)), self.representatives(kernels.low(keys))
        )

    def is_normal(self, keys: KeyArray) -> Mask:
        """For each pair whether both ends are representatives."""
        found: Mask = self.normal(keys) == keys
        return found

    def beside(self, ids: IdArray) -> tuple[Indices, IdArray]:
        """(index into `ids`, id) for all that are equal to each, itself among them."""
        numbers = self._partition.numbers(ids)
        alone = np.flatnonzero(numbers == NOWHERE)
        if alone.size == ids.size:
            return np.arange(ids.size), ids
        known = np.flatnonzero(numbers != NOWHERE)
        at, found = self._partition.follow(numbers[known])
        if not alone.size:
            return at, found
        return np.concatenate((alone, known[at])), np.concatenate((ids[alone], found))

    def sizes(self, ids: IdArray) -> Indices:
        """How many each stands for; none where it is not a representative."""
        sizes = np.ones(ids.size, np.intp)
        numbers = self._partition.numbers(ids)
        known = np.flatnonzero(numbers != NOWHERE)
        numbers = numbers[known]
        first = self._partition.firsts(numbers) == ids[known]
        sizes[known] = np.where(first, self._partition.sizes(numbers), 0)
        return sizes

    def expanded(self, keys: KeyArray) -> KeyArray:
        """All pairs that the normal ones of the keys stand for, sorted."""
        at, subjects = self.by_subjects(kernels.high(keys))
        then, objects = self.by_subjects(kernels.low(keys)[at])
        return kernels.sort(kernels.pack(subjects[then], objects))

    def contains(self, keys: KeyArray) -> Mask:
        found: Mask = self.representatives(kernels.low(keys)) == kernels.high(keys)
        return found

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        if not self._partition.size:
            return np.arange(subjects.size), subjects
        chosen = np.flatnonzero(self.representatives(subjects) == subjects)
        at, found = self.beside(subjects[chosen])
        return chosen[at], found

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return np.arange(objects.size), self.representatives(objects)

    def scan(self) -> KeyArray:
        raise AssertionError("every id is its own alias")

    # -- versions

    @property
    def number(self) -> int:
        """How many ids stand for others or have others stand for them."""
        return self._partition.together

    def with_equals(self) -> IdArray:
        """The ids with equals, sorted. O(n)."""
        if self._with_equals is None:
            ids = self._partition.ids()
            self._with_equals = ids[self.have_equals(ids)]
        return self._with_equals

    def differing(self, other: Aliases) -> IdArray:
        """Sorted ids, all that are equal to others here than there (and possibly more)."""
        mine, others = self._partition, other._partition
        if mine is others:
            return kernels.NO_IDS
        both = mine.differing(others), others.differing(mine)
        return kernels.unique_ids(np.concatenate(both))

    def arrays(self) -> list[NDArray[Any]]:
        return self._partition.arrays()

    def overlay_bytes(self) -> int:
        return self._partition.overlay_bytes()

    def _check(self) -> None:
        ids = self._partition.ids()
        found = self.representatives(ids)
        assert found.tolist() == [self.representative(id) for id in ids.tolist()]
        assert (found <= ids).all()
        assert self.number == self.with_equals().size


NONE = Aliases(Partition())
"""Where nothing is equal to anything else."""
