"""Things with several names, kept once or each for itself: what is shown equals the naive oracle
after every step, where links come and go, where rules tell equals apart, make, count or deny them,
and where what is equal stands for relations.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed, and
`python -c "from laws.checking import check_equality; check_equality(range(SEED, SEED + 1))"` with
`tests` on the path repeats it alone.
"""

from __future__ import annotations

import pytest

from laws.checking import CLOSURES, ONE_IN, check_equality

SLICE = 0, 5
KEPT = 0.2
"""Of the steps of all configurations that may, those after which facts are about representatives,
at least."""


def test_equality_equals_the_oracle(pytestconfig: pytest.Config) -> None:
    long = pytestconfig.getoption("--long")
    start, count = long or SLICE
    one_in = 1 if long else ONE_IN
    met = check_equality(range(start, start + count), one_in)
    assert met["rewritten"] >= KEPT * met["steps"] * len(CLOSURES) / one_in
