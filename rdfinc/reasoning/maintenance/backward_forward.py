"""Backward/Forward deletion (Motik et al. 2015, algorithms 1 and 2), over batches and one stratum.

Facts in doubt are taken from a queue. *Checking* a fact looks for a proof: backward, by the rule
instances with that head, and forward, by the consequences of proved facts. A checked fact without a
proof is disproved; only then are its consequences doubted (*propagation*). A batch of one fact,
taken depth first, is the algorithm of the paper; larger batches expand together.

A small batch is *glanced* at before the search: most facts have a proof by one instance of stated
facts, or no instance at all. A few instances are followed one after the other. Of many instances,
or many facts, no body fact is followed before all plans had a first look.

An instance found backward proves its head at once if its body facts of this stratum are proved or
stated. Otherwise its unproved body facts are *awaited* before the search goes on. So the invariant
at the end of a check is: every instance of a checked fact has either proved it, or has a body fact
that is awaited and unproved. Forward, it is enough to look at instances of awaited facts that are
proved later. The paper looks at all instances of all proved facts. So does this code once searches
have looked at search_patience instances for each fact in doubt, or once a check asks for many facts
together: from then on it costs less than the searches.

A search that becomes long *relies* on the foundation of the stratum, if there is one (see
`program.foundation`): its facts count as proved.

Words: checked C, proved P, disproved S = C ∖ P, fixed when a check has ended, processed O (their
consequences were doubted).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rdfinc.datalog.compile.planning import Plan
from rdfinc.reasoning.evaluation.run import Block, growing, run
from rdfinc.reasoning.evaluation.states import Hiding
from rdfinc.reasoning.maintenance.saturation import Saturation
from rdfinc.reasoning.maintenance.update import Spend, Update, consequences
from rdfinc.reasoning.program.body import Body
from rdfinc.reasoning.program.single_step_proof import UNKNOWN
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, Queue, gather, joined, shaped, size
from rdfinc.tables.marks import Marked, Marks, Swapped
from rdfinc.tables.table import Keys

Group = tuple[int, Keys]
"""Some facts of one relation."""

OpenInstance = tuple[tuple[int, int], ...]
"""The body facts of an instance that may be about the stratum, each with its relation."""

Proofs = Marked | Swapped
"""The proved facts of a relation, as a plan derives them."""


def backward_forward(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> Batch:
    """The facts of the stratum that must go: of `doubts` and their consequences, those without a
    proof from the explicit facts and lower strata after the update."""
    return Deletion(update, stratum, spend).delete(doubts)


class Deletion:
    """One deletion in a stratum: the sets of the algorithm and its steps."""

    def __init__(self, update: Update, stratum: Stratum, spend: Spend) -> None:
        self.update, self.stratum, self.counters = update, stratum, update.counters
        self.spend = spend
        self.foundation = stratum.memory.foundation
        self.first_doubts: Batch = {}
        self.doubted, self.checked = Marks(), Marks()
        self.processed, self.disproved = Marks(), Marks()
        self.saturation = Saturation(update, stratum, spend, self.checked)
        self.proved = self.saturation.proved
        self.asked, self.looked, self.vain = 0, 0, 0
        self.candidates = update.finished(self.disproved)
        self.remaining = update.kept(self.processed)

    # -- algorithm 1

    def delete(self, doubts: Batch) -> Batch:
        self.first_doubts = doubts if self.foundation.may_be else {}
        queue = Queue()
        queue.put(self.prove_stated(self.doubted.add(doubts)))
        while queue:
            predicate, keys = queue.take()
            lost = self.check(predicate, keys)
            if len(lost):
                heads = self.propagate({predicate: lost})
                self.counters.doubted += size(self.checked.missing(heads))
                queue.put(self.prove_stated(heads))
        doubted = self.doubted.batch()
        gone = self.proved.missing(doubted)
        self.counters.kept += size(doubted) - size(gone)
        return gone

    def prove_stated(self, facts: Batch) -> Batch:
        """Proves the stated facts, which become checked as well. Returns those that are not proved
        by then."""
        found: Batch = {}
        for predicate, keys in facts.items():
            stated = shaped(self.update.explicit.table(predicate).present(keys))
            if len(stated):
                self.counters.checked += len(self.checked[predicate].add(stated))
                self.saturation.prove(predicate, stated)
            rest = self.proved[predicate].missing(keys) if len(stated) else keys
            if len(rest):
                found[predicate] = rest
        return found

    def rely(self) -> None:
        """Has the facts of the foundation count as proved, if none of them goes. That is asked
        once."""
        doubts, self.first_doubts = self.first_doubts, {}
        update, foundation = self.update, self.foundation
        if not update.removed.tables and foundation.withstands(doubts, update.met()):
            self.saturation.rely(foundation.relations)

    def propagate(self, lost: Batch) -> Batch:
        """Puts the heads of all instances with a lost fact in doubt, unless the instance has a fact
        that was processed before. Returns the facts that were not in doubt already.

        The lost facts are processed then, except those of relations closed by linear rules: other
        facts drive their instances. Facts whose instances the update's hints name are not looked
        at.
        """
        stratum, is_linear = self.stratum, self.stratum.strata.is_linear
        settled = {p: keys for p, keys in lost.items() if not is_linear(p)}
        states = Hiding(self.remaining, settled), self.remaining
        driven = stratum.losing.readers(self.update.hints.unseen(lost), self.update)
        heads, instances = consequences(self.update, stratum, driven, states, self.spend)
        self.counters.propagate += instances
        self.processed.add(settled)
        return self.doubted.add(stratum.select(heads))

    # -- algorithm 2

    def check(self, predicate: int, keys: Keys) -> Keys:
        """Decides for every fact whether it has a proof; returns the facts without one."""
        self.asked += len(keys)
        self.saturation.eager = False
        found: list[Group] = []
        stack: list[Iterator[Group]] = [iter([(predicate, keys)])]
        while stack:
            child = next(stack[-1], None)
            if child is None:
                stack.pop()
            elif len(open_ := self.open(*child, found)):
                stack.append(self.search(child[0], open_))
        self.saturation.forward()
        for relation, newly in found:
            unproved = self.proved[relation].missing(newly)
            if len(unproved):
                self.disproved[relation].add(unproved)
        return self.proved[predicate].missing(keys)

    def open(self, predicate: int, keys: Keys, found: list[Group]) -> Keys:
        """Marks facts as checked. Facts new to the check are `found`; returns those that need a
        search."""
        fresh = self.checked[predicate].add(keys)
        if not len(fresh):
            return fresh
        found.append((predicate, fresh))
        self.counters.checked += len(fresh)
        self.saturation.eager |= not isinstance(fresh, list)
        self.saturation.recall(predicate, fresh)
        self.saturation.forward()
        return self.proved[predicate].missing(fresh)

    def search(self, predicate: int, keys: Keys) -> Iterator[Group]:
        """Yields facts whose proof would help to prove those asked for.

        Whoever iterates checks each before asking for the next.
        """
        if not isinstance(keys, list):
            yield from self.expand(predicate, keys)
            return
        seen = [(key, self.prove_at_a_glance(predicate, key)) for key in keys]
        for key, instances in seen:
            if self.proved[predicate].has(key):
                continue
            if instances is None:
                yield from self.expand(predicate, [key])
            else:
                yield from self.follow(predicate, key, instances)

    def prove_at_a_glance(self, predicate: int, key: int) -> list[OpenInstance] | None:
        """Proves a fact if one of its instances does; otherwise these are returned. None if there
        are many, or if most glances so far found many."""
        if self.vain > REASONING.vain_glances:
            return None
        stratum, unknown = self.stratum, False
        states = self.candidates, self.update.explicit, self.proved
        missed: list[OpenInstance] = []
        for plans, relation, keys in stratum.derivers(predicate, [key], self.update):
            for plan in plans:
                glance = stratum.body(plan).glance
                seen = glance(keys[0], relation, *states, plan.rows, stratum.is_below, missed)
                if seen > 0:
                    self.vain -= 1
                    self.searched(len(missed) + 1)
                    self.prove(predicate, key)
                    return []
                unknown |= seen == UNKNOWN
        self.vain += 1 if unknown else -1
        if unknown:
            return None
        self.searched(len(missed))
        return missed

    def prove(self, predicate: int, key: int) -> None:
        """Proves a fact, and its consequences if the fact was awaited."""
        self.saturation.prove(predicate, [key])
        self.saturation.forward()

    def follow(self, predicate: int, key: int, instances: list[OpenInstance]) -> Iterator[Group]:
        """The search for one fact of few instances, one of them after the other."""
        for facts in instances:
            for relation, other in facts:
                if self.prove_or_check(relation, other):
                    yield relation, [other]
            if self.proved[predicate].has(key):
                return
            if self.holds(facts):
                break
        if any(map(self.holds, instances)):
            self.prove(predicate, key)
        else:
            for relation, other in chain.from_iterable(instances):
                self.saturation.wait_for({relation: [other]})

    def prove_or_check(self, predicate: int, key: int) -> bool:
        """Proves a fact of this stratum that is stated and was not checked before. Whether it is
        one that is still to be checked."""
        if self.checked[predicate].has(key) or self.proved[predicate].has(key):
            return False
        return bool(self.prove_stated(self.stratum.select({predicate: [key]})))

    def holds(self, facts: OpenInstance) -> bool:
        """Whether all body facts of an instance that are of this stratum are proved."""
        return all(
            self.proved[predicate].has(key) or self.stratum.is_below(predicate, key & 0xFFFFFFFF)
            for predicate, key in facts
        )

    def expand(self, predicate: int, keys: Keys) -> Iterator[Group]:
        """The search for many facts, or for facts with many instances, plan by plan. No body fact
        is followed before all plans had a first look, for a later plan may prove all facts at once.
        """
        self.spend(len(keys))
        marked, begun = self.proved[predicate], []
        for supports, open_, proved in self.searches_by_plan(predicate, keys):
            first = next(supports, None)
            if first is not None:
                begun.append((chain((first,), supports), open_, proved))
            if marked.holds(keys):
                return
        for some, open_, proved in begun:
            if not proved.holds(open_):
                yield from some
                if marked.holds(keys):
                    return

    def searches_by_plan(
        self, predicate: int, keys: Keys
    ) -> Iterator[tuple[Iterator[Group], Keys, Proofs]]:
        """The searches by each plan, of many facts in parts. Each comes with its facts that have no
        proof yet, and with the place that tells when they have one."""
        marked = self.proved[predicate]
        for plans, relation, some in self.stratum.derivers(predicate, keys, self.update):
            proved = marked if self.is_straight(relation) else Swapped(marked)
            for plan in plans:
                for few in (some,) if isinstance(some, list) else growing(some):
                    open_ = proved.missing(few)
                    if len(open_):
                        yield self.supports(plan, relation, open_, proved), open_, proved

    def is_straight(self, relation: int) -> bool:
        module = self.stratum.strata.modules.of.get(relation)
        return module is None or (relation, True) in module.members

    def supports(self, plan: Plan, relation: int, keys: Keys, proved: Proofs) -> Iterator[Group]:
        """The unchecked body facts of a plan's instances. Ends early when all heads are proved, by
        an instance with proved body facts or by a forward step."""
        body = self.stratum.body(plan)
        for block in run(body.search, relation, keys, (self.candidates, self.candidates)):
            for band in block.bands(plan.head, proved):
                self.searched(len(band))
                facts, children = self.open_facts(body, band)
                concluded = self.conclude(body, band, facts)
                if concluded and proved.holds(keys):
                    return
                for child in children:
                    yield child
                    concluded = self.conclude(body, band, facts)
                    if proved.holds(keys):
                        return
                self.saturation.wait_for(facts)
                if concluded:
                    self.conclude(body, band, facts)
            self.saturation.forward()
            if proved.holds(keys):
                return

    def searched(self, instances: int) -> None:
        """Takes note of instances that the search looks at."""
        self.counters.backward += instances
        self.looked += instances
        self.saturation.eager |= self.looked > REASONING.search_patience * self.asked
        if self.first_doubts and self.looked > REASONING.unfounded_instances:
            self.rely()
        self.spend(instances)

    def open_facts(self, body: Body, block: Block) -> tuple[Batch, list[Group]]:
        """The unproved body facts of this stratum, and of these the unchecked ones. Facts of higher
        strata have no proof by now."""
        facts = gather(body.facts(block))
        above: Batch = self.stratum.above(facts)
        mine = self.proved.missing(self.stratum.select(facts))
        children = self.prove_stated(self.checked.missing(mine)) if mine else mine
        return joined(above, self.proved.missing(mine)), list(children.items())

    def conclude(self, body: Body, block: Block, facts: Batch) -> bool:
        """Proves the heads of instances without an unproved body fact of this stratum; `facts` are
        the unproved ones. Returns whether a head was proved anew."""
        if facts and self.proved.missing(facts):
            if len(block) == 1:
                return False
            block = body.proved(block, self.proved)
        prove = self.saturation.prove
        proved = [prove(predicate, keys) for predicate, keys in body.heads(block).items()]
        return any(proved)
