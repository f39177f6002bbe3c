"""The image of a relation over terms: what its pairs say of the representatives of these."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.views import once


class Image(Table):
    """All (r, q) where r and q are the representatives of the ends of a pair of `table`.

    A look-up costs one in `table` for each pair of ids that the two stand for, until one is there;
    of many, the row or column of an end without equals, if that is shorter. A row or a column costs
    the rows or columns of all terms that the representative stands for.
    """

    __slots__ = ("aliases", "table")

    def __init__(self, table: Table, aliases: Aliases) -> None:
        self.table, self.aliases = table, aliases

    def __len__(self) -> int:
        return self.scan().size

    def __bool__(self) -> bool:
        return len(self.table) > 0

    def at_most(self) -> int:
        return self.table.at_most()

    def has(self, key: int) -> bool:
        subjects = self.aliases.objects(key >> 32)
        objects = self.aliases.objects(key & 0xFFFFFFFF)
        if not (subjects and objects):
            return False
        if self.table.has(key):
            return True
        of, table = self.aliases.representative, self.table
        if (wide := len(subjects) * len(objects)) <= TABLES.few_image_pairs:
            return wide > 1 and any(table.has(s << 32 | o) for s in subjects for o in objects)
        if len(objects) == 1 and table.count(None, objects[0]) <= len(subjects):
            return any(of(s) == subjects[0] for s in table.subjects(objects[0]))
        if len(subjects) == 1 and table.count(subjects[0], None) <= len(objects):
            return any(of(o) == objects[0] for o in table.objects(subjects[0]))
        return bool(self.contains(np.array([key], np.uint64))[0])

    def objects(self, subject: int) -> list[int]:
        found: list[int] = self.by_subjects(np.array([subject], np.uint32))[1].tolist()
        return found

    def subjects(self, object_: int) -> list[int]:
        found: list[int] = self.by_objects(np.array([object_], np.uint32))[1].tolist()
        return found

    def contains(self, keys: KeyArray) -> Mask:
        found = self.table.contains(keys)
        high, low = kernels.high(keys), kernels.low(keys)
        wide = self.aliases.sizes(high) * self.aliases.sizes(low)
        found &= wide > 0
        open_ = np.flatnonzero((wide > 1) & ~found)
        ends = np.cumsum(wide[open_])
        start = 0
        while start < open_.size:
            done = int(ends[start - 1]) if start else 0
            stop = max(
                start + 1,
                int(np.searchsorted(ends, done + TABLES.image_pairs_block, side="right")),
            )
            some = open_[start:stop]
            at, subjects = self.aliases.by_subjects(high[some])
            then, objects = self.aliases.by_subjects(low[some][at])
            there = self.table.contains(kernels.pack(subjects[then], objects))
            found[some[at[then[there]]]] = True
            start = stop
        return found

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        at, ids = self.aliases.by_subjects(subjects)
        then, found = self.table.by_subjects(ids)
        return once([(at[then], self.aliases.representatives(found))])

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        at, ids = self.aliases.by_subjects(objects)
        then, found = self.table.by_objects(ids)
        return once([(at[then], self.aliases.representatives(found))])

    def scan(self) -> KeyArray:
        return kernels.unique(self.aliases.normal(self.table.scan()))
