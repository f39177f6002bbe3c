"""From a clause to plans: the literal that drives, and the order in which the others are matched.

`plan = driver + ordered steps + head`. The driver is a body literal matched with a batch of facts,
or the head matched with facts to be proved. Each step names the *role* of its literal, the state of
the facts in which it is read; the reasoning algorithms give each role its meaning.

A plan works on *slots*: one for each variable, then one for each constant. The bound slots of a
step are known beforehand, so that matching never asks.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from rdfinc.datalog.clause import Clause, Computation, Pattern

LEFT, RIGHT = 0, 1
"""Roles: literals before and after the driver, negated ones after all others. Under a head driver
all are RIGHT."""


class Slots(Struct, frozen=True):
    """A pattern, its terms as slot numbers."""

    s: int
    p: int
    o: int


class Match(Struct, frozen=True):
    """Match `at` in the state of `role`; the flags say what is bound before.

    An unbound predicate stands for all but the auxiliary relations. If `negated`, everything is
    bound, and the fact must be missing. `broad`: it is about all members of a class; `of_class`: it
    asks whether an individual is of one. `asks`: it binds nothing, and asks whether there is any
    such fact. `live` are the variables bound by then that anything after this step reads.
    """

    at: Slots
    role: int
    s: bool
    p: bool
    o: bool
    is_auxiliary: Callable[[int], bool]
    negated: bool = False
    broad: bool = False
    of_class: bool = False
    asks: bool = False
    live: frozenset[int] = frozenset()

    def with_predicate(self) -> Match:
        """The same match once the predicate is bound."""
        at = self.at
        return replace(self, p=True, s=self.s or at.s == at.p, o=self.o or at.o == at.p)

    def among(self, given: Container[int]) -> Match:
        """The same match once some slots are given besides."""
        at = self.at
        s, o = self.s or at.s in given, self.o or at.o in given
        return replace(self, s=s, o=o, broad=False)

    def before(self, live: frozenset[int]) -> Match:
        """The same match, before steps that read these slots."""
        bound = self.s, self.p, self.o  # not by `replace`, which takes twice as long
        kind = self.negated, self.broad, self.of_class, self.asks
        return Match(self.at, self.role, *bound, self.is_auxiliary, *kind, live)


class Use(Enum):
    """The use of a computation at its place in a plan."""

    FILTER = auto()  # keep the rows for which it holds
    ASSIGN = auto()  # bind the output
    TEST = auto()  # the output is bound already: keep the rows where it is the value
    INVERT = auto()  # the output is bound, the inputs are not: bind them


class Compute(Struct, frozen=True):
    """A computation at its place; `known` are the inputs that are bound before."""

    computation: Computation
    use: Use
    known: frozenset[int]


Step = Match | Compute


Literals = Sequence[tuple[int, int]]
"""Places of literals in a body, each with its role."""


class Order:
    """The order in which the literals of a plan are matched after its driver, found when first
    asked for: a rule of n atoms has n + 1 plans, and those without driving facts take no steps.

    Until then `awaited` is the predicate of a literal before the driver, about the driver's
    subject: a subject without such facts has no match.
    """

    def __init__(
        self,
        slotted: _Slotted,
        driver: Slots,
        rest: Literals,
        negative: Literals,
        wanted: Iterable[int],
    ) -> None:
        self._found = slotted, driver, tuple(rest), tuple(negative), tuple(wanted)
        before = (slotted.body[i] for i, role in rest if role == LEFT)
        predicates = (at.p for at in before if at.s == driver.s and at.p >= slotted.first)
        self.awaited: int | None = next(predicates, None)

    @cached_property
    def _ordered(self) -> tuple[tuple[Step, ...], int]:
        """The steps, and the cost of the least selective one."""
        slotted, driver, _, _, wanted = self._found
        planner = _Planner(*self._found)
        planner.plan()
        self.awaited = None
        return _with_liveness(slotted.first, driver, (), planner.steps, wanted), planner.worst

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return self._ordered[0]

    @cached_property
    def cost(self) -> int:
        return self._ordered[1]


class Rest:
    """The steps of a plan that are known."""

    awaited: int | None = None

    def __init__(self, steps: tuple[Step, ...], cost: int) -> None:
        self.steps, self.cost = steps, cost


class Plan(Struct, frozen=True, eq=False):
    """A driver, then `steps` in order; `blank` are the initial slots (constants filled in), of
    which the first `variables` are variables.

    Nothing matches while one of the relations in `needs` is empty. `cost` is an order of
    magnitude: that of the least selective step.

    Before the steps the slots `given` take the values of each of `rows`; see `after`. `routines`
    keeps what the row interpreter makes of such plans.
    """

    clause: Clause
    driver: Slots
    order: Order | Rest
    head: Slots
    body: tuple[Slots, ...]
    blank: tuple[int, ...]
    variables: int
    needs: tuple[int, ...]
    given: tuple[int, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ((),)
    routines: dict[Any, Any] = field(default_factory=dict)

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.order.steps

    @property
    def cost(self) -> int:
        return self.order.cost

    def reads_one_end(self) -> bool:
        """Whether its matches do not depend on one end of the driver."""
        used = {self.head.s, self.head.p, self.head.o}
        used.update(*map(slots_of, self.steps))
        ends = self.driver.s, self.driver.o
        unused = [end for end in ends if end < self.variables and end not in used]
        return bool(unused) and ends[0] != ends[1]

    def constant(self, slot: int) -> int | None:
        """The value of a slot that is the same for all matches; None for a variable."""
        return None if slot < self.variables else self.blank[slot]

    def whole(self) -> Plan:
        """The plan with matches that hold every slot, so that each is one instance of the rule."""
        return self.telling(frozenset(range(len(self.blank))))

    def telling(self, slots: frozenset[int]) -> Plan:
        """The plan with matches that tell these slots: those that differ in others alone may be
        one."""
        key = slots, len(self.steps)
        if key not in self.routines:
            steps = _with_liveness(self.variables, self.driver, self.given, self.steps, slots)
            self.routines[key] = Rest(steps, self.cost), {}
        order, routines = self.routines[key]
        return replace(self, order=order, routines=routines)

    def first(self, places: tuple[int, ...]) -> Plan:
        """The plan with the steps at these places before the others, which bind nothing that these
        read."""
        key = "first", places
        if key not in self.routines:
            chosen = [self.steps[i] for i in places]
            others = [step for i, step in enumerate(self.steps) if i not in places]
            steps, wanted = (*chosen, *others), _read_at_end(self.steps)
            found = _with_liveness(self.variables, self.driver, self.given, steps, wanted)
            self.routines[key] = Rest(found, self.cost), {}
        order, routines = self.routines[key]
        return replace(self, order=order, routines=routines)

    def after(self, count: int, rows: tuple[tuple[int, ...], ...]) -> Plan:
        """The rest of the plan where `rows` are known to be all matches of its first steps: the
        values of the slots that these bind."""
        key = "after", count
        if key not in self.routines:
            self.routines[key] = Rest(self.steps[count:], self.cost), self.bound_by(count)
        rest, given = self.routines[key]
        return self._with(rest, given, rows, self.routines)

    def among(self, count: int, rows: tuple[tuple[int, ...], ...]) -> Plan:
        """The plan where all matches of its first steps, in whatever state, are among `rows`: of
        these it asks last."""
        key = "among", count
        if key not in self.routines:
            given = self.bound_by(count)
            asked = (s.among(given) for s in self.steps[:count] if isinstance(s, Match))
            steps = (*self.steps[count:], *asked)
            wanted = _read_at_end(self.steps)
            live = _with_liveness(self.variables, self.driver, given, steps, wanted)
            self.routines[key] = Rest(live, self.cost), given, {}
        order, given, routines = self.routines[key]
        return self._with(order, given, rows, routines)

    def _with(
        self,
        order: Rest,
        given: tuple[int, ...],
        rows: tuple[tuple[int, ...], ...],
        routines: dict[Any, Any],
    ) -> Plan:
        """The plan with other steps, for some rows; by `replace` it takes three times as long."""
        atoms = self.driver, order, self.head, self.body
        slots = self.blank, self.variables, self.needs
        return Plan(self.clause, *atoms, *slots, given, rows, routines)

    def read_after(self, count: int) -> set[int]:
        """The slots for relations that must have facts, of all but the first steps."""
        rest = (step for step in self.steps[count:] if isinstance(step, Match))
        return {step.at.p for step in rest if not step.negated}

    def bound_by(self, count: int) -> tuple[int, ...]:
        """The slots that the first steps bind for later ones."""
        bound = [
            slot
            for step in self.steps[:count]
            if isinstance(step, Match)
            for slot, known in ((step.at.s, step.s), (step.at.p, step.p), (step.at.o, step.o))
            if not known and slot in step.live
        ]
        return tuple(dict.fromkeys(bound))


def forward(clause: Clause) -> Iterator[Plan]:
    """A plan for each body literal as the driver; its matches give the head."""
    slotted = _Slotted(clause)
    negative = [(j, RIGHT) for j in range(len(clause.negative))]
    for i, driver in enumerate(slotted.body):
        rest = [(j, LEFT if j < i else RIGHT) for j in range(len(clause.body)) if j != i]
        yield slotted.plan(driver, rest, negative, [slotted.head])


def negated(clause: Clause) -> Iterator[Plan]:
    """A plan for each negated literal as the driver; its matches give the head."""
    if not clause.negative:
        return
    slotted = _Slotted(clause)
    rest = [(j, LEFT) for j in range(len(clause.body))]
    for i, driver in enumerate(slotted.negative):
        others = [(j, LEFT if j < i else RIGHT) for j in range(len(clause.negative)) if j != i]
        yield slotted.plan(driver, rest, others, [slotted.head])


def backward(clause: Clause) -> Plan:
    """The plan with the head as the driver; its matches give the head, the body and what a fold
    reads."""
    rest = [(j, RIGHT) for j in range(len(clause.body))]
    negative = [(j, RIGHT) for j in range(len(clause.negative))]
    slotted = _Slotted(clause)
    read = clause.fold.inputs if clause.fold else ()
    return slotted.plan(slotted.head, rest, negative, [slotted.head, *slotted.body], read)


def positive(clause: Clause) -> Clause:
    """The clause without what only restricts its instances."""
    return replace(clause, negative=(), computations=())


def parameter_join(clause: Clause) -> Plan:
    """The join of the parameter literals alone, driven by the first of them."""
    return next(parameter_joins(clause))[1]


def parameter_joins(clause: Clause) -> Iterator[tuple[Pattern, Plan]]:
    """Each parameter literal, with the join of all of them that it drives."""
    slotted = _Slotted(positive(clause))
    for i in sorted(clause.parameters):
        rest = [(j, RIGHT) for j in sorted(clause.parameters - {i})]
        yield clause.body[i], slotted.plan(slotted.body[i], rest, [], slotted.body)


class _Slotted:
    """A clause and its atoms as slots; `blank` are the initial slots, `first` is that of the
    first constant. What only orders ask for is found then: most plans of a large program are never
    put in order."""

    def __init__(self, clause: Clause) -> None:
        self.clause = clause
        atoms = (clause.head, *clause.body, *clause.negative)
        constants = dict.fromkeys(t for a in atoms for t in (a.s, a.p, a.o) if t > 0)
        self.first = len(clause.variables)
        self._place = {constant: self.first + i for i, constant in enumerate(constants)}
        self.constants = frozenset(self._place.values())
        self.blank = (0,) * self.first + tuple(constants)
        self.head, *others = map(self._slots, atoms)
        self.body = tuple(others[: len(clause.body)])
        self.negative = tuple(others[len(clause.body) :])

    @cached_property
    def matched(self) -> set[int]:
        """The variables bound by literals."""
        literals = (*self.clause.body, *self.clause.negative)
        return {variable for literal in literals for variable in literal.variables()}

    @cached_property
    def of_table(self) -> set[int]:
        """The variables of the parameter table."""
        literals = map(self.clause.body.__getitem__, self.clause.parameters)
        return {variable for literal in literals for variable in literal.variables()}

    @cached_property
    def mentioning(self) -> dict[int, list[int]]:
        """For each slot the body literals with it."""
        found: dict[int, list[int]] = {}
        for literal, at in enumerate(self.body):
            for slot in {at.s, at.p, at.o}:
                found.setdefault(slot, []).append(literal)
        return found

    def plan(
        self,
        driver: Slots,
        rest: Literals,
        negative: Literals,
        wanted: Iterable[Slots],
        read: Iterable[int] = (),
    ) -> Plan:
        """The plan with this driver and these other literals; its matches hold the variables of
        the `wanted` atoms and those `read` besides."""
        slots = {slot for at in wanted for slot in (at.s, at.p, at.o)}.union(read)
        relations = (self.blank[p] for p in {self.body[j].p for j, _ in rest} if p >= self.first)
        order = Order(self, driver, rest, negative, slots)
        return Plan(
            self.clause,
            driver,
            order,
            self.head,
            self.body,
            self.blank,
            self.first,
            tuple(sorted(relations)),
        )

    def _slots(self, pattern: Pattern) -> Slots:
        s, p, o = (self._place[t] if t > 0 else ~t for t in (pattern.s, pattern.p, pattern.o))
        return Slots(s, p, o)


class _Planner:
    """Puts the literals of one plan in order. A literal's cost falls as variables are bound. So
    a queue is enough that takes a literal again when it shares a variable with the last one: O(n
    log n) for n literals of few variables. What two things may have in common waits until both are
    found."""

    def __init__(
        self,
        slotted: _Slotted,
        driver: Slots,
        rest: Literals,
        negative: Literals,
        wanted: Iterable[int],
    ) -> None:
        self.slotted, self.clause = slotted, slotted.clause
        self.bound = {*slotted.constants, driver.s, driver.p, driver.o}
        self.steps: list[Step] = []
        self.waiting = list(self.clause.computations)
        self.role = dict(rest)
        self.unasked = self.clause.parameters.intersection(self.role)
        self.negative = list(negative)
        self.fresh: list[int] = []
        self.awaiting: dict[int, list[int]] = {}
        """The literals that wait for a variable."""
        self.worst = 0

    def plan(self) -> None:
        """Finds the steps."""
        self.compute()
        queue = [self.cost(literal) for literal in self.role]
        heapify(queue)
        while self.role:
            cost, literal = heappop(queue)
            if literal not in self.role:
                continue
            if (awaited := self.awaited(literal)) is not None:
                self.awaiting.setdefault(awaited, []).append(literal)
                self.step(literal, self.role[literal], asks=True)
                continue
            self.worst = max(self.worst, cost)
            self.match(literal, self.role.pop(literal))
            self.compute()
            for other in self.cheaper():
                heappush(queue, self.cost(other))
        self.compute(assign=True)
        assert not self.waiting and not self.negative, "a safe rule binds everything"

    def bind(self, slots: Iterable[int]) -> None:
        fresh = set(slots) - self.bound
        self.fresh += fresh
        self.bound |= fresh

    def cheaper(self) -> list[int]:
        """The remaining literals with variables that were bound since the last call, or that waited
        for these."""
        fresh, self.fresh = self.fresh, []
        waited = [literal for slot in fresh for literal in self.awaiting.pop(slot, ())]
        return [*waited, *(literal for slot in fresh for literal in self.remaining(slot))]

    def remaining(self, slot: int) -> list[int]:
        """The remaining literals with a variable."""
        return [i for i in self.slotted.mentioning.get(slot, ()) if i in self.role]

    def awaited(self, literal: int) -> int | None:
        """The variable ?y that a literal [?x, p, ?z] waits for, where the only other one about ?z
        is [?y, p, ?z], and two others lead to ?y by now.

        Of pairs of such literals the first two find ?y. Of the others it is asked at once whether
        ?x has such a fact; then they are tests of both. If every ?z were found before ?y, their
        values would be multiplied (prp-key). Two are, since most things have one value each, and
        with one of two values ?y may be many.
        """
        at = self.slotted.body[literal]
        if self.unbound_end(literal) != at.o or literal in self.clause.parameters:
            return None
        agreeing = [i for i in self.remaining(at.o) if i != literal]
        other = self.slotted.body[agreeing[0]] if len(agreeing) == 1 else None
        if other is None or (other.p, other.o) != (at.p, at.o) or other.s in {at.o, *self.bound}:
            return None
        ways = sum(self.unbound_end(i) == other.s for i in self.remaining(other.s))
        return other.s if ways > 1 else None

    def unbound_end(self, literal: int) -> int | None:
        """The end that a literal finds from a variable at its other end, if it does; the members of
        a class are many."""
        at, bound = self.slotted.body[literal], self.bound
        if at.p not in bound or (at.s in bound) == (at.o in bound):
            return None
        known, end = (at.s, at.o) if at.s in bound else (at.o, at.s)
        if end == at.s and self.clause.body[literal].p == self.clause.type:
            return None
        return end if known < self.slotted.first else None

    def match(self, literal: int, role: int) -> None:
        self.step(literal, role)
        at = self.slotted.body[literal]
        self.bind((at.s, at.p, at.o))
        self.unasked = self.unasked - {literal}

    def step(self, literal: int, role: int, *, asks: bool = False) -> None:
        at, bound = self.slotted.body[literal], self.bound
        s, p, o = at.s in bound, at.p in bound, at.o in bound
        is_type = self.clause.body[literal].p == self.clause.type
        kind = False, is_type and o and not s, is_type and o and s, asks
        self.steps.append(Match(at, role, s, p, o, self.clause.is_auxiliary, *kind))

    def cost(self, literal: int) -> tuple[int, int]:
        """Most selective first (Xu and Curé §4.6): an order of magnitude, then the place."""
        at, bound = self.slotted.body[literal], self.bound
        s, p, o = at.s in bound, at.p in bound, at.o in bound
        if s and p and o:
            return 0, literal
        if not p:
            return (8 if s or o else 9), literal
        if not (s or o) and literal in self.clause.ties:
            return 10, literal
        if literal in self.clause.parameters:
            return (1 if s or (o and at.o < self.slotted.first) else 2 if o else 6), literal
        if not (s or o):
            return 7, literal
        is_type = self.clause.body[literal].p == self.clause.type
        return (3 if s else 5 if is_type else 4) + self.may_be_any(at.p), literal

    def may_be_any(self, predicate: int) -> bool:
        """Whether a predicate is a variable that no parameter table restricts."""
        return predicate < self.slotted.first and predicate not in self.slotted.of_table

    def compute(self, *, assign: bool = False) -> None:
        """Places the computations with bound inputs, or with a bound invertible output, and the
        bound negated literals.

        A value that no literal reads is assigned after the last literal, so that it is computed for
        matches only.
        """
        while self.placed_computation(assign=assign):
            pass
        for literal, role in list(self.negative):
            at = self.slotted.negative[literal]
            if self.bound.issuperset((at.s, at.p, at.o)):
                self.negative.remove((literal, role))
                step = Match(at, role, True, True, True, self.clause.is_auxiliary, negated=True)
                self.steps.append(step)

    def placed_computation(self, *, assign: bool) -> bool:
        for computation in self.waiting:
            use = self.use(computation)
            late = use is Use.ASSIGN and computation.output not in self.slotted.matched
            if use is not None and (assign or not late):
                self.waiting.remove(computation)
                known = frozenset(self.bound.intersection(computation.inputs))
                self.steps.append(Compute(computation, use, known))
                self.bind(slots_of(self.steps[-1]))
                return True
        return False

    def use(self, computation: Computation) -> Use | None:
        """How the computation can be used by now, if it can. Before the parameter table is asked, a
        driver may be an auxiliary fact, whose nodes are no terms to compute with."""
        ready = self.bound.issuperset(computation.inputs)
        known = computation.output in self.bound
        if ready and self.unasked and not self.slotted.of_table.issuperset(computation.inputs):
            return None
        if ready:
            return Use.FILTER if computation.output is None else Use.TEST if known else Use.ASSIGN
        return Use.INVERT if known and computation.invert is not None else None


def _with_liveness(
    variables: int,
    driver: Slots,
    given: Iterable[int],
    steps: Sequence[Step],
    wanted: Iterable[int],
) -> tuple[Step, ...]:
    """The steps, each match with what is read after it: what the later ones use, or is wanted."""
    last = {slot: i for i, step in enumerate(steps) for slot in slots_of(step)}
    last.update(dict.fromkeys(wanted, len(steps)))
    driven = driver.s, driver.p, driver.o, *given
    live = {slot for slot in driven if slot < variables and slot in last}
    found: list[Step] = []
    for i, step in enumerate(steps):
        used = {slot for slot in slots_of(step) if slot < variables}
        live.update(used)
        live.difference_update([slot for slot in used if last[slot] == i])
        found.append(step.before(frozenset(live)) if isinstance(step, Match) else step)
    return tuple(found)


def _read_at_end(steps: Sequence[Step]) -> set[int]:
    """The slots that anything reads after the last match."""
    read: set[int] = set()
    for step in reversed(steps):
        if isinstance(step, Match):
            return read | step.live
        read.update(slots_of(step))
    return read


def slots_of(step: Step) -> tuple[int, ...]:
    """The slots that a step reads or binds."""
    if isinstance(step, Match):
        at = step.at
        return (at.s, at.p) if step.asks else (at.s, at.p, at.o)
    output = step.computation.output
    return step.computation.inputs if output is None else (*step.computation.inputs, output)


def ordered(plans: Sequence[Plan]) -> tuple[Plan, ...]:
    """Cheapest first: by the least selective step, then by the number of steps."""
    return tuple(sorted(plans, key=lambda plan: (plan.cost, len(plan.steps))))
