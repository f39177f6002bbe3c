"""Runs rdflib's own tests with rdfinc as rdflib's default store, and compares with Memory.

    python tests/rdflib_store/run_rdflib_suite.py path/to/rdflib-7.6.0 [test files…]

The path is an unpacked source distribution (`pip download --no-binary :all: --no-deps rdflib`);
without test files, those named in PATHS run. They run three times: with rdflib's Memory, with
`RdfincStore(profile="none")` and with `RdfincStore()`. Every test that passes with Memory must
pass with ours, or be listed with its reason in `suite_exceptions.txt`; a listed test that passes
is an error as well. Tests that need the network are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
EXCEPTIONS = HERE / "suite_exceptions.txt"
STORES = {"none": 'RdfincStore(profile="none")', "default": "RdfincStore()"}
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
PASSED = ("passed", "xpassed")


@dataclass(frozen=True)
class Outcomes:
    """What became of every test under one store: id -> outcome, and why tests failed."""

    outcomes: dict[str, str]
    failures: dict[str, str]

    def passed(self) -> set[str]:
        return {test for test, outcome in self.outcomes.items() if outcome in PASSED}

    def __str__(self) -> str:
        counts = Counter(self.outcomes.values())
        return ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))


@dataclass(frozen=True)
class Exceptions:
    """Tests that pass with Memory and need not pass with a store; `*` in an id is any text."""

    reasons: dict[str, str]

    @classmethod
    def of(cls, store: str, version: str = "") -> Exceptions:
        """Those listed for `store`, or for both stores, with a version of rdflib."""
        reasons: dict[str, str] = {}
        meant = reason = ""
        for line in EXCEPTIONS.read_text().splitlines():
            if line.startswith("    "):
                which, _, release = meant.partition(" ")
                if which in (store, "both") and version.startswith(release):
                    reasons[line.strip()] = reason
            elif line and not line.startswith("#"):
                meant, _, reason = line.partition(": ")
        return cls(reasons)

    def matching(self, tests: Iterable[str]) -> dict[str, set[str]]:
        """pattern -> those of the tests that it matches."""
        expressions = {p: re.escape(p).replace(r"\*", ".*") for p in self.reasons}
        tests = list(tests)
        return {
            pattern: {test for test in tests if re.fullmatch(expression, test)}
            for pattern, expression in expressions.items()
        }


@dataclass(frozen=True)
class Comparison:
    """One store beside Memory."""

    store: str
    memory: Outcomes
    ours: Outcomes
    version: str = ""

    def lost(self) -> set[str]:
        """The tests that pass with Memory and not with ours."""
        return self.memory.passed() - self.ours.passed()

    def gained(self) -> set[str]:
        return self.ours.passed() - self.memory.passed()

    def unexplained(self) -> set[str]:
        """Lost tests that no exception covers."""
        covered = Exceptions.of(self.store, self.version).matching(self.lost()).values()
        return self.lost().difference(*covered)

    def outdated(self) -> set[str]:
        """Exceptions that cover no lost test, though some test of that name ran."""
        exceptions, ran = Exceptions.of(self.store, self.version), self.ours.outcomes
        lost, known = exceptions.matching(self.lost()), exceptions.matching(ran)
        return {pattern for pattern in exceptions.reasons if known[pattern] and not lost[pattern]}

    def report(self) -> Iterator[str]:
        yield f"{STORES[self.store]}: {self.ours}"
        yield f"  {len(self.gained())} pass that fail with Memory, {len(self.lost())} the reverse:"
        exceptions = Exceptions.of(self.store, self.version)
        counts: Counter[str] = Counter()
        for pattern, tests in exceptions.matching(self.lost()).items():
            counts[exceptions.reasons[pattern]] += len(tests)
        for reason, count in counts.items():
            if count:
                yield f"  {count:4} {reason}"
        for test in sorted(self.unexplained()):
            yield f"  UNEXPLAINED {test}: {self.ours.failures.get(test, 'did not run')[:200]}"
        for pattern in sorted(self.outdated()):
            yield f"  PASSES, though listed: {pattern}"


def run(tree: Path, store: str, paths: Iterable[str] = PATHS) -> Outcomes:
    """All outcomes of rdflib's tests with one store as the default."""
    with tempfile.TemporaryDirectory() as directory:
        results = Path(directory) / "results.json"
        environment = dict(
            os.environ,
            PYTHONPATH=os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])),
            PYTHONHASHSEED="0",
            RDFINC_SUITE_STORE=store,
            RDFINC_SUITE_RESULTS=str(results),
        )
        command = [sys.executable, "-m", "pytest", "-p", "suite_plugin", "-p", "no:cacheprovider"]
        command += ["-q", "--no-header", "--tb=short", "-o", "addopts=", "-W", "ignore"]
        command += [f"--ignore-glob={pattern}" for pattern in NETWORK]
        done = subprocess.run(
            [*command, *paths],
            check=False,
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
        )
        if not results.exists():
            ended = f"rdflib's tests ended early (exit status {done.returncode})"
            raise RuntimeError(f"{ended}:\n{done.stdout}\n{done.stderr}")
        return Outcomes(**json.loads(results.read_text()))


def compare(tree: Path, paths: Iterable[str] = PATHS) -> list[Comparison]:
    paths = list(paths)
    memory = run(tree, "memory", paths)
    (version,) = re.findall(r'^version = "(.*)"', (tree / "pyproject.toml").read_text(), re.M)
    return [Comparison(store, memory, run(tree, store, paths), version) for store in STORES]


def main() -> int:
    parser = argparse.ArgumentParser(description="rdflib's tests with rdfinc as the default store")
    parser.add_argument("tree", type=Path, help="an unpacked rdflib source distribution")
    parser.add_argument("paths", nargs="*", default=PATHS, help="test files, seen from there")
    arguments = parser.parse_args()
    comparisons = compare(arguments.tree, arguments.paths)
    print(f"Memory: {comparisons[0].memory}")
    for comparison in comparisons:
        print("\n".join(comparison.report()))
    return any(c.unexplained() or c.outdated() for c in comparisons)


if __name__ == "__main__":
    sys.exit(main())
