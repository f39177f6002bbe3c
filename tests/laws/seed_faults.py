"""Shows that the laws can fail: applies one-line faults to copies of the engine, one at a time.

    python tests/laws/seed_faults.py [--jobs N] [--seconds S] [PART OF A MEANING ...]

For every fault in `faults.py` (or those whose meaning contains a given text) the package is copied
to a temporary directory, the fault applied there, and the laws are run on the copy until one of
them fails: the named regressions, then random sequences for S seconds. Prints which law caught
each fault and after how long. Ends with an error if a fault survives or no longer applies.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
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

from laws.faults import FAULTS, Fault  # noqa: E402  (run as a script, `tests` is not on the path)

SECONDS = 120
SURVIVED, LAPSED = "SURVIVED", "no longer applies"
_FILES = (
    "regressions_of_closures",
    "regressions_of_equality",
    "regressions_of_streams",
    "named_regressions",
    "depth_and_width",
    "reclaiming",
    "explain",
    "why_not",
    "long_values",
)
SPARK = "plugins/spark/"
"""Faults in there are for the tests of closures on Spark."""
NAMED = tuple(f"tests/laws/test_{name}.py" for name in _FILES)


@dataclass(frozen=True)
class Catch:
    """By which law a fault was caught, and after how many seconds."""

    fault: Fault
    by: str
    seconds: float


NONE = Fault("no fault", "errors.py", "class RdfincError", "class RdfincError")
NONE_ON_SPARK = Fault("no fault", SPARK + "closing.py", "from __future__", "from __future__")
"""The controls: the copy as it is, which must pass."""


def try_fault(fault: Fault, seconds: int = SECONDS) -> Catch:
    """Which law, if any, notices the fault."""
    if not applies(fault):
        return Catch(fault, LAPSED, 0)
    with faulty_copy(fault) as directory:
        start = time.monotonic()
        if fault.file.startswith(SPARK):
            by = _named(directory, "tests/spark/test_closure.py")
        else:
            by = _hunted(directory, 0, 10) or _named(directory, *NAMED)
            by = by or _hunted(directory, 100, seconds)
        return Catch(fault, by or SURVIVED, time.monotonic() - start)


@contextmanager
def faulty_copy(fault: Fault) -> Iterator[Path]:
    """A directory with the package, the fault in it, and the tests."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "rdfinc", directory / "rdfinc", ignore=ignored)
        shutil.copytree(ROOT / "plugins", directory / "rdfinc" / "plugins", ignore=ignored)
        for room in ("laws", "spark"):
            shutil.copytree(ROOT / "tests" / room, directory / "tests" / room, ignore=ignored)
        for file in ("conftest.py", "naive.py"):
            shutil.copy(ROOT / "tests" / file, directory / "tests" / file)
        apply(fault, directory / "rdfinc")
        yield directory


def applies(fault: Fault) -> bool:
    place = ROOT if fault.file.startswith(SPARK) else ROOT / "rdfinc"
    return (place / fault.file).read_text(encoding="utf-8").count(fault.old) == 1


def apply(fault: Fault, package: Path) -> None:
    path = package / fault.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")


def _hunted(directory: Path, first_seed: int, seconds: int) -> str | None:
    arguments = "laws.hunt", str(first_seed), "100000", str(seconds)
    output = _run(directory, seconds + 60, "-m", *arguments)
    return output and output.split(", Configuration", 1)[0].strip().split("\n")[-1][:70]


def _named(directory: Path, *files: str) -> str | None:
    options = "-x", "-q", "--import-mode=importlib", "-p", "no:cacheprovider"
    output = _run(directory, 600, "-m", "pytest", *options, *files)
    failed = re.search(r"^FAILED \S*?([\w-]+\.py::\w+)", output or "", re.MULTILINE)
    return failed and failed[1]


def _run(directory: Path, timeout: int, *arguments: str) -> str | None:
    """What a Python process says if it fails, "no end" if it does not end; None if all is well."""
    path = os.pathsep.join((str(directory), str(directory / "tests")))
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=directory,
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
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
    on_spark = {fault.file.startswith(SPARK) for fault in chosen}
    for control in (NONE_ON_SPARK if each else NONE for each in on_spark):
        if (by := try_fault(control, 10).by) != SURVIVED:
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
