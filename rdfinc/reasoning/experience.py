"""What deletions in a stratum have cost so far, from which `auto` tells whether to try one.

Costs are rule instances: those that a deletion has considered, and if it was abandoned, what it is
worth to materialise the stratum anew, too. By order of magnitude of what was in doubt a mean is
kept in which the last deletion has a share of `SHARE`. While the mean is more than the stratum is
worth, none is tried, and the mean sinks slowly, so that one is tried again now and then.
"""

from __future__ import annotations

SHARE = 0.25
SINKS = 0.97


class Experience:
    def __init__(self) -> None:
        self._means: dict[int, float] = {}

    def expected(self, doubts: int) -> float:
        """What a deletion is likely to cost; 0 while nothing is known."""
        return self._means.get(doubts.bit_length(), 0.0)

    def learn(self, doubts: int, cost: float) -> None:
        """Takes note of a deletion that was tried."""
        mean = self.expected(doubts)
        self._means[doubts.bit_length()] = mean + SHARE * (cost - mean)

    def leave(self, doubts: int) -> None:
        """Takes note of one that was not."""
        self._means[doubts.bit_length()] *= SINKS
