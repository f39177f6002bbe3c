"""Keeping relations by equal rows, where rules make many subjects have the same objects."""

from __future__ import annotations

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.tables.facts import FactSet
from rdfinc.tables.table import MutableTable
from rdfinc.tables.union.class_union import UnionTable


def share_rows(closure: FactSet, relation: int, *, always: bool) -> None:
    """Keeps a relation as a union, always or where that is worth it. O(n log n)."""
    table = closure.tables.get(relation)
    if not isinstance(table, MutableTable) or isinstance(table, UnionTable):
        return
    if always or len(table) >= KNOWLEDGE.shared_relation:
        union = UnionTable.of(table)
        if always or union.nbytes() <= KNOWLEDGE.shared_bytes * table.nbytes():
            closure.replace(relation, union)
