"""One update of a materialisation, stratum by stratum (ALGORITHMS: the table of states).

Each stratum doubts the facts that lost explicit support and the heads of instances that used
a fact the strata below have lost, lets a deletion strategy decide which of them must go, inserts
what is new, brings the values of its groups up to date, and hands on only its net change.
"""

from __future__ import annotations

from collections.abc import Callable

from rdfinc.reasoning.backward_forward import backward_forward
from rdfinc.reasoning.dred import dred
from rdfinc.reasoning.grouping import regroup
from rdfinc.reasoning.insertion import insert
from rdfinc.reasoning.strata import Strata, Stratum
from rdfinc.reasoning.update import Update, consequences
from rdfinc.tables.facts import Batch

Strategy = Callable[[Update, Stratum, Batch], tuple[Batch, Batch]]

STRATEGIES: dict[str, Strategy] = {"bf": backward_forward, "dred": dred}


def maintain(
    update: Update, strata: Strata, strategy: Strategy, deleted: Batch, inserted: Batch
) -> None:
    """Completes `update.removed` and `update.added`, exact and disjoint.

    `deleted` and `inserted` are the facts that stopped and started being explicit. Raises
    CoarserStrata, with nothing but `update` changed, if the strata turn out to be too fine.
    """
    for stratum in strata.list:
        _maintain(update, stratum, strategy, stratum.select(deleted), stratum.select(inserted))


def _maintain(
    update: Update, stratum: Stratum, strategy: Strategy, deleted: Batch, inserted: Batch
) -> None:
    if not (deleted or inserted or update.added or update.removed):
        return
    gained, lost = update.added.batch(), update.removed.batch()
    doubts = update.facts(deleted)
    doubts.add(_seeds(update, stratum, lost, gained))
    again: Batch = {}
    if doubts:
        gone, again = strategy(update, stratum, doubts.batch())
        update.removed.add(gone)
    rederived = insert(update, stratum, again, {}) if again else 0
    update.counters.dr5 += rederived
    if inserted or gained or lost:
        update.counters.insertions += insert(update, stratum, inserted, gained, lost)
    _cancel(update)
    regroup(update, stratum)


def _seeds(update: Update, stratum: Stratum, lost: Batch, gained: Batch) -> Batch:
    """The heads of instances that used what the strata below have lost, or that nothing was there
    which they have gained."""
    if not (lost or gained):
        return {}
    states = update.kept(), update.state()
    heads, instances = consequences(stratum, lost, states, gained)
    update.counters.propagate += instances
    return stratum.select(heads)


def _cancel(update: Update) -> None:
    """Facts that went and came back have not changed."""
    back = update.removed.meet(update.added.batch())
    if back:
        update.removed.discard(back)
        update.added.discard(back)
