"""Delete/Rederive over batches and one stratum (Motik et al. 2015, DR1–DR4), without repeated
instances.

Overdeletes all consequences of the facts in doubt. An overdeleted fact comes back if it is explicit
or has a rule instance in the rest. So do the consequences of facts that came back: found backward
while few facts are gone, fewer than came back last, and else by inserting the latter (DR5, the
ordinary insertion). The counters call overdeleted facts checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rdfinc.reasoning.evaluation.run import Parts, run
from rdfinc.reasoning.evaluation.states import Hiding, State
from rdfinc.reasoning.maintenance.update import Spend, Update, consequences, freely
from rdfinc.reasoning.program.plan_index import by_plan
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, FactSet, gather, shaped, size
from rdfinc.tables.marks import Marks
from rdfinc.tables.table import Keys


def dred(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> tuple[Batch, Batch]:
    """(facts to remove, those of them to insert again)."""
    deleted, before = update.facts(), update.facts()
    remaining = update.kept(before)
    batch = deleted.add(doubts)
    while batch:
        spend(0, size(batch))
        heads = _overdeleted(update, stratum, batch, remaining, spend)
        before.add(batch)
        batch = deleted.add(heads)
    update.counters.checked += len(deleted)
    deleted.remove(update.explicit.present(deleted.batch()))
    return rederived(update, stratum, deleted, spend)


def _overdeleted(
    update: Update, stratum: Stratum, batch: Batch, remaining: State, spend: Spend
) -> Batch:
    """DR2: the heads of all instances that used a fact of the batch and none deleted before."""
    left = Hiding(remaining, batch)
    driven = stratum.drivers.readers(update.hints.unseen(batch), update)
    heads, instances = consequences(update, stratum, driven, (left, remaining), spend)
    update.counters.dr2 += instances
    return stratum.select(heads)


def rederived(
    update: Update, stratum: Stratum, gone: FactSet, spend: Spend = freely
) -> tuple[Batch, Batch]:
    """(facts of `gone` to remove, those of them to insert again); the others came back.

    A round takes the facts with an instance in the rest, in which all are that came back before. So
    what is to be inserted are the facts of the last round, and no instance is found twice. At the
    end `gone` has the facts to remove.
    """
    while gone:
        facts = gone.batch()
        back = _derivable(update, stratum, gone, facts, spend)
        if not back or len(gone) - size(back) > min(size(back), REASONING.few_gone):
            return facts, back
        gone.remove(back)
    return {}, {}


def _derivable(
    update: Update, stratum: Stratum, gone: FactSet, facts: Batch, spend: Spend
) -> Batch:
    """DR4: the `facts` of `gone` with an instance in the rest. No plan looks for facts that one
    before it has found."""
    state = update.finished(gone)
    found = Marks()
    derivers = (stratum.derivers(predicate, keys, update) for predicate, keys in facts.items())
    for plan, relation, every in by_plan(chain.from_iterable(derivers)):
        derives = stratum.body(plan).derives
        for some in _longer_and_longer(found[relation].missing(every)):
            spend(len(some), len(some))
            parts = Parts()
            for block in run(derives, relation, some, (state, state)):
                update.counters.dr4 += len(block)
                spend(len(block))
                block.emit(plan.head, parts)
            found.add(gather(parts))
    return stratum.strata.derived(found.batch())


def _longer_and_longer(keys: Keys) -> Iterator[Keys]:
    """The keys in parts, so that each tells how long the next one takes: some have many instances
    each, and nothing tells it before."""
    start, number = 0, REASONING.telling_facts
    while start < len(keys):
        yield shaped(keys[start : start + number])
        start, number = start + number, REASONING.longer_turn * number
