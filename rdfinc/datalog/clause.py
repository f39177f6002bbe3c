"""Rules compiled against a dictionary: the form in which the engine reasons, integers only.

In a pattern a constant is its id (> 0) and variable number v is `~v` (< 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from rdfinc.datalog.model import (
    RDF_TYPE,
    Atom,
    Bind,
    Expression,
    Filter,
    Row,
    Rule,
    Skolem,
    Term,
    Value,
    Var,
)
from rdfinc.datalog.variables import value_variables

AUXILIARY = "<urn:rdfinc:aux:"
LITERAL_VALUE = "literal.value"
"""Name of the auxiliary relation (literal, its value), where another literal has the same."""
VALUE = f"{AUXILIARY}{LITERAL_VALUE}>"
_OF_LITERALS = tuple(f"literal.{name}" for name in ("value", "same", "named", "equated", "asked"))
"""Names of the auxiliary relations about literals, which never say what other relations are
about."""
DEMANDS = ("literal.same", "literals.asked")
"""Names of the auxiliary relations that only ask for something because of some fact, where those
who read them have such a fact among their own premises: proofs give no reason for a demand."""
VIOLATION = "violation"
"""Name of the auxiliary relation (instance, violation, rule)."""

Ids = tuple[int, ...]
Values = Callable[[Sequence[Ids]], "list[int | None]"]
Mask = NDArray[np.bool_]
Decide = Callable[[Sequence[NDArray[np.uint32]]], tuple[Mask, Mask]]


class Pattern(Struct, frozen=True):
    """A compiled atom."""

    s: int
    p: int
    o: int

    def variables(self) -> Iterator[int]:
        return (~t for t in (self.s, self.p, self.o) if t < 0)


@dataclass(frozen=True, slots=True)
class Computation:
    """A filter (`output` is None) or a value: a function of the ids in `inputs`.

    `values(rows)` gives an id for each row of input ids, or None without a value; for a filter any
    id stands for true. `invert`, if given, maps an output back to the inputs with that value (None
    without one), so that a known output needs no search. `decide`, if given, answers a filter for
    many rows by ids alone, a column for each input: a mask of rows that it holds for, and a mask of
    rows left to `values`.
    """

    inputs: tuple[int, ...]
    output: int | None
    values: Values = field(compare=False)
    invert: Callable[[int], Ids | None] | None = field(default=None, compare=False)
    decide: Decide | None = field(default=None, compare=False)


FoldValues = Callable[[NDArray[np.intp], Sequence[NDArray[np.uint32]]], "list[int | None]"]


@dataclass(frozen=True, slots=True)
class Fold:
    """An aggregate over the ids in `inputs`.

    `values(starts, columns)` gives for each group the id of its value, None where it has none. The
    columns are the group and what is in `inputs`, a row for each solution, group by group from the
    positions `starts`; no group is empty.
    """

    inputs: tuple[int, ...]
    values: FoldValues = field(compare=False)


class Clause(Struct, frozen=True, eq=False):
    """One rule: `head` holds wherever all of `body`, none of `negative` and all of `computations`
    do.

    With a `fold`, `head` is a group, (key, relation, key): a fact (key, relation, value) holds for
    the value of all solutions of the group.

    `parameters` are the body literals that choose the relations of others: they have a constant
    relation, and variables that stand for a predicate or class elsewhere. Their relations are the
    clause's parameter table.

    `ties` are the body literals between a term and its representative. Their relation has every
    term, so it is looked up by either end and never listed.
    """

    rule: Rule
    head: Pattern
    body: tuple[Pattern, ...]
    negative: tuple[Pattern, ...]
    computations: tuple[Computation, ...]
    fold: Fold | None
    variables: tuple[Var, ...]
    parameters: frozenset[int]
    type: int
    is_auxiliary: Callable[[int], bool]
    ties: frozenset[int] = frozenset()


class Encoder(Protocol):
    """The services that compiling needs from a dictionary of terms."""

    def constant(self, term: str) -> int:
        """The id of a term; `<urn:rdfinc:aux:name>` is the auxiliary predicate called `name`."""

    def auxiliary(self, name: str) -> int: ...

    def is_auxiliary(self, id: int) -> bool: ...

    def filter(self, expression: Expression) -> Values: ...

    def decide(self, expression: Expression) -> Decide | None: ...

    def bind(self, expression: Expression) -> Values: ...

    def fold(self, value: Value) -> FoldValues: ...

    def row(self, values: Ids) -> int: ...

    def find_row(self, values: Ids) -> int: ...

    def row_values(self, row: int) -> Ids | None: ...

    def skolem(self, name: str, values: Ids) -> int: ...

    def skolem_values(self, name: str, id: int) -> Ids | None: ...


def compile_rule(rule: Rule, encoder: Encoder) -> Clause:
    """The clause of a safe rule; contradictions get the head (instance, violation, rule)."""
    return _Compiler(rule, encoder).clause()


class _Compiler:
    def __init__(self, rule: Rule, encoder: Encoder) -> None:
        self.rule, self.encoder = rule, encoder
        self.numbers: dict[Var, int] = {}

    def clause(self) -> Clause:
        rule = self.rule
        literals = rule.literals()
        body = tuple(self.pattern(literal.atom) for literal in literals if literal.positive)
        negative = tuple(self.pattern(literal.atom) for literal in literals if not literal.positive)
        items: list[Filter | Bind] = [*rule.filters(), *rule.binds()]
        computations = [self.computation(item) for item in items]
        computations += map(self.tuple, (i for i in rule.body if isinstance(i, Row | Skolem)))
        if rule.head is None:
            instance = self.instance()
            computations.append(instance)
            head = self.violation(instance)
        elif rule.value is not None:
            head = self.pattern(replace(rule.head, object=rule.head.subject))
        else:
            head = self.pattern(rule.head)
        fold = self.fold(rule.value) if rule.value else None
        type_ = self.encoder.constant(RDF_TYPE)
        is_auxiliary = self.encoder.is_auxiliary
        of_literals = set(map(self.encoder.auxiliary, _OF_LITERALS))
        tables = parameters(
            (head, *negative), body, type_, lambda id: id not in of_literals and is_auxiliary(id)
        )
        return Clause(
            rule, head, body, negative, tuple(computations), fold, tuple(self.numbers), tables,
            type_, is_auxiliary,
        )  # fmt: skip

    def number(self, variable: Var) -> int:
        return self.numbers.setdefault(variable, len(self.numbers))

    def term(self, term: Term) -> int:
        if isinstance(term, Var):
            return ~self.number(term)
        return self.encoder.constant(term)

    def pattern(self, atom: Atom) -> Pattern:
        return Pattern(*map(self.term, atom.terms()))

    def computation(self, item: Filter | Bind) -> Computation:
        inputs = tuple(map(self.number, item.expression.variables))
        if isinstance(item, Filter):
            values = self.encoder.filter(item.expression)
            decide = self.encoder.decide(item.expression)
            return Computation(inputs, None, values, decide=decide)
        return Computation(inputs, self.number(item.variable), self.encoder.bind(item.expression))

    def fold(self, value: Value) -> Fold:
        *read, _ = value_variables(value)
        return Fold(tuple(map(self.number, read)), self.encoder.fold(value))

    def tuple(self, item: Row | Skolem) -> Computation:
        """A row is made where it is the head's, and only looked up elsewhere."""
        if isinstance(item, Skolem):
            return self.skolem(item)
        head = self.rule.head
        made = head is not None and item.variable in head.variables()
        inputs = [self.number(member) for member in item.members]
        row = self.encoder.row if made else self.encoder.find_row
        return self.row(inputs, self.number(item.variable), row)

    def row(self, inputs: Sequence[int], output: int, row: Callable[[Ids], int]) -> Computation:
        def values(rows: Sequence[Ids]) -> list[int | None]:
            return [row(ids) for ids in rows]

        def invert(id: int) -> Ids | None:
            found = self.encoder.row_values(id)
            return found if found is not None and len(found) == len(inputs) else None

        return Computation(tuple(inputs), output, values, invert)

    def skolem(self, item: Skolem) -> Computation:
        """The value of SKOLEM, and back to the arguments that are variables."""
        encoder, name = self.encoder, item.name
        variables = list(dict.fromkeys(t for t in item.arguments if isinstance(t, Var)))
        places = [item.arguments.index(variable) for variable in variables]
        constants = {t: encoder.constant(t) for t in item.arguments if isinstance(t, str)}

        def full(ids: Ids) -> Ids:
            value = dict(zip(variables, ids, strict=True))
            return tuple(
                value[term] if isinstance(term, Var) else constants[term] for term in item.arguments
            )

        def values(rows: Sequence[Ids]) -> list[int | None]:
            return [encoder.skolem(name, full(ids)) for ids in rows]

        def invert(id: int) -> Ids | None:
            found = encoder.skolem_values(name, id)
            if found is None or len(found) != len(item.arguments):
                return None
            ids = tuple(found[place] for place in places)
            return ids if full(ids) == found else None

        inputs = tuple(map(self.number, variables))
        return Computation(inputs, self.number(item.variable), values, invert)

    def instance(self) -> Computation:
        """The node that stands for one instance of a contradiction: its variables' values."""
        inputs = tuple(self.numbers.values())
        return self.row(inputs, self.number(Var(" instance")), self.encoder.row)

    def violation(self, instance: Computation) -> Pattern:
        assert instance.output is not None
        relation = self.encoder.auxiliary(VIOLATION)
        name = self.encoder.auxiliary(f"rule {self.rule}")
        return Pattern(~instance.output, relation, name)


def parameters(
    others: Sequence[Pattern],
    body: Sequence[Pattern],
    type_: int,
    auxiliary: Callable[[int], bool],
) -> frozenset[int]:
    """The body literals that are parameter literals (see `Clause`) for all and `others`."""
    named = {~t for atom in (*others, *body) for t in _relation_terms(atom, type_) if t < 0}
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
