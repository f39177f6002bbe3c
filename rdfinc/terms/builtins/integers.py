"""Integers of any length as decimal texts. Beyond some thousand digits Python's `int` and `str`
refuse, as they take quadratic time.

A text, or an integer, is halved until its parts are short, and the values are put together by
multiplication: of integers in O(n^1.58), of decimals in O(n log² n). A million digits are read in
half a second and written in a quarter.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext
from functools import cache

_SHORT = 4000
"""Digits up to which Python reads and writes at once."""

_FEW = 3 * _SHORT
"""Bits of integers that surely are no longer."""

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def read_integer(text: str) -> int:
    """The value of a text of the form `[+-]?[0-9]+`."""
    if len(text) <= _SHORT:
        return int(text)
    value = _read(text.lstrip("+-"))
    return -value if text[0] == "-" else value


def _read(digits: str) -> int:
    if len(digits) <= _SHORT:
        return int(digits)
    low = len(digits) // 2
    power: int = 10**low
    return _read(digits[:-low]) * power + _read(digits[-low:])


def integer_text(value: int) -> str:
    """The digits of an integer of any length, as `str` gives them for short ones."""
    if value.bit_length() <= _FEW:
        return str(value)
    with localcontext(_EXACT):
        return str(_decimal(value, value.bit_length(), cache(_power)))


def _decimal(value: int, bits: int, power: Callable[[int], Decimal]) -> Decimal:
    """An integer of so many bits, in a context in which that is exact."""
    if bits <= _FEW:
        return Decimal(value)
    low = bits // 2
    rest = _decimal(value & (1 << low) - 1, low, power)
    return _decimal(value >> low, bits - low, power) * power(low) + rest


def _power(bits: int) -> Decimal:
    found: Decimal = Decimal(2) ** bits
    return found
