"""The interface through which everything reads and changes the facts of one relation.

A table denotes a set of pairs (s, o) of ids, written as keys `s << 32 | o`. It is read either a
fact at a time (Python ints) or a column at a time (NumPy arrays); both give the same answers.
`Keys` come in those two forms as well: a list of ints for a few facts, a sorted uint64 array
for many. Methods that filter keys return the form they were given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table_thresholds import TABLES

Keys: TypeAlias = "list[int] | KeyArray"


class Table(ABC):
    """The reading half of a table. The order of results is fixed by the table's history, never
    by hashes."""

    __slots__ = ()

    changes_by_fact: ClassVar[bool] = False
    """Whether it is a MutableTable; to ask so costs a tenth of `isinstance`."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def has(self, key: int) -> bool:
        """Whether the pair is there."""

    @abstractmethod
    def objects(self, subject: int) -> list[int]:
        """All o with (subject, o)."""

    @abstractmethod
    def subjects(self, object_: int) -> list[int]:
        """All s with (s, object_)."""

    def first_object(self, subject: int) -> int | None:
        """The first of `objects`, of more than `narrow_batch` the least; None if there is none."""
        found = self.objects(subject)
        if len(found) > TABLES.narrow_batch:
            return min(found)
        return found[0] if found else None

    def few_objects(self, subject: int, most: int) -> list[int] | None:
        """All o with (subject, o); None where they are more than `most`."""
        found = self.objects(subject)
        return found if len(found) <= most else None

    def few_subjects(self, object_: int, most: int) -> list[int] | None:
        """All s with (s, object_); None where they may be more than `most`."""
        return self.subjects(object_) if self.subjects_at_most(object_) <= most else None

    @abstractmethod
    def contains(self, keys: KeyArray) -> Mask:
        """For each key whether it is there; keys in any order."""

    @abstractmethod
    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        """Join on the subject: (index into `subjects`, object) for every match."""

    @abstractmethod
    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        """Join on the object: (index into `objects`, subject) for every match."""

    @abstractmethod
    def scan(self) -> KeyArray:
        """All keys, sorted."""

    def blocks(self) -> Iterator[KeyArray]:
        """All keys in parts, each sorted, so that not all of them need to be held at once."""
        yield self.scan()

    def all(self) -> Keys:
        """All keys, sorted, in whichever form is at hand."""
        return self.scan()

    def at_most(self) -> int:
        """How many pairs there are, or more where counting would take long."""
        return len(self)

    def all_subjects(self) -> IdArray:
        """All s of the pairs, each once, sorted."""
        return kernels.unique_ids(kernels.high(self.scan()))

    def all_objects(self) -> IdArray:
        """All o of the pairs, each once, sorted."""
        return kernels.unique_ids(kernels.low(self.scan()))

    def is_subject(self, id: int) -> bool:
        """Whether there is a pair (id, o)."""
        return bool(self.objects(id))

    def is_object(self, id: int) -> bool:
        """Whether there is a pair (s, id)."""
        return bool(self.subjects(id))

    def are_subjects(self, ids: IdArray) -> Mask:
        """For each id whether there is a pair (id, o)."""
        return _met(ids, self.by_subjects(ids)[0])

    def are_objects(self, ids: IdArray) -> Mask:
        """For each id whether there is a pair (s, id)."""
        return _met(ids, self.by_objects(ids)[0])

    def mutual(self) -> int:
        """How many pairs are there both ways round."""
        found = (self.contains(kernels.swap(keys)) for keys in self.blocks())
        return sum(int(np.count_nonzero(there)) for there in found)

    def count(self, subject: int | None, object_: int | None) -> int:
        """How many pairs match; None matches all."""
        if subject is not None and object_ is not None:
            return int(self.has(subject << 32 | object_))
        if subject is not None:
            return len(self.objects(subject))
        return len(self) if object_ is None else len(self.subjects(object_))

    def subjects_at_most(self, object_: int) -> int:
        """How many pairs have the object, or more where counting would take long."""
        return self.count(None, object_)

    def present(self, keys: Keys) -> Keys:
        """The keys that are there."""
        if isinstance(keys, list):
            return [key for key in keys if self.has(key)]
        return keys[self.contains(keys)]

    def missing(self, keys: Keys) -> Keys:
        """The keys that are not there."""
        if isinstance(keys, list):
            return [key for key in keys if not self.has(key)]
        there = self.contains(keys)
        return keys[~there] if there.any() else keys


def _met(ids: IdArray, at: Indices) -> Mask:
    """For each id whether its place is among some."""
    found = np.zeros(ids.size, np.bool_)
    found[at] = True
    return found


class KeptTable(Table):
    """A table in which a version keeps a relation."""

    __slots__ = ()

    @abstractmethod
    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that hold the pairs; several tables may share them."""

    @abstractmethod
    def overlay_bytes(self) -> int:
        """Estimated memory beside the arrays."""

    def nbytes(self) -> int:
        """Estimated memory in bytes."""
        return sum(array.nbytes for array in self.arrays()) + self.overlay_bytes()

    def _check(self) -> None:
        """Asserts the table's invariants."""


class MutableTable(KeptTable):
    """A table that can change. Copies are independent of the original."""

    __slots__ = ()

    changes_by_fact = True

    @abstractmethod
    def add(self, keys: Keys) -> Keys:
        """Adds; returns those that were not there. Keys must be without repetition."""

    def extend(self, keys: Keys) -> None:
        """Adds keys none of which is there, without repetition."""
        self.add(keys)

    def absorb(self, table: MutableTable) -> None:
        """Adds all of a table with which this one has nothing in common."""
        self.extend(table.scan())

    def discard(self, keys: Keys) -> Keys:
        """Removes; returns those that were there. Keys must be without repetition."""
        gone = self.present(keys)
        self.remove(gone)
        return gone

    @abstractmethod
    def remove(self, keys: Keys) -> None:
        """Removes keys all of which are there, without repetition."""

    @abstractmethod
    def copy(self) -> MutableTable: ...

    def fork(self) -> MutableTable:
        """A table with the same pairs that may change; from now on this one must not."""
        return self.copy()
