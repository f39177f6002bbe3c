"""A relation over all terms, kept over their representatives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import KeptTable, Table
from rdfinc.tables.table_thresholds import TABLES


def about(table: Table, ids: IdArray) -> KeyArray:
    """The pairs with one of some sorted ids at an end, sorted."""
    if ids.size <= TABLES.single_expanded_ids:
        return _about_each(table, ids.tolist())
    at, objects = table.by_subjects(ids)
    under, subjects = table.by_objects(ids)
    both = kernels.pack(ids[at], objects), kernels.pack(subjects, ids[under])
    return kernels.unique(np.concatenate(both))


def _about_each(table: Table, ids: list[int]) -> KeyArray:
    keys = [id << 32 | o for id in ids for o in table.objects(id)]
    keys += [s << 32 | id for id in ids for s in table.subjects(id)]
    return np.array(sorted(set(keys)), np.uint64) if keys else kernels.NO_KEYS


def _abouts(table: Table, ids: IdArray) -> Iterator[KeyArray]:
    """As `about`, in parts that have nothing in common: rows, and columns without these."""
    for start in range(0, ids.size, TABLES.expanded_ids_block):
        some = ids[start : start + TABLES.expanded_ids_block]
        at, objects = table.by_subjects(some)
        yield kernels.pack(some[at], objects)
        under, subjects = table.by_objects(some)
        alone = ~kernels.contains(ids, subjects)
        yield kernels.pack(subjects[alone], some[under[alone]])


def is_about(table: Table, ids: IdArray) -> bool:
    """Whether there is such a pair."""
    if ids.size <= TABLES.single_expanded_ids:
        return any(table.is_subject(id) or table.is_object(id) for id in ids.tolist())
    return bool(table.are_subjects(ids).any() or table.are_objects(ids).any())


class Expanded(KeptTable):
    """All (x, y) whose representatives are a pair of `table`; keeps nothing of its own.

    A look-up costs what it costs in `table`, a row or a column its matches. The number of pairs is
    told by the sizes of classes of equals, in O(ids with equals, and the pairs of `table` about
    them).
    """

    __slots__ = ("aliases", "table")

    def __init__(self, table: Table, aliases: Aliases) -> None:
        self.table, self.aliases = table, aliases

    def __len__(self) -> int:
        if self.table.at_most() <= TABLES.few_pairs_an_alias * self.aliases.number:
            return sum(map(self.width, self.table.blocks()))
        parts = _abouts(self.table, self.aliases.with_equals())
        return len(self.table) + sum(self.width(keys) - keys.size for keys in parts)

    def width(self, keys: KeyArray) -> int:
        """For how many pairs some pairs of `table` stand."""
        return int(self._sizes(keys).sum())

    def __bool__(self) -> bool:
        return len(self.table) > 0

    def at_most(self) -> int:
        return len(self)

    def _sizes(self, keys: KeyArray) -> Indices:
        sizes = self.aliases.sizes
        return sizes(kernels.high(keys)) * sizes(kernels.low(keys))

    def has(self, key: int) -> bool:
        of = self.aliases.representative
        return self.table.has(of(key >> 32) << 32 | of(key & 0xFFFFFFFF))

    def objects(self, subject: int) -> list[int]:
        return self._members(self.table.objects(self.aliases.representative(subject)))

    def subjects(self, object_: int) -> list[int]:
        return self._members(self.table.subjects(self.aliases.representative(object_)))

    def few_objects(self, subject: int, most: int) -> list[int] | None:
        found = self.table.few_objects(self.aliases.representative(subject), most)
        if found is None:  # each stands for one at least
            return None
        found = self._members(found)
        return found if len(found) <= most else None

    def _members(self, representatives: list[int]) -> list[int]:
        """All that some stand for."""
        if len(representatives) > TABLES.single_expanded_ids:
            found: list[int] = self.aliases.by_subjects(np.array(representatives, np.uint32))[
                1
            ].tolist()
            return found
        of = self.aliases.objects
        return [id for representative in representatives for id in of(representative)]

    def contains(self, keys: KeyArray) -> Mask:
        return self.table.contains(self.aliases.normal(keys))

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        at, found = self.table.by_subjects(self.aliases.representatives(subjects))
        then, ids = self.aliases.by_subjects(found)
        return at[then], ids

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        at, found = self.table.by_objects(self.aliases.representatives(objects))
        then, ids = self.aliases.by_subjects(found)
        return at[then], ids

    def is_subject(self, id: int) -> bool:
        return self.table.is_subject(self.aliases.representative(id))

    def is_object(self, id: int) -> bool:
        return self.table.is_object(self.aliases.representative(id))

    def are_subjects(self, ids: IdArray) -> Mask:
        return self.table.are_subjects(self.aliases.representatives(ids))

    def are_objects(self, ids: IdArray) -> Mask:
        return self.table.are_objects(self.aliases.representatives(ids))

    def all_subjects(self) -> IdArray:
        return kernels.unique_ids(self.aliases.by_subjects(self.table.all_subjects())[1])

    def all_objects(self) -> IdArray:
        return kernels.unique_ids(self.aliases.by_subjects(self.table.all_objects())[1])

    def scan(self) -> KeyArray:
        return kernels.sort(np.concatenate([kernels.NO_KEYS, *self.blocks()]))

    def blocks(self) -> Iterator[KeyArray]:
        first, growth = TABLES.first_expanded_pairs, TABLES.expanded_growth
        parts = kernels.in_growing_parts(
            self.table.blocks(), first, growth, TABLES.expanded_pairs_block
        )
        for keys in parts:
            ends = np.cumsum(self._sizes(keys))
            start = 0
            while start < keys.size:
                done = int(ends[start - 1]) if start else 0
                stop = max(
                    start + 1,
                    int(
                        np.searchsorted(
                            ends,
                            done + TABLES.expanded_pairs_block,
                            side="right",
                        )
                    ),
                )
                yield self.aliases.expanded(keys[start:stop])
                start = stop

    def count(self, subject: int | None, object_: int | None) -> int:
        if subject is not None and object_ is not None:
            return int(self.has(subject << 32 | object_))
        of = self.aliases.representative
        if subject is not None:
            found = self.table.objects(of(subject))
        elif object_ is not None:
            found = self.table.subjects(of(object_))
        else:
            return len(self)
        return int(self.aliases.sizes(np.array(found, np.uint32)).sum())

    def arrays(self) -> list[NDArray[Any]]:
        return self.table.arrays() if isinstance(self.table, KeptTable) else []

    def overlay_bytes(self) -> int:
        return self.table.overlay_bytes() if isinstance(self.table, KeptTable) else 0
