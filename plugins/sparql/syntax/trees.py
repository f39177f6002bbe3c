"""Syntax trees of queries, and of the group graph patterns in queries and updates.

Terms, paths and expressions are rdflib's; the pattern of an EXISTS is a tree in the expression.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rdflib.term import Variable

Triple = tuple[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A constant of a pattern, which texts of one shape have each its own: that of some number."""

    number: int


@dataclass(slots=True)
class TriplesPart:
    """Triples that stand beside each other."""

    triples: list[Triple]


@dataclass(slots=True)
class FilterPart:
    """FILTER condition"""

    condition: Any


@dataclass(slots=True)
class BindPart:
    """BIND (expression AS variable)"""

    expression: Any
    variable: Variable


@dataclass(slots=True)
class ValuesPart:
    """VALUES variables { rows }; None stands for UNDEF."""

    variables: list[Variable]
    rows: list[list[Any]]


@dataclass(slots=True)
class OptionalPart:
    """OPTIONAL pattern"""

    pattern: Pattern


@dataclass(slots=True)
class MinusPart:
    """MINUS pattern"""

    pattern: Pattern


@dataclass(slots=True)
class UnionPart:
    """pattern UNION pattern …, or one pattern alone"""

    patterns: list[Pattern]


@dataclass(slots=True)
class GraphPart:
    """GRAPH name pattern"""

    name: Any
    pattern: Pattern


@dataclass(slots=True)
class ServicePart:
    """SERVICE name pattern, and the text of the pattern"""

    name: Any
    pattern: Pattern
    is_silent: bool
    text: str


Part: TypeAlias = (
    TriplesPart
    | FilterPart
    | BindPart
    | ValuesPart
    | OptionalPart
    | MinusPart
    | UnionPart
    | GraphPart
    | ServicePart
)


@dataclass(slots=True)
class GroupPattern:
    """{ parts }"""

    parts: list[Part]


@dataclass(slots=True)
class ShownTerm:
    """What SELECT shows: a variable, which may get its value from an expression."""

    variable: Variable
    expression: Any = None


@dataclass(slots=True)
class GroupKey:
    """What GROUP BY groups by: an expression, which may get a name."""

    expression: Any
    variable: Variable | None = None


@dataclass(slots=True)
class OrderKey:
    """What ORDER BY orders by."""

    expression: Any
    direction: str = "ASC"


@dataclass(slots=True)
class QueryTree:
    """A query or a sub-select.

    `form` is SELECT, CONSTRUCT, DESCRIBE or ASK; `shown` is empty for `*`; `template` is of
    CONSTRUCT, `described` of DESCRIBE; `offset` and `limit` are digits.
    """

    form: str
    where: Pattern | None = None
    modifier: str = ""
    shown: list[ShownTerm] = field(default_factory=list)
    described: list[Any] = field(default_factory=list)
    template: list[Triple] = field(default_factory=list)
    datasets: list[Any] = field(default_factory=list)
    keys: list[GroupKey] = field(default_factory=list)
    having: list[Any] = field(default_factory=list)
    order: list[OrderKey] = field(default_factory=list)
    offset: str | None = None
    limit: str | None = None
    values: ValuesPart | None = None


Pattern: TypeAlias = GroupPattern | QueryTree
