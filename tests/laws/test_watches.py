"""Those who watch a random query are told exactly the difference of two evaluations, after every
random request, over plain and derived facts.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed.
"""

from __future__ import annotations

import pytest

from laws.watching import check_watches

SLICE = 0, 15

pytestmark = pytest.mark.filterwarnings("ignore")


def test_watches_tell_the_difference_of_two_evaluations(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    met = check_watches(range(start, start + count))
    assert met["watched"] > met["refused"] / 2
    assert met["changed"] > met["watched"] / 2
