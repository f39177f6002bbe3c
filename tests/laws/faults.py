"""Faults in the engine that the laws must notice, and in the evaluation on Spark that its tests
must: where, the code there, what stands in its place, and what that means.

A place is a module and a function in it, or a class, or nothing for the module as a whole; the code
is an expression or statements, which are there once, however they are laid out. A fault that no
longer applies, because the code has changed, is to be written anew.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    meaning: str
    place: str
    old: str
    new: str


FAULTS = [
    # Backward/Forward
    Fault(
        "no delayed set",
        "saturation.Saturation.forward",
        "self.delayed[head].add(unasked)",
        "pass",
    ),
    Fault(
        "delayed facts are not proved when they are checked later",
        "saturation.Saturation.recall",
        "self.prove(predicate, self.delayed[predicate].present(keys))",
        "pass",
    ),
    Fault(
        "what is stated is not proved",
        "backward_forward.Deletion.unstated",
        "self.saturation.prove(predicate, stated)",
        "pass",
    ),
    Fault(
        "no guard when two body atoms match one proved fact",
        "saturation.Saturation._follow",
        "Hiding(self._known, late)",
        "self._known",
    ),
    Fault(
        "no guard when two body atoms match one lost fact",
        "backward_forward.Deletion.propagate",
        "Hiding(self.remaining, settled)",
        "self.remaining",
    ),
    Fault(
        "facts are not marked as processed",
        "backward_forward.Deletion.propagate",
        "self.processed.add(settled)",
        "pass",
    ),
    Fault(
        "disproved grows inside a check",
        "backward_forward.Deletion.check",
        "stack.pop()",
        "stack.pop()\n"
        "for p, checked in self.checked.items():\n"
        "    self.disproved[p].add(self.proved[p].missing(checked.keys()))",
    ),
    Fault(
        "candidates for proofs are what was there before",
        "backward_forward.Deletion.__init__",
        "update.finished(self.disproved)",
        "update.state()",
    ),
    Fault(
        "large batches lose all bands of instances but the first",
        "run.Columns.bands",
        "start, size = (start + size, size * 4)",
        "return",
    ),
    Fault(
        "a body wholly in lower strata proves nothing",
        "backward_forward.Deletion.conclude",
        "facts and self.proved.missing(facts)",
        "not facts or self.proved.missing(facts)",
    ),
    Fault(
        "the consequences of what is lost are not in doubt",
        "backward_forward.Deletion.delete",
        "queue.put(self.unstated(heads))",
        "pass",
    ),
    Fault(
        "what is in doubt goes, even if it was proved",
        "backward_forward.Deletion.delete",
        "self.proved.missing(doubted)",
        "doubted",
    ),
    Fault(
        "facts of other strata are put in doubt",
        "backward_forward.Deletion.propagate",
        "stratum.select(heads)",
        "heads",
    ),
    # the first look, and what is fired after it
    Fault(
        "what a search has needed in vain is not awaited",
        "backward_forward.Deletion.supports",
        "self.saturation.wait_for(facts)",
        "pass",
    ),
    Fault(
        "what is proved after a search has needed it is not fired",
        "saturation.Saturation.prove",
        "self._late.setdefault(predicate, []).append(late)",
        "pass",
    ),
    Fault(
        "what was proved in time is not there for what is proved late",
        "saturation.Saturation.prove",
        "self._unknown.append((predicate, newly))",
        "self._unknown += [(predicate, newly)] if predicate in self.awaited else []",
    ),
    Fault(
        "a search goes on with the first plan alone that it has looked at",
        "backward_forward.Deletion.expand",
        "first is not None",
        "first is not None and (not begun)",
    ),
    Fault(
        "of what a search has looked at first nothing more is followed",
        "backward_forward.Deletion.expand",
        "(yield from some)",
        "(yield from ())",
    ),
    Fault(
        "a glance is content with one body fact",
        "single_step_proof._Glancing.instance",
        "' and '.join",
        "' or '.join",
    ),
    Fault(
        "a glance that is over has seen all instances",
        "single_step_proof._Glancing.instance",
        "f'if seen == {REASONING.glance_instances}: return {UNKNOWN}'",
        "f'if seen == {REASONING.glance_instances}: return 0'",
    ),
    Fault(
        "many candidates are none at a glance",
        "single_step_proof._Glancing.candidates",
        "f'if len(found) > TABLES.narrow_batch: return {UNKNOWN}'",
        "f'if len(found) > TABLES.narrow_batch: return 0'",
    ),
    Fault(
        "what a glance cannot look for has no instance",
        "single_step_proof._Glancing.steps",
        "f'return {UNKNOWN}'",
        "'return 0'",
    ),
    Fault(
        "instances that a glance has seen and that prove nothing are none",
        "backward_forward.Deletion.glance",
        "return missed",
        "return []",
    ),
    Fault(
        "a glance looks at one plan",
        "backward_forward.Deletion.glance",
        "unknown |= seen == UNKNOWN",
        "return None if seen == UNKNOWN else missed",
    ),
    Fault(
        "of an instance one body fact is followed",
        "backward_forward.Deletion.follow",
        "yield (relation, [other])",
        "yield (relation, [other])\nbreak",
    ),
    Fault(
        "what few instances have needed in vain is not awaited",
        "backward_forward.Deletion.follow",
        "self.saturation.wait_for({relation: [other]})",
        "pass",
    ),
    Fault(
        "stated facts that few instances rest on are not there for what is proved late",
        "backward_forward.Deletion.is_fresh",
        "return bool(self.unstated(self.stratum.select({predicate: [key]})))",
        "some = self.stratum.select({predicate: [key]})\n"
        "return bool(self.update.explicit.missing(some))",
    ),
    Fault(
        "a search ends where one of its heads is proved",
        "backward_forward.Deletion.supports",
        "concluded and proved.holds(keys)",
        "concluded",
    ),
    Fault(
        "heads of one band that others of it rest on say nothing for those",
        "backward_forward.Deletion.supports",
        "if concluded:\n    self.conclude(body, band, facts)",
        "pass",
    ),
    Fault(
        "instances prove their heads though their first body fact is unproved",
        "body.Body.proved",
        "self._inside",
        "self._inside[1:]",
    ),
    Fault(
        "instances prove their heads if their first body fact is proved",
        "body.Body.proved",
        "self._inside",
        "self._inside[:1]",
    ),
    Fault(
        "a body fact that may be of any stratum has to be proved in this one",
        "body.Body.proved",
        "there or is_below(*fact)",
        "there",
    ),
    Fault(
        "columns look for proved facts of one relation alone",
        "run.Columns.marked",
        "np.unique(predicates).tolist()",
        "np.unique(predicates).tolist()[:1]",
    ),
    Fault(
        "heads are proved as facts of the member that a rule derives",
        "body.Body.heads",
        "self._stratum.strata.derived(gather(parts))",
        "gather(parts)",
    ),
    Fault(
        "strata are drawn anew where a relation was refused only if something goes",
        "stratifier.Stratifier._may_fit_again",
        "deleted or self._refused",
        "deleted",
    ),
    Fault(
        "a body counts as one of lower strata alone",
        "dred_counting._Counting.unsupported",
        "body.proved(block, nothing)",
        "block",
    ),
    # marking
    Fault(
        "marks outlive another change",
        "engine.Engine._look_ahead",
        "note and note.strata is strata and (note.commits == self._commits)",
        "note and note.strata is strata",
    ),
    Fault(
        "marks outlive the strata that they were made with",
        "engine.Engine._look_ahead",
        "note and note.strata is strata and (note.commits == self._commits)",
        "note and note.commits == self._commits",
    ),
    Fault(
        "what was there before counts as seen",
        "marking.Marking.hints",
        "{p: added.get(p).present(keys) for p, keys in marked.items()}",
        "dict(marked)",
    ),
    Fault(
        "only the first literal that may be a marked fact is looked at",
        "marking.Marking.note",
        "list(self._of_interest(plan))",
        "list(self._of_interest(plan))[:1]",
    ),
    Fault(
        "what columns have forgotten counts as seen",
        "marking.Marking.note",
        "self._missed.add(predicate)",
        "pass",
    ),
    Fault(
        "what rows have not looked at counts as seen",
        "run.Rows.among",
        "not all((row[s] and row[p] and row[o] for row in self.rows[:1]))",
        "False",
    ),
    Fault(
        "a search is not told which body facts are of its own stratum",
        "body.Body.__init__",
        "(plan.head, *self.inside)",
        "(plan.head,)",
    ),
    Fault(
        "a rule counts as applied below although its body was not known there",
        "plan_index.PlanIndex._of_another_level",
        "all((strata.level(literal.p, literal.o) <= level for literal in named))",
        "True",
    ),
    Fault(
        "noted heads are not in doubt",
        "maintain._delete",
        "joined(update.removed.missing(deleted), stratum.select(update.hints.heads))",
        "update.removed.missing(deleted)",
    ),
    Fault(
        "noted heads of lower strata are in doubt as well",
        "maintain._delete",
        "stratum.select(update.hints.heads)",
        "update.hints.heads",
    ),
    # Backward/Forward with a bounded search
    Fault(
        "what a search given up leaves unproved is gone for good",
        "fbf.bounded",
        "rederived(update, stratum, update.facts(gone), gone)",
        "{}",
    ),
    Fault(
        "proofs at the end rest on what has gone",
        "fbf.bounded",
        "update.facts(gone)",
        "update.facts()",
    ),
    # Delete/Rederive
    Fault(
        "rederivation skips what is stated",
        "dred.dred",
        "update.facts(update.explicit.present(gone))",
        "update.facts()",
    ),
    Fault(
        "rederivation finds what is stated and no more",
        "dred.dred",
        "again.add(rederived(update, stratum, deleted, again.missing(gone), spend))",
        "pass",
    ),
    Fault(
        "rederivation uses what has been overdeleted",
        "dred.rederived",
        "update.finished(deleted)",
        "update.finished()",
    ),
    Fault(
        "overdeletion considers instances again",
        "dred._overdeleted",
        "Hiding(remaining, batch)",
        "remaining",
    ),
    Fault(
        "overdeletion uses what earlier rounds have lost",
        "dred.dred",
        "before.add(batch)",
        "pass",
    ),
    Fault(
        "overdeletion stops after one round",
        "dred.dred",
        "while batch:\n"
        "    spend(0, size(batch))\n"
        "    heads = _overdeleted(update, stratum, batch, remaining, spend)\n"
        "    before.add(batch)\n"
        "    batch = deleted.add(heads)",
        "if batch:\n"
        "    spend(0, size(batch))\n"
        "    heads = _overdeleted(update, stratum, batch, remaining, spend)\n"
        "    before.add(batch)\n"
        "    batch = deleted.add(heads)",
    ),
    Fault(
        "what a search given up has left in doubt stays",
        "fbf._Bounded.overdelete",
        "batch = self.unsure(self.processed.missing(self.doubted.batch()))",
        "batch: Batch = {}",
    ),
    Fault(
        "a search given up forgets what is stated",
        "fbf._Bounded.unsure",
        "self.update.explicit.missing(delayed.missing(self.proved.missing(facts)))",
        "self.proved.missing(facts)",
    ),
    # Delete/Rederive with counters
    Fault(
        "counters never go down",
        "dred_counting._Counting.delete",
        "self.count(heads, -1)",
        "pass",
    ),
    Fault(
        "instances that were lost before are counted",
        "dred_counting._Counting.derivations",
        "(self.remaining, self.remaining)",
        "(self.update.state(), self.update.state())",
    ),
    Fault(
        "what is found together is lost once",
        "dred_counting._Counting.lost",
        "plan.whole()",
        "plan",
    ),
    Fault(
        "instances of one head are counted once",
        "dred_counting._emit_each",
        "kernels.pack(s[chosen], o[chosen])",
        "kernels.unique(kernels.pack(s[chosen], o[chosen]))",
    ),
    Fault(
        "a stated fact is overdeleted with what it also follows from",
        "dred_counting._Counting.unsupported",
        "self.update.explicit.missing(facts)",
        "facts",
    ),
    # one update, stratum by stratum
    Fault(
        "a stated fact that also follows goes with its statement",
        "maintain._delete",
        "strategy.delete(update, stratum, doubts, spend)",
        "strategy.delete(update, stratum, doubts, spend)\nupdate.removed.add(deleted)",
    ),
    Fault(
        "losses in lower strata put nothing in doubt",
        "maintain._delete",
        "_seeds(update, stratum, lost, gained, spend)",
        "_seeds(update, stratum, {}, gained, spend)",
    ),
    Fault(
        "seeds of doubt are read in the state after",
        "maintain._seeds",
        "update.state",
        "update.kept",
    ),
    Fault(
        "gains in lower strata are not inserted from",
        "maintain._maintain",
        "insert(update, stratum, inserted, gained, lost)",
        "insert(update, stratum, inserted, {}, lost)",
    ),
    Fault(
        "what went and came back is not cancelled",
        "maintain._maintain",
        "_cancel(update, stratum)",
        "pass",
    ),
    Fault(
        "a rule for any relation uses facts of higher strata, which may still go",
        "stratum.Stratum._not_above",
        "max(row) <= self.level",
        "max(row) <= self.level or True",
    ),
    Fault(
        "a rule for any relation reads what it negates before that is complete",
        "stratum.Stratum._not_above",
        "negated or p in folded",
        "p in folded",
    ),
    Fault(
        "what rules for any relation negate draws nothing",
        "strata.Strata._drawn",
        "negated or body[0] in folded",
        "body[0] in folded",
    ),
    Fault(
        "values of groups draw nothing beside what they are made of",
        "strata.Strata._drawn",
        "negated or body[0] in folded",
        "negated",
    ),
    Fault(
        "facts that are denied draw strata",
        "strata.Strata.crossing",
        "clause if lasting else replace(clause, negative=())",
        "replace(clause, negative=())",
    ),
    Fault(
        "derived axioms that need other strata are not noticed",
        "engine.Engine._attempt",
        "self._stratifier.check(update, strata)",
        "pass",
    ),
    Fault(
        "strata that turn out too fine are not noticed",
        "insertion._follow",
        "raise CoarserStrata(misplaced)",
        "pass",
    ),
    Fault(
        "a rule for any relation may derive a lower one unnoticed",
        "update.derive",
        "raise CoarserStrata(misplaced)",
        "pass",
    ),
    Fault(
        "insertion forgets the facts to the left of the driver that are new as well",
        "insertion._follow",
        "(before, known)",
        "(before, before)",
    ),
    # strata
    Fault(
        "strata are not drawn anew when the schema changes",
        "stratifier.Stratifier.over",
        "stale or self._may_change(strata, basis)",
        "stale",
    ),
    Fault(
        "strata stay although what is ordered has another rule",
        "compiled_program.Compiled.leaves",
        "drawn.derives(ordered) or any(body is None for body in drawn.bodies)",
        "any(body is None for body in drawn.bodies)",
    ),
    Fault(
        "strata stay although a relation may be a module now",
        "compiled_program.Compiled.leaves",
        "shape and near.meet(shape, rows)",
        "False",
    ),
    Fault(
        "strata stay although a relation may no longer depend on itself",
        "compiled_program.Compiled.leaves",
        "near.feeding is None or drawn.derives(near.feeding)",
        "False",
    ),
    Fault(
        "strata stay although a clause is about any relation, or no longer is",
        "compiled_program.Compiled.leaves",
        "drawn.derives(ordered) or any(body is None for body in drawn.bodies)",
        "drawn.derives(ordered)",
    ),
    Fault(
        "rows made of facts that an update derives are not looked at",
        "parameter_tables.TableIndex.rows_with",
        "self.touched(batch)",
        "()",
    ),
    Fault(
        "a row is remembered beyond the update that has changed it",
        "stratum.Stratum.forget",
        "self._rows.clear()",
        "pass",
    ),
    Fault(
        "strata stay that do not tell what is ordered",
        "compiled_program.Compiled.leaves",
        "self.negates or levels.known or not levels.settled",
        "self.negates or levels.known",
    ),
    Fault(
        "what rules for any relation have derived before is not looked at",
        "compiled_program.Compiled._plain",
        "not crossing",
        "True",
    ),
    Fault(
        "plans are not found anew when a relation that was empty gains facts",
        "strata.Strata.appear",
        "not self._lacking.isdisjoint(batch)",
        "False",
    ),
    Fault(
        "parameter rows that were read stay in use while they change",
        "strata.Strata.change",
        "self.settled and any(map(self.watches, batches))",
        "False",
    ),
    Fault(
        "of the parameter rows that were read only the first is used",
        "plan_index.PlanIndex._rest",
        "[*islice((row for block in blocks for row in block.values(bound)), most + 1)]",
        "[*islice((row for block in blocks for row in block.values(bound)), most + 1)][:1]",
    ),
    Fault(
        "a relation counts as empty although this update adds to it",
        "strata.Strata.lacks",
        "before.get(p) or added.get(p) or p in shifted",
        "before.get(p) or p in shifted",
    ),
    Fault(
        "proofs do not see the lower strata",
        "saturation.Proved._view",
        "self._after.table(predicate) if below else mine",
        "mine",
    ),
    Fault(
        "which classes are below is not asked",
        "saturation.Proved._view",
        "With(OnlyObjects(self._after.table(predicate), classes), mine)",
        "mine",
    ),
    # tables
    Fault(
        "a tombstone is lost at folding",
        "plain_table.Plain._folded",
        "base = base.without(_sorted(self.dead))",
        "pass",
    ),
    Fault(
        "a fact that comes back keeps its tombstone",
        "plain_table.Plain._add",
        "self.dead.remove(key)",
        "pass",
    ),
    Fault(
        "the overlay's index by subject is not updated on a deletion",
        "plain_table.Plain._remove",
        "_take(self._by_subject, key >> 32, key & 4294967295)",
        "pass",
    ),
    Fault(
        "the overlay's index by object is not updated on an insertion",
        "plain_table.Plain._add",
        "self._by_object.setdefault(key & 4294967295, set()).add(key >> 32)",
        "pass",
    ),
    Fault(
        "the columns of an overlay are not made anew after a change",
        "plain_table.Plain._settle",
        "self._view = None",
        "pass",
    ),
    Fault(
        "a copy shares the overlay",
        "plain_table.Plain.copy",
        "(set(self.extra), set(self.dead))",
        "(self.extra, self.dead)",
    ),
    Fault(
        "a fork changes the rows that it shares",
        "plain_table._changeable",
        "twin[head] = set(twin[head])",
        "pass",
    ),
    Fault(
        "a fork of a fork has again what was lost in between",
        "plain_table.Plain._over_arrays",
        "twin._remove(key)",
        "pass",
    ),
    Fault(
        "a set of facts changes the tables that its forks share",
        "facts.FactSet.fork",
        "self._own.clear()",
        "pass",
    ),
    Fault(
        "the swapped order is not updated by a deletion",
        "sorted_pairs.SortedPairs.without",
        "swapped, _ = kernels.differences(swapped, kernels.transposed(gone))",
        "pass",
    ),
    Fault(
        "of what went and came back the rest of what went is forgotten",
        "maintain._cancel",
        "update.removed.keep(predicate, lost)",
        "update.removed.drop(predicate)",
    ),
    Fault(
        "a stratum that is materialised anew loses what is stated",
        "rematerialise.rematerialise",
        "joined(stated, below)",
        "below",
    ),
    Fault(
        "only relations that rules derive are read when a stratum is materialised anew",
        "rematerialise._below",
        "len(keys)",
        "len(keys) and (p == strata.type or p in strata.heads)",
    ),
    # joins
    Fault(
        "a negated literal over an empty relation has no match",
        "run._is_idle",
        "isinstance(step, Compute) or step.negated",
        "isinstance(step, Compute)",
    ),
    Fault(
        "who is reached by one component only is not reached",
        "range_rows.RangeRows.is_reached",
        "len(stale.renewed(found, reached, self)) > 1",
        "len(stale.renewed(found, reached, self)) > 2",
    ),
    Fault(
        "of rows of bits only the first of a head counts",
        "matches._united",
        "np.bitwise_or.reduceat(rows.take(some, axis=0), at, axis=0)",
        "rows.take(some[at], axis=0)",
    ),
    Fault(
        "rows are merged by what is read later alone",
        "run._columns",
        "step.live.union((step.at.s, step.at.o))",
        "step.live",
    ),
    Fault(
        "a relation that is asked for with one id is taken to have it",
        "run._met",
        "live if is_end(column) else Columns(live.columns, 0)",
        "live",
    ),
    Fault(
        "a fork changes the tables it has borrowed",
        "facts.FactSet.fork",
        "self._own.clear()",
        "twin._own, self._own = (self._own, twin._own)",
    ),
    Fault(
        "the queue drops the other relations of a batch",
        "facts.Queue.take",
        "self._waiting.pop",
        "self._waiting.clear",
    ),
    # matching
    Fault(
        "many candidates of a row are cut into parts with gaps",
        "run.growing",
        "(start + size, size * 4)",
        "(start + size + 1, size * 4)",
    ),
    Fault(
        "a known value is not compared with the computed one",
        "plan_codegen.Writer.compute",
        "self.bind(computation.output, 'value')",
        "self.write(f'{self.slot(computation.output)} = value')\n"
        "self.bound.add(computation.output)",
    ),
    Fault(
        "a variable twice in a driver is not compared",
        "plan_codegen.Writer.bind",
        "f'if {self.slot(slot)} == {value}:'",
        "f'if {slot < self.plan.variables} or {self.slot(slot)} == {value}:'",
    ),
    Fault(
        "a variable twice in a scanned atom is not compared",
        "run._all",
        "at.s == at.o",
        "False",
    ),
    Fault(
        "columns are driven by the first block alone",
        "run._by_columns",
        "keys.size",
        "min(keys.size, BLOCK)",
    ),
    Fault(
        "a proof is taken as soon as there is one",
        "explain.shortest_proof",
        "search.heights.get(fact, levels) >= levels",
        "fact not in search.heights",
    ),
    Fault(
        "only explicit edges of a closure are followed",
        "rule_instances.Support._found_ends",
        "{*as_list(self._stated.table(module.external).present(asked)), "
        "*as_list(self._derived(module, asked))}",
        "{*as_list(self._stated.table(module.external).present(asked))}",
    ),
    Fault(
        "edges of a closure are followed backwards",
        "rule_instances.Support._after",
        "(straight, not straight) if self._kind(module).symmetric else (straight,)",
        "(not straight,)",
    ),
    Fault(
        "proofs are parted at one fact only",
        "k_best_proofs._in_order",
        "fact not in fixed",
        "not fixed",
    ),
    Fault(
        "facts that a NOT excludes are no gaps",
        "near_misses._NearMissSearch.denying",
        "denied.append(i)",
        "pass",
    ),
    # rules, lists, graphs, what is shown
    Fault(
        "a removed rule keeps its row in the family's table",
        "hidden_facts.Implied._told",
        "deleted.add(gone)",
        "pass",
    ),
    Fault(
        "a rule of a new shape is not compiled",
        "rulebook.RuleBook._require",
        "self._compile_again()",
        "pass",
    ),
    Fault(
        "a list is read again only if its first cell changes",
        "list_axioms._touched_heads",
        "_leading_to(cells - {vocabulary.nil}, states, vocabulary.rest)",
        "cells",
    ),
    Fault(
        "other graphs that state a fact are forgotten",
        "version.restate",
        "after.add(in_named.batch())",
        "pass",
    ),
    Fault(
        "a fact in another graph too counts as stated in the default graph alone",
        "version.restate",
        "only_named.missing(version.only_named.present(affected))",
        "{}",
    ),
    Fault(
        "what was only seen as stated stays in view when it is withdrawn",
        "visible_delta.Viewing._enumerated",
        "joined(see.batch(went, version.explicit.get), stopped)",
        "see.batch(went, version.explicit.get)",
    ),
    Fault(
        "hidden facts are shown",
        "visibility.Visibility._hidden_one",
        "predicate == self.same_as and s == o",
        "False",
    ),
    Fault(
        "a commit changes what a reader holds",
        "version.Version.writable",
        "self.fork() if self.pins else self",
        "self",
    ),
    Fault(
        "a refused change leaves its statements",
        "engine.Engine._applied",
        "raise Refused({self.violation: came[self.violation]}, update)",
        "self.version.explicit.add(inserted)\n"
        "raise Refused({self.violation: came[self.violation]}, update)",
    ),
    # negation, aggregation and rules
    Fault(
        "negated literals hold before where the fact has come since",
        "states.State.negated",
        "self._lacking or self",
        "self",
    ),
    Fault(
        "negated literals hold before where the fact of a closure has gone since",
        "update.Update.shift",
        "UnionView((s.old, s.new))",
        "IntersectionView(s.old, s.new)",
    ),
    Fault(
        "groups keep their former values",
        "aggregate_update._replace",
        "update.removed.add(batch_of(sorted(old - new)))",
        "pass",
    ),
    Fault(
        "groups are computed from the facts before the update",
        "aggregate_update._solutions",
        "update.finished",
        "update.state",
    ),
    Fault(
        "a negated relation need not be complete",
        "relation_hypergraph._DependencyGraph.edges",
        "i in d.negative or node in self.folded",
        "node in self.folded",
    ),
    Fault(
        "a group's relation need not be complete",
        "relation_hypergraph._DependencyGraph.edges",
        "i in d.negative or node in self.folded",
        "i in d.negative",
    ),
    Fault(
        "an auxiliary rule goes with the first rule that needs it",
        "rulebook.RuleBook.rows",
        "n < 0 and self._uses[core] + n == 0",
        "n < 0",
    ),
    # closures
    Fault(
        "a closure stays as it is when it loses external facts",
        "module_update._is_changed",
        "(update.removed.table(module.external), update.added.table(module.external))",
        "(update.added.table(module.external),)",
    ),
    Fault(
        "what closure it is stays as it is while the schema changes",
        "module_update.close",
        "before is None or not stratum.strata.settled",
        "before is None",
    ),
    Fault(
        "nobody hears of what a closure has gained",
        "update.Update.gained",
        "gained = {p: change.gained for p, change in read if change}",
        "gained: Batch = {}",
    ),
    Fault(
        "nobody hears of what a closure has lost",
        "update.Update.lost",
        "lost = {p: change.lost for p, change in read if change}",
        "lost: Batch = {}",
    ),
    Fault(
        "what is derived for a closure is not external",
        "storage_migration._external",
        "stated.add(derived_by_others(module, keys, strata, facts))",
        "pass",
    ),
    Fault(
        "external facts of a transposed member are taken straight",
        "strata.Strata.turned",
        "groups if straight else [kernels.swap(np.array(g, np.uint64)) for g in groups]",
        "groups",
    ),
    Fault(
        "a transposed member's proofs are looked up straight",
        "backward_forward.Deletion.plans",
        "marked if self.is_straight(relation) else Swapped(marked)",
        "marked",
    ),
    Fault(
        "members may be read otherwise than the module says",
        "modules.kind_of",
        "crooked or ways != set(module.members)",
        "crooked",
    ),
    Fault(
        "an edge that another member states is put in doubt",
        "engine.Engine._attempt",
        "gone = update.explicit.missing(gone)",
        "pass",
    ),
    Fault(
        "a guard holds for literals of one value",
        "literal_ends.LiteralEnds.check",
        "raise Unfit(module)",
        "pass",
    ),
    Fault(
        "a closure that depends on itself is kept as one",
        "program_graph.ProgramGraph._good",
        "Modules((m for m in of_data.all if good.issuperset((r for r, _ in m.members))))",
        "of_data",
    ),
    Fault(
        "a closure may depend on itself by a rule for any relation",
        "strata.Strata.lower_facts",
        "module not in kept.all",
        "False",
    ),
    Fault(
        "the diagonal of a guarded closure counts as known",
        "interval_table.Interval._shape",
        "self._diagonal",
        "True",
    ),
    Fault(
        "a union stays as it is when its parts change",
        "module_update._is_changed",
        "any(map(len, external)) or any((part in update.shifts for part, _ in module.parts))",
        "any(map(len, external))",
    ),
    Fault(
        "a union has lost what one of its parts has lost",
        "table_deltas.GatheredShift.lost",
        "self.new.missing(found.get(0, []))",
        "found.get(0, [])",
    ),
    Fault(
        "a union has gained what one of its parts has gained",
        "table_deltas.GatheredShift.gained",
        "self.old.missing(found.get(0, []))",
        "found.get(0, [])",
    ),
    Fault(
        "a part that is read transposed changes as if it were read straight",
        "module_update._changes",
        "way is straight",
        "straight",
    ),
    Fault(
        "what a part gave a union is lost when it is no part any more",
        "storage_migration._candidates",
        "old is None or not set(old.parts).issubset(module.parts)",
        "old is None",
    ),
    Fault(
        "what a copied closure is, is forgotten with the rule that copies it",
        "modules.kind_of",
        "ClosureKind(transitive, symmetric, diagonal, parts)",
        "ClosureKind(transitive, symmetric, diagonal, module.parts)",
    ),
    Fault(
        "literals of a part are none of the union's",
        "literal_ends.LiteralEnds._found",
        "ends |= at if straight else _swapped(at)",
        "pass",
    ),
    Fault(
        "literals are looked for only among new facts",
        "literal_ends.LiteralEnds._found",
        "changes.append(update.before.get(external, EMPTY))",
        "pass",
    ),
    Fault(
        "who counts pairs hears only of their ends",
        "stratum.Stratum.reads",
        "groupings <= {Reads.NOTHING}",
        "True or groupings <= {Reads.NOTHING}",
    ),
    Fault(
        "who denies a pair hears only of its ends",
        "stratum.Drivers.reads",
        "(True for _ in self._deniers.driven(predicate))",
        "(True for _ in self._deniers.driven(predicate) if False)",
    ),
    Fault(
        "an end that another pair of the same update has stays",
        "module_update._shifts",
        "update.kept",
        "update.finished",
    ),
    Fault(
        "a pair stays if one of its ends does",
        "table_deltas.EndChange._ending",
        "staying.is_subject(key >> 32) and staying.is_object(key & 4294967295)",
        "staying.is_subject(key >> 32) or staying.is_object(key & 4294967295)",
    ),
    Fault(
        "the ends of a symmetric closure are those of its external facts read one way",
        "table_deltas.spanning",
        "tables = [*tables, *map(turned, tables)]",
        "pass",
    ),
    Fault(
        "what another rule asks of both ends is not asked",
        "planning.Plan.reads_one_end",
        "end < self.variables and end not in used",
        "end < self.variables",
    ),
    Fault(
        "a relation that was empty when a plan was made stays so",
        "strata.Strata.lacks",
        "self._lacking.update(lacking)",
        "pass",
    ),
    Fault(
        "members of classes keep what they lose with a class of their own",
        "class_union.UnionTable.remove",
        "set.difference",
        "set.union",
    ),
    # chains of closures with other relations
    Fault(
        "a symmetric closure's chains start at one end of its external facts",
        "chain_rules._readings",
        "yield (derived, _turned(member))",
        "pass",
    ),
    Fault(
        "a chain of an inverse is read as one of the first member",
        "chain_rules._readings",
        "(_turned(head), _turned(member))",
        "(head, member)",
    ),
    Fault(
        "a chain may turn the pairs of a closure round",
        "modules.kind_of",
        "guarded or turned or module.parts or (not (transitive and diagonal))",
        "guarded or module.parts or (not (transitive and diagonal))",
    ),
    Fault(
        "chains of a closure stay what they were when it becomes another",
        "module_update.close",
        "kind is None or not module.allows(kind)",
        "kind is None",
    ),
    Fault(
        "what a new module's chains have derived before is not external",
        "storage_migration._external",
        "module.chained",
        "False",
    ),
    Fault(
        "what depends on itself is closed by one step",
        "linear_rules.linear_clauses",
        "yield (says(head, step, rest), says(head, step, Pattern(X, first, Y), rest))",
        "pass",
    ),
    Fault(
        "a lost external fact is not read where what it stood for is lost as well",
        "backward_forward.Deletion.propagate",
        "{p: keys for p, keys in lost.items() if not is_linear(p)}",
        "{p: keys for p, keys in lost.items()}",
    ),
    Fault(
        "a pair that is lost takes no longer ones with it",
        "plans._linear",
        "(by_first, by_rest)",
        "(by_rest,)",
    ),
    Fault(
        "linear rules of a symmetric closure read its external facts one way",
        "linear_rules.linear_clauses",
        "steps.append(Pattern(Y, module.external, X))",
        "pass",
    ),
    Fault(
        "linear rules derive an inverse straight",
        "linear_rules.linear_clauses",
        "Pattern(X, other, Y) if straight else Pattern(Y, other, X)",
        "Pattern(X, other, Y)",
    ),
    Fault(
        "new linear rules derive nothing from what was there",
        "maintain._maintain",
        "any(map(update.is_new, stratum.cyclic))",
        "False",
    ),
    Fault(
        "only the stratum in which a closure depends on itself is made anew with it",
        "update.Update.is_new",
        "self._kinds_before",
        "self.kinds",
    ),
    Fault(
        "what is gone as no rule derives it any more is doubted again",
        "maintain._delete",
        "update.removed.missing(_seeds(update, stratum, lost, gained, spend))",
        "_seeds(update, stratum, lost, gained, spend)",
    ),
    Fault(
        "a new module takes what linear rules derive for external facts",
        "storage_migration._follow",
        "{p: keys for p, keys in heads.items() if p == module.external}",
        "{p: keys for p, keys in heads.items()}",
    ),
    Fault(
        "linear rules make the closure that they made before",
        "modules.Module.allows",
        "kind == linear and self.chained in (None, kind)",
        "self.chained in (None, kind)",
    ),
    Fault(
        "what was found of plans before the facts were reshaped stands",
        "engine.Engine._reshape",
        "strata.forget()",
        "pass",
    ),
    Fault(
        "external facts that a chain has derived are not checked against it",
        "strata.Strata.asked",
        "yield (predicate, keys)",
        "pass",
    ),
    # equality
    Fault(
        "who leaves what it was equal to takes no fact along",
        "equality_update.represent",
        "joined(deleted, touched)",
        "deleted",
    ),
    Fault(
        "what two names state goes with one of them",
        "image.Image.contains",
        "found[some[at[then[there]]]] = True",
        "pass",
    ),
    Fault(
        "a name that comes or goes changes nothing for who reads names",
        "equality_update.equate",
        "strata.shift(equality.aliases, old, new)",
        "strata.shift(equality.aliases, new, new)",
    ),
    Fault(
        "rules compute with representatives",
        "representatives.over_representatives",
        "kept | _computed(clause)",
        "kept",
    ),
    Fault(
        "equality itself is asked of representatives",
        "representatives.Equality.is_own",
        "(self.relation, self.external, self.aliases)",
        "(self.external, self.aliases)",
    ),
    Fault(
        "all terms are listed for what represents one",
        "planning._Planner.cost",
        "not (s or o) and literal in self.clause.ties",
        "False",
    ),
    Fault(
        "what several names stand for is not asked what equals it",
        "representatives.naming",
        "classes | _ends(_free(clause))",
        "classes",
    ),
    Fault(
        "names of relations are represented",
        "equality_update.check",
        "raise Unfit(equality.module)",
        "pass",
    ),
    Fault(
        "facts become facts about representatives while names of relations are equal",
        "stratifier.Stratifier.can_represent",
        "named and tells_all(strata, aliases, closure.tables, State(closure.tables))",
        "True",
    ),
    Fault(
        "what makes things equal is held about representatives",
        "representatives.for_own",
        "sorted(equality.own - {equality.relation})",
        "()",
    ),
    Fault(
        "a delta tells of representatives",
        "alias_delta._for_all",
        "Expanded(SortedPairs(lost), equal.old)",
        "SortedPairs(lost)",
    ),
    Fault(
        "a delta tells nothing of what has a name more",
        "alias_delta._relations",
        "equal.differing",
        "equal.moved",
    ),
    # terms that make way
    Fault(
        "the facts that are held are no mention of terms",
        "term_reclaiming._mark_facts",
        "_mark(table, mentioned)",
        "pass",
    ),
    Fault(
        "predicates are no mention",
        "term_reclaiming._mark_facts",
        "mentioned[predicate] = True",
        "pass",
    ),
    Fault(
        "graphs are no mention",
        "term_reclaiming._mark_facts",
        "[*modules.of, *modules.by_external, *version.graphs]",
        "[*modules.of, *modules.by_external]",
    ),
    Fault(
        "what is equal to something is no mention",
        "term_reclaiming._mark_facts",
        "mentioned[version.aliases.equated()] = True",
        "pass",
    ),
    Fault(
        "what rows are made of makes way",
        "term_reclaiming.Reclaiming.sweep",
        "_mark_parts(dictionary, mentioned)",
        "pass",
    ),
    Fault(
        "names that the engine begins with make way",
        "term_reclaiming.Reclaiming.sweep",
        "mentioned[:self._names] = True",
        "pass",
    ),
    Fault(
        "names in rules make way",
        "term_encoding.TermEncoder.mention",
        "mentioned[list(self._names)] = True",
        "pass",
    ),
    Fault(
        "hidden relations of closures make way",
        "rulebook.RuleBook._external",
        "self._encoder",
        "self._dictionary",
    ),
    Fault(
        "what Skolem terms are made of makes way",
        "skolem.Skolems.mention",
        "mentioned[[id for _, arguments, _ in self._made.values() for id in arguments]] = True",
        "pass",
    ),
    Fault(
        "what stands for the value of literals makes way",
        "literal_facts.Literals.mention",
        "mentioned[[node for _, p, node in self._fact.values() if p == self._value]] = True",
        "pass",
    ),
    Fault(
        "literals are told by ids of other terms",
        "hidden_facts.Implied.forget",
        "self._literals.forget(freed)",
        "pass",
    ),
    Fault(
        "Skolem terms are remembered by ids of other terms",
        "term_encoding.TermEncoder.forget",
        "self._skolems.forget(freed)",
        "pass",
    ),
    Fault(
        "decoded terms are remembered by ids of others",
        "kept.Kept.reclaim",
        "self._telling.forget",
        "lambda freed: None",
    ),
    Fault(
        "literals are not looked at before ids are given again",
        "engine.Engine.reclaim",
        "self._implied.look_at_new()",
        "pass",
    ),
    Fault(
        "readers have no lease",
        "fact_views.Reader.__init__",
        "visibility.lease",
        "None",
    ),
    Fault(
        "deltas have no lease",
        "delta.Facts.__init__",
        "self._lease = lease",
        "self._lease = None",
    ),
    Fault(
        "a delta that is being read has no lease",
        "delta.Facts.__iter__",
        "for s, p, o in triples(self.batch):\n"
        "    yield (self._decode(s), self._decode(p), self._decode(o))",
        "d = self._decode\nreturn ((d(s), d(p), d(o)) for s, p, o in triples(self.batch))",
    ),
    Fault(
        "proofs to be told have no lease",
        "rendering.Telling.proofs",
        "self._dictionary.lease",
        "None",
    ),
    Fault(
        "leases of the last epoch do not count",
        "leases.Leases.over",
        "epochs[np.searchsorted(epochs, born)] > died",
        "epochs[np.searchsorted(epochs, born)] >= died",
    ),
    Fault(
        "leases from before a term was there count, and those of others do not",
        "leases.Leases.over",
        "np.searchsorted(epochs, born)",
        "np.searchsorted(epochs, died)",
    ),
    Fault(
        "terms that wait are not found",
        "dictionary.Dictionary.find",
        "self._ids.recall(term) if known is None and self._ids.waiting else known",
        "known",
    ),
    Fault(
        "terms that wait get another id",
        "dictionary.Numbering.__missing__",
        "if self.waiting and (known := self.recall(term)) is not None:\n    return known",
        "pass",
    ),
    Fault(
        "terms that wait are freed though they were looked up",
        "dictionary.Numbering.recall_mentioned",
        "if term not in self:\n    self.waiting[term] = id",
        "self.waiting[term] = id",
    ),
    Fault(
        "kinds are those of former terms",
        "dictionary.Dictionary._extend_kinds",
        "self.since(self._kinded)",
        "np.arange(self._kinded[0], size)",
    ),
    Fault(
        "a blank node that got a former id is taken for another file's",
        "dictionary.Dictionary.is_since",
        "id >= size or self._again_before + self._ids.again.get(id, -1) >= again",
        "id >= size",
    ),
    # Closures on Spark
    Fault(
        "on Spark, instances with two new facts are not looked for",
        "semi_naive.Evaluation._instances",
        "dict.fromkeys(data[place + 1:], (0, parts.count))",
        "dict.fromkeys(data[place + 1:], (0, seen.parts))",
    ),
    Fault(
        "on Spark, new values of parameter tables meet new facts only",
        "semi_naive.Evaluation._instances",
        "dict.fromkeys(data, (0, parts.count))",
        "dict.fromkeys(data, (seen.parts, parts.count))",
    ),
    Fault(
        "on Spark, what is found is compared with facts of the first rule's relation only",
        "fact_parts.Parts._alike",
        "(each.predicates for each in found)",
        "(each.predicates for each in found[:1])",
    ),
    Fault(
        "on Spark, negation asks the facts that were given",
        "semi_naive.Evaluation._matches",
        "self.parts.facts()",
        "self.parts.facts(0, 1)",
    ),
    Fault(
        "on Spark, paths double once",
        "pair_closures.transitive",
        "found = found.unionByName(last)",
        "return found.unionByName(last)",
    ),
    Fault(
        "on Spark, a batch that comes in counts as seen",
        "semi_naive.Evaluation.go_on_with",
        "(1, len(self.parts.fed))",
        "(2, len(self.parts.fed))",
    ),
    # one fact after the other
    Fault(
        "what is proved together says nothing for one another when a check ends",
        "backward_forward.Deletion.check",
        "self.saturation.forward()",
        "pass",
    ),
    Fault(
        "an update that only removes leaves the strata above alone",
        "update.Update.has_changed",
        "self.shifts or self.added.tables or self.removed.tables",
        "self.shifts or self.added.tables",
    ),
    Fault(
        "strata do not watch relations",
        "strata.Strata.watches",
        "not self._watched.isdisjoint(batch)",
        "False",
    ),
    Fault(
        "what comes to be stated proves nothing in its own update",
        "states.Changed._view",
        "predicate in self._come",
        "False",
    ),
    Fault(
        "a fact that is hidden unless it is stated is hidden when it is stated",
        "visible_delta.Viewing._enumerated",
        "stated.get(p, [])",
        "[]",
    ),
    Fault(
        "what stays of facts that came is not seen by who saw these",
        "maintain._cancel",
        "stratum.strata.look_again()",
        "pass",
    ),
    # numbers of any length
    Fault(
        "what Oxigraph cannot compute has no value",
        "expression._exactly",
        "answers[i] = exactly",
        "pass",
    ),
    Fault(
        "COALESCE takes a number that is too long for Oxigraph for an error",
        "exact_numbers.Exactness._alternatives",
        "found.append([exactly])",
        "pass",
    ),
    Fault(
        "an error is in doubt only if one number has more than 18 digits",
        "exact_numbers.doubt",
        "Doubt(room // variables)",
        "Doubt(room)",
    ),
    Fault(
        "computed integers grow without end",
        "values.bounded",
        "value.bit_length() > longest",
        "False",
    ),
    # literals by value, and rules that sleep
    Fault(
        "who has the value of an inverse functional property is told by its terms",
        "profile_rules",
        "'prp-ifp'",
        "'prp-fp'",
    ),
    Fault(
        "rules that derived facts would wake sleep on",
        "engine.Engine._in_one",
        "self.rules.wake(update.before, update.added.tables, update.finished)",
        "False",
    ),
    Fault(
        "a name of two values stands for both",
        "engine.Engine._attempt",
        "strata.equality and (not agree_after(update, strata, self.dictionary))",
        "False",
    ),
]
