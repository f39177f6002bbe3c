"""Backward/Forward deletion (paper 001, algorithms 1–3), over batches and one stratum.

Facts in doubt are taken from a queue. *Checking* looks for a proof: backward, by the rule
instances that could derive a fact, and forward, from facts that are explicit or already proved.
What stays unproved is disproved; only then are its consequences doubted (*propagation*). A batch
of one fact, taken depth first, is the algorithm of the paper; larger batches expand together.

Words: checked C, proved P (whose processed part is V), delayed Y (derived before being checked),
disproved S = C ∖ P, fixed when a check has ended, processed O (their consequences were doubted).
Bodies that lie wholly in lower strata fire no forward step, so the backward step proves their
head itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rdfinc.datalog.planning import Plan
from rdfinc.reasoning.run import Block, Parts, run
from rdfinc.reasoning.states import Hiding
from rdfinc.reasoning.strata import Proved, Stratum
from rdfinc.reasoning.update import Update, consequences
from rdfinc.tables.facts import Batch, Queue, gather, shaped, size


class Abandoned(Exception):  # noqa: N818  a signal between two modules, never seen by users
    """A deletion that would take longer than to materialise the stratum anew."""


def backward_forward(
    update: Update, stratum: Stratum, doubts: Batch, most: int = sys.maxsize
) -> Batch:
    """The facts that must go: those of the stratum, among `doubts` and all that follows from them,
    that have no proof from the explicit facts and lower strata after the update.

    Raises Abandoned when more than `most` facts have been checked.
    """
    return _Deletion(update, stratum, most).delete(doubts)


class _Deletion:
    def __init__(self, update: Update, stratum: Stratum, most: int) -> None:
        self.update, self.stratum, self.counters = update, stratum, update.counters
        self.most = most
        self.doubted, self.checked, self.proved, self.processed, self.delayed, self.disproved = (
            update.facts() for _ in range(6)
        )
        self.fired = update.facts()  # V
        self.candidates = update.finished(self.disproved)
        self.remaining = update.kept(self.processed)
        self.known = Proved(stratum, update.finished(), self.fired)

    # -- algorithm 1

    def delete(self, doubts: Batch) -> Batch:
        queue = Queue()
        queue.put(self.doubted.add(doubts))
        while queue:
            batch = queue.take()
            self.check(batch)
            lost = self.proved.minus(batch)
            if lost:
                queue.put(self.doubted.add(self.propagate(lost)))
                self.processed.add(lost)
        unproved = self.proved.minus(self.doubted.batch())
        self.counters.kept += len(self.doubted) - size(unproved)
        return unproved

    def propagate(self, lost: Batch) -> Batch:
        """The heads of all instances that used a lost fact and no fact processed before."""
        left = Hiding(self.remaining, lost, self.update.make)
        heads, instances = consequences(self.stratum, lost, (left, self.remaining))
        self.counters.propagate += instances
        return self.stratum.select(heads)

    # -- algorithm 2

    def check(self, batch: Batch) -> None:
        """Decides for every fact of the batch whether it has a proof."""
        found: list[Batch] = []
        stack = [self.expand(batch, found)]
        while stack:
            children = next(stack[-1], None)
            if children is None:
                stack.pop()
            else:
                stack.append(self.expand(children, found))
        for newly in found:
            self.disproved.add(self.proved.minus(newly))

    def expand(self, batch: Batch, found: list[Batch]) -> Iterator[Batch]:
        """Yields batches of facts whose proof would help to prove those of `batch`.

        Whoever iterates checks each batch before asking for the next.
        """
        fresh = self.checked.add(batch)
        if not fresh:
            return
        found.append(fresh)
        self.counters.checked += size(fresh)
        if self.counters.checked > self.most:
            raise Abandoned
        self.saturate(fresh)
        states = self.candidates, self.candidates
        for predicate, keys in fresh.items():
            proved = self.proved.table(predicate)
            for plan, some in self.stratum.derivers(predicate, proved.missing(keys)):
                still = shaped(proved.missing(some))
                for block in run(plan, predicate, still, states):
                    for band in block.bands(plan.head, proved):
                        self.counters.backward += len(band)
                        children = self.support(plan, band)
                        if children:
                            yield children
                    if not len(proved.missing(still)):
                        break

    def support(self, plan: Plan, block: Block) -> Batch:
        """The body facts of this stratum that are not checked yet.

        An instance without any body fact in this stratum proves its head.
        """
        body = self.stratum.body(plan)
        based = body.based_below(block)
        if based is not None:
            heads = Parts()
            based.emit(plan.head, heads)
            self.prove(gather(heads))
        parts = Parts()
        for atom in body.inside:
            block.emit(atom, parts)
        return self.checked.minus(self.stratum.select(gather(parts)))

    # -- algorithm 3

    def saturate(self, fresh: Batch) -> None:
        """Proves what is explicit or delayed among freshly checked facts, and what follows."""
        self.prove(self.update.explicit.present(fresh))
        self.prove(self.delayed.meet(fresh))

    def prove(self, batch: Batch) -> None:
        queue = self.proved.add(batch)
        while queue:
            self.fired.add(queue)
            left = Hiding(self.known, queue, self.update.make)
            heads, instances = consequences(self.stratum, queue, (left, self.known))
            self.counters.saturate += instances
            awaited, unasked = self.checked.split(self.stratum.select(heads))
            self.delayed.add(unasked)
            queue = self.proved.add(awaited)
