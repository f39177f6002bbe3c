"""Aggregates of many groups at once, by ids: a term is looked at once, however often it occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.datalog.clause import FoldValues, Ids
from rdfinc.datalog.model import Expression, Value
from rdfinc.terms.builtins.numeric import is_nan
from rdfinc.terms.builtins.values import value_of
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.expressions.aggregates import aggregate, place
from rdfinc.terms.expressions.exact_sums import is_number
from rdfinc.terms.expressions.expression import evaluate

Terms = Callable[[Sequence[Ids]], "list[bytes | None]"]
Column = NDArray[np.uint32]
Groups = NDArray[np.intp]


def folding(value: Value, dictionary: Dictionary) -> FoldValues:
    """The values of an aggregate for groups of solutions (see `rdfinc.datalog.clause.Fold`)."""
    expression, function = value.expression, value.function
    is_variable = expression is not None and _is_variable(expression)
    generally = partial(_one_by_one, value, _terms(expression, dictionary), dictionary)
    if function == "COUNT" and (is_variable or expression is None) and not value.distinct:
        return partial(_counts, dictionary)
    if is_variable and not value.distinct and function in ("MIN", "MAX", "MEDIAN"):
        return partial(_placed, function, dictionary, generally)
    return generally


def _is_variable(expression: Expression) -> bool:
    return bool(expression.variables) and expression.text == str(expression.variables[0])


def _terms(expression: Expression | None, dictionary: Dictionary) -> Terms:
    """The value of an expression for each of some rows."""
    decode = dictionary.decode
    if expression is None:
        return lambda rows: [b""] * len(rows)
    if _is_variable(expression):
        return lambda rows: [decode(id) for (id,) in rows]
    return lambda rows: evaluate(expression, [tuple(dictionary.decode_many(r)) for r in rows])


def _one_by_one(
    value: Value, terms: Terms, dictionary: Dictionary, starts: Groups, columns: Sequence[Column]
) -> list[int | None]:
    """Group by group, from the terms of all its solutions."""
    size = columns[0].size
    rows = list(zip(*(column.tolist() for column in columns[1:]), strict=True)) or [()] * size
    found = []
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), size], strict=True):
        result = aggregate(
            value.function, Counter(terms(rows[start:stop])), distinct=value.distinct
        )
        found.append(None if result is None else dictionary.encode(result))
    return found


def _counts(dictionary: Dictionary, starts: Groups, columns: Sequence[Column]) -> list[int | None]:
    """How many solutions each group has."""
    sizes = np.diff(starts, append=columns[0].size).tolist()
    ids = {size: dictionary.encode(_count(size)) for size in set(sizes)}
    return [ids[size] for size in sizes]


def _count(size: int) -> bytes:
    found = aggregate("COUNT", {b"": size}, distinct=False)
    assert found is not None
    return found


def _placed(
    function: str,
    dictionary: Dictionary,
    generally: FoldValues,
    starts: Groups,
    columns: Sequence[Column],
) -> list[int | None]:
    """The least, greatest or middle term of each group, in SPARQL's order."""
    ids, which = np.unique(columns[1], return_inverse=True)
    terms = [dictionary.decode(id) for id in ids.tolist()]
    values = list(map(value_of, terms))
    numbers = [value for value in values if is_number(value)]
    if any(map(is_nan, numbers)) or (function == "MEDIAN" and len(numbers) < len(values)):
        return generally(starts, columns)
    places = list(map(place, terms))
    order = sorted(range(len(terms)), key=lambda i: (places[i], terms[i]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    stops = np.append(starts[1:], columns[0].size)
    owner = np.repeat(np.arange(starts.size), stops - starts)
    ranked = np.sort(owner * len(order) + rank[which]) % len(order)
    if function == "MEDIAN":
        return _medians(dictionary, [terms[i] for i in order], ranked, starts, stops)
    chosen = ranked[starts] if function == "MIN" else _least_equal(places, order)[ranked[stops - 1]]
    found: list[int | None] = ids[np.array(order)[chosen]].tolist()
    return found


def _least_equal(places: Sequence[tuple[Any, ...]], order: Sequence[int]) -> Groups:
    """For each term in order the first one of an equal place."""
    first = list(range(len(order)))
    for i in range(1, len(order)):
        if places[order[i]] == places[order[i - 1]]:
            first[i] = first[i - 1]
    return np.array(first, np.intp)


def _medians(
    dictionary: Dictionary, terms: Sequence[bytes], ranked: Groups, starts: Groups, stops: Groups
) -> list[int | None]:
    """The middle of the numbers in order, or the average of the two in the middle."""
    sizes = stops - starts
    low = ranked[starts + (sizes - 1) // 2].tolist()
    high = ranked[starts + sizes // 2].tolist()
    both = zip(low, high, (sizes % 2).tolist(), strict=True)
    middles = [(one,) if odd else (one, other) for one, other, odd in both]
    ids: dict[tuple[int, ...], int | None] = {}
    for middle in dict.fromkeys(middles):
        result = aggregate("MEDIAN", Counter(terms[i] for i in middle), distinct=False)
        ids[middle] = None if result is None else dictionary.encode(result)
    return [ids[middle] for middle in middles]
