"""Backward/Forward deletion (paper 001, algorithms 1–3), over batches and one stratum.

Facts in doubt are taken from a queue. *Checking* looks for a proof: backward, by the rule
instances that could derive a fact, and forward, from facts that are explicit or already proved.
What stays unproved is disproved; only then are its consequences doubted (*propagation*). A batch
of one fact, taken depth first, is the algorithm of the paper; larger batches expand together.

Words: checked C, proved P (whose processed part is V), delayed Y (derived before being checked),
disproved S = C ∖ P, fixed when a check has ended, processed O (their consequences were doubted).
What follows from proved facts is looked at when a fact that is not stated is asked for: where all
that is in doubt is stated, never.
Bodies that lie wholly in lower strata fire no forward step, so the backward step proves their
head itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc.datalog.planning import Plan
from rdfinc.reasoning.run import Block, Parts, growing, run
from rdfinc.reasoning.states import Hiding
from rdfinc.reasoning.strata import Body, Proved, Stratum
from rdfinc.reasoning.update import Spend, Update, consequences
from rdfinc.tables.facts import Batch, Queue, gather, size
from rdfinc.tables.marks import Marked, Marks, Swapped
from rdfinc.tables.table import Keys

Group = tuple[int, Keys]
"""Some facts of one relation."""


def backward_forward(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> Batch:
    """The facts that must go: those of the stratum, among `doubts` and all that follows from them,
    that have no proof from the explicit facts and lower strata after the update.
    """
    return Deletion(update, stratum, spend).delete(doubts)


class Deletion:
    """One deletion in a stratum: the sets of the algorithm and its steps."""

    def __init__(self, update: Update, stratum: Stratum, spend: Spend) -> None:
        self.update, self.stratum, self.counters = update, stratum, update.counters
        self.spend = spend
        self.doubted, self.checked, self.proved = Marks(), Marks(), Marks()
        self.processed, self.delayed, self.disproved = Marks(), Marks(), Marks()
        self.fired = update.facts()  # V
        self.waiting: list[Group] = []  # P ∖ V
        self.candidates = update.finished(self.disproved)
        self.remaining = update.kept(self.processed)
        self.known = Proved(stratum, update.finished(), self.fired)

    # -- algorithm 1

    def delete(self, doubts: Batch) -> Batch:
        queue = Queue()
        queue.put(self.doubted.add(doubts))
        while queue:
            predicate, keys = queue.take()
            self.check(predicate, keys)
            lost = self.unproved(predicate, keys)
            if len(lost):
                queue.put(self.doubt(self.propagate({predicate: lost})))
                self.processed.add(self.settled({predicate: lost}))
        doubted = self.doubted.batch()
        gone = self.proved.missing(doubted)
        self.counters.kept += size(doubted) - size(gone)
        return gone

    def doubt(self, facts: Batch) -> Batch:
        """Puts facts in doubt; returns those that were not."""
        fresh = self.doubted.add(facts)
        self.counters.doubted += size(self.checked.missing(fresh))
        return fresh

    def settled(self, lost: Batch) -> Batch:
        """Lost facts but those of which linear rules have instances that other facts drive."""
        return {p: keys for p, keys in lost.items() if not self.stratum.strata.is_linear(p)}

    def propagate(self, lost: Batch) -> Batch:
        """The heads of all instances that used a lost fact and no fact processed before, but for
        those of which the update was told."""
        left = Hiding(self.remaining, self.settled(lost))
        driving = self.update.hints.unseen(lost)
        heads, instances = consequences(
            self.stratum,
            driving,
            (left, self.remaining),
            spend=self.spend,
            drivers=self.stratum.losing,
        )
        self.counters.propagate += instances
        return self.stratum.select(heads)

    # -- algorithm 2

    def check(self, predicate: int, keys: Keys) -> None:
        """Decides for every fact whether it has a proof."""
        found: list[Group] = []
        stack: list[Iterator[Group]] = [iter([(predicate, keys)])]
        while stack:
            child = next(stack[-1], None)
            if child is None:
                stack.pop()
            elif len(open_ := self.open(*child, found)):
                stack.append(self.search(child[0], open_))
        if any(len(self.unproved(*group)) for group in found):
            self.forward()
        for relation, newly in found:
            unproved = self.unproved(relation, newly)
            if len(unproved):
                self.disproved[relation].add(unproved)

    def open(self, predicate: int, keys: Keys, found: list[Group]) -> Keys:
        """Marks facts as checked; those that were not and have no proof by now are `found`."""
        fresh = self.checked[predicate].add(keys)
        if not len(fresh):
            return fresh
        self.counters.checked += len(fresh)
        unproved = self.saturate(predicate, fresh)
        if len(unproved):
            found.append((predicate, unproved))
        return unproved

    def unproved(self, predicate: int, keys: Keys) -> Keys:
        return self.proved[predicate].missing(keys)

    def search(self, predicate: int, keys: Keys) -> Iterator[Group]:
        """Yields facts whose proof would help to prove those asked for.

        Whoever iterates checks each before asking for the next.
        """
        marked = self.proved[predicate]
        for plans, relation, some in self.stratum.derivers(predicate, keys):
            proved = marked if self.is_straight(relation) else Swapped(marked)
            open_ = some
            for plan in plans:
                for few in (open_,) if isinstance(open_, list) else growing(open_):
                    yield from self.supports(plan, relation, proved.missing(few), proved)
                open_ = proved.missing(open_)
                if not len(open_):
                    break

    def is_straight(self, relation: int) -> bool:
        module = self.stratum.strata.modules.of.get(relation)
        return module is None or (relation, True) in module.members

    def supports(
        self, plan: Plan, relation: int, keys: Keys, proved: Marked | Swapped
    ) -> Iterator[Group]:
        """The body facts of a plan's instances that are not checked yet, until all its heads are
        proved: by an instance whose body facts are, or by what follows from proved facts."""
        self.spend(len(keys))
        body = self.stratum.body(plan)
        for block in run(body.search, relation, keys, (self.candidates, self.candidates)):
            for band in block.bands(plan.head, proved):
                self.searched(len(band))
                self.conclude(body, band)
                if proved.holds(keys):
                    return
                for child in self.unchecked(body, band):
                    yield child
                    self.conclude(body, band)
                    if proved.holds(keys):
                        return
            self.forward()
            if proved.holds(keys):
                return

    def searched(self, instances: int) -> None:
        """Takes note of instances that the search looks at."""
        self.counters.backward += instances
        self.spend(instances)

    def conclude(self, body: Body, block: Block) -> None:
        """Proves the heads of instances whose body facts in this stratum are proved."""
        for predicate, keys in body.heads(block, self.proved).items():
            self.prove(predicate, keys)

    def unchecked(self, body: Body, block: Block) -> list[Group]:
        """The body facts of this stratum that are not checked yet."""
        parts = Parts()
        for atom in body.inside:
            block.emit(atom, parts)
        return list(self.checked.missing(self.stratum.select(gather(parts))).items())

    # -- algorithm 3

    def saturate(self, predicate: int, fresh: Keys) -> Keys:
        """Proves what is explicit or delayed among freshly checked facts; those that are left when
        all is known that follows from proved facts."""
        stated = self.update.explicit.table(predicate).present(fresh)
        if len(stated):
            self.prove(predicate, stated)
            if len(stated) == len(fresh):
                return []
        self.forward()
        awaited = self.delayed.present(predicate, fresh)
        if len(awaited):
            self.prove(predicate, awaited)
            self.forward()
        return self.unproved(predicate, fresh)

    def prove(self, predicate: int, keys: Keys) -> None:
        newly = self.proved[predicate].add(keys)
        if len(newly):
            self.waiting.append((predicate, newly))

    def forward(self) -> None:
        """Proves what follows from proved facts."""
        while self.waiting:
            predicate, keys = self.waiting.pop()
            for head, some in self.follow({predicate: keys}).items():
                awaited, unasked = self.checked[head].split(some)
                if len(unasked):
                    self.delayed[head].add(unasked)
                if len(awaited):
                    self.prove(head, awaited)

    def follow(self, proved: Batch) -> Batch:
        """The heads of all instances of proved facts that use these and were not considered."""
        self.fired.extend(proved)
        left = Hiding(self.known, proved)
        heads, instances = consequences(
            self.stratum, proved, (left, self.known), None, self.spend, self.update.marking
        )
        self.counters.saturate += instances
        return self.stratum.select(heads)
