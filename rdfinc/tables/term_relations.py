"""Which relations a term has pairs in: what is asked where a literal may match many relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import KeptTable, Keys, Table
from rdfinc.tables.table_thresholds import TABLES


class TermRelations:
    """For each term the relations with pairs that begin with it, in `subjects`, and with pairs that
    end with it, in `objects`; maybe others besides.

    Both are empty until it pays to note them, which takes a pass through all tables and 8 B for
    each term and relation. From then on each pair that comes is noted, O(1), and none that goes. So
    they are a superset, and are forgotten when they have grown by `noted_growth`. Of the `other`
    relations, kept in tables that do not change pair by pair, nothing is noted.
    """

    __slots__ = ("_looked_at", "_most", "_pairs", "are_noted", "objects", "other", "subjects")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.are_noted = False
        self.subjects, self.objects = Plain(), Plain()
        self.other: set[int] = set()
        self._looked_at, self._pairs, self._most = 0, 0, 0

    def __reduce__(self) -> tuple[Callable[[], TermRelations], tuple[()]]:
        """Pickled without what is noted."""
        return TermRelations, ()

    def ask(self, relations: int, tables: Mapping[int, KeptTable]) -> bool:
        """Whether the relations of terms are noted, asked where so many are to be looked at
        otherwise. They are as soon as that took as long as to note those of all `tables`."""
        if not self.are_noted and self.pays(relations, lambda: tables):
            noted = {p: table for p, table in tables.items() if table.changes_by_fact}
            self.begin(noted, tables.keys() - noted.keys())
        return self.are_noted

    def pays(self, relations: int, tables: Callable[[], Mapping[int, Table]]) -> bool:
        """Whether to have looked at so many relations more took as long as to note all pairs. These
        are counted when it took as long as to note those of the last time."""
        self._looked_at += relations
        most = min(self._looked_at * TABLES.look_up_pairs, TABLES.noted_pairs)
        if most < self._pairs:
            return False
        found = tables().values()
        self._pairs = len(found) + sum(table.at_most() for table in found)
        return self._pairs <= most

    def begin(self, tables: Mapping[int, Table], other: set[int]) -> None:
        """Notes the relations of the terms in some tables."""
        self.subjects, self.objects = _noted(tables)
        self.other = other
        self._most = TABLES.noted_growth * (1 + self._size())
        self.are_noted = True

    def _size(self) -> int:
        return len(self.subjects) + len(self.objects)

    def note(self, relation: int, keys: Keys) -> None:
        """Takes note of pairs that a relation has from now on."""
        if not self.are_noted or relation in self.other:
            return
        if isinstance(keys, list):
            self.subjects.add(list({key & ~0xFFFFFFFF | relation for key in keys}))
            self.objects.add(list({(key & 0xFFFFFFFF) << 32 | relation for key in keys}))
        else:
            self.subjects.add(kernels.unique(keys & ~kernels.LOW | np.uint64(relation)))
            self.objects.add(kernels.unique(keys << kernels.SHIFT | np.uint64(relation)))
        if self._size() > self._most:
            self._forget()

    def note_other(self, relation: int) -> None:
        """Takes note that a relation is kept in another table."""
        if self.are_noted:
            self.other.add(relation)


def _noted(tables: Mapping[int, Table]) -> tuple[Plain, Plain]:
    """The pairs of a subject and its relations, and those of an object. The pairs of all small
    tables are sorted at once."""
    subjects, objects = [kernels.NO_KEYS], [kernels.NO_KEYS]
    small: dict[int, KeyArray] = {}
    for relation, table in tables.items():
        if table.at_most() <= TABLES.few_noted:
            small[relation] = table.scan()
        else:
            subjects.append(kernels.pack(table.all_subjects(), relation))
            objects.append(kernels.pack(table.all_objects(), relation))
    keys = np.concatenate([kernels.NO_KEYS, *small.values()])
    of_keys = np.repeat(np.array([*small], np.uint64), [*map(len, small.values())])
    subjects.append(kernels.unique(keys & ~kernels.LOW | of_keys))
    objects.append(kernels.unique(keys << kernels.SHIFT | of_keys))
    return _table_of(subjects), _table_of(objects)


def _table_of(pairs: list[KeyArray]) -> Plain:
    table = Plain()
    table.extend(kernels.sort(np.concatenate(pairs)))
    return table
