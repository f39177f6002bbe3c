"""Comparisons and logic over columns of terms.

Outcomes are in this order: FALSE, ERROR, TRUE. So `&&` is the minimum, `||` the maximum, and `!`
turns the order round (SPARQL 1.1, 17.2). Values of one kind are compared as they are, whole columns
at once; only columns of several kinds are compared pair by pair.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np

from rdfinc.plugins.sparql import term_values
from rdfinc.plugins.sparql.denoted import ERROR, FALSE, TRUE, Outcomes
from rdfinc.plugins.sparql.term_columns import (
    IdColumn,
    TermColumn,
    Together,
    TruthColumn,
    spread,
)
from rdfinc.terms.builtins.calendar import Moment
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
    function, alike = _OPERATORS[sign]
    if sign in ("=", "!=") and not (left.is_literal.any() and right.is_literal.any()):
        return same(left, right, alike)
    values = of_one_kind(left.values, right.values)
    if values is None:
        return _pair_by_pair(function, left, right)
    if left.places is None or right.places is None or left.places is right.places:
        together = Together([left, right])
        outcomes = truths(map(alike, *spread(together.lists_of(values))))
        found = TruthColumn(outcomes, together.places)
    else:
        codes = _codes(*values)
        found = combined(lambda one, other: _of(alike(one, other)), (left, right), codes)
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
    return _of(np.array(listed, np.bool_))


_OUTCOMES = {False: FALSE, None: ERROR, True: TRUE}


def _of(mask: Any) -> Outcomes:
    found: Outcomes = np.asarray(mask, np.uint8) * np.uint8(TRUE)
    return found


def _pair_by_pair(
    function: Callable[[Any, Any], bool], left: TermColumn, right: TermColumn
) -> TruthColumn:
    together = Together([left, right])
    told = partial(_told, function)
    found = map(told, *spread(together.lists("values", "values")))
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


# -- kinds of values

_EXACT, _DOUBLE = frozenset([int, Decimal]), frozenset([float])
_PLAIN = [frozenset([str]), _EXACT, _DOUBLE, frozenset([bool])]


def of_one_kind(*sides: list[Any]) -> list[list[Any]] | None:
    """The values of all sides as Python compares them in the sense of SPARQL, if it does; with any
    of them for errors."""
    kinds = [set(map(type, side)) - {type(None)} for side in sides]
    known, together = sides, frozenset().union(*kinds)
    if any(None in side for side in sides):
        any_ = next((value for side in sides for value in side if value is not None), 0)
        known = tuple([any_ if value is None else value for value in side] for side in sides)
    if any(together <= kind for kind in _PLAIN):
        return list(known)
    if together == {Moment}:
        return _moments(known)
    if together <= _EXACT | _DOUBLE and _DOUBLE in kinds:
        return _doubles(known)
    return None


def _moments(sides: Sequence[list[Any]]) -> list[list[Any]] | None:
    """Dates, or points in time, all with a time zone or all without."""
    kinds = {(moment.kind, moment.zone is None) for side in sides for moment in side}
    if len(kinds) > 1 or not {kind for kind, _ in kinds} <= {"date", "dateTime", "time"}:
        return None
    return [[moment.timeline() for moment in side] for side in sides]


def _doubles(sides: Sequence[list[Any]]) -> list[list[Any]] | None:
    """Numbers; those of one side at least are doubles, to which the others are promoted."""
    try:
        return [list(map(float, side)) for side in sides]
    except OverflowError:
        return None


def _codes(left: list[Any], right: list[Any]) -> tuple[Any, Any]:
    """Numbers in the order of values of one kind."""
    kinds = set(map(type, left)) | set(map(type, right))
    if kinds <= {float}:
        return np.array(left, np.float64), np.array(right, np.float64)
    if kinds <= {int} and max(map(int.bit_length, (*left, *right)), default=0) < 63:
        return np.array(left, np.int64), np.array(right, np.int64)
    codes = {value: code for code, value in enumerate(sorted({*left, *right}))}
    return (
        np.array([codes[value] for value in left], np.int64),
        np.array([codes[value] for value in right], np.int64),
    )
