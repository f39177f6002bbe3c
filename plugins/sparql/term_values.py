"""What rdflib's terms denote in SPARQL: values, their order, and their effective boolean value."""

from __future__ import annotations

import math
from typing import Any

from rdflib.plugins.sparql.sparql import SPARQLError
from rdflib.term import Literal

from rdfinc.errors import TermError
from rdfinc.terms.builtins import comparison
from rdfinc.terms.builtins.numeric import is_nan, is_number
from rdfinc.terms.builtins.values import (
    BOUNDS,
    XSD,
    NoValue,
    Other,
    Tagged,
    is_too_long,
    key_of,
    value_of,
)
from rdfinc.terms.expressions.aggregates import place
from rdfinc.terms.io.convert import key_of as key_of_term
from rdfinc.terms.rdflib_terms import to_rdflib

_NUMERIC = {f"{XSD}{name}" for name in (*BOUNDS, "decimal", "float", "double")}


def value(term: Any) -> Any:
    """What a term denotes. Raises SPARQLError for what is no term."""
    try:
        return value_of(key_of_term(term))
    except TermError as error:
        raise SPARQLError(str(error)) from error


def number(term: Any) -> Any:
    """The number that a term denotes; raises SPARQLError."""
    found = value(term)
    if not is_number(found):
        raise SPARQLError(f"{term!r} is no number")
    return found


def literal(value: Any) -> Any:
    """The term that denotes a computed value."""
    return to_rdflib(key_of(value))


TRUE, FALSE = literal(True), literal(False)


def truth(value: bool) -> Any:
    return TRUE if value else FALSE


def effective(term: Any) -> bool:
    """The effective boolean value; raises SPARQLError where there is none (SPARQL 1.1, 17.2.2)."""
    if not isinstance(term, Literal):
        raise SPARQLError("only literals have a boolean value")
    found = value(term)
    if is_number(found):
        return not (found == 0 or is_nan(found))
    if isinstance(found, bool | str):
        return bool(found)
    if isinstance(found, Tagged):
        return bool(found.text)
    kind = str(term.datatype)
    is_ill_typed = isinstance(found, Other) and not is_too_long(str(term), kind)
    if is_ill_typed and kind in (*_NUMERIC, f"{XSD}boolean"):
        return False
    raise SPARQLError(f"{term.n3()} has no boolean value")


def equal(left: Any, right: Any) -> bool:
    """`=`: literals are equal by value. Raises SPARQLError where the value of one of two different
    literals is not known; a text in a language equals no other kind of literal."""
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return key_of_term(left) == key_of_term(right)
    one, other = value(left), value(right)
    if isinstance(one, Tagged) or isinstance(other, Tagged):
        return bool(one == other)
    if isinstance(one, Other) or isinstance(other, Other):
        if one == other:
            return True
        raise SPARQLError(f"{left.n3()} = {right.n3()} is not known")
    return comparison.equal(one, other)


def less(left: Any, right: Any) -> bool:
    """`<`; raises SPARQLError for literals that have no order, and for all other terms."""
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        raise SPARQLError("only literals have an order")
    one, other = value(left), value(right)
    if isinstance(one, bool) and isinstance(other, bool):
        return one < other
    try:
        return comparison.less(one, other)
    except NoValue:
        raise SPARQLError(f"{left.n3()} < {right.n3()} is not known") from None


def rank(term: Any) -> tuple[Any, ...]:
    """Where a term stands in the order of results: unbound, blank nodes, IRIs, literals.

    Literals by kind, then by value; equal ranks for equal values.
    """
    if term is None:
        return (-1,)
    key = key_of_term(term)
    found = value_of(key)
    if isinstance(found, str):
        return 5, found, ""
    if isinstance(found, Tagged):
        return 5, found.text, found.tag
    if is_nan(found):
        return 2, -math.inf
    where = place(key)
    return (6, key) if where[0] == 5 else where
