"""Aggregates: facts whose objects are values of groups, brought up to date at the end of a stratum.

A fact (key, relation, value) is a function of the solutions of one group, and all relations read by
these are finished. So the exact change of the solutions tells which groups to look at, and each of
those is computed anew from all its solutions. The value does not depend on the order of updates.
"""

from __future__ import annotations

import numpy as np

from rdfinc.reasoning.evaluation.run import Parts, run
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.stratum import Grouping, Stratum
from rdfinc.tables.facts import Batch, as_list, batch_of, gather, size
from rdfinc.tables.kernels import NO_IDS, IdArray


def update_groups(update: Update, stratum: Stratum) -> None:
    """Brings the aggregates of the stratum's groups up to date in `update`.

    Cost: the solutions that came or went, and all solutions of their groups.
    """
    for grouping in stratum.groupings:
        groups = stratum.select(_affected(update, stratum, grouping))
        update.counters.groups += size(groups)
        for predicate, keys in groups.items():
            stratum.memory.appear(_replace(update, grouping, predicate, as_list(keys)))


def _affected(update: Update, stratum: Stratum, grouping: Grouping) -> Batch:
    """The groups with a changed solution, as facts (key, relation, key)."""
    gained, lost = update.gained(stratum), update.lost(stratum)
    before, after = update.state(), update.finished()
    parts = Parts()
    readers, deniers = grouping.drivers.readers, grouping.drivers.deniers
    for driven, state in (
        (readers(gained, update) + deniers(lost, update), after),
        (readers(lost, update) + deniers(gained, update), before),
    ):
        for plans, predicate, keys in driven:
            for plan in plans:
                for block in run(plan, predicate, keys, (state, state)):
                    block.emit(plan.head, parts)
    return gather(parts)


def _replace(update: Update, grouping: Grouping, predicate: int, groups: list[int]) -> Batch:
    """Replaces the values of some groups of one relation by those after the update; returns the
    facts that come."""
    columns = _solutions(update, grouping, predicate, groups)
    starts = np.flatnonzero(np.diff(columns[0], prepend=np.uint32(0)))  # no id is 0
    values = grouping.fold.values(starts, columns) if starts.size else []
    found = zip(columns[0][starts].tolist(), values, strict=True)
    new = {(key, predicate, value) for key, value in found if value is not None}
    table = update.state().table(predicate)
    old = {(g >> 32, predicate, o) for g in groups for o in table.objects(g >> 32)}
    update.removed.add(batch_of(sorted(old - new)))
    come = batch_of(sorted(new - old))
    update.added.add(come)
    return come


def _solutions(
    update: Update, grouping: Grouping, predicate: int, groups: list[int]
) -> list[IdArray]:
    """The solutions of the groups after the update, in the order of their groups: the group's key
    and the variables read by the fold."""
    plan, after = grouping.backward, update.finished()
    slots = (plan.head.s, *grouping.fold.inputs)
    (keys,) = gather({predicate: [groups]}).values()
    blocks = [block.columns_of(slots) for block in run(plan, predicate, keys, (after, after))]
    columns = [np.concatenate([NO_IDS, *parts]) for parts in zip(*blocks, strict=True)]
    if not columns:
        return [NO_IDS for _ in slots]
    order = np.argsort(columns[0], kind="stable")
    return [column[order] for column in columns]
