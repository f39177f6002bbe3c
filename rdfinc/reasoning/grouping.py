"""Aggregates: facts that are values of groups, brought up to date at the end of a stratum.

A fact (key, relation, value) is a function of the solutions that give the group, all of finished
relations. So an exact change of these tells which groups to look at, and each of them is computed
anew from all its solutions: the value does not depend on the order of updates.
"""

from __future__ import annotations

from itertools import chain

from rdfinc.reasoning.run import Parts, run
from rdfinc.reasoning.strata import Grouping, Stratum
from rdfinc.reasoning.update import Update
from rdfinc.tables.facts import Batch, as_list, batch_of, gather, size


def regroup(update: Update, stratum: Stratum) -> None:
    """Brings the aggregates of the stratum's groups up to date in `update`.

    Cost: the solutions that came or went, and all solutions of the groups that they belong to.
    """
    for grouping in stratum.groupings:
        groups = stratum.select(_affected(update, grouping))
        update.counters.groups += size(groups)
        for predicate, keys in groups.items():
            _replace(update, grouping, predicate, as_list(keys))
        stratum.strata.appear(groups)


def _affected(update: Update, grouping: Grouping) -> Batch:
    """The groups, as facts (key, relation, key), of which a solution came or went."""
    gained, lost = update.added.batch(), update.removed.batch()
    before, after = update.state(), update.finished()
    parts = Parts()
    readers, deniers = grouping.drivers.readers, grouping.drivers.deniers
    for driven, state in (
        (chain(readers(gained), deniers(lost)), after),
        (chain(readers(lost), deniers(gained)), before),
    ):
        for plan, predicate, keys in driven:
            for block in run(plan, predicate, keys, (state, state)):
                block.emit(plan.head, parts)
    return gather(parts)


def _replace(update: Update, grouping: Grouping, predicate: int, groups: list[int]) -> None:
    """Replaces the values of some groups of one relation by those after the update."""
    solutions = _solutions(update, grouping, predicate, groups)
    values = ((key, grouping.fold.value(rows)) for key, rows in solutions.items())
    new = {(key, predicate, value) for key, value in values if value is not None}
    table = update.state().table(predicate)
    old = {(g >> 32, predicate, o) for g in groups for o in table.objects(g >> 32)}
    update.removed.add(batch_of(sorted(old - new)))
    update.added.add(batch_of(sorted(new - old)))


def _solutions(
    update: Update, grouping: Grouping, predicate: int, groups: list[int]
) -> dict[int, list[tuple[int, ...]]]:
    """By key, what the fold reads of every solution of the groups after the update."""
    plan, after = grouping.backward, update.finished()
    slots = (plan.head.s, *grouping.fold.inputs)
    found: dict[int, list[tuple[int, ...]]] = {}
    (keys,) = gather({predicate: [groups]}).values()
    for block in run(plan, predicate, keys, (after, after)):
        for key, *row in block.values(slots):
            found.setdefault(key, []).append(tuple(row))
    return found
