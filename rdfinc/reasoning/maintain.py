"""One update of a materialisation, stratum by stratum (ALGORITHMS: the table of states).

Each stratum doubts the facts that lost explicit support and the heads of instances that used
a fact the strata below have lost, lets a deletion strategy decide which of them must go, inserts
what is new, brings the values of its groups up to date, and hands on only its net change.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from rdfinc.datalog.dependency import CLASS
from rdfinc.reasoning.backward_forward import Abandoned, backward_forward
from rdfinc.reasoning.dred import dred
from rdfinc.reasoning.grouping import regroup
from rdfinc.reasoning.insertion import insert
from rdfinc.reasoning.strata import Strata, Stratum
from rdfinc.reasoning.update import Update, consequences
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, joined, shaped, size

Delete = Callable[[Update, Stratum, Batch], None]
"""Adds to `update.removed` what must go after doubting some facts of the stratum, and inserts again
what it took away too much. Raises Abandoned, with nothing changed, where it is not worth its while.
"""

WORTH = 0.05
"""The part of a stratum that `auto` checks before it materialises the stratum anew: a check costs
some five times what deriving a fact does."""

AT_LEAST = 1000
"""Facts that `auto` checks in any case."""


def maintain(
    update: Update, strata: Strata, strategy: Delete, deleted: Batch, inserted: Batch
) -> None:
    """Completes `update.removed` and `update.added`, exact and disjoint.

    `deleted` and `inserted` are the facts that stopped and started being explicit. Raises
    CoarserStrata, with nothing but `update` changed, if the strata turn out to be too fine.
    """
    for stratum in strata.list:
        if deleted or inserted or update.added or update.removed:
            _maintain(update, stratum, strategy, stratum.select(deleted), stratum.select(inserted))


def _maintain(
    update: Update, stratum: Stratum, delete: Delete, deleted: Batch, inserted: Batch
) -> None:
    gained = update.added.batch()
    update.removed.add(_underived(update, stratum))
    lost = update.removed.batch()
    stratum.strata.change(gained, lost)
    doubts = joined(update.removed.minus(deleted), _seeds(update, stratum, lost, gained))
    try:
        if doubts:
            delete(update, stratum, doubts)
    except Abandoned:
        _anew(update, stratum)
    else:
        if inserted or gained or lost:
            update.counters.insertions += insert(update, stratum, inserted, gained, lost)
    _cancel(update)
    regroup(update, stratum)


def _underived(update: Update, stratum: Stratum) -> Batch:
    """The facts of relations that no rule derives any more, but for explicit ones."""
    lost: Batch = {}
    strata, before = stratum.strata, update.state()
    for node in strata.levels.only(strata.bare, stratum.level):
        if node < CLASS:
            predicate, keys = node, before.table(node).scan()
        else:
            members = before.table(strata.type).subjects(node - CLASS)
            predicate, keys = (
                strata.type,
                kernels.pack(np.sort(np.array(members, np.uint32)), node - CLASS),
            )
        more = update.facts(update.explicit.missing({predicate: shaped(keys)}))
        lost = joined(lost, more.batch())
    return lost


def _seeds(update: Update, stratum: Stratum, lost: Batch, gained: Batch) -> Batch:
    """The heads of instances that used what the strata below have lost, or that nothing was there
    which they have gained."""
    if not (lost or gained):
        return {}
    states = update.kept(), update.state()
    heads, instances = consequences(stratum, lost, states, gained)
    update.counters.propagate += instances
    return stratum.select(heads)


def _anew(update: Update, stratum: Stratum) -> None:
    """Materialises the stratum from its explicit facts and all facts below it; the values of
    groups stay, for they are brought up to date afterwards."""
    for predicate, table in update.before.items():
        if predicate in stratum.strata.levels.folded:
            continue
        keys = shaped(table.scan())
        mine = stratum.select({predicate: keys}).get(predicate, [])
        if len(mine) == len(table):
            update.removed.share(predicate, table)
        else:
            update.removed.add({predicate: mine})
    stated = stratum.select(update.explicit.batch())
    below = stratum.strata.below(update.after().batch(), stratum.level)
    update.counters.insertions += insert(update, stratum, stated, below)
    update.rematerialised += 1


def _cancel(update: Update) -> None:
    """Facts that went and came back have not changed."""
    if not (update.removed and update.added):
        return
    back = update.removed.meet(update.added.batch())
    if back:
        update.removed.discard(back)
        update.added.discard(back)


# -- deletion strategies


def _backward_forward(update: Update, stratum: Stratum, doubts: Batch) -> None:
    update.removed.add(backward_forward(update, stratum, doubts))


def _dred(update: Update, stratum: Stratum, doubts: Batch) -> None:
    gone, again = dred(update, stratum, doubts)
    update.removed.add(gone)
    if again:
        update.counters.dr5 += insert(update, stratum, again, {})


def _rematerialise(update: Update, stratum: Stratum, doubts: Batch) -> None:
    raise Abandoned


def _auto(update: Update, stratum: Stratum, doubts: Batch) -> None:
    """Backward/Forward, while it does not check too large a part of the stratum."""

    @cache
    def most() -> int:
        return int(WORTH * sum(map(len, update.before.values())))

    def too_many(checked: int) -> bool:
        return checked > AT_LEAST and checked > most()

    if too_many(size(doubts)):
        raise Abandoned
    update.removed.add(backward_forward(update, stratum, doubts, too_many))


STRATEGIES: dict[str, Delete] = {
    "auto": _auto,
    "bf": _backward_forward,
    "dred": _dred,
    "rematerialise": _rematerialise,
}
