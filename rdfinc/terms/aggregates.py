"""SPARQL's aggregates, and MEDIAN, over the values of a group.

A value does not depend on the order of the group: sums of doubles are rounded once, and among equal
values the least term is taken. An aggregate over something that is no number, or over an error, has
no value; COUNT passes over errors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rdfinc.terms.moments import moment
from rdfinc.terms.numbers import INTEGER, Number, literal, mean, number, total

_BOOLEAN = b"^^<http://www.w3.org/2001/XMLSchema#boolean>"


def aggregate(function: str, values: Sequence[bytes | None], *, distinct: bool) -> bytes | None:
    """The aggregate of some terms, None standing for an error; None where there is no value.

    A group has a value at least. Raises KeyError for an unknown function.
    """
    known = [value for value in values if value is not None]
    if function == "COUNT":
        return literal(INTEGER, len(set(known) if distinct else known))
    if len(known) < len(values):
        return None
    return _FUNCTIONS[function](sorted(set(known) if distinct else known))


def _least(terms: list[bytes]) -> bytes | None:
    return _nan(terms) or min(terms, key=_place)


def _greatest(terms: list[bytes]) -> bytes | None:
    """The least term of the greatest value."""
    nan = _nan(terms)
    if nan is not None:
        return nan
    places = list(map(_place, terms))
    return terms[places.index(max(places))]


def _nan(terms: list[bytes]) -> bytes | None:
    """A NaN among the terms: it compares with nothing."""
    for term in terms:
        if term.startswith(b'"NaN"') and (found := number(term)) and math.isnan(found[1]):
            return term
    return None


def _sum(terms: list[bytes]) -> bytes | None:
    found = _numbers(terms)
    return None if found is None else literal(found[0], total(*found))


def _average(terms: list[bytes]) -> bytes | None:
    found = _numbers(terms)
    return None if found is None else literal(*mean(*found))


def _median(terms: list[bytes]) -> bytes | None:
    """The middle one of the numbers in order, or the average of the two in the middle."""
    if _numbers(terms) is None:
        return None
    nan = _nan(terms)
    if nan is not None:
        return nan
    ordered = sorted(terms, key=_place)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else _average(ordered[middle - 1 : middle + 1])


_FUNCTIONS = {
    "MIN": _least, "MAX": _greatest, "SUM": _sum, "AVG": _average, "MEDIAN": _median,
}  # fmt: skip


def _numbers(terms: list[bytes]) -> tuple[int, list[Number]] | None:
    """(common type, values), or None where one is no number."""
    found = [number(term) for term in terms]
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    return max(kind for kind, _ in known), [value for _, value in known]


def _place(term: bytes) -> tuple[Any, ...]:
    """Where a term stands in SPARQL's order: blank nodes, IRIs, literals by kind and value."""
    if term[:1] != b'"':
        return 0 if term[:1] == b"_" else 1, term
    numeric = number(term)
    if numeric is not None:
        return 2, numeric[1]
    time = moment(term)
    if time is not None:
        return 3, *time
    if term.endswith(_BOOLEAN):
        return 4, term in (b'"true"' + _BOOLEAN, b'"1"' + _BOOLEAN)
    return 5, term
