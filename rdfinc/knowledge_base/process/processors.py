"""How many processors this process may use."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE

_GROUPS = Path("/sys/fs/cgroup")


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
    try:
        groups = Path("/proc/self/cgroup").read_text("ascii").splitlines()
    except (OSError, ValueError):
        return there
    return max(1, min([there, *(share for group in groups for share in _shares(group, _GROUPS))]))


def _shares(line: str, root: Path) -> Iterator[int]:
    """The processors, rounded up, that a control group and those around it may use at a time. There
    are two versions of them; a container may see its own group as the root."""
    _, controllers, group = line.split(":", 2)
    if controllers:
        if "cpu" not in controllers.split(","):
            return
        root /= controllers
    place = root / group.lstrip("/")
    for each in (place, *place.parents):
        if each.is_relative_to(root):
            quota, period = _quota(each)
            if quota > 0:
                yield -(-quota // period)


def _quota(group: Path) -> tuple[int, int]:
    """Microseconds of processor time in so many microseconds; not above 0 if there is no limit."""
    for names in (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
        with suppress(OSError, ValueError):
            told = " ".join((group / name).read_text("ascii") for name in names)
            quota, period = map(int, told.split())
            return quota, period
    return 0, 1
