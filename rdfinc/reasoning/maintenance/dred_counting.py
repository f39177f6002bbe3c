"""Delete/Rederive with counters (Hu et al. 2018; 2019 §4.2), over batches and one stratum.

A fact in doubt has two counters: one of its derivations from finished strata alone, a statement of
the fact among them, and one of all other derivations. Overdeletion stops at a fact whose first
counter is above zero, since no loss in this stratum can lower it. Each lost instance lowers the
second counter. If it ends above zero, the fact has a derivation in the rest, without a search.

The paper keeps the counters of all facts. Here a fact is counted when it is first in doubt, so that
insertions and memory cost nothing for it. Instances with a fact gained by lower strata are not
counted: the insertion that follows finds them. The counters of an update call overdeleted facts
checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from rdfinc.datalog.compile.planning import Plan, Slots
from rdfinc.reasoning.evaluation.run import Block, Parts, run
from rdfinc.reasoning.evaluation.states import Hiding
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.maintenance.verdict import Stopped, TooFine
from rdfinc.reasoning.program.plan_index import by_plan
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, as_list, gather, shaped, size
from rdfinc.tables.marks import Marks
from rdfinc.tables.table import Keys

Counts = dict[int, dict[int, int]]
"""The number of instances, by relation and fact."""


def count_and_delete(update: Update, stratum: Stratum, doubts: Batch) -> tuple[Batch, Batch]:
    """(overdeleted facts, and of these the facts with a derivation in the rest)."""
    return _Counting(update, stratum).delete(doubts)


class _Counting:
    def __init__(self, update: Update, stratum: Stratum) -> None:
        self.update, self.stratum = update, stratum
        self.doubted, self.processed = Marks(), Marks()
        self.remaining = update.kept(self.processed)
        self.others: Counts = {}

    def delete(self, doubts: Batch) -> tuple[Batch, Batch]:
        batch = self.unsupported(self.doubted.add(doubts))
        while batch:
            heads = self.lost(batch)
            self.processed.add(batch)
            self.count(heads, -1)
            met = self.stratum.select(gather(heads))
            batch = self.unsupported(self.doubted.add(met))
        gone = self.processed.batch()
        self.update.counters.checked += size(gone)
        again = {
            p: [key for key in as_list(keys) if self.others[p][key]] for p, keys in gone.items()
        }
        return gone, {p: _sorted(keys) for p, keys in again.items() if keys}

    def count(self, heads: Parts, sign: int) -> None:
        """Counts instances of facts that have counters."""
        for predicate, groups in heads.items():
            counts = self.others.get(predicate)
            if counts:
                for key, number in _numbered(groups):
                    if key in counts:
                        counts[key] += sign * number

    # -- the instances of lost facts

    def lost(self, batch: Batch) -> Parts:
        """The heads of all instances that use a fact of the batch and none processed before."""
        strata, states = self.stratum.strata, (Hiding(self.remaining, batch), self.remaining)
        heads, free = Parts(), Parts()
        for plans, predicate, keys in self.stratum.drivers.readers(batch, self.update):
            for plan in plans:
                target = free if plan.clause in strata.free else heads
                for block in run(plan.whole(), predicate, keys, states):
                    self.update.counters.dr2 += len(block)
                    _emit_each(block, plan.head, target)
        misplaced = strata.misplaced(
            gather(strata.turned(free)), self.stratum.level, self.update.met()
        )
        if misplaced:
            raise Stopped(TooFine(misplaced))
        return _joined(strata.turned(heads), strata.turned(free))

    # -- the instances of facts in doubt

    def unsupported(self, facts: Batch) -> Batch:
        """The facts without a derivation from finished strata alone; each of them is counted."""
        open_ = self.update.explicit.missing(facts)
        others, strata, nothing = Parts(), self.stratum.strata, Marks()
        supported = self.update.facts()
        for plan, block in self.derivations(open_):
            body = self.stratum.body(plan)
            supported.add(body.heads(body.proved(block, nothing)))
            _emit_each(block, plan.head, others)
        found = supported.missing(open_)
        for predicate, keys in found.items():
            self.others.setdefault(predicate, {}).update(dict.fromkeys(as_list(keys), 0))
        self.count(_only(_joined(strata.turned(others)), found), 1)
        return found

    def derivations(self, facts: Batch) -> Iterator[tuple[Plan, Block]]:
        """The instances with one of the facts as head, each once."""
        derivers = (self.stratum.derivers(p, keys, self.update) for p, keys in facts.items())
        for plan, relation, keys in by_plan(chain.from_iterable(derivers)):
            for block in run(plan, relation, keys, (self.remaining, self.remaining)):
                self.update.counters.dr4 += len(block)
                yield plan, block


def _emit_each(block: Block, atom: Slots, parts: Parts) -> None:
    """Adds the atom's instance under every match, as often as there are matches."""
    s, p, o = block.columns_of((atom.s, atom.p, atom.o))
    for predicate in kernels.unique_ids(p).tolist():
        chosen = p == predicate
        keys = kernels.pack(s[chosen], o[chosen])
        parts.setdefault(predicate, []).append(keys)


def _joined(*several: dict[int, list[Keys]]) -> Parts:
    parts = Parts()
    for each in several:
        for predicate, groups in each.items():
            parts.setdefault(predicate, []).extend(groups)
    return parts


def _only(parts: Parts, facts: Batch) -> Parts:
    """The parts of some facts: others were counted at their time."""
    chosen, wanted = Parts(), Marks()
    wanted.add(facts)
    for predicate, groups in parts.items():
        if predicate in facts:
            chosen[predicate] = [wanted[predicate].present(group) for group in groups]
    return chosen


def _numbered(groups: list[Keys]) -> Iterator[tuple[int, int]]:
    """Each of the facts, and how often it occurs."""
    keys = np.sort(np.concatenate([np.asarray(group, np.uint64) for group in groups]))
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] + np.uint64(1))) if keys.size else keys
    numbers = np.diff(starts, append=keys.size)
    return zip(keys[starts].tolist(), numbers.tolist(), strict=True)


def _sorted(keys: list[int]) -> Keys:
    return shaped(np.sort(np.array(keys, np.uint64)))
