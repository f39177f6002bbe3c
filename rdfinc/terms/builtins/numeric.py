"""Section 8.2 of the SWRL submission: arithmetic, with XQuery's rules for its numeric types.

Operands of different types are promoted: integer, decimal, float, double. Arithmetic over
integers is exact, an integer divided by another is a decimal.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from functools import reduce
from typing import Any

import numpy as np

from rdfinc.terms.builtins.values import EXACT, NoValue, Single, bounded

Number = Any
"""An int, Decimal, Single or float, and no bool."""

_TYPES: list[type] = [int, Decimal, Single, float]
_EXACT = {int, Decimal}
_RANKS = {type_: rank for rank, type_ in enumerate(_TYPES)}
_SHORT = 80
_CUT_OFF = Context(prec=_SHORT + 20, rounding=ROUND_DOWN)
"""For quotients of so many digits before the point, with as many behind it as they may have."""

_LONGEST_POWER = 1200
"""Bits; beyond, a power has no value."""

_FINEST = 80
"""Digits to which a number may be rounded, on either side of the point."""


def numbers(*values: Any) -> tuple[Number, ...]:
    """The values, all promoted to the widest of their types. Raises NoValue for a non-number."""
    ranks = list(map(_rank, values))
    widest = max(ranks)
    if min(ranks) == widest:
        return values
    return tuple(
        value if rank == widest else promoted(value, _TYPES[widest])
        for value, rank in zip(values, ranks, strict=True)
    )


def promoted(value: Any, to: type) -> Number:
    """Numbers as doubles or singles; those too large are infinite, and a decimal has one zero."""
    try:
        return to(value) if value or isinstance(value, float) else to(0)
    except OverflowError:
        return to(math.inf if value > 0 else -math.inf)


def is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def is_number(value: Any) -> bool:
    return type(value) in _RANKS


def _rank(value: Any) -> int:
    try:
        return _RANKS[type(value)]
    except KeyError:
        raise NoValue from None


def _ieee(ufunc: Any, *values: float) -> float:
    """Infinities and NaN instead of exceptions."""
    with np.errstate(all="ignore"):
        return type(values[0])(ufunc(*map(float, values)))


def _folded(
    whole: Callable[[int, int], int], exact: Callable[[Decimal, Decimal], Decimal], ufunc: Any
) -> Callable[..., Number]:
    def pair(left: Number, right: Number) -> Number:
        if type(left) not in _EXACT or type(right) not in _EXACT:
            left, right = numbers(left, right)
        if isinstance(left, float):
            return _ieee(ufunc, left, right)
        if isinstance(left, Decimal) or isinstance(right, Decimal):
            return bounded(exact(left, right))
        return bounded(whole(left, right), left, right)

    return lambda *values: reduce(pair, values)


add = _folded(operator.add, EXACT.add, np.add)
subtract = _folded(operator.sub, EXACT.subtract, np.subtract)
multiply = _folded(operator.mul, EXACT.multiply, np.multiply)


def divide(dividend: Any, divisor: Any) -> Number:
    if type(dividend) not in _EXACT or type(divisor) not in _EXACT:
        dividend, divisor = numbers(dividend, divisor)
    if isinstance(dividend, float):
        return _ieee(np.divide, dividend, divisor)
    dividend, divisor = Decimal(dividend), Decimal(divisor)
    is_short = dividend.adjusted() - divisor.adjusted() < _SHORT
    return bounded((_CUT_OFF if is_short else EXACT).divide(dividend, divisor))


def integer_divide(dividend: Any, divisor: Any) -> int:
    """The quotient without its fraction."""
    dividend, divisor = numbers(dividend, divisor)
    if isinstance(dividend, int):
        quotient: int = abs(dividend) // abs(divisor)
        return quotient if (dividend < 0) == (divisor < 0) else -quotient
    if isinstance(dividend, Decimal):
        return int(EXACT.divide_int(dividend, divisor))
    return int(dividend / divisor)


def mod(dividend: Any, divisor: Any) -> Number:
    """The remainder of `integer_divide`; it has the sign of the dividend."""
    dividend, divisor = numbers(dividend, divisor)
    if isinstance(dividend, float):
        return _ieee(np.fmod, dividend, divisor)
    if isinstance(dividend, Decimal):
        return bounded(EXACT.remainder(dividend, divisor))
    rest = abs(dividend) % abs(divisor)
    return -rest if dividend < 0 else rest


def power(base: Any, exponent: Any) -> Number:
    """Exact for a whole exponent that is not negative, else a double."""
    numbers(base, exponent)
    if type(exponent) is int and exponent >= 0 and isinstance(base, (int, Decimal)):
        if exponent * _bits(base) > _LONGEST_POWER:
            raise NoValue
        return bounded(_whole_power(base, exponent)) if exponent else type(base)(1)
    return float(_ieee(np.power, float(base), float(exponent)))


def _whole_power(base: Any, exponent: int) -> Number:
    return EXACT.power(base, exponent) if isinstance(base, Decimal) else base**exponent


def _bits(base: Number) -> int:
    if isinstance(base, Decimal):
        return 4 * len(base.as_tuple().digits)
    return base.bit_length() if abs(base) > 1 else 0


def unary_plus(value: Any) -> Number:
    return numbers(value)[0]


def unary_minus(value: Any) -> Number:
    (number,) = numbers(value)
    return number.copy_negate() if isinstance(number, Decimal) else type(number)(-number)


def absolute(value: Any) -> Number:
    (number,) = numbers(value)
    return number.copy_abs() if isinstance(number, Decimal) else type(number)(abs(number))


def _rounded(value: Any, change: Callable[[Decimal], Decimal]) -> Number:
    """A number of the same type; zero keeps its sign, infinities and NaN stay."""
    numbers(value)
    if isinstance(value, int):
        return value
    if isinstance(value, Decimal):
        return change(value)
    if not math.isfinite(value):
        return value
    return type(value)(math.copysign(float(change(Decimal(value))), value))


def ceiling(value: Any) -> Number:
    return _rounded(value, lambda exact: exact.to_integral_value(ROUND_CEILING))


def floor(value: Any) -> Number:
    return _rounded(value, lambda exact: exact.to_integral_value(ROUND_FLOOR))


def round_up_halves(value: Any) -> Number:
    """The nearest whole number; of two the greater."""
    half = Decimal("0.5")
    return _rounded(value, lambda exact: EXACT.add(exact, half).to_integral_value(ROUND_FLOOR))


def round_half_to_even(value: Any, precision: Any = 0) -> Number:
    """The nearest number with so many digits after the point; of two the even one."""
    if type(precision) is not int or abs(precision) > _FINEST:
        raise NoValue
    if type(value) is int:
        return round(value, precision)
    unit = Decimal(1).scaleb(-precision)

    def change(exact: Decimal) -> Decimal:
        whole = EXACT.divide(exact, unit).to_integral_value(ROUND_HALF_EVEN)
        return EXACT.multiply(whole, unit)

    return _rounded(value, change)


def _angle(ufunc: Any) -> Callable[[Any], float]:
    return lambda value: float(_ieee(ufunc, float(numbers(value)[0])))


sine, cosine, tangent = map(_angle, (np.sin, np.cos, np.tan))
