"""The matches of the first steps of a plan, and the terms that these steps look up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import NamedTuple, Protocol

import numpy as np
from msgspec import Struct

from rdfinc.datalog.clause import Computation
from rdfinc.datalog.compile.planning import Compute, Match, Plan
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray

Row = tuple[int, ...]


class LeadingRows(NamedTuple):
    """The matches of first steps, as values of the slots that `Plan.bound_by` names. Every fact
    that would make another match has one of the `terms`."""

    rows: list[Row]
    terms: set[int]


class LeadingSteps:
    """The first steps of a plan, all of them filters, or about facts with an end that is known or
    found by a step before. They are prepared for one search after another."""

    def __init__(self, plan: Plan, count: int, known: Collection[int]) -> None:
        """`known` are the slots with values that each search is given."""
        constants = [s for s in range(plan.variables, len(plan.blank)) if s not in known]
        self._constants = tuple(plan.blank[slot] for slot in constants)
        self._given = len(constants) + len(known)
        places = {slot: place for place, slot in enumerate((*constants, *known))}
        self._steps: list[tuple[int | None, _LeadingStep, int]] = []
        """Each with what it looks up, and how many matches it may have."""
        for i, step in enumerate(plan.steps[:count], 1):
            asked = None if isinstance(step, Compute) else _looked_up(step, known)
            place = None if asked is None else places[asked]
            most = REASONING.rows_looked_through if i < count else REASONING.rows_read_once
            self._steps.append((place, _prepared(step, plan, places), most))

    def rows(self, known: Iterable[int], facts: State) -> LeadingRows | None:
        """The matches. The terms are those by which the steps look for facts, without the `known`
        ones. None if there are many matches. Cost: the matches of each step.
        """
        rows, terms = [(*self._constants, *known)], set[int]()
        for asked, step, most in self._steps:
            if not rows:
                break
            if asked is not None:
                terms.update([row[asked] for row in rows])
            found = step.matches(rows, facts, most)
            if found is None or len(found) > most:
                return None
            rows = found
        return LeadingRows([row[self._given :] for row in rows], terms)


def _looked_up(step: Match, known: Collection[int]) -> int | None:
    """The slot by which a step looks for facts, a variable rather than a constant; None if that is
    known."""
    used = [slot for slot, bound in ((step.at.s, step.s), (step.at.o, step.o)) if bound]
    return None if any(slot in known for slot in used) else min(used)


class _LeadingStep(Protocol):
    """A step over rows of the values found before it."""

    def matches(self, rows: list[Row], facts: State, most: int) -> list[Row] | None:
        """The rows after the step; None if they are seen to be more than `most`."""


def _prepared(step: Match | Compute, plan: Plan, places: dict[int, int]) -> _LeadingStep:
    """The step with places in rows for its slots; a slot that it finds has the place after all."""
    if isinstance(step, Compute):
        return _ValueFilter(
            step.computation, tuple(places[slot] for slot in step.computation.inputs)
        )
    predicate, s, o = plan.blank[step.at.p], step.at.s, step.at.o
    if step.s and step.o:
        return _FactFilter(predicate, places[s], places[o])
    known, free = (s, o) if step.s else (o, s)
    if free not in step.live:
        return _EndFilter(predicate, places[known], step.s)
    places[free] = len(places)
    return _OtherEnds(predicate, places[known], step.s)


class _ValueFilter(Struct, frozen=True):
    """Keeps the rows that pass a filter."""

    computation: Computation
    places: tuple[int, ...]

    def matches(self, rows: list[Row], facts: State, most: int) -> list[Row]:
        inputs = [tuple(row[place] for place in self.places) for row in rows]
        found = zip(rows, self.computation.values(inputs), strict=True)
        return [row for row, value in found if value is not None]


class _FactFilter(Struct, frozen=True):
    """Keeps the rows of which two values are a fact."""

    predicate: int
    s: int
    o: int

    def matches(self, rows: list[Row], facts: State, most: int) -> list[Row]:
        table, s, o = facts.table(self.predicate), self.s, self.o
        if _are_many(rows):
            keys = kernels.pack(_column(rows, s), _column(rows, o))
            return list(compress(rows, table.contains(keys).tolist()))
        return [row for row in rows if table.has(row[s] << 32 | row[o])]


class _EndFilter(Struct, frozen=True):
    """Keeps the rows of which a value is an end of a fact."""

    predicate: int
    place: int
    as_subject: bool

    def matches(self, rows: list[Row], facts: State, most: int) -> list[Row]:
        table, place = facts.table(self.predicate), self.place
        if _are_many(rows):
            are_ends = table.are_subjects if self.as_subject else table.are_objects
            return list(compress(rows, are_ends(_column(rows, place)).tolist()))
        is_end = table.is_subject if self.as_subject else table.is_object
        return [row for row in rows if is_end(row[place])]


class _OtherEnds(Struct, frozen=True):
    """Adds the other end of each fact of which a value is an end."""

    predicate: int
    place: int
    as_subject: bool

    def matches(self, rows: list[Row], facts: State, most: int) -> list[Row] | None:
        table, place = facts.table(self.predicate), self.place
        if _are_many(rows):
            follow = table.by_subjects if self.as_subject else table.by_objects
            at, ends = follow(_column(rows, place))
            found = zip(at.tolist(), ends.tolist(), strict=True)
            return [(*rows[i], end) for i, end in found]
        others = table.few_objects if self.as_subject else table.few_subjects
        matches: list[Row] = []
        for row in rows:
            few = others(row[place], most)
            if few is None:
                return None
            matches += [(*row, end) for end in few]
        return matches


def _are_many(rows: Sequence[Row]) -> bool:
    """Whether a call of NumPy takes less time than to look up the rows one by one."""
    return len(rows) >= REASONING.rows_read_together


def _column(rows: Iterable[Row], place: int) -> IdArray:
    return np.array([row[place] for row in rows], np.uint32)
