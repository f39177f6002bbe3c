"""The variables of a group graph pattern that are visible outside of it (SPARQL 1.1, 18.2.1), in
the order of first appearance. A visible variable gets no other value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rdflib.term import Variable

from rdfinc.plugins.sparql.syntax.trees import (
    BindPart,
    FilterPart,
    GraphPart,
    MinusPart,
    Part,
    Pattern,
    QueryTree,
    ServicePart,
    ShownTerm,
    TriplesPart,
    UnionPart,
    ValuesPart,
)


def projected(tree: QueryTree) -> list[Any]:
    """The variables shown by a query or sub-select; for DESCRIBE also the IRIs named by it."""
    if tree.shown:
        return list(dict.fromkeys(each.variable for each in tree.shown))
    if tree.described:
        return list(dict.fromkeys(tree.described))
    named = [key.variable for key in tree.keys if key.variable is not None]
    own = tree.values.variables if tree.values else []
    return list(dict.fromkeys([*_of_pattern(tree.where), *named, *own]))


def bound_twice(parts: list[Part]) -> Iterator[BindPart]:
    """The BINDs of a group whose variables the parts before them let be seen."""
    if not any(isinstance(part, BindPart) for part in parts):
        return
    seen: set[Variable] = set()
    for part in parts:
        if isinstance(part, BindPart) and part.variable in seen:
            yield part
        seen.update(_of_part(part))


def named_twice(tree: QueryTree) -> Iterator[ShownTerm]:
    """What has a variable that SELECT gives a value though WHERE, or the clause before, shows them
    already."""
    if all(each.expression is None for each in tree.shown):
        return
    seen = {*_of_pattern(tree.where), *(tree.values.variables if tree.values else ())}
    for each in tree.shown:
        if each.expression is not None and each.variable in seen:
            yield each
        seen.add(each.variable)


def _of_pattern(tree: Pattern | None) -> Iterator[Variable]:
    if isinstance(tree, QueryTree):
        yield from projected(tree)
    elif tree is not None:
        for part in tree.parts:
            yield from _of_part(part)


def _of_part(part: Part) -> Iterator[Variable]:
    """The visible variables of a part. Those of FILTER and of the right side of MINUS are not
    visible."""
    if isinstance(part, TriplesPart):
        yield from _variables(term for triple in part.triples for term in triple)
    elif isinstance(part, UnionPart):
        for pattern in part.patterns:
            yield from _of_pattern(pattern)
    elif isinstance(part, BindPart):
        yield part.variable
    elif isinstance(part, ValuesPart):
        yield from part.variables
    elif not isinstance(part, FilterPart | MinusPart):
        if isinstance(part, GraphPart | ServicePart):
            yield from _variables([part.name])
        yield from _of_pattern(part.pattern)


def _variables(terms: Iterable[Any]) -> Iterator[Variable]:
    return (term for term in terms if isinstance(term, Variable))
