"""The row interpreter: a plan as a Python function over facts, a nested loop for each step.

Plans are few, and most are run very often on very few facts; so their steps are written out as
Python source. To compile that takes as long as some tens of interpreted runs: the first runs of a
plan are interpreted, and the many that have few are never written. The forward plan of
`[?x, rdf:type, ?c] :- [?p, rdfs:domain, ?c], [?x, ?p, ?y]` driven by its second literal, where
rdfs:domain is 7 and rdf:type is 5, becomes

    def matches(keys, predicate, states, rows, met):
        left, right = states
        for key in keys:
            v0 = predicate
            v2 = key >> 32
            v3 = key & 0xFFFFFFFF
            found = left.table(7).objects(v0)
            if len(found) > TABLES.narrow_batch:
                yield from spread(rest1, [v0, 0, v2, v3, 5, 7], states, 1, found)
                found = ()
            for v1 in found:
                met.append((v0, v1, v2, v3, 5, 7))
                if len(met) >= met.enough: yield met.block()
        if met: yield Rows(met)

Slots that are variables have names, constants stand in the text. What a step binds is overwritten
in the next turn of its loop, never undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rdfinc.datalog.compile.planning import Compute, Match, Plan
from rdfinc.reasoning.evaluation.plan_codegen import Writer, meetings
from rdfinc.reasoning.evaluation.step_interpreter import stepping
from rdfinc.reasoning.reasoning_thresholds import REASONING

_SEARCHES = "searches"
"""Where a plan's routines keep the number of searches made without them."""

Routine = Callable[..., Iterator[Any]]
"""(keys, predicate, states, rows, met) -> blocks of matches: those made by `met`, and those
yielded by the functions for many candidates."""


def routine(plan: Plan, many: Mapping[str, Any], driving: int) -> Routine:
    """The plan as a function for as many facts as are `driving`; written once it has run for some,
    unless it is long.

    `many` are the functions for many candidates: `spread(steps, slots, states, slot, candidates)`
    goes on with the candidates of one slot, `columns(steps, slots, states)` with the facts of a
    whole relation; `members((class, table), ...)` gives a list that may be long, and `Rows` makes a
    block of matches.
    """
    kind = len(plan.order.steps), len(plan.rows) > REASONING.few_classes
    found: Routine | None = plan.routines.get(kind)
    if found is None:
        if kind[0] > REASONING.long_plan or _is_new(plan, driving * len(plan.rows)):
            return stepping(plan, many)
        found = plan.routines[kind] = _Matches(plan, many).routine()
    return found


def _is_new(plan: Plan, searches: int) -> bool:
    """Whether a plan has made few searches, with these."""
    made: int = plan.routines.get(_SEARCHES, 0) + searches
    plan.routines[_SEARCHES] = made
    return made <= REASONING.interpreted_searches


class _Matches(Writer):
    """Writes the matches of a plan."""

    def __init__(self, plan: Plan, many: Mapping[str, Any]) -> None:
        super().__init__(plan)
        self.names.update(many)
        self.meetings = meetings(plan)
        self.before: set[int] | None = None
        """The slots that had a value before the innermost loop over candidates, if there is one in
        the function."""

    def routine(self) -> Routine:
        self.under("def matches(keys, predicate, states, rows, met):")
        self.write("left, right = states")
        self.under("for key in keys:")
        self.nothing_tried(0)
        self.driven()
        following = self.steps(self.given() if self.plan.given else 0, REASONING.function_steps)
        self.depth = 1
        self.write("if met: yield Rows(met)")
        while following:
            following = self.another(following)
        return self.function("matches")

    def steps(self, first: int, following: int) -> int:
        """Steps from the first on, but for those of the following function, and the match; returns
        the step to go on with, 0 for none."""
        steps = self.plan.steps
        for i in range(first, min(following, len(steps))):
            step = steps[i]
            if isinstance(step, Compute):
                self.compute(i, step)
            elif self.is_open(step):
                self.write(f"yield from columns({self.rest(i)}, [{self.all()}], states)")
                return 0
            else:
                self.match(i, step)
                self.untried(i)
        if following < len(steps):
            self.write(f"yield from from{following}(states, {self.have()}, met)")
            return following
        self.write(f"met.append(({self.all()},))")
        self.write("if len(met) >= met.enough: yield met.block()")
        if self.is_told_by_one():
            self.write("break")
        return 0

    def is_told_by_one(self) -> bool:
        """Whether one match of the innermost loop tells all that its others do."""
        if self.before is None:
            return False
        last = self.plan.steps[-1]
        return isinstance(last, Match) and last.live.isdisjoint(self.bound - self.before)

    def another(self, first: int) -> int:
        """A function for the steps from the first on."""
        self.depth, self.before = 0, None
        self.under(f"def from{first}(states, have, met):")
        self.write("left, right = states")
        self.write(f"{self.have()} = have")
        self.nothing_tried(first)
        return self.steps(first, first + REASONING.function_steps)

    def nothing_tried(self, first: int) -> None:
        """Makes place for what is tried behind the steps of a function."""
        for i in sorted(self.meetings.keys() & range(first, first + REASONING.function_steps)):
            self.write(f"tried{i} = set()")

    def untried(self, i: int) -> None:
        """Goes on behind a step where this was not tried with the same values."""
        if i in self.meetings:
            self.write(f"live = {self.values(self.meetings[i])}")
            self.under(f"if live not in tried{i}:")
            self.write(f"tried{i}.add(live)")

    def have(self) -> str:
        """The variables that have a value."""
        return self.values([s for s in range(self.plan.variables) if s in self.bound])

    def rest(self, first: int) -> str:
        self.names[f"rest{first}"] = self.plan.steps[first:]
        return f"rest{first}"

    def all(self) -> str:
        """The values of all slots, 0 for what has none."""
        slots = range(len(self.plan.blank))
        return ", ".join(self.slot(slot) if slot in self.bound else "0" for slot in slots)

    def candidates(self, i: int, slot: int, found: str) -> None:
        self.write(f"found = {found}")
        self.under("if len(found) > TABLES.narrow_batch:")
        rest = self.rest(i + 1)
        self.write(f"yield from spread({rest}, [{self.all()}], states, {slot}, found)")
        self.write("found = ()")
        self.depth -= 1
        self.before = set(self.bound)
        self.loop(f"for {self.slot(slot)} in found:")
        self.bound.add(slot)
