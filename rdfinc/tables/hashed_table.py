"""Tables that are obviously right: a dict of sets each way. Slow; the oracles for the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Keys, MutableTable, Table


class Hashed(MutableTable):
    """Pairs as `{s: {o}}` and `{o: {s}}`; every operation is a plain loop."""

    __slots__ = ("_by_object", "_by_subject")

    def __init__(self) -> None:
        self._by_subject: dict[int, set[int]] = {}
        self._by_object: dict[int, set[int]] = {}

    def __len__(self) -> int:
        return sum(len(row) for row in self._by_subject.values())

    def has(self, key: int) -> bool:
        return key & 0xFFFFFFFF in self._by_subject.get(key >> 32, ())

    def objects(self, subject: int) -> list[int]:
        return sorted(self._by_subject.get(subject, ()))

    def subjects(self, object_: int) -> list[int]:
        return sorted(self._by_object.get(object_, ()))

    def contains(self, keys: KeyArray) -> Mask:
        return np.array([self.has(key) for key in keys.tolist()], np.bool_)

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        return _pairs([(i, o) for i, s in enumerate(subjects.tolist()) for o in self.objects(s)])

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return _pairs([(i, s) for i, o in enumerate(objects.tolist()) for s in self.subjects(o)])

    def scan(self) -> KeyArray:
        return np.array(sorted(self._keys()), np.uint64)

    def _keys(self) -> list[int]:
        return [s << 32 | o for s, row in self._by_subject.items() for o in row]

    def count(self, subject: int | None, object_: int | None) -> int:
        return sum(
            subject in (None, key >> 32) and object_ in (None, key & 0xFFFFFFFF)
            for key in self._keys()
        )

    def add(self, keys: Keys) -> Keys:
        fresh = self.missing(keys)
        for key in fresh if isinstance(fresh, list) else fresh.tolist():
            self._by_subject.setdefault(key >> 32, set()).add(key & 0xFFFFFFFF)
            self._by_object.setdefault(key & 0xFFFFFFFF, set()).add(key >> 32)
        return fresh

    def remove(self, keys: Keys) -> None:
        for key in keys if isinstance(keys, list) else keys.tolist():
            self._by_subject[key >> 32].remove(key & 0xFFFFFFFF)
            self._by_object[key & 0xFFFFFFFF].remove(key >> 32)

    def copy(self) -> Hashed:
        twin = Hashed()
        twin._by_subject = {s: set(row) for s, row in self._by_subject.items()}
        twin._by_object = {o: set(row) for o, row in self._by_object.items()}
        return twin

    def arrays(self) -> list[KeyArray]:
        return []

    def overlay_bytes(self) -> int:
        return 200 * len(self)

    def _check(self) -> None:
        forward = {(s, o) for s, row in self._by_subject.items() for o in row}
        assert forward == {(s, o) for o, row in self._by_object.items() for s in row}


class HashedClosure(ClosedTable):
    """A closure found by adding what follows in one step until nothing is new."""

    __slots__ = ("_diagonal", "_pairs", "_symmetric")

    def __init__(self, external: Table, *, symmetric: bool, diagonal: bool) -> None:
        self._symmetric, self._diagonal, self._pairs = symmetric, diagonal, Hashed()
        fresh = external.scan()
        while fresh.size:
            self._pairs.add(fresh)
            fresh = np.array(sorted(self._steps()), np.uint64)

    def _steps(self) -> set[int]:
        """The pairs that follow in one step and are not there."""
        keys = self._pairs.scan().tolist()
        found = {
            key >> 32 << 32 | o
            for key in keys
            for o in self._pairs.objects(key & 0xFFFFFFFF)
            if self._diagonal or key >> 32 != o
        }
        if self._symmetric:
            found.update((key & 0xFFFFFFFF) << 32 | key >> 32 for key in keys)
        return found.difference(keys)

    def after_edges(self, external: Table, gone: Keys, new: Keys) -> HashedClosure:
        return HashedClosure(external, symmetric=self._symmetric, diagonal=self._diagonal)

    def __len__(self) -> int:
        return len(self._pairs)

    def has(self, key: int) -> bool:
        return self._pairs.has(key)

    def objects(self, subject: int) -> list[int]:
        return self._pairs.objects(subject)

    def subjects(self, object_: int) -> list[int]:
        return self._pairs.subjects(object_)

    def contains(self, keys: KeyArray) -> Mask:
        return self._pairs.contains(keys)

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        return self._pairs.by_subjects(subjects)

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return self._pairs.by_objects(objects)

    def scan(self) -> KeyArray:
        return self._pairs.scan()

    def count(self, subject: int | None, object_: int | None) -> int:
        return self._pairs.count(subject, object_)

    def arrays(self) -> list[NDArray[Any]]:
        return []

    def overlay_bytes(self) -> int:
        return self._pairs.overlay_bytes()


def _pairs(pairs: list[tuple[int, int]]) -> tuple[Indices, IdArray]:
    array = np.array(pairs, np.int64).reshape(-1, 2)
    return array[:, 0].astype(np.intp), array[:, 1].astype(np.uint32)
