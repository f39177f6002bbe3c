"""The union table of all classes: individuals of the same classes share a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Keys, MutableTable, Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.union.id_groups import Groups
from rdfinc.tables.union.shared_rows import RowKinds, grouped, joined

LOW = 0xFFFFFFFF


class UnionTable(MutableTable):
    """Any set of pairs (x, C) of individuals and classes.

    In a class hierarchy, an individual's classes are its least classes with all above them, so that
    there are far fewer rows than individuals. Therefore each row, a *kind*, is kept once, and for
    each individual the number of its kind. An individual takes 5 to 8 bytes, however many classes
    it has.

    A question about one individual is one lookup and its matches. The members of a class are those
    of the kinds with it, each once. A change of an individual costs its row; a bulk change of m
    pairs O(n + m) for n individuals, whatever their classes. It stands in the place of the union
    scheme of Zhang, Hu, Nenov, Horrocks, *Optimised storage for Datalog reasoning* (2024), which
    keeps members at the classes they are explicit in and must know the dependencies between
    classes.
    """

    __slots__ = ("_counts", "_groups", "_kinds", "_size")

    def __init__(self) -> None:
        self._groups = Groups()
        self._kinds = RowKinds()
        self._size = 0
        self._counts: dict[int, int] = {}

    @classmethod
    def of(cls, facts: Table | KeyArray) -> UnionTable:
        table = cls()
        table.extend(facts.scan() if isinstance(facts, Table) else facts)
        return table

    def copy(self) -> UnionTable:
        twin = UnionTable.__new__(UnionTable)
        twin._groups, twin._kinds = self._groups.copy(), self._kinds
        twin._size, twin._counts = self._size, dict(self._counts)
        return twin

    # -- a fact at a time

    def __len__(self) -> int:
        return self._size

    def has(self, key: int) -> bool:
        return self._kinds.has(self._groups.one(key >> 32), key & LOW)

    def objects(self, subject: int) -> list[int]:
        return self._kinds.row(self._groups.one(subject))

    def subjects(self, object_: int) -> list[int]:
        found: list[int] = self._members(object_).tolist()
        return found

    def _members(self, class_: int) -> IdArray:
        return self._groups.together(self._kinds.holding(class_))

    # -- a column at a time

    def contains(self, keys: KeyArray) -> Mask:
        return self._kinds.rows().contains(self._groups.many(kernels.high(keys)), kernels.low(keys))

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        return self._kinds.rows().follow(self._groups.many(subjects))

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        if objects.size == 1:
            members = self._members(objects.item())
            return np.zeros(members.size, np.intp), members
        at, kinds = self._kinds.rows().holding(objects)
        index, members = self._groups.follow(kinds)
        return at[index], members

    def all_subjects(self) -> IdArray:
        return self._groups.ids()

    def all_objects(self) -> IdArray:
        """O(n), whatever the classes that individuals have."""
        kinds = kernels.unique_ids(self._groups.many(self._groups.ids()))
        return kernels.unique_ids(self._kinds.rows().follow(kinds)[1])

    def scan(self) -> KeyArray:
        keys, start = np.empty(self._size, np.uint64), 0
        for block in self.blocks():
            keys[start : start + block.size] = block
            start += block.size
        return keys

    def blocks(self) -> Iterator[KeyArray]:
        """In the order of a scan, those of some individuals at a time, of few at first: who looks
        for few stops then."""
        first, growth = TABLES.first_union_individuals, TABLES.union_growth
        parts = kernels.in_growing_parts(
            [self._groups.ids()], first, growth, TABLES.union_individuals_block
        )
        return map(self._pairs, parts)

    def _pairs(self, subjects: IdArray) -> KeyArray:
        """The pairs of sorted subjects, sorted."""
        index, classes = self.by_subjects(subjects)
        return kernels.pack(subjects[index], classes)

    def count(self, subject: int | None, object_: int | None) -> int:
        """The members of a class are counted once and remembered."""
        if subject is not None:
            if object_ is not None:
                return int(self.has(subject << 32 | object_))
            return len(self.objects(subject))
        if object_ is None:
            return self._size
        if object_ not in self._counts:
            self._counts[object_] = self._groups.total(self._kinds.holding(object_))
        return self._counts[object_]

    def is_subject(self, id: int) -> bool:
        return self._groups.one(id) > 0

    def is_object(self, id: int) -> bool:
        return self.count(None, id) > 0

    def are_subjects(self, ids: IdArray) -> Mask:
        return self._groups.many(ids) > 0

    # -- changes

    def add(self, keys: Keys) -> Keys:
        fresh = self.missing(keys) if self._size else keys
        self.extend(fresh)
        return fresh

    def extend(self, keys: Keys) -> None:
        self._change(keys, set.union, kernels.merge)
        self._size += len(keys)

    def remove(self, keys: Keys) -> None:
        self._change(keys, set.difference, kernels.difference)
        self._size -= len(keys)

    def _change(
        self,
        keys: Keys,
        of_row: Callable[[set[int], Iterable[int]], set[int]],
        of_pairs: Callable[[KeyArray, KeyArray], KeyArray],
    ) -> None:
        """Gives each individual of the keys the row that its own and the keys' classes make."""
        self._counts.clear()
        if isinstance(keys, list) and len(keys) < TABLES.many_individuals:
            few = keys
        else:
            ordered = kernels.sort(np.asarray(keys, np.uint64))
            heads = kernels.high(ordered)
            if 1 + np.count_nonzero(heads[1:] != heads[:-1]) >= TABLES.many_individuals:
                self._regroup(ordered, of_pairs)
                return
            few = ordered.tolist()
        changes: dict[int, list[int]] = {}
        for key in few:
            changes.setdefault(key >> 32, []).append(key & LOW)
        for subject, classes in changes.items():
            row = of_row(set(self.objects(subject)), classes)
            self._groups.put(subject, self._kinds.number(tuple(sorted(row))))
        if max(self._groups.waiting(), self._kinds.fresh()) > TABLES.groups_overlay:
            self.fold()

    def _regroup(
        self, changes: KeyArray, of_pairs: Callable[[KeyArray, KeyArray], KeyArray]
    ) -> None:
        """Gives the individuals of sorted keys the rows that their own and the keys' classes make;
        all others keep theirs. Some individuals are grouped at a time, and the different rows of
        all these once more, so that what passes is small."""
        rest = self._groups.ids()
        rest = rest[~kernels.contains_ids(kernels.high(changes), rest)]
        kinds, kept = kernels.numbered(self._groups.many(rest))
        members, numbers = [rest], [kept.astype(np.uint32)]
        rows = [self._kinds.rows().chosen(kinds)]
        known = kinds.size
        for some in kernels.whole_rows(changes, TABLES.regrouped_pairs):
            pairs = of_pairs(self._pairs(kernels.unique(kernels.high(some))), some)
            subjects, sizes = kernels.row_sizes(pairs)
            number, different = grouped(sizes, kernels.low(pairs))
            members.append(subjects)
            numbers.append((number + (known - 1)).astype(np.uint32))
            rows.append(different)
            known += len(different)
        of_row, different = grouped(*joined(rows))
        self._kinds = RowKinds(different)
        small = of_row.astype(np.min_scalar_type(len(different)))
        ids, number = np.concatenate(members), small[np.concatenate(numbers)]
        if rest.size and rest.size < ids.size:
            order = np.argsort(ids, kind="stable")
            ids, number = ids[order], number[order]
        self._groups = Groups(ids, number)

    def fold(self) -> None:
        """Moves recent changes into a new base, with the kinds that there are by now. O(n)."""
        self._regroup(kernels.NO_KEYS, kernels.merge)

    # -- memory

    def arrays(self) -> list[NDArray[Any]]:
        return [*self._groups.arrays(), *self._kinds.arrays()]

    def overlay_bytes(self) -> int:
        return self._groups.overlay_bytes() + self._kinds.overlay_bytes() + 100 * len(self._counts)

    def _check(self) -> None:
        ids = self._groups.ids()
        assert (ids[1:] > ids[:-1]).all()
        numbers = self._groups.many(ids)
        assert numbers.all()
        assert numbers.tolist() == [self._groups.one(id) for id in ids.tolist()]
        assert self._kinds.sizes(numbers).all()
        assert self._size == self.scan().size
        for class_, size in self._counts.items():
            assert size == len(self.subjects(class_))
