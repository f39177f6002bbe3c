"""IN: whether the terms of a column equal some in a list.

Terms are looked up among those of the list by id, and numbers by value, each different one once.
Only dates, numbers that no double holds and the like are compared one by one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rdfinc.plugins.sparql.denoted import (
    ERROR,
    FALSE,
    NODE,
    NUMBER,
    OTHER,
    TAGGED,
    TEXT,
    TRUE,
    UNBOUND,
    VALUE,
    Outcomes,
    Values,
)
from rdfinc.plugins.sparql.query_terms import Terms
from rdfinc.plugins.sparql.solutions import Ids
from rdfinc.tables.kernels import Indices, Mask

_BY_ID = (NODE, TEXT, TAGGED, OTHER)
"""Kinds of which two terms are equal, or known to be, just if they are the same."""


def membership(
    column: Ids, listed: Ids, terms: Terms, compared: Callable[[Indices], Outcomes]
) -> Outcomes:
    """The outcome for each row; `compared` gives that of some rows, one by one."""
    ids, first, places = np.unique(column, return_index=True, return_inverse=True)
    own, others = Values(ids, terms), Values(np.unique(listed), terms)
    found = np.full(ids.size, FALSE, np.uint8)
    equal = _are_equal(own, others)
    found[_may_be_unknown(own, others)] = ERROR
    found[equal] = TRUE
    open_ = ~equal & _are_open(own, others)
    found[open_] = compared(first[open_])
    return found[places]


def _are_equal(own: Values, others: Values) -> Mask:
    """Which terms are known to equal one in the list."""
    same: Mask = np.isin(own.kinds, _BY_ID) & np.isin(own.ids, others.ids)
    numbers = others.numbers[others.kinds == NUMBER]
    return same | (own.kinds == NUMBER) & np.isin(own.numbers, numbers[~np.isnan(numbers)])


def _may_be_unknown(own: Values, others: Values) -> Mask:
    """Which terms cannot be told from one in the list, unless they equal another."""
    found: Mask = own.kinds == UNBOUND
    if np.isin(others.kinds, (TEXT, NUMBER, VALUE, OTHER)).any():
        found |= own.kinds == OTHER
    if (others.kinds == OTHER).any():
        found |= np.isin(own.kinds, (TEXT, NUMBER, VALUE))
    return found


def _are_open(own: Values, others: Values) -> Mask:
    """Which terms have to be compared with those of the list."""
    found: Mask = np.zeros(own.ids.size, np.bool_)
    if np.isin(others.kinds, (NUMBER, VALUE)).any():
        found |= own.kinds == VALUE
    if (others.kinds == VALUE).any():
        found |= own.kinds == NUMBER
    return found
