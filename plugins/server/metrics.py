"""What a server has done, and what it holds, as Prometheus reads it."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from rdfinc.plugins.server.served import Served
from rdfinc.plugins.sparql.columns.budget import Budget

BOUNDS = (0.001, 0.005, 0.02, 0.1, 0.5, 2.5, 10.0)
"""Seconds: the upper bounds of the classes into which answers fall by the time they took."""

KINDS = ("query", "update", "graphs", "page")
_STATM = Path("/proc/self/statm")


class Requests:
    """The requests that were answered, by kind and status, and the time that they took."""

    def __init__(self) -> None:
        self.by_status: Counter[tuple[str, int]] = Counter()
        self._seconds = dict.fromkeys(KINDS, 0.0)
        self._classes = {kind: [0] * (len(BOUNDS) + 1) for kind in KINDS}

    def note(self, kind: str, status: int, seconds: float) -> None:
        """Counts one that was answered."""
        self.by_status[kind, status] += 1
        self._seconds[kind] += seconds
        self._classes[kind][bisect_left(BOUNDS, seconds)] += 1

    def lines(self) -> Iterator[str]:
        """As Prometheus reads them."""
        yield from _head("rdfinc_requests_total", "counter", "Requests by kind and status.")
        for (kind, status), count in sorted(self.by_status.items()):
            yield f'rdfinc_requests_total{{kind="{kind}",status="{status}"}} {count}'
        yield from _head("rdfinc_request_seconds", "histogram", "Time to the end of an answer.")
        for kind, classes in self._classes.items():
            bounds = [*map(str, BOUNDS), "+Inf"]
            for bound, count in zip(bounds, accumulate(classes), strict=True):
                yield f'rdfinc_request_seconds_bucket{{kind="{kind}",le="{bound}"}} {count}'
            yield f'rdfinc_request_seconds_sum{{kind="{kind}"}} {self._seconds[kind]:.6f}'
            yield f'rdfinc_request_seconds_count{{kind="{kind}"}} {sum(classes)}'


def holdings(served: Served, budget: Budget) -> Iterator[str]:
    """What the knowledge base holds. Raises BudgetExceededError if an update takes too long."""
    kb, reader = served.kb, served.snapshot(budget).reader()
    stated = len(reader.explicit)
    yield from _gauge("rdfinc_facts", "Facts, stated or derived.", reader.version.visible())
    yield from _gauge("rdfinc_stated_facts", "Facts that some graph states.", stated)
    yield from _gauge("rdfinc_terms", "Terms in the dictionary.", len(kb.dictionary))
    yield from _gauge("rdfinc_rules", "Rules that users added.", len(kb.program))
    violations = len(reader.version.closure.get(kb._engine.violation))
    yield from _gauge("rdfinc_violations", "Contradictions.", violations)
    if kb.directory is not None:
        yield from _head("rdfinc_journal_number", "counter", "Changes written to the directory.")
        yield f"rdfinc_journal_number {kb.refresh()}"


def process(waiting: int, listeners: int) -> Iterator[str]:
    """What the process takes, and who waits for it."""
    yield from _gauge("rdfinc_waiting_requests", "Requests that are worked for or wait.", waiting)
    yield from _gauge("rdfinc_listeners", "Pages that watch changes.", listeners)
    if _STATM.exists():
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
        size = pages * os.sysconf("SC_PAGE_SIZE")
        yield from _gauge("process_resident_memory_bytes", "Memory of the process.", size)


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} {kind}"


def _gauge(name: str, meaning: str, value: int) -> Iterator[str]:
    yield from _head(name, "gauge", meaning)
    yield f"{name} {value}"
