"""The plain storage scheme: every pair of the closed relation is there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Keys, MutableTable, Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.views import DifferenceView, With

Rows = dict[int, set[int]]

Ends = Callable[[int], tuple[int, int]]


NOTHING = SortedPairs()


class Plain(MutableTable):
    """(`base` ∖ `dead`) ∪ `extra`: sorted arrays and an overlay of recent changes.

    The base of a fork may be a table over arrays itself, which does not change any more.

    Invariants: `dead` ⊆ base, `extra` ∩ base = ∅, |dead| + |extra| ≤ `plain_overlay` after every
    call. A single change costs O(log n), and every `plain_overlay` changes one O(n) fold; a bulk
    change of m is O(n + m log m). Base arrays are immutable and shared by copies. Threads may read
    a table together: what a question builds for the next ones is there once it is whole.
    """

    __slots__ = ("_by_object", "_by_subject", "_view", "base", "dead", "extra")

    def __init__(self, base: SortedPairs | Plain = NOTHING) -> None:
        self.base = base
        self.extra: set[int] = set()
        self.dead: set[int] = set()
        self._by_subject: Rows | None = None
        self._by_object: Rows | None = None
        self._view: Table | None = None

    def copy(self) -> Plain:
        twin = Plain(self.base)
        twin.extra, twin.dead = set(self.extra), set(self.dead)
        return twin

    def fork(self) -> Plain:
        """O(`plain_recent`), and once in so many changes O(`plain_overlay`)."""
        if self._waiting() <= TABLES.plain_recent:
            return self.copy()
        return Plain(self._over_arrays())

    def _over_arrays(self) -> Plain:
        """An equal table over arrays, not to be changed."""
        shared = self.base
        if not isinstance(shared, Plain):
            return self
        twin = shared.copy()
        twin._by_subject = _changeable(shared._by_subject, self, _forward)
        twin._by_object = _changeable(shared._by_object, self, _backward)
        for key in self.dead:
            twin._remove(key)
        for key in self.extra:
            twin._add(key)
        return twin if twin._waiting() <= TABLES.plain_overlay else Plain(twin._folded())

    def _waiting(self) -> int:
        return len(self.extra) + len(self.dead)

    # -- a fact at a time

    def __len__(self) -> int:
        return len(self.base) - len(self.dead) + len(self.extra)

    def has(self, key: int) -> bool:
        if key in self.extra:
            return True
        return self.base is not NOTHING and self.base.has(key) and key not in self.dead

    def objects(self, subject: int) -> list[int]:
        found = [] if self.base is NOTHING else self.base.objects(subject)
        if self.dead and found:
            high = subject << 32
            found = [o for o in found if high | o not in self.dead]
        if self.extra:
            found += self._rows_by_subject().get(subject, ())
        return found

    def first_object(self, subject: int) -> int | None:
        if self.dead:
            return super().first_object(subject)
        added = self._rows_by_subject().get(subject) if self.extra else None
        if not added:
            return self.base.first_object(subject)
        few = self.few_objects(subject, TABLES.narrow_batch)
        if few is not None or not isinstance(self.base, SortedPairs):
            return few[0] if few else super().first_object(subject)
        first = self.base.first_object(subject)
        return min(added) if first is None else min(first, *added)

    def few_objects(self, subject: int, most: int) -> list[int] | None:
        if self.dead:
            return self.objects(subject) if self.count(subject, None) <= most else None
        found = self.base.few_objects(subject, most)
        if not self.extra or found is None:
            return found
        found += self._rows_by_subject().get(subject, ())
        return found if len(found) <= most else None

    def subjects(self, object_: int) -> list[int]:
        found = [] if self.base is NOTHING else self.base.subjects(object_)
        if self.dead and found:
            found = [s for s in found if s << 32 | object_ not in self.dead]
        if self.extra:
            found += self._rows_by_object().get(object_, ())
        return found

    def few_subjects(self, object_: int, most: int) -> list[int] | None:
        if not (self.dead or self.extra):
            return self.base.few_subjects(object_, most)
        return super().few_subjects(object_, most)

    def _rows_by_subject(self) -> Rows:
        if self._by_subject is None:
            self._by_subject = self._rows(_forward)
        return self._by_subject

    def _rows_by_object(self) -> Rows:
        if self._by_object is None:
            self._by_object = self._rows(_backward)
        return self._by_object

    def _rows(self, ends: Ends) -> Rows:
        rows: Rows = {}
        for head, tail in map(ends, self.extra):
            rows.setdefault(head, set()).add(tail)
        return rows

    def is_subject(self, id: int) -> bool:
        if self.extra and id in self._rows_by_subject():
            return True
        if self.base is NOTHING:
            return False
        return bool(self.objects(id)) if self.dead else self.base.is_subject(id)

    def is_object(self, id: int) -> bool:
        if self.extra and id in self._rows_by_object():
            return True
        if self.base is NOTHING:
            return False
        return bool(self.subjects(id)) if self.dead else self.base.is_object(id)

    # -- a column at a time

    def _columns(self) -> Table:
        if self._view is None:
            view: Table = self.base
            if self.dead:
                view = DifferenceView(view, SortedPairs(_sorted(self.dead)))
            if self.extra:
                view = With(view, SortedPairs(_sorted(self.extra)))
            self._view = view
        return self._view

    def contains(self, keys: KeyArray) -> Mask:
        return self._columns().contains(keys)

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        return self._columns().by_subjects(subjects)

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return self._columns().by_objects(objects)

    def scan(self) -> KeyArray:
        return self._columns().scan()

    def all(self) -> Keys:
        return sorted(self.extra) if self.base is NOTHING else self.scan()

    def count(self, subject: int | None, object_: int | None) -> int:
        if subject is None and object_ is None:
            return len(self)
        return self._columns().count(subject, object_)

    def subjects_at_most(self, object_: int) -> int:
        found = self.base.subjects_at_most(object_)
        return found + len(self._rows_by_object().get(object_, ())) if self.extra else found

    # -- changes

    def add(self, keys: Keys) -> Keys:
        fresh = self.missing(keys) if len(self) else keys
        self.extend(fresh)
        return fresh

    def extend(self, keys: Keys) -> None:
        if isinstance(keys, list):
            for key in keys:
                self._add(key)
        elif self._fits(keys.size):
            for key in keys.tolist():
                self._add(key)
        elif keys.size:
            self.base = self.fold().plus(keys)
        self._settle(len(keys))

    def absorb(self, table: MutableTable) -> None:
        if not isinstance(table, Plain) or self._fits(len(table)):
            self.extend(table.scan())
        else:
            self.base = self.fold().union(table.fold())
            self._settle(len(table))

    def remove(self, keys: Keys) -> None:
        if isinstance(keys, list):
            for key in keys:
                self._remove(key)
        elif self._fits(keys.size):
            for key in keys.tolist():
                self._remove(key)
        elif keys.size:
            self.base = self.fold().without(keys)
        self._settle(len(keys))

    def _fits(self, size: int) -> bool:
        """Whether a bulk change is small enough beside the base to wait in the overlay."""
        return size * 64 < len(self.base) and size <= TABLES.plain_overlay // 4

    def _settle(self, changes: int) -> None:
        if changes:
            self._view = None
            if self._waiting() > TABLES.plain_overlay:
                self.fold()

    def _add(self, key: int) -> None:
        if key in self.dead:
            self.dead.remove(key)
            return
        self.extra.add(key)
        if self._by_subject is not None:
            self._by_subject.setdefault(key >> 32, set()).add(key & 0xFFFFFFFF)
        if self._by_object is not None:
            self._by_object.setdefault(key & 0xFFFFFFFF, set()).add(key >> 32)

    def _remove(self, key: int) -> None:
        if key not in self.extra:
            self.dead.add(key)
            return
        self.extra.remove(key)
        if self._by_subject is not None:
            _take(self._by_subject, key >> 32, key & 0xFFFFFFFF)
        if self._by_object is not None:
            _take(self._by_object, key & 0xFFFFFFFF, key >> 32)

    def fold(self) -> SortedPairs:
        """Moves the overlay into a new base, and gives that. O(n)."""
        base = self._over_arrays()._folded()
        self.__init__(base)  # type: ignore[misc]
        return base

    def _folded(self) -> SortedPairs:
        """All pairs of a table over arrays."""
        base = self.base
        assert isinstance(base, SortedPairs)
        if self.dead:
            base = base.without(_sorted(self.dead))
        if self.extra:
            base = base.plus(_sorted(self.extra))
        return base

    def arrays(self) -> list[KeyArray]:
        return self.base.arrays()

    def overlay_bytes(self) -> int:
        shared = self.base.overlay_bytes() if isinstance(self.base, Plain) else 0
        return shared + 100 * self._waiting()

    def _check(self) -> None:
        if isinstance(self.base, Plain):
            assert isinstance(self.base.base, SortedPairs)
            self.base._check()
        else:
            assert (self.base.keys[1:] > self.base.keys[:-1]).all()
            assert (np.sort(kernels.swap(self.base.keys)) == self.base.swapped).all()
        assert all(self.base.has(key) for key in self.dead)
        assert not any(self.base.has(key) for key in self.extra)
        assert self._waiting() <= TABLES.plain_overlay
        for rows, of_key in ((self._by_subject, _forward), (self._by_object, _backward)):
            if rows is not None:
                indexed = {(head, tail) for head, tails in rows.items() for tail in tails}
                assert indexed == {of_key(key) for key in self.extra} and all(rows.values())


def _take(rows: Rows, head: int, tail: int) -> None:
    """Takes a pair away; a row goes with its last one."""
    row = rows[head]
    row.discard(tail)
    if not row:
        del rows[head]


def _changeable(rows: Rows | None, changes: Plain, ends: Ends) -> Rows | None:
    """Rows that may take the changes of a table; others are shared."""
    if rows is None:
        return None
    twin = dict(rows)
    for head in {ends(key)[0] for key in chain(changes.extra, changes.dead)}:
        if head in twin:
            twin[head] = set(twin[head])
    return twin


def _sorted(keys: set[int]) -> KeyArray:
    array = np.fromiter(keys, np.uint64, len(keys))
    array.sort()
    return array


def _forward(key: int) -> tuple[int, int]:
    return key >> 32, key & 0xFFFFFFFF


def _backward(key: int) -> tuple[int, int]:
    return key & 0xFFFFFFFF, key >> 32
