"""Random programs that compute with integers, level by level, until these are longer than an int64
and than what is computed at all; and what follows from them, by Python's integers.

A rule's own function stands beside its text: no part of the engine is asked what a value is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

XSD = "http://www.w3.org/2001/XMLSchema#"
BITS = 1200
"""Of a computed integer, unless one of its operands has more."""

LEVELS = 5
NAMES = [f"<urn:x:{name}>" for name in "ab"]

Fact = tuple[str, str, str]
Compute = Callable[[int, int], "int | None"]


def bounded(value: int, *operands: int) -> int | None:
    most = max(BITS, *(operand.bit_length() for operand in operands))
    return value if value.bit_length() <= most else None


def _added(n: int, k: int) -> int | None:
    return bounded(n + k, n, k)


def _less(n: int, k: int) -> int | None:
    return bounded(n - k, n, k)


def _times(n: int, k: int) -> int | None:
    return bounded(n * k, n, k)


def _square_and_one(n: int, k: int) -> int | None:
    square = _times(n, n)
    return None if square is None else _added(square, 1)


def _joined(n: int, k: int) -> int:
    return int(f"{n}{abs(k)}")


def _otherwise(n: int, k: int) -> int:
    product = _times(n, k)
    return 7 if product is None else product


COMPUTED: dict[str, Compute] = {
    "?n + ?k": _added,
    "?n - ?k": _less,
    "?n * ?k": _times,
    "?n * ?n + 1": _square_and_one,
    "xsd:integer(CONCAT(STR(?n), STR(ABS(?k))))": _joined,
    "COALESCE(?n * ?k, 7)": _otherwise,
    "IF(?n < ?k, ?k - ?n, ?n - ?k)": lambda n, k: _less(max(n, k), min(n, k)),
}
CONDITIONS: dict[str, Callable[[int, int], bool]] = {
    "?n <= ?k": lambda n, k: n <= k,
    "?n != ?k": lambda n, k: n != k,
    "?n = ?k || ?n > 18446744073709551616": lambda n, k: n == k or n > 2**64,
    "?n NOT IN (?k, 1)": lambda n, k: n not in (k, 1),
    "isNumeric(?n) && !(?n - ?k < 0)": lambda n, k: _is_less(n, k) is False,
}


def _is_less(n: int, k: int) -> bool | None:
    difference = _less(n, k)
    return None if difference is None else difference < 0


@dataclass(frozen=True)
class Rule:
    """The values of a level by those of two lower ones."""

    level: int
    first: int
    second: int
    value: str
    condition: str

    def __str__(self) -> str:
        return (
            f"[?x, {relation(self.level)}, ?m] :- [?x, {relation(self.first)}, ?n],"
            f" [?x, {relation(self.second)}, ?k], FILTER({self.condition}),"
            f" BIND({self.value} AS ?m) ."
        )

    def results(self, values: dict[int, set[int]]) -> Iterator[int]:
        for n in values[self.first]:
            for k in values[self.second]:
                found = COMPUTED[self.value](n, k) if CONDITIONS[self.condition](n, k) else None
                if found is not None:
                    yield found


def relation(level: int) -> str:
    return f"<urn:x:level{level}>"


def fact(name: str, level: int, value: int) -> Fact:
    return name, relation(level), f'"{value}"^^<{XSD}integer>'


def random_rules(rnd: random.Random) -> list[Rule]:
    """One for each level, which reads the one below and what is stated, or that level only."""
    return [
        Rule(
            level,
            level - 1,
            rnd.choice((0, level - 1)),
            rnd.choice([*COMPUTED]),
            rnd.choice([*CONDITIONS]),
        )
        for level in range(1, LEVELS)
    ]


def random_number(rnd: random.Random) -> int:
    return rnd.choice((1, 1, -1)) * rnd.randrange(1, 10 ** rnd.choice((1, 8, 9, 10, 18, 19, 40)))


def closure(rules: list[Rule], stated: set[tuple[str, int]]) -> set[Fact]:
    """What follows of the numbers that are stated."""
    found: set[Fact] = set()
    for name in NAMES:
        values: dict[int, set[int]] = {0: {n for x, n in stated if x == name}}
        for level in range(1, LEVELS):
            here = [rule for rule in rules if rule.level == level]
            values[level] = {value for rule in here for value in rule.results(values)}
        found |= {fact(name, level, n) for level, some in values.items() for n in some}
    return found
