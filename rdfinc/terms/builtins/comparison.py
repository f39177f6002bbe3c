"""Section 8.1 of the SWRL submission: equality and order.

Everything is equal to itself, literals also to others of the same value. There is order between
numbers, between plain strings and between texts in one language (by code points), between
durations that are all months or all seconds, and between dates, between times, between points in
time. Values of which only one tells its time zone are ordered if every zone orders them so.
"""

from __future__ import annotations

from typing import Any

from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.numeric import is_number, numbers
from rdfinc.terms.builtins.values import NoValue, Tagged

_ORDERED = {"date", "time", "dateTime"}


def equal(left: Any, right: Any) -> bool:
    if is_number(left) and is_number(right):
        left, right = numbers(left, right)
        return bool(left == right)
    if type(left) is not type(right):
        return False
    if isinstance(left, (Duration, Moment)):
        return left.same(right)
    return bool(left == right)


def not_equal(left: Any, right: Any) -> bool:
    return not equal(left, right)


def less(left: Any, right: Any) -> bool:
    """Raises NoValue where there is no order."""
    if is_number(left) and is_number(right):
        left, right = numbers(left, right)
        return bool(left < right)
    if type(left) is not type(right):
        raise NoValue
    if type(left) is str:
        return bool(left < right)
    if isinstance(left, Tagged) and left.tag == right.tag:
        return bool(left.text < right.text)
    if isinstance(left, Moment) and left.kind == right.kind and left.kind in _ORDERED:
        return left.before(right)
    if isinstance(left, Duration):
        return _shorter(left, right)
    raise NoValue


def _shorter(left: Duration, right: Duration) -> bool:
    if not left.seconds and not right.seconds:
        return left.months < right.months
    if not left.months and not right.months:
        return left.seconds < right.seconds
    raise NoValue


def less_or_equal(left: Any, right: Any) -> bool:
    return less(left, right) or equal(left, right)


def greater(left: Any, right: Any) -> bool:
    return less(right, left)


def greater_or_equal(left: Any, right: Any) -> bool:
    return less_or_equal(right, left)
