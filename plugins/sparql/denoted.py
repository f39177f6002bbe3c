"""The values of columns of ids: their kinds, and the outcomes of conditions about them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from rdfinc.plugins.sparql.query_terms import Terms
from rdfinc.plugins.sparql.solutions import Ids
from rdfinc.terms.builtins.numeric import is_number
from rdfinc.terms.builtins.values import Other, Single, Tagged, value_of
from rdfinc.terms.dictionary import LITERAL

Outcomes = npt.NDArray[np.uint8]
FALSE, ERROR, TRUE = 0, 1, 2

UNBOUND, NODE, TEXT, TAGGED, NUMBER, VALUE, OTHER = range(7)
"""Nothing, a node, a text, a text in a language, a number that is a double, another value that is
known, a literal whose value is not known."""


class Values:
    """The values of a column of ids: their kinds, and numbers as far as a double holds them."""

    def __init__(self, ids: Ids, terms: Terms) -> None:
        self.ids = ids
        distinct, places = np.unique(ids, return_inverse=True)
        of_terms = terms.kinds(distinct)
        kinds = np.where(of_terms > 0, NODE, UNBOUND).astype(np.uint8)
        numbers = np.zeros(len(distinct), np.float64)
        literals = np.flatnonzero(of_terms == LITERAL)
        values = list(map(_value, terms.keys(distinct[literals])))
        doubles = [_double(value) if is_number(value) else None for value in values]
        kinds[literals] = list(map(_kind, values, doubles))
        numbers[literals] = [0.0 if double is None else double for double in doubles]
        self.kinds, self.numbers = kinds[places], numbers[places]


def _value(key: bytes) -> Any:
    """The value of a literal; None for a text."""
    return None if key.endswith(b'"') else value_of(key)


def _kind(value: Any, double: float | None) -> int:
    """An inexact number counts as a value like others."""
    if value is None:
        return TEXT
    if double is not None:
        return NUMBER
    if isinstance(value, Tagged):
        return TAGGED
    return OTHER if isinstance(value, Other) else VALUE


def _double(value: Any) -> float | None:
    """The number as a double, if that is exact and it is compared as one."""
    if isinstance(value, float):
        return None if isinstance(value, Single) else value
    if abs(value) >= 1 << 53:
        return None
    double = float(value)
    return double if Decimal(double) == value else None
