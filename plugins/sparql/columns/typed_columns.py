"""Comparison, order and arithmetic of typed values, whole columns at once.

Each function gives what those of single values give (`terms.builtins`), or None for kinds, and for
sizes of numbers, that it does not cover. Integers and decimals are exact: where 64 bits do not hold
them they are Python's integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from rdfinc.tables.kernels import Mask
from rdfinc.terms.builtins.calendar import civil
from rdfinc.terms.builtins.value_arrays import (
    BOOLEAN,
    DATE,
    DATE_TIME,
    DECIMAL,
    DOUBLE,
    INTEGER,
    NO_ZONE,
    NOTHING,
    PLACES,
    SINGLE,
    TIME,
    TypedValues,
)
from rdfinc.terms.builtins.values import EXACT, XSD, key_of

Array = npt.NDArray[Any]

_EXACT = {INTEGER, DECIMAL}
_MOMENTS = {DATE, TIME, DATE_TIME}
_LONGEST = 10**40
"""No integer or decimal times 10 to the power of its places is longer."""

_SMALL = 1 << 53
"""Integers below are doubles."""

_TENS = np.array([10.0**place for place in range(PLACES + 1)])
"""Exact, so that quotients are rounded once."""

_FIVES = np.array([5**place for place in range(PLACES + 1)], np.int64)


def comparable(left: TypedValues, right: TypedValues) -> tuple[Array, Array] | None:
    """Two arrays that compare as the values do; anything where there is no term."""
    kinds = left.kinds_there, right.kinds_there
    together = kinds[0] | kinds[1]
    if together <= {INTEGER}:
        return left.numbers, right.numbers
    if together <= _EXACT:
        places = max(_places(left), _places(right))
        return _units(left, places), _units(right, places)
    if together <= {BOOLEAN}:
        return left.numbers, right.numbers
    if together <= {SINGLE} or ({DOUBLE} in kinds and together <= {DOUBLE, *_EXACT}):
        return _both_doubles(left, right)
    if together <= _MOMENTS and len(together) == 1:
        return (left.numbers, right.numbers) if _are_ordered(left, right) else None
    return None


def _are_ordered(*columns: TypedValues) -> bool:
    """Whether the zones of all points in time are known, or of none."""
    zones = [column.extras[column.kinds != NOTHING] == NO_ZONE for column in columns]
    return not (any(each.any() for each in zones) and any(not each.all() for each in zones))


def ordered(column: TypedValues) -> Array | None:
    """A number for each value, in the order of results."""
    kinds = column.kinds_there
    if (column.kinds == NOTHING).any():
        return None
    if kinds <= _EXACT:
        return _units(column, _places(column))
    if kinds == {BOOLEAN} or (len(kinds) == 1 and kinds <= _MOMENTS):
        return column.numbers
    return None


def _units(column: TypedValues, places: int) -> Array:
    """Integers and decimals times 10 to the power of `places`."""
    missing = places - column.extras.astype(np.int64)
    if not missing.any():
        return column.numbers
    factors = np.array([10**place for place in range(places + 1)], object)[missing]
    if _largest(column.numbers) * 10 ** int(missing.max()) < 1 << 63:
        return column.numbers * factors.astype(np.int64)
    return column.numbers * factors


def _largest(numbers: Array) -> int:
    return max(abs(int(numbers.max(initial=0))), abs(int(numbers.min(initial=0))))


def _both_doubles(left: TypedValues, right: TypedValues) -> tuple[Array, Array] | None:
    one, other = _doubles(left), _doubles(right)
    return None if one is None or other is None else (one, other)


def _doubles(column: TypedValues) -> npt.NDArray[np.float64] | None:
    """The numbers promoted to doubles."""
    if column.kinds_there <= {SINGLE} or column.kinds_there <= {DOUBLE}:
        return column.doubles
    if _largest(column.numbers) >= _SMALL or not column.kinds_there <= _EXACT:
        return None
    return column.numbers / _TENS[column.extras]


def exact_doubles(column: TypedValues) -> tuple[npt.NDArray[np.float64], Mask]:
    """The doubles that numbers are or, if they are integers or decimals, equal; and which of them
    are such. Singles are none, since they are compared as what they are."""
    is_exact, numbers = np.isin(column.kinds, list(_EXACT)), column.numbers
    places = np.where(is_exact, column.extras, 0)
    fits = (numbers > -_SMALL) & (numbers < _SMALL) & (numbers % _FIVES[places] == 0)
    found = np.where(is_exact, numbers / _TENS[places], column.doubles)
    return found, (column.kinds == DOUBLE) | (is_exact & fits)


# -- arithmetic


def computed(sign: str, left: TypedValues, right: TypedValues) -> TypedValues | None:
    """The values of an operator, pair by pair; nothing where that is an error."""
    kinds = left.kinds_there, right.kinds_there
    known: Mask = (left.kinds != NOTHING) & (right.kinds != NOTHING)
    if {DOUBLE} in kinds and kinds[0] | kinds[1] <= {DOUBLE, *_EXACT}:
        doubles = _both_doubles(left, right)
        with np.errstate(all="ignore"):
            return None if doubles is None else _of_doubles(_UFUNCS[sign](*doubles), known)
    if {DECIMAL} in kinds and kinds[0] | kinds[1] <= _EXACT:
        return _exactly(sign, left, right, known, DECIMAL)
    if kinds == ({INTEGER}, {INTEGER}):
        return _exactly(sign, left, right, known, DECIMAL if sign == "/" else INTEGER)
    return None


_UFUNCS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}


def _of_doubles(numbers: npt.NDArray[np.float64], known: Mask) -> TypedValues:
    kinds = np.where(known, np.uint8(DOUBLE), np.uint8(NOTHING))
    return TypedValues(kinds, numbers.view(np.int64), np.zeros(len(numbers), np.int16))


def _exactly(
    sign: str, left: TypedValues, right: TypedValues, known: Mask, kind: int
) -> TypedValues | None:
    if sign == "/":
        known = known & (right.numbers != 0)
    found, places = _OPERATORS[sign](left, right)
    numbers = np.where(known, found, 0)
    largest = _largest(numbers)
    if largest >= _LONGEST:
        return None
    narrow = numbers if largest >= 1 << 63 else numbers.astype(np.int64)
    return exact(narrow, places, np.where(known, np.uint8(kind), np.uint8(NOTHING)))


def exact(numbers: Array, places: int, kinds: npt.NDArray[np.uint8]) -> TypedValues:
    """Decimals with so many places, or integers with none."""
    return TypedValues(kinds, numbers, np.full(len(kinds), places, np.int16))


def _places(column: TypedValues) -> int:
    return int(column.extras.max(initial=0))


def _added(ufunc: np.ufunc, left: TypedValues, right: TypedValues) -> tuple[Array, int]:
    places = max(_places(left), _places(right))
    one, other = _units(left, places), _units(right, places)
    return ufunc(_wide(one, _largest(one) + _largest(other)), other), places


def _multiplied(left: TypedValues, right: TypedValues) -> tuple[Array, int]:
    places = _places(left), _places(right)
    one, other = _units(left, places[0]), _units(right, places[1])
    found = _wide(one, _largest(one) * _largest(other)) * other
    further = max(0, sum(places) - PLACES)
    return _cut(found, 10**further) if further else found, sum(places) - further


def _divided(left: TypedValues, right: TypedValues) -> tuple[Array, int]:
    places = _places(left), _places(right)
    one, other = _units(left, places[0]), _units(right, places[1])
    factor = 10 ** (PLACES - places[0] + places[1])
    dividend = _wide(one, max(_largest(one), 1) * factor) * factor
    return _cut(dividend, np.where(other == 0, 1, other)), PLACES


def _cut(dividend: Array, divisor: Any) -> Array:
    """The quotient without its fraction."""
    found: Array = abs(dividend) // abs(divisor)
    return np.where((dividend < 0) == (divisor < 0), found, -found)


def _wide(numbers: Array, largest: int) -> Array:
    """The numbers as they can be computed with, where results may be so large."""
    return numbers if largest < 1 << 63 else numbers.astype(object)


_OPERATORS: dict[str, Callable[[TypedValues, TypedValues], tuple[Array, int]]] = {
    "+": partial(_added, np.add),
    "-": partial(_added, np.subtract),
    "*": _multiplied,
    "/": _divided,
}

# -- sums


def totals(
    column: TypedValues, times: Array, per_group: Callable[[np.ufunc, Array], Array]
) -> TypedValues | None:
    """The sum of each group of integers and decimals, each of which occurs so many times."""
    if not column.kinds_there <= _EXACT:
        return None
    places = _places(column)
    units = _units(column, places)
    found = per_group(np.add, _wide(units, _largest(units) * int(times.sum())) * times)
    is_decimal = per_group(np.logical_or, column.kinds == DECIMAL)
    whole = np.where(is_decimal, found, found // 10**places)
    kinds = np.where(is_decimal, np.uint8(DECIMAL), np.uint8(INTEGER))
    return TypedValues(kinds, whole, np.where(is_decimal, places, 0).astype(np.int16))


def quotients(sums: TypedValues, counts: Array) -> TypedValues:
    """Averages, as `exact_sums.quotient` gives each."""
    dividends = _units(sums, PLACES).astype(object)
    found, rest = dividends // counts, dividends % counts
    found = found + ((2 * rest > counts) | (2 * rest == counts) & (found % 2 == 1))
    return exact(found, PLACES, np.full(len(counts), DECIMAL, np.uint8))


# -- points in time


def date_part(place: int, column: TypedValues) -> TypedValues | None:
    """Year, month or day."""
    if not column.kinds_there <= {DATE, DATE_TIME}:
        return None
    return exact(civil(_local(column) // _DAY)[place], 0, _whole(column))


def time_part(unit: int, count: int, column: TypedValues) -> TypedValues | None:
    """Hours or minutes: how often a unit of so many microseconds is in what is left of `count`
    of them."""
    if not column.kinds_there <= {DATE_TIME}:
        return None
    return exact(_local(column) // unit % count, 0, _whole(column))


_DAY = 24 * 60 * 60 * 1_000_000


def _local(column: TypedValues) -> Array:
    """Microseconds on the own clock of each point in time."""
    zones = np.where(column.extras == NO_ZONE, 0, column.extras)
    return column.numbers + zones.astype(np.int64) * 60_000_000


def _whole(column: TypedValues) -> npt.NDArray[np.uint8]:
    return np.where(column.kinds == NOTHING, column.kinds, np.uint8(INTEGER))


# -- from numbers to terms


def numbers_of(column: TypedValues) -> list[Any]:
    """The values of integers, decimals and doubles; None for no term."""
    return [_READ[kind](number, extra) for kind, number, extra in _rows(column)]


def keys_of(column: TypedValues) -> list[bytes | None]:
    """The keys of integers, decimals and doubles; None for no term. Each different number is
    written once, unless there are doubles, of which 0 equals -0."""
    rows = list(_rows(column))
    if DOUBLE in column.kinds_there:
        return [_WRITTEN[kind](number, extra) for kind, number, extra in rows]
    written = {row: _WRITTEN[row[0]](*row[1:]) for row in {*rows}}
    return list(map(written.__getitem__, rows))


def _rows(column: TypedValues) -> Iterator[tuple[int, Any, int]]:
    kinds, extras = column.kinds.tolist(), column.extras.tolist()
    is_double = DOUBLE in column.kinds_there
    numbers = column.doubles if is_double else column.numbers
    return zip(kinds, numbers.tolist(), extras, strict=True)


_READ: dict[int, Callable[[Any, int], Any]] = {
    NOTHING: lambda number, extra: None,
    INTEGER: lambda number, extra: number,
    DECIMAL: lambda number, extra: Decimal(number).scaleb(-extra, EXACT),
    DOUBLE: lambda number, extra: number,
}


def _decimal_key(units: int, places: int) -> bytes:
    digits = f"{abs(units):0{places + 1}}"
    whole, fraction = digits[: len(digits) - places], digits[len(digits) - places :].rstrip("0")
    sign, point = "-" * (units < 0), "." * bool(fraction)
    return f'"{sign}{whole}{point}{fraction}"^^<{XSD}decimal>'.encode()


_WRITTEN: dict[int, Callable[[Any, int], bytes | None]] = {
    NOTHING: lambda number, extra: None,
    INTEGER: lambda number, extra: b'"%d"^^<%binteger>' % (number, XSD.encode()),
    DECIMAL: _decimal_key,
    DOUBLE: lambda number, extra: key_of(number),
}
