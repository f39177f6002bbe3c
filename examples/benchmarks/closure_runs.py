"""What `closures.py` measures of one knowledge base, each run in a process of its own.

The facts come from a file of N-Triples; rules or an ontology from another one are added to them.
What is drawn is a function of the facts alone, so the same for each way of storing the closure.
"""

from __future__ import annotations

import ctypes
import gc
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import rdfinc

SMALL, LARGE = 0.01, 0.25  # of the stated facts; a small update has at most SMALL_MOST
SMALL_MOST = 1000

Fact = tuple[str, str, str]
Times = dict[str, list[float]]


@dataclass(frozen=True)
class Run:
    """A knowledge base to be: `relation` is the closed one, an N-Triples term."""

    storage: str
    profile: str
    facts: Path
    rules: Path
    relation: str

    def loaded(self) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase(profile=self.profile, storage=self.storage)
        kb.load(self.facts)
        return kb

    def closed(self) -> rdfinc.KnowledgeBase:
        kb = self.loaded()
        kb.load(self.rules)
        return kb

    def stated(self) -> list[Fact]:
        words = (line[:-2].split(" ", 2) for line in self.facts.read_text().splitlines())
        return [(s, p, o) for s, p, o in words]


def materialised(run: Run) -> dict[str, Any]:
    """Everything derived from the loaded facts: seconds, sizes and memory."""
    kb = run.loaded()
    gc.collect()
    trim_heap()
    before = resident()
    seconds = timed(lambda: kb.load(run.rules))
    gc.collect()
    size = kb.stats()
    return {"seconds": [seconds], "facts": size["facts"], "own": size["bytes_facts"],
            "static": resident() - before}  # fmt: skip


def maintained(run: Run, singles: int, repetitions: int) -> Times:
    """Facts deleted and put back: one by one, a few, many. What comes back is what was there."""
    kb, stated, draw = run.closed(), run.stated(), Random(1)
    few = max(min(int(len(stated) * SMALL), SMALL_MOST), 1)
    times: Times = {}
    for fact in draw.sample(stated, min(singles, len(stated))):
        there_and_back(kb, [fact], "one", times)
    for _ in range(repetitions):
        there_and_back(kb, draw.sample(stated, few), "few", times)
    there_and_back(kb, draw.sample(stated, max(int(len(stated) * LARGE), 1)), "many", times)
    return times


def there_and_back(kb: rdfinc.KnowledgeBase, facts: list[Fact], name: str, times: Times) -> None:
    size = len(kb)
    times.setdefault(f"delete {name}", []).append(timed(lambda: kb.update(delete=facts)))
    times.setdefault(f"insert {name}", []).append(timed(lambda: kb.update(insert=facts)))
    if len(kb) != size:
        raise SystemExit(
            f"{len(kb)} facts after {len(facts)} were deleted and put back, not {size}"
        )


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    result = action()
    elapsed = time.perf_counter() - start
    del result  # freeing it is not part of the work
    return elapsed


def trim_heap() -> None:
    """What loading has left free does not hide what is measured after it (glibc only)."""
    if sys.platform == "linux":
        getattr(ctypes.CDLL(None), "malloc_trim", int)(0)


def resident() -> int:
    """The bytes of memory in use by this process; where nobody tells, the most there were."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak * (1 if sys.platform == "darwin" else 1024)
