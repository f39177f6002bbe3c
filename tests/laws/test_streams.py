"""Streams equal the oracle after every update: with look-ahead and without, from sources of every
kind, while something else changes the knowledge base in between.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed.
"""

from __future__ import annotations

import pytest

from laws.streaming import check_streams

SLICE = 0, 6


def test_streams_equal_the_oracle(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    met = check_streams(range(start, start + count))
    assert met["marked"] > 20 * count
    assert met["noted"] > 5 * count
