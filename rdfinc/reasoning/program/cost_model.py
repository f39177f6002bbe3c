"""The costs of deletions in a stratum so far; `auto` chooses the next strategy by them.

A cost is in seconds: the time of a deletion, plus the likely time of a new start if the deletion
was abandoned; the time in which plans are found is none. Costs are kept by the relation of the
facts in doubt and the order of magnitude of their number: to delete an axiom says nothing of other
facts.

For each relation and magnitude one strategy is *usual*. Its mean cost is that of deletions that do
not take much longer; the last deletion has a share of `last_share` in the mean. The *toll* of a
strategy is the mean cost of all deletions that it began, with the time that other strategies or a
new start took to end them. The usual strategy stays until `rare_in_a_row` deletions take longer.
Now and then another strategy is tried, and takes over if it costs less by a factor of `better_by`;
a strategy that was usual before takes over only where its toll is lower. A strategy that failed is
tried again ever more seldom. So is the search for facts in doubt after losses of lower strata,
where it took long and a new start followed all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from rdfinc.reasoning.reasoning_thresholds import REASONING

WAYS = "bf", "dred"
"""In the order in which they are tried."""


class Experience:
    def __init__(self) -> None:
        self._habits: dict[tuple[int, int], Habit] = {}
        self._searches: dict[int, Pause] = {}
        self._each, self._read = REASONING.seconds_a_fact, 0

    def of(self, doubts: int, relation: int = 0) -> Habit:
        """The habit for deletions that begin with so many facts in doubt, of one relation or class,
        or of several: 0. The habits of many relations are one."""
        kind = doubts.bit_length(), relation
        if kind not in self._habits and len(self._habits) >= REASONING.kept_habits:
            kind = doubts.bit_length(), 0
        return self._habits.setdefault(kind, Habit())

    def search(self, losses: int) -> Pause:
        """The pause of the search for facts in doubt after so many losses of lower strata."""
        return self._searches.setdefault(losses.bit_length(), Pause())

    def anew(self, facts: int) -> float:
        """The likely seconds of materialising so many facts: what the last new start has read of
        lower strata is read again."""
        return self._each * (facts + self._read)

    def learn_anew(self, facts: int, read: int, cost: float) -> None:
        """Learns from the time of materialising most facts of the stratum, by way of so many of
        lower strata."""
        if facts + read:
            self._each, self._read = cost / (facts + read), read

    def learn_part(self, facts: int, cost: float) -> None:
        """Learns from the time of materialising a part of the stratum's facts."""
        if facts:
            self._each = max(self._each, cost / (facts + self._read))


class Pause:
    """The number of opportunities for which what has failed is passed over."""

    def __init__(self) -> None:
        self._failures = self._left = 0

    @property
    def failures(self) -> int:
        """How often the strategy has failed since it last succeeded."""
        return self._failures

    def is_over(self) -> bool:
        """Whether the strategy may be tried again; called once for each opportunity."""
        if not self._left:
            return True
        self._left -= 1
        return False

    def fail(self) -> None:
        self._left = REASONING.pauses[min(self._failures, len(REASONING.pauses) - 1)]
        self._failures += 1

    def succeed(self) -> None:
        self._failures = 0


class Toll:
    """The mean cost of the deletions that a strategy began as the usual one. In it the last of many
    has a share of `toll_share`."""

    def __init__(self) -> None:
        self._number, self.mean = 0, 0.0

    @property
    def is_little_known(self) -> bool:
        """Whether the strategy has begun few deletions."""
        return self._number < REASONING.telling_deletions

    def learn(self, cost: float) -> None:
        self._number += 1
        share = max(1 / self._number, REASONING.toll_share)
        self.mean += share * (cost - self.mean)

    @property
    def is_known(self) -> bool:
        """Whether the strategy has begun any deletion."""
        return self._number > 0

    def __lt__(self, other: Toll) -> bool:
        """Whether it is lower, or not yet known."""
        return not self.is_known or self.mean < other.mean


class Habit:
    """The usual strategy for a number of facts in doubt, if there is one, and its mean cost."""

    def __init__(self) -> None:
        self.way: str | None = None
        self.mean = inf
        """0 for a strategy that never took long enough to be timed."""
        self._pauses = {way: Pause() for way in WAYS}
        self._tolls = {way: Toll() for way in WAYS}
        self._exceeded = 0

    def others(self) -> list[str]:
        """The other strategies that it is time to try."""
        return [w for w, pause in self._pauses.items() if pause.is_over() and w != self.way]

    def try_out(self, way: str, cost: float, rest: float) -> None:
        """Learns from a strategy that was tried; `rest` is the likely cost of the alternative."""
        self._tolls[way].learn(cost)
        if REASONING.better_by * cost > rest or not self._is_better(way):
            self.give_up(way)
            return
        if self.way is not None:
            self.give_up(self.way)
        self._use(way, cost)

    def _is_better(self, way: str) -> bool:
        """Whether a strategy has a lower toll than the usual one, as far as is known."""
        return self.way is None or self._tolls[way] < self._tolls[self.way]

    def _use(self, way: str, cost: float) -> None:
        """Makes a strategy the usual one."""
        self.way, self.mean = way, cost
        self._pauses[way].succeed()

    def give_up(self, way: str) -> None:
        """Notes that a strategy has lost against another or a new start."""
        self._pauses[way].fail()
        if way == self.way:
            self.drop()

    def drop(self) -> None:
        """Has no strategy be usual."""
        self.way, self.mean, self._exceeded = None, inf, 0

    def share(self, way: str, rested: Sequence[str]) -> float:
        """The part of a new start that a strategy may take where none was usual. All `rested` ones
        have most of it together, for of a deletion that is no quick one most cost less than a new
        start; that of others becomes smaller and smaller."""
        if way in rested:
            return REASONING.tries_share / len(rested)
        return REASONING.late_share / (1 + self._pauses[way].failures)

    @property
    def patience(self) -> float:
        """The seconds after which the usual strategy takes much longer than it did so far."""
        return max(REASONING.first_turn, REASONING.rare_cost * self.mean)

    @property
    def first_share(self) -> float:
        """The part of a new start that the usual strategy may take before others where that is
        longer than its patience: none where it has begun few deletions, and another one many."""
        assert self.way
        known = [way for way, toll in self._tolls.items() if not toll.is_little_known]
        return 0.0 if known and self.way not in known else REASONING.usual_share

    def learn(self, cost: float) -> None:
        """Learns from a deletion by the usual strategy."""
        assert self.way
        self.mean += REASONING.last_share * (cost - self.mean)
        self._tolls[self.way].learn(cost)
        self._exceeded = 0
        self._return(self._tolls[self.way].mean)

    def _return(self, toll: float) -> None:
        """Makes a strategy usual again whose toll is lower by far than that of the usual one."""
        for way, other in self._tolls.items():
            if other.is_known and REASONING.better_by * other.mean < toll and self.way is not None:
                self.give_up(self.way)
                self._use(way, other.mean)
                return

    def exceed(self, way: str | None, cost: float, toll: float) -> None:
        """Learns from a deletion that took much longer than the usual one does: by which strategy
        it was done at last, if any, in what time, and what it took in all. One such tells nothing
        of the next; several in a row do."""
        usual = self.way
        assert usual
        self._tolls[usual].learn(toll)
        self._exceeded += 1
        several = self._exceeded >= REASONING.rare_in_a_row
        if way == usual and several:
            self.mean = cost
        elif way is None and several:
            self.give_up(usual)
        elif way is not None and self._is_better(way) and (several or self._tolls[way].is_known):
            self.give_up(usual)
            self._use(way, min(cost, self._tolls[usual].mean))
