"""One update in the making: the facts and net changes shared by all its passes. Nothing changes
until it commits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from rdfinc.datalog.analysis.modules import ClosureKind, Module
from rdfinc.reasoning.evaluation.guarded_deltas import GuardedChange
from rdfinc.reasoning.evaluation.related import Related
from rdfinc.reasoning.evaluation.run import Parts, States, united
from rdfinc.reasoning.evaluation.states import Earlier, Hiding, Removed, State, overlaid
from rdfinc.reasoning.evaluation.table_deltas import PairDelta, Shift
from rdfinc.reasoning.maintenance.counters import Counters
from rdfinc.reasoning.maintenance.marking import NO_HINTS, Hints, Marking
from rdfinc.reasoning.maintenance.verdict import FirstEquality, Stopped, TooFine
from rdfinc.reasoning.program.plan_index import Driven
from rdfinc.reasoning.program.plan_memory import ANY, Context, terms_of
from rdfinc.reasoning.program.stratum import Reads, Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.closed import MakeClosed
from rdfinc.tables.facts import Batch, FactSet, MakeTable, gather, joined
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import KeptTable, Table
from rdfinc.tables.views import EMPTY, IntersectionView, UnionView


class Abandoned(Exception):  # noqa: N818  a signal between modules, never seen by users
    """A deletion that would take longer than to materialise its stratum anew."""


class Spend(Protocol):
    """Takes the number of rule instances considered, and of facts `ahead`, which are about to drive
    others; may raise Abandoned."""

    def __call__(self, instances: int, ahead: int = 0) -> None: ...


def never() -> bool:
    """Answers no."""
    return False


def freely(instances: int, ahead: int = 0) -> None:
    """Bounds nothing."""


@dataclass
class Update:
    """The facts before an update, the explicit facts after it, and the net change of the finished
    strata: facts removed and added, and `shifts`, the relations kept in other tables than before.
    """

    before: Mapping[int, KeptTable]
    explicit: State
    make: MakeTable
    make_closed: MakeClosed
    removed: FactSet = field(init=False)
    added: FactSet = field(init=False)
    counters: Counters = field(default_factory=Counters)
    rematerialised: int = 0
    """Strata that were materialised anew."""
    overdeleted: int = 0
    """Strata in which Delete/Rederive was at work."""
    shifts: dict[int, Shift] = field(default_factory=dict)
    closure_kinds: dict[int, ClosureKind] = field(default_factory=dict)
    """The kinds of closure of the modules, by external relation: before the update, and in finished
    strata after it."""
    hints: Hints = NO_HINTS
    """Hints noted by the update before this one."""
    marking: Marking | None = None
    """Notes for the next update."""
    changed: set[int] = field(default_factory=set)
    """The terms that changed facts of finished strata's parameter tables are about, ANY for any."""
    awaited_equality: int = 0
    """The equality relation whose first derived fact may make strata over representatives better; 0
    for none."""
    rewriting_pays: Callable[[], bool] = never
    """Asked then: whether they are."""
    spend: Spend = freely
    """Called as rule instances are found; what it raises ends the update."""
    find: Spend = freely
    """The same for instances whose heads are kept until the end of a round."""
    room: float = inf
    """The facts that it may add; users may see fewer than there are."""
    origin: FactSet | None = None
    """The set of the facts before, where it is to be asked for the relations of terms."""

    def __post_init__(self) -> None:
        self.removed, self.added = FactSet(self.make), FactSet(self.make)
        self._kinds_before, self.closure_kinds = self.closure_kinds, dict(self.closure_kinds)
        self._kept: Mapping[int, Table] = self.before
        self._ever: Mapping[int, Table] = self.before
        self._after: Mapping[int, Table] = self.before
        self._met: State | None = None
        more = self.added.tables, self.shifts
        self._related = None if self.origin is None else Related(self.origin, more)

    def shift(self, predicate: int, shift: Shift) -> None:
        """Keeps a relation in another table from now on."""
        shifts = self.shifts
        shifts[predicate] = shift
        self._kept = overlaid(
            self.before, {p: IntersectionView(s.old, s.new) for p, s in shifts.items()}
        )
        ever: dict[int, Table] = {p: UnionView((s.old, s.new)) for p, s in shifts.items()}
        self._ever = overlaid(self.before, ever)
        self._after = overlaid(self.before, {p: s.new for p, s in shifts.items()})
        self._met = None

    def met(self) -> State:
        """All facts before the update and by now: in these plans are found."""
        if self._met is None:
            self._met = State(self._ever, (), self.added)
        return self._met

    def replace_added(self, predicate: int, facts: KeyArray) -> None:
        """Makes the added facts of a relation these and no others."""
        self.added.keep(predicate, facts)
        self._met = None

    def hear(self, stratum: Stratum) -> None:
        """Has the plans found by facts of parameter tables forgotten where the strata below this
        one have changed these."""
        schema, fresh = stratum.strata.schema, set[int]()
        for facts in (self.added, self.removed):
            fresh |= terms_of(schema.held(facts))
        if self.shifts and schema.may_hold(self.shifts):
            fresh.add(ANY)
        fresh -= self.changed
        if fresh:
            self.changed |= fresh
            stratum.memory.change(fresh)

    def ask_for_rewriting(self) -> bool:
        """Whether strata over representatives are better, since the first fact of the awaited
        equality is derived. Awaits it no longer."""
        self.awaited_equality = 0
        return self.rewriting_pays()

    @property
    def has_changed(self) -> bool:
        """Whether the strata done so far may have changed anything."""
        return bool(self.shifts or self.added.tables or self.removed.tables)

    def gained(self, stratum: Stratum) -> Batch:
        """The gains of the finished strata, as far as a stratum reads them."""
        if not self.shifts:
            return self.added.batch()
        read = ((p, self._read(p, stratum)) for p in self.shifts)
        gained = {p: change.gained for p, change in read if change}
        return joined(self.added.batch(), {p: keys for p, keys in gained.items() if len(keys)})

    def lost(self, stratum: Stratum) -> Batch:
        """The losses of the finished strata, as far as a stratum reads them."""
        if not self.shifts:
            return self.removed.batch()
        read = ((p, self._read(p, stratum)) for p in self.shifts)
        lost = {p: change.lost for p, change in read if change}
        return joined(self.removed.batch(), {p: keys for p, keys in lost.items() if len(keys)})

    def _read(self, predicate: int, stratum: Stratum) -> PairDelta | None:
        """The change of a relation kept in another table, as far as a stratum reads it."""
        shift, reads = self.shifts[predicate], stratum.reads(predicate, self)
        if reads is not Reads.PAIRS:
            return shift.ends if reads is Reads.ENDS else None
        guards = stratum.guards(predicate, self)
        return shift if guards is None else GuardedChange(shift, guards, self.ever)

    def ever(self, predicate: int) -> Table:
        """The facts of a relation before the update and by now."""
        return State(self._ever, (), self.added).table(predicate)

    def is_new(self, module: Module) -> bool:
        """Whether a module is to be made in this update."""
        return module.external not in self._kinds_before

    def steady(self) -> dict[int, ClosureKind]:
        """The kinds of modules that have not changed in this update."""
        return {
            p: kind for p, kind in self.closure_kinds.items() if self._kinds_before.get(p) == kind
        }

    def losses(self, stratum: Stratum) -> int:
        """The approximate number of facts read by a stratum that have gone, types left out; told by
        the sizes of tables. Few facts of a relation are not told from none."""
        few = REASONING.several_doubts
        gone = ((p, len(t)) for p, t in self.removed.tables.items() if p != stratum.strata.type)
        fewer = {p: n for p, n in gone if n >= few}
        for predicate, shift in self.shifts.items():
            lost = shift.old.at_most() - shift.new.at_most()
            if lost >= few and stratum.reads(predicate, self) is Reads.PAIRS:
                fewer[predicate] = lost
        return sum(n for p, n in fewer.items() if stratum.reads(p, self) is not Reads.NOTHING)

    def facts(self, batch: Batch | None = None) -> FactSet:
        return FactSet.of(batch or {}, self.make)

    def state(self, *minus: Removed) -> State:
        """The facts before the update, without some."""
        return State(self.before, minus)

    def kept(self, *minus: Removed) -> State:
        """The facts before the update that finished strata keep, without some."""
        removed = (self.removed,) if self.removed.tables else ()
        ever = State(self._ever, (), self.added)
        return State(self._kept, (*removed, *minus), None, ever, self._related)

    def after(self, *minus: Removed) -> State:
        """The known facts after the update, while nothing more is `removed`; complete for finished
        strata."""
        removed = (self.removed,) if self.removed.tables else ()
        return State(self._after, (*removed, *minus), self.added, related=self._related)

    def extend(self, known: State, batch: Batch) -> State:
        """Adds facts to `known`, the facts after the update; returns those that were missing."""
        large = [p for p, keys in batch.items() if not isinstance(keys, list)]
        if not large:
            self.added.extend(batch)
            return Hiding(known, batch)
        was = self.facts()
        was.tables.update({p: self.added.table(p).copy() for p in large})
        self.added.extend(batch)
        return Earlier(known, batch, State(self._after, (self.removed,), was))

    def has_room(self, facts: int) -> bool:
        """Whether it may add so many more facts."""
        return facts <= self.room - len(self.added)

    def finished(self, *minus: Removed) -> State:
        """The same as `after`, for use while neither `removed` nor `added` changes: empty ones cost
        nothing."""
        removed = (self.removed,) if self.removed.tables else ()
        added = self.added if self.added.tables else None
        return State(self._after, (*removed, *minus), added, related=self._related)

    def then(self, second: Update) -> Update:
        """This update and a second one, made on its result, as one."""
        both = Update(self.before, second.explicit, self.make, self.make_closed)
        both.removed.add(second.added.missing(self.removed.batch()))
        both.removed.add(self.added.missing(second.removed.batch()))
        both.added.add(second.removed.missing(self.added.batch()))
        both.added.add(self.removed.missing(second.added.batch()))
        mine, others = self.counters.as_dict(), second.counters.as_dict()
        both.closure_kinds, both.changed = second.closure_kinds, second.changed
        for predicate, shift in {**self.shifts, **second.shifts}.items():
            both.shift(predicate, Shift(self.before.get(predicate, EMPTY), shift.new))
        both.rematerialised = self.rematerialised + second.rematerialised
        both.overdeleted = self.overdeleted + second.overdeleted
        vars(both.counters).update({name: mine[name] + others[name] for name in mine})
        return both


def consequences(
    context: Context,
    stratum: Stratum,
    driven: Sequence[Driven],
    states: States,
    spend: Spend = freely,
    marking: Marking | None = None,
) -> tuple[Batch, int]:
    """The heads of the rule instances of plans of the stratum, with the facts that drive these, and
    their number. `marking` sees all instances.

    Raises Stopped if a clause with a variable head derives a fact of a lower stratum from a
    higher one.
    """
    parts = Parts()
    instances = derive(context, stratum, driven, states, parts, spend, marking)
    return gather(parts), instances


def derive(
    context: Context,
    stratum: Stratum,
    driven: Sequence[Driven],
    states: States,
    parts: Parts,
    spend: Spend = freely,
    marking: Marking | None = None,
) -> int:
    """Adds the heads of the instances to `parts`; otherwise as `consequences`. Raises Stopped
    as well if the first derived fact of an equality makes other strata better."""
    if not driven:
        return 0
    free, strata = Parts(), stratum.strata
    turned = Parts() if strata.modules.all else parts
    instances = 0
    for plans, predicate, keys in driven:
        for plan in plans:
            target = parts if turned is parts or strata.derives_as_named(plan) else turned
            target = free if plan.clause in strata.free else target
            blocks = stratum.finished(plan, predicate, keys, states)
            for block in blocks if isinstance(keys, list) else united(blocks, plan.head.p):
                found = len(block)
                instances += found
                spend(found)
                block.emit(plan.head, target)
                if context.awaited_equality in target and context.ask_for_rewriting():
                    raise Stopped(FirstEquality())
                if marking is not None:
                    marking.note(plan, block)
    if turned is not parts:
        for predicate, groups in strata.turned(turned).items():
            parts.setdefault(predicate, []).extend(groups)
    if free:
        heads = strata.turned(free)
        misplaced = strata.misplaced(gather(heads), stratum.level, context.met())
        if misplaced:
            raise Stopped(TooFine(misplaced))
        for predicate, groups in heads.items():
            parts.setdefault(predicate, []).extend(groups)
    return instances
