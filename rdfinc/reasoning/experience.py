"""What deletions in a stratum have cost so far, from which `auto` tells how to go about the next.

Costs are seconds: what a deletion has taken, and if it was abandoned, what materialising the
stratum anew is likely to take, too. They are kept by order of magnitude of what is in doubt. One
way to delete is usual there, as long as it costs less than a new start on average; of the average
the last deletion is a share of `SHARE`. Now and then another way is tried, and takes over if it
costs less by a factor of `LESS`; one that does not is tried again ever more seldom.
"""

from __future__ import annotations

from math import inf

WAYS = "bf", "dred"
"""In the order in which they are tried."""

SHARE = 0.25

LESS = 1.25
"""How many times less a way must cost than the usual one."""

PAUSES = 1, 4, 16, 64
"""For how many deletions a way is left that has failed once, twice, and more often."""

USUAL = 5e-7
"""Seconds for each fact of a stratum that is materialised, before any was."""


class Experience:
    def __init__(self) -> None:
        self._habits: dict[int, Habit] = {}
        self._each = USUAL

    def of(self, doubts: int) -> Habit:
        """What is known of deletions that begin with so many facts in doubt."""
        order = doubts.bit_length()
        habit = self._habits.get(order)
        if habit is None:
            habit = self._habits[order] = Habit()
        return habit

    def anew(self, facts: int) -> float:
        """What it is likely to cost to materialise so many facts."""
        return self._each * facts

    def learn_anew(self, facts: int, cost: float) -> None:
        """Takes note of what it has cost to materialise most facts that the stratum has."""
        if facts:
            self._each = cost / facts

    def learn_part(self, facts: int, cost: float) -> None:
        """Takes note of what a part of that has cost, where the stratum has so many facts."""
        if facts:
            self._each = max(self._each, cost / facts)


class Habit:
    """The usual way to delete, if there is one, and its mean cost."""

    def __init__(self) -> None:
        self.way: str | None = None
        self.mean = inf
        self._failures = dict.fromkeys(WAYS, 0)
        self._pauses = dict.fromkeys(WAYS, 0)

    def other(self) -> str | None:
        """A way that it is time to try."""
        found = None
        for way, pause in self._pauses.items():
            if pause:
                self._pauses[way] = pause - 1
            elif found is None and way != self.way:
                found = way
        return found

    def try_out(self, way: str, cost: float, rest: float) -> None:
        """Takes note of a way that was tried, where it would otherwise have cost `rest`."""
        if LESS * cost > rest:
            self.give_up(way)
            return
        if self.way is not None:
            self.give_up(self.way)
        self.way, self.mean, self._failures[way] = way, cost, 0

    def give_up(self, way: str) -> None:
        """A way has failed against another or a new start."""
        failures = self._failures[way]
        self._pauses[way] = PAUSES[min(failures, len(PAUSES) - 1)]
        self._failures[way] = failures + 1
        if way == self.way:
            self.way, self.mean = None, inf

    def learn(self, cost: float) -> None:
        """Takes note of a deletion in the usual way."""
        self.mean += SHARE * (cost - self.mean)
