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
        found = list(map(_kind_and_number, terms.keys(distinct)))
        self.kinds = np.array([kind for kind, _ in found], np.uint8)[places]
        self.numbers = np.array([number for _, number in found], np.float64)[places]


def _kind_and_number(key: bytes) -> tuple[int, float]:
    """An inexact number counts as a value like others."""
    if key[:1] != b'"':
        return (NODE if key else UNBOUND), 0.0
    if key.endswith(b'"'):
        return TEXT, 0.0
    value = value_of(key)
    if is_number(value):
        number = _double(value)
        return (VALUE, 0.0) if number is None else (NUMBER, number)
    if isinstance(value, str):
        return VALUE, 0.0
    if isinstance(value, Tagged):
        return TAGGED, 0.0
    return (OTHER if isinstance(value, Other) else VALUE), 0.0


def _double(value: Any) -> float | None:
    """The number as a double, if that is exact and it is compared as one."""
    if isinstance(value, float):
        return None if isinstance(value, Single) else value
    if abs(value) >= 1 << 53:
        return None
    double = float(value)
    return double if Decimal(double) == value else None
