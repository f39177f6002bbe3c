"""Equality in an update: what stands for what changes at the end of the stratum in which the
equality is known; from then on the explicit facts are what they say of representatives.

That is a change of what is read below the strata that follow, and of explicit facts: those about a
term that has another representative stop being stated of the one and start being stated of the
other. What follows from it is maintained as from any other change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from rdfinc.datalog.dependency import CLASS
from rdfinc.datalog.equality import OBJECT, SUBJECT, Equality
from rdfinc.reasoning.closing import Unfit
from rdfinc.reasoning.states import State
from rdfinc.reasoning.strata import Strata
from rdfinc.reasoning.stratum import Stratum
from rdfinc.reasoning.update import Shift, Update
from rdfinc.tables import kernels
from rdfinc.tables.connection.components import Components
from rdfinc.tables.equality import aliases
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.equality.expanded import about
from rdfinc.tables.equality.image import Image
from rdfinc.tables.facts import Batch, gather, joined, shaped
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.table import Keys, Table


class AliasShift(Shift):
    """What stands for what, before and after an update."""

    old: Aliases
    new: Aliases

    @property
    def gained(self) -> Keys:
        return self._of(self.new)

    @property
    def lost(self) -> Keys:
        return self._of(self.old)

    def _of(self, aliases: Aliases) -> Keys:
        moved = self.new.moved(self.old)
        return shaped(kernels.sort(kernels.pack(aliases.representatives(moved), moved)))

    @property
    def enumerated(self) -> int:
        return 0


def aliases_before(update: Update, equality: Equality) -> Aliases:
    """What stood for what before an update."""
    found = update.before.get(equality.aliases)
    return found if isinstance(found, Aliases) else aliases.NONE


def aliases_after(update: Update, equality: Equality) -> Aliases:
    """The same after it, once the equality is known."""
    shift = update.shifts.get(equality.aliases)
    return shift.new if isinstance(shift, AliasShift) else aliases_before(update, equality)


def equate(update: Update, stratum: Stratum) -> None:
    """Finds out what stands for what, if the equality is known at the end of the stratum."""
    strata = stratum.strata
    equality = strata.equality
    if equality is None or strata.levels.of(equality.aliases, None) != stratum.level:
        return
    facts = (update.shifts, update.added.tables, update.removed.tables)
    changed = any(equality.relation in relations for relations in facts)
    if equality.aliases in update.before and not changed:
        return
    old = aliases_before(update, equality)
    new = aliases_of(update.finished(), equality)
    shift = AliasShift(old, new)
    update.shift(equality.aliases, shift)
    strata.shift(equality.aliases, old, new)


def aliases_of(facts: State, equality: Equality) -> Aliases:
    """What stands for what where the facts of an equality are known."""
    closed = facts.table(equality.relation)
    if not isinstance(closed, Components):
        return equated_by(facts.table(equality.external))
    return Aliases(closed.partition)


def equated_by(facts: Table) -> Aliases:
    """What stands for what by some facts of an equality."""
    return Aliases(Components.of(facts, diagonal=False).partition)


def is_about_representatives(strata: Strata, level: int) -> bool:
    """Whether a stratum is about representatives."""
    equality = strata.equality
    return equality is not None and level > strata.levels.of(equality.aliases, None)


def represent(
    update: Update, strata: Strata, deleted: Batch, inserted: Batch
) -> tuple[Batch, Batch]:
    """Makes the explicit facts of an update what they say of representatives, and tells which of
    these may have stopped and started being explicit, given which of all facts did."""
    equality = strata.equality
    assert equality is not None
    old, new = aliases_before(update, equality), aliases_after(update, equality)
    if old.trivial and new.trivial:
        return deleted, inserted
    stated, own = update.explicit, strata.is_own
    update.explicit = Represented(stated, own, new)
    moved = new.moved(old)
    touched: Batch = {}
    for predicate in stated.predicates() if moved.size else ():
        keys = kernels.NO_KEYS if own(predicate) else about(stated.table(predicate), moved)
        if keys.size:
            touched[predicate] = shaped(keys)
    gone = normal(joined(deleted, touched), own, old)
    came = normal(joined(inserted, touched), own, new)
    return update.explicit.missing(update.state().present(gone)), came


def normal(batch: Batch, own: Callable[[int], bool], aliases: Aliases) -> Batch:
    """What facts say of representatives, those of relations over their own terms left alone."""
    if aliases.trivial:
        return batch
    parts: dict[int, list[Keys]] = {
        predicate: [keys if own(predicate) else aliases.normal(np.array(keys, np.uint64))]
        for predicate, keys in batch.items()
    }
    return gather(parts)


def check(update: Update, strata: Strata) -> None:
    """Raises Unfit where after an update representatives do not tell all (`tells_all`). Cost: while
    the same is equal, what the update has added."""
    equality = strata.equality
    if equality is None:
        return
    equal, facts = aliases_after(update, equality), State(update.added.tables)
    if equality.aliases in update.shifts or strata.unchecked:
        facts = update.finished()
    if not tells_all(strata, equal, [*update.before, *update.added.tables], facts):
        raise Unfit(equality.module)
    strata.unchecked = False


def tells_all(strata: Strata, equal: Aliases, predicates: Iterable[int], facts: State) -> bool:
    """Whether it is enough to know facts about representatives: nothing that is equal to others is
    a predicate, stands for a relation in `facts`, is named by a rule, or is among what the equality
    depends on."""
    names = strata.naming
    assert names is not None
    if equal.trivial:
        return True
    equated = equal.equated()
    if kernels.contains(equated, np.array([*predicates, *names.constants], np.uint32)).any():
        return False
    return not any(
        kernels.contains(equated, ids).any()
        for (predicate, class_), ends in _naming(strata).items()
        if (table := facts.table(predicate)).at_most()
        for ids in _ids(table, class_, ends)
    )


def _naming(strata: Strata) -> dict[tuple[int, int | None], int]:
    """The relations about which nothing may be equal to others, with the ends of their facts."""
    equality, names = strata.equality, strata.naming
    assert equality is not None and names is not None
    found = dict(names.ends)
    own = {*equality.own, *(class_ + CLASS for class_ in equality.classes)}
    for node in equality.low - own - {equality.relation, equality.external}:
        if node >= CLASS:
            found[strata.type, node - CLASS] = SUBJECT
        elif not strata.hidden(node) and node != strata.type:
            found[node, None] = SUBJECT | OBJECT
    return found


def _ids(table: Table, class_: int | None, ends: int) -> Iterator[IdArray]:
    if class_ is not None:
        if ends & SUBJECT:
            yield table.by_objects(np.array([class_], np.uint32))[1]
        return
    if ends & SUBJECT:
        yield table.all_subjects()
    if ends & OBJECT:
        yield table.all_objects()


class Represented(State):
    """What explicit facts say of representatives."""

    __slots__ = ("_aliases", "_explicit", "_own")

    def __init__(self, explicit: State, own: Callable[[int], bool], aliases: Aliases) -> None:
        super().__init__({})
        self._explicit, self._own, self._aliases = explicit, own, aliases

    def _view(self, predicate: int) -> Table:
        table = self._explicit.table(predicate)
        return table if self._own(predicate) else Image(table, self._aliases)

    def predicates(self) -> list[int]:
        return self._explicit.predicates()
