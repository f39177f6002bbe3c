"""Memory that a long change needed for a while goes back to the operating system.

glibc keeps freed blocks of up to 32 MB for itself once it has seen some of that size, and a change
of millions of facts frees many: measured on a closure of 24 M facts, a process kept twice and a
half of what its tables take. Elsewhere, and for short changes, nothing is done.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

LONG = 0.5
"""Seconds. To look for free pages takes some milliseconds, and to get them again does so too: of
shorter changes that is a share that shows."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def gives_back(method: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The method, after which free memory is given back if it has taken long."""

    @wraps(method)
    def measured(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        start = time.perf_counter()
        try:
            return method(*arguments, **options)
        finally:
            if time.perf_counter() - start >= LONG:
                _trim()(0)

    return measured


@cache
def _trim() -> Callable[[int], int]:
    """glibc's malloc_trim."""
    if sys.platform != "linux":
        return int
    import ctypes

    trim: Callable[[int], int] = getattr(ctypes.CDLL(None), "malloc_trim", int)
    return trim
