"""Reports of searches: how far they have come, told to whoever bounds an update.

Instances are counted where they are found. A search that meets none hands out nothing, and may take
as long as there are ways to begin a match; so each interpreter tells now and then that it went on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

Hear = Callable[[int], None]
"""Takes the number of steps since the last report; may raise."""

ticks = count(1)
"""Numbers the steps of all searches."""


def unheard(steps: int) -> None:
    """Bounds nothing."""


_HEARING: ContextVar[Hear] = ContextVar("hearing", default=unheard)


def report(steps: int) -> None:
    """Tells that a search has taken so many steps more. Raises what the hearer raises."""
    _HEARING.get()(steps)


@contextmanager
def reported_to(hear: Hear) -> Iterator[None]:
    """Has the searches of this thread reported."""
    before = _HEARING.set(hear)
    try:
        yield
    finally:
        _HEARING.reset(before)
