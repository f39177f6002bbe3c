"""SWRL's built-ins read backwards: an unbound argument as a function of the result and the others.

What an inverse gives is a candidate: the rule that computes it asks the built-in itself as well.
So nothing is found that does not hold, and where the built-in is one to one nothing is missed.
Conventions where several values would do:

* a point in time is taken apart on the clock that it is written with, or that of the zone that is
  given; without a time zone its zone is `""`;
* durations are taken apart from the largest unknown part on, all parts with the duration's sign;
* the other end of a difference is told on the clock of the given end; a date or a time of day on
  another clock is not found;
* floating-point numbers come from the inverse operation; where rounding keeps that from leading
  back, there is no value.

Not read backwards are built-ins that lose what they are given: powers, remainders, roundings,
angles, case, parts of strings, months added to dates, multiples of months.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.terms.builtins import calendar, numeric, strings, times
from rdfinc.terms.builtins.calendar import DAY, Duration, Moment
from rdfinc.terms.builtins.values import NoValue, Other, Uri, bounded

WANTED, UNKNOWN = "<urn:rdfinc:wanted>", "<urn:rdfinc:unknown>"
"""The texts in a call of `solution` for the argument asked for, and for other unknown ones."""

_WANTED, _UNKNOWN = Other(WANTED.encode()), Other(UNKNOWN.encode())


class Inverse(Struct, frozen=True):
    """`function(place, result, arguments)` is the argument at the place; None stands for it and for
    other unbound ones, of which there are none unless `parts`.

    `places` are those that can be asked for; None if all can.
    """

    function: Callable[[int, Any, Sequence[Any]], Any]
    places: frozenset[int] | None = None
    parts: bool = False


def solvable(iri: str, unbound: Sequence[int]) -> bool:
    """Whether a built-in gives the arguments at these places."""
    inverse = INVERSES.get(_local_name(iri))
    if inverse is None or not (inverse.parts or len(unbound) == 1):
        return False
    return inverse.places is None or inverse.places.issuperset(unbound)


def solution(builtin: Any, result: Any, *arguments: Any) -> Any:
    """The argument that is wanted of a built-in, named by its IRI. Raises NoValue."""
    iri = builtin.key.decode() if isinstance(builtin, Other) else ""
    inverse = INVERSES.get(_local_name(iri))
    if inverse is None or _WANTED not in arguments:
        raise NoValue
    known = [None if each in (_WANTED, _UNKNOWN) else each for each in arguments]
    return inverse.function(arguments.index(_WANTED), result, known)


def _local_name(iri: str) -> str:
    """The end of an IRI in angle brackets, behind SWRL's namespace."""
    return iri.rpartition("#")[2][:-1]


def _others(known: Sequence[Any]) -> list[Any]:
    return [value for value in known if value is not None]


# Operations: x + y = z and x - y = z, x · y = z and x : y = z

Operation = Callable[..., Any]


def _of_sum(minus: Operation) -> Inverse:
    def argument(_: int, result: Any, known: Sequence[Any]) -> Any:
        for other in _others(known):
            result = minus(result, other)
        return result

    return Inverse(argument)


def _of_difference(minus: Operation, plus: Operation) -> Inverse:
    """Also of a quotient, which is a product's difference."""

    def argument(place: int, result: Any, known: Sequence[Any]) -> Any:
        return plus(result, known[1]) if place == 0 else minus(known[0], result)

    return Inverse(argument)


def _factor(product: Any, factor: Any) -> Any:
    """The other factor; of integers an integer."""
    quotient = numeric.divide(product, factor)
    whole = type(product) is type(factor) is int and quotient == int(quotient)
    return int(quotient) if whole else quotient


def _alone(function: Operation) -> Inverse:
    return Inverse(lambda _, result, known: function(result))


def _part_of_text(place: int, result: Any, known: Sequence[Any]) -> str:
    """The text between those before it and those behind it."""
    (text,) = strings.texts(result)
    before = sum(map(len, strings.texts(*known[:place])))
    behind = sum(map(len, strings.texts(*known[place + 1 :])))
    if before + behind > len(text):
        raise NoValue
    return text[before : len(text) - behind]


# Durations


def _share(duration: Any, factor: Any) -> Any:
    """The factor of a product: a number or duration, or the number that multiplies a duration."""
    seconds = times.seconds_of(duration)
    if isinstance(factor, Duration):
        return bounded(seconds / times.seconds_of(factor))
    return times.divide_seconds(duration, factor)


def _dividend(quotient: Any, divisor: Any) -> Duration:
    return times.multiply_seconds(quotient, divisor)


def _divided(total: Callable[[Any], Any], *units: int | None) -> Inverse:
    """Parts of a duration; what remains after the given ones goes to the first unknown one. The
    part with no unit is the seconds, which need not be whole."""

    def argument(place: int, result: Any, known: Sequence[Any]) -> Any:
        given = [(unit or 1) * times.exact(value) for unit, value in zip(units, known, strict=True)
                 if value is not None]  # fmt: skip
        rest = total(result) - sum(given, Decimal(0))
        unit = units[place]
        return rest if unit is None else int(rest / unit)

    return Inverse(argument, parts=True)


# Points in time


def _fields(kind: str, *names: str) -> Inverse:
    """The parts of a point in time; the last is the time zone."""

    def argument(place: int, result: Any, known: Sequence[Any]) -> Any:
        moment = times.moment_of(result, kind)
        if len(known) == len(names) and known[-1] is not None:
            moment = _on_clock(moment, times.zone_of(known[-1]))
        return calendar.fields(moment)[names[place]]

    return Inverse(argument, parts=True)


def _on_clock(moment: Moment, zone: int | None) -> Moment:
    """A point in time, told in another zone."""
    if (zone is None) != (moment.zone is None):
        raise NoValue
    return replace(moment, local=moment.timeline() + 60 * (zone or 0), zone=zone)


def _of_interval(kind: str) -> Inverse:
    """Either end of a difference, on the clock of the other."""

    def argument(place: int, result: Any, known: Sequence[Any]) -> Moment:
        end = times.moment_of(known[1 - place], kind)
        return end.plus_seconds((1 if place == 0 else -1) * times.seconds_of(result))

    return Inverse(argument)


def _of_later(kind: str, sign: int) -> Inverse:
    """The start, or of a point with date and time also how much later another is."""

    def argument(place: int, result: Any, known: Sequence[Any]) -> Any:
        if place == 0:
            return _start(times.moment_of(result, kind), sign * times.seconds_of(known[1]))
        ends = (result, known[0]) if sign == 1 else (known[0], result)
        return times.difference(kind)(*ends)

    return Inverse(argument, None if kind == "dateTime" else frozenset([0]))


def _start(end: Moment, seconds: Decimal) -> Moment:
    """The point so many seconds earlier; a date goes back by the whole days that it went on."""
    if end.kind == "date":
        seconds = Decimal((seconds // DAY - (seconds % DAY < 0)) * DAY)
    return end.plus_seconds(-seconds)


# References

_URI = re.compile(
    r"(?:(?P<scheme>[^:/?#]+):)?(?://(?P<host>[^/?#]*?)(?::(?P<port>[0-9]*))?(?=[/?#]|\Z))?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
"""RFC 3986, appendix B, with the port told from the host."""

_URI_PARTS = ("scheme", "host", "port", "path", "query", "fragment")


def _part_of_uri(place: int, result: Any, known: Sequence[Any]) -> str:
    found = _URI.fullmatch(result.text) if isinstance(result, Uri) else None
    if found is None:
        raise NoValue
    return found[_URI_PARTS[place]] or ""


# All of them


def _catalogue() -> Mapping[str, Inverse]:
    found = {
        "add": _of_sum(numeric.subtract),
        "subtract": _of_difference(numeric.subtract, numeric.add),
        "multiply": _of_sum(_factor),
        "divide": _of_difference(numeric.divide, numeric.multiply),
        "unaryPlus": _alone(numeric.unary_plus),
        "unaryMinus": _alone(numeric.unary_minus),
        "booleanNot": _alone(strings.boolean_not),
        "stringConcat": Inverse(_part_of_text),
        "anyURI": Inverse(_part_of_uri, parts=True),
        "yearMonthDuration": _divided(times.months_of, 12, 1),
        "dayTimeDuration": _divided(times.seconds_of, DAY, 3600, 60, None),
        "addYearMonthDurations": _of_sum(times.subtract_months),
        "subtractYearMonthDurations": _of_difference(times.subtract_months, times.add_months),
        "addDayTimeDurations": _of_sum(times.subtract_seconds),
        "subtractDayTimeDurations": _of_difference(times.subtract_seconds, times.add_seconds),
        "multiplyDayTimeDurations": _of_sum(_share),
        "divideDayTimeDuration": _of_difference(_share, _dividend),
        "subtractDates": _of_interval("date"),
        "subtractTimes": _of_interval("time"),
        "subtractDateTimesYieldingDayTimeDuration": _of_interval("dateTime"),
    }  # fmt: skip
    date, clock = ("year", "month", "day"), ("hours", "minutes", "seconds")
    for kind, names in (("dateTime", date + clock), ("date", date), ("time", clock)):
        found[kind] = _fields(kind, *names, "zone")
        title = kind[0].upper() + kind[1:]
        found[f"addDayTimeDurationTo{title}"] = _of_later(kind, 1)
        found[f"subtractDayTimeDurationFrom{title}"] = _of_later(kind, -1)
    return found


INVERSES = _catalogue()
"""By the local name of the built-in."""
