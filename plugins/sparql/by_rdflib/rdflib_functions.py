"""Functions that rdflib knows and SPARQL does not: those of users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rdflib.plugins.sparql.parserutils import Expr
from rdflib.plugins.sparql.sparql import SPARQLError

from rdfinc.errors import TermError
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import function_of
from rdfinc.plugins.sparql.by_rdflib.rdflib_solutions import SolutionRow, rdflibs_context
from rdfinc.plugins.sparql.syntax.nodes import ExpressionNode
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.rdflib_terms import to_rdflib

FAULTS = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError, SPARQLError)
"""The exceptions of functions that stand for errors in the sense of SPARQL."""


def called(
    node: ExpressionNode, parts: Mapping[str, Any], ctx: QueryContext, terms: dict[Any, Any]
) -> bytes | None:
    """The key of a node's value, with the keys of values in place of parts; None for errors.
    `terms` are those of the variables that it reads."""
    given = {**node, **{name: _term(part) for name, part in parts.items()}}
    call = Expr(node.name, function_of(node.name), **given)
    try:
        return key_of(call.eval(SolutionRow(rdflibs_context(ctx), terms)))
    except (*FAULTS, TermError):
        return None


def _term(part: Any) -> Any:
    """The term of a key, the terms of a list of keys; an error where there is none."""
    if isinstance(part, list):
        return [_term(each) for each in part]
    if part is None:
        return Expr("Error", _fail)
    return to_rdflib(part)


def _fail(node: Expr, ctx: Any) -> Any:
    raise SPARQLError("an operand has no value")
