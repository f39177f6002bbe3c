"""The plans that the facts of a relation can drive, found once for each relation."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from rdfinc.datalog.clause import Pattern
from rdfinc.datalog.compile.planning import Compute, Match, Plan, Use
from rdfinc.reasoning.evaluation.run import complete
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program import clock
from rdfinc.reasoning.program.body import Body
from rdfinc.reasoning.program.plan_memory import ANY, Context, PlanMemory, Relation
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.table import Keys

Driven = tuple[tuple[Plan, ...], int, Keys]
"""Plans, and facts of a relation that drive them."""


@dataclass(frozen=True)
class PlanLevel:
    """What the plans of one stratum are found by, and the bodies of those found."""

    strata: Strata
    level: int
    memory: PlanMemory
    bodies: dict[Plan, Body] = field(default_factory=dict)


class PlanIndex:
    """Plans by the relation that drives them, in their order, as far as they can have matches.

    A plan has none while a relation that it needs is empty, or if the parameter tables of lower
    strata have no row for the driving relation. Rows that do not change in an update are read once,
    and the plans go on after them. So the plans of a relation hold until facts change that these
    rows are made of; then they alone are found anew.
    """

    def __init__(self, plans: Iterable[Plan], at: PlanLevel) -> None:
        self._strata, self._level, self._memory = at.strata, at.level, at.memory
        self._bodies, self._type = at.bodies, at.strata.type
        self._all = list(plans)
        self._of: dict[Relation, tuple[Plan, ...]] = {}
        self._open: dict[int | None, list[int]] = {}
        self._memory.indexes.append(self)

    def of_batch(self, batch: Batch, context: Context) -> list[Driven]:
        found: list[Driven] = []
        for predicate, keys in batch.items():
            found += self.plans(predicate, keys, context)
        return found

    def plans(self, predicate: int, keys: Keys, context: Context) -> list[Driven]:
        """The plans that some of the facts can drive, each with those facts."""
        class_ = None
        if predicate == self._type:
            if not isinstance(keys, list):
                groups = kernels.by_low(keys) or ((None, keys),)
                found = ((self._plans(predicate, c, context), some) for c, some in groups)
                return [(plans, predicate, shaped(some)) for plans, some in found]
            if len(keys) > 1:
                return self._by_class(keys, context)
            class_ = keys[0] & 0xFFFFFFFF
        plans = self._of.get((predicate, class_))
        if plans is None:
            plans = self._plans(predicate, class_, context)
        return [(plans, predicate, keys)] if plans else []

    def _by_class(self, keys: list[int], context: Context) -> list[Driven]:
        """The same for a few facts of `rdf:type`."""
        classes: dict[int, list[int]] = {}
        for key in keys:
            classes.setdefault(key & 0xFFFFFFFF, []).append(key)
        found, type_ = self._plans, self._type
        return [(found(type_, c, context), type_, some) for c, some in classes.items()]

    def driven(self, predicate: int, context: Context) -> Iterator[Plan]:
        """The plans that facts of a predicate (rdf:type excepted) can drive, by the rows of
        parameter tables before and after a change of lower strata."""
        relation = predicate, None
        for plan in self._plans(*relation, context):
            known = self._known(plan, relation, context)
            if known is not None:
                rest = self._rest(plan, known, relation, context, both=True)
                if rest.rows:
                    yield rest

    def drop(self, relation: Relation) -> None:
        """Forgets the plans of a relation."""
        for plan in self._of.pop(relation, ()):
            self._bodies.pop(plan, None)

    def forget(self) -> None:
        """Forgets all plans found so far."""
        for found in (self._of, self._open, self._bodies):
            found.clear()

    def _plans(self, predicate: int, class_: int | None, context: Context) -> tuple[Plan, ...]:
        relation = predicate, class_
        found = self._of.get(relation)
        if found is None:
            if len(self._of) >= REASONING.remembered_relations:
                self._memory.forget()
            start = clock.now()
            found = self._of[relation] = tuple(self._found(relation, context))
            self._memory.depend((self, relation), (class_ or predicate,))
            self._memory.seconds += clock.now() - start
        return found

    def _found(self, relation: Relation, context: Context) -> Iterator[Plan]:
        changes = not context.changed.isdisjoint((ANY, *relation))
        for plan in self._candidates(relation[0], context):
            known = self._known(plan, relation, context)
            if known is not None:
                rest = plan if changes else self._rest(plan, known, relation, context)
                if rest.rows:
                    yield rest

    def _candidates(self, predicate: int, context: Context) -> Iterator[Plan]:
        """The plans with a driver of the predicate or of any, without those that need an empty
        relation."""
        places = sorted((*self._fit(predicate, context), *self._fit(None, context)))
        return (self._all[place] for place in places)

    def _fit(self, predicate: int | None, context: Context) -> list[int]:
        """The places of the plans with a driver of this predicate."""
        found = self._open.get(predicate)
        if found is None:
            lacks, plans, whole = self._memory.lacks, self._all, (self, None)
            places = self._drivers.get(predicate, ())
            found = [at for at in places if not lacks(plans[at].needs, context, whole)]
            self._open[predicate] = found
        return found

    @cached_property
    def _drivers(self) -> dict[int | None, list[int]]:
        """The places of the plans by the predicate of their driver, if it has one."""
        found: dict[int | None, list[int]] = {}
        for place, plan in enumerate(self._all):
            found.setdefault(plan.constant(plan.driver.p), []).append(place)
        return found

    def _rest(
        self,
        plan: Plan,
        known: dict[int, int],
        relation: Relation,
        context: Context,
        *,
        both: bool = False,
    ) -> Plan:
        """The plan after those of its first steps that have the same few matches for all facts of
        the relation. If these change, the plan, unless `both` matches before and after are asked
        for."""
        count = self._leading(plan, known)
        if not count:
            return plan
        slots = [known.get(slot, value) for slot, value in enumerate(plan.blank)]
        facts, bound = context.met(), plan.bound_by(count)
        blocks = complete(plan.steps[:count], slots, (facts, facts))
        most = REASONING.rows_read_once
        found = [*islice((row for block in blocks for row in block.values(bound)), most + 1)]
        if len(found) > most:
            return plan
        terms = set(_looked_up(plan, count, known, slots, facts))
        entry, lacks, read = (self, relation), self._memory.lacks, plan.read_after(count)
        self._memory.depend(entry, terms)
        if not (both or terms.isdisjoint(context.changed)):
            return plan
        places = [place for place, slot in enumerate(bound) if slot in read]
        full = (row for row in found if not lacks((row[i] for i in places), context, entry))
        return plan.after(count, tuple(full))

    def _leading(self, plan: Plan, known: Iterable[int]) -> int:
        """The number of first steps that match parameter literals of lower strata by known values
        only."""
        found = {*known, *range(plan.variables, len(plan.blank))}
        below = {
            plan.body[i] for i in plan.clause.parameters if self._is_below(plan.clause.body[i])
        }
        for count, step in enumerate(plan.steps):
            if isinstance(step, Compute):
                if step.use is not Use.FILTER or not found.issuperset(step.computation.inputs):
                    return count
                continue
            if step.at not in below:
                return count
            used = [slot for slot, bound in ((step.at.s, step.s), (step.at.o, step.o)) if bound]
            if not used or not found.issuperset(used):
                return count
            found.update((step.at.s, step.at.o))
        return len(plan.steps)

    def _is_below(self, literal: Pattern) -> bool:
        """Whether all facts that a parameter literal can match lie in lower strata."""
        levels = self._strata.levels
        class_ = literal.o if literal.p == self._type else None
        return levels.settled and levels.of(literal.p, class_) < self._level

    def _known(self, plan: Plan, relation: Relation, context: Context) -> dict[int, int] | None:
        """The values of slots for a driver of the relation; None if it cannot drive the plan."""
        at, (predicate, class_) = plan.driver, relation
        is_any = plan.constant(at.p) is None
        if is_any and plan.clause.hidden(predicate) and not self._names(plan, predicate):
            return None
        if self._of_another_level(plan, predicate):
            return None
        known = {at.p: predicate}
        if class_ is not None:
            if plan.constant(at.o) not in (None, class_):
                return None
            known[at.o] = class_
        has_rows = all(self._has_row(plan, i, known, context) for i in plan.clause.parameters)
        return known if has_rows else None

    def _of_another_level(self, plan: Plan, predicate: int) -> bool:
        """Whether the plan's clause derives the driver's own predicate in another stratum: all
        other body relations are complete there."""
        strata = self._strata
        if plan.head.p != plan.driver.p or predicate == self._type:
            return False
        if predicate in strata.modules.of:
            return False
        level = strata.levels.of(predicate, None)
        if level == self._level or level not in strata.reached.get(plan.clause, ()):
            return False
        named = [literal for literal in plan.clause.body if literal.p > 0]
        return all(strata.level(literal.p, literal.o) <= level for literal in named)

    def _names(self, plan: Plan, predicate: int) -> bool:
        """Whether the parameter table may give a hidden predicate as the driver's."""
        if predicate in self._strata.schema:
            return False
        slots = [plan.body[i] for i in plan.clause.parameters]
        return any(plan.driver.p in (at.s, at.o) for at in slots)

    def _has_row(self, plan: Plan, parameter: int, known: dict[int, int], context: Context) -> bool:
        """Whether the parameter literal has a match for the known values."""
        literal, at = plan.clause.body[parameter], plan.body[parameter]
        if not self._is_below(literal):
            return True
        s = known.get(at.s, plan.constant(at.s))
        o = known.get(at.o, plan.constant(at.o))
        found = self._memory.has_row(literal.p, s, o, context)
        if not found and known.keys().isdisjoint((at.s, at.o)):
            self._memory.depend((self, None), (s or o or ANY,))
        return found


def _looked_up(
    plan: Plan, count: int, known: Container[int], slots: list[int], facts: State
) -> Iterator[int]:
    """The terms by which the first steps of a plan look for matches: those known and one more of
    each other step. Cost: the matches."""
    for at, step in enumerate(plan.steps[:count]):
        if isinstance(step, Match):
            used = [slot for slot, bound in ((step.at.s, step.s), (step.at.o, step.o)) if bound]
            slot = min(used)  # a variable rather than a constant
            if any(each in known for each in used):
                continue
            if slot >= plan.variables:
                yield slots[slot]
                continue
            for block in complete(plan.steps[:at], slots, (facts, facts)):
                yield from (term for (term,) in block.values((slot,)))
