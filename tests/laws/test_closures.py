"""Closures that are kept as such equal the naive oracle after every step, however they are kept:
where they feed each other, where other rules read, deny or count them, where what they derive feeds
them, and where rules and axioms come and go that make relations closures.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed, and
`python -c "from laws.checking import check_closures; check_closures(range(SEED, SEED + 1))"` with
`tests` on the path repeats it alone.
"""

from __future__ import annotations

import pytest

from laws.checking import ONE_IN, check_closures

SLICE = 0, 10
KEPT = 0.3
"""Of the steps of all configurations after which relations are kept as closures, at least."""
LINEAR = 0.05
"""The same for closures that depend on themselves."""


def test_closures_equal_the_oracle(pytestconfig: pytest.Config) -> None:
    long = pytestconfig.getoption("--long")
    start, count = long or SLICE
    one_in = 1 if long else ONE_IN
    met = check_closures(range(start, start + count), one_in)
    assert met["closed"] >= KEPT * met["steps"] * 6 / one_in
    assert met["linear"] >= LINEAR * met["steps"] * 6 / one_in
