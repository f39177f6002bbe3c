"""Aggregates of groups, by columns sorted by group: SUM, AVG, MIN, MAX, SAMPLE, GROUP_CONCAT.

A group with an error has no value, except for SAMPLE and GROUP_CONCAT, which pass over what has no
value. Sums of integers and decimals are exact, and found for all groups at once.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rdfinc.plugins.sparql.columns.solutions import Numbers
from rdfinc.plugins.sparql.columns.term_columns import IdColumn, sort_values
from rdfinc.plugins.sparql.columns.typed_columns import keys_of, quotients, totals
from rdfinc.tables.kernels import Indices, Mask
from rdfinc.terms.builtins.numeric import is_number
from rdfinc.terms.builtins.strings import LONGEST_TEXT
from rdfinc.terms.builtins.value_arrays import TypedValues
from rdfinc.terms.builtins.values import key_of, keys_of_texts
from rdfinc.terms.expressions.exact_sums import Counted, mean, total

Keys = list[bytes | None]
"""The value of an aggregate for each group, by its key."""


class GroupedColumn:
    """A column's rows in the order of their groups, each of which has one: group g has those from
    `starts[g]` on. `places` are the rows' entries, `times` how often a row occurs."""

    def __init__(self, column: IdColumn, groups: Numbers, times: Numbers, count: int) -> None:
        order = np.argsort(groups, kind="stable")
        self.column, self.times = column, times[order]
        self.places = column.at(groups.size)[order]
        self.starts = np.searchsorted(groups[order], np.arange(count))

    def per_group(self, ufunc: np.ufunc, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The rows of each group, folded."""
        return ufunc.reduceat(rows, self.starts) if len(self.starts) else rows[:0]

    def split(self, rows: npt.NDArray[Any]) -> list[list[Any]]:
        """The rows of each group."""
        listed, starts = rows.tolist(), self.starts.tolist()
        return [listed[start:stop] for start, stop in pairwise([*starts, len(listed)])]

    @property
    def known(self) -> Mask:
        """The groups without an error."""
        return self.per_group(np.logical_and, self.column.known[self.places])


def least(grouped: GroupedColumn) -> Keys:
    return _first(grouped, np.minimum)


def greatest(grouped: GroupedColumn) -> Keys:
    """Of terms of equal value the greatest."""
    return _first(grouped, np.maximum)


def _first(grouped: GroupedColumn, ufunc: np.ufunc) -> Keys:
    order = _in_order(grouped.column)
    ranks = np.empty(len(order), np.intp)
    ranks[order] = np.arange(len(order))
    found = order[grouped.per_group(ufunc, ranks[grouped.places])]
    return _keys(grouped.column, found, grouped.known)


def _in_order(column: IdColumn) -> Indices:
    """The entries by the order of results, those of equal value by their keys."""
    values = sort_values(column)
    if isinstance(values, np.ndarray):
        order = np.argsort(values, kind="stable")
        if (values[order[1:]] != values[order[:-1]]).all():
            return order
    pairs = list(zip(values, (key or b"" for key in column.keys), strict=True))
    return np.array(sorted(range(len(pairs)), key=pairs.__getitem__), np.intp)


def _keys(column: IdColumn, places: Indices, known: Mask) -> Keys:
    keys = column.keys
    return [
        keys[place] if is_known else None
        for place, is_known in zip(places.tolist(), known.tolist(), strict=True)
    ]


def sample(grouped: GroupedColumn) -> Keys:
    """The first term of each group that is one."""
    known = grouped.column.known[grouped.places]
    row = np.where(known, np.arange(known.size), known.size)
    first = grouped.per_group(np.minimum, row)
    places = np.append(grouped.places, 0)[first]
    return _keys(grouped.column, places, first < known.size)


def joined(grouped: GroupedColumn, separator: str | None) -> Keys:
    """The texts of each group, in the order of the rows. A blank node has none, and is an error as
    with STR; what would be too long is no value."""
    keys, texts = grouped.column.keys, grouped.column.lexical
    parts = grouped.split(grouped.places)
    between = " " if separator is None else separator
    read = texts.__getitem__
    if None in keys:
        parts = [[place for place in part if keys[place] is not None] for part in parts]
    beyond = LONGEST_TEXT + 1
    lengths = [beyond if text is None else len(text) + len(between) for text in texts]
    short = [sum(map(lengths.__getitem__, part)) <= LONGEST_TEXT for part in parts]
    found = keys_of_texts(
        [
            between.join(map(read, part)) if fits else ""
            for part, fits in zip(parts, short, strict=True)
        ]
    )
    return [key if fits else None for key, fits in zip(found, short, strict=True)]


def sums(grouped: GroupedColumn) -> Keys:
    found = _totals(grouped)
    return _one_by_one(total, grouped) if found is None else _known(grouped, found)


def averages(grouped: GroupedColumn) -> Keys:
    found = _totals(grouped)
    if found is None:
        return _one_by_one(mean, grouped)
    return _known(grouped, quotients(found, grouped.per_group(np.add, grouped.times)))


def _totals(grouped: GroupedColumn) -> TypedValues | None:
    rows = grouped.column.typed.at(grouped.places)
    return totals(rows, grouped.times, grouped.per_group)


def _known(grouped: GroupedColumn, values: TypedValues) -> Keys:
    keys = zip(keys_of(values), grouped.known.tolist(), strict=True)
    return [key if is_known else None for key, is_known in keys]


def _one_by_one(function: Callable[[list[Counted]], Any], grouped: GroupedColumn) -> Keys:
    values = grouped.column.values
    parts = zip(grouped.split(grouped.places), grouped.split(grouped.times), strict=True)
    return [_of_group(function, [values[place] for place in part], often) for part, often in parts]


def _of_group(
    function: Callable[[list[Counted]], Any], values: list[Any], times: list[int]
) -> bytes | None:
    if not all(map(is_number, values)):
        return None
    return key_of(function(list(zip(values, times, strict=True))))
