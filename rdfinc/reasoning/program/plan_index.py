"""The plans that the facts of a relation can drive, found once for each relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from rdfinc.datalog.clause import Pattern
from rdfinc.datalog.compile.planning import Compute, Plan, Use
from rdfinc.reasoning.evaluation.run import complete
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.table import Keys

if TYPE_CHECKING:
    from rdfinc.reasoning.program.stratum import Stratum

Relation = tuple[int, int | None]
"""A predicate, and under `rdf:type` a class if only its members are meant."""

Driven = tuple[tuple[Plan, ...], int, Keys]
"""Plans, and facts of a relation that drive them."""


class PlanIndex:
    """Plans by the relation that drives them, in their order, as far as they can have matches.

    A plan has none while a relation that it needs is empty, or if the parameter tables of lower
    strata have no row for the driving relation. While nothing below changes, these rows are read
    once, and the plans go on after them.
    """

    def __init__(self, plans: Iterable[Plan], stratum: Stratum) -> None:
        self._stratum, self._type = stratum, stratum.strata.type
        self._all = list(plans)
        self._of: dict[Relation, tuple[Plan, ...]] = {}
        self._open: dict[int | None, list[int]] = {}
        stratum.indexes.append(self)

    def of_batch(self, batch: Batch) -> list[Driven]:
        found: list[Driven] = []
        for predicate, keys in batch.items():
            found += self.plans(predicate, keys)
        return found

    def plans(self, predicate: int, keys: Keys) -> list[Driven]:
        """The plans that some of the facts can drive, each with those facts."""
        class_ = None
        if predicate == self._type:
            if not isinstance(keys, list):
                groups = kernels.by_low(keys) or ((None, keys),)
                return [(self._plans(predicate, c), predicate, shaped(some)) for c, some in groups]
            if len(keys) > 1:
                return self._by_class(keys)
            class_ = keys[0] & 0xFFFFFFFF
        plans = self._of.get((predicate, class_))
        if plans is None:
            plans = self._plans(predicate, class_)
        return [(plans, predicate, keys)] if plans else []

    def _by_class(self, keys: list[int]) -> list[Driven]:
        """The same for a few facts of `rdf:type`."""
        classes: dict[int, list[int]] = {}
        for key in keys:
            classes.setdefault(key & 0xFFFFFFFF, []).append(key)
        return [(self._plans(self._type, c), self._type, some) for c, some in classes.items()]

    def driven(self, predicate: int) -> Iterator[Plan]:
        """The plans that facts of a predicate (rdf:type excepted) can drive, by the rows of
        parameter tables before and after a change of lower strata."""
        for plan in self._plans(predicate, None):
            known = self._known(plan, predicate, None)
            rest = None if known is None else self._rest(plan, known)
            if rest is not None and rest.rows:
                yield rest

    def forget(self) -> None:
        """Forgets all plans found so far."""
        self._of.clear()
        self._open.clear()

    def _plans(self, predicate: int, class_: int | None) -> tuple[Plan, ...]:
        found = self._of.get((predicate, class_))
        if found is None:
            if len(self._of) >= REASONING.remembered_relations:
                self._stratum.forget()
            found = self._of[predicate, class_] = tuple(self._found(predicate, class_))
        return found

    def _found(self, predicate: int, class_: int | None) -> Iterator[Plan]:
        strata = self._stratum.strata
        for plan in self._candidates(predicate):
            known = self._known(plan, predicate, class_)
            if known is not None:
                rest = self._rest(plan, known) if strata.settled else plan
                if rest.rows:
                    yield rest

    def _candidates(self, predicate: int) -> Iterator[Plan]:
        """The plans with a driver of the predicate or of any, without those that need an empty
        relation."""
        places = sorted((*self._fit(predicate), *self._fit(None)))
        return (self._all[place] for place in places)

    def _fit(self, predicate: int | None) -> list[int]:
        """The places of the plans with a driver of this predicate."""
        found = self._open.get(predicate)
        if found is None:
            lacks, plans = self._stratum.strata.lacks, self._all
            places = self._drivers.get(predicate, ())
            found = self._open[predicate] = [at for at in places if not lacks(plans[at].needs)]
        return found

    @cached_property
    def _drivers(self) -> dict[int | None, list[int]]:
        """The places of the plans by the predicate of their driver, if it has one."""
        found: dict[int | None, list[int]] = {}
        for place, plan in enumerate(self._all):
            found.setdefault(plan.constant(plan.driver.p), []).append(place)
        return found

    def _rest(self, plan: Plan, known: dict[int, int]) -> Plan:
        """The plan after those of its first steps that have the same few matches for all facts of
        the relation."""
        count = self._leading(plan, known)
        if not count:
            return plan
        slots = [known.get(slot, value) for slot, value in enumerate(plan.blank)]
        strata = self._stratum.strata
        facts = strata.facts
        bound = plan.bound_by(count)
        blocks = complete(plan.steps[:count], slots, (facts, facts))
        most = REASONING.rows_read_once
        found = [*islice((row for block in blocks for row in block.values(bound)), most + 1)]
        if len(found) > most:
            return plan
        read = plan.read_after(count)
        places = [place for place, slot in enumerate(bound) if slot in read]
        rows = tuple(row for row in found if not strata.lacks(row[place] for place in places))
        return plan.after(count, rows)

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
        strata, levels = self._stratum.strata, self._stratum.strata.levels
        class_ = literal.o if literal.p == strata.type else None
        return levels.settled and levels.of(literal.p, class_) < self._stratum.level

    def _known(self, plan: Plan, predicate: int, class_: int | None) -> dict[int, int] | None:
        """The values of slots for a driver of the relation; None if it cannot drive the plan."""
        at = plan.driver
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
        has_rows = all(self._has_row(plan, i, known) for i in plan.clause.parameters)
        return known if has_rows else None

    def _of_another_level(self, plan: Plan, predicate: int) -> bool:
        """Whether the plan's clause derives the driver's own predicate in another stratum: all
        other body relations are complete there."""
        strata = self._stratum.strata
        if plan.head.p != plan.driver.p or predicate == strata.type:
            return False
        if predicate in strata.modules.of:
            return False
        level = strata.levels.of(predicate, None)
        if level == self._stratum.level or level not in strata.reached.get(plan.clause, ()):
            return False
        named = [literal for literal in plan.clause.body if literal.p > 0]
        return all(strata.level(literal.p, literal.o) <= level for literal in named)

    def _names(self, plan: Plan, predicate: int) -> bool:
        """Whether the parameter table may give a hidden predicate as the driver's."""
        if predicate in self._stratum.strata.tables:
            return False
        slots = [plan.body[i] for i in plan.clause.parameters]
        return any(plan.driver.p in (at.s, at.o) for at in slots)

    def _has_row(self, plan: Plan, parameter: int, known: dict[int, int]) -> bool:
        """Whether the parameter literal has a match for the known values."""
        literal, at = plan.clause.body[parameter], plan.body[parameter]
        if not self._is_below(literal):
            return True
        s = known.get(at.s, plan.constant(at.s))
        o = known.get(at.o, plan.constant(at.o))
        return self._stratum.has_row(literal.p, s, o)
