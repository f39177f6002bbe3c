"""Runs rdflib's own tests with rdfinc as rdflib's default store, and compares with Memory.

    python tests/rdflib_store/run_rdflib_suite.py path/to/rdflib-7.6.0

The path is an unpacked source distribution (`pip download --no-binary :all: --no-deps rdflib`).
The tests run three times: with rdflib's Memory, with `RdfincStore(profile="none")` and with
`RdfincStore()`. Every test that passes with Memory must pass with ours, or be listed with its
reason in `suite_exceptions.toml`; a listed test that passes is reported as well.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
STORES = {"memory": "Memory", "none": 'RdfincStore(profile="none")', "default": "RdfincStore()"}
PATHS = (
    "test/test_store",
    "test/test_graph",
    "test/test_dataset",
    "test/test_conjunctivegraph",
    "test/test_sparql",
    "test/test_w3c_spec",
    "test/test_n3.py",
    "test/test_trig.py",
    "test/test_path.py",
    "test/test_having.py",
    "test/test_roundtrip.py",
    "test/test_skolem_genid.py",
    "test/test_namespace",
    "test/test_parsers",
    "test/test_serializers",
    "test/test_issues",
)
NETWORK = ("test/test_store/test_store_sparql*", "*test_graph_http*", "*test_service*")


@dataclass(frozen=True)
class Outcomes:
    """What became of every test under one store: id -> outcome, and why tests failed."""

    outcomes: dict[str, str]
    failures: dict[str, str]

    def passed(self) -> set[str]:
        return {test for test, outcome in self.outcomes.items() if outcome in ("passed", "xpassed")}

    def failed(self) -> set[str]:
        return set(self.failures)


def run(tree: Path, store: str, paths: tuple[str, ...] = PATHS) -> Outcomes:
    """All outcomes of rdflib's tests with one store as the default."""
    with tempfile.TemporaryDirectory() as directory:
        results = Path(directory) / "results.json"
        environment = dict(
            os.environ,
            PYTHONPATH=os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
            RDFINC_SUITE_STORE=store,
            RDFINC_SUITE_RESULTS=str(results),
        )
        command = [sys.executable, "-m", "pytest", "-p", "suite_plugin", "-p", "no:cacheprovider"]
        command += ["-q", "--no-header", "--tb=short", "-o", "addopts=", "-W", "ignore"]
        command += [f"--ignore-glob={pattern}" for pattern in NETWORK]
        subprocess.run([*command, *paths], cwd=tree, env=environment, capture_output=True)
        return Outcomes(**json.loads(results.read_text()))


def read_exceptions() -> dict[str, list[str]]:
    """reason -> patterns of test ids, from the list beside this file."""
    try:
        import tomllib
    except ModuleNotFoundError:
        ...
    return {}
