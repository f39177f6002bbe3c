"""Comparisons and logic over columns of terms.

Outcomes are in this order: FALSE, ERROR, TRUE. So `&&` is the minimum, `||` the maximum, and `!`
turns the order round (SPARQL 1.1, 17.2). Numbers, dates and booleans are compared whole columns at
once, other values pair by pair; of mixed kinds, those pairs that an operator takes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from rdfinc.plugins.sparql.columns import term_values
from rdfinc.plugins.sparql.columns.outcomes import ERROR, FALSE, TRUE, Outcomes
from rdfinc.plugins.sparql.columns.term_columns import (
    IdColumn,
    TermColumn,
    TruthColumn,
    spread,
)
from rdfinc.plugins.sparql.columns.term_tuples import Together
from rdfinc.plugins.sparql.columns.typed_columns import comparable
from rdfinc.terms.builtins.value_arrays import (
    BOOLEAN,
    DATE,
    DATE_TIME,
    DECIMAL,
    DOUBLE,
    INTEGER,
    KINDS,
    NODE,
    NOTHING,
    OPAQUE,
    SINGLE,
    TAGGED,
    TEXT,
    TIME,
    VALUE,
)
from rdfinc.terms.builtins.values import NoValue

_OPERATORS: dict[str, tuple[Callable[[Any, Any], bool], Any]] = {
    "<": (term_values.less, operator.lt),
    ">": (lambda left, right: term_values.less(right, left), operator.gt),
    "<=": (term_values.less_or_equal, operator.le),
    ">=": (lambda left, right: term_values.less_or_equal(right, left), operator.ge),
    "=": (term_values.equal, operator.eq),
    "!=": (term_values.unequal, operator.ne),
}
"""For each sign the function of any two values, and that of two of the same kind."""


def compared(sign: str, left: TermColumn, right: TermColumn) -> TruthColumn:
    """The outcome of a comparison."""
    alike = _OPERATORS[sign][1]
    if sign in ("=", "!=") and not (left.is_literal.any() and right.is_literal.any()):
        return same(left, right, alike)
    arrays = comparable(left.typed, right.typed)
    if arrays is None:
        return _by_groups(sign, left, right)
    found = combined(lambda one, other: _of(alike(one, other)), (left, right), arrays)
    if not (left.known.all() and right.known.all()):
        known = combined(np.logical_and, (left, right), (left.known, right.known))
        found.outcomes[known.outcomes == 0] = ERROR
    return found


def same(left: TermColumn, right: TermColumn, alike: Any = operator.eq) -> TruthColumn:
    """Whether two terms are the same, or, with the operator for that, are not."""
    if isinstance(left, IdColumn) and isinstance(right, IdColumn):
        codes = left.ids, right.ids
    else:
        numbers: dict[Any, int] = {None: 0}
        codes = tuple(  # type: ignore[assignment]
            np.array([numbers.setdefault(key, len(numbers)) for key in column.keys], np.uint32)
            for column in (left, right)
        )

    def outcomes(one: Any, other: Any) -> Outcomes:
        return np.where((one > 0) & (other > 0), _of(alike(one, other)), np.uint8(ERROR))

    return combined(outcomes, (left, right), codes)


def combined(
    ufunc: Callable[[Any, Any], Outcomes],
    columns: tuple[TermColumn, TermColumn],
    arrays: tuple[Any, Any],
) -> TruthColumn:
    """The outcomes of a function of arrays that belong to the entries of two columns."""
    (left, right), (one, other) = columns, arrays
    if left.places is None or right.places is None or left.places is right.places:
        places = right.places if left.places is None else left.places
        return TruthColumn(ufunc(one, other), places)
    rows = np.arange(left.places.size)
    return TruthColumn(ufunc(one[left.places], other[right.places]), rows)


def truths(found: Iterable[Any]) -> Outcomes:
    """The outcomes of some truth values, of which None is an error."""
    listed = list(found)
    if None in listed:
        return np.array([_OUTCOMES[each] for each in listed], np.uint8)
    return _of(np.fromiter(listed, np.bool_, len(listed)))


_OUTCOMES = {False: FALSE, None: ERROR, True: TRUE}


def _of(mask: Any) -> Outcomes:
    found: Outcomes = np.asarray(mask, np.uint8) * np.uint8(TRUE)
    return found


def _by_groups(sign: str, left: TermColumn, right: TermColumn) -> TruthColumn:
    """The outcomes where terms of several kinds stand together: looked at are only those that may
    be compared with what they are beside. Other terms have no order, which is an error, and other
    pairs of terms are unequal: one is a node and the other is none, or both are literals of known
    values that no operator takes together (SPARQL 1.1, 17.3)."""
    together = Together([left, right])
    groups, outcome = _APART.get(sign, (_GROUPS_OF_ORDER, ERROR))
    kinds = [column.kinds for column in together.typed()]
    chosen = np.flatnonzero(np.bitwise_and(*(groups[each] for each in kinds)))
    there = np.logical_and(*(each != NOTHING for each in kinds))
    if chosen.size == there.size:
        return _pair_by_pair(*_OPERATORS[sign], together)
    found = np.where(there, np.uint8(outcome), np.uint8(ERROR))
    if chosen.size:
        some = compared(sign, *together.columns(chosen))
        found[chosen] = some.outcomes[some.at(chosen.size)]
    return TruthColumn(found, together.places)


def _groups(kinds: dict[int, int]) -> npt.NDArray[np.uint8]:
    found = np.zeros(KINDS, np.uint8)
    found[list(kinds)] = list(kinds.values())
    return found


_NUMBERS, _BOOLEANS, _TEXTS, _TAGGED, _MOMENTS, _NODES = (1 << n for n in range(6))
_LITERALS = _NODES - 1
_GROUPS_OF_ORDER = _groups(
    {
        **dict.fromkeys((INTEGER, DECIMAL, SINGLE, DOUBLE), _NUMBERS),
        **dict.fromkeys((DATE, TIME, DATE_TIME), _MOMENTS),
        **{BOOLEAN: _BOOLEANS, TEXT: _TEXTS, TAGGED: _TAGGED, VALUE: _LITERALS},
    }
)
"""Bits of kinds: there is no order between two values whose kinds have no bit in common."""
_GROUPS_OF_EQUALITY = _groups(
    {**dict(enumerate(_GROUPS_OF_ORDER)), OPAQUE: _LITERALS, NODE: _NODES}
)
"""Likewise, two such terms are not equal."""
_APART = {"=": (_GROUPS_OF_EQUALITY, FALSE), "!=": (_GROUPS_OF_EQUALITY, TRUE)}
"""Groups of kinds, and the outcome for terms of kinds in no common group."""


def _pair_by_pair(
    function: Callable[[Any, Any], bool], alike: Any, together: Together
) -> TruthColumn:
    lists = together.lists("values", "values")
    of_texts = all({*map(type, some)} == {str} for some in lists)
    found = map(alike if of_texts else partial(_told, function), *spread(lists))
    return TruthColumn(truths(found), together.places)


def equality(left: Any, right: Any) -> int:
    """The outcome of `=` for two values."""
    return _OUTCOMES[_told(term_values.equal, left, right)]


def _told(function: Callable[[Any, Any], bool], left: Any, right: Any) -> bool | None:
    if left is None or right is None:
        return None
    try:
        return function(left, right)
    except NoValue:
        return None
