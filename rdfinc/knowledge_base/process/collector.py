"""Work without Python's garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """A context without Python's garbage collector, for work that makes next to no cycles, but
    enough objects to start the collector, which visits every object there is: loading, opening,
    and making strata."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
