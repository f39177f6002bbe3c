"""Materialising a stratum anew: what it holds is forgotten and derived again.

It starts from the explicit facts of the stratum and all facts below it, and hands on the net
difference, as every other strategy does.
"""

from __future__ import annotations

from rdfinc.reasoning.ends import spanning
from rdfinc.reasoning.insertion import materialise
from rdfinc.reasoning.stratum import Reads, Stratum
from rdfinc.reasoning.update import Update
from rdfinc.tables.facts import Batch, joined, shaped
from rdfinc.tables.table import MutableTable


def rematerialise(update: Update, stratum: Stratum) -> None:
    """Completes `update.removed` and `update.added` for a stratum that has changed nothing yet; the
    values of groups stay, for they are brought up to date afterwards."""
    for predicate, table in update.before.items():
        if predicate in stratum.strata.levels.folded or not stratum.holds(predicate):
            continue
        assert isinstance(table, MutableTable), "what is not derived fact by fact is folded"
        keys = shaped(table.scan())
        mine = stratum.select({predicate: keys}).get(predicate, [])
        if len(mine) == len(table):
            update.removed.share(predicate, table)
        else:
            update.removed.add({predicate: mine})
    stated = stratum.select(update.explicit.batch())
    update.added.extend(stated)
    stratum.strata.appear(stated)
    below = _below(update, stratum)
    update.counters.insertions += materialise(update, stratum, joined(stated, below))
    update.rematerialised += 1


def _below(update: Update, stratum: Stratum) -> Batch:
    """The facts of lower strata after the update that the stratum reads."""
    after, strata = update.after(), stratum.strata
    if not stratum.level:
        return {}
    modules, kinds = strata.modules, update.kinds
    known: Batch = {}
    aliases = strata.equality.aliases if strata.equality else None
    for p in after.predicates():
        if p == aliases:  # an instance that reads them reads another fact first
            continue
        if p == strata.type or (reads := stratum.reads(p)) is not Reads.NOTHING:
            ends = p in modules.of and reads is Reads.ENDS and modules.of[p].external in kinds
            table = spanning(after.table, modules, kinds, p) if ends else after.table(p)
            known[p] = shaped(table.scan())
    return strata.below({p: keys for p, keys in known.items() if len(keys)}, stratum.level)
