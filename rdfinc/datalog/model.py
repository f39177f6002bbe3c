"""The rule model: what rules are, before anything is known about data.

Constants are canonical N-Triples texts (`<http://…>`, `"a"@en`, `_:b`); the engine compiles a
program against a dictionary, which turns them into ids. Every atom is a triple: a unary atom
`C[?x]` is `[?x, rdf:type, C]`. All classes are immutable and compare by value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"

TEXTS: dict[type, Callable[[Any], str]] = {}
"""The text of each class, as `str` gives it; filled in by `printing`, which knows the syntax."""


class Var(Struct, frozen=True):
    """A variable; `name` is without the question mark."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


Term = Var | str


class Atom(Struct, frozen=True):
    """`[subject, predicate, object]`, each a variable or a constant."""

    subject: Term
    predicate: Term
    object: Term

    def terms(self) -> tuple[Term, Term, Term]:
        return self.subject, self.predicate, self.object

    def variables(self) -> Iterator[Var]:
        return (t for t in self.terms() if isinstance(t, Var))

    def map(self, change: Callable[[Term], Term]) -> Atom:
        return Atom(change(self.subject), change(self.predicate), change(self.object))

    def __str__(self) -> str:
        return TEXTS[Atom](self)


class Literal(Struct, frozen=True):
    """An atom with a polarity: `positive` is False under NOT."""

    atom: Atom
    positive: bool = True


class Expression(Struct, frozen=True):
    """A SPARQL expression: `text` with IRIs written out in full, and the `variables` it reads.

    In the text a variable stands as `?name`; `rdfinc.datalog.variables` renames.
    """

    text: str
    variables: tuple[Var, ...]


class Filter(Struct, frozen=True):
    """Holds where the expression's effective boolean value is true (an error counts as false)."""

    expression: Expression


class Bind(Struct, frozen=True):
    """Gives `variable` the expression's value; no value (an error) drops the match."""

    expression: Expression
    variable: Var


class Skolem(Struct, frozen=True):
    """Gives `variable` an IRI of its own for each name and tuple of arguments."""

    name: str
    arguments: tuple[Term, ...]
    variable: Var


class Row(Struct, frozen=True):
    """Gives `variable` the auxiliary node that stands for the tuple of `members`; core rules
    only."""

    members: tuple[Var, ...]
    variable: Var


class NotExists(Struct, frozen=True):
    """Holds where no values of the local `variables` make all of `body` hold."""

    variables: tuple[Var, ...]
    body: tuple[BodyItem, ...]


class Value(Struct, frozen=True):
    """An aggregate: `function` over the values that `expression` has in a group's solutions, each
    taken once if `distinct`; an expression of None (only in COUNT) counts the solutions."""

    function: str
    expression: Expression | None
    distinct: bool
    variable: Var


class Aggregate(Struct, frozen=True):
    """The solutions of `body` in groups with equal values of `group`, and for each group its
    `values`. All other variables of the body are local."""

    body: tuple[BodyItem, ...]
    group: tuple[Var, ...]
    values: tuple[Value, ...]


BodyItem = Literal | Filter | Bind | Skolem | Row | NotExists | Aggregate


class Rule(Struct, frozen=True, eq=False):
    """`head :- body .`; a head of None is a contradiction (`false :- body .`), and without a body
    it is a fact (`head .`).

    A core rule with a `value` aggregates: its head `[key, relation, value's variable]` holds once
    for each key, over all solutions of the body (see `rdfinc.datalog.transform.core_rules`).
    `name` labels it for people (a W3C rule name, say) and plays no part in equality of meaning;
    see `rdfinc.datalog.canonical_rules`. `meaning` says in words what it is for.
    """

    head: Atom | None
    body: tuple[BodyItem, ...]
    name: str = ""
    value: Value | None = None
    meaning: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self._said() == other._said()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._said())

    def _said(self) -> tuple[object, ...]:
        return self.head, self.body, self.name, self.value

    @property
    def is_fact(self) -> bool:
        return not self.body

    def literals(self) -> tuple[Literal, ...]:
        return tuple(item for item in self.body if isinstance(item, Literal))

    def filters(self) -> tuple[Filter, ...]:
        return tuple(item for item in self.body if isinstance(item, Filter))

    def binds(self) -> tuple[Bind, ...]:
        return tuple(item for item in self.body if isinstance(item, Bind))

    def unnamed(self) -> Rule:
        return replace(self, name="", meaning="")

    def with_atoms(self, change: Callable[[Atom], Atom]) -> Rule:
        """The rule with its head and the atoms of its body changed, none within other items."""
        body = tuple(
            replace(item, atom=change(item.atom)) if isinstance(item, Literal) else item
            for item in self.body
        )
        return replace(self, head=change(self.head) if self.head else None, body=body)

    def __str__(self) -> str:
        return TEXTS[Rule](self)


class Program(Struct, frozen=True):
    """Rules in a fixed order, without repetition; `str()` parses back to the same program."""

    rules: tuple[Rule, ...] = ()

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __str__(self) -> str:
        return TEXTS[Program](self)
