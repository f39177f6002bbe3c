"""Relations kept by another table after an update than before it, and the change of their facts.

Readers of one end of the pairs, say `type(x, C) ← R(x, y)`, are told of ends: `EndChange` has one
pair for each node that is an end of changed pairs and of no pair that stays. The ends of a closure
are those of its external facts, so the closure is not enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from rdfinc.datalog.analysis.modules import ClosureKind, Modules
from rdfinc.tables import kernels
from rdfinc.tables.closed import beyond
from rdfinc.tables.facts import gather, shaped, swapped
from rdfinc.tables.table import KeptTable, Keys, Table
from rdfinc.tables.transposed import turned
from rdfinc.tables.views import EMPTY, either


class PairDelta(Protocol):
    """Pairs that come and go."""

    @property
    def gained(self) -> Keys: ...

    @property
    def lost(self) -> Keys: ...


class RelationDelta(PairDelta, Protocol):
    """The facts that a relation gains and loses; `ends` is enough of them for readers of one end
    of pairs."""

    @property
    def ends(self) -> PairDelta: ...


class KnownDelta(Struct, frozen=True):
    """A change that is known."""

    gained: Keys
    lost: Keys

    @property
    def ends(self) -> PairDelta:
        return self


class Shift:
    """A relation that is kept by another table after an update than before it; what it has lost and
    gained is enumerated when asked for."""

    def __init__(self, old: Table, new: KeptTable) -> None:
        self.old, self.new = old, new
        self.ends: PairDelta = self

    @cached_property
    def gained(self) -> Keys:
        return shaped(beyond(self.new, self.old))

    @cached_property
    def lost(self) -> Keys:
        return shaped(beyond(self.old, self.new))

    @property
    def growth(self) -> int:
        """How many more facts there are after the update."""
        return len(self.new) - len(self.old)

    def took(self, key: int) -> bool:
        """Whether a fact is no longer there."""
        return self.old.has(key) and not self.new.has(key)

    def gain(self) -> Keys:
        return self.gained

    def lose(self) -> Keys:
        return self.lost

    @property
    def enumerated(self) -> int:
        """How many facts of the change were enumerated so far."""
        return sum(len(vars(self).get(name, ())) for name in ("gained", "lost"))


class GatheredShift(Shift):
    """A relation whose change is the union of some `changes`, each read straight or not."""

    def __init__(
        self, old: Table, new: KeptTable, changes: Iterable[tuple[RelationDelta, bool]]
    ) -> None:
        super().__init__(old, new)
        self._changes = list(changes)

    @cached_property
    def gained(self) -> Keys:
        found = gather({0: [read(change.gained, way) for change, way in self._changes]})
        return shaped(self.old.missing(found.get(0, [])))

    @cached_property
    def lost(self) -> Keys:
        found = gather({0: [read(change.lost, way) for change, way in self._changes]})
        return shaped(self.new.missing(found.get(0, [])))


def read(keys: Keys, straight: bool) -> Keys:
    """Pairs read straight or not."""
    return keys if straight else swapped(keys)


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
