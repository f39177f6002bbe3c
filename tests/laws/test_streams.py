"""Streams equal the oracle after every update: with look-ahead and without, from sources of every
kind, while something else changes the knowledge base in between.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed.
"""

from __future__ import annotations

import pytest

from laws.checking import ONE_IN
from laws.streaming import check_streams

SLICE = 0, 6


def test_streams_equal_the_oracle(pytestconfig: pytest.Config) -> None:
    long = pytestconfig.getoption("--long")
    start, count = long or SLICE
    one_in = 1 if long else ONE_IN
    met = check_streams(range(start, start + count), one_in)
    assert met["marked"] > 20 * count / one_in
    assert met["noted"] > 5 * count / one_in
