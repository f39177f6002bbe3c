"""Keeping relations by equal rows, where rules make many subjects have the same objects."""

from __future__ import annotations

from rdfinc.tables.facts import FactSet
from rdfinc.tables.table import MutableTable
from rdfinc.tables.union.class_union import Union

LEAST = 10_000
"""Facts of a relation from which on a union can be worth it."""

WORTH = 0.7
"""The part of a plain table's bytes that it may take at most."""


def share_rows(closure: FactSet, relation: int, *, always: bool) -> None:
    """Keeps a relation as a union, always or where that is worth it. O(n log n)."""
    table = closure.tables.get(relation)
    if not isinstance(table, MutableTable) or isinstance(table, Union):
        return
    if always or len(table) >= LEAST:
        union = Union.of(table)
        if always or union.nbytes() <= WORTH * table.nbytes():
            closure.replace(relation, union)
