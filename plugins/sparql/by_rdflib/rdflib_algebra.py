"""The algebra of rdflib as ours, and ours as rdflib's: the same nodes in other classes, and the
functions by which rdflib's expressions are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pyparsing import ParseResults
from rdflib.plugins.sparql import operators
from rdflib.plugins.sparql.parserutils import CompValue, Expr
from rdflib.plugins.sparql.sparql import Prologue, Query
from rdflib.term import Literal

from rdfinc.plugins.sparql.algebra.part_variables import EXISTS
from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra
from rdfinc.plugins.sparql.syntax.nodes import ExpressionNode, Node

_BY_ANOTHER_NAME = {
    "Builtin_URI": "Builtin_IRI",
    "Builtin_isURI": "Builtin_isIRI",
    "Builtin_NOTEXISTS": "Builtin_EXISTS",
}


def function_of(name: str) -> Callable[[Any, Any], Any]:
    """The function by which rdflib evaluates expressions of that name."""
    if name == "TrueFilter":
        return lambda node, row: Literal(True)
    found: Callable[[Any, Any], Any] = getattr(operators, _BY_ANOTHER_NAME.get(name, name))
    return found


_OWN = {"name", "ctx", "_evalfn"}
"""The attributes of rdflib's nodes that are none of their parts."""


def ours(part: Any) -> Any:
    """A part of rdflib's algebra, whatever it holds, as ours."""
    if isinstance(part, CompValue):
        kind = ExpressionNode if isinstance(part, Expr) else Node
        assigned = {name: each for name, each in vars(part).items() if name not in _OWN}
        held = {**dict(dict.items(part)), **assigned}
        return kind(part.name, **{name: ours(each) for name, each in held.items()})
    if isinstance(part, list | ParseResults):
        return [ours(each) for each in part]
    if type(part) is tuple:
        return tuple(map(ours, part))
    if isinstance(part, Mapping):
        return {name: ours(each) for name, each in part.items()}
    return part


def rdflibs(part: Any) -> Any:
    """A part of our algebra, whatever it holds, as rdflib's, where the pattern of an EXISTS is an
    attribute: what else an expression holds is evaluated when it is read."""
    if isinstance(part, Node):
        held = {name: rdflibs(each) for name, each in part.items()}
        if part.name in EXISTS:
            found = Expr(part.name, function_of(part.name))
            found.graph = held["graph"]
            return found
        if isinstance(part, ExpressionNode):
            return Expr(part.name, function_of(part.name), **held)
        return CompValue(part.name, **held)
    if type(part) in (list, tuple):
        return type(part)(map(rdflibs, part))
    if isinstance(part, Mapping):
        return {name: rdflibs(each) for name, each in part.items()}
    return part


def rdflibs_query(query: QueryAlgebra) -> Query:
    """A query as rdflib's processor takes it."""
    prologue = Prologue()
    prologue.base = query.prologue.base
    for prefix, iri in query.prologue.namespaces():
        prologue.bind(prefix, iri)
    return Query(prologue, rdflibs(query.algebra))
