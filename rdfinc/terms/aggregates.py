"""SPARQL's aggregates, and MEDIAN, over the values of a group.

A value does not depend on the order of the group: sums of doubles are rounded once, and among equal
values the least term is taken. An aggregate over something that is no number, or over an error, has
no value; COUNT passes over errors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.values import key_of, value_of
from rdfinc.terms.numbers import Number, is_number, mean, total

_MOMENTS = ("dateTime", "date", "time")


def aggregate(function: str, values: Sequence[bytes | None], *, distinct: bool) -> bytes | None:
    """The aggregate of some terms, None standing for an error; None where there is no value.

    A group has a value at least. Raises KeyError for an unknown function.
    """
    known = [value for value in values if value is not None]
    if function == "COUNT":
        return key_of(len(set(known) if distinct else known))
    if len(known) < len(values):
        return None
    return _FUNCTIONS[function](sorted(set(known) if distinct else known))


def _least(terms: list[bytes]) -> bytes | None:
    return _nan(terms) or min(terms, key=place)


def _greatest(terms: list[bytes]) -> bytes | None:
    """The least term of the greatest value."""
    nan = _nan(terms)
    if nan is not None:
        return nan
    places = list(map(place, terms))
    return terms[places.index(max(places))]


def _nan(terms: list[bytes]) -> bytes | None:
    """A NaN among the terms: it compares with nothing."""
    for term in terms:
        if term.startswith(b'"NaN"') and is_number(found := value_of(term)) and math.isnan(found):
            return term
    return None


def _sum(terms: list[bytes]) -> bytes | None:
    found = _numbers(terms)
    return None if found is None else key_of(total(found))


def _average(terms: list[bytes]) -> bytes | None:
    found = _numbers(terms)
    return None if found is None else key_of(mean(found))


def _median(terms: list[bytes]) -> bytes | None:
    """The middle one of the numbers in order, or the average of the two in the middle."""
    if _numbers(terms) is None:
        return None
    nan = _nan(terms)
    if nan is not None:
        return nan
    ordered = sorted(terms, key=place)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else _average(ordered[middle - 1 : middle + 1])


_FUNCTIONS = {
    "MIN": _least, "MAX": _greatest, "SUM": _sum, "AVG": _average, "MEDIAN": _median,
}  # fmt: skip


def _numbers(terms: list[bytes]) -> list[Number] | None:
    """The values, or None where one is no number."""
    found = list(map(value_of, terms))
    return found if all(map(is_number, found)) else None


def place(term: bytes) -> tuple[Any, ...]:
    """Where a term stands in SPARQL's order: blank nodes, IRIs, literals by kind and value."""
    if term[:1] != b'"':
        return 0 if term[:1] == b"_" else 1, term
    value = value_of(term)
    if is_number(value):
        return 2, value
    if isinstance(value, Moment) and value.kind in _MOMENTS:
        return 3, value.kind, value.timeline()
    if isinstance(value, Duration) and value.kind != "duration":
        return 3, value.kind, value.months or value.seconds
    if isinstance(value, bool):
        return 4, value
    return 5, term
