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
        self.unknown: list[Group] = []  # P ∖ V
        self.awaited, self.late = Marks(), list[Group]()
        self.candidates = update.finished(self.disproved)
        self.remaining = update.kept(self.processed)
        self.known = Proved(stratum, update.finished(), self.fired)

    # -- algorithm 1

    def delete(self, doubts: Batch) -> Batch:
        queue = Queue()
        queue.put(self.unstated(self.doubted.add(doubts)))
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
        """Puts facts in doubt; returns those that were not and are to be checked."""
        fresh = self.doubted.add(facts)
        self.counters.doubted += size(self.checked.missing(fresh))
        return self.unstated(fresh)

    def unstated(self, facts: Batch) -> Batch:
        """Those that are not stated; the others are checked with that, and proved."""
        stated = self.update.explicit.present(facts)
        if not stated:
            return facts
        self.counters.checked += size(self.checked.add(stated))
        for predicate, keys in stated.items():
            self.prove(predicate, keys)
        return self.proved.missing(facts)

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
        derived = self.delayed.present(predicate, fresh)
        if len(derived):
            self.prove(predicate, derived)
        self.forward()
        unproved = self.unproved(predicate, fresh)
        if len(unproved):
            found.append((predicate, unproved))
        return unproved

    def unproved(self, predicate: int, keys: Keys) -> Keys:
        return self.proved[predicate].missing(keys)

    def search(self, predicate: int, keys: Keys) -> Iterator[Group]:
        """Yields facts whose proof would help to prove those asked for, when a first look at every
        plan did not prove them.

        Whoever iterates checks each before asking for the next.
        """
        marked, begun = self.proved[predicate], []
        for plans, relation, some in self.stratum.derivers(predicate, keys):
            proved = marked if self.is_straight(relation) else Swapped(marked)
            for plan in plans:
                for few in (some,) if isinstance(some, list) else growing(some):
                    open_ = proved.missing(few)
                    supports = self.supports(plan, relation, open_, proved)
                    first = next(supports, None)
                    if first is not None:
                        begun.append((first, supports, open_, proved))
                if marked.holds(keys):
                    return
        for first, supports, some, proved in begun:
            if not proved.holds(some):
                yield first
                yield from supports
                if marked.holds(keys):
                    return

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
                facts = self.proved.missing(self.facts(body, band))
                children = self.unstated(self.checked.missing(facts))
                concluded = self.conclude(body, band)
                if concluded and proved.holds(keys):
                    return
                for child in children.items():
                    yield child
                    concluded = self.conclude(body, band)
                    if proved.holds(keys):
                        return
                self.awaited.add(self.proved.missing(facts))
                if concluded:
                    self.conclude(body, band)
            self.forward()
            if proved.holds(keys):
                return

    def searched(self, instances: int) -> None:
        """Takes note of instances that the search looks at."""
        self.counters.backward += instances
        self.spend(instances)

    def conclude(self, body: Body, block: Block) -> bool:
        """Proves the heads of instances whose body facts in this stratum are proved; returns
        whether there is any that was not."""
        heads = body.heads(block, self.proved)
        return any([self.prove(predicate, keys) for predicate, keys in heads.items()])

    def facts(self, body: Body, block: Block) -> Batch:
        """The body facts of this stratum."""
        parts = Parts()
        for atom in body.inside:
            block.emit(atom, parts)
        return self.stratum.select(gather(parts))

    # -- algorithm 3

    def prove(self, predicate: int, keys: Keys) -> bool:
        """Notes that facts are proved; returns whether any was not."""
        newly = self.proved[predicate].add(keys)
        if not len(newly):
            return False
        self.unknown.append((predicate, newly))
        late = self.awaited.present(predicate, newly)
        if len(late):
            self.late.append((predicate, late))
        return True

    def forward(self) -> None:
        """Proves what follows from proved facts, as far as searches have not seen it."""
        while self.late:
            late = gather_groups(self.late)
            self.late.clear()
            for head, some in self.follow(late).items():
                asked, unasked = self.checked[head].split(some)
                if len(unasked):
                    self.delayed[head].add(unasked)
                if len(asked):
                    self.prove(head, asked)

    def follow(self, late: Batch) -> Batch:
        """The heads of all instances of facts proved late that use these and were not considered."""
        for predicate, keys in self.unknown:
            self.fired.extend({predicate: keys})
        self.unknown.clear()
        left = Hiding(self.known, late)
        heads, instances = consequences(
            self.stratum, late, (left, self.known), None, self.spend, self.update.marking
        )
        self.counters.saturate += instances
        return self.stratum.select(heads)


def gather_groups(groups: list[Group]) -> Batch:
    parts = Parts()
    for predicate, keys in groups:
        parts.setdefault(predicate, []).append(keys)
    return gather(parts)
