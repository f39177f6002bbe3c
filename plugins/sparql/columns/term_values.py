"""Values of terms in SPARQL: equality, order, effective boolean value, and the order of results.

Values are those of `terms.builtins.values`; None is an error or unbound, an IRI or a blank node is
an `Other`.
"""

from __future__ import annotations

import math
from typing import Any

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
)
from rdfinc.terms.expressions.aggregates import place
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.rdflib_terms import to_rdflib

_TRUTHS = {f"{XSD}{name}" for name in (*BOUNDS, "decimal", "float", "double", "boolean")}


def literal(value: Any) -> Any:
    """The term that denotes a computed value."""
    return to_rdflib(key_of(value))


def is_node(value: Any) -> bool:
    return isinstance(value, Other) and value.key[:1] != b'"'


def number(value: Any) -> Any:
    """The value, if it is a number; raises NoValue."""
    if not is_number(value):
        raise NoValue
    return value


def effective(value: Any) -> bool:
    """The effective boolean value; raises NoValue where there is none (SPARQL 1.1, 17.2.2)."""
    if is_number(value):
        return not (value == 0 or is_nan(value))
    if isinstance(value, bool | str):
        return bool(value)
    if isinstance(value, Tagged):
        return bool(value.text)
    if isinstance(value, Other) and not is_node(value):
        lexical, _, datatype = literal_parts(value.key)
        if datatype in _TRUTHS and not is_too_long(lexical, datatype):
            return False
    raise NoValue


def equal(left: Any, right: Any) -> bool:
    """`=`: literals are equal by value. Raises NoValue where the value of one of two different
    literals is not known; a text in a language equals no other kind of literal."""
    if isinstance(left, Tagged) or isinstance(right, Tagged):
        return bool(left == right)
    if isinstance(left, Other) or isinstance(right, Other):
        if left == right:
            return True
        if is_node(left) or is_node(right):
            return False
        raise NoValue
    return comparison.equal(left, right)


def unequal(left: Any, right: Any) -> bool:
    return not equal(left, right)


def less(left: Any, right: Any) -> bool:
    """`<`; raises NoValue for literals that have no order, and for all other terms."""
    if isinstance(left, bool) and isinstance(right, bool):
        return left < right
    return comparison.less(left, right)


def less_or_equal(left: Any, right: Any) -> bool:
    return less(left, right) or equal(left, right)


def rank(key: bytes) -> tuple[Any, ...]:
    """Where a term stands in the order of results: unbound, blank nodes, IRIs, literals.

    Literals by kind, then by value; equal ranks for equal values.
    """
    if not key:
        return (-1,)
    where = place(key)
    return (2, -math.inf) if where[0] == 2 and is_nan(where[1]) else where
