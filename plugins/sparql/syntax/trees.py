"""Syntax trees of queries, and of the group graph patterns in queries and updates.

Terms and paths are rdflib's, expressions `nodes`; the pattern of an EXISTS is a tree in one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct, field
from rdflib.term import Variable

Triple = tuple[Any, Any, Any]


class Parameter(Struct, frozen=True):
    """A constant of a pattern, which texts of one shape have each its own: that of some number."""

    number: int


class TriplesPart(Struct):
    """Triples that stand beside each other."""

    triples: list[Triple]


class FilterPart(Struct):
    """FILTER condition"""

    condition: Any


class BindPart(Struct):
    """BIND (expression AS variable), the variable being that token."""

    expression: Any
    variable: Variable
    at: int


class ValuesPart(Struct):
    """VALUES variables { rows }; None stands for UNDEF."""

    variables: list[Variable]
    rows: list[list[Any]]


class OptionalPart(Struct):
    """OPTIONAL pattern"""

    pattern: Pattern


class MinusPart(Struct):
    """MINUS pattern"""

    pattern: Pattern


class UnionPart(Struct):
    """pattern UNION pattern …, or one pattern alone"""

    patterns: list[Pattern]


class GraphPart(Struct):
    """GRAPH name pattern"""

    name: Any
    pattern: Pattern


class ServicePart(Struct):
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


class GroupPattern(Struct):
    """{ parts }"""

    parts: list[Part]


class ShownTerm(Struct):
    """What SELECT shows: a variable, which may get its value from an expression. It begins at a
    token, and the variable is one."""

    variable: Variable
    first: int
    at: int
    expression: Any = None


class GroupKey(Struct):
    """What GROUP BY groups by: an expression, which may get a name."""

    expression: Any
    variable: Variable | None = None


class OrderKey(Struct):
    """What ORDER BY orders by."""

    expression: Any
    direction: str = "ASC"


class QueryTree(Struct):
    """A query or a sub-select.

    `form` is SELECT, CONSTRUCT, DESCRIBE or ASK; `shown` is empty for `*`, which is the token
    `star` then; `template` is of CONSTRUCT, `described` of DESCRIBE; `offset` and `limit` are
    digits.
    """

    form: str
    where: Pattern | None = None
    modifier: str = ""
    shown: list[ShownTerm] = field(default_factory=list)
    star: int = 0
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
