"""What deletions in a stratum have cost so far, from which `auto` tells how to go about the next.

Costs are seconds: what a deletion has taken, and if it was abandoned, what materialising the
stratum anew is likely to take, too. They are kept by order of magnitude of what is in doubt. One
way to delete is usual there, as long as it costs less than a new start on average; of the average
the last deletion is a share of `SHARE`. Now and then another way is tried, and takes over if it
costs less by a factor of `LESS`; one that does not is tried again ever more seldom. In the same
way it is found out ever more seldom what the losses of lower strata put in doubt, where that took
long and a new start was made all the same.
"""

from __future__ import annotations

from math import inf

WAYS = "bf", "dred"
"""In the order in which they are tried."""

SHARE = 0.25

LESS = 1.25
"""How many times less a way must cost than the usual one."""

RARE = 8
"""How many times the mean the usual way may take before the others have their turn."""

TURN = 0.004
"""Seconds that the first turn takes at least."""

LONGER = 4
"""How many times as long as a turn the next one of the same way is."""

PAUSES = 1, 4, 16, 64
"""For how many deletions what has failed is left, after one failure, two, and more."""

LONG = 0.125
"""The share of a new start from which on it takes long to find what is in doubt."""

USUAL = 5e-7
"""Seconds for each fact of a stratum that is materialised, before any was."""


class Experience:
    def __init__(self) -> None:
        self._habits: dict[int, Habit] = {}
        self._searches: dict[int, Pause] = {}
        self._each = USUAL

    def of(self, doubts: int) -> Habit:
        """What is known of deletions that begin with so many facts in doubt."""
        order = doubts.bit_length()
        habit = self._habits.get(order)
        if habit is None:
            habit = self._habits[order] = Habit()
        return habit

    def search(self, losses: int) -> Pause:
        """When not to find out what is in doubt, as lower strata have lost so many facts."""
        return self._searches.setdefault(losses.bit_length(), Pause())

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


class Pause:
    """For how long something that has failed is not tried."""

    def __init__(self) -> None:
        self._failures = self._left = 0

    def is_over(self) -> bool:
        """Asked once for each time that it may be tried."""
        if not self._left:
            return True
        self._left -= 1
        return False

    def fail(self) -> None:
        self._left = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1

    def succeed(self) -> None:
        self._failures = 0


class Habit:
    """The usual way to delete, if there is one, and its mean cost."""

    def __init__(self) -> None:
        self.way: str | None = None
        self.mean = inf
        self._pauses = {way: Pause() for way in WAYS}

    def other(self) -> str | None:
        """A way that it is time to try."""
        found = None
        for way, pause in self._pauses.items():
            if pause.is_over() and found is None and way != self.way:
                found = way
        return found

    def try_out(self, way: str, cost: float, rest: float) -> None:
        """Takes note of a way that was tried, where it would otherwise have cost `rest`."""
        if LESS * cost > rest:
            self.give_up(way)
            return
        if self.way is not None:
            self.give_up(self.way)
        self.way, self.mean = way, cost
        self._pauses[way].succeed()

    def give_up(self, way: str) -> None:
        """A way has failed against another or a new start."""
        self._pauses[way].fail()
        if way == self.way:
            self.way, self.mean = None, inf

    @property
    def patience(self) -> float:
        """The seconds after which a deletion in the usual way takes much longer than others did."""
        return max(TURN, RARE * self.mean)

    def learn(self, cost: float) -> None:
        """Takes note of a deletion in the usual way."""
        self.mean += SHARE * (cost - self.mean)
