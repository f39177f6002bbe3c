"""The heads of a round that are not known yet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rdfinc.reasoning.evaluation.run import Parts
from rdfinc.reasoning.evaluation.states import State
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, shaped
from rdfinc.tables.kernels import IdArray, Mask
from rdfinc.tables.table import Keys
from rdfinc.tables.table_thresholds import TABLES

Group = tuple[int, int]
"""A predicate and an object: what is the same in the heads of a group."""


class MemberMarks:
    """The subjects of groups: a bit for each id and group, eight groups in an array of bytes."""

    def __init__(self) -> None:
        self._bytes: list[NDArray[np.uint8]] = []
        self._places: dict[Group, tuple[int, np.uint8]] = {}

    def __contains__(self, group: Group) -> bool:
        return group in self._places

    def objects(self, predicate: int) -> set[int]:
        """The objects of the groups of a predicate."""
        return {object_ for p, object_ in self._places if p == predicate}

    def begin(self, group: Group, members: IdArray) -> None:
        """Marks the members of a group that has no marks yet."""
        array, bit = divmod(len(self._places), 8)
        if not bit:
            self._bytes.append(np.zeros(0, np.uint8))
        self._places[group] = array, np.uint8(1 << bit)
        self._mark(group, members)

    def take(self, group: Group, subjects: IdArray) -> IdArray:
        """The subjects without a mark of the group, sorted, each once; marked from now on."""
        new = kernels.unique_ids(subjects[np.flatnonzero(~self.are_marked(group, subjects))])
        self._mark(group, new)
        return new

    def are_marked(self, group: Group, subjects: IdArray) -> Mask:
        """For each subject whether it has a mark of the group."""
        array, bit = self._places[group]
        self._reach(array, subjects)
        found: Mask = (self._bytes[array][subjects] & bit).astype(np.bool_)
        return found

    def _mark(self, group: Group, ids: IdArray) -> None:
        """The ids are different."""
        array, bit = self._places[group]
        self._reach(array, ids)
        self._bytes[array][ids] |= bit

    def _reach(self, array: int, ids: IdArray) -> None:
        """Makes an array long enough for some ids."""
        held, size = self._bytes[array], int(ids.max(initial=0)) + 1
        if held.size < size:
            self._bytes[array] = np.concatenate((held, np.zeros(size - held.size, np.uint8)))


class UnknownHeads(Parts):
    """Collects unknown heads.

    Where many heads of one group come in, its known and its collected subjects are marked. So most
    heads, known already, go without a search and without a sort.
    """

    def __init__(self, known: State) -> None:
        super().__init__()
        self._known = known
        self._marks = MemberMarks()
        self._marked: dict[int, list[tuple[IdArray, int]]] = {}

    def members(self, predicate: int, subjects: IdArray, object_: int) -> None:
        group = predicate, object_
        if group not in self._marks and not self._begin(group, subjects):
            super().members(predicate, subjects, object_)
            return
        new = self._marks.take(group, subjects)
        if new.size:
            self._marked.setdefault(predicate, []).append((new, object_))

    def _begin(self, group: Group, subjects: IdArray) -> bool:
        """Has the group marked from now on, if that pays with so many more subjects."""
        if subjects.size <= TABLES.many_ids:
            return False
        predicate, object_ = group
        wanted = np.array([object_], np.uint32)
        _, known = self._known.table(predicate).by_objects(wanted)
        largest = max(int(subjects.max()), int(known.max(initial=0)))
        if not kernels.is_dense(largest, subjects.size + known.size):
            return False
        self._marks.begin(group, known)
        return True

    def batch(self) -> Batch:
        """The collected facts; no longer collected then, so that they are not held twice."""
        found = self._known.missing(gather(self))
        self.clear()
        for predicate, members in self._marked.items():
            found[predicate] = _together(self._unmarked(predicate, found), members)
        return found

    def _unmarked(self, predicate: int, batch: Batch) -> Keys:
        """The facts of a predicate in a batch that are not marked as well: they were collected
        before their group was."""
        keys = np.asarray(batch.get(predicate, []), np.uint64)
        twice = kernels.members(kernels.low(keys), self._marks.objects(predicate))
        parts = [keys[~twice]]
        for object_, some in kernels.grouped(kernels.low(keys[twice]), keys[twice]):
            marked = self._marks.are_marked((predicate, object_), kernels.high(some))
            parts.append(some[~marked])
        return np.concatenate(parts)


def _together(some: Keys, members: list[tuple[IdArray, int]]) -> Keys:
    """Some facts, and those of groups of members, which leave the list; all are different."""
    keys = np.empty(len(some) + sum(subjects.size for subjects, _ in members), np.uint64)
    keys[: len(some)] = some
    start = len(some)
    while members:
        subjects, object_ = members.pop()
        part = keys[start : start + subjects.size]
        part[:] = subjects
        part <<= kernels.SHIFT
        part |= np.uint64(object_)
        start += subjects.size
    kernels.sort_in_place(keys)
    return shaped(keys)
