"""How the benchmarks beside this file measure.

Side by side means: in the same run, in turn (A B C A B C …), at least five repetitions after the
first run. The first run is shown apart, because caches of the machine and of Python are cold in
it. Of the repetitions the median and the quartiles are shown. What differs by less than a factor
of 1.5 counts as equal. Every run starts from what `prepare` makes anew for it, untimed.
Peak memory is that of a process of its own.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rdfinc.plugins.bench.processes import CHILD

REPETITIONS = 5
EQUAL = 1.5


@dataclass(frozen=True)
class Candidate:
    """Something to time: `run(prepare())`, of which only `run` is timed."""

    name: str
    run: Callable[[Any], object]
    prepare: Callable[[], Any] = lambda: None


@dataclass
class Timing:
    """The seconds of all runs of one candidate, in order."""

    name: str
    seconds: list[float] = field(default_factory=list)

    def add(self, other: Timing) -> None:
        """Run by run, so that this becomes the timing of both, one after the other."""
        pairs = itertools.zip_longest(self.seconds, other.seconds, fillvalue=0.0)
        self.seconds = [mine + others for mine, others in pairs]

    @property
    def first(self) -> float:
        return self.seconds[0]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds[1:])

    @property
    def quartiles(self) -> tuple[float, float]:
        low, _, high = quantiles(self.seconds[1:], 4)
        return low, high


def quantiles(values: list[float], parts: int) -> list[float]:
    """What parts them equally, interpolated; the value itself where there is only one."""
    return statistics.quantiles(values if values[1:] else 2 * values, n=parts, method="inclusive")


def merge_freed() -> None:
    """Lets `malloc` merge what was freed before. It puts that off until larger pieces are asked
    for, and would charge whoever asks for them with it: a tenth of a second after some hundred
    thousand rows of Oxigraph's."""
    for _ in range(64):
        bytearray(5000)


def at_least_one(text: str) -> int:
    """An option's value. Raises ArgumentTypeError for less, with which nothing is measured."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def side_by_side(candidates: Sequence[Candidate], repetitions: int = REPETITIONS) -> list[Timing]:
    timings = [Timing(candidate.name) for candidate in candidates]
    for _ in range(1 + repetitions):
        for candidate, timing in zip(candidates, timings, strict=True):
            timing.seconds.append(seconds(candidate))
    return timings


def seconds(candidate: Candidate) -> float:
    """One timed run."""
    prepared = candidate.prepare()
    gc.collect()
    start = time.perf_counter()
    result = candidate.run(prepared)
    elapsed = time.perf_counter() - start
    del result  # freeing it is not part of the work
    return elapsed


def show(timings: Sequence[Timing], work: float | None = None, unit: str = "") -> None:
    """One line a candidate; the ratio is to the first one, `work` units were done in each run."""
    width = max(len(timing.name) for timing in timings)
    rate = f"{unit + '/s':>14}" if work else ""
    print(f"  {'':{width}} {'first':>10} {'median':>10} {'quartiles':>21}{rate}   ratio")
    for timing in timings:
        low, high = timing.quartiles
        rate = f"{work / timing.median:>14,.0f}" if work else ""
        print(
            f"  {timing.name:{width}} {duration(timing.first):>10} {duration(timing.median):>10}"
            f" {duration(low):>10} {duration(high):>10}{rate}   {ratio(timing, timings[0])}"
        )


def ratio(timing: Timing, reference: Timing) -> str:
    if timing is reference:
        return "1"
    times = timing.median / reference.median
    return f"{times:.2f}" + (" (equal)" if 1 / EQUAL < times < EQUAL else "")


def duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


@dataclass(frozen=True)
class Process:
    """A program run in a Python of its own: wall time, peak resident memory, what it printed."""

    seconds: float
    peak_bytes: int
    output: str


_PEAK = f"""
import runpy
print(runpy.run_path({str(CHILD)!r})["peak"]())
"""


def process(program: str, *arguments: object) -> Process:
    """Runs `program`, the text of a Python script, with `arguments` in `sys.argv[1:]`."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program + _PEAK, *map(str, arguments)],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    seconds = time.perf_counter() - start
    *output, peak = done.stdout.splitlines()
    return Process(seconds, int(peak), "\n".join(output))


def processes(
    programs: Sequence[tuple[str, str, Sequence[object]]], repetitions: int = REPETITIONS
) -> list[tuple[Timing, list[Process]]]:
    """(name, program, arguments) side by side, each run in a fresh process."""
    runs: dict[str, list[Process]] = {name: [] for name, _, _ in programs}
    for _ in range(1 + repetitions):
        for name, program, arguments in programs:
            runs[name].append(process(program, *arguments))
    return [(Timing(name, [run.seconds for run in done]), done) for name, done in runs.items()]


def megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB"
