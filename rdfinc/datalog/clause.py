"""Rules compiled against a dictionary: the form in which the engine reasons, integers only.

In a pattern a constant is its id (> 0) and variable number v is `~v` (< 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rdfinc.datalog.model import RDF_TYPE, Atom, Bind, Expression, Filter, Rule, Term, Var

AUXILIARY = "<urn:rdfinc:aux:"
VIOLATION = "violation"
"""Name of the hidden relation (instance, violation, rule)."""

Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled atom."""

    s: int
    p: int
    o: int

    def variables(self) -> Iterator[int]:
        return (~t for t in (self.s, self.p, self.o) if t < 0)


@dataclass(frozen=True, slots=True)
class Computation:
    """A filter (`output` is None) or a value: a function of the ids in `inputs`.

    `values(rows)` gives for each row of input ids an id, or None where there is no value; for a
    filter any id stands for true. `invert`, where there is one, gives back the inputs that have
    a value (None if there are none), so a known output needs no search.
    """

    inputs: tuple[int, ...]
    output: int | None
    values: Callable[[Sequence[Row]], list[int | None]] = field(compare=False)
    invert: Callable[[int], Row | None] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One rule: `head` holds wherever all of `body` and all of `computations` do.

    `parameters` are the body literals that say which relations the others are about: those with
    a constant relation whose variables stand for a predicate or class elsewhere. Their relations
    are the clause's parameter table.
    """

    rule: Rule
    head: Pattern
    body: tuple[Pattern, ...]
    computations: tuple[Computation, ...]
    variables: tuple[Var, ...]
    parameters: frozenset[int]
    type: int
    hidden: Callable[[int], bool]


class Encoder(Protocol):
    """What compiling needs of the terms."""

    def constant(self, term: str) -> int: ...

    def auxiliary(self, name: str) -> int: ...

    def is_auxiliary(self, id: int) -> bool: ...

    def filter(self, expression: Expression) -> Callable[[Sequence[Row]], list[int | None]]: ...

    def bind(self, expression: Expression) -> Callable[[Sequence[Row]], list[int | None]]: ...

    def row(self, values: Row) -> int: ...

    def row_values(self, row: int) -> Row | None: ...


def compile_rule(rule: Rule, encoder: Encoder) -> Clause:
    """The clause of a safe rule; contradictions get the head (instance, violation, rule)."""
    return _Compiler(rule, encoder).clause()


class _Compiler:
    def __init__(self, rule: Rule, encoder: Encoder) -> None:
        self.rule, self.encoder = rule, encoder
        self.numbers: dict[Var, int] = {}

    def clause(self) -> Clause:
        body = tuple(self.pattern(literal.atom) for literal in self.rule.literals())
        items: list[Filter | Bind] = [*self.rule.filters(), *self.rule.binds()]
        computations = [self.computation(item) for item in items]
        if self.rule.head is None:
            instance = self.instance()
            computations.append(instance)
            head = self.violation(instance)
        else:
            head = self.pattern(self.rule.head)
        type_ = self.encoder.constant(RDF_TYPE)
        is_auxiliary = self.encoder.is_auxiliary
        tables = parameters(head, body, type_, is_auxiliary)
        return Clause(
            self.rule, head, body, tuple(computations), tuple(self.numbers), tables, type_,
            is_auxiliary,
        )  # fmt: skip

    def number(self, variable: Var) -> int:
        return self.numbers.setdefault(variable, len(self.numbers))

    def term(self, term: Term) -> int:
        if isinstance(term, Var):
            return ~self.number(term)
        if term.startswith(AUXILIARY):
            return self.encoder.auxiliary(term[len(AUXILIARY) : -1])
        return self.encoder.constant(term)

    def pattern(self, atom: Atom) -> Pattern:
        return Pattern(*map(self.term, atom.terms()))

    def computation(self, item: Filter | Bind) -> Computation:
        inputs = tuple(map(self.number, item.expression.variables))
        if isinstance(item, Filter):
            return Computation(inputs, None, self.encoder.filter(item.expression))
        return Computation(inputs, self.number(item.variable), self.encoder.bind(item.expression))

    def instance(self) -> Computation:
        """The node that stands for one instance of a contradiction: its variables' values."""
        inputs = tuple(self.numbers.values())
        encoder = self.encoder

        def values(rows: Sequence[Row]) -> list[int | None]:
            return [encoder.row(row) for row in rows]

        def invert(row: int) -> Row | None:
            found = encoder.row_values(row)
            return found if found is not None and len(found) == len(inputs) else None

        return Computation(inputs, self.number(Var(" instance")), values, invert)

    def violation(self, instance: Computation) -> Pattern:
        assert instance.output is not None
        relation = self.encoder.auxiliary(VIOLATION)
        name = self.encoder.auxiliary(f"rule {self.rule}")
        return Pattern(~instance.output, relation, name)


def parameters(
    head: Pattern, body: Sequence[Pattern], type_: int, auxiliary: Callable[[int], bool]
) -> frozenset[int]:
    """The body literals that are parameter literals (see `Clause`)."""
    named = {~t for atom in (head, *body) for t in _relation_terms(atom, type_) if t < 0}
    if not named:
        return frozenset()
    return frozenset(
        i
        for i, atom in enumerate(body)
        if all(t > 0 for t in _relation_terms(atom, type_))
        and (auxiliary(atom.p) or named.intersection(atom.variables()))
    )


def _relation_terms(atom: Pattern, type_: int) -> tuple[int, ...]:
    return (atom.p, atom.o) if atom.p == type_ else (atom.p,)
