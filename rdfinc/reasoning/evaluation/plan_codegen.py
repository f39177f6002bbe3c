"""Plans as Python source: the text of each step. What is made of the matches is left to others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from rdfinc.datalog.compile.planning import LEFT, Compute, Match, Plan, Slots, Step, Use, slots_of
from rdfinc.reasoning.evaluation.related import leading
from rdfinc.reasoning.evaluation.search_reports import report, ticks
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES


def relations(
    is_auxiliary: Callable[[int], bool], state: State, end: int = 0, *, as_subject: bool = True
) -> list[int]:
    """The possible values of an unbound predicate; with an end maybe but for relations without
    facts of this."""
    found = state.predicates()
    if end and state.related is not None:
        few = state.related.instead_of(len(found), end, as_subject=as_subject)
        found = found if few is None else sorted(few)
    return [predicate for predicate in found if not is_auxiliary(predicate)]


def led_by(steps: Sequence[Step], i: int, relation: int) -> tuple[Match, bool] | None:
    """The step after one that finds its `relation`, if one of its ends is known before; and whether
    that is the subject."""
    led = steps[i + 1] if i + 1 < len(steps) else None
    if not isinstance(led, Match) or led.negated or led.at.p != relation:
        return None
    if led.s and led.at.s != relation:
        return led, True
    return (led, False) if led.o and led.at.o != relation else None


def asked_of_members(
    at: Slots, following: Iterable[Step], is_known: Callable[[int], bool]
) -> Iterator[Match]:
    """The next steps after one that finds the members of a class, as far as they ask if these are
    of other classes, in slots that are known before it."""
    for step in following:
        if not isinstance(step, Match) or step.negated or (step.at.s, step.at.p) != (at.s, at.p):
            return
        if not (step.s and step.o and is_known(step.at.o)):
            return
        yield step


def asked_class(steps: Sequence[Step], i: int, slot: int) -> Match | None:
    """The step after one that finds classes, if it asks which of them an individual has."""
    asks = steps[i + 1] if i + 1 < len(steps) else None
    if not isinstance(asks, Match) or asks.negated or not asks.of_class:
        return None
    return asks if asks.at.o == slot != asks.at.s else None


def held(classes: list[int], types: Table, individual: int) -> list[int]:
    """Those of some classes that an individual has, or a few of which some may be."""
    if len(classes) <= REASONING.few_classes:
        return classes
    its = set(types.objects(individual))
    return [class_ for class_ in classes if class_ in its]


def meetings(plan: Plan) -> dict[int, list[int]]:
    """The steps of a long plan to which several ways may lead that no later step tells apart, each
    with the variables that are read behind it. What was tried once is not tried again there: a
    path of k steps in a small dense relation of n terms is one of n^k."""
    steps = plan.steps
    if sum(isinstance(step, Match) for step in steps) < REASONING.long_body:
        return {}
    found: dict[int, list[int]] = {}
    known = {plan.driver.s, plan.driver.p, plan.driver.o, *plan.given}
    for i, step in enumerate(steps[:-1]):
        if isinstance(step, Match):
            known.update(slots_of(step))
            if any(slot < plan.variables and slot not in step.live for slot in known):
                found[i] = sorted(step.live)
    return found


@lru_cache(1 << 10)
def _code(text: str) -> CodeType:
    """Rules of the same shape have the same text, in every knowledge base."""
    return compile(text, "<matches>", "exec")


def _locals(code: CodeType) -> Iterator[str]:
    """The local names of the functions of a text."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from part.co_varnames


class Writer(ABC):
    """Writes one plan; `bound` are the slots that have a value at the next line."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.names: dict[str, Any] = {
            "TABLES": TABLES,
            "held": held,
            "leading": leading,
            "relations": relations,
            "report": report,
            "ticks": ticks,
        }
        self.lines: list[str] = []
        self.depth = self.loops = 0
        self.bound = set(range(plan.variables, len(plan.blank)))

    @abstractmethod
    def candidates(self, i: int, slot: int, found: str) -> None:
        """A loop over the candidates for a slot that step i has found."""

    def function(self, name: str) -> Callable[..., Any]:
        """The written lines as a function of this name."""
        code = _code("\n".join(self.lines))
        assert self.names.keys().isdisjoint(_locals(code)), "a local name hides a function"
        exec(code, self.names)
        found: Callable[..., Any] = self.names[name]
        return found

    # -- text

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def under(self, line: str) -> None:
        """Writes a line that opens a block for all further lines."""
        self.write(line)
        self.depth += 1

    def loop(self, line: str) -> None:
        """Writes a line that opens a loop over candidates. Where it is in several others, its turns
        are counted."""
        self.under(line)
        self.loops += 1
        if self.loops > REASONING.loops_unreported:
            self.count(1)

    def count(self, steps: int) -> None:
        """Writes that a search has taken some steps."""
        every = REASONING.steps_a_report // steps
        self.write(f"if not next(ticks) % {every}: report({REASONING.steps_a_report})")

    def slot(self, slot: int) -> str:
        return f"v{slot}" if slot < self.plan.variables else str(self.plan.blank[slot])

    def values(self, slots: Sequence[int]) -> str:
        return "(" + "".join(f"{self.slot(slot)}, " for slot in slots) + ")"

    # -- parts of a plan

    def driven(self) -> None:
        """Takes the driver from a fact."""
        driver = self.plan.driver
        self.bind(driver.p, "predicate")
        self.bind(driver.s, "key >> 32")
        self.bind(driver.o, "key & 0xFFFFFFFF")

    def bind(self, slot: int, value: str) -> None:
        """Gives a slot its value, or tests that it has this one."""
        if slot in self.bound:
            self.under(f"if {self.slot(slot)} == {value}:")
        else:
            self.write(f"{self.slot(slot)} = {value}")
            self.bound.add(slot)

    def given(self) -> int:
        """Writes a loop over the given rows; returns the step to go on with.

        If the next steps ask for many classes of one individual, these are listed once.
        """
        plan, asked = self.plan, self.classes_asked()
        many = asked and len(plan.rows) > REASONING.few_classes
        if many:
            p, s = map(self.slot, (asked[0].at.p, asked[0].at.s))
            self.write(f"its = set({self.state(asked[0])}.table({p}).objects({s}))")
        self.under(f"for {self.values(plan.given)} in rows:")
        if many:
            self.under(f"if {' and '.join(f'{self.slot(step.at.o)} in its' for step in asked)}:")
        self.bound.update(plan.given)
        return len(asked) if many else 0

    def classes_asked(self) -> list[Match]:
        """The next steps as long as they ask for classes of the same individual."""
        asked: list[Match] = []
        for step in self.plan.steps:
            if not isinstance(step, Match) or not self.asks_classes(step):
                break
            if asked and (step.at.s, step.role) != (asked[0].at.s, asked[0].role):
                break
            asked.append(step)
        return asked

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
            self.names[f"hidden{i}"] = step.is_auxiliary
            as_subject = at.s in self.bound
            end = s if as_subject else o if at.o in self.bound else "0"
            ends = f"{state}, {end}, as_subject={as_subject}"
            self.loop(f"for {p} in relations(hidden{i}, {ends}):")
            self.bound.add(at.p)
        free = at.o if at.s in self.bound else at.s
        if free not in self.bound and free not in step.live:
            met = f"is_subject({s})" if free == at.o else f"is_object({o})"
            self.under(f"if {state}.table({p}).{met}:")
        elif step.broad:
            asked = asked_of_members(at, self.plan.steps[i + 1 :], self.bound.__contains__)
            classes = map(self.class_in, (step, *asked))
            self.candidates(i, at.s, f"members({', '.join(classes)})")
        elif at.s not in self.bound:
            subjects = self.subjects(i, at.s, f"{state}.table({p})", o)
            self.candidates(i, at.s, self.held(i, at.s, subjects))
        elif at.o not in self.bound:
            self.candidates(i, at.o, self.held(i, at.o, f"{state}.table({p}).objects({s})"))
        else:
            self.under(f"if {state}.table({p}).has({s} << 32 | {o}):")

    def class_in(self, step: Match) -> str:
        """The class that a step is about, and the table in which it has its members."""
        return f"({self.slot(step.at.o)}, {self.state(step)}.table({self.slot(step.at.p)}))"

    def held(self, i: int, slot: int, found: str) -> str:
        """The candidates found for a slot, those that lead on where they are classes."""
        asks = asked_class(self.plan.steps, i, slot)
        if asks is None:
            return found
        s, p = map(self.slot, (asks.at.s, asks.at.p))
        return f"held({found}, {self.state(asks)}.table({p}), {s})"

    def subjects(self, i: int, relation: int, table: str, object_: str) -> str:
        """The subjects of an object, or those that lead on where they are relations."""
        led = led_by(self.plan.steps, i, relation)
        if led is None:
            return f"{table}.subjects({object_})"
        step, as_subject = led
        end = self.slot(step.at.s if as_subject else step.at.o)
        related = f"{self.state(step)}.related"
        return f"leading({table}, {object_}, {related}, {end}, as_subject={as_subject})"

    def compute(self, i: int, step: Compute) -> None:
        computation = step.computation
        self.count(REASONING.steps_a_computation)
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
