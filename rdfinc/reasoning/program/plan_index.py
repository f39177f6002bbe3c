"""The plans that the facts of a relation can drive, found once for each relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct, field

from rdfinc.datalog.compile.planning import Compute, Plan, Use
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program import clock
from rdfinc.reasoning.program.body import Body
from rdfinc.reasoning.program.leading_rows import LeadingSteps
from rdfinc.reasoning.program.plan_memory import ANY, Context, PlanMemory, Relation
from rdfinc.reasoning.program.schema_terms import SchemaTerms
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, shaped
from rdfinc.tables.table import Keys

Driven = tuple[tuple[Plan, ...], int, Keys]
"""Plans, and facts of a relation that drive them."""


def by_plan(driven: Iterable[Driven]) -> Iterator[tuple[Plan, int, Keys]]:
    """Each plan once for a relation, with all facts that drive it."""
    found: dict[tuple[int, Plan], list[Keys]] = {}
    for plans, relation, keys in driven:
        for plan in plans:
            found.setdefault((relation, plan), []).append(keys)
    for (relation, plan), groups in found.items():
        (keys,) = gather({relation: groups}).values()
        yield plan, relation, keys


Test = tuple[int, int | None, int | None]
"""A relation that must have a fact, and the ends of this: `_PREDICATE` and `_CLASS` stand for those
of the driver, None for any term."""

Tests = frozenset[Test]

_OWN = _PREDICATE, _CLASS = -1, -2


class Fitting:
    """Places of plans, by the rows that they need for their driver's relation.

    Where one of these rows is of a lower stratum, a plan is looked for by that: only for relations
    with a predicate, or class, that is in the row's table.
    """

    def __init__(self) -> None:
        self.places: dict[Tests, list[int]] = {}
        self._led: dict[tuple[int, int, bool], list[Tests]] = {}
        self._others: list[Tests] = []

    def add(self, place: int, tests: Tests, below: Iterable[Test]) -> None:
        """Adds a plan with these tests; those `below` are about tables whose terms are noted."""
        found = self.places.get(tests)
        if found is not None:
            found.append(place)
            return
        self.places[tests] = [place]
        for p, s, o in below:
            term, as_subject = (s, True) if s in _OWN else (o, False)
            assert term is not None
            self._led.setdefault((p, term, as_subject), []).append(tests)
            return
        self._others.append(tests)

    def near(self, relation: Relation, terms: SchemaTerms, facts: State) -> Iterable[Tests]:
        """The tests that may hold for a relation."""
        if not self._led:
            return self._others
        found = list(self._others)
        for term, own in zip(relation, _OWN, strict=True):
            if term is not None:
                noted = terms.of(term, len(self.places), facts)
                if noted is None:
                    return self.places
                for relations, as_subject in zip(noted, (True, False), strict=True):
                    for p in relations:
                        found += self._led.get((p, own, as_subject), ())
        return found


class Lead(Struct, frozen=True):
    """The leading `steps` of a plan, so many: `first` is the plan that begins with them;
    `relations` are the places in a row of them that tell relations of later steps."""

    plan: Plan
    first: Plan
    count: int
    steps: LeadingSteps
    relations: tuple[int, ...]

    @classmethod
    def of(cls, plan: Plan, places: tuple[int, ...], *, typed: bool) -> Lead:
        """The steps at some places of a plan."""
        first, count = plan.first(places), len(places)
        read, bound = first.read_after(count), first.bound_by(count)
        steps = LeadingSteps(first, count, _ends_of(plan, typed))
        return cls(
            plan, first, count, steps, tuple(i for i, slot in enumerate(bound) if slot in read)
        )


class PlanLevel(Struct, frozen=True):
    """What the plans of one stratum are found by, and the bodies of those found."""

    strata: Strata
    level: int
    memory: PlanMemory
    bodies: dict[Plan, Body] = field(default_factory=dict)


class PlanIndex:
    """Plans by the relation that drives them, in their order, as far as they can have matches.

    A plan has none while a relation that it needs is empty, or a parameter table has no row for the
    driving relation. Rows of lower strata are read once: where they do not change in an update the
    plans go on after them, else they look among them. So the plans of a relation hold until facts
    change that these rows are made of, or the stratum derives a row that was missing; then they
    alone are found anew.
    """

    def __init__(self, plans: Iterable[Plan], at: PlanLevel) -> None:
        self._strata, self._level, self._memory = at.strata, at.level, at.memory
        self._bodies, self._type = at.bodies, at.strata.type
        self._all = list(plans)
        self._of: dict[Relation, tuple[Plan, ...]] = {}
        self._open: dict[tuple[int | None, bool], Fitting] = {}
        self._asked: dict[tuple[int, bool], tuple[Tests, Tests]] = {}
        self._leads: dict[tuple[int, bool], Lead] = {}
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
                return [(plans, predicate, shaped(some)) for plans, some in found if plans]
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
            lead = Lead.of(plan, () if plan.given else self._leading(plan), typed=False)
            rest = self._rest(lead, relation, context, both=True)
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
        predicate, typed = relation[0], relation[1] is not None
        for place in self._candidates(relation, context):
            plan = self._all[place]
            if self._is_driven(plan, relation) and not self._of_another_level(plan, predicate):
                rest = self._rest(self._lead(place, typed), relation, context)
                if rest.rows:
                    yield rest

    def _candidates(self, relation: Relation, context: Context) -> list[int]:
        """The places of the plans with a driver of the predicate or of any, without those that need
        an empty relation, and those whose parameter tables have no row for the relation."""
        predicate, class_ = relation
        typed, places = class_ is not None, []
        for fit in (self._fit(predicate, typed, context), self._fit(None, typed, context)):
            for tests in fit.near(relation, self._memory.terms, context.met()):
                if all(self._has_row(_about(test, relation), relation, context) for test in tests):
                    places += fit.places[tests]
        return sorted(places)

    def _fit(self, predicate: int | None, typed: bool, context: Context) -> Fitting:
        """The places of the plans with a driver of this predicate, by what is to be asked for each
        relation."""
        found = self._open.get((predicate, typed))
        if found is None:
            found, lacks, whole = Fitting(), self._memory.lacks, (self, None)
            for place in self._drivers.get(predicate, ()):
                if not lacks(self._all[place].needs, context, whole):
                    tests, general = self._tests(place, typed)
                    if all(self._has_row(test, None, context) for test in general):
                        found.add(place, tests, filter(self._is_noted, tests))
            self._open[predicate, typed] = found
        return found

    def _is_noted(self, test: Test) -> bool:
        """Whether a row can only be in a table of lower strata, whose terms may be noted."""
        p, _, o = test
        return p in self._memory.terms.relations and self._is_below(p, o)

    def _has_row(self, test: Test, relation: Relation | None, context: Context) -> bool:
        """Whether there is a row: for a relation, or whichever drives the plan."""
        p, s, o = test
        found = self._memory.has_row(p, s, o, context)
        if not found:
            entry, term = (self, relation), (o or ANY) if s is None else s
            if not self._is_below(p, o):
                self._memory.await_row(entry, p, term)
            if relation is None:
                self._memory.depend(entry, (term,))
        return found

    def _tests(self, place: int, typed: bool) -> tuple[Tests, Tests]:
        """The rows that a plan needs for its driver's relation, and those for any."""
        found = self._asked.get((place, typed))
        if found is None:
            tests = set(self._rows_needed(self._all[place], typed))
            own = {test for test in tests if _PREDICATE in test or _CLASS in test}
            found = self._asked[place, typed] = frozenset(own), frozenset(tests - own)
        return found

    def _rows_needed(self, plan: Plan, typed: bool) -> Iterator[Test]:
        """A match of each parameter literal."""
        ends = _ends_of(plan, typed)
        for i in plan.clause.parameters:
            at = plan.body[i]
            s, o = (plan.constant(slot) or ends.get(slot) for slot in (at.s, at.o))
            yield plan.clause.body[i].p, s, o

    @cached_property
    def _drivers(self) -> dict[int | None, list[int]]:
        """The places of the plans by the predicate of their driver, if it has one."""
        found: dict[int | None, list[int]] = {}
        for place, plan in enumerate(self._all):
            found.setdefault(plan.constant(plan.driver.p), []).append(place)
        return found

    def _rest(
        self,
        lead: Lead,
        relation: Relation,
        context: Context,
        *,
        both: bool = False,
    ) -> Plan:
        """The plan after the leading steps, if these have the same few matches for all facts of the
        relation. If the matches change, it looks among those before and after, unless `both` are
        asked for."""
        first, count, changed = lead.first, lead.count, context.changed
        if not count:
            return lead.plan
        if len(changed) > REASONING.few_changes and not (both or changed.isdisjoint(relation)):
            return lead.plan
        leading = lead.steps.rows(_known(first, relation).values(), context.met())
        if leading is None:
            return lead.plan
        entry, lacks, full = (self, relation), self._memory.lacks, leading.rows
        self._memory.depend(entry, leading.terms)
        if places := lead.relations:
            full = [r for r in full if not lacks((r[i] for i in places), context, entry)]
        may_change = not changed.isdisjoint((ANY, *relation, *leading.terms))
        rest = first.among if may_change and not both else first.after
        return rest(count, tuple(full))

    def _lead(self, place: int, typed: bool) -> Lead:
        """The leading steps of a plan, found once."""
        found = self._leads.get((place, typed))
        if found is None:
            plan = self._all[place]
            leading = self._leading(plan, typed)
            found = self._leads[place, typed] = Lead.of(plan, leading, typed=typed)
        return found

    def _leading(self, plan: Plan, typed: bool = False) -> tuple[int, ...]:
        """The steps that match parameter literals of lower strata by values that the driver's
        relation and other such steps tell, with filters of these values."""
        found = {*_ends_of(plan, typed), *range(plan.variables, len(plan.blank))}
        clause = plan.clause
        parameters = [(clause.body[i], plan.body[i]) for i in clause.parameters]
        below = {at for literal, at in parameters if self._is_below(literal.p, literal.o)}
        leading: list[int] = []
        for place, step in enumerate(plan.steps):
            if isinstance(step, Compute):
                if step.use is Use.FILTER and found.issuperset(step.computation.inputs):
                    leading.append(place)
            elif step.at in below:
                used = {slot for slot, bound in ((step.at.s, step.s), (step.at.o, step.o)) if bound}
                if used and found >= used:
                    leading.append(place)
                    found.update((step.at.s, step.at.o))
        return tuple(leading)

    def _is_below(self, predicate: int, object_: int | None) -> bool:
        """Whether all facts of a parameter table lie in lower strata, or those with an object."""
        levels = self._strata.levels
        class_ = object_ if predicate == self._type else None
        return levels.settled and levels.of(predicate, class_) < self._level

    def _is_driven(self, plan: Plan, relation: Relation) -> bool:
        """Whether the driver can be of the relation."""
        at, (predicate, class_) = plan.driver, relation
        if class_ is not None and plan.constant(at.o) not in (None, class_):
            return False
        is_any = plan.constant(at.p) is None
        return not is_any or not plan.clause.is_auxiliary(predicate) or self._names(plan, predicate)

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
        """Whether the parameter table may give an auxiliary predicate as the driver's."""
        if predicate in self._strata.schema:
            return False
        slots = [plan.body[i] for i in plan.clause.parameters]
        return any(plan.driver.p in (at.s, at.o) for at in slots)


def _ends_of(plan: Plan, typed: bool) -> dict[int, int]:
    """What stands for the values of slots that a driver's relation tells."""
    at = plan.driver
    return {at.p: _PREDICATE, at.o: _CLASS} if typed else {at.p: _PREDICATE}


def _about(test: Test, relation: Relation) -> Test:
    """The row that is asked for a relation."""
    p, s, o = test
    predicate, class_ = relation
    s = predicate if s == _PREDICATE else class_ if s == _CLASS else s
    o = predicate if o == _PREDICATE else class_ if o == _CLASS else o
    return p, s, o


def _known(plan: Plan, relation: Relation) -> dict[int, int]:
    """The values of slots that a driver's relation tells."""
    predicate, class_ = relation
    known = {plan.driver.p: predicate}
    if class_ is not None:
        known[plan.driver.o] = class_
    return known
