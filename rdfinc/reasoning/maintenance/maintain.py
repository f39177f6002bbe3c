"""One update of a materialisation, stratum by stratum (ALGORITHMS: the table of states).

A stratum doubts the facts with lost explicit support, and the heads of instances with a fact lost
by lower strata. A deletion strategy decides which doubted facts must go. Then the stratum inserts
its new facts, brings the values of its groups up to date, and hands on its net change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from rdfinc.datalog.compile.relation_hypergraph import CLASS
from rdfinc.reasoning.maintenance.aggregate_update import update_groups
from rdfinc.reasoning.maintenance.backward_forward import backward_forward
from rdfinc.reasoning.maintenance.dred import dred
from rdfinc.reasoning.maintenance.dred_counting import count_and_delete
from rdfinc.reasoning.maintenance.equality_update import (
    is_rewritten,
    rewrite_explicit,
    update_aliases,
)
from rdfinc.reasoning.maintenance.fbf import delete_with_bounded_search
from rdfinc.reasoning.maintenance.insertion import insert
from rdfinc.reasoning.maintenance.module_update import update_modules
from rdfinc.reasoning.maintenance.rematerialise import rematerialise
from rdfinc.reasoning.maintenance.time_budget import TimeBudget, learn_anew
from rdfinc.reasoning.maintenance.update import Abandoned, Spend, Update, consequences
from rdfinc.reasoning.maintenance.verdict import Stopped, Verdict
from rdfinc.reasoning.program import clock
from rdfinc.reasoning.program.cost_model import WAYS, Habit
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, joined, shaped, size

Delete = Callable[[Update, Stratum, Batch, Spend], None]
"""A deletion strategy: adds to `update.removed` the facts that must go after some facts of the
stratum came into doubt, and inserts facts again that went too early. May raise Abandoned, with
nothing changed."""


class Strategy(Struct, frozen=True):
    """A way to delete facts. If `is_timed`, a new start replaces it where that is likely to be
    faster."""

    delete: Delete
    is_timed: bool = False


def maintain(
    update: Update,
    plans: StrataPlans,
    strategy: Strategy,
    deleted: Batch,
    inserted: Batch,
    check: Callable[[Update], Verdict | None] | None = None,
) -> Verdict | None:
    """Completes `update.removed` and `update.added`, exact and disjoint; or tells why other strata
    are asked for, with only `update` changed.

    `deleted` and `inserted` are the facts that stopped and started being explicit; `check` is asked
    when all strata but the last are done.
    """
    strata, last = plans.strata, plans.list[-1]
    about_all = strata.equality is not None
    try:
        for stratum in plans.list:
            if stratum is last and stratum.level and check and (verdict := check(update)):
                return verdict
            if about_all and is_rewritten(strata, stratum.level):
                deleted, inserted = rewrite_explicit(update, strata, deleted, inserted)
                about_all = False
            gone = stratum.select(deleted) if deleted else deleted
            new = stratum.select(inserted) if inserted else inserted
            touched = gone or new or strata.ruleless or update.has_changed
            if touched or (stratum.made and any(map(update.is_new, stratum.made))):
                _maintain(update, stratum, strategy, gone, new)
    except Stopped as stopped:
        return stopped.verdict
    return None


def _maintain(
    update: Update, stratum: Stratum, strategy: Strategy, deleted: Batch, inserted: Batch
) -> None:
    if stratum.strata.ruleless:
        update.removed.add(_underived(update, stratum))
    gained: Batch = {}
    lost: Batch = {}
    if changed := update.has_changed:
        update.hear(stratum)
    budget = TimeBudget(update, stratum) if strategy.is_timed else None
    if budget and (changed or _are_many(inserted)):
        budget.start()
    spend: Spend = budget or update.spend
    try:
        if stratum.cyclic and any(map(update.is_new, stratum.cyclic)):
            raise Abandoned
        if changed:
            if budget:
                budget.foresee(update.losses(stratum))
            gained, lost = update.gained(stratum), update.lost(stratum)
        if deleted or gained or lost or update.hints.heads:
            _delete(update, stratum, strategy, (deleted, gained, lost), spend)
    except Abandoned:
        if budget:
            budget.give_up()
        start = clock.now()
        read = rematerialise(update, stratum)
        learn_anew(update, stratum, read, clock.now() - start)
    else:
        if inserted or gained or lost:
            instances = insert(update, stratum, inserted, gained, lost)
            update.counters.insertions += instances
            if budget:
                budget.learn(instances, size(gained))
    _cancel(update, stratum)
    update_groups(update, stratum)
    update_modules(update, stratum)
    update_aliases(update, stratum)


def _are_many(inserted: Batch) -> bool:
    """Whether an insertion may tell how long a new start takes. One of few facts is not timed."""
    return not {list}.issuperset(map(type, inserted.values()))


def _underived(update: Update, stratum: Stratum) -> Batch:
    """The derived facts of relations that have lost all their rules."""
    lost: Batch = {}
    strata, before = stratum.strata, update.state()
    for node in strata.levels.only(strata.ruleless, stratum.level):
        if node < CLASS:
            facts = {node: shaped(before.table(node).scan())}
        else:
            members = np.sort(np.array(before.table(strata.type).subjects(node - CLASS), np.uint32))
            facts = {strata.type: shaped(kernels.pack(members, node - CLASS))}
        lost = joined(lost, update.explicit.missing(facts))
    return lost


def _seeds(update: Update, stratum: Stratum, lost: Batch, gained: Batch, spend: Spend) -> Batch:
    """The heads of instances with a fact lost by lower strata, or with a negated literal that
    matches a fact gained by them."""
    if not (lost or gained):
        return {}
    states = update.kept(), update.state()
    driven = stratum.drivers.of(update.hints.unseen(lost), gained, update)
    heads, instances = consequences(update, stratum, driven, states, spend)
    update.counters.propagate += instances
    return stratum.select(heads)


def _delete(
    update: Update,
    stratum: Stratum,
    strategy: Strategy,
    changes: tuple[Batch, Batch, Batch],
    spend: Spend,
) -> None:
    """Deletes in a stratum, given the facts that stopped being explicit and the gains and losses of
    lower strata."""
    deleted, gained, lost = changes
    given = joined(update.removed.missing(deleted), stratum.select(update.hints.heads))
    seeds = update.removed.missing(_seeds(update, stratum, lost, gained, spend))
    doubts = joined(given, seeds)
    if seeds:
        update.counters.doubted += size(doubts) - size(given)
    if doubts:
        strategy.delete(update, stratum, doubts, spend)


def _cancel(update: Update, stratum: Stratum) -> None:
    """Facts of the stratum that were removed and added again have not changed."""
    if not update.removed.tables:
        return
    for predicate in update.added.tables.keys() & update.removed.tables.keys():
        new, old = update.added.table(predicate), update.removed.table(predicate)
        if not (len(new) and len(old) and stratum.holds(predicate)):
            continue
        few = shaped(new.all())
        if isinstance(few, list) and not old.present(few):
            continue
        lost, gained = kernels.differences(old.scan(), new.scan())
        if gained.size < len(new):
            update.removed.keep(predicate, lost)
            update.replace_added(predicate, gained)


# -- deletion strategies


def _backward_forward(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
    update.removed.add(backward_forward(update, stratum, doubts, spend))


def _dred(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
    _restore(update, stratum, *dred(update, stratum, doubts, spend))
    update.overdeleted += 1


def _chosen(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
    """Deletes by the usual strategy, unless it is time to try another. Raises Abandoned if a new
    start is the usual one."""
    assert isinstance(spend, TimeBudget)
    spend.find()
    doubted = size(doubts)
    habit = stratum.experience.of(doubted, _relation_of(doubts, stratum.strata.type))
    deletion = _DeletionTask(update, stratum, doubts, spend)
    if several := doubted >= REASONING.several_doubts:
        spend.watch()
    elif not habit.mean and _is_quick(habit, deletion):
        return
    if habit.way is None and not several:
        _first_tries(habit, deletion)
        return
    if (several or habit.mean > REASONING.least_start) and (others := habit.others()):
        way = others[0]
        if deletion.ends(way, habit.mean, REASONING.better_by):
            if habit.way is None or spend.watched:
                habit.try_out(way, spend.spent(), spend.rest)
            return
        habit.give_up(way)
    if habit.way is None:
        raise Abandoned
    _as_usual(habit, deletion)


def _relation_of(doubts: Batch, type_: int) -> int:
    """The relation of all facts in doubt, or the class of one about rdf:type; 0 for several."""
    if len(doubts) > 1:
        return 0
    ((relation, keys),) = doubts.items()
    return int(keys[0]) & 0xFFFFFFFF if relation == type_ and len(keys) == 1 else relation


class _DeletionTask(NamedTuple):
    """What all strategies are asked to do in a stratum."""

    update: Update
    stratum: Stratum
    doubts: Batch
    budget: TimeBudget

    def ends(self, way: str, seconds: float, less: float = 1.0, share: float = 0.0) -> bool:
        """Whether it is done by a strategy within a fraction of a new start, and of some seconds
        or, where that is longer, of a share of a new start. If not, nothing has changed."""
        self.budget.begin(less, seconds, share)
        try:
            _WAYS[way](self.update, self.stratum, self.doubts, self.budget)
        except Abandoned:
            return False
        return True

    def by_turns(
        self, first: Sequence[str], turn: float, limits: Mapping[str, float]
    ) -> str | None:
        """The strategy that did it, if any: some have a turn of so many seconds, then others have
        longer and longer ones, each strategy within its limit of seconds."""
        longer = sorted(
            (seconds, place, way)
            for place, (way, limit) in enumerate(limits.items())
            for seconds in _longer_turns(turn, limit)
        )
        turns = chain(((turn, way) for way in first), ((each[0], each[2]) for each in longer))
        return next((way for seconds, way in turns if self.ends(way, seconds)), None)


def _longer_turns(turn: float, limit: float) -> Iterator[float]:
    """Turns of one strategy that take its limit together, each a part of the next one; none is
    shorter than two of the first."""
    longest = limit * (1 - 1 / REASONING.longer_turn)
    while longest >= 2 * turn:
        yield longest
        longest /= REASONING.longer_turn


def _is_quick(habit: Habit, deletion: _DeletionTask) -> bool:
    """Whether one more deletion by a strategy that never took long enough to be timed ends within
    the first turn."""
    assert habit.way
    if not deletion.ends(habit.way, REASONING.first_turn):
        habit.drop()
        return False
    habit.learn(deletion.budget.spent())
    return True


def _first_tries(habit: Habit, deletion: _DeletionTask) -> None:
    """All strategies by turns, for a part of the time of a new start; those that have failed of
    late for a smaller one, if that is long. Raises Abandoned."""
    rested, anew = habit.others(), deletion.budget.anew
    turn = max(REASONING.first_turn, min(anew / REASONING.first_part, REASONING.most_first_turn))
    ways = WAYS if REASONING.short_turn * turn <= anew else rested
    limits = {way: habit.share(way, rested) * anew for way in ways}
    if way := deletion.by_turns(ways, turn, limits):
        habit.try_out(way, deletion.budget.spent(), anew)
        return
    for way in rested:
        habit.give_up(way)
    raise Abandoned


def _as_usual(habit: Habit, deletion: _DeletionTask) -> None:
    """The usual strategy. If it takes much longer than on average, all take turns, together for
    about as long as a new start takes. Raises Abandoned."""
    usual, budget = habit.way, deletion.budget
    assert usual
    patience = habit.patience
    if deletion.ends(usual, patience, share=habit.first_share):
        habit.learn(budget.spent())
        return
    turn = max(patience, REASONING.usual_share * budget.anew)
    limit, others = budget.anew - budget.spent(), [way for way in WAYS if way != usual]
    limits = dict.fromkeys((usual, *others), limit / len(WAYS))
    way = deletion.by_turns(others, turn, limits)
    anew = 0.0 if way else budget.anew
    habit.exceed(way, budget.spent(), budget.in_all() + anew)
    if way is None:
        raise Abandoned


def _counting(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
    _restore(update, stratum, *count_and_delete(update, stratum, doubts))


def _bounded(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
    _restore(update, stratum, *delete_with_bounded_search(update, stratum, doubts, spend))


def _restore(update: Update, stratum: Stratum, gone: Batch, again: Batch) -> None:
    update.removed.add(gone)
    if again:
        update.counters.dr5 += insert(update, stratum, again, {})


def _rematerialise(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
    raise Abandoned


_WAYS = dict(zip(WAYS, (_backward_forward, _dred), strict=True))

STRATEGIES = {
    "auto": Strategy(_chosen, is_timed=True),
    **{way: Strategy(delete) for way, delete in _WAYS.items()},
    "fbf": Strategy(_bounded),
    "dred-counting": Strategy(_counting),
    "rematerialise": Strategy(_rematerialise),
}
