"""All the built-ins that are functions of their arguments, by name.

An atom `swrlb:add(?sum, ?x, ?y)` equates its first argument with a function of the others; in an
expression `swrlb:add(?x, ?y)` is the function. An atom `swrlb:lessThan(?x, ?y)` and the
expression are alike. The list built-ins are about facts and are no functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import localcontext
from typing import Any

from msgspec import Struct

from rdfinc.terms.builtins import comparison, numeric, strings, times, uris
from rdfinc.terms.builtins.data_values import (
    alike,
    differ_in_order,
    is_name_among,
    may_equal,
    outside_datatype,
    outside_facet,
)
from rdfinc.terms.builtins.datatypes import in_datatype
from rdfinc.terms.builtins.inverses import solution
from rdfinc.terms.builtins.values import EXACT, NoValue, key_of, value_of

SWRLB = "http://www.w3.org/2003/11/swrlb#"
ANY = 1 << 30
_NO_VALUE = (NoValue, ArithmeticError, ValueError)


class Builtin(Struct, frozen=True):
    """A function of `least` to `most` arguments.

    `gives`: an atom has its value as the first argument, before those of the function.
    """

    name: str
    least: int
    most: int
    gives: bool
    function: Callable[..., Any]

    def __call__(self, *keys: bytes) -> bytes | None:
        """The key of the value; None where there is none, as for arguments of a wrong type."""
        with localcontext(EXACT):
            try:
                return key_of(self.function(*map(value_of, keys)))
            except _NO_VALUE:
                return None

    def holds(self, keys: Iterable[bytes]) -> bool:
        """Whether an atom that has no value of its own holds; not for arguments of a wrong type."""
        with localcontext(EXACT):
            try:
                return self.function(*map(value_of, keys)) is True
            except _NO_VALUE:
                return False


def _catalogue() -> Mapping[str, Builtin]:
    found: dict[str, Builtin] = {}

    def relations(arguments: int, **functions: Callable[..., Any]) -> None:
        for name, function in functions.items():
            found[name] = Builtin(name, arguments, arguments, False, function)

    def values(least: int, most: int, **functions: Callable[..., Any]) -> None:
        for name, function in functions.items():
            found[name] = Builtin(name, least, most, True, function)

    relations(
        2,
        equal=comparison.equal,
        notEqual=comparison.not_equal,
        lessThan=comparison.less,
        lessThanOrEqual=comparison.less_or_equal,
        greaterThan=comparison.greater,
        greaterThanOrEqual=comparison.greater_or_equal,
    )
    values(2, ANY, add=numeric.add, multiply=numeric.multiply)
    values(
        2, 2,
        subtract=numeric.subtract,
        divide=numeric.divide,
        integerDivide=numeric.integer_divide,
        mod=numeric.mod,
        pow=numeric.power,
    )  # fmt: skip
    values(
        1, 1,
        unaryPlus=numeric.unary_plus,
        unaryMinus=numeric.unary_minus,
        abs=numeric.absolute,
        ceiling=numeric.ceiling,
        floor=numeric.floor,
        round=numeric.round_up_halves,
        sin=numeric.sine,
        cos=numeric.cosine,
        tan=numeric.tangent,
        booleanNot=strings.boolean_not,
    )  # fmt: skip
    values(1, 2, roundHalfToEven=numeric.round_half_to_even)
    relations(
        2,
        stringEqualIgnoreCase=strings.equal_ignoring_case,
        contains=strings.contains,
        containsIgnoreCase=strings.contains_ignoring_case,
        startsWith=strings.starts_with,
        endsWith=strings.ends_with,
        matches=strings.matches,
    )
    relations(3, tokenize=strings.is_token)
    values(2, ANY, stringConcat=strings.concatenation)
    values(2, 3, substring=strings.substring)
    values(
        1, 1,
        stringLength=strings.length,
        normalizeSpace=strings.normalize_space,
        upperCase=strings.upper_case,
        lowerCase=strings.lower_case,
    )  # fmt: skip
    values(3, 3, translate=strings.translate, replace=strings.replace)
    values(
        2, 2,
        substringBefore=strings.substring_before,
        substringAfter=strings.substring_after,
    )  # fmt: skip
    values(2, 2, yearMonthDuration=times.year_month_duration)
    values(4, 4, dayTimeDuration=times.day_time_duration)
    values(6, 7, dateTime=times.date_time)
    values(3, 4, date=times.date, time=times.time)
    values(2, ANY, addYearMonthDurations=times.add_months, addDayTimeDurations=times.add_seconds)
    values(
        2, 2,
        subtractYearMonthDurations=times.subtract_months,
        multiplyYearMonthDuration=times.multiply_months,
        divideYearMonthDurations=times.divide_months,
        subtractDayTimeDurations=times.subtract_seconds,
        multiplyDayTimeDurations=times.multiply_seconds,
        divideDayTimeDuration=times.divide_seconds,
        subtractDates=times.difference("date"),
        subtractTimes=times.difference("time"),
        addYearMonthDurationToDateTime=times.later_by_months("dateTime", 1),
        addDayTimeDurationToDateTime=times.later_by_seconds("dateTime", 1),
        subtractYearMonthDurationFromDateTime=times.later_by_months("dateTime", -1),
        subtractDayTimeDurationFromDateTime=times.later_by_seconds("dateTime", -1),
        addYearMonthDurationToDate=times.later_by_months("date", 1),
        addDayTimeDurationToDate=times.later_by_seconds("date", 1),
        subtractYearMonthDurationFromDate=times.later_by_months("date", -1),
        subtractDayTimeDurationFromDate=times.later_by_seconds("date", -1),
        addDayTimeDurationToTime=times.later_by_seconds("time", 1),
        subtractDayTimeDurationFromTime=times.later_by_seconds("time", -1),
        subtractDateTimesYieldingYearMonthDuration=times.difference_in_months,
        subtractDateTimesYieldingDayTimeDuration=times.difference("dateTime"),
        resolveURI=uris.resolve,
    )  # fmt: skip
    values(6, 6, anyURI=uris.any_uri)
    return {f"<{SWRLB}{name}>": builtin for name, builtin in found.items()}


BUILTINS = _catalogue()
"""By IRI as it stands in an expression: `<http://www.w3.org/2003/11/swrlb#add>`."""

IN_DATATYPE, OUTSIDE_DATATYPE = "<urn:rdfinc:inDatatype>", "<urn:rdfinc:outsideDatatype>"
"""`IN_DATATYPE(?x, xsd:int)`: the test of a data range atom, which SPARQL does not have; whether a
literal has another value."""

OUTSIDE_FACET = "<urn:rdfinc:outsideFacet>"
"""`OUTSIDE_FACET(?x, xsd:minInclusive, 5)`: whether a facet excludes a literal's value."""

SOLUTION = "<urn:rdfinc:solution>"
"""`SOLUTION(swrlb:date, ?d, UNKNOWN, WANTED, ?n)`: an argument of a built-in read backwards."""

ALIKE, MAY_EQUAL, NAME_AMONG = (
    f"<urn:rdfinc:{name}>" for name in ("alike", "mayEqual", "nameAmong")
)
"""Whether two terms are one or denote one data value; whether one of two is no literal; whether
either is the case."""

OF_LITERALS: Mapping[str, tuple[int, ...]] = {
    IN_DATATYPE: (0,),
    OUTSIDE_DATATYPE: (0,),
    OUTSIDE_FACET: (0,),
    "<urn:rdfinc:apart>": (0, 1),
}
"""Relations that hold of literals only, with the places of these among their arguments."""

FUNCTIONS: Mapping[str, Builtin] = {
    **BUILTINS,
    IN_DATATYPE: Builtin("inDatatype", 2, 2, False, in_datatype),
    OUTSIDE_DATATYPE: Builtin("outsideDatatype", 2, 2, False, outside_datatype),
    OUTSIDE_FACET: Builtin("outsideFacet", 3, 3, False, outside_facet),
    "<urn:rdfinc:apart>": Builtin("apart", 2, 2, False, differ_in_order),
    SOLUTION: Builtin("solution", 3, ANY, True, solution),
    ALIKE: Builtin("alike", 2, 2, False, alike),
    MAY_EQUAL: Builtin("mayEqual", 2, 2, False, may_equal),
    NAME_AMONG: Builtin("nameAmong", 2, 2, False, is_name_among),
}
"""Everything that expressions may call."""
