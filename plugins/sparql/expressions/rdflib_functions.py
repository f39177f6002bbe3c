"""Functions that rdflib knows and SPARQL does not: those of users, and arithmetic of dates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rdflib.plugins.sparql import operators
from rdflib.plugins.sparql.parserutils import Expr
from rdflib.plugins.sparql.sparql import FrozenBindings, QueryContext, SPARQLError

from rdfinc.errors import TermError
from rdfinc.plugins.sparql.columns.term_values import literal
from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.values import NoValue, value_of
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.rdflib_terms import to_rdflib


class SolutionRow(FrozenBindings):
    """A solution mapping that is quick to make and to read."""

    def __init__(self, ctx: QueryContext, values: dict[Any, Any]) -> None:
        self.ctx, self._d, self._hash = ctx, values, None

    def get(self, key: Any, default: Any = None) -> Any:
        found = self._d.get(key)
        return super().get(key, default) if found is None else found


FAULTS = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError, SPARQLError)
"""The exceptions of functions that stand for errors in the sense of SPARQL."""


def called(node: Expr, parts: Mapping[str, Any], row: SolutionRow) -> bytes | None:
    """The key of a node's value, with the keys of values in place of parts; None for errors."""
    given = {**dict.copy(node), **{name: _term(part) for name, part in parts.items()}}
    copy = Expr(node.name, node._evalfn.__func__, **given)  # type: ignore[union-attr]
    try:
        return key_of(copy.eval(row))
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


def of_dates(sign: str, number: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A sum or difference of numbers, or of dates and durations as rdflib has it."""

    def function(left: Any, right: Any) -> Any:
        if type(left) not in (Moment, Duration):
            return number(left, right)
        one, other = map(_operand, (left, right))
        node = Expr(
            "AdditiveExpression", operators.AdditiveExpression, expr=one, op=[sign], other=[other]
        )
        found = node.eval(SolutionRow(QueryContext(), {}))
        if found is None or isinstance(found, SPARQLError):
            raise NoValue
        return value_of(key_of(found))

    return function


def _operand(value: Any) -> Any:
    """The term of a value; raises NoValue for one that rdflib does not compute with, such as a date
    before the year 1."""
    if type(value) is Moment and value.kind not in ("date", "time", "dateTime"):
        raise NoValue
    term = literal(value)
    if getattr(term, "value", None) is None:
        raise NoValue
    return term
