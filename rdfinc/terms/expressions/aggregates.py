"""SPARQL's aggregates, and MEDIAN, over the values of a group.

A value does not depend on the order of the group: sums of doubles are rounded once, and among equal
values the least term is taken. An aggregate over something that is no number, or over an error, has
no value; COUNT passes over errors.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.values import Tagged, key_of, value_of
from rdfinc.terms.expressions.exact_sums import Counted, is_number, mean, total
from rdfinc.terms.grammar import literal_parts

_MOMENTS = ("dateTime", "date", "time")


Group = Mapping[bytes, int]
"""How often each term occurs."""


def aggregate(function: str, group: Mapping[bytes | None, int], *, distinct: bool) -> bytes | None:
    """The aggregate of some terms, with how often each occurs, None standing for an error; None
    where there is no value. O(n log n) in different terms.

    A group has a value at least. Raises KeyError for an unknown function.
    """
    known = {term: 1 if distinct else times for term, times in _known(group)}
    if function == "COUNT":
        return key_of(sum(known.values()))
    return None if None in group else _FUNCTIONS[function](known)


def _known(group: Mapping[bytes | None, int]) -> list[tuple[bytes, int]]:
    return sorted((term, times) for term, times in group.items() if term is not None)


def _least(group: Group) -> bytes | None:
    return _nan(group) or min(group, key=place)


def _greatest(group: Group) -> bytes | None:
    """The least term of the greatest value."""
    return _nan(group) or max(group, key=place)


def _nan(group: Group) -> bytes | None:
    """A NaN among the terms: it compares with nothing."""
    for term in group:
        if term.startswith(b'"NaN"') and is_number(found := value_of(term)) and math.isnan(found):
            return term
    return None


def _sum(group: Group) -> bytes | None:
    found = _numbers(group)
    return None if found is None else key_of(total(found))


def _average(group: Group) -> bytes | None:
    found = _numbers(group)
    return None if found is None else key_of(mean(found))


def _median(group: Group) -> bytes | None:
    """The middle one of the numbers in order, or the average of the two in the middle."""
    if _numbers(group) is None:
        return None
    nan = _nan(group)
    if nan is not None:
        return nan
    ordered = sorted(group, key=place)
    up_to = list(accumulate(group[term] for term in ordered))
    low, high = (ordered[bisect_right(up_to, at)] for at in ((up_to[-1] - 1) // 2, up_to[-1] // 2))
    return low if up_to[-1] % 2 else _average(Counter((low, high)))


_FUNCTIONS = {
    "MIN": _least, "MAX": _greatest, "SUM": _sum, "AVG": _average, "MEDIAN": _median,
}  # fmt: skip


def _numbers(group: Group) -> list[Counted] | None:
    """The values and how often each occurs, or None where one is no number."""
    found = [(value_of(term), times) for term, times in group.items()]
    return found if all(is_number(value) for value, _ in found) else None


def place(term: bytes) -> tuple[Any, ...]:
    """Where a term stands in SPARQL's order: blank nodes, IRIs, literals by kind and value. IRIs
    are compared by their texts (15.1): `<a>` comes before `<a1>`, which is the lesser term."""
    if term[:1] != b'"':
        return (0, term) if term[:1] == b"_" else (1, term[1:-1])
    value = value_of(term)
    if is_number(value):
        return 2, value
    if isinstance(value, bool):
        return 4, value
    if isinstance(value, str):
        return 5, value, ""
    if isinstance(value, Tagged):
        return 5, value.text, value.tag
    return _point_in_time(value) or (6, *_written(term))


def _point_in_time(value: Any) -> tuple[Any, ...] | None:
    if isinstance(value, Moment) and value.kind in _MOMENTS:
        return 3, value.kind, value.timeline()
    if isinstance(value, Duration) and value.kind != "duration":
        return 3, value.kind, value.months or value.seconds
    return None


def _written(term: bytes) -> tuple[str, str]:
    lexical, _, datatype = literal_parts(term)
    return lexical, datatype or ""
