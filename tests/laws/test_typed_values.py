"""Columns of values are compared, put in order, computed and summed as their values one by one."""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from rdfinc.plugins.sparql.columns import term_values, typed_columns
from rdfinc.plugins.sparql.columns.outcomes import ERROR, FALSE, TRUE
from rdfinc.plugins.sparql.columns.term_columns import KeyColumn
from rdfinc.plugins.sparql.expressions import comparisons
from rdfinc.plugins.sparql.expressions.query_functions import FUNCTIONS
from rdfinc.terms.builtins import numeric
from rdfinc.terms.builtins.calendar import Moment
from rdfinc.terms.builtins.value_arrays import NOTHING, TypedValues, ValueArrays, typed
from rdfinc.terms.builtins.value_order import ValueOrder
from rdfinc.terms.builtins.values import NoValue, Single, key_of, value_of
from rdfinc.terms.expressions.exact_sums import mean, total

WHOLE = [0, 1, -1, 7, -7, 1000, (1 << 53) - 1, 1 << 53, -(1 << 53) - 1, 10**18, (1 << 62) - 1]
WHOLE += [(1 << 63) - 1, 1 << 63, -(1 << 63), 10**30]
DECIMALS = [
    "0",
    "-0.0",
    "1.50",
    "-2.25",
    "0.000000000000000001",
    "-0.000000000000000003",
    "9007199254.740993",
]
DECIMALS += [
    "123456789012345678",
    "99999.9",
    "0.1",
    "0.10",
    "1234567890123456789.5",
    "1e3",
    "0.0000000000000000001",
]
DOUBLES = [
    0.0,
    -0.0,
    0.1,
    1.5,
    -7.0,
    9007199254740992.0,
    1e308,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
]
ZONES = ["", "Z", "+05:30", "-14:00"]
DAYS = [
    "1969-12-31",
    "1970-01-01",
    "2000-02-29",
    "1900-03-01",
    "-0001-01-01",
    "2024-12-31",
    "250000-06-15",
]
CLOCKS = ["00:00:00", "23:59:59.999999", "11:30:00.5", "12:00:00.0000001", "12:00:00.0000002"]


def whole(chance: random.Random) -> int:
    return chance.choice(
        [chance.choice(WHOLE), chance.randint(-9, 9), chance.randint(-(10**9), 10**9)]
    )


def decimal(chance: random.Random) -> Decimal:
    own = Decimal(chance.randint(-(10**6), 10**6)).scaleb(-chance.randint(0, 6))
    return chance.choice([Decimal(chance.choice(DECIMALS)), own])


def double(chance: random.Random) -> float:
    return chance.choice([chance.choice(DOUBLES), chance.randint(-9, 9) / 4])


def moment(kind: str, zones: list[str]) -> Callable[[random.Random], Moment]:
    def made(chance: random.Random) -> Moment:
        date, clock = chance.choice([DAYS[0], chance.choice(DAYS)]), chance.choice(CLOCKS)
        text = {"date": date, "time": clock, "dateTime": f"{date}T{clock}"}[kind]
        iri = f"http://www.w3.org/2001/XMLSchema#{kind}"
        return value_of(f'"{text}{chance.choice(zones)}"^^<{iri}>'.encode())

    return made


Make = Callable[[random.Random], Any]
KINDS: list[Make] = [
    whole,
    decimal,
    double,
    lambda chance: Single(double(chance)),
    lambda chance: chance.random() < 0.5,
    *(moment(kind, zones) for kind in ("date", "time", "dateTime") for zones in ([""], ZONES[1:])),
    moment("dateTime", ZONES),
    lambda chance: chance.choice(["", "a", "b", "ab"]),
]


def column(chance: random.Random, size: int) -> list[Any]:
    """Values of a kind or two; some are missing."""
    kinds = [chance.choice(KINDS[:3]), chance.choice(KINDS)][: chance.choice((1, 1, 2))]
    kinds = kinds if chance.random() < 0.6 else [chance.choice(KINDS)]
    share = chance.choice((0, 0, 0.2))
    return [None if chance.random() < share else chance.choice(kinds)(chance) for _ in range(size)]


def paired(chance: random.Random) -> tuple[list[Any], list[Any]]:
    size = chance.randint(1, 8)
    one = column(chance, size)
    other = chance.choice([column(chance, size), chance.sample(one, size)])
    return one, other[:1] if chance.random() < 0.3 else other


SEEDS = range(60)
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": term_values.less,
    ">": lambda left, right: term_values.less(right, left),
    "<=": term_values.less_or_equal,
    ">=": lambda left, right: term_values.less_or_equal(right, left),
    "=": term_values.equal,
}
COMPARED = {"<": (term_values.less, operator.lt), "=": (term_values.equal, operator.eq)}


def outcome(function: Callable[..., Any], *values: Any) -> Any:
    """None for an error."""
    try:
        return None if None in values else function(*values)
    except (NoValue, ArithmeticError):
        return None


@pytest.mark.parametrize("seed", SEEDS)
def test_comparisons(seed: int) -> None:
    chance, covered = random.Random(seed), 0
    for _ in range(40):
        one, other = paired(chance)
        found = typed_columns.comparable(typed(one), typed(other))
        covered += found is not None
        for function, alike in COMPARED.values() if found else ():
            told = alike(*found)
            for i, left in enumerate(one):
                expected = outcome(function, left, other[i % len(other)])
                known = None not in (left, other[i % len(other)])
                assert not known or told[i] == expected, (left, other[i % len(other)])
    assert covered > 5


OTHERS = [
    b"<x:a>", b"<x:b>", b"_:a", b'"a"@en', b'"a"@de', b'"b"@en', b'"a"^^<x:own>', b'"b"^^<x:own>',
    *(
        f'"{text}"^^<http://www.w3.org/2001/XMLSchema#{name}>'.encode()
        for name, texts in {
            "token": "ab", "integer": "x", "duration": ("P1D", "P1M", "PT24H"),
            "hexBinary": ("FF",), "anyURI": "ab", "boolean": ("maybe", "1"),
            "dateTime": ("x",), "gYear": ("2000",),
        }.items()
        for text in texts
    ),
]  # fmt: skip
"""Terms that no array holds: nodes, tagged texts, literals of other datatypes, ill-typed ones."""


def mixed(chance: random.Random, rows: int) -> tuple[KeyColumn, list[bytes | None]]:
    """A column of terms of several kinds, and the term of each row."""
    some = [chance.choice(OTHERS) for _ in range(chance.randint(0, 4))]
    some += [None if each is None else key_of(each) for each in column(chance, 4)]
    if chance.random() < 0.4:
        return KeyColumn([some[0]], None), [some[0]] * rows
    places = np.array(chance.choices(range(len(some)), k=rows), np.intp)
    return KeyColumn(some, places), [some[place] for place in places.tolist()]


@pytest.mark.parametrize("seed", SEEDS)
def test_comparisons_of_columns_of_several_kinds(seed: int) -> None:
    chance, outcomes = random.Random(seed), {False: FALSE, None: ERROR, True: TRUE}
    signs = {**SIGNS, "!=": term_values.unequal}
    for _ in range(60):
        rows = chance.randint(1, 12)
        (one, left), (other, right) = mixed(chance, rows), mixed(chance, rows)
        values = [
            [None if key is None else value_of(key) for key in keys] for keys in (left, right)
        ]
        for sign, function in signs.items():
            found = comparisons.compared(sign, one, other)
            expected = [outcomes[outcome(function, *pair)] for pair in zip(*values, strict=True)]
            told = found.outcomes[found.at(rows)].tolist()
            assert told == expected, (sign, left, right)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_order_tells_all_that_a_comparison_holds_for(seed: int) -> None:
    """And no others among small integers but those that are bounds, nor any twice."""
    chance, told = random.Random(seed), 0
    for _ in range(40):
        values = [value for _ in range(4) for value in column(chance, 6)]
        is_simple = chance.random() < 0.2
        values = [chance.randint(-9, 9) for _ in values] if is_simple else values
        ids = np.array(chance.sample(range(1, 99), len(values)), np.uint32)
        order, start = ValueOrder(epoch=0), 0
        for end in (*sorted(chance.sample(range(len(values)), 2)), len(values)):
            order = order.extended(ids[start:end], typed(values[start:end]))
            start = end
        signs = [sign for sign in SIGNS if not is_simple or "=" in sign]
        bounds = [(chance.choice(signs), chance.choice(values)) for _ in range(2)]
        bounds = [(sign, value) for sign, value in bounds if value is not None]
        found = order.within([(sign, typed([value])) for sign, value in bounds])
        if found is None:
            continue
        met = {
            int(id)
            for id, value in zip(ids, values, strict=True)
            if all(outcome(SIGNS[sign], value, bound) for sign, bound in bounds)
        }
        assert met <= set(found.tolist()), (values, bounds)
        assert len(found) == len(met) if is_simple else len(found) == len(set(found.tolist()))
        told += len(met)
    assert told


@pytest.mark.parametrize("seed", SEEDS)
def test_order(seed: int) -> None:
    chance, covered = random.Random(seed), 0
    for _ in range(100):
        some = column(chance, 6)
        found = typed_columns.ordered(typed(some))
        covered += found is not None
        ranks = [] if found is None else [term_values.rank(key_of(each)) for each in some]
        for i, j in np.ndindex(len(ranks), len(ranks)):
            assert (found[i] < found[j]) == (ranks[i] < ranks[j]), (some[i], some[j])
    assert covered > 5


ARITHMETIC = {
    "+": numeric.add, "-": numeric.subtract, "*": numeric.multiply, "/": numeric.divide
}  # fmt: skip


def written(values: TypedValues) -> list[bytes | None]:
    keys = typed_columns.keys_of(values)
    read = [None if v is None else key_of(v) for v in typed_columns.numbers_of(values)]
    assert keys == read
    return keys


@pytest.mark.parametrize("seed", SEEDS)
def test_arithmetic(seed: int) -> None:
    """The same terms come out, also where results are computed with in turn."""
    chance, covered = random.Random(seed), 0
    for _ in range(40):
        one, other = paired(chance)
        values, columns = one, typed(one)
        for sign in chance.choices("+-*/", k=3):
            found = typed_columns.computed(sign, columns, typed(other))
            if found is None:
                break
            covered += 1
            pairs = [(left, other[i % len(other)]) for i, left in enumerate(values)]
            values = [outcome(ARITHMETIC[sign], *pair) for pair in pairs]
            expected = [None if value is None else key_of(value) for value in values]
            assert written(found) == expected, (sign, pairs)
            columns = found
    assert covered > 5


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_and_averages(seed: int) -> None:
    chance, covered = random.Random(seed), 0
    for _ in range(40):
        groups = [
            [chance.choice(KINDS[:2])(chance) for _ in range(chance.randint(1, 4))]
            for _ in range(chance.randint(1, 4))
        ]
        rows = [value for group in groups for value in group]
        times = [chance.choice((1, 1, 2, 1000)) for _ in rows]
        starts = np.cumsum([0, *map(len, groups[:-1])])

        def per_group(ufunc: np.ufunc, column: Any, starts: Any = starts) -> Any:
            return ufunc.reduceat(column, starts)

        found = typed_columns.totals(typed(rows), np.array(times), per_group)
        if found is None:
            continue
        covered += 1
        counted = list(zip(rows, times, strict=True))
        parts = [counted[a : a + len(group)] for a, group in zip(starts, groups, strict=True)]
        assert written(found) == [key_of(total(part)) for part in parts]
        averages = typed_columns.quotients(found, per_group(np.add, np.array(times)))
        assert written(averages) == [key_of(mean(part)) for part in parts]
    assert covered > 5


@pytest.mark.parametrize("name", ["YEAR", "MONTH", "DAY", "HOURS", "MINUTES"])
def test_parts_of_dates(name: str) -> None:
    chance, function, covered = random.Random(1), FUNCTIONS[name], 0
    for _ in range(300):
        some = [chance.choice((None, moment("dateTime", ZONES)(chance))) for _ in range(5)]
        found = function.typed(typed(some))
        covered += found is not None
        expected = [outcome(function.function, each) for each in some]
        assert found is None or typed_columns.numbers_of(found) == expected
    assert covered > 5


FORMS = [
    ["0", "-0", "+7", "007", "123456789012345678"],
    ["0.0", "-0.0", "+1.50", "007.1", "-1.000000001"],
]
ODD = [
    ["1234567890123456789", "x", "", "1\\n2", "1.0"],
    ["1", ".5", "2.", "0.0000000001", "1e3", "é"],
]


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("kind", [0, 1])
def test_many_numbers_are_read_together(kind: int, odd: bool) -> None:
    """Whether all are of one datatype and short, or not."""
    texts = [*FORMS[kind], *(str(n) if kind == 0 else f"{n}.{n}" for n in range(200))]
    for one in ODD[kind] if odd else [None]:
        datatype = f"http://www.w3.org/2001/XMLSchema#{('integer', 'decimal')[kind]}"
        given = texts if one is None else [*texts, one]
        keys = [f'"{text}"^^<{datatype}>'.encode() for text in given]
        found = ValueArrays(lambda ids, keys=keys: [keys[id] for id in ids]).of(
            np.arange(len(keys), dtype=np.uint32)
        )
        expected = typed([value_of(key) if key else None for key in keys])
        assert found.kinds.tolist() == expected.kinds.tolist()
        assert found.numbers.tolist() == expected.numbers.tolist()
        assert found.extras.tolist() == expected.extras.tolist()


def test_values_are_those_of_the_terms_that_ids_stand_for_now() -> None:
    """Also where ids are asked for in any order, come again for other terms, or are many."""
    chance = random.Random(1)
    terms = [b"", *(key_of(chance.choice(KINDS)(chance)) for _ in range(5000)), b"<x:a>", b"_:b"]
    arrays = ValueArrays(lambda ids: [terms[id] for id in ids])
    for _ in range(200):
        ids = np.array(chance.choices(range(len(terms)), k=chance.randint(0, 40)), np.uint32)
        found = arrays.of(ids)
        expected = typed([value_of(terms[id]) if terms[id] else None for id in ids.tolist()])
        assert found.kinds.tolist() == expected.kinds.tolist()
        assert found.numbers.tolist() == expected.numbers.tolist()
        assert found.extras.tolist() == expected.extras.tolist()
        assert all(
            (kind == NOTHING) == (id == 0) for kind, id in zip(found.kinds, ids, strict=True)
        )
        freed = np.array(chance.sample(range(1, len(terms)), 100), np.uint32)
        for id in freed.tolist():
            terms[id] = key_of(chance.choice(KINDS)(chance))
        arrays.forget(freed)
