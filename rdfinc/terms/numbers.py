"""Sums and averages of XSD numbers, whatever the order of the numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from rdfinc.terms.builtins.values import EXACT, Single

Number = int | Decimal | Single | float

_TYPES = (int, Decimal, Single, float)
"""In the order of promotion (XPath, B.1)."""

_PLACES = Decimal(1).scaleb(-18)


def is_number(value: object) -> bool:
    return type(value) in _TYPES


def total(values: Sequence[Number]) -> Number:
    """The sum, in the first type to which all promote."""
    kind = _common(values)
    if kind is int:
        return sum(map(int, values))
    if kind is Decimal:
        exact = Decimal(0)
        for value in values:
            exact = EXACT.add(exact, Decimal(value))
        return exact
    return kind(_sum(list(map(float, values))))


def mean(values: Sequence[Number]) -> Number:
    """The average; that of integers is a decimal. Decimals keep 18 fractional digits."""
    kind = _common(values)
    if kind in (Single, float):
        return kind(_sum(list(map(float, values))) / len(values))
    quotient = EXACT.divide(Decimal(total(values)), Decimal(len(values)))
    return quotient.quantize(_PLACES, context=EXACT)


def _common(values: Sequence[Number]) -> type[Number]:
    return _TYPES[max(_TYPES.index(type(value)) for value in values)]


def _sum(values: list[float]) -> float:
    """`math.fsum`, the correctly rounded sum, where there are infinities too."""
    special = [value for value in values if not math.isfinite(value)]
    if special:
        return sum(special)
    try:
        return math.fsum(values)
    except OverflowError:
        return math.copysign(math.inf, math.fsum(value / 2**64 for value in values))
