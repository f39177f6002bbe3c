"""What deletions in a stratum have cost so far, from which `auto` tells whether to try one.

Costs are seconds: what a deletion has taken, and if it was abandoned, what materialising the
stratum anew is likely to take, too. By order of magnitude of what was in doubt a mean is kept in
which the last deletion has a share of `SHARE`. While the mean is more than a new start takes, none
is tried, and the mean sinks slowly, so that one is tried again now and then.
"""

from __future__ import annotations

SHARE = 0.25
SINKS = 0.97

USUAL = 5e-7
"""Seconds for each fact of a stratum that is materialised, before any was."""


class Experience:
    def __init__(self) -> None:
        self._means: dict[int, float] = {}
        self._each = USUAL

    def expected(self, doubts: int) -> float:
        """What a deletion is likely to cost; 0 while nothing is known."""
        return self._means.get(doubts.bit_length(), 0.0)

    def learn(self, doubts: int, cost: float) -> None:
        """Takes note of a deletion that was tried."""
        size = doubts.bit_length()
        mean = self._means.get(size, cost)
        self._means[size] = mean + SHARE * (cost - mean)

    def leave(self, doubts: int) -> None:
        """Takes note of one that was not."""
        self._means[doubts.bit_length()] *= SINKS

    def anew(self, facts: int) -> float:
        """What it is likely to cost to materialise so many facts."""
        return self._each * facts

    def learn_anew(self, facts: int, cost: float) -> None:
        """Takes note of what it has cost to materialise all facts that the stratum has."""
        if facts:
            self._each = cost / facts
