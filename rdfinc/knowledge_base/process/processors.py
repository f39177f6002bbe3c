"""How many processors this process may use."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.control_groups import groups_of


def worker_count(asked: Any) -> int:
    """As many workers as somebody asked for; where that is None, one for each processor that there
    is, as far as they pay. Raises TypeError, ValueError."""
    if asked is None:
        return min(processors(), KNOWLEDGE.most_workers)
    if not isinstance(asked, int) or isinstance(asked, bool):
        raise TypeError(f"workers={asked!r}: give a number, or None for what pays")
    if asked < 1:
        raise ValueError(f"workers={asked}: give a number from 1 up, or None for what pays")
    return asked


def processors() -> int:
    """The processors that this process may run on, or their share that its control group may use,
    rounded up; at least 1."""
    if sys.platform != "linux":
        return os.cpu_count() or 1
    there = len(os.sched_getaffinity(0))
    return max(1, min([there, *(share for group in groups_of("cpu") for share in _shares(group))]))


def _shares(group: Path) -> Iterator[int]:
    """The processors, rounded up, that a control group may use at a time, if it has a limit."""
    for names in (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
        with suppress(OSError, ValueError):
            told = " ".join((group / name).read_text("ascii") for name in names)
            quota, period = map(int, told.split())
            if quota > 0:
                yield -(-quota // period)
