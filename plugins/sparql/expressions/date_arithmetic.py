"""Sums and differences of dates and durations, which SPARQL does not know: those of XPath
(Functions and Operators 3.1, 8.4 and 9.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rdfinc.terms.builtins import times
from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.values import NoValue

_OF_TIME = Moment, Duration
_SIGNS = {"+": 1, "-": -1}


def of_dates(sign: str, number: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A sum or difference of numbers, or of dates and durations."""

    def function(left: Any, right: Any) -> Any:
        if type(left) not in _OF_TIME and type(right) not in _OF_TIME:
            return number(left, right)
        try:
            return _computed(left, right, _SIGNS[sign])
        except ValueError:  # a year that is too far away
            raise NoValue from None

    return function


def _computed(left: Any, right: Any, sign: int) -> Moment | Duration:
    kinds = type(left), type(right)
    if kinds == (Moment, Duration):
        return _moved(left, right, sign)
    if kinds == (Duration, Moment) and sign > 0:
        return _moved(right, left, sign)
    if kinds == (Moment, Moment) and sign < 0 and left.kind in ("date", "time", "dateTime"):
        return times.difference(left.kind)(left, right)
    if kinds == (Duration, Duration):
        return _together(left, right, sign)
    raise NoValue


def _moved(moment: Moment, by: Duration, sign: int) -> Moment:
    """A point in time later or earlier by so many months, and then so many seconds."""
    if by.months:
        if moment.kind not in ("date", "dateTime"):
            raise NoValue
        moment = moment.plus_months(sign * by.months)
    if moment.kind not in ("date", "time", "dateTime"):
        raise NoValue
    return moment.plus_seconds(sign * by.seconds)


def _together(left: Duration, right: Duration, sign: int) -> Duration:
    if "yearMonthDuration" in (left.kind, right.kind) or left.months or right.months:
        return (times.add_months if sign > 0 else times.subtract_months)(left, right)
    return (times.add_seconds if sign > 0 else times.subtract_seconds)(left, right)
