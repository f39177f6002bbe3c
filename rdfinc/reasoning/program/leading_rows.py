"""The rows that the first steps of a plan lead to, and the terms by which these look for facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rdfinc.datalog.compile.planning import Compute, Match, Plan
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table import Table

Row = tuple[int, ...]


class LeadingRows(NamedTuple):
    """The matches of first steps, as values of the slots that `Plan.bound_by` names. Every fact
    that would make another match has one of the `terms`."""

    rows: list[Row]
    terms: set[int]


def leading_rows(plan: Plan, count: int, known: dict[int, int], facts: State) -> LeadingRows | None:
    """The matches of the first steps, all of them filters, or about facts with an end that is known
    or found by a step before. The terms are those by which the steps look for facts, without the
    `known` ones. None if there are many matches. Cost: the matches of each step.
    """
    search, terms = _Search(plan, known), set[int]()
    for step in plan.steps[:count]:
        if isinstance(step, Compute):
            search.filter(step)
            continue
        used = [slot for slot, bound in ((step.at.s, step.s), (step.at.o, step.o)) if bound]
        if known.keys().isdisjoint(used):
            terms.update(search.column(min(used)))  # a variable rather than a constant
        search.match(step, facts.table(plan.blank[step.at.p]))
        if len(search.rows) > REASONING.rows_looked_through:
            return None
    return LeadingRows(search.rows, terms) if len(search.rows) <= REASONING.rows_read_once else None


class _Search:
    """The matches of the steps taken so far, each with the values of the slots that these bind."""

    def __init__(self, plan: Plan, known: dict[int, int]) -> None:
        self.rows: list[Row] = [()]
        self._fixed = dict(enumerate(plan.blank[plan.variables :], plan.variables)) | known
        self._place: dict[int, int] = {}

    def column(self, slot: int) -> Sequence[int]:
        """The values of a slot."""
        place = self._place.get(slot)
        if place is None:
            return [self._fixed[slot]] * len(self.rows)
        return [row[place] for row in self.rows]

    def filter(self, step: Compute) -> None:
        places = step.computation.inputs
        columns = map(self.column, places)
        inputs = list(zip(*columns, strict=True)) if places else [()] * len(self.rows)
        found = zip(self.rows, step.computation.values(inputs), strict=True)
        self.rows = [row for row, value in found if value is not None]

    def match(self, step: Match, table: Table) -> None:
        s, o = step.at.s, step.at.o
        if step.s and step.o:
            has, found = table.has, zip(self.rows, self.column(s), self.column(o), strict=True)
            self.rows = [row for row, s, o in found if has(s << 32 | o)]
            return
        known, free = (s, o) if step.s else (o, s)
        pairs = zip(self.rows, self.column(known), strict=True)
        if free not in step.live:
            is_end = table.is_subject if step.s else table.is_object
            self.rows = [row for row, value in pairs if is_end(value)]
            return
        ends = table.objects if step.s else table.subjects
        self.rows = [(*row, end) for row, value in pairs for end in ends(value)]
        self._place[free] = len(self._place)
