"""Backward/Forward with a bounded backward search (FBF: Motik, Nenov, Piro, Horrocks,
*Maintenance of datalog materialisations revisited*, 2019).

The search for a proof is given up after so many rule instances. A fact without a proof by then
goes, and what rested on it is in doubt, as in Delete/Rederive; at the end those that went too
early are found as there: by one instance each in what is left. What stays meanwhile is right,
because it has lost no instance or has a proof; what is found at the end, and what follows from
it, is all that was lost too much. So the bound decides about time and never about results.
"""

from __future__ import annotations

from rdfinc.reasoning.backward_forward import Deletion
from rdfinc.reasoning.dred import rederived
from rdfinc.reasoning.strata import Stratum
from rdfinc.reasoning.update import Spend, Update
from rdfinc.tables.facts import Batch
from rdfinc.tables.table import Keys

BOUND = 16
"""The rule instances that a search may look at for each fact in doubt."""


def bounded(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> tuple[Batch, Batch]:
    """(facts that go, those of them to insert again)."""
    deletion = _Bounded(update, stratum, spend)
    gone = deletion.delete(doubts)
    if not deletion.gave_up:
        return gone, {}
    return gone, rederived(update, stratum, update.facts(gone), gone)


class _Enough(Exception):  # noqa: N818  a signal within this file
    """The search has looked at as many instances as it may."""


class _Bounded(Deletion):
    """`disproved` are facts whose check was finished; what is `processed` is as good as gone."""

    def __init__(self, update: Update, stratum: Stratum, spend: Spend) -> None:
        super().__init__(update, stratum, spend)
        self.candidates = update.finished(self.disproved, self.processed)
        self.left = 0
        self.gave_up = False

    def check(self, predicate: int, keys: Keys) -> None:
        self.left = BOUND * len(keys)
        try:
            super().check(predicate, keys)
        except _Enough:
            self.gave_up = True

    def searched(self, instances: int) -> None:
        super().searched(instances)
        self.left -= instances
        if self.left < 0:
            raise _Enough
