"""The row interpreter: a plan as a Python function over facts, a nested loop for each step.

Plans are few, and each is run very often on very few facts; so their steps are written out as
Python source when first needed. The forward plan of
`[?x, rdf:type, ?c] :- [?p, rdfs:domain, ?c], [?x, ?p, ?y]` driven by its second literal, where
rdfs:domain is 7 and rdf:type is 5, becomes

    def matches(keys, predicate, states, rows, met):
        left, right = states
        for key in keys:
            v0 = predicate
            v2 = key >> 32
            v3 = key & 0xFFFFFFFF
            found = left.table(7).objects(v0)
            if len(found) > facts.NARROW:
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

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from rdfinc.datalog.planning import LEFT, Compute, Match, Plan, Use
from rdfinc.reasoning.states import State
from rdfinc.tables import facts

Routine = Callable[..., Iterator[Any]]
"""(keys, predicate, states, rows, met) -> the blocks of matches that `met` makes, and what the
functions for many candidates yield."""

FEW = 2
"""Classes up to which to look for each costs less than to list all classes of an individual."""

MOST = 12
"""Steps in one function, because Python does not nest more than 20 loops."""


def routine(plan: Plan, many: Mapping[str, Any]) -> Routine:
    """The plan as a function, written when it is first run.

    `many` are the functions that go on where there are many candidates: `spread(steps, slots,
    states, slot, candidates)` for those of one slot, `columns(steps, slots, states)` for the
    facts of a whole relation; `members(class, table)` gives what may be many, and `Rows` makes a
    block of matches.
    """
    kind = len(plan.steps), len(plan.rows) > FEW
    found = plan.routines.get(kind)
    if found is None:
        found = plan.routines[kind] = _Writer(plan, many).function()
    return found


def relations(hidden: Callable[[int], bool], state: State) -> list[int]:
    """What an unbound predicate can be."""
    return [predicate for predicate in state.predicates() if not hidden(predicate)]


@lru_cache(1 << 10)
def _code(text: str) -> CodeType:
    """Rules of the same shape have the same text, in every knowledge base."""
    return compile(text, "<matches>", "exec")


class _Writer:
    """Writes one plan; `bound` are the slots that have a value where the next line stands."""

    def __init__(self, plan: Plan, many: Mapping[str, Any]) -> None:
        self.plan = plan
        self.names: dict[str, Any] = {"facts": facts, "relations": relations, **many}
        self.lines: list[str] = []
        self.depth = 0
        self.bound = set(range(plan.variables, len(plan.blank)))

    def function(self) -> Routine:
        driver, given = self.plan.driver, self.plan.given
        self.under("def matches(keys, predicate, states, rows, met):")
        self.write("left, right = states")
        self.under("for key in keys:")
        self.bind(driver.p, "predicate")
        self.bind(driver.s, "key >> 32")
        self.bind(driver.o, "key & 0xFFFFFFFF")
        first = self.given() if given else 0
        following = self.steps(first)
        self.depth = 1
        self.write("if met: yield Rows(met)")
        while following:
            following = self.another(following)
        exec(_code("\n".join(self.lines)), self.names)
        found: Routine = self.names["matches"]
        return found

    # -- text

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def under(self, line: str) -> None:
        """Writes a line under which all that follows stands."""
        self.write(line)
        self.depth += 1

    def slot(self, slot: int) -> str:
        return f"v{slot}" if slot < self.plan.variables else str(self.plan.blank[slot])

    def values(self, slots: Sequence[int]) -> str:
        return "(" + "".join(f"{self.slot(slot)}, " for slot in slots) + ")"

    def all(self) -> str:
        """The values of all slots, 0 for what has none."""
        slots = range(len(self.plan.blank))
        return ", ".join(self.slot(slot) if slot in self.bound else "0" for slot in slots)

    # -- parts of a plan

    def bind(self, slot: int, value: str) -> None:
        """Gives a slot its value, or tests that it has this one."""
        if slot in self.bound:
            self.under(f"if {self.slot(slot)} == {value}:")
        else:
            self.write(f"{self.slot(slot)} = {value}")
            self.bound.add(slot)

    def given(self) -> int:
        """A loop over the rows given; returns the step to go on with.

        Where that asks for many classes of one individual, these are listed once.
        """
        plan = self.plan
        step = plan.steps[0] if plan.steps else None
        loop = f"for {self.values(plan.given)} in rows:"
        if isinstance(step, Match) and len(plan.rows) > FEW and self.asks_classes(step):
            p, s, o = map(self.slot, (step.at.p, step.at.s, step.at.o))
            self.write(f"held = set({self.state(step)}.table({p}).objects({s}))")
            self.under(loop)
            self.under(f"if {o} in held:")
            first = 1
        else:
            self.under(loop)
            first = 0
        self.bound.update(plan.given)
        return first

    def asks_classes(self, step: Match) -> bool:
        """Whether the step asks if an individual, known before the rows, is of a class in them."""
        is_type = self.slot(step.at.p) == str(self.plan.clause.type)
        return (
            is_type
            and not step.negated
            and step.at.s in self.bound
            and step.at.o in self.plan.given
        )

    @staticmethod
    def state(step: Match) -> str:
        return "left" if step.role == LEFT else "right"

    def steps(self, first: int) -> int:
        """Steps from the first on, and the match; returns the step to go on with, 0 for none."""
        steps = self.plan.steps
        for i in range(first, min(first + MOST, len(steps))):
            step = steps[i]
            if isinstance(step, Compute):
                self.compute(i, step)
            elif self.is_open(step):
                self.write(f"yield from columns({self.rest(i)}, [{self.all()}], states)")
                return 0
            else:
                self.match(i, step)
        following = first + MOST
        if following < len(steps):
            self.write(f"yield from from{following}(states, {self.have()}, met)")
            return following
        self.write(f"met.append(({self.all()},))")
        self.write("if len(met) >= met.enough: yield met.block()")
        return 0

    def another(self, first: int) -> int:
        """A function for the steps from the first on."""
        self.depth = 0
        self.under(f"def from{first}(states, have, met):")
        self.write("left, right = states")
        self.write(f"{self.have()} = have")
        return self.steps(first)

    def have(self) -> str:
        """The variables that have a value."""
        return self.values([s for s in range(self.plan.variables) if s in self.bound])

    def rest(self, first: int) -> str:
        self.names[f"rest{first}"] = self.plan.steps[first:]
        return f"rest{first}"

    def is_open(self, step: Match) -> bool:
        """Whether the match is about all facts of a relation."""
        return self.bound.union([step.at.p]).isdisjoint((step.at.s, step.at.o))

    def match(self, i: int, step: Match) -> None:
        at, state = step.at, self.state(step)
        s, p, o = map(self.slot, (at.s, at.p, at.o))
        if step.negated:
            self.under(f"if not {state}.negated({p}).has({s} << 32 | {o}):")
            return
        if at.p not in self.bound:
            self.names[f"hidden{i}"] = step.hidden
            self.under(f"for {p} in relations(hidden{i}, {state}):")
            self.bound.add(at.p)
        free = at.o if at.s in self.bound else at.s
        if free not in self.bound and free not in step.live:
            met = f"is_subject({s})" if free == at.o else f"is_object({o})"
            self.under(f"if {state}.table({p}).{met}:")
        elif step.broad:
            self.candidates(i, at.s, f"members({o}, {state}.table({p}))")
        elif at.s not in self.bound:
            self.candidates(i, at.s, f"{state}.table({p}).subjects({o})")
        elif at.o not in self.bound:
            self.candidates(i, at.o, f"{state}.table({p}).objects({s})")
        else:
            self.under(f"if {state}.table({p}).has({s} << 32 | {o}):")

    def candidates(self, i: int, slot: int, found: str) -> None:
        self.write(f"found = {found}")
        self.under("if len(found) > facts.NARROW:")
        rest = self.rest(i + 1)
        self.write(f"yield from spread({rest}, [{self.all()}], states, {slot}, found)")
        self.write("found = ()")
        self.depth -= 1
        self.under(f"for {self.slot(slot)} in found:")
        self.bound.add(slot)

    def compute(self, i: int, step: Compute) -> None:
        computation = step.computation
        if step.use is Use.INVERT:
            self.invert(i, step)
            return
        self.names[f"values{i}"] = computation.values
        self.write(f"value = values{i}([{self.values(computation.inputs)}])[0]")
        self.under("if value is not None:")
        if computation.output is not None:
            self.bind(computation.output, "value")

    def invert(self, i: int, step: Compute) -> None:
        computation = step.computation
        assert computation.output is not None
        self.names[f"invert{i}"] = computation.invert
        self.write(f"inputs = invert{i}({self.slot(computation.output)})")
        self.under("if inputs is not None:")
        for place, slot in enumerate(computation.inputs):
            self.bind(slot, f"inputs[{place}]")
