"""The variables of a group graph pattern that are visible outside of it (SPARQL 1.1, 18.2.1), in
the order of first appearance. A visible variable gets no other value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Variable


def projected(tree: CompValue) -> list[Any]:
    """The variables shown by a query or sub-select; for DESCRIBE also the IRIs named by it."""
    if tree.projection:
        named = (each.var if each.evar is None else each.evar for each in tree.projection)
        return list(dict.fromkeys(named))
    if tree.name == "DescribeQuery" and tree.var:
        return list(dict.fromkeys(tree.var))
    own = tree.valuesClause.var if tree.valuesClause else None
    return list(dict.fromkeys([*_of_group(tree.where), *(own or ())]))


def bound_twice(parts: Iterable[CompValue]) -> Iterator[Variable]:
    """Variables of the BINDs of a group that the parts before them let be seen."""
    seen: set[Variable] = set()
    for part in parts:
        if part.name == "Bind" and part.var in seen:
            yield part.var
        seen.update(_of_part(part))


def named_twice(tree: CompValue) -> Iterator[Variable]:
    """Variables that SELECT gives a value though WHERE, or the clause before, shows them
    already."""
    shown = tree.projection or ()
    if all(each.evar is None for each in shown):
        return
    seen = set(_of_group(tree.where))
    for each in shown:
        if each.evar is not None and each.evar in seen:
            yield each.evar
        seen.add(each.var if each.evar is None else each.evar)


def _of_group(tree: CompValue | None) -> Iterator[Variable]:
    if tree is None:
        return
    if tree.name == "SubSelect":
        yield from projected(tree)
    for part in tree.part or ():
        yield from _of_part(part)


def _of_part(part: CompValue) -> Iterator[Variable]:
    """The visible variables of a part. Those of FILTER and of the right side of MINUS are not
    visible."""
    if part.name == "TriplesBlock":
        yield from _variables(term for terms in part.triples for term in terms)
    elif part.name == "GroupOrUnionGraphPattern":
        for graph in part.graph:
            yield from _of_group(graph)
    elif part.name == "Bind":
        yield part.var
    elif part.name == "InlineData":
        yield from part.var or ()
    elif part.name not in ("Filter", "MinusGraphPattern"):
        yield from _variables([part.term])
        yield from _of_group(part.graph)


def _variables(terms: Iterable[Any]) -> Iterator[Variable]:
    return (term for term in terms if isinstance(term, Variable))
