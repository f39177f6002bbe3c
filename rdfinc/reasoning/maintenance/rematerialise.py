"""Materialising a stratum anew: all its facts are forgotten and derived again.

A new start reads the explicit facts of the stratum and all facts below it, and hands on the net
difference, as every other strategy does.
"""

from __future__ import annotations

from rdfinc.reasoning.evaluation.guarded_deltas import among, with_ends
from rdfinc.reasoning.evaluation.table_deltas import spanning
from rdfinc.reasoning.maintenance.insertion import materialise
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.stratum import Reads, Stratum
from rdfinc.tables.facts import Batch, joined, shaped, size
from rdfinc.tables.table import Keys, MutableTable
from rdfinc.tables.views import EMPTY


def rematerialise(update: Update, stratum: Stratum) -> int:
    """Completes `update.removed` and `update.added` for a stratum without changes so far. The
    values of groups stay, for they are brought up to date afterwards.

    Returns the number of facts of lower strata that were read.
    """
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
    stratum.memory.appear(stated)
    below = _below(update, stratum)
    update.counters.insertions += materialise(update, stratum, joined(stated, below))
    update.rematerialised += 1
    return size(below)


def _below(update: Update, stratum: Stratum) -> Batch:
    """The facts of lower strata after the update that the stratum reads."""
    after, strata = update.after(), stratum.strata
    if not stratum.level:
        return {}
    known: Batch = {}
    aliases = strata.equality.aliases if strata.equality else None
    for p in after.predicates():
        if p == aliases:  # an instance that reads them reads another fact first
            continue
        keys = shaped(after.table(p).scan()) if p == strata.type else _read(update, stratum, p)
        if len(keys):
            known[p] = keys
    return strata.below(known, stratum.level)


def _read(update: Update, stratum: Stratum, p: int) -> Keys:
    """The facts of a relation after the update, as far as the stratum asks for them."""
    reads, modules, after = stratum.reads(p, update), stratum.strata.modules, update.after()
    if reads is Reads.NOTHING:
        return []
    if p not in modules.of or modules.of[p].external not in update.closure_kinds:
        return shaped(after.table(p).scan())
    ends = spanning(after.table, modules, update.closure_kinds, p)
    if reads is Reads.ENDS:
        return shaped(ends.scan())
    guards = stratum.guards(p, update)
    some = None if guards is None else among(after.table(p), EMPTY, guards, update.ever)
    if guards is None or some is None:
        return shaped(after.table(p).scan())
    return with_ends(some, ends.scan()) if guards.ends else shaped(some)
