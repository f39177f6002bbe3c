"""The variables that a part of a query may bind, and those that it binds in every solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from rdflib.term import BNode, Identifier, Variable

from rdfinc.plugins.sparql.syntax.nodes import Node

Variables = frozenset[Any]
NO_VARIABLES: Variables = frozenset()
EXISTS = ("Builtin_EXISTS", "Builtin_NOTEXISTS")


class PartVariables:
    """The variables of the parts of one query, those of each worked out once."""

    def __init__(self) -> None:
        self._possible: dict[int, Variables] = {}
        self._certain: dict[int, Variables] = {}

    def possible(self, part: Node) -> Variables:
        """The variables, and blank nodes of patterns, that some solution may bind."""
        if id(part) not in self._possible:
            self._possible[id(part)] = self._bound_somewhere(part)
        return self._possible[id(part)]

    def certain(self, part: Node) -> Variables:
        """The variables bound in every solution; perhaps not all of them."""
        if id(part) not in self._certain:
            self._certain[id(part)] = self._bound_everywhere(part)
        return self._certain[id(part)]

    def _bound_somewhere(self, part: Node) -> Variables:
        own = _OWN.get(part.name)
        if own is not None:
            return own(part)
        inner = [part.p1] if part.name == "Minus" else _inner(part)
        found = _union_of(map(self.possible, inner))
        return found | _those([part.var if part.name == "Extend" else part.term])

    def _bound_everywhere(self, part: Node) -> Variables:
        bound = _BOUND.get(part.name)
        if bound is not None:
            return bound(self, part)
        return _union_of(map(self.certain, _inner(part))) | _those([part.term])


def _inner(part: Node) -> list[Node]:
    return [p for p in (part.p, part.p1, part.p2) if isinstance(p, Node)]


_OWN: dict[str, Callable[[Node], Variables]] = {
    "BGP": lambda part: _those(term for triple in part.triples for term in triple),
    "Project": lambda part: frozenset(part.PV),
    "AggregateJoin": lambda part: _those([*(a.res for a in part.A), *(part.p.expr or ())]),
    "values": lambda part: frozenset(given(part)[0]),
    "ServiceGraphPattern": lambda part: _union_of(map(read, part.values())),
}
"""The parts whose variables are not just those of the parts in them."""

_BOUND: dict[str, Callable[[PartVariables, Node], Variables]] = {
    "BGP": PartVariables.possible,
    "Union": lambda of, part: of.certain(part.p1) & of.certain(part.p2),
    "LeftJoin": lambda of, part: of.certain(part.p1),
    "Minus": lambda of, part: of.certain(part.p1),
    "Project": lambda of, part: of.certain(part.p) & frozenset(part.PV),
    "AggregateJoin": lambda of, part: NO_VARIABLES,
    "values": lambda of, part: _in_all_rows(*given(part)),
    "ServiceGraphPattern": lambda of, part: NO_VARIABLES,
}
"""The variables certainly bound, by the name of a part."""


def given(part: Node) -> tuple[Sequence[Variable], Sequence[Sequence[Any]]]:
    """The variables and rows of VALUES, None for UNDEF; also in algebra that rdflib has made."""
    if part.variables is not None:
        return part.variables, part.rows
    variables = list(dict.fromkeys(chain.from_iterable(part.res)))
    cells = ([row[variable] for variable in variables] for row in part.res)
    return variables, [[c if isinstance(c, Identifier) else None for c in row] for row in cells]


def _in_all_rows(variables: Sequence[Variable], rows: Sequence[Sequence[Any]]) -> Variables:
    columns = zip(variables, zip(*rows, strict=True), strict=False)  # none where there are no rows
    return frozenset(v for v, column in columns if all(cell is not None for cell in column))


def _those(terms: Iterable[Any]) -> Variables:
    return frozenset(term for term in terms if isinstance(term, Variable | BNode))


def read(expression: Any) -> Variables:
    """The variables that an expression reads; of an EXISTS, all that occur in its pattern."""
    if isinstance(expression, Variable | BNode):
        return frozenset((expression,))
    if isinstance(expression, Node):
        return _union_of(map(read, expression.values()))
    if isinstance(expression, list | tuple | set | frozenset):
        return _union_of(map(read, expression))
    return NO_VARIABLES


def _union_of(parts: Iterable[Variables]) -> Variables:
    return frozenset().union(*parts)
