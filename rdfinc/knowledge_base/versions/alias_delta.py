"""The change that an update makes to facts held over representatives, for all terms."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import cached_property

import numpy as np

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.maintenance.equality_update import AliasShift, alias_shift
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.tables import kernels
from rdfinc.tables.equality.expanded import Expanded, about, is_about
from rdfinc.tables.facts import shaped
from rdfinc.tables.kernels import IdArray, KeyArray
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import IntersectionView


class ExpandedShift(Shift):
    """A relation held over representatives, in another table after an update. Only pairs touched
    by the change of that table and of the aliases are looked at."""

    old: Expanded
    new: Expanded

    def __init__(self, shift: Shift, equal: AliasShift) -> None:
        super().__init__(Expanded(shift.old, equal.old), Expanded(shift.new, equal.new))
        self._shift, self._equal = shift, equal

    @cached_property
    def gained(self) -> Keys:
        return _beyond(self.new, self.old, self._came)

    @cached_property
    def lost(self) -> Keys:
        return _beyond(self.old, self.new, self._went)

    @property
    def growth(self) -> int:
        """The growth of the relation in pairs of terms; counted anew if so much changes that
        this may be faster."""
        grown = self.new.table.at_most() - self.old.table.at_most()
        if (
            abs(grown) > KNOWLEDGE.many_alias_pairs
            or self._equal.differing.size > KNOWLEDGE.many_alias_pairs
        ):
            return super().growth
        return self.new.width(self._came) - self.old.width(self._went)

    @cached_property
    def _came(self) -> KeyArray:
        return _touched(self.new.table, self._shift.gained, self._equal.representatives[1])

    @cached_property
    def _went(self) -> KeyArray:
        return _touched(self.old.table, self._shift.lost, self._equal.representatives[0])


def _touched(table: Table, changed: Keys, ids: IdArray) -> KeyArray:
    """Some pairs, and those about some sorted ids."""
    keys = np.array(changed, np.uint64)
    return kernels.unique(np.concatenate((keys, about(table, ids))) if ids.size else keys)


def _beyond(table: Expanded, other: Expanded, touched: KeyArray) -> Keys:
    """The pairs of terms that the other state lacks, among those of touched representatives."""
    keys = table.aliases.expanded(touched)
    return shaped(keys[~other.contains(keys)])


def changes_in_view(
    update: Update, version: Version, never_shows: Callable[[int], bool]
) -> dict[int, Shift]:
    """The relations in another table after an update, and those with a change about
    representatives of several terms, as relations over all terms."""
    equality = version.equality
    if equality is None:
        return dict(update.shifts)
    equal = alias_shift(update, equality)
    if equal.trivial:
        return {p: shift for p, shift in update.shifts.items() if p != equality.aliases}
    found: dict[int, Shift] = {}
    for predicate in _relations(update, equal, version.modules.tabled):
        if not (equality.is_own(predicate) or never_shows(predicate)):
            shift = _for_all(update, equal, predicate, version.modules.tabled)
        else:
            shift = update.shifts.get(predicate) if predicate != equality.aliases else None
        if shift is not None:
            found[predicate] = shift
    return found


def _relations(update: Update, equal: AliasShift, tabled: Container[int]) -> list[int]:
    """The relations that an update changes, that are `tabled`, or that have facts about terms
    with other equals than before."""
    facts = (update.removed.tables, update.added.tables)
    found = dict.fromkeys(p for tables in facts for p, table in tables.items() if len(table))
    found.update(dict.fromkeys(update.shifts))
    if equal.differing.size:
        ids = kernels.unique_ids(np.concatenate(equal.representatives))
        others = ((p, table) for p, table in update.before.items() if p not in found)
        found.update(dict.fromkeys(p for p, t in others if p in tabled or is_about(t, ids)))
    return list(found)


def _for_all(
    update: Update, equal: AliasShift, predicate: int, tabled: Container[int]
) -> Shift | None:
    """The change of a relation over representatives as a change over all terms, if the relation
    is in another table or a representative stands for several terms."""
    table = update.before.get(predicate)
    if predicate in update.shifts:
        return ExpandedShift(update.shifts[predicate], equal)
    if predicate in tabled:
        return ExpandedShift(Shift(table, table), equal) if table else None
    lost, won = (facts.get(predicate).all() for facts in (update.removed, update.added))
    if not equal.differing.size and not (_concern(lost, equal) or _concern(won, equal)):
        return None
    before, after = update.state().table(predicate), update.finished().table(predicate)
    lost = _touched(before, lost, equal.representatives[0])
    won = _touched(after, won, equal.representatives[1])
    if not (lost.size or won.size):
        return None
    return Shift(Expanded(SortedPairs(lost), equal.old), Expanded(SortedPairs(won), equal.new))


def _concern(keys: Keys, equal: AliasShift) -> bool:
    """Whether some pairs are about terms with equals, the same as before."""
    pairs = np.array(keys, np.uint64)
    ends = kernels.high(pairs), kernels.low(pairs)
    return any(bool(equal.new.have_equals(each).any()) for each in ends)


def staying(update: Update, version: Version) -> State:
    """The facts that an update leaves as they are, about all terms."""
    equality = version.equality
    if equality is None:
        return update.kept()
    equal = alias_shift(update, equality)
    return update.kept() if equal.trivial else _Staying(update, version, equal)


class _Staying(State):
    __slots__ = ("_after", "_aliases", "_before", "_version")

    def __init__(self, update: Update, version: Version, equal: AliasShift) -> None:
        super().__init__({})
        self._before, self._after = update.state(), update.finished()
        self._version, self._aliases = version, (equal.old, equal.new)

    def _view(self, predicate: int) -> Table:
        tables: Iterable[Table] = self._before.table(predicate), self._after.table(predicate)
        equality = self._version.equality
        assert equality is not None
        if not equality.is_own(predicate):
            pairs = zip(tables, self._aliases, strict=True)
            tables = (Expanded(table, aliases) for table, aliases in pairs)
        return IntersectionView(*tables)
