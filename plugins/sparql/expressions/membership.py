"""IN: whether the terms of a column equal some in a list.

Terms are looked up among those of the list by id, and numbers by value, each different one once.
Only dates, numbers that no double holds, texts of an xsd:token and the like are compared one by
one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rdfinc.plugins.sparql.columns.outcomes import ERROR, FALSE, TRUE, Outcomes
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.columns.typed_columns import exact_doubles
from rdfinc.tables.kernels import Indices, Mask
from rdfinc.terms.builtins.value_arrays import NODE, NOTHING, OPAQUE, TAGGED, TEXT, VALUE

_LITERAL = (TEXT, TAGGED, OPAQUE)
_BY_ID = (NODE, *_LITERAL)
"""Kinds of which two terms are equal, or known to be, just if they are the same."""


def membership(
    column: Ids, listed: Ids, terms: Terms, compared: Callable[[Indices], Outcomes]
) -> Outcomes:
    """The outcome for each row; `compared` gives that of some rows, one by one."""
    ids, first, places = np.unique(column, return_index=True, return_inverse=True)
    own, others = _Values(ids, terms), _Values(np.unique(listed), terms)
    found = np.full(ids.size, FALSE, np.uint8)
    equal = _are_equal(own, others)
    found[_may_be_unknown(own, others)] = ERROR
    found[equal] = TRUE
    open_ = ~equal & _are_open(own, others)
    found[open_] = compared(first[open_])
    return found[places]


class _Values:
    """The values of some ids: their kinds, which of them are `known` and not just by their ids, and
    the numbers among them that a double holds."""

    def __init__(self, ids: Ids, terms: Terms) -> None:
        values = terms.values(ids)
        self.ids, self.kinds = ids, values.kinds
        self.numbers, self.are_numbers = exact_doubles(values)
        self.known = ~np.isin(self.kinds, (NOTHING, *_BY_ID))
        self.are_others = self.known & ~self.are_numbers


def _are_equal(own: _Values, others: _Values) -> Mask:
    """Which terms are known to equal one in the list."""
    same: Mask = np.isin(own.kinds, _BY_ID) & np.isin(own.ids, others.ids)
    numbers = others.numbers[others.are_numbers]
    return same | own.are_numbers & np.isin(own.numbers, numbers[~np.isnan(numbers)])


def _may_be_unknown(own: _Values, others: _Values) -> Mask:
    """Which terms cannot be told from one in the list, unless they equal another."""
    found: Mask = own.kinds == NOTHING
    if (others.known | np.isin(others.kinds, (TEXT, OPAQUE))).any():
        found |= own.kinds == OPAQUE
    if (others.kinds == OPAQUE).any():
        found |= own.known | (own.kinds == TEXT)
    return found


def _are_open(own: _Values, others: _Values) -> Mask:
    """Which terms have to be compared with those of the list."""
    found: Mask = np.zeros(own.ids.size, np.bool_)
    if others.known.any():
        found |= own.are_others
    if others.are_others.any():
        found |= own.are_numbers
    if (others.kinds == VALUE).any():
        found |= np.isin(own.kinds, _LITERAL)
    if np.isin(others.kinds, _LITERAL).any():
        found |= own.kinds == VALUE
    return found
