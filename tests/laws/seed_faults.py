"""Shows that the laws can fail: applies faults to copies of the engine, one at a time.

    python tests/laws/seed_faults.py [--jobs N] [--seconds S] [PART OF A MEANING ...]

For every fault in `faults.py` (or those whose meaning contains a given text) the package is copied
to a temporary directory, the fault applied there, and the laws are run on the copy until one of
them fails: a few random sequences, the named regressions, then random sequences for S seconds of
the processor. Prints which law caught each fault and after how long. Ends with an error if a fault
survives or no longer applies.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from laws.fault_places import faulty  # noqa: E402  (run as a script, `tests` is not on the path)
from laws.faults import FAULTS, Fault  # noqa: E402

SECONDS = 120
SURVIVED, LAPSED = "SURVIVED", "no longer applies"
_FILES = (
    "regressions_of_closures",
    "regressions_of_equality",
    "regressions_of_streams",
    "named_regressions",
    "depth_and_width",
    "reclaiming",
    "schema_terms",
    "explain",
    "why_not",
    "long_values",
    "typed_values",
    "hierarchies",
    "taken_over",
)
NAMED = tuple(f"tests/laws/test_{name}.py" for name in _FILES)
PLUGINS = ROOT / "plugins"
PACKAGES = ROOT / "rdfinc", PLUGINS
CONTROLS = PLUGINS / "spark" / "closure" / "pair_closures.py", ROOT / "rdfinc" / "errors.py"
"""Modules that are as they are: their copies must pass."""

OF_COLUMNS = "typed_columns.py", "value_arrays.py", "value_order.py"
"""Modules whose faults are for one law."""


@dataclass(frozen=True)
class Catch:
    """By which law a fault was caught, and after how many seconds."""

    fault: Fault
    by: str
    seconds: float


def try_fault(fault: Fault, seconds: int = SECONDS) -> Catch:
    """Which law, if any, notices the fault."""
    found = places(fault)
    if len(found) != 1:
        return Catch(fault, LAPSED, 0)
    start = time.monotonic()
    by = _caught(*found[0], seconds)
    return Catch(fault, by or SURVIVED, time.monotonic() - start)


def places(fault: Fault) -> list[tuple[Path, str]]:
    """The modules in which the fault applies, with their text then: one."""
    return [found for package in PACKAGES for found in faulty(fault, package)]


def _caught(module: Path, text: str, seconds: int) -> str | None:
    """By which law it is noticed that a module has another text."""
    with _copy() as directory:
        within = Path("rdfinc") / module.relative_to(ROOT if is_plugin(module) else PACKAGES[0])
        (directory / within).write_text(text, encoding="utf-8")
        if is_on_spark(module):
            return _named(directory, "tests/spark/test_closure.py")
        if module.name in OF_COLUMNS:
            return _named(directory, "tests/laws/test_typed_values.py")
        found = _hunted(directory, 0, 10) or _named(directory, *NAMED)
        return found or _hunted(directory, 100, seconds)


def is_plugin(module: Path) -> bool:
    return module.is_relative_to(PLUGINS)


def is_on_spark(module: Path) -> bool:
    """Whether faults in a module are for the tests of closures on Spark."""
    return module.is_relative_to(PLUGINS / "spark")


@contextmanager
def _copy() -> Iterator[Path]:
    """A directory with the package and the tests."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "rdfinc", directory / "rdfinc", ignore=ignored)
        shutil.copytree(PLUGINS, directory / "rdfinc" / "plugins", ignore=ignored)
        for room in ("laws", "spark"):
            shutil.copytree(ROOT / "tests" / room, directory / "tests" / room, ignore=ignored)
        for file in ("conftest.py", "naive.py", "thresholds.py"):
            shutil.copy(ROOT / "tests" / file, directory / "tests" / file)
        yield directory


def _hunted(directory: Path, first_seed: int, seconds: int) -> str | None:
    arguments = "laws.hunt", str(first_seed), "100000", str(seconds)
    output = _run(directory, seconds + 120, "-m", *arguments)
    return output and output.split(", Configuration", 1)[0].strip().split("\n")[-1][:70]


def _named(directory: Path, *files: str) -> str | None:
    options = "-x", "-q", "--import-mode=importlib", "-p", "no:cacheprovider"
    output = _run(directory, 1800, "-m", "pytest", *options, *files)
    failed = re.search(r"^FAILED \S*?([\w-]+\.py::\w+)", output or "", re.MULTILINE)
    return failed[1] if failed else output and output.strip().split("\n")[-1][:70]


def _run(directory: Path, seconds: int, *arguments: str) -> str | None:
    """What a Python process says if it fails, "no end" if so many seconds of the processor, or ten
    times as many of the clock, do not end it; None if all is well. Its bytecode goes with the
    directory."""
    path = os.pathsep.join((str(directory), str(directory / "tests")))
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONPYCACHEPREFIX"}
    try:
        done = subprocess.run(
            ["sh", "-c", f'ulimit -S -t {seconds}; exec "$@"', "sh", sys.executable, *arguments],
            cwd=directory,
            env={**kept, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            timeout=10 * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode == -signal.SIGXCPU:
        return "no end"
    return done.stdout + done.stderr if done.returncode else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("meanings", nargs="*", metavar="PART OF A MEANING")
    options = parser.parse_args()
    parts = options.meanings or [""]
    chosen = [fault for fault in FAULTS if any(part in fault.meaning for part in parts)]
    width = max(len(fault.meaning) for fault in chosen)
    print(f"{'fault':{width}} | {'caught by':70} | seconds")
    on_spark = {any(is_on_spark(module) for module, _ in places(fault)) for fault in chosen}
    for control in (CONTROLS[0] if each else CONTROLS[1] for each in on_spark):
        if by := _caught(control, control.read_text(encoding="utf-8"), 10):
            raise SystemExit(f"the laws fail without any fault: {by}")
    survived = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for catch in pool.map(lambda fault: try_fault(fault, options.seconds), chosen):
            meaning, seconds = catch.fault.meaning, catch.seconds
            print(f"{meaning:{width}} | {catch.by:70} | {seconds:.0f}", flush=True)
            survived += catch.by in (SURVIVED, LAPSED)
    print(f"{len(chosen)} faults, {survived} not caught")
    return bool(survived)


if __name__ == "__main__":
    sys.exit(main())
