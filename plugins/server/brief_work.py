"""Work that takes a moment, done in the thread that others wait for."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from rdfinc import BudgetExceededError
from rdfinc.plugins.sparql.budget import Budget

T = TypeVar("T")

MOMENT = 0.005
"""Seconds of a processor, or of waiting for an update, after which work is no longer brief."""

SHARE = 0.1
"""How much of the time goes at most to work that turns out not to be brief."""


class BriefWork:
    """What is tried where it is asked for: a hand-over to another thread and back takes as long as
    a small query.

    Work that is not done within a `MOMENT` ends at its next look at its bounds, and is given up;
    for what it took, nothing is tried for nine times as long. So who waits does so for a moment and
    a step of one evaluation, and for a tenth of the time at most.
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
        start, found = time.thread_time(), None
        try:
            found = work(_brief(budget))
        except BudgetExceededError as error:
            if error.budget != "timeout":
                raise
        spent = time.thread_time() - start
        if found is None or spent > MOMENT:
            self._again = time.monotonic() + max(spent, MOMENT) * (1 / SHARE - 1)
        return found


@dataclass
class _BriefBudget(Budget):
    """Bounds of which the time is that of the processor, so that it does not matter what else the
    machine does; but for waiting."""

    began: float = field(default_factory=time.thread_time)

    def check(self) -> None:
        """Raises BudgetExceededError after a `MOMENT`."""
        if time.monotonic() - self.asked <= MOMENT:  # the other clock takes ten times as long
            return
        if (spent := time.thread_time() - self.began) > MOMENT:
            raise self._exceeded("timeout", MOMENT, spent, "s")


def _brief(budget: Budget) -> Budget:
    return _BriefBudget(MOMENT, budget.max_rows, budget.max_memory, remote=budget.remote)
