"""What an update changes of facts that are held about representatives, for all they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from rdfinc.knowledge_base.version import Version
from rdfinc.reasoning.equating import aliases_after, aliases_before
from rdfinc.reasoning.states import State
from rdfinc.reasoning.update import Shift, Update
from rdfinc.tables import kernels
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.equality.expanded import Expanded, about
from rdfinc.tables.facts import shaped
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import Both


class ExpandedShift(Shift):
    """A relation that is held in another table after an update, about representatives. Only what
    the change of that table and of what is equal is about is looked at."""

    old: Expanded
    new: Expanded

    def __init__(self, shift: Shift, old: Aliases, new: Aliases) -> None:
        super().__init__(Expanded(shift.old, old), Expanded(shift.new, new))
        self._shift = shift

    @cached_property
    def gained(self) -> Keys:
        return _beyond(self.new, self.old, self._shift.gained)

    @cached_property
    def lost(self) -> Keys:
        return _beyond(self.old, self.new, self._shift.lost)


def _beyond(table: Expanded, other: Expanded, changed: Keys) -> Keys:
    """The pairs that the other one lacks: among those that stand for changed pairs, or for pairs
    about what is equal to others there."""
    touched = about(
        table.table, table.aliases.representatives(table.aliases.differing(other.aliases))
    )
    keys = table.aliases.expanded(
        kernels.unique(np.concatenate((np.array(changed, np.uint64), touched)))
    )
    return shaped(keys[~other.contains(keys)])


def changes_in_view(
    update: Update, version: Version, hidden: Callable[[int], bool]
) -> dict[int, Shift]:
    """The relations that are kept in another table after an update, or are changed for what
    representatives of several things stand for, as all terms are concerned."""
    equality = version.equality
    if equality is None:
        return dict(update.shifts)
    old, new = aliases_before(update, equality), aliases_after(update, equality)
    if old.trivial and new.trivial:
        return {p: shift for p, shift in update.shifts.items() if p != equality.aliases}
    changed = new.differing(old)
    before, after = update.state(), update.finished()
    ends = old.representatives(changed), new.representatives(changed)
    ends = kernels.unique_ids(ends[0]), kernels.unique_ids(ends[1])
    facts = (update.removed.tables, update.added.tables)
    relations = dict.fromkeys(p for tables in facts for p, table in tables.items() if len(table))
    relations.update(dict.fromkeys(update.shifts))
    found: dict[int, Shift] = {}
    for predicate in dict.fromkeys((*relations, *(update.before if changed.size else ()))):
        if equality.is_own(predicate) or hidden(predicate):
            if predicate in update.shifts and predicate != equality.aliases:
                found[predicate] = update.shifts[predicate]
        elif predicate in update.shifts or predicate in version.modules.tabled:
            table = update.before.get(predicate)
            shift = update.shifts.get(predicate) or (table and Shift(table, table))
            if shift:
                found[predicate] = ExpandedShift(shift, old, new)
        else:
            removed, added = (
                facts.get(predicate).all() for facts in (update.removed, update.added)
            )
            if not changed.size and not (_concern(removed, new) or _concern(added, new)):
                continue
            lost = _touched(before.table(predicate), ends[0], removed)
            won = _touched(after.table(predicate), ends[1], added)
            if len(lost) or len(won):
                found[predicate] = Shift(Expanded(lost, old), Expanded(won, new))
    return found


def _concern(keys: Keys, aliases: Aliases) -> bool:
    """Whether some pairs are about what is equal to others."""
    pairs, equated = np.array(keys, np.uint64), aliases.equated()
    ends = kernels.high(pairs), kernels.low(pairs)
    return any(bool(kernels.contains(equated, each).any()) for each in ends)


def _touched(table: Table, ids: kernels.IdArray, changed: Keys) -> SortedPairs:
    keys = np.array(changed, np.uint64)
    if ids.size:
        keys = np.concatenate((keys, about(table, ids)))
    return SortedPairs(kernels.unique(keys))


def staying(update: Update, version: Version) -> State:
    """The facts that an update leaves as they are, about all terms."""
    equality = version.equality
    if equality is None:
        return update.kept()
    old, new = aliases_before(update, equality), aliases_after(update, equality)
    if old.trivial and new.trivial:
        return update.kept()
    return _Staying(update, version, old, new)


class _Staying(State):
    __slots__ = ("_after", "_aliases", "_before", "_version")

    def __init__(self, update: Update, version: Version, old: Aliases, new: Aliases) -> None:
        super().__init__({})
        self._before, self._after = update.state(), update.finished()
        self._version, self._aliases = version, (old, new)

    def _view(self, predicate: int) -> Table:
        tables: Iterable[Table] = self._before.table(predicate), self._after.table(predicate)
        equality = self._version.equality
        assert equality is not None
        if not equality.is_own(predicate):
            pairs = zip(tables, self._aliases, strict=True)
            tables = (Expanded(table, aliases) for table, aliases in pairs)
        return Both(*tables)
