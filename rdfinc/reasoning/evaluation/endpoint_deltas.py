"""The change of a closed relation for readers of one end of its pairs, say `type(x, C) ← R(x, y)`:
one pair for each node that is an end of changed pairs and of no pair that stays.

The ends of a closure are those of its external facts, so the closure is not enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from rdfinc.datalog.analysis.modules import ClosureKind, Modules
from rdfinc.reasoning.evaluation.table_deltas import RelationDelta, Shift, read
from rdfinc.tables import kernels
from rdfinc.tables.facts import gather
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.transposed import turned
from rdfinc.tables.views import EMPTY, either


def spanning(
    table: Callable[[int], Table], modules: Modules, kinds: Mapping[int, ClosureKind], relation: int
) -> Table:
    """Pairs of a member of a module, with all ends that its pairs have: the external facts, those
    of its parts included. Of modules that are of none of the `kinds` there are none."""
    module = modules.of[relation]
    kind = kinds.get(module.external)
    if kind is None:
        return EMPTY
    tables = [table(module.external)]
    for part, straight in kind.parts:
        found = spanning(table, modules, kinds, part)
        tables.append(found if straight else turned(found))
    if kind.symmetric:
        tables = [*tables, *map(turned, tables)]
    pairs = either(tables)
    return pairs if (relation, True) in module.members else turned(pairs)


class EndChange:
    """The ends of some `changes`, read straight or not, without the ends of pairs in `staying`."""

    def __init__(self, changes: Iterable[tuple[RelationDelta, bool]], staying: Table) -> None:
        self._changes, self._staying = list(changes), staying

    @cached_property
    def gained(self) -> Keys:
        return self._ending(read(change.ends.gained, way) for change, way in self._changes)

    @cached_property
    def lost(self) -> Keys:
        return self._ending(read(change.ends.lost, way) for change, way in self._changes)

    def _ending(self, groups: Iterable[Keys]) -> Keys:
        keys, staying = gather({0: list(groups)}).get(0, []), self._staying
        if isinstance(keys, list):
            return [
                key
                for key in keys
                if not (staying.is_subject(key >> 32) and staying.is_object(key & 0xFFFFFFFF))
            ]
        stays = staying.are_subjects(kernels.high(keys))
        stays &= staying.are_objects(kernels.low(keys))
        return keys[~stays]


class FreshEnds:
    """The endpoint change of a relation that becomes another kind of closure."""

    def __init__(self, shift: Shift, pairs: Table) -> None:
        self._shift, self._pairs = shift, pairs

    @cached_property
    def gained(self) -> Keys:
        """Some pairs with all ends."""
        return self._pairs.all()

    @property
    def lost(self) -> Keys:
        """All pairs."""
        return self._shift.lost
