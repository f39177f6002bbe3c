"""Every configuration equals the naive oracle after every step of random update sequences.

The sequences are shared out among processes. `--long START:COUNT` runs others than the slice for
CI; a failure names its seed, and `python -c "from laws.checking import check_seeds;
check_seeds(range(SEED, SEED + 1))"` with `tests` on the path repeats it alone.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import pytest

from laws.checking import check_seeds

SLICE = 0, 30
LEAST = {"kept": 0.3, "recursive": 0.2, "axioms": 0.1, "negation": 0.15, "aggregate": 0.1}
"""Which part of the deletions asks at least for what (see `laws.demands`)."""
BATCH = 10


def batches(config: pytest.Config) -> list[range]:
    start, count = config.getoption("--long") or SLICE
    return [range(first, first + BATCH) for first in range(start, start + count, BATCH)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seeds" in metafunc.fixturenames:
        metafunc.parametrize("seeds", batches(metafunc.config), ids=str)


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest) -> Iterator[dict[range, Future[Counter[str]]]]:
    """The batches that were asked for, at work."""
    asked = [i.callspec.params["seeds"] for i in request.session.items if hasattr(i, "callspec")
             and "seeds" in i.callspec.params]  # fmt: skip
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawn) as pool:
        yield {seeds: pool.submit(check_seeds, seeds) for seeds in asked}
        pool.shutdown(cancel_futures=True)


def test_every_configuration_equals_the_oracle(
    seeds: range, results: dict[range, Future[Counter[str]]], met: Counter[str]
) -> None:
    met += results[seeds].result()


def test_the_sequences_are_demanding(met: Counter[str]) -> None:
    """Of the deletions many need more than following a fact's consequences once."""
    if met["deletions"] < 100:
        pytest.skip("only after the sequences above")
    for what, least in LEAST.items():
        assert met[what] >= least * met["deletions"], what
    assert 0 < met["refused"] < 0.05 * met["steps"]
