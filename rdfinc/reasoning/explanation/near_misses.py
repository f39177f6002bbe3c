"""The rule instances that come nearest to deriving a missing fact.

The identity of the rule is given: its parameter tables hold, its auxiliary facts do (values of
groups excepted), and of a rule with a variable head all atoms with a named relation do. The rest of
the body is matched as far as possible, first with one gap, then with two, and so on. A gap is an
atom without a matching fact, a negated atom with one, or a filter or value that does not hold.
Atoms are matched from known values. An atom that hangs on another gap, and could only be matched by
trying all facts, is a gap of its own.

The search is depth-first and bounded by the number of matches tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.clause import Clause, Computation, Pattern
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.explanation.rule_instances import Fact
from rdfinc.reasoning.reasoning_thresholds import REASONING

Values = dict[int, int]
"""The values of variables; both are written as in patterns."""


class Near(Struct, frozen=True):
    """An instance of a clause with gaps: the places of `present` and `missing` body atoms, of
    negated atoms `denied` by a fact, and of `failing` computations. Variables without a value
    occur in missing atoms only."""

    clause: Clause
    values: Values
    present: tuple[int, ...]
    missing: tuple[int, ...] = ()
    denied: tuple[int, ...] = ()
    failing: tuple[int, ...] = ()

    @property
    def gaps(self) -> int:
        return len(self.missing) + len(self.denied) + len(self.failing)

    def is_auxiliary(self, atom: Pattern) -> bool:
        """Whether an atom is of an auxiliary relation."""
        relation = self.values.get(atom.p, atom.p)
        return relation > 0 and self.clause.is_auxiliary(relation)


def nearest(fact: Fact, clauses: Sequence[Clause], facts: State) -> list[Near]:
    """The nearest instances of every rule that may derive the fact, fewest gaps first; among
    equals, rules with variable heads come last."""
    groups = {clause.head.p for clause in clauses if clause.fold is not None}
    found = [
        near
        for clause in clauses
        if clause.fold is None and clause.rule.head is not None
        for row in islice(_rows(clause, fact, groups, facts), REASONING.near_rows)
        for near in _nearest(row, fact, facts)
    ]
    return sorted(found, key=lambda near: (near.gaps, _is_free(near.clause)))


def _is_free(clause: Clause) -> bool:
    """Whether a clause may derive any relation."""
    named = {v for i in clause.parameters for v in clause.body[i].variables()}
    return clause.head.p < 0 and ~clause.head.p not in named


def matched(pattern: Pattern, fact: Fact, values: Values) -> Values | None:
    """The values with which the pattern is the fact."""
    found = dict(values)
    for term, id in zip((pattern.s, pattern.p, pattern.o), fact, strict=True):
        if (found.setdefault(term, id) if term < 0 else term) != id:
            return None
    return found


def _rows(clause: Clause, fact: Fact, groups: set[int], facts: State) -> Iterator[Near]:
    """The fact matched with the head, and what must be there with facts."""
    values = matched(clause.head, fact, {})
    if values is None:
        return
    free = _is_free(clause)
    wanted = tuple(
        i
        for i, literal in enumerate(clause.body)
        if i in clause.parameters
        or (literal.p > 0 and (free or clause.is_auxiliary(literal.p)) and literal.p not in groups)
    )
    waiting = [(Near(clause, values, ()), wanted)]
    while waiting:
        near, places = waiting.pop()
        if not places:
            yield near
            continue
        place = max(places, key=lambda i: (_known(clause.body[i], near.values), -i))
        rest = tuple(i for i in places if i != place)
        more = [
            (replace(near, values=each, present=(*near.present, place)), rest)
            for each in _matches(clause, place, near.values, facts, REASONING.near_rows)
        ]
        waiting += more[::-1]


def _known(pattern: Pattern, values: Values) -> int:
    return sum(term > 0 or term in values for term in (pattern.s, pattern.p, pattern.o))


def _matches(
    clause: Clause, place: int, values: Values, facts: State, most: int
) -> Iterator[Values]:
    """The values with which an atom of the body is a fact, those of the first few facts; an
    unknown relation is none of the auxiliary ones."""
    pattern = clause.body[place]
    s, p, o = (values.get(t, 0) if t < 0 else t for t in (pattern.s, pattern.p, pattern.o))
    relations = [p] if p else [r for r in facts.predicates() if not clause.is_auxiliary(r)]
    for fact in islice(_facts(s, relations, o, facts), most):
        found = matched(pattern, fact, values)
        if found is not None:
            yield found


def _facts(s: int, relations: Sequence[int], o: int, facts: State) -> Iterator[Fact]:
    for p in relations:
        table = facts.table(p)
        if s and o:
            if table.has(s << 32 | o):
                yield s, p, o
        elif s:
            yield from ((s, p, each) for each in table.objects(s))
        elif o:
            yield from ((each, p, o) for each in table.subjects(o))
        else:
            for keys in table.blocks():
                yield from ((int(key) >> 32, p, int(key) & 0xFFFFFFFF) for key in keys)


def _nearest(row: Near, fact: Fact, facts: State) -> list[Near]:
    """The instances with the fewest gaps, for given values of the parts that must hold."""
    search = _NearMissSearch(row.clause, fact, facts)
    most = len(row.clause.body) + len(row.clause.negative) + len(row.clause.computations)
    for gaps in range(1, most + 1):
        found = list(islice(search.instances(row, gaps), REASONING.nearest_of_rule))
        if found or search.tried >= REASONING.near_tries:
            return found
    return []


class _NearMissSearch:
    def __init__(self, clause: Clause, fact: Fact, facts: State) -> None:
        self.clause, self.fact, self.facts = clause, fact, facts
        self.tried = 0

    def instances(self, row: Near, gaps: int) -> Iterator[Near]:
        """The instances with this number of gaps."""
        told: set[tuple[object, ...]] = set()
        waiting = [row]
        while waiting and self.tried < REASONING.near_tries:
            near = self.computed(waiting.pop())
            if near.gaps > gaps:
                continue
            self.tried += 1
            place = self.next(near)
            if place is not None:
                waiting += self.with_atom(near, place)
                continue
            near = self.denying(near)
            shown = tuple(map(near.__getattribute__, ("present", "missing", "denied", "failing")))
            key = (*shown, *sorted(near.values.items()))
            if near.gaps == gaps and key not in told and self.is_right(near):
                told.add(key)
                yield near

    def next(self, near: Near) -> int | None:
        """The next atom to match, the one with the most known values, if there is one left."""
        done = {*near.present, *near.missing}
        left = [i for i in range(len(self.clause.body)) if i not in done]
        return max(left, key=lambda i: (self.hold(near, i), -i), default=None)

    def hold(self, near: Near, place: int) -> tuple[bool, int]:
        """How well an atom can be matched: whether a known variable leads to it."""
        atom, values = self.clause.body[place], near.values
        ends = (atom.s,) if atom.p == self.clause.type else (atom.s, atom.o)
        ground = _known(atom, values) == 3
        return ground or any(t < 0 and t in values for t in ends), _known(atom, values)

    def with_atom(self, near: Near, place: int) -> list[Near]:
        """The atom missing, or one of some facts; the last are tried first."""
        more = [replace(near, missing=(*near.missing, place))]
        led, _ = self.hold(near, place)
        if not led and self.hangs(near, place):
            return more
        found = list(
            _matches(
                self.clause,
                place,
                near.values,
                self.facts,
                REASONING.near_matches,
            )
        )
        here = (*near.present, place)
        return [*more, *(replace(near, values=each, present=here) for each in found[::-1])]

    def hangs(self, near: Near, place: int) -> bool:
        """Whether the atom shares an open variable with a missing one."""
        open_ = {v for i in near.missing for v in self.clause.body[i].variables()}
        return any(
            ~v not in near.values for v in open_.intersection(self.clause.body[place].variables())
        )

    def computed(self, near: Near) -> Near:
        """With what can be computed by now."""
        values, failing = dict(near.values), set(near.failing)
        changed = True
        while changed:
            changed = False
            for i, each in enumerate(self.clause.computations):
                known = len(values)
                if i not in failing and not _holds(each, values):
                    failing.add(i)
                changed = changed or len(values) > known
        return replace(near, values=values, failing=tuple(sorted(failing)))

    def denying(self, near: Near) -> Near:
        """With the negated atoms whose facts are there."""
        denied = []
        for i, atom in enumerate(self.clause.negative):
            s, p, o = (near.values.get(t, 0) if t < 0 else t for t in (atom.s, atom.p, atom.o))
            if s and p and o and self.facts.has(s, p, o):
                denied.append(i)
        return replace(near, denied=tuple(denied))

    def is_right(self, near: Near) -> bool:
        """Whether what is said to be missing is, and is not the fact itself; of atoms that hang on
        another one it is said of all together."""
        for i, place in enumerate(near.missing):
            if matched(self.clause.body[place], self.fact, near.values) == near.values:
                return False
            found = _matches(self.clause, place, near.values, self.facts, 1)
            before = replace(near, missing=near.missing[:i])
            if any(True for _ in found) and not self.hangs(before, place):
                return False
        return True


def _holds(computation: Computation, values: Values) -> bool:
    """Whether a computation holds or cannot be told; adds the values that it gives."""
    output = None if computation.output is None else ~computation.output
    known = [values.get(~v, 0) for v in computation.inputs]
    if all(known):
        (found,) = computation.values([tuple(known)])
        if found is None:
            return False
        return output is None or values.setdefault(output, found) == found
    if output in values and computation.invert is not None:
        inputs = computation.invert(values[output])
        if inputs is None:
            return False
        return all(
            values.setdefault(~v, id) == id
            for v, id in zip(computation.inputs, inputs, strict=True)
        )
    return True
