"""Section 8.5 of the SWRL submission: dates, times and durations.

A duration of months is any duration without seconds, and the other way round; the computed ones
are xsd:yearMonthDuration and xsd:dayTimeDuration, those put together from their parts
xsd:duration. Points in time are subtracted only if both or neither tell their time zone.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from rdfinc.terms.builtins import calendar, numeric
from rdfinc.terms.builtins.calendar import DAY, Duration, Moment
from rdfinc.terms.builtins.strings import texts
from rdfinc.terms.builtins.values import NoValue, bounded

_LONGEST = 10**18


def months_of(value: Any) -> int:
    """The months of a duration of months."""
    if not isinstance(value, Duration) or value.seconds:
        raise NoValue
    return value.months


def seconds_of(value: Any) -> Decimal:
    """The seconds of a duration of seconds."""
    if not isinstance(value, Duration) or value.months:
        raise NoValue
    return value.seconds


def _of_months(months: int) -> Duration:
    return Duration("yearMonthDuration", _not_too_long(months), Decimal(0))


def _of_seconds(seconds: Decimal) -> Duration:
    return Duration("dayTimeDuration", 0, _not_too_long(bounded(seconds)))


def _not_too_long(amount: Any) -> Any:
    if abs(amount) > _LONGEST:
        raise NoValue
    return amount


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise NoValue
    return _not_too_long(value)  # type: ignore[no-any-return]


def exact(value: Any) -> Decimal:
    """A number as a decimal."""
    (number,) = numeric.numbers(value)
    decimal = Decimal(repr(float(number)) if isinstance(number, float) else number)
    if not decimal.is_finite():
        raise NoValue
    return decimal


# From parts


def year_month_duration(years: Any, months: Any) -> Duration:
    return Duration("duration", 12 * _whole(years) + _whole(months), Decimal(0))


def day_time_duration(days: Any, hours: Any, minutes: Any, seconds: Any) -> Duration:
    whole = DAY * _whole(days) + 3600 * _whole(hours) + 60 * _whole(minutes)
    return Duration("duration", 0, _not_too_long(bounded(whole + exact(seconds))))


def date_time(
    year: Any, month: Any, day: Any, hours: Any, minutes: Any, seconds: Any, zone: Any = None
) -> Moment:
    of_day = calendar.time_of_day(_whole(hours), _whole(minutes), exact(seconds))
    date = _whole(year), _whole(month), _whole(day)
    return calendar.moment("dateTime", *date, of_day, zone_of(zone))


def date(year: Any, month: Any, day: Any, zone: Any = None) -> Moment:
    return calendar.moment(
        "date", _whole(year), _whole(month), _whole(day), Decimal(0), zone_of(zone)
    )


def time(hours: Any, minutes: Any, seconds: Any, zone: Any = None) -> Moment:
    return calendar.clock_moment(_whole(hours), _whole(minutes), exact(seconds), zone_of(zone))


def zone_of(value: Any) -> int | None:
    """`"Z"`, `"+01:00"`, or a duration; nothing, or `""`, for a time zone that is not known."""
    if value is None or value == "":
        return None
    if isinstance(value, Duration):
        minutes, rest = divmod(seconds_of(value), 60)
        if rest:
            raise NoValue
        return int(minutes)
    return calendar.read_zone(texts(value)[0])


# Durations


def add_months(*durations: Any) -> Duration:
    return _of_months(sum(map(months_of, durations)))


def subtract_months(left: Any, right: Any) -> Duration:
    return _of_months(months_of(left) - months_of(right))


def multiply_months(duration: Any, factor: Any) -> Duration:
    """Rounded to whole months, halves upwards."""
    return _of_months(int(numeric.round_up_halves(months_of(duration) * exact(factor))))


def divide_months(duration: Any, divisor: Any) -> Duration:
    """Rounded to whole months, halves upwards."""
    return _of_months(int(numeric.round_up_halves(months_of(duration) / exact(divisor))))


def add_seconds(*durations: Any) -> Duration:
    return _of_seconds(sum(map(seconds_of, durations), Decimal(0)))


def subtract_seconds(left: Any, right: Any) -> Duration:
    return _of_seconds(seconds_of(left) - seconds_of(right))


def multiply_seconds(duration: Any, factor: Any) -> Duration:
    return _of_seconds(seconds_of(duration) * exact(factor))


def divide_seconds(duration: Any, divisor: Any) -> Duration:
    return _of_seconds(seconds_of(duration) / exact(divisor))


# Differences


def moment_of(value: Any, kind: str) -> Moment:
    if not isinstance(value, Moment) or value.kind != kind:
        raise NoValue
    return value


def _pair(left: Any, right: Any, kind: str) -> tuple[Moment, Moment]:
    left, right = moment_of(left, kind), moment_of(right, kind)
    if (left.zone is None) != (right.zone is None):
        raise NoValue
    return left, right


def difference(kind: str) -> Callable[[Any, Any], Duration]:
    def subtract(left: Any, right: Any) -> Duration:
        left, right = _pair(left, right, kind)
        return _of_seconds(left.timeline() - right.timeline())

    return subtract


def difference_in_months(left: Any, right: Any) -> Duration:
    return _of_months(calendar.months_between(*_pair(left, right, "dateTime")))


# Points in time and durations


def later_by_months(kind: str, sign: int) -> Callable[[Any, Any], Moment]:
    return lambda value, by: moment_of(value, kind).plus_months(sign * months_of(by))


def later_by_seconds(kind: str, sign: int) -> Callable[[Any, Any], Moment]:
    return lambda value, by: moment_of(value, kind).plus_seconds(sign * seconds_of(by))
