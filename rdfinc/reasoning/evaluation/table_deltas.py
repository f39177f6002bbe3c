"""Relations kept by another table after an update than before it, and the change of their facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from rdfinc.tables.closed import beyond
from rdfinc.tables.facts import gather, shaped, swapped
from rdfinc.tables.table import KeptTable, Keys, Table


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


@dataclass(frozen=True)
class KnownDelta:
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
