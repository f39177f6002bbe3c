"""Backward/Forward with a bounded backward search (FBF: Motik, Nenov, Piro, Horrocks, *Maintenance
of datalog materialisations revisited*, 2019).

The searches may look at a number of rule instances for each initial fact in doubt. When these are
spent, all unproved facts in doubt go with all their consequences, as in Delete/Rederive; proved
facts stay. At the end a fact that went too early is found by an instance in the rest. The rest is
right meanwhile: each of its facts has a proof or has lost no instance. So the bound decides about
time and never about results. Delete/Rederive would be faster at most by the time of the search.
"""

from __future__ import annotations

from rdfinc.reasoning.maintenance.backward_forward import Deletion
from rdfinc.reasoning.maintenance.dred import rederived
from rdfinc.reasoning.maintenance.update import Spend, Update
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, size


def delete_with_bounded_search(
    update: Update, stratum: Stratum, doubts: Batch, spend: Spend
) -> tuple[Batch, Batch]:
    """(facts that go, and of these the facts to insert again)."""
    deletion = _Bounded(update, stratum, spend)
    try:
        return deletion.delete(doubts), {}
    except _Enough:
        return rederived(update, stratum, update.facts(deletion.overdelete()))


class _Enough(Exception):  # noqa: N818  a signal within this file
    """The searches have looked at as many instances as they may."""


class _Bounded(Deletion):
    def delete(self, doubts: Batch) -> Batch:
        self.left = REASONING.search_bound * size(doubts)
        return super().delete(doubts)

    def searched(self, instances: int) -> None:
        super().searched(instances)
        self.left -= instances
        if self.left < 0:
            raise _Enough

    def overdelete(self) -> Batch:
        """Completes the deletion without a search."""
        self.saturation.forward()
        batch = self.unsure(self.processed.missing(self.doubted.batch()))
        while batch:
            batch = self.unsure(self.propagate(batch))
        return self.unsure(self.doubted.batch())

    def unsure(self, facts: Batch) -> Batch:
        """The facts that are neither stated nor a consequence of proved facts."""
        delayed = self.saturation.delayed
        return self.update.explicit.missing(delayed.missing(self.proved.missing(facts)))
