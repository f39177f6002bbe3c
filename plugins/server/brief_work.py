"""Work that takes a moment, done in the thread that others wait for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from msgspec import field

from rdfinc import BudgetExceededError
from rdfinc.plugins.sparql.columns.budget import Budget

T = TypeVar("T")

MOMENT = 0.005
"""Seconds of a processor, or of waiting for an update, after which work is no longer brief."""

LONGEST = 0.1
"""Seconds after which it is not, whether it waited for a disk or the processor was others'."""

SHARE = 0.1
"""How much of the time goes at most to work that turns out not to be brief."""


class BriefWork:
    """What is tried where it is asked for: a hand-over to another thread and back would be a good
    part of what a small query takes.

    Work that is not done within a `MOMENT` ends at its next look at its bounds, and is given up;
    for what it took, nothing is tried for nine times as long. So who waits does so for a moment and
    a step of one evaluation, and for a tenth of the time at most. Time is that of the processor, so
    that it does not matter what else the machine does, but for the `LONGEST`.
    """

    def __init__(self) -> None:
        self._again = 0.0

    @property
    def rest(self) -> float:
        """Seconds for which nothing is tried."""
        return max(self._again - time.monotonic(), 0.0)

    def done(self, budget: Budget, work: Callable[[Budget], T]) -> T | None:
        """What comes of some work within a budget, or None if that takes longer. Raises what the
        work does."""
        if self.rest:
            return None
        within, found = _BriefBudget(MOMENT, budget.max_rows, budget.max_memory), None
        try:
            found = work(within)
        except BudgetExceededError as error:
            if error.budget != "timeout":
                raise
        spent = within.spent() if found is not None else max(within.spent(), MOMENT)
        if spent >= MOMENT:
            self._again = time.monotonic() + spent * (1 / SHARE - 1)
        return found


class _BriefBudget(Budget):
    """The bounds of work that is to be brief, and of what it waits for; it asks no one else."""

    began: float = field(default_factory=time.thread_time)

    def spent(self) -> float:
        """Seconds of this thread's processor; all that went by, if they are too many."""
        seconds = time.monotonic() - self.asked
        return seconds if seconds > LONGEST else time.thread_time() - self.began

    def check(self) -> None:
        """Raises BudgetExceededError once it is not brief."""
        if time.monotonic() - self.asked <= MOMENT:  # the other clock takes ten times as long
            return
        if (spent := self.spent()) > MOMENT:
            raise self._exceeded("timeout", MOMENT, spent, "s")

    @property
    def left(self) -> float:
        """Seconds for which an update may be waited for: a moment, however long others had the
        processor before."""
        return MOMENT
