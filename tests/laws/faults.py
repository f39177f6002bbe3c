"""One-line faults in the engine that the laws must notice, and in the evaluation on Spark that its
tests must: old text, new text, what it means.

The old text stands exactly once in its file. A fault that no longer applies, because the code has
changed, is to be written anew.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    meaning: str
    file: str
    old: str
    new: str


FAULTS = [
    # Backward/Forward
    Fault(
        "no delayed set",
        "reasoning/backward_forward.py",
        "self.delayed[head].add(unasked)",
        "pass",
    ),
    Fault(
        "delayed facts are not proved when they are checked later",
        "reasoning/backward_forward.py",
        "            self.prove(predicate, awaited)",
        "            pass",
    ),
    Fault(
        "what is stated is not proved",
        "reasoning/backward_forward.py",
        "            self.prove(predicate, stated)",
        "            pass",
    ),
    Fault(
        "no guard when two body atoms match one proved fact",
        "reasoning/backward_forward.py",
        "left = Hiding(self.known, proved)",
        "left = self.known",
    ),
    Fault(
        "no guard when two body atoms match one lost fact",
        "reasoning/backward_forward.py",
        "left = Hiding(self.remaining, self.settled(lost))",
        "left = self.remaining",
    ),
    Fault(
        "facts are not marked as processed",
        "reasoning/backward_forward.py",
        "self.processed.add(self.settled({predicate: lost}))",
        "pass",
    ),
    Fault(
        "disproved grows inside a check",
        "reasoning/backward_forward.py",
        "                stack.pop()",
        "                stack.pop()\n"
        "                for p, checked in self.checked.items():\n"
        "                    self.disproved[p].add(self.unproved(p, checked.keys()))",
    ),
    Fault(
        "candidates for proofs are what was there before",
        "reasoning/backward_forward.py",
        "self.candidates = update.finished(self.disproved)",
        "self.candidates = update.state()",
    ),
    Fault(
        "large batches lose all bands of instances but the first",
        "reasoning/run.py",
        "            start, size = start + size, size * 4\n",
        "            return\n",
    ),
    Fault(
        "a body wholly in lower strata proves nothing",
        "reasoning/backward_forward.py",
        "                self.prove(predicate, keys)",
        "                pass",
    ),
    Fault(
        "the consequences of what is lost are not in doubt",
        "reasoning/backward_forward.py",
        "queue.put(self.doubt(self.propagate({predicate: lost})))",
        "self.propagate({predicate: lost})",
    ),
    Fault(
        "what is in doubt goes, even if it was proved",
        "reasoning/backward_forward.py",
        "        gone = self.proved.missing(doubted)",
        "        gone = doubted",
    ),
    Fault(
        "facts of other strata are put in doubt",
        "reasoning/backward_forward.py",
        "        self.counters.propagate += instances\n        return self.stratum.select(heads)",
        "        self.counters.propagate += instances\n        return heads",
    ),
    # marking
    Fault(
        "marks outlive another change",
        "knowledge_base/engine.py",
        " and note.commits == self._commits:",
        ":",
    ),
    Fault(
        "marks outlive the strata that they were made with",
        "knowledge_base/engine.py",
        "if note and note.strata is strata and",
        "if note and",
    ),
    Fault(
        "what was there before counts as seen",
        "reasoning/marking.py",
        "fresh = {p: added.get(p).present(keys) for p, keys in marked.items()}",
        "fresh = dict(marked)",
    ),
    Fault(
        "only the first literal that may be a marked fact is looked at",
        "reasoning/marking.py",
        "        for at, predicate, marked in literals:\n",
        "        for at, predicate, marked in literals[:1]:\n",
    ),
    Fault(
        "what columns have forgotten counts as seen",
        "reasoning/marking.py",
        "                self._missed.add(predicate)",
        "                pass",
    ),
    Fault(
        "what rows have not looked at counts as seen",
        "reasoning/run.py",
        "if not all(row[s] and row[p] and row[o] for row in self.rows[:1]):",
        "if False:",
    ),
    Fault(
        "a search is not told which body facts are of its own stratum",
        "reasoning/strata.py",
        "for at in (plan.head, *self.inside)",
        "for at in (plan.head,)",
    ),
    Fault(
        "a rule counts as applied below although its body was not known there",
        "reasoning/strata.py",
        "return all(strata.level(literal.p, literal.o) <= level for literal in named)",
        "return True",
    ),
    Fault(
        "noted heads are not in doubt",
        "reasoning/maintain.py",
        "joined(update.removed.minus(deleted), stratum.select(update.hints.heads))",
        "update.removed.minus(deleted)",
    ),
    Fault(
        "noted heads of lower strata are in doubt as well",
        "reasoning/maintain.py",
        "stratum.select(update.hints.heads))",
        "update.hints.heads)",
    ),
    # Backward/Forward with a bounded search
    Fault(
        "what a search given up leaves unproved is gone for good",
        "reasoning/bounded.py",
        "return gone, rederived(update, stratum, update.facts(gone), gone)",
        "return gone, {}",
    ),
    Fault(
        "proofs at the end rest on what has gone",
        "reasoning/bounded.py",
        "rederived(update, stratum, update.facts(gone), gone)",
        "rederived(update, stratum, update.facts(), gone)",
    ),
    # Delete/Rederive
    Fault(
        "rederivation skips what is stated",
        "reasoning/dred.py",
        "update.facts(update.explicit.present(gone))",
        "update.facts()",
    ),
    Fault(
        "rederivation finds what is stated and no more",
        "reasoning/dred.py",
        "    again.add(rederived(update, stratum, deleted, again.minus(gone)))\n",
        "",
    ),
    Fault(
        "rederivation uses what has been overdeleted",
        "reasoning/dred.py",
        "state = update.finished(deleted)",
        "state = update.finished()",
    ),
    Fault(
        "overdeletion considers instances again",
        "reasoning/dred.py",
        "left = Hiding(remaining, batch)",
        "left = remaining",
    ),
    Fault(
        "overdeletion uses what earlier rounds have lost",
        "reasoning/dred.py",
        "        before.add(batch)\n",
        "",
    ),
    Fault(
        "overdeletion stops after one round",
        "reasoning/dred.py",
        "    while batch:\n",
        "    if batch:\n",
    ),
    Fault(
        "what a search given up has left in doubt stays",
        "reasoning/bounded.py",
        "batch = self.unsure(self.processed.missing(self.doubted.batch()))",
        "batch: Batch = {}",
    ),
    Fault(
        "a search given up forgets what is stated",
        "reasoning/bounded.py",
        "return self.update.explicit.missing(self.delayed.missing(self.proved.missing(facts)))",
        "return self.proved.missing(facts)",
    ),
    # Delete/Rederive with counters
    Fault(
        "counters never go down",
        "reasoning/counting.py",
        "            self.count(heads, -1)\n",
        "",
    ),
    Fault(
        "instances that were lost before are counted",
        "reasoning/counting.py",
        "run(plan, relation, keys, (self.remaining, self.remaining))",
        "run(plan, relation, keys, (self.update.state(), self.update.state()))",
    ),
    Fault(
        "what is found together is lost once",
        "reasoning/counting.py",
        "run(plan.whole(), predicate, keys, states)",
        "run(plan, predicate, keys, states)",
    ),
    Fault(
        "instances of one head are counted once",
        "reasoning/counting.py",
        "        keys = kernels.pack(s[chosen], o[chosen])",
        "        keys = kernels.unique(kernels.pack(s[chosen], o[chosen]))",
    ),
    Fault(
        "a stated fact is overdeleted with what it also follows from",
        "reasoning/counting.py",
        "open_ = self.update.explicit.missing(facts)",
        "open_ = facts",
    ),
    # one update, stratum by stratum
    Fault(
        "a stated fact that also follows goes with its statement",
        "reasoning/maintain.py",
        "        strategy.delete(update, stratum, doubts, spend)",
        "        strategy.delete(update, stratum, doubts, spend); update.removed.add(deleted)",
    ),
    Fault(
        "losses in lower strata put nothing in doubt",
        "reasoning/maintain.py",
        "_seeds(update, stratum, lost, gained, spend)",
        "_seeds(update, stratum, {}, gained, spend)",
    ),
    Fault(
        "seeds of doubt are read in the state after",
        "reasoning/maintain.py",
        "states = update.kept(), update.state()",
        "states = update.kept(), update.kept()",
    ),
    Fault(
        "gains in lower strata are not inserted from",
        "reasoning/maintain.py",
        "+= insert(update, stratum, inserted, gained, lost)",
        "+= insert(update, stratum, inserted, {}, lost)",
    ),
    Fault(
        "what went and came back is not cancelled",
        "reasoning/maintain.py",
        "    _cancel(update, stratum)\n",
        "",
    ),
    Fault(
        "a rule for any relation uses facts of higher strata, which may still go",
        "reasoning/strata.py",
        "all(self.strata.level(p, o) <= self.level for p, o in row)",
        "all(self.strata.level(p, o) <= self.level or True for p, o in row)",
    ),
    Fault(
        "derived axioms that need other strata are not noticed",
        "knowledge_base/engine.py",
        "        self._drawing.check(update, strata)\n",
        "",
    ),
    Fault(
        "strata that turn out too fine are not noticed",
        "reasoning/insertion.py",
        "            raise CoarserStrata(misplaced)",
        "            pass",
    ),
    Fault(
        "a rule for any relation may derive a lower one unnoticed",
        "reasoning/update.py",
        "            raise CoarserStrata(misplaced)",
        "            pass",
    ),
    Fault(
        "insertion forgets the facts to the left of the driver that are new as well",
        "reasoning/insertion.py",
        "derive(stratum, batch, (before, known), heads,",
        "derive(stratum, batch, (before, before), heads,",
    ),
    # strata
    Fault(
        "strata are not drawn anew when the schema changes",
        "knowledge_base/drawing.py",
        " or any(map(strata.watches, (basis.deleted, basis.inserted)))",
        "",
    ),
    Fault(
        "what rules for any relation have derived before is not looked at",
        "reasoning/program.py",
        "            if not crossing:",
        "            if True:",
    ),
    Fault(
        "plans are not found anew when a relation that was empty gains facts",
        "reasoning/strata.py",
        "        if not self._lacking.isdisjoint(batch):\n",
        "        if False:\n",
    ),
    Fault(
        "parameter rows that were read stay in use while they change",
        "reasoning/strata.py",
        "        if self.settled and any(map(self.watches, batches)):\n",
        "        if False:\n",
    ),
    Fault(
        "of the parameter rows that were read only the first is used",
        "reasoning/strata.py",
        "rows = tuple(row for block in blocks for row in block.values(bound))",
        "rows = tuple(row for block in blocks for row in block.values(bound))[:1]",
    ),
    Fault(
        "a relation counts as empty although this update adds to it",
        "reasoning/strata.py",
        "if not (before.get(p) or added.get(p) or p in shifted)]",
        "if not (before.get(p) or p in shifted)]",
    ),
    Fault(
        "proofs do not see the lower strata",
        "reasoning/strata.py",
        "return self._after.table(predicate) if below else mine",
        "return mine",
    ),
    Fault(
        "which classes are below is not asked",
        "reasoning/strata.py",
        "return With(OnlyObjects(self._after.table(predicate), classes), mine) if classes",
        "return mine if classes",
    ),
    # tables
    Fault(
        "a tombstone is lost at folding",
        "tables/plain.py",
        "            base = base.minus(_sorted(self.dead))",
        "            pass",
    ),
    Fault(
        "a fact that comes back keeps its tombstone",
        "tables/plain.py",
        "            self.dead.remove(key)",
        "            pass",
    ),
    Fault(
        "the overlay's index by subject is not updated on a deletion",
        "tables/plain.py",
        "            _take(self._by_subject, key >> 32, key & 0xFFFFFFFF)",
        "            pass",
    ),
    Fault(
        "the overlay's index by object is not updated on an insertion",
        "tables/plain.py",
        "            self._by_object.setdefault(key & 0xFFFFFFFF, set()).add(key >> 32)\n\n"
        "    def _discard",
        "            pass\n\n    def _discard",
    ),
    Fault(
        "the columns of an overlay are not made anew after a change",
        "tables/plain.py",
        "        if changes:\n            self._view = None\n",
        "        if changes:\n",
    ),
    Fault(
        "a copy shares the overlay",
        "tables/plain.py",
        "twin.extra, twin.dead = set(self.extra), set(self.dead)",
        "twin.extra, twin.dead = self.extra, self.dead",
    ),
    Fault(
        "the swapped order is not updated by a deletion",
        "tables/sorted_pairs.py",
        "            swapped, _ = kernels.differences(swapped, kernels.transposed(gone))",
        "            pass",
    ),
    Fault(
        "of what went and came back the rest of what went is forgotten",
        "reasoning/maintain.py",
        "            update.removed.keep(predicate, lost)",
        "            update.removed.drop(predicate)",
    ),
    Fault(
        "a stratum that is materialised anew loses what is stated",
        "reasoning/rematerialise.py",
        "materialise(update, stratum, joined(stated, below))",
        "materialise(update, stratum, below)",
    ),
    Fault(
        "only relations that rules derive are read when a stratum is materialised anew",
        "reasoning/rematerialise.py",
        "        if p == strata.type or (reads := stratum.reads(p)) is not Reads.NOTHING:",
        "        reads = stratum.reads(p)\n        if p == strata.type or p in strata.heads:",
    ),
    # joins
    Fault(
        "a negated literal over an empty relation has no match",
        "reasoning/run.py",
        "    if isinstance(step, Compute) or step.negated:",
        "    if isinstance(step, Compute):",
    ),
    Fault(
        "who is reached by one component only is not reached",
        "tables/intervals/range_rows.py",
        "or len(stale.renewed(found, reached, self)) > 1",
        "or len(stale.renewed(found, reached, self)) > 2",
    ),
    Fault(
        "of rows of bits only the first of a head counts",
        "tables/matches.py",
        "np.bitwise_or.reduceat(rows.take(some, axis=0), at, axis=0)",
        "rows.take(some[at], axis=0)",
    ),
    Fault(
        "rows are merged by what is read later alone",
        "reasoning/run.py",
        "block.distinct(step.live.union((step.at.s, step.at.o)))",
        "block.distinct(step.live)",
    ),
    Fault(
        "a relation that is asked for with one id is taken to have it",
        "reasoning/run.py",
        "return live if is_end(column) else Columns(live.columns, 0)",
        "return live",
    ),
    Fault(
        "a fork changes the tables it has borrowed",
        "tables/facts.py",
        "twin._borrowed = set(self.tables)",
        "twin._borrowed = set()",
    ),
    Fault(
        "the queue drops the other relations of a batch",
        "tables/facts.py",
        "        if not groups:\n            self._waiting.pop()\n",
        "        if not groups:\n            self._waiting.clear()\n",
    ),
    # matching
    Fault(
        "many candidates of a row are cut into parts with gaps",
        "reasoning/run.py",
        "        yield values[start : start + size]\n        start, size = start + size,",
        "        yield values[start : start + size]\n        start, size = start + size + 1,",
    ),
    Fault(
        "a known value is not compared with the computed one",
        "reasoning/rows.py",
        '            self.bind(computation.output, "value")',
        '            self.write(f"{self.slot(computation.output)} = value")\n'
        "            self.bound.add(computation.output)",
    ),
    Fault(
        "a variable twice in a driver is not compared",
        "reasoning/rows.py",
        'self.under(f"if {self.slot(slot)} == {value}:")',
        'self.under(f"if {slot < self.plan.variables} or {self.slot(slot)} == {value}:")',
    ),
    Fault(
        "a variable twice in a scanned atom is not compared",
        "reasoning/run.py",
        "    if at.s == at.o:\n",
        "    if False:\n",
    ),
    Fault(
        "columns are driven by the first block alone",
        "reasoning/run.py",
        "for start in range(0, keys.size, BLOCK)",
        "for start in range(0, min(keys.size, BLOCK), BLOCK)",
    ),
    Fault(
        "a proof is taken as soon as there is one",
        "reasoning/explain.py",
        "while search.heights.get(fact, levels) >= levels:",
        "while fact not in search.heights:",
    ),
    Fault(
        "only explicit edges of a closure are followed",
        "reasoning/support.py",
        "            *as_list(self._derived(module, asked)),\n",
        "",
    ),
    Fault(
        "edges of a closure are followed backwards",
        "reasoning/support.py",
        "both = (straight, not straight) if self._kind(module).symmetric else (straight,)",
        "both = (not straight,)",
    ),
    Fault(
        "proofs are parted at one fact only",
        "reasoning/alternatives.py",
        "if fact not in fixed and len(barred)",
        "if not fixed and len(barred)",
    ),
    Fault(
        "facts that a NOT excludes are no gaps",
        "reasoning/nearest.py",
        "                denied.append(i)",
        "                pass",
    ),
    # rules, lists, graphs, what is shown
    Fault(
        "a removed rule keeps its row in the family's table",
        "knowledge_base/implied.py",
        "        deleted.add(gone)\n        inserted.add(new)",
        "        inserted.add(new)",
    ),
    Fault(
        "a rule of a new shape is not compiled",
        "knowledge_base/rulebook.py",
        "            self._templates[template] = None\n            self._compiled = None",
        "            self._templates[template] = None",
    ),
    Fault(
        "a list is read again only if its first cell changes",
        "owl/lists.py",
        "for cell in _leading_to(cells - {vocabulary.nil}, states, vocabulary.rest) - heads:",
        "for cell in cells - heads:",
    ),
    Fault(
        "other graphs that state a fact are forgotten",
        "knowledge_base/version.py",
        "    after.add(in_named.batch())\n",
        "",
    ),
    Fault(
        "a fact in another graph too counts as stated in the default graph alone",
        "knowledge_base/version.py",
        "        only_named.minus(version.only_named.meet(affected)),",
        "        {},",
    ),
    Fault(
        "what was only seen as stated stays in view when it is withdrawn",
        "knowledge_base/viewing.py",
        "joined(see.batch(went, version.explicit.get), stopped)",
        "see.batch(went, version.explicit.get)",
    ),
    Fault(
        "hidden facts are shown",
        "knowledge_base/visibility.py",
        "or (predicate == self.same_as and s == o)",
        "or False",
    ),
    Fault(
        "a commit changes what a reader holds",
        "knowledge_base/version.py",
        "return self.fork() if self.pins else self",
        "return self",
    ),
    Fault(
        "a refused change leaves its statements",
        "knowledge_base/engine.py",
        "            raise Refused(",
        "            self.version.explicit.add(inserted)\n            raise Refused(",
    ),
    # negation, aggregation and rules
    Fault(
        "negated literals hold before where the fact has come since",
        "reasoning/states.py",
        "        return (self._lacking or self).table(predicate)",
        "        return self.table(predicate)",
    ),
    Fault(
        "negated literals hold before where the fact of a closure has gone since",
        "reasoning/update.py",
        "{p: Either((s.old, s.new)) for p, s in shifts.items()}",
        "{p: Both(s.old, s.new) for p, s in shifts.items()}",
    ),
    Fault(
        "groups keep their former values",
        "reasoning/grouping.py",
        "    update.removed.add(batch_of(sorted(old - new)))",
        "    pass",
    ),
    Fault(
        "groups are computed from the facts before the update",
        "reasoning/grouping.py",
        "    plan, after = grouping.backward, update.finished()",
        "    plan, after = grouping.backward, update.state()",
    ),
    Fault(
        "a negated relation need not be complete",
        "datalog/dependency.py",
        "if i in d.negative or node in self.folded:",
        "if node in self.folded:",
    ),
    Fault(
        "a group's relation need not be complete",
        "datalog/dependency.py",
        "if i in d.negative or node in self.folded:",
        "if i in d.negative:",
    ),
    Fault(
        "an auxiliary rule goes with the first rule that needs it",
        "knowledge_base/rulebook.py",
        "n < 0 and self._uses[core] + n == 0",
        "n < 0",
    ),
    # closures
    Fault(
        "a closure stays as it is when it loses external facts",
        "reasoning/closing.py",
        "external = update.removed.table(module.external), update.added.table(module.external)",
        "external = (update.added.table(module.external),)",
    ),
    Fault(
        "what closure it is stays as it is while the schema changes",
        "reasoning/closing.py",
        "if before is None or not stratum.strata.settled:",
        "if before is None:",
    ),
    Fault(
        "nobody hears of what a closure has gained",
        "reasoning/update.py",
        "gained = {p: change.gained for p, change in read if change}",
        "gained: Batch = {}",
    ),
    Fault(
        "nobody hears of what a closure has lost",
        "reasoning/update.py",
        "lost = {p: change.lost for p, change in read if change}",
        "lost: Batch = {}",
    ),
    Fault(
        "what is derived for a closure is not external",
        "knowledge_base/reshaping.py",
        "        stated.add(derived_by_others(module, keys, strata, facts))",
        "        pass",
    ),
    Fault(
        "external facts of a transposed member are taken straight",
        "reasoning/strata.py",
        "turned = groups if straight else [kernels.swap(np.array(g, np.uint64)) for g in groups]",
        "turned = groups",
    ),
    Fault(
        "a transposed member's proofs are looked up straight",
        "reasoning/backward_forward.py",
        "proved = marked if self.is_straight(relation) else Swapped(marked)",
        "proved = marked",
    ),
    Fault(
        "members may be read otherwise than the module says",
        "datalog/modules.py",
        "if not symmetric and (crooked or ways != set(module.members)):",
        "if not symmetric and crooked:",
    ),
    Fault(
        "an edge that another member states is put in doubt",
        "knowledge_base/engine.py",
        "            gone = update.explicit.missing(gone)",
        "            pass",
    ),
    Fault(
        "a guard holds for literals of one value",
        "knowledge_base/literal_ends.py",
        "                raise Unfit(module)",
        "                pass",
    ),
    Fault(
        "a closure that depends on itself is kept as one",
        "reasoning/drawn.py",
        "return Modules(m for m in of_data.all if good.issuperset(r for r, _ in m.members))",
        "return of_data",
    ),
    Fault(
        "a closure may depend on itself by a rule for any relation",
        "reasoning/strata.py",
        "            if module not in kept.all:",
        "            if False:",
    ),
    Fault(
        "the diagonal of a guarded closure counts as known",
        "tables/intervals/interval.py",
        "        return self._flipped, self._diagonal",
        "        return self._flipped, True",
    ),
    Fault(
        "a union stays as it is when its parts change",
        "reasoning/closing.py",
        "any(map(len, external)) or any(part in update.shifts for part, _ in module.parts)",
        "any(map(len, external))",
    ),
    Fault(
        "a union has lost what one of its parts has lost",
        "reasoning/update.py",
        "        return shaped(self.new.missing(found.get(0, [])))",
        "        return shaped(found.get(0, []))",
    ),
    Fault(
        "a union has gained what one of its parts has gained",
        "reasoning/update.py",
        "        return shaped(self.old.missing(found.get(0, [])))",
        "        return shaped(found.get(0, []))",
    ),
    Fault(
        "a part that is read transposed changes as if it were read straight",
        "reasoning/closing.py",
        "            found.append((update.shifts[part], way is straight))",
        "            found.append((update.shifts[part], straight))",
    ),
    Fault(
        "what a part gave a union is lost when it is no part any more",
        "knowledge_base/reshaping.py",
        "if old is None or not set(old.parts).issubset(module.parts):",
        "if old is None:",
    ),
    Fault(
        "what a copied closure is, is forgotten with the rule that copies it",
        "datalog/modules.py",
        "return None if transitive else Kind(transitive, symmetric, diagonal, parts)",
        "return None if transitive else Kind(transitive, symmetric, diagonal, module.parts)",
    ),
    Fault(
        "literals of a part are none of the union's",
        "knowledge_base/literal_ends.py",
        "            ends |= at if straight else _swapped(at)",
        "            pass",
    ),
    Fault(
        "literals are looked for only among new facts",
        "knowledge_base/literal_ends.py",
        "            changes.append(update.before.get(external, EMPTY))",
        "            pass",
    ),
    Fault(
        "who counts pairs hears only of their ends",
        "reasoning/strata.py",
        "groupings = {grouping.drivers.reads(predicate) for grouping in self.groupings}",
        "groupings = {Reads.NOTHING}",
    ),
    Fault(
        "who denies a pair hears only of its ends",
        "reasoning/strata.py",
        "        if any(True for _ in self._deniers.driven(predicate)):",
        "        if False:",
    ),
    Fault(
        "an end that another pair of the same update has stays",
        "reasoning/closing.py",
        "spanning(update.kept().table, modules, update.steady(), relation)",
        "spanning(update.finished().table, modules, update.steady(), relation)",
    ),
    Fault(
        "a pair stays if one of its ends does",
        "reasoning/ends.py",
        "if not (staying.is_subject(key >> 32) and staying.is_object(key & 0xFFFFFFFF))",
        "if not (staying.is_subject(key >> 32) or staying.is_object(key & 0xFFFFFFFF))",
    ),
    Fault(
        "the ends of a symmetric closure are those of its external facts read one way",
        "reasoning/ends.py",
        "        tables = [*tables, *map(turned, tables)]",
        "        pass",
    ),
    Fault(
        "what another rule asks of both ends is not asked",
        "datalog/planning.py",
        "        unused = [end for end in ends if end < self.variables and end not in used]",
        "        unused = [end for end in ends if end < self.variables]",
    ),
    Fault(
        "a relation that was empty when a plan was made stays so",
        "reasoning/strata.py",
        "        self._lacking.update(lacking)",
        "        pass",
    ),
    Fault(
        "members of classes keep what they lose with a class of their own",
        "tables/union.py",
        "self._change(gone, set.difference, kernels.difference)",
        "self._change(gone, set.union, kernels.difference)",
    ),
    # chains of closures with other relations
    Fault(
        "a symmetric closure's chains start at one end of its external facts",
        "datalog/chains.py",
        "        yield derived, _turned(member)",
        "        pass",
    ),
    Fault(
        "a chain of an inverse is read as one of the first member",
        "datalog/chains.py",
        "        yield _turned(head), _turned(member)",
        "        yield head, member",
    ),
    Fault(
        "a chain may turn the pairs of a closure round",
        "datalog/modules.py",
        "        if guarded or turned or module.parts or not (transitive and diagonal):",
        "        if guarded or module.parts or not (transitive and diagonal):",
    ),
    Fault(
        "chains of a closure stay what they were when it becomes another",
        "reasoning/closing.py",
        "        if kind is None or not module.allows(kind):",
        "        if kind is None:",
    ),
    Fault(
        "what a new module's chains have derived before is not external",
        "knowledge_base/reshaping.py",
        "    if module.chained:",
        "    if False:",
    ),
    Fault(
        "what depends on itself is closed by one step",
        "datalog/linear.py",
        "        yield says(head, step, rest), says(head, step, Pattern(X, first, Y), rest)",
        "        pass",
    ),
    Fault(
        "a lost external fact is not read where what it stood for is lost as well",
        "reasoning/backward_forward.py",
        "for p, keys in lost.items() if not self.stratum.strata.is_linear(p)",
        "for p, keys in lost.items()",
    ),
    Fault(
        "a pair that is lost takes no longer ones with it",
        "reasoning/plans.py",
        "    return replace(plans, losing=(by_first, by_rest))",
        "    return replace(plans, losing=(by_rest,))",
    ),
    Fault(
        "linear rules of a symmetric closure read its external facts one way",
        "datalog/linear.py",
        "        steps.append(Pattern(Y, module.external, X))",
        "        pass",
    ),
    Fault(
        "linear rules derive an inverse straight",
        "datalog/linear.py",
        "        head = Pattern(X, other, Y) if straight else Pattern(Y, other, X)",
        "        head = Pattern(X, other, Y)",
    ),
    Fault(
        "new linear rules derive nothing from what was there",
        "reasoning/maintain.py",
        "        if any(map(update.is_new, stratum.cyclic)):",
        "        if False:",
    ),
    Fault(
        "only the stratum in which a closure depends on itself is made anew with it",
        "reasoning/update.py",
        "        return module.external not in self._kinds_before",
        "        return module.external not in self.kinds",
    ),
    Fault(
        "what is gone as no rule derives it any more is doubted again",
        "reasoning/maintain.py",
        "seeds = update.removed.minus(_seeds(update, stratum, lost, gained, spend))",
        "seeds = _seeds(update, stratum, lost, gained, spend)",
    ),
    Fault(
        "a new module takes what linear rules derive for external facts",
        "knowledge_base/reshaping.py",
        "for p, keys in heads.items() if p == module.external",
        "for p, keys in heads.items()",
    ),
    Fault(
        "linear rules make the closure that they made before",
        "datalog/modules.py",
        "        return kind == linear and self.chained in (None, kind)",
        "        return self.chained in (None, kind)",
    ),
    Fault(
        "what was found of plans before the facts were reshaped stands",
        "knowledge_base/engine.py",
        "        strata.forget()\n        version.show",
        "        version.show",
    ),
    Fault(
        "external facts that a chain has derived are not checked against it",
        "reasoning/strata.py",
        "            yield predicate, keys\n        for member",
        "            pass\n        for member",
    ),
    # equality
    Fault(
        "who leaves what it was equal to takes no fact along",
        "reasoning/equating.py",
        "    gone = normal(joined(deleted, touched), own, old)",
        "    gone = normal(deleted, own, old)",
    ),
    Fault(
        "what two names state goes with one of them",
        "tables/equality/image.py",
        "            found[some[at[then[there]]]] = True",
        "            pass",
    ),
    Fault(
        "a name that comes or goes changes nothing for who reads names",
        "reasoning/equating.py",
        "    update.shift(equality.aliases, shift)",
        "    update.shift(equality.aliases, Shift(new, new))",
    ),
    Fault(
        "rules compute with representatives",
        "datalog/equality.py",
        "    shared = sorted((closed & (kept | _computed(clause))) - naming(clause))",
        "    shared = sorted((closed & kept) - naming(clause))",
    ),
    Fault(
        "equality itself is asked of representatives",
        "datalog/equality.py",
        " or predicate in (self.relation, self.external, self.aliases)",
        " or predicate in (self.external, self.aliases)",
    ),
    Fault(
        "names of relations are represented",
        "reasoning/equating.py",
        "        raise Unfit(equality.module)",
        "        pass",
    ),
    Fault(
        "facts become facts about representatives while names of relations are equal",
        "knowledge_base/drawing.py",
        "        if tells_all(strata, aliases, closure.tables, State(closure.tables)):",
        "        if True:",
    ),
    Fault(
        "what makes things equal is held about representatives",
        "datalog/equality.py",
        "    for predicate in sorted(equality.own - {equality.relation}):",
        "    for predicate in ():",
    ),
    Fault(
        "a delta tells of representatives",
        "knowledge_base/changes.py",
        "                found[predicate] = Shift(Expanded(lost, old), Expanded(won, new))",
        "                found[predicate] = Shift(lost, won)",
    ),
    Fault(
        "a delta tells nothing of what has a name more",
        "knowledge_base/changes.py",
        "    changed = new.differing(old)",
        "    changed = new.moved(old)",
    ),
    # terms that make way
    Fault(
        "the facts that are held are no mention of terms",
        "knowledge_base/reclaiming.py",
        "            _mark(table, mentioned)",
        "            pass",
    ),
    Fault(
        "predicates are no mention",
        "knowledge_base/reclaiming.py",
        "        mentioned[predicate] = True\n",
        "",
    ),
    Fault(
        "graphs are no mention",
        "knowledge_base/reclaiming.py",
        ", *version.graphs]",
        "]",
    ),
    Fault(
        "what is equal to something is no mention",
        "knowledge_base/reclaiming.py",
        "        mentioned[version.aliases.equated()] = True\n",
        "",
    ),
    Fault(
        "what rows are made of makes way",
        "knowledge_base/reclaiming.py",
        "        _mark_parts(dictionary, mentioned)\n",
        "",
    ),
    Fault(
        "names that the engine begins with make way",
        "knowledge_base/reclaiming.py",
        "mentioned[: self._names] = True",
        "pass",
    ),
    Fault(
        "names in rules make way",
        "knowledge_base/encoder.py",
        "mentioned[list(self._names)] = True",
        "pass",
    ),
    Fault(
        "hidden relations of closures make way",
        "knowledge_base/rulebook.py",
        'return self._encoder.auxiliary(f"external {relation}")',
        'return self._dictionary.auxiliary(f"external {relation}")',
    ),
    Fault(
        "what Skolem terms are made of makes way",
        "terms/skolem.py",
        "mentioned[[id for _, arguments, _ in self._made.values() for id in arguments]] = True",
        "pass",
    ),
    Fault(
        "what stands for the value of literals makes way",
        "knowledge_base/literals.py",
        "mentioned[[node for _, p, node in self._fact.values() if p == self._value]] = True",
        "pass",
    ),
    Fault(
        "literals are told by ids of other terms",
        "knowledge_base/implied.py",
        "self._literals.forget(freed)",
        "pass",
    ),
    Fault(
        "Skolem terms are remembered by ids of other terms",
        "knowledge_base/encoder.py",
        "self._skolems.forget(freed)",
        "pass",
    ),
    Fault(
        "decoded terms are remembered by ids of others",
        "knowledge_base/facade.py",
        "self._engine.reclaim(self._telling.forget)",
        "self._engine.reclaim(lambda freed: None)",
    ),
    Fault(
        "literals are not looked at before ids are given again",
        "knowledge_base/engine.py",
        "        self._implied.look_at_new()\n",
        "",
    ),
    Fault(
        "readers have no lease",
        "knowledge_base/views.py",
        "version, visibility, visibility.lease",
        "version, visibility, None",
    ),
    Fault(
        "deltas have no lease",
        "knowledge_base/delta.py",
        "self._lease = lease",
        "self._lease = None",
    ),
    Fault(
        "a delta that is being read has no lease",
        "knowledge_base/delta.py",
        "        for s, p, o in triples(self.batch):\n"
        "            yield self._decode(s), self._decode(p), self._decode(o)\n",
        "        d = self._decode\n"
        "        return ((d(s), d(p), d(o)) for s, p, o in triples(self.batch))\n",
    ),
    Fault(
        "proofs to be told have no lease",
        "knowledge_base/telling.py",
        "repeat(self._dictionary.lease)",
        "repeat(None)",
    ),
    Fault(
        "leases of the last epoch do not count",
        "terms/leases.py",
        "searchsorted(epochs, born)] > died",
        "searchsorted(epochs, born)] >= died",
    ),
    Fault(
        "leases from before a term was there count, and those of others do not",
        "terms/leases.py",
        "searchsorted(epochs, born)",
        "searchsorted(epochs, died)",
    ),
    Fault(
        "terms that wait are not found",
        "terms/dictionary.py",
        "return self._ids.recall(term) if known is None and self._ids.waiting else known",
        "return known",
    ),
    Fault(
        "terms that wait get another id",
        "terms/dictionary.py",
        "        if self.waiting and (known := self.recall(term)) is not None:\n"
        "            return known\n",
        "",
    ),
    Fault(
        "terms that wait are freed though they were looked up",
        "terms/dictionary.py",
        "            elif term not in self:",
        "            else:",
    ),
    Fault(
        "kinds are those of former terms",
        "terms/dictionary.py",
        "        new = self.since(self._kinded)\n",
        "        new = np.arange(self._kinded[0], size)\n",
    ),
    Fault(
        "a blank node that got a former id is taken for another file's",
        "terms/dictionary.py",
        "return id >= size or self._again_before + self._ids.again.get(id, -1) >= again",
        "return id >= size",
    ),
    # Closures on Spark
    Fault(
        "on Spark, instances with two new facts are not looked for",
        "plugins/spark/evaluation.py",
        "sources |= dict.fromkeys(data[place + 1 :], (0, parts.count))",
        "sources |= dict.fromkeys(data[place + 1 :], (0, seen.parts))",
    ),
    Fault(
        "on Spark, new values of parameter tables meet new facts only",
        "plugins/spark/evaluation.py",
        "yield from self._from(matching, dict.fromkeys(data, (0, parts.count)))",
        "yield from self._from(matching, dict.fromkeys(data, (seen.parts, parts.count)))",
    ),
    Fault(
        "on Spark, what is found is compared with facts of the first rule's relation only",
        "plugins/spark/parts.py",
        "predicates = _union(each.predicates for each in found)",
        "predicates = _union(each.predicates for each in found[:1])",
    ),
    Fault(
        "on Spark, negation asks the facts that were given",
        "plugins/spark/evaluation.py",
        "return matching.matches(frames, self.parts.facts())",
        "return matching.matches(frames, self.parts.facts(0, 1))",
    ),
    Fault(
        "on Spark, paths double once",
        "plugins/spark/closing.py",
        "        found = found.unionByName(last)\n",
        "        return found.unionByName(last)\n",
    ),
    Fault(
        "on Spark, a batch that comes in counts as seen",
        "plugins/spark/evaluation.py",
        "seen.parts, seen.fed = 1, len(self.parts.fed)",
        "seen.parts, seen.fed = 2, len(self.parts.fed)",
    ),
    # one fact after the other
    Fault(
        "what is proved together says nothing for one another when a check ends",
        "reasoning/backward_forward.py",
        "        if found:\n            self.forward()\n",
        "",
    ),
    Fault(
        "what is stated is taken for proved, and nothing follows from it",
        "reasoning/backward_forward.py",
        "            self.waiting.append((predicate, newly))",
        "            pass",
    ),
    Fault(
        "an update that only removes leaves the strata above alone",
        "reasoning/update.py",
        "return bool(self.shifts or self.added.tables or self.removed.tables)",
        "return bool(self.shifts or self.added.tables)",
    ),
    Fault(
        "strata do not watch relations",
        "reasoning/strata.py",
        "        if not self._watched.isdisjoint(batch):\n",
        "        if False:\n",
    ),
    Fault(
        "what comes to be stated proves nothing in its own update",
        "reasoning/states.py",
        "        if predicate in self._come:\n",
        "        if False:\n",
    ),
    Fault(
        "a fact that is hidden unless it is stated is hidden when it is stated",
        "knowledge_base/viewing.py",
        "lambda p: Marked(stated.get(p, []))",
        "lambda p: Marked([])",
    ),
]
