"""Time budgets: how long a deletion may take before its stratum is materialised anew instead.

Processor times of this thread are compared, not numbers of instances: a rule instance costs 20 µs
where it is looked at alone and less than 0.1 µs among thousands. The time in which plans are found
does not count, up to that of a new start: what is found is remembered, and later deletions are
spared it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import inf, sqrt

from rdfinc.reasoning.maintenance.update import Abandoned, Update
from rdfinc.reasoning.program import clock
from rdfinc.reasoning.program.cost_model import Pause
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table import Table


class TimeBudget:
    """The time that a deletion in a stratum may take. To read the clock costs as much as some
    instances: it begins to run after a few, unless it was started before."""

    def __init__(self, update: Update, stratum: Stratum) -> None:
        self._update, self._stratum = update, stratum
        self._less, self._mean, self._share = REASONING.better_by, inf, 0.0
        self._driving, self._driven = 0, 0.0
        self._instances, self._look = 0, REASONING.untimed_instances
        self.watched = False
        """Whether the clock is read; not while few instances were looked at."""
        self._search: Pause | None = None
        self._sought: float | None = None
        self._first = self._start = 0.0
        self._planned = stratum.memory.seconds

    def start(self) -> None:
        """The clock runs from now on."""
        self._start, self._look = self._now(), REASONING.instances_a_look
        self._first = self._first or self._start

    def _now(self) -> float:
        """The clock, which stands still while plans are found."""
        planned = self._stratum.memory.seconds - self._planned
        if planned > REASONING.least_start:
            planned = min(planned, self.anew)
        return clock.now() - planned

    def foresee(self, losses: int) -> None:
        """Called before the losses of lower strata are followed, with their number. Raises
        Abandoned if that is likely to take too long, or was in vain of late."""
        if losses < REASONING.several_doubts:
            return
        ahead = REASONING.better_by * REASONING.seconds_a_loss * losses
        if ahead > REASONING.least_start and ahead > self.anew:
            raise Abandoned
        self._search = self._stratum.experience.search(losses)
        if not self._search.is_over():
            raise Abandoned

    def find(self) -> None:
        """Called when all facts in doubt are found."""
        self._sought = self.spent()

    def give_up(self) -> None:
        """Called when a new start is made."""
        sought = self.spent() if self._sought is None else self._sought
        if self._search is not None and sought > REASONING.long_search * self.anew:
            self._search.fail()

    def watch(self) -> None:
        """Has the clock read from now on in any case."""
        self.watched = True
        if not self._start:
            self.start()

    def begin(self, less: float, mean: float = inf, share: float = 0.0) -> None:
        """Begins a try that may take a fraction of a new start, and of `mean` or, where that is
        longer, of a share of a new start."""
        self._less, self._mean, self._share = less, mean, share
        self._driving = 0
        if self.watched:
            self._instances = 0
            self.start()

    def __call__(self, instances: int, ahead: int = 0) -> None:
        """Raises Abandoned when the deletion takes too long, or will, as far as can be told."""
        self._update.spend(instances)
        if ahead:
            self._look_ahead(ahead)
        self._instances += instances
        if self._instances < self._look:
            return
        if not self._start:
            self.start()
            if self._instances < self._look:
                return
        self._look = self._instances + REASONING.instances_a_look
        self.watch()
        self._allow(self.spent())

    def _look_ahead(self, facts: int) -> None:
        """Before a round that some facts drive: allows for it, by the time of the round before.
        That is taken for little rather than for much, or what ends soon would not be begun."""
        before, self._driving = self._driving, facts
        if max(before, facts) < REASONING.telling_facts:
            return
        if not self._start:
            self.start()
        now, driven = self._now() - self._start, self._driven
        self._driven = now
        if before >= REASONING.telling_facts:
            growth = facts / before
            if before < REASONING.even_facts:
                growth = min(growth, sqrt(growth))
            self._allow(now + (now - driven) * growth)

    def _allow(self, seconds: float) -> None:
        """Raises Abandoned if a deletion must not take as long as that."""
        if self._less * seconds <= min(self._mean, REASONING.least_start):
            return
        if self._less * seconds > self.rest:
            raise Abandoned

    def spent(self) -> float:
        """The seconds spent so far; 0 if the clock was never read."""
        return self._now() - self._start if self.watched else 0.0

    def in_all(self) -> float:
        """The seconds since the clock was first read, those of earlier tries among them; 0 if it
        never was."""
        return self._now() - self._first if self._start else 0.0

    def learn(self, instances: int, gained: int) -> None:
        """Called when no new start was needed: learns from the time of an insertion that followed
        so many gains of lower strata, if no deletion was timed before it."""
        if self._search is not None:
            self._search.succeed()
        if instances < REASONING.telling_instances or not self._start or self.watched:
            return
        cost, stratum, update = clock.now() - self._start, self._stratum, self._update
        kept = _number(stratum, update.before) - _number(stratum, update.removed.tables)
        added = _number(stratum, update.added.tables)
        if added > kept:
            stratum.experience.learn_anew(added, gained, cost)
        else:
            stratum.experience.learn_part(kept + added, cost)

    @property
    def rest(self) -> float:
        """The likely seconds of the alternative to this deletion."""
        return min(max(self._mean, self._share * self.anew), self.anew)

    @cached_property
    def anew(self) -> float:
        """The likely seconds of a new start. Cost: a look at each relation, which is spared what
        ends soon."""
        facts = _number(self._stratum, self._update.before)
        return max(REASONING.least_start, self._stratum.experience.anew(facts))


def learn_anew(update: Update, stratum: Stratum, read: int, cost: float) -> None:
    """Learns from the time of a new start that has read so many facts of lower strata."""
    stratum.experience.learn_anew(_number(stratum, update.added.tables), read, cost)


def _number(stratum: Stratum, tables: Mapping[int, Table]) -> int:
    """The number of a stratum's facts that are kept one by one; all members of types count."""
    folded = stratum.strata.levels.folded
    return sum(len(t) for p, t in tables.items() if p not in folded and stratum.holds(p))
