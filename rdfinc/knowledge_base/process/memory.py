"""Memory that a long change needed for a while goes back to the operating system.

glibc keeps freed blocks of up to 32 MB for itself once it has seen some of that size, and a change
of millions of facts frees many: measured on a closure of 24 M facts, a process kept twice and a
half of what its tables take. Elsewhere, for short changes, and where the process has hardly grown
since the last time, nothing is done.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from functools import cache, wraps
from math import inf
from pathlib import Path
from typing import ParamSpec, TypeVar

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Heap:
    """The memory of this process; `kept` is the least number of pages that it was seen to have
    since free ones were last given back, at the time `given`."""

    def __init__(self, resident: Callable[[], int], trim: Callable[[int], object]) -> None:
        self._resident, self._trim = resident, trim
        self.kept, self.given = 0, -inf

    def trim(self) -> None:
        """Gives free memory back."""
        self._trim(0)

    def give_back(self) -> None:
        """Gives free memory back if the process has grown."""
        pages = self._resident()
        if pages * KNOWLEDGE.memory_growth > self.kept * (KNOWLEDGE.memory_growth + 1):
            self.release()
        else:
            self.kept = min(self.kept, pages)

    def release(self) -> None:
        """Gives free memory back."""
        self.trim()
        self.kept, self.given = self._resident(), time.perf_counter()


def gives_back(method: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The method, after which free memory is given back if it has taken long."""

    @wraps(method)
    def measured(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        start = time.perf_counter()
        try:
            return method(*arguments, **options)
        finally:
            give_back(start)

    return measured


def give_back(start: float) -> None:
    """Gives free memory back if it is long since a start. What was given back in between is a sign
    of more."""
    if time.perf_counter() - start < KNOWLEDGE.long_change:
        return
    if _heap_meanwhile().given >= start:
        _heap().release()
    else:
        _heap().give_back()


def give_back_meanwhile(start: float = -inf) -> None:
    """Gives free memory back in the midst of a change that has taken long, if the process has
    grown."""
    if time.perf_counter() - start >= KNOWLEDGE.long_change:
        _heap_meanwhile().give_back()


def give_back_all() -> None:
    """Gives back what a large thing took that is let go; also what is in cycles."""
    gc.collect()
    trim()


def resident() -> int:
    """The bytes of this process that are in memory, on Linux."""
    return _pages() * os.sysconf("SC_PAGE_SIZE")


def trim() -> None:
    """Gives all free memory back that the C library can."""
    _heap().trim()


@cache
def _heap() -> Heap:
    """The memory between changes."""
    return _heap_of_process()


@cache
def _heap_meanwhile() -> Heap:
    """The memory while a change is made: how much it was has no say in how much is kept."""
    return _heap_of_process()


def _heap_of_process() -> Heap:
    """The heap of glibc; for other C libraries there is nothing to do."""
    if sys.platform != "linux":
        return Heap(int, int)
    import ctypes

    return Heap(_pages, getattr(ctypes.CDLL(None), "malloc_trim", int))


def _pages() -> int:
    """The pages of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1])
