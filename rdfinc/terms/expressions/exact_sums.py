"""Sums and averages of XSD numbers, whatever the order of the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, Context, Decimal
from typing import Any

from rdfinc.terms.builtins.numeric import promoted
from rdfinc.terms.builtins.values import EXACT, Single

Number = int | Decimal | Single | float
Counted = tuple[Number, int]
"""A number and how often it occurs."""

_TYPES = (int, Decimal, Single, float)
"""In the order of promotion (XPath, B.1)."""

_PLACES = 18


def is_number(value: object) -> bool:
    return type(value) in _TYPES


def total(group: Sequence[Counted]) -> Number:
    """The sum, in the first type to which all promote."""
    kind = _common(group)
    if kind is int:
        return sum(int(value) * times for value, times in group)
    if kind is Decimal:
        whole = sum(value * times for value, times in group if isinstance(value, int))
        exact = Decimal(0)
        for value, times in group:
            if isinstance(value, Decimal):
                exact = EXACT.add(exact, EXACT.multiply(value, Decimal(times)))
        return _exact(whole).add(exact, Decimal(whole))
    return kind(_sum(group))


def mean(group: Sequence[Counted]) -> Number:
    """The average; that of integers is a decimal. Decimals keep 18 fractional digits."""
    kind, count = _common(group), sum(times for _, times in group)
    if kind in (Single, float):
        return kind(_sum(group) / count)
    sum_: Any = total(group)
    return quotient(sum_, count)


def quotient(dividend: int | Decimal, divisor: int) -> Decimal:
    """With 18 fractional digits; of two that are equally near the even one."""
    numerator, denominator = dividend.as_integer_ratio()
    denominator *= divisor
    found, rest = divmod(numerator * 10**_PLACES, denominator)
    found += 2 * rest > denominator or (2 * rest == denominator and found % 2 == 1)
    return _exact(found).scaleb(Decimal(found), -_PLACES)


def _exact(whole: int) -> Context:
    """`EXACT`, for numbers about as large as an integer."""
    if whole.bit_length() < EXACT.prec:
        return EXACT
    return Context(prec=EXACT.prec + whole.bit_length() // 3, Emax=MAX_EMAX)


def _common(group: Sequence[Counted]) -> type[Number]:
    return _TYPES[max(_TYPES.index(type(value)) for value, _ in group)]


def _sum(group: Sequence[Counted]) -> float:
    """`math.fsum`, the correctly rounded sum, where there are infinities too."""
    doubles: list[tuple[float, int]] = [(promoted(value, float), times) for value, times in group]
    special = [value for value, _ in doubles if not math.isfinite(value)]
    if special:
        return sum(special)
    try:
        return math.fsum(_multiples(doubles, 0))
    except OverflowError:
        return math.copysign(math.inf, math.fsum(_multiples(doubles, -64)))


def _multiples(doubles: Sequence[tuple[float, int]], scale: int) -> Iterator[float]:
    """Numbers whose sum is that of all occurrences, times 2 to the power of `scale`: for each digit
    of how often a value occurs an exact one."""
    for value, times in doubles:
        for place in range(times.bit_length()):
            if times >> place & 1:
                yield math.ldexp(value, place + scale)
