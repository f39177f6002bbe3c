"""The visible part of a change of the held facts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rdfinc.knowledge_base.versions.alias_delta import changes_in_view, staying
from rdfinc.knowledge_base.versions.change import Effect
from rdfinc.knowledge_base.versions.literal_ends import LiteralEnds
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, joined, size
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.marks import Marked
from rdfinc.tables.table import Keys
from rdfinc.tables.views import EMPTY


class InView(NamedTuple):
    """The net change in view; `shifts` are relations whose change is enumerated only when asked
    for. `apart` are the relations counted apart after it, and `grown` is the growth of all
    others in view."""

    added: Batch
    removed: Batch
    shifts: dict[int, Shift]
    apart: frozenset[int]
    grown: int

    @property
    def growth(self) -> int:
        """How many more facts are in view."""
        shifted = sum(shift.growth for shift in self.shifts.values())
        return size(self.added) - size(self.removed) + shifted


class Turned(NamedTuple):
    """Facts of a relation that start, or stop, being explicit: all of them, and those that are
    held before and after it, and are seen only while they are explicit."""

    all: Keys
    staying: Keys


class SeenShift(Shift):
    """The change in view of a relation of which some facts are left out unless they are explicit.
    To tell its growth costs as much as `Visibility.left_out`."""

    def __init__(
        self, predicate: int, shift: Shift, see: Visibility, stopped: Turned, started: Turned
    ) -> None:
        super().__init__(shift.old, shift.new)
        self._predicate, self._shift, self._see = predicate, shift, see
        self._stopped, self._started = stopped, started

    @cached_property
    def gained(self) -> Keys:
        return self._shown(self._shift.gained, self._started)

    @cached_property
    def lost(self) -> Keys:
        return self._shown(self._shift.lost, self._stopped)

    def _shown(self, changed: Keys, turned: Turned) -> Keys:
        predicate, explicit = self._predicate, Marked(turned.all)
        seen = self._see.shown(predicate, changed, lambda _: explicit)
        return gather({predicate: [seen, turned.staying]}).get(predicate, [])

    @cached_property
    def growth(self) -> int:
        """The growth of the relation, but for what is left out of it."""
        old, new = (
            self._see.left_out(self._predicate, table, EMPTY) for table in (self.old, self.new)
        )
        lost, gained = kernels.differences(old, new)
        return (
            self._shift.growth
            - (_unseen(gained, self._started) - _unseen(lost, self._stopped))
            + (len(self._started.staying) - len(self._stopped.staying))
        )

    def took(self, key: int) -> bool:
        if self._see.shown(self._predicate, [key], lambda _: EMPTY):
            return super().took(key)
        return Marked(self._stopped.all).has(key)


def _unseen(keys: KeyArray, turned: Turned) -> int:
    """How many facts that are left out come, or go, without being explicit."""
    return int(np.count_nonzero(~Marked(turned.all).contains(keys)))


class Viewing:
    """Finds the visible change between versions, by visibility and by the ends with literals."""

    def __init__(self, visibility: Visibility, ends: LiteralEnds) -> None:
        self._visibility, self._ends = visibility, ends

    def of(self, update: Update, effect: Effect, version: Version) -> InView:
        """The visible change of an update of a version, before it is committed."""
        changes = changes_in_view(update, version, self._visibility.never_shows)
        turned = self._turned(update, effect, version)
        seen = {p: self._seen(p, shift, turned, effect, version) for p, shift in changes.items()}
        shifts = {p: shift for p, shift in seen.items() if shift is not None}
        added, removed = self._enumerated(effect, version, turned, (changes, shifts))
        apart, grown = self._counted(update, version, shifts)
        return InView(added, removed, shifts, apart, grown + size(added) - size(removed))

    def _turned(self, update: Update, effect: Effect, version: Version) -> tuple[Batch, Batch]:
        """The facts that stay, and start or stop being seen, as they start or stop being
        explicit."""
        see = self._visibility
        started = see.only_as_explicit(effect.inserted)
        stopped = see.only_as_explicit(effect.deleted)
        if started or stopped:
            stayed = staying(update, version)
            started, stopped = stayed.present(started), stayed.present(stopped)
        return started, stopped

    def _seen(
        self,
        predicate: int,
        shift: Shift,
        turned: tuple[Batch, Batch],
        effect: Effect,
        version: Version,
    ) -> Shift | None:
        """What users see of a change, without any pair enumerated; None where that costs more."""
        see = self._visibility
        if self._ends.shows_all(version.modules, predicate, shift):
            return shift
        if see.never_shows(predicate) or not see.counts_unseen(abs(shift.growth)):
            return None
        stated = effect.inserted, effect.deleted
        started, stopped = (
            Turned(of.get(predicate, []), stays.get(predicate, []))
            for of, stays in zip(stated, turned, strict=True)
        )
        return SeenShift(predicate, shift, see, stopped, started)

    def _enumerated(
        self,
        effect: Effect,
        version: Version,
        turned: tuple[Batch, Batch],
        changes: tuple[Mapping[int, Shift], Mapping[int, Shift]],
    ) -> tuple[Batch, Batch]:
        """Facts that came and went, or are `turned`. Of `changes`, those that users do not see all
        of are among them, and the others, the second ones, not."""
        see, (every, shifts) = self._visibility, changes
        came, went = effect.came, effect.went
        if every:
            came, went = dict(came), dict(went)
        for predicate, shift in every.items():
            came.pop(predicate, None)
            went.pop(predicate, None)
            if not (see.never_shows(predicate) or predicate in shifts):
                came[predicate], went[predicate] = shift.gained, shift.lost
        stated = effect.inserted
        added = see.batch(came, lambda p: Marked(stated.get(p, []))) if came else {}
        removed = see.batch(went, version.explicit.get) if went else {}
        started, stopped = (
            {p: keys for p, keys in batch.items() if p not in shifts} for batch in turned
        )
        if started or stopped:
            return joined(added, started), joined(removed, stopped)
        return added, removed

    def _counted(
        self, update: Update, version: Version, shifts: Mapping[int, Shift]
    ) -> tuple[frozenset[int], int]:
        """The relations counted apart after an update, unions in full view, and the growth of
        the others whose change in view is not enumerated."""
        modules, before = version.modules, version.closure.tables
        if not (modules.all or shifts or version.apart):
            return frozenset(), 0
        kinds = ((module, update.closure_kinds.get(module.external)) for module in modules.all)
        unions = (module for module, kind in kinds if kind and not kind.transitive)
        members = (relation for module in unions for relation, _ in module.members)
        apart = frozenset(r for r in members if self._ends.shows_member(modules, r))
        grown = sum(len(before[relation]) for relation in version.apart - apart)
        for relation, shift in shifts.items():
            if relation not in apart:
                grown += shift.growth
            elif relation not in version.apart:
                old, explicit = shift.old.scan(), version.explicit.get
                grown -= len(self._visibility.shown(relation, old, explicit))
        return apart, grown
