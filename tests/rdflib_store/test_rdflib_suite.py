"""rdflib's own tests with our store as its default; see run_rdflib_suite.py.

`RDFINC_RDFLIB_SOURCE` names an unpacked rdflib source distribution; without it this is skipped.
Set `RDFINC_RDFLIB_TESTS` to test files (separated by spaces) to run some of them only.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rdflib_store.run_rdflib_suite import PATHS, STORES, Comparison, Exceptions, Outcomes, compare

SOURCE = os.environ.get("RDFINC_RDFLIB_SOURCE", "")
CHOSEN = os.environ.get("RDFINC_RDFLIB_TESTS", "").split() or PATHS


@pytest.mark.skipif(not SOURCE, reason="RDFINC_RDFLIB_SOURCE names no rdflib source tree")
def test_tests_that_pass_with_memory_pass_with_ours() -> None:
    for comparison in compare(Path(SOURCE), CHOSEN):
        print("\n".join(comparison.report()))
        assert not comparison.unexplained()
        assert not comparison.outdated()


@pytest.mark.parametrize("store", STORES)
def test_every_exception_has_a_reason(store: str) -> None:
    exceptions = Exceptions.of(store)
    assert exceptions.reasons
    for pattern, reason in exceptions.reasons.items():
        assert pattern.startswith("test/")
        assert len(reason) > 20


def test_a_lost_test_needs_an_exception_and_a_found_one_none() -> None:
    listed = next(iter(Exceptions.of("none").reasons)).replace("*", "x")
    memory = Outcomes({listed: "passed", "test/a": "passed", "test/b": "xfailed"}, {})
    ours = Outcomes({listed: "failed", "test/a": "failed", "test/b": "xpassed"}, {"test/a": "why"})
    comparison = Comparison("none", memory, ours)
    assert comparison.unexplained() == {"test/a"}
    assert comparison.gained() == {"test/b"}
    assert not comparison.outdated()
    assert "UNEXPLAINED test/a: why" in "\n".join(comparison.report())
    fixed = Comparison("none", memory, Outcomes({listed: "passed", "test/a": "passed"}, {}))
    assert not fixed.unexplained()
    assert fixed.outdated()
