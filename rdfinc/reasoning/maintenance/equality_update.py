"""Equality in an update: the alias table changes at the end of the stratum of the equality, and
from then on explicit facts are read over representatives.

A term with a new representative changes the facts below all strata that follow: explicit facts stop
being stated of the old representative and start being stated of the new one. Their consequences are
maintained as after any other change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np

from rdfinc.datalog.transform.representatives import OBJECT, SUBJECT, Equality
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables import kernels
from rdfinc.tables.closure.components.component_table import Components, reconnected
from rdfinc.tables.equality import aliases
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.equality.expanded import about
from rdfinc.tables.equality.representative_pairs import Image
from rdfinc.tables.facts import Batch, gather, joined, shaped
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.table import Keys, Table


class AliasShift(Shift):
    """The alias tables before and after an update."""

    old: Aliases
    new: Aliases

    @cached_property
    def differing(self) -> IdArray:
        """The ids with other equals after the update than before (and possibly more), sorted."""
        return self.new.differing(self.old)

    @cached_property
    def representatives(self) -> tuple[IdArray, IdArray]:
        """The representatives of the differing ids, before and after, sorted."""
        both = (aliases.representatives(self.differing) for aliases in (self.old, self.new))
        old, new = map(kernels.unique_ids, both)
        return old, new

    @cached_property
    def moved(self) -> IdArray:
        """The ids with another representative than before, sorted."""
        ids = self.differing
        found: IdArray = ids[self.new.representatives(ids) != self.old.representatives(ids)]
        return found

    @cached_property
    def fresh(self) -> IdArray:
        """The ids that are equal to others now and were not before, sorted."""
        ids = self.differing
        found: IdArray = ids[self.new.have_equals(ids) & ~self.old.have_equals(ids)]
        return found

    @property
    def trivial(self) -> bool:
        """Whether every id stands for itself alone, before and after."""
        return self.old.trivial and self.new.trivial

    @cached_property
    def gained(self) -> Keys:
        return self._of(self.new)

    @cached_property
    def lost(self) -> Keys:
        return self._of(self.old)

    def _of(self, aliases: Aliases) -> Keys:
        return shaped(kernels.sort(kernels.pack(aliases.representatives(self.moved), self.moved)))

    @property
    def enumerated(self) -> int:
        return 0


def alias_shift(update: Update, equality: Equality) -> AliasShift:
    """The alias tables before an update and, once the equality is known, after it."""
    shift = update.shifts.get(equality.aliases)
    if isinstance(shift, AliasShift):
        return shift
    old = _aliases_before(update, equality)
    return AliasShift(old, old)


def _aliases_before(update: Update, equality: Equality) -> Aliases:
    found = update.before.get(equality.aliases)
    return found if isinstance(found, Aliases) else aliases.NONE


def update_aliases(update: Update, stratum: Stratum) -> None:
    """Makes the alias table of the update, if the equality is known at the end of the stratum."""
    strata = stratum.strata
    equality = strata.equality
    if equality is None or strata.levels.of(equality.aliases, None) != stratum.level:
        return
    facts = (update.shifts, update.added.tables, update.removed.tables)
    changed = any(equality.relation in relations for relations in facts)
    if equality.aliases in update.before and not changed:
        return
    old = _aliases_before(update, equality)
    new = _aliases_after(update, equality, old)
    update.shift(equality.aliases, AliasShift(old, new))
    stratum.memory.shift(equality.aliases)


def _aliases_after(update: Update, equality: Equality, old: Aliases) -> Aliases:
    """The alias table for the known facts of an equality, made from the table before the update.
    Cost: the classes that change."""
    facts = update.finished()
    closed, stated = (facts.table(p) for p in (equality.relation, equality.external))
    if isinstance(closed, Components):
        return Aliases(closed.partition)
    if equality.aliases not in update.before:
        return aliases_of(stated)
    changed = (facts.table(equality.external).all() for facts in (update.removed, update.added))
    partition = reconnected(old.partition, stated, *changed)
    return old if partition is old.partition else Aliases(partition)


def aliases_of(facts: Table) -> Aliases:
    """The alias table for some facts of an equality."""
    return Aliases(Components.of(facts, diagonal=False).partition)


def is_rewritten(strata: Strata, level: int) -> bool:
    """Whether the facts of a stratum are kept over representatives."""
    equality = strata.equality
    return equality is not None and level > strata.levels.of(equality.aliases, None)


def rewrite_explicit(
    update: Update, strata: Strata, deleted: Batch, inserted: Batch
) -> tuple[Batch, Batch]:
    """Rewrites the explicit facts of an update over representatives. Returns the rewritten facts
    that may have stopped and started being explicit, for given facts over terms that did."""
    equality = strata.equality
    assert equality is not None
    equal = alias_shift(update, equality)
    if equal.trivial:
        return deleted, inserted
    stated, own, moved = update.explicit, strata.is_own, equal.moved
    update.explicit = RewrittenExplicit(stated, own, equal.new)
    touched: Batch = {}
    for predicate in stated.predicates() if moved.size else ():
        keys = kernels.NO_KEYS if own(predicate) else about(stated.table(predicate), moved)
        if keys.size:
            touched[predicate] = shaped(keys)
    gone = normal(joined(deleted, touched), own, equal.old)
    came = normal(joined(inserted, touched), own, equal.new)
    return update.explicit.missing(update.state().present(gone)), came


def normal(batch: Batch, own: Callable[[int], bool], aliases: Aliases) -> Batch:
    """Facts over representatives; facts of relations kept over their own terms stay."""
    if aliases.trivial:
        return batch
    parts: dict[int, list[Keys]] = {
        predicate: [keys if own(predicate) else aliases.normal(np.array(keys, np.uint64))]
        for predicate, keys in batch.items()
    }
    return gather(parts)


def still_tells_all(update: Update, strata: Strata, equality: Equality, *, every: bool) -> bool:
    """Whether representatives tell all after an update (`tells_all`). Cost: the facts added by the
    update, and the terms that are newly equal to others, unless `every` fact is looked at."""
    shift, added, after = alias_shift(update, equality), update.added.tables, update.finished()
    equal, fresh = shift.new, shift.fresh
    if every:
        return tells_all(strata, equal, [*update.before, *added], after)
    names = strata.naming
    assert names is not None
    return not (
        any(id in update.before or id in names.constants for id in fresh.tolist())
        or (fresh.size and _are_meant(strata, fresh, after))
        or equal.have_equals(np.fromiter(added, np.uint32, len(added))).any()
        or _mean_equals(strata, equal, State(added))
    )


def tells_all(strata: Strata, equal: Aliases, predicates: Iterable[int], facts: State) -> bool:
    """Whether facts over representatives are enough: no term with equals is a predicate, stands for
    a relation in `facts`, is named by a rule, or occurs in the facts that the equality depends on.
    """
    names = strata.naming
    assert names is not None
    if equal.trivial:
        return True
    named = np.array([*predicates, *names.constants], np.uint32)
    return not (equal.have_equals(named).any() or _mean_equals(strata, equal, facts))


def _mean_equals(strata: Strata, equal: Aliases, facts: State) -> bool:
    """Whether facts that must not be about terms with equals are about some. Cost: these facts."""
    known = set(facts.predicates())
    found = [
        ids
        for (predicate, class_), ends in strata.naming_ends.items()
        if predicate in known
        for ids in _ids(facts.table(predicate), class_, ends)
    ]
    return bool(found) and bool(equal.have_equals(np.concatenate(found)).any())


def _are_meant(strata: Strata, ids: IdArray, facts: State) -> bool:
    """Whether such facts are about one of some ids. Cost: a look-up for each id."""
    return any(
        _is_end(table, class_, ends, ids)
        for (predicate, class_), ends in strata.naming_ends.items()
        if (table := facts.table(predicate)).at_most()
    )


def _is_end(table: Table, class_: int | None, ends: int, ids: IdArray) -> bool:
    if class_ is not None:
        return bool(ends & SUBJECT) and bool(table.contains(kernels.pack(ids, class_)).any())
    return bool(
        (ends & SUBJECT and table.are_subjects(ids).any())
        or (ends & OBJECT and table.are_objects(ids).any())
    )


def _ids(table: Table, class_: int | None, ends: int) -> Iterator[IdArray]:
    if class_ is not None:
        if ends & SUBJECT:
            yield table.by_objects(np.array([class_], np.uint32))[1]
        return
    if ends & SUBJECT:
        yield table.all_subjects()
    if ends & OBJECT:
        yield table.all_objects()


class RewrittenExplicit(State):
    """The explicit facts over representatives."""

    __slots__ = ("_aliases", "_explicit", "_own")

    def __init__(self, explicit: State, own: Callable[[int], bool], aliases: Aliases) -> None:
        super().__init__({})
        self._explicit, self._own, self._aliases = explicit, own, aliases

    def _view(self, predicate: int) -> Table:
        table = self._explicit.table(predicate)
        return table if self._own(predicate) else Image(table, self._aliases)

    def predicates(self) -> list[int]:
        return self._explicit.predicates()
