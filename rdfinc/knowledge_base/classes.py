"""Keeping the members of classes by what classes they have, where classes form a hierarchy."""

from __future__ import annotations

from rdfinc.reasoning.program import Compiled
from rdfinc.reasoning.states import State
from rdfinc.tables.facts import FactSet
from rdfinc.tables.union import Union

LEAST = 10_000
"""Members of classes from which on a union can be worth it."""

WORTH = 0.7
"""The part of a plain table's bytes that it may take at most."""


def gather_classes(closure: FactSet, compiled: Compiled, *, always: bool) -> None:
    """Keeps the members of classes as a union, always or where that is worth it. Cost: the members
    of all classes."""
    table = closure.tables.get(compiled.type)
    if table is None or isinstance(table, Union) or not (always or len(table) >= LEAST):
        return
    if not compiled.class_copies(State(closure.tables)).size:
        return
    union = Union.of(table)
    if always or union.nbytes() <= WORTH * table.nbytes():
        closure.replace(compiled.type, union)
