"""Every configuration equals the naive oracle after every step of random update sequences, and
these ask for more than following a fact's consequences once.

The sequences are shared out among processes. `--long START:COUNT` runs others than the slice for
CI; a failure names its seed, and `python -c "from laws.checking import check_seeds;
check_seeds(range(SEED, SEED + 1))"` with `tests` on the path repeats it alone.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest

from laws.checking import check_seeds

SLICE = 10, 10
ONE_IN = 4
"""There are twice as many configurations as for other laws."""
LEAST = {"kept": 0.3, "recursive": 0.2, "axioms": 0.1, "negation": 0.15, "aggregate": 0.1}
"""Which part of the deletions asks at least for what (see `laws.demands`)."""
BATCH = 5


def test_every_configuration_equals_the_oracle(
    pytestconfig: pytest.Config, met: Counter[str]
) -> None:
    long = pytestconfig.getoption("--long")
    start, count = long or SLICE
    batches = [range(start, start + count)[at : at + BATCH] for at in range(0, count, BATCH)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawn) as pool:
        checked = partial(check_seeds, one_in=1 if long else ONE_IN)
        for found in pool.map(checked, batches):  # the first failure cancels what waits
            met += found
    for what, least in LEAST.items():
        assert count < SLICE[1] or met[what] >= least * met["deletions"], what
    assert count < SLICE[1] or 0 < met["refused"] < 0.05 * met["steps"]
