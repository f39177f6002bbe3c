"""A table read the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import KeptTable, Table


class Transposed(KeptTable):
    """The pairs (o, s) of a table's (s, o); keeps nothing of its own. Each operation costs what the
    other one costs there, and a scan a sort."""

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table

    def __len__(self) -> int:
        return len(self.table)

    def at_most(self) -> int:
        return self.table.at_most()

    def has(self, key: int) -> bool:
        return self.table.has((key & 0xFFFFFFFF) << 32 | key >> 32)

    def objects(self, subject: int) -> list[int]:
        return self.table.subjects(subject)

    def subjects(self, object_: int) -> list[int]:
        return self.table.objects(object_)

    def contains(self, keys: KeyArray) -> Mask:
        return self.table.contains(kernels.swap(keys))

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        return self.table.by_objects(subjects)

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return self.table.by_subjects(objects)

    def all_subjects(self) -> IdArray:
        return self.table.all_objects()

    def all_objects(self) -> IdArray:
        return self.table.all_subjects()

    def scan(self) -> KeyArray:
        return kernels.transposed(self.table.scan())

    def blocks(self) -> Iterator[KeyArray]:
        for keys in self.table.blocks():
            yield kernels.sort(kernels.swap(keys))

    def is_subject(self, id: int) -> bool:
        return self.table.is_object(id)

    def is_object(self, id: int) -> bool:
        return self.table.is_subject(id)

    def are_subjects(self, ids: IdArray) -> Mask:
        return self.table.are_objects(ids)

    def are_objects(self, ids: IdArray) -> Mask:
        return self.table.are_subjects(ids)

    def mutual(self) -> int:
        return self.table.mutual()

    def count(self, subject: int | None, object_: int | None) -> int:
        return self.table.count(object_, subject)

    def arrays(self) -> list[NDArray[Any]]:
        return []

    def overlay_bytes(self) -> int:
        return 0


def turned(table: Table) -> Table:
    """A table read the other way round."""
    return table.table if isinstance(table, Transposed) else Transposed(table)


def straight(table: Table) -> Table:
    """The table that is read, whichever way round."""
    return table.table if isinstance(table, Transposed) else table
