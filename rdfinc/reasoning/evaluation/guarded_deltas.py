"""The change of a closed relation, for rules that ask something else of one end of its pairs.

The rule `type(x, C) ← R(x, y), type(y, D)` reads the pairs that end in a D. A pair has no instance
if its end is no D, neither before the update nor so far after it. If the end becomes a D later,
that fact drives the rule, and finds the pair among the known facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from rdfinc.datalog.compile.planning import Match, Plan
from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import gather, shaped
from rdfinc.tables.kernels import IdArray, KeyArray
from rdfinc.tables.table import Keys, Table


class Guard(NamedTuple):
    """A condition on one end of a pair, its subject or its object: to be the subject, or the
    object, of a fact of a relation. The other end of that fact may be given."""

    of_subject: bool
    predicate: int
    as_subject: bool
    other: int | None


class Guards(Struct, frozen=True):
    """Enough of a relation for plans that read it: pairs that one of the guards lets pass, and
    pairs with all `ends` if some plans read only one."""

    guards: frozenset[Guard]
    ends: bool


def guards_of(plan: Plan) -> list[Guard] | None:
    """One guard for each row of a plan's parameters; None if there is none for all pairs."""
    steps = [step for step in plan.steps if isinstance(step, Match) and not step.negated]
    found = []
    for row in plan.rows:
        values = dict(zip(plan.given, row, strict=True))
        guard = next((each for step in steps for each in _guards(plan, step, values)), None)
        if guard is None:
            return None
        found.append(guard)
    return found


def _guards(plan: Plan, step: Match, values: dict[int, int]) -> Iterator[Guard]:
    def known(slot: int) -> int | None:
        return values.get(slot, plan.constant(slot))

    predicate, at = known(step.at.p), step.at
    ends = {plan.driver.s: True, plan.driver.o: False}
    if predicate is None or len(ends) < 2 or {at.s, at.o} == set(ends):
        return
    for slot, other, as_subject in ((at.s, at.o, True), (at.o, at.s, False)):
        if slot in ends and known(slot) is None:
            yield Guard(ends[slot], predicate, as_subject, known(other))


Facts = Callable[[int], Table]
"""The facts of a relation before an update and by now."""


class GuardedChange:
    """The part of a shift that passes the guards; the whole shift if that is no larger."""

    def __init__(self, shift: Shift, guards: Guards, facts: Facts) -> None:
        self._shift, self._guards, self._facts = shift, guards, facts

    @cached_property
    def gained(self) -> Keys:
        shift, guards = self._shift, self._guards
        some = among(shift.new, shift.old, guards, self._facts)
        if some is None:
            return shift.gained
        return with_ends(some, shift.ends.gained) if guards.ends else shaped(some)

    @cached_property
    def lost(self) -> Keys:
        shift, guards = self._shift, self._guards
        some = among(shift.old, shift.new, guards, self._facts)
        if some is None:
            return shift.lost
        return with_ends(some, shift.ends.lost) if guards.ends else shaped(some)


def with_ends(some: KeyArray, ends: Keys) -> Keys:
    return gather({0: [some, ends]}).get(0, [])


def among(one: Table, other: Table, guards: Guards, facts: Facts) -> KeyArray | None:
    """The guarded pairs of one table that the other one has not; None if it is not much larger, or
    these pairs are no fewer than what it has more. Cost: the pairs of `one` with guarded ends."""
    left, parts = bound(one, other), [kernels.NO_KEYS]
    pairs = (keys for guard in guards.guards for keys in _pairs(one, guard, _ends(guard, facts)))
    while left > 0 and (keys := next(pairs, None)) is not None:
        left -= keys.size
        parts.append(keys[~other.contains(keys)])
    return kernels.unique(np.concatenate(parts)) if left > 0 else None


def bound(one: Table, other: Table) -> int:
    """How many guarded pairs of the first table may be looked at; 0 if it is not worth it."""
    more = len(one) - len(other)
    return more if more >= REASONING.guarded_pairs else 0


def _ends(guard: Guard, facts: Facts) -> IdArray:
    table = facts(guard.predicate)
    if guard.other is None:
        return table.all_subjects() if guard.as_subject else table.all_objects()
    wanted = np.array([guard.other], np.uint32)
    found = table.by_objects(wanted) if guard.as_subject else table.by_subjects(wanted)
    return kernels.unique_ids(found[1])


def _pairs(table: Table, guard: Guard, ends: IdArray) -> Iterator[KeyArray]:
    """The pairs with some ends, a few ends at a time."""
    for start in range(0, ends.size, REASONING.guarded_ends_block):
        some = ends[start : start + REASONING.guarded_ends_block]
        if guard.of_subject:
            at, found = table.by_subjects(some)
            yield kernels.pack(some[at], found)
        else:
            at, found = table.by_objects(some)
            yield kernels.pack(found, some[at])
