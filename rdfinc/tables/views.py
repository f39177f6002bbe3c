"""Tables made of other tables without copying: how the states of an update are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import NO_IDS, NO_KEYS, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES

Match = tuple[Indices, IdArray]


class Empty(Table):
    """No pairs."""

    __slots__ = ()

    def __len__(self) -> int:
        return 0

    def has(self, key: int) -> bool:
        return False

    def objects(self, subject: int) -> list[int]:
        return []

    def subjects(self, object_: int) -> list[int]:
        return []

    def contains(self, keys: KeyArray) -> Mask:
        return np.zeros(keys.size, np.bool_)

    def by_subjects(self, subjects: IdArray) -> Match:
        return np.empty(0, np.intp), NO_IDS

    def by_objects(self, objects: IdArray) -> Match:
        return np.empty(0, np.intp), NO_IDS

    def scan(self) -> KeyArray:
        return NO_KEYS


EMPTY = Empty()


class Members(Protocol):
    """A set of pairs that is only asked for membership."""

    def has(self, key: int) -> bool: ...

    def contains(self, keys: KeyArray) -> Mask: ...


class DifferenceView(Table):
    """`base` ∖ `gone`; `gone` need not be a subset. Costs one lookup in `gone` per match, while
    something is gone."""

    __slots__ = ("base", "gone")

    def __init__(self, base: Table, gone: Members) -> None:
        self.base, self.gone = base, gone

    def __len__(self) -> int:
        return self.scan().size

    def at_most(self) -> int:
        return self.base.at_most()

    def subjects_at_most(self, object_: int) -> int:
        return self.base.subjects_at_most(object_)

    def has(self, key: int) -> bool:
        return not self.gone.has(key) and self.base.has(key)

    def objects(self, subject: int) -> list[int]:
        objects, gone = self.base.objects(subject), self.gone
        if not (objects and gone):
            return objects
        if len(objects) > TABLES.many_viewed_ids:
            return self._left(subject, objects, objects)
        high = subject << 32
        return [o for o in objects if not gone.has(high | o)]

    def subjects(self, object_: int) -> list[int]:
        subjects, gone = self.base.subjects(object_), self.gone
        if not (subjects and gone):
            return subjects
        if len(subjects) > TABLES.many_viewed_ids:
            return self._left(subjects, object_, subjects)
        return [s for s in subjects if not gone.has(s << 32 | object_)]

    def is_subject(self, id: int) -> bool:
        return bool(self.objects(id)) if self.gone else self.base.is_subject(id)

    def is_object(self, id: int) -> bool:
        return bool(self.subjects(id)) if self.gone else self.base.is_object(id)

    def _left(self, s: int | list[int], o: int | list[int], found: list[int]) -> list[int]:
        """The ids found whose pairs are not gone."""
        kept = ~self.gone.contains(kernels.pack(s, o))
        left: list[int] = np.array(found, np.uint32)[kept].tolist()
        return left

    def contains(self, keys: KeyArray) -> Mask:
        found = self.base.contains(keys)
        if self.gone:
            found[found] = ~self.gone.contains(keys[found])
        return found

    def by_subjects(self, subjects: IdArray) -> Match:
        at, objects = self.base.by_subjects(subjects)
        if not self.gone:
            return at, objects
        kept = ~self.gone.contains(kernels.pack(subjects[at], objects))
        return at[kept], objects[kept]

    def by_objects(self, objects: IdArray) -> Match:
        at, subjects = self.base.by_objects(objects)
        if not self.gone:
            return at, subjects
        kept = ~self.gone.contains(kernels.pack(subjects, objects[at]))
        return at[kept], subjects[kept]

    def scan(self) -> KeyArray:
        keys = self.base.scan()
        return keys[~self.gone.contains(keys)] if self.gone else keys


class Lacking:
    """The pairs that a table lacks."""

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table

    def has(self, key: int) -> bool:
        return not self.table.has(key)

    def contains(self, keys: KeyArray) -> Mask:
        return ~self.table.contains(keys)


class IntersectionView(DifferenceView):
    """The pairs that two tables have in common; read from the first."""

    __slots__ = ()

    def __init__(self, first: Table, second: Table) -> None:
        super().__init__(first, Lacking(second))


class With(Table):
    """`base` ∪ `more`, which must be disjoint."""

    __slots__ = ("base", "more")

    def __init__(self, base: Table, more: Table) -> None:
        self.base, self.more = base, more

    def __len__(self) -> int:
        return len(self.base) + len(self.more)

    def at_most(self) -> int:
        return self.base.at_most() + self.more.at_most()

    def subjects_at_most(self, object_: int) -> int:
        return self.base.subjects_at_most(object_) + self.more.subjects_at_most(object_)

    def has(self, key: int) -> bool:
        return self.more.has(key) or self.base.has(key)

    def objects(self, subject: int) -> list[int]:
        return self.base.objects(subject) + self.more.objects(subject)

    def subjects(self, object_: int) -> list[int]:
        return self.base.subjects(object_) + self.more.subjects(object_)

    def contains(self, keys: KeyArray) -> Mask:
        return self.base.contains(keys) | self.more.contains(keys)

    def by_subjects(self, subjects: IdArray) -> Match:
        return _joined(self.base.by_subjects(subjects), self.more.by_subjects(subjects))

    def by_objects(self, objects: IdArray) -> Match:
        return _joined(self.base.by_objects(objects), self.more.by_objects(objects))

    def is_subject(self, id: int) -> bool:
        return self.more.is_subject(id) or self.base.is_subject(id)

    def is_object(self, id: int) -> bool:
        return self.more.is_object(id) or self.base.is_object(id)

    def are_subjects(self, ids: IdArray) -> Mask:
        return self.base.are_subjects(ids) | self.more.are_subjects(ids)

    def are_objects(self, ids: IdArray) -> Mask:
        return self.base.are_objects(ids) | self.more.are_objects(ids)

    def scan(self) -> KeyArray:
        return kernels.merge(self.base.scan(), self.more.scan())

    def count(self, subject: int | None, object_: int | None) -> int:
        return self.base.count(subject, object_) + self.more.count(subject, object_)


class OnlyObjects(Table):
    """The pairs of `base` whose object is one of `allowed`."""

    __slots__ = ("allowed", "base")

    def __init__(self, base: Table, allowed: set[int]) -> None:
        self.base, self.allowed = base, allowed

    def __len__(self) -> int:
        return self.scan().size

    def at_most(self) -> int:
        return self.base.at_most()

    def has(self, key: int) -> bool:
        return key & 0xFFFFFFFF in self.allowed and self.base.has(key)

    def objects(self, subject: int) -> list[int]:
        return [o for o in self.base.objects(subject) if o in self.allowed]

    def subjects(self, object_: int) -> list[int]:
        return self.base.subjects(object_) if object_ in self.allowed else []

    def contains(self, keys: KeyArray) -> Mask:
        return self.base.contains(keys) & kernels.members(kernels.low(keys), self.allowed)

    def by_subjects(self, subjects: IdArray) -> Match:
        at, objects = self.base.by_subjects(subjects)
        kept = kernels.members(objects, self.allowed)
        return at[kept], objects[kept]

    def by_objects(self, objects: IdArray) -> Match:
        chosen = np.flatnonzero(kernels.members(objects, self.allowed))
        at, subjects = self.base.by_objects(objects[chosen])
        return chosen[at], subjects

    def scan(self) -> KeyArray:
        keys = self.base.scan()
        return keys[kernels.members(kernels.low(keys), self.allowed)]

    def count(self, subject: int | None, object_: int | None) -> int:
        if object_ is not None:
            return self.base.count(subject, object_) if object_ in self.allowed else 0
        return len(self) if subject is None else len(self.objects(subject))


class UnionView(Table):
    """The pairs of some tables that may overlap, each once."""

    __slots__ = ("tables",)

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tuple(tables)

    def __len__(self) -> int:
        return self.scan().size

    def at_most(self) -> int:
        return sum(table.at_most() for table in self.tables)

    def subjects_at_most(self, object_: int) -> int:
        return sum(table.subjects_at_most(object_) for table in self.tables)

    def has(self, key: int) -> bool:
        return any(table.has(key) for table in self.tables)

    def objects(self, subject: int) -> list[int]:
        return list(dict.fromkeys(o for table in self.tables for o in table.objects(subject)))

    def subjects(self, object_: int) -> list[int]:
        return list(dict.fromkeys(s for table in self.tables for s in table.subjects(object_)))

    def contains(self, keys: KeyArray) -> Mask:
        return _any((table.contains(keys) for table in self.tables), keys.size)

    def by_subjects(self, subjects: IdArray) -> Match:
        return once([table.by_subjects(subjects) for table in self.tables])

    def by_objects(self, objects: IdArray) -> Match:
        return once([table.by_objects(objects) for table in self.tables])

    def all_subjects(self) -> IdArray:
        return _all([table.all_subjects() for table in self.tables])

    def all_objects(self) -> IdArray:
        return _all([table.all_objects() for table in self.tables])

    def is_subject(self, id: int) -> bool:
        return any(table.is_subject(id) for table in self.tables)

    def is_object(self, id: int) -> bool:
        return any(table.is_object(id) for table in self.tables)

    def are_subjects(self, ids: IdArray) -> Mask:
        return _any((table.are_subjects(ids) for table in self.tables), ids.size)

    def are_objects(self, ids: IdArray) -> Mask:
        return _any((table.are_objects(ids) for table in self.tables), ids.size)

    def scan(self) -> KeyArray:
        return kernels.unique(np.concatenate([table.scan() for table in self.tables]))


def either(tables: Sequence[Table]) -> Table:
    """The pairs of some tables, each once."""
    return tables[0] if len(tables) == 1 else UnionView(tables)


def _all(ids: Sequence[IdArray]) -> IdArray:
    """The elements of some sorted sequences, each once."""
    return ids[0] if len(ids) == 1 else kernels.unique_ids(np.concatenate(ids))


def _any(masks: Iterable[Mask], size: int) -> Mask:
    """Where, of `size` places, one of some masks is true."""
    found = np.zeros(size, np.bool_)
    for mask in masks:
        found |= mask
    return found


def once(found: Sequence[Match]) -> Match:
    """All matches, each once."""
    keys = [kernels.pack(at, ids) for at, ids in found]
    matches = kernels.unique(np.concatenate(keys))
    return (matches >> kernels.SHIFT).astype(np.intp), kernels.low(matches)


def _joined(first: Match, second: Match) -> Match:
    if not second[0].size:
        return first
    if not first[0].size:
        return second
    return np.concatenate((first[0], second[0])), np.concatenate((first[1], second[1]))
