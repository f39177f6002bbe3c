"""The step interpreter of long plans: one loop over a stack does what `row_interpreter` writes out
as nested loops for short ones.

Source grows with a plan, and a rule of n atoms has n + 1 of them; of long ones most matches fail
after a few steps. So the steps of long plans are interpreted, which takes twice the time a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rdfinc.datalog.compile.planning import Compute, Match, Plan, Slots, Step, Use
from rdfinc.reasoning.evaluation.plan_codegen import (
    asked_class,
    asked_of_members,
    held,
    led_by,
    meetings,
    relations,
)
from rdfinc.reasoning.evaluation.related import leading
from rdfinc.reasoning.evaluation.search_reports import report, ticks
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES

Choices = Iterator[Any]
"""A True for each way to go on, the slots set; else a block of matches that others have found."""


def stepping(plan: Plan, many: Mapping[str, Any]) -> Callable[..., Iterator[Any]]:
    """The plan as a function (see `rows.routine`)."""

    def matches(
        keys: Sequence[int],
        predicate: int,
        states: Sequence[State],
        rows: Iterable[tuple[int, ...]],
        met: Any,
    ) -> Iterator[Any]:
        meet = meetings(plan)
        for key in keys:
            slots = list(plan.blank)
            if _driven(plan, slots, predicate, key):
                for row in rows:
                    _give(slots, plan.given, row)
                    yield from Search(plan.steps, slots, states, many, meet).blocks(met)
        if met:
            yield many["Rows"](met)

    return matches


def _driven(plan: Plan, slots: list[int], predicate: int, key: int) -> bool:
    """Takes the driver from a fact, if it can be that."""
    at = plan.driver
    for slot, value in ((at.p, predicate), (at.s, key >> 32), (at.o, key & 0xFFFFFFFF)):
        if slots[slot] not in (0, value):
            return False
        slots[slot] = value
    return True


def _give(slots: list[int], given: Iterable[int], row: Iterable[int]) -> None:
    for slot, value in zip(given, row, strict=True):
        slots[slot] = value


_NOWHERE: Mapping[int, list[int]] = MappingProxyType({})


class Search:
    """Depth-first over the ways to take the steps; `slots` that have no value hold 0."""

    def __init__(
        self,
        steps: Sequence[Step],
        slots: list[int],
        states: Sequence[State],
        many: Mapping[str, Any],
        meet: Mapping[int, list[int]] = _NOWHERE,
    ) -> None:
        """`meet` are the `meetings` of the steps."""
        self.steps, self.slots, self.states, self.many = steps, slots, states, many
        self.meet = meet
        self.tried = {i: set[tuple[int, ...]]() for i in meet}

    def blocks(self, met: Any) -> Iterator[Any]:
        """Adds matches to `met`, and hands out blocks of them."""
        stack = [self.choices(0) if self.steps else iter((True,))]
        every = REASONING.steps_a_report
        while stack:
            if not next(ticks) % every:
                report(every)
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
            elif found is not True:
                yield found
            elif len(stack) < len(self.steps):
                if self.is_untried(len(stack) - 1):
                    stack.append(self.choices(len(stack)))
            else:
                met.append(tuple(self.slots))
                if len(met) >= met.enough:
                    yield met.block()

    def is_untried(self, i: int) -> bool:
        """Whether it is the first time that the steps behind one begin with the same values."""
        if i not in self.meet:
            return True
        live, tried = tuple(self.slots[slot] for slot in self.meet[i]), self.tried[i]
        is_new = live not in tried
        tried.add(live)
        return is_new

    def choices(self, i: int) -> Choices:
        step = self.steps[i]
        if isinstance(step, Compute):
            return self.computed(step)
        if not step.p:
            return self.of_any_relation(i, step)
        return self.matched(i, step, step.s, step.o)

    def of_any_relation(self, i: int, step: Match) -> Choices:
        at, slots = step.at, self.slots
        with_predicate = step.with_predicate()
        if not (with_predicate.s or with_predicate.o):
            yield from self.columns(i)
            return
        end, state = slots[at.s if step.s else at.o], self.states[step.role]
        for predicate in relations(step.is_auxiliary, state, end, as_subject=step.s):
            slots[at.p] = predicate
            yield from self.matched(i, step, with_predicate.s, with_predicate.o)
        slots[at.p] = 0

    def columns(self, i: int) -> Choices:
        yield from self.many["columns"](self.steps[i:], list(self.slots), self.states)

    def matched(self, i: int, step: Match, s: bool, o: bool) -> Choices:
        at, slots, state = step.at, self.slots, self.states[step.role]
        predicate, key = slots[at.p], slots[at.s] << 32 | slots[at.o]
        if step.negated:
            holds = not state.negated(predicate).has(key)
        elif not (s or o):
            yield from self.columns(i)
            return
        elif not (s and o):
            yield from self.followed(i, step, state.table(predicate), s)
            return
        else:
            holds = state.table(predicate).has(key)
        if holds:
            yield True

    def followed(self, i: int, step: Match, table: Table, s: bool) -> Choices:
        """Every fact of which one end is known."""
        at, slots = step.at, self.slots
        known, free = (slots[at.s], at.o) if s else (slots[at.o], at.s)
        if free not in step.live:
            if table.is_subject(known) if s else table.is_object(known):
                yield True
            return
        if step.broad:
            found = self.many["members"]((known, table), *self.asked_of_members(i, at))
        elif s:
            found = table.objects(known)
        else:
            found = self.leading(i, step, table)
        if not step.broad and (asks := asked_class(self.steps, i, free)) is not None:
            types = self.states[asks.role].table(slots[asks.at.p])
            found = held(found, types, slots[asks.at.s])
        if len(found) > TABLES.narrow_batch:
            rest = self.steps[i + 1 :]
            yield from self.many["spread"](rest, list(slots), self.states, free, found)
            return
        for value in found:
            slots[free] = value
            yield True
        slots[free] = 0

    def asked_of_members(self, i: int, at: Slots) -> Iterator[tuple[int, Table]]:
        """The other classes, with their tables, of which the next steps ask if members are."""
        slots, states = self.slots, self.states
        for step in asked_of_members(at, self.steps[i + 1 :], lambda slot: slots[slot] > 0):
            yield slots[step.at.o], states[step.role].table(slots[step.at.p])

    def leading(self, i: int, step: Match, table: Table) -> list[int]:
        """The subjects of the known object, or those that lead on where they are relations."""
        object_, led = self.slots[step.at.o], led_by(self.steps, i, step.at.s)
        if led is None:
            return table.subjects(object_)
        next_, as_subject = led
        end = self.slots[next_.at.s if as_subject else next_.at.o]
        related = self.states[next_.role].related
        return leading(table, object_, related, end, as_subject=as_subject)

    def computed(self, step: Compute) -> Choices:
        if not next(ticks) % (REASONING.steps_a_report // REASONING.steps_a_computation):
            report(REASONING.steps_a_report)
        found = self.inverted(step) if step.use is Use.INVERT else self.valued(step)
        if found is not None and self.agrees(found):
            yield True
        for slot in _fresh(step):
            self.slots[slot] = 0

    def inverted(self, step: Compute) -> list[tuple[int, int]] | None:
        """The inputs with the values that give the output."""
        computation = step.computation
        assert computation.invert is not None and computation.output is not None
        inputs = computation.invert(self.slots[computation.output])
        return None if inputs is None else list(zip(computation.inputs, inputs, strict=True))

    def valued(self, step: Compute) -> list[tuple[int, int]] | None:
        """The output, if there is one, with its value."""
        computation = step.computation
        value = computation.values([tuple(self.slots[slot] for slot in computation.inputs)])[0]
        if value is None:
            return None
        return [] if computation.output is None else [(computation.output, value)]

    def agrees(self, values: Iterable[tuple[int, int]]) -> bool:
        """Gives slots their values, or tests that they have these."""
        for slot, value in values:
            if self.slots[slot] not in (0, value):
                return False
            self.slots[slot] = value
        return True


def _fresh(step: Compute) -> list[int]:
    """The slots that a computation binds."""
    computation = step.computation
    if step.use is Use.INVERT:
        return [slot for slot in computation.inputs if slot not in step.known]
    return [] if step.use is not Use.ASSIGN or computation.output is None else [computation.output]
