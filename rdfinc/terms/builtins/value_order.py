"""Literals in the order of their values, to look up those between two values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from rdfinc.terms.builtins.value_arrays import (
    DATE,
    DATE_TIME,
    DECIMAL,
    DOUBLE,
    INTEGER,
    SINGLE,
    TIME,
    VALUE,
    TypedValues,
)

Ids = npt.NDArray[np.uint32]
Array = npt.NDArray[Any]

NUMBERS, MOMENTS = (INTEGER, DECIMAL, SINGLE, DOUBLE), (DATE, TIME, DATE_TIME)

_RELATIVE, _ABSOLUTE, _LARGEST = 1e-6, 1e-30, 1e30
"""How far numbers that compare as equal are from each other at most, as doubles: what is promoted
to a single loses most, beside numbers that are not too large for one."""


class Line(Struct, frozen=True):
    """Ids in the order of some positions: `ids[i]` is at `positions[i]`."""

    positions: Array
    ids: Ids = field(default_factory=lambda: np.empty(0, np.uint32))

    def merged(self, positions: Array, ids: Ids) -> Line:
        """With other ids, at some positions. O(n + m log m) for m of these."""
        order = np.argsort(positions, kind="stable")
        at = np.searchsorted(self.positions, positions[order], "right")
        return Line(
            np.insert(self.positions, at, positions[order]), np.insert(self.ids, at, ids[order])
        )

    def between(self, low: Any, high: Any) -> Ids:
        """The ids from one position up to another; None is no bound. O(log n)."""
        first = None if low is None else np.searchsorted(self.positions, low, "left")
        last = None if high is None else np.searchsorted(self.positions, high, "right")
        return self.ids[first:last]


class ValueOrder(Struct, frozen=True):
    """The ids of some terms; numbers and points in time among them in the order of their values as
    doubles and microseconds, which is nearly that of their values; and those of values that no
    array holds. 16 bytes an id. It holds as long as no id was forgotten (`epoch`)."""

    epoch: int
    known: Ids = field(default_factory=lambda: np.empty(0, np.uint32))
    numbers: Line = field(default_factory=lambda: Line(np.empty(0, np.float64)))
    moments: Line = field(default_factory=lambda: Line(np.empty(0, np.int64)))
    others: Ids = field(default_factory=lambda: np.empty(0, np.uint32))
    moment_kinds: frozenset[int] = frozenset()

    def extended(self, ids: Ids, values: TypedValues) -> ValueOrder:
        """With terms that it does not know as yet, and what they denote. O(n + m log m) for m of
        them."""
        numbers, moments = (np.isin(values.kinds, kinds) for kinds in (NUMBERS, MOMENTS))
        positions = _doubles(values.at(numbers))
        is_number = ~np.isnan(positions)
        return ValueOrder(
            self.epoch,
            np.sort(np.concatenate([self.known, ids])),
            self.numbers.merged(positions[is_number], ids[numbers][is_number]),
            self.moments.merged(values.numbers[moments], ids[moments]),
            np.concatenate([self.others, ids[values.kinds == VALUE]]),
            self.moment_kinds | values.kinds_there.intersection(MOMENTS),
        )

    def within(self, comparisons: Sequence[tuple[str, TypedValues]]) -> Ids | None:
        """All terms for which some comparisons may hold together, and perhaps others; None where
        the order does not tell. A comparison is a sign and one value."""
        bounds: list[tuple[Line, Callable[[TypedValues], tuple[Any, Any] | None]]]
        bounds = [(self.numbers, _number), (self.moments, _moment)]
        for line, bound in bounds:
            placed = [(sign, bound(value)) for sign, value in comparisons]
            known = [(sign, *at) for sign, at in placed if at is not None]
            if known:
                lowest = [at - margin for sign, at, margin in known if sign not in ("<", "<=")]
                highest = [at + margin for sign, at, margin in known if sign not in (">", ">=")]
                found = line.between(max(lowest, default=None), min(highest, default=None))
                return np.concatenate([found, self.others])
        return None

    def least(self, count: int) -> Ids | None:
        """So many terms with the least values, and all whose values may be as low; None where not
        all are numbers, or points in time of one kind, and where there are not so many."""
        line = self._line(count)
        return None if line is None else line.between(None, _above(line.positions[count - 1]))

    def greatest(self, count: int) -> Ids | None:
        """Likewise with the greatest."""
        line = self._line(count)
        return None if line is None else line.between(-_above(-line.positions[-count]), None)

    def _line(self, count: int) -> Line | None:
        """That on which all terms are, if there are so many."""
        lines = [self.numbers, *([self.moments] if len(self.moment_kinds) == 1 else [])]
        for line in lines:
            if count <= len(line.ids) == len(self.known):
                return line
        return None


def _above(position: Any) -> Any:
    """Where values are at most that are equal to one at a position."""
    if not isinstance(position, np.floating):
        return position
    return position + abs(position) * _RELATIVE + _ABSOLUTE


def _number(value: TypedValues) -> tuple[float, float] | None:
    """Where a number stands, and how far from it numbers are at most that may be equal to it; None
    for other values, and for what is too large."""
    if value.kinds[0] not in NUMBERS:
        return None
    at = _doubles(value)[0].item()
    return (at, abs(at) * _RELATIVE + _ABSOLUTE) if abs(at) < _LARGEST else None


def _moment(value: TypedValues) -> tuple[int, int] | None:
    """Likewise for a point in time. One without a zone is before another only if it is wherever its
    clock is, in UTC, too."""
    return (value.numbers[0].item(), 0) if value.kinds[0] in MOMENTS else None


def _doubles(numbers: TypedValues) -> npt.NDArray[np.float64]:
    """Numbers as doubles, integers and decimals rounded."""
    exact = np.isin(numbers.kinds, (INTEGER, DECIMAL))
    tens = 10.0 ** np.where(exact, numbers.extras, 0)
    return np.where(exact, numbers.numbers / tens, numbers.doubles)
