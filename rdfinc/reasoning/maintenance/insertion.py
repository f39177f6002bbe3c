"""Insertion, and with it materialisation: semi-naive evaluation.

Computes all consequences in a stratum of its new facts and of the gains of lower strata. A rule
instance is considered once, when the first of its new facts arrives: literals left of the driver
are matched in the facts known before the batch, literals right of it in all facts. Ends because
every round adds facts and there are finitely many. (Abiteboul, Hull, Vianu 1995, §13.1; Motik et
al. 2015, DR5.)
"""

from __future__ import annotations

from functools import cached_property

from rdfinc.reasoning.evaluation.run import Parts, States
from rdfinc.reasoning.evaluation.states import Hiding, State
from rdfinc.reasoning.maintenance.equality_insertion import EqualityInsertion
from rdfinc.reasoning.maintenance.hierarchy_insertion import HierarchyInsertion
from rdfinc.reasoning.maintenance.transitive_insertion import TransitiveInsertion
from rdfinc.reasoning.maintenance.unknown_heads import UnknownHeads
from rdfinc.reasoning.maintenance.update import Update, derive
from rdfinc.reasoning.maintenance.verdict import Stopped, TooFine
from rdfinc.reasoning.program.plan_index import Driven
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, gather, joined, size
from rdfinc.tables.table_thresholds import TABLES


def insert(
    update: Update, stratum: Stratum, fresh: Batch, below: Batch, lost: Batch | None = None
) -> int:
    """Adds `fresh` and all its consequences in the stratum. Lower strata have gained `below` and
    lost `lost`; negated literals may hold for the latter now.

    Returns the number of rule instances considered.
    """
    known = update.after()
    fresh = known.missing(fresh)
    update.added.extend(fresh)
    stratum.memory.appear(fresh)
    batch = joined(below, fresh)
    absent = update.facts(lost) if lost else None
    return _follow(update, stratum, batch, (Hiding(known, batch, absent), known), lost)


def materialise(update: Update, stratum: Stratum, facts: Batch) -> int:
    """Adds all consequences of facts in a stratum. The facts are the stratum's explicit ones, the
    only ones known so far, and all facts it reads from others.

    Returns the number of rule instances considered.
    """
    return _follow(update, stratum, facts, (State({}), update.after()))


def _follow(
    update: Update,
    stratum: Stratum,
    batch: Batch,
    states: tuple[State, State],
    lost: Batch | None = None,
) -> int:
    """Rounds until one finds nothing new; `states` are the facts without and with the batch."""
    before, known = states
    rounds = _Rounds(update, stratum, known)
    instances = 0
    while (batch or lost) and not rounds.is_closed:
        found, new = rounds.new(batch, lost, before)
        instances += found
        if not new:
            break
        misplaced = stratum.strata.below(new, stratum.level)
        if misplaced:
            raise Stopped(TooFine(misplaced))
        batch = stratum.select(new)
        del before, new  # large tables of them go before others are made
        before = update.extend(known, batch)
        stratum.memory.appear(batch)
        lost = None
    return instances


class _Rounds:
    """The rounds of an insertion; `known` are all facts so far. Those of marking see all instances,
    so that nothing is closed at once there. If it `is_closed`, the last round has found all that
    follows in the stratum."""

    def __init__(self, update: Update, stratum: Stratum, known: State) -> None:
        self._update, self._stratum, self._known = update, stratum, known
        self._equality = EqualityInsertion(stratum, known, update)
        self._narrow: Batch = {}
        """The batch of the last round, if it had few facts."""
        self.is_closed = False

    @cached_property
    def _transitive(self) -> TransitiveInsertion:
        return TransitiveInsertion(self._stratum.transitive, self._known, self._update)

    @cached_property
    def _hierarchies(self) -> list[HierarchyInsertion]:
        closed, copying = self._stratum.strata.modules.of, self._stratum.copying
        return [HierarchyInsertion(*each, closed, self._known) for each in copying]

    def new(self, batch: Batch, lost: Batch | None, before: State) -> tuple[int, Batch]:
        """The number of instances in one round, and the unknown heads."""
        heads, states, found = UnknownHeads(self._known), (before, self._known), 0
        self._equality.meet(size(batch))
        if self._update.marking is None and not lost and self._equality.pays(batch):
            closed = self._equality.close(batch)
            if closed is not None:
                self.is_closed = True
                return size(closed), closed
        driven = self._stratum.drivers.of(batch, lost, self._update)
        if self._update.marking is None:
            if not self._stratum.transitive.isdisjoint(batch):
                driven, beside, found = self._transitive.close(driven, heads)
                found += self._derive(beside, (self._known, self._known), heads)
            if size(batch) <= TABLES.narrow_batch:
                self._narrow = batch
            else:
                driven, copied = self._copy(driven, states, heads)
                found += copied
        found += self._derive(driven, states, heads)
        self._equality.meet(found)
        return found, heads.batch() if found else {}

    def _copy(self, driven: list[Driven], states: States, heads: Parts) -> tuple[list[Driven], int]:
        """Copies facts along hierarchies; the plans that are left, and the number of instances."""
        found, narrow, self._narrow = 0, self._narrow, {}
        for hierarchy in self._hierarchies:
            if not hierarchy.pays():
                continue
            if narrow:
                hierarchy.note(self._copies_of(narrow, hierarchy, states[0]))
            driven, copying = hierarchy.split(driven)
            copies = UnknownHeads(self._known)
            found += self._derive(copying, states, copies)
            new = copies.batch()
            hierarchy.note(new)
            for predicate, keys in new.items():
                heads.setdefault(predicate, []).append(keys)
        return driven, found

    def _copies_of(self, batch: Batch, hierarchy: HierarchyInsertion, before: State) -> Batch:
        """What a round of few facts has copied, when so much came of them that it is told apart.

        The facts `before` are those without what has come: of two new facts, on a cycle of the
        hierarchy, neither counts as a copy of the other.
        """
        _, copying = hierarchy.split(self._stratum.drivers.of(batch, None, self._update))
        copies, spend = Parts(), self._update.spend
        derive(self._update, self._stratum, copying, (before, before), copies, spend)
        return gather(copies)

    def _derive(self, driven: list[Driven], states: States, heads: Parts) -> int:
        """Bounds are looked at before each plan that very many facts drive: it may find nothing."""
        if all(len(keys) <= REASONING.rows_block for _, _, keys in driven):
            return self._derived(driven, states, heads)
        found = 0
        for plans, predicate, keys in driven:
            for plan in plans:
                self._update.spend(len(keys))
                found += self._derived([((plan,), predicate, keys)], states, heads)
        return found

    def _derived(self, driven: list[Driven], states: States, heads: Parts) -> int:
        update = self._update
        return derive(update, self._stratum, driven, states, heads, update.find, update.marking)
