"""One change of a knowledge base, from asked to committed; by ids."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rdfinc.datalog.analysis.modules import Modules
from rdfinc.datalog.clause import DEMANDS, VIOLATION
from rdfinc.datalog.compile.relation_hypergraph import CLASS, Cycle
from rdfinc.datalog.printing import term_text
from rdfinc.errors import UnstratifiableError
from rdfinc.knowledge_base.implied.implied_facts import Implied
from rdfinc.knowledge_base.implied.literal_names import agree_after
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.forking import COMMITTING
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.knowledge_base.process.memory import give_back, give_back_meanwhile, trim
from rdfinc.knowledge_base.rules.gains import Gains
from rdfinc.knowledge_base.rules.rule_places import to_blame
from rdfinc.knowledge_base.rules.rulebook import RuleBook
from rdfinc.knowledge_base.storage.storage_choice import share_rows, shares_at_once
from rdfinc.knowledge_base.storage.storage_migration import reshape, rewrite_held
from rdfinc.knowledge_base.storage.term_freezing import freeze
from rdfinc.knowledge_base.storage.term_reclaiming import Holder, Reclaiming
from rdfinc.knowledge_base.updates.stratifier import Basis, Stratifier
from rdfinc.knowledge_base.versions.bounds import LookAtTime, watch_unbound
from rdfinc.knowledge_base.versions.change import Change, Effect, Note, Outcome, Refused, Statements
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.knowledge_base.versions.literal_ends import LiteralEnds
from rdfinc.knowledge_base.versions.version import Restatement, Version, restate
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.knowledge_base.versions.visible_delta import InView, Viewing
from rdfinc.owl.swrl.swrl_changes import SwrlChanges
from rdfinc.owl.swrl.swrl_rules import reads_unique_names
from rdfinc.reasoning.evaluation.search_reports import reported_to
from rdfinc.reasoning.evaluation.states import Changed, State
from rdfinc.reasoning.explanation.rule_instances import Support
from rdfinc.reasoning.maintenance.equality_update import alias_shift, still_tells_all
from rdfinc.reasoning.maintenance.maintain import STRATEGIES, maintain
from rdfinc.reasoning.maintenance.marking import Marking
from rdfinc.reasoning.maintenance.module_update import ExplicitFacts, adopt_shifts
from rdfinc.reasoning.maintenance.untold import add_untold
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.maintenance.verdict import Unfit, Verdict
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.tables import kernels
from rdfinc.tables.closed import MakeClosed
from rdfinc.tables.facts import Batch, FactSet, MakeTable, size
from rdfinc.tables.table import Table
from rdfinc.tables.union.union_table import UnionTable
from rdfinc.terms.dictionary import IRI, Dictionary, Ids
from rdfinc.terms.freezing import should_freeze

_DIFFERENT = "what is not the same, which differentFrom reads because of unique_names,"


T = TypeVar("T")


def unheard(_: Outcome) -> None:
    """Takes no notice of a change."""


class Planned(NamedTuple):
    """A change as it is to be made: the statements and the rules that it states anew, the explicit
    facts after it, those that stop and start being explicit, and the modules before it."""

    change: Change
    restated: Restatement
    stated: SwrlChanges
    explicit: State
    deleted: Batch
    inserted: Batch
    modules: Modules


class Engine:
    """The facts and rules of a knowledge base; `version` is the latest one published.

    `record` is called with the effect on statements and rules of each change that has one, before
    that is published; if it raises, there is no change. It is no part of copies. If something is
    raised while a change is published, as when there is no memory left, the engine `is_torn`, and
    must not be used any more.
    """

    is_torn = False
    record: Callable[[Change], None] | None = None

    def __init__(
        self,
        dictionary: Dictionary,
        profile: str,
        strategy: str,
        storage: str,
        make: MakeTable,
        make_closed: MakeClosed,
        *,
        axiomatic: bool,
        unique_names: bool = False,
    ) -> None:
        self.dictionary, self.strategy, self.storage = dictionary, strategy, storage
        self.looks_ahead = strategy != "auto"
        """Whether the next update's deletions are marked. "auto" never marks: on all streams that
        were measured, the papers' among them, it costs more time than it saves."""
        self.make_closed = make_closed
        self.rules = RuleBook(dictionary, profile, axiomatic=axiomatic)
        self.visibility = Visibility(dictionary, profile, axiomatic=axiomatic)
        self.version = Version.empty(make)
        self.violation = dictionary.auxiliary(VIOLATION)
        self.unique_names = unique_names
        self._implied = Implied(
            dictionary, self.rules, profile, axiomatic=axiomatic, unique_names=unique_names
        )
        self._stratifier = Stratifier(self.rules, storage, dictionary)
        self._ends = LiteralEnds(dictionary, self.visibility)
        self._viewing = Viewing(self.visibility, self._ends)
        self._support: Support | None = None
        self.in_use: Reader | None = None
        self._commits = 0
        self._reclaiming = Reclaiming(dictionary)
        if axiomatic:
            self.apply(Change(), unheard)

    def apply(
        self,
        change: Change,
        then: Callable[[Outcome], T],
        *,
        refuse_violations: bool = False,
    ) -> T:
        """Brings the facts up to date with a change and commits it, all or nothing; returns the
        result of `then` for the committed change.

        No interrupt comes between the commit and the end of `then`. Raises Refused.
        """
        start = time.perf_counter()
        self.rules.start()
        try:
            return self._applied(change, refuse_violations, start, then)
        except BaseException:
            self._stratifier.forget()  # the strata have taken note of rules that were to go
            self._reclaiming.note(*change.insert.values())
            raise
        finally:
            give_back(start)

    def _applied(
        self,
        change: Change,
        refuse_violations: bool,
        start: float,
        then: Callable[[Outcome], T],
    ) -> T:
        self._support = self.in_use = None
        inserted = sum(map(size, change.insert.values()))
        if inserted > KNOWLEDGE.many_inserted:
            self._freeze()
        if inserted > KNOWLEDGE.very_many_inserted:
            trim()  # what reading them took, before anything is derived
        planned = self._planned(change)
        update = self._maintained(planned)
        give_back_meanwhile(start)
        if refuse_violations and (seen := update.added.batch().get(self.violation)) is not None:
            raise Refused({self.violation: seen}, update)
        found = self._published(planned, update, start, then)
        if self._stratifier.in_use is None and size(planned.inserted) > KNOWLEDGE.many_statements:
            with Uninterrupted():  # a small update after a large one is not to wait for strata
                self.prepared_strata()
        return found

    def take_over(self, change: Change, derived: Callable[[], Batch | None]) -> bool:
        """Commits the first change, whose consequences are known but for what nobody tells
        (`maintenance.untold`): `derived` gives the others, once rules have all their ids. If it
        gives None, nothing has changed; whether it has.

        Cost: that of keeping the facts, in compact tables where these pay.
        """
        start = time.perf_counter()
        self.rules.start()
        self._freeze()
        planned = self._planned(change)
        self.rules.name_all()
        told = derived()
        if told is None:
            return False
        version, rules = self.version, self.rules
        update = Update(version.held.tables, planned.explicit, version.make, self.make_closed)
        watch_unbound(update)
        update.added.extend(planned.inserted)
        update.added.add(told)
        add_untold(update, rules.compiled)
        while rules.wake({}, Gains.of(update), update.finished):
            add_untold(update, rules.compiled)
        self._published(planned, update, start, unheard)
        self.prepared_strata()
        self.apply(Change(), unheard)  # which closes modules
        return True

    def _planned(self, change: Change) -> Planned:
        """What a change does to explicit facts."""
        version, bounds = self.version, change.bounds
        if bounds is not None:
            bounds.begin(version, self.visibility, self.dictionary)
        restated = restate(version, change.delete, change.insert)
        if self.dictionary.waits:
            self._mention(change.insert, restated.inserted)
        stated = self._implied.stated_rules(version.explicit, restated, change)
        deleted, inserted = self._implied.changes(version.explicit, restated, change, stated)
        explicit = Changed(version.explicit.tables, deleted, inserted, version.make)
        return Planned(change, restated, stated, explicit, deleted, inserted, version.modules)

    def _published(
        self, planned: Planned, update: Update, start: float, then: Callable[[Outcome], T]
    ) -> T:
        """Commits a maintained change; the result of `then` for its outcome."""
        change, restated, version = planned.change, planned.restated, self.version
        went, came = update.removed.batch(), update.added.batch()
        before = planned.modules, version.aliases
        effect = Effect(planned.deleted, planned.inserted, went, came, update.shifts, *before)
        if version.equality is not None:
            self._ends.note(alias_shift(update, version.equality))
        seen = self._viewing.of(update, effect, version)
        if change.bounds is not None:
            change.bounds.finish(update, seen.growth)
        with Uninterrupted(), COMMITTING:
            if self.record is not None:
                self._keep(self.record, restated, change)
            self.is_torn = True
            self._commit(update, planned, effect, seen)
            self.is_torn = False
            if went or restated.withdrawn:
                self._reclaiming.note(went, *restated.withdrawn.values())
            return then(self._outcome(update, seen, effect, restated.ignored, start))

    def _keep(
        self, record: Callable[[Change], None], restated: Restatement, change: Change
    ) -> None:
        """Records a change that has an effect."""
        if restated.has_effect or change.rules_removed or change.rules_added:
            record(Change(*restated.by_graph, change.rules_removed, change.rules_added))

    def _outcome(
        self, update: Update, seen: InView, effect: Effect, ignored: int, start: float
    ) -> Outcome:
        note = self._noted(update, update.marking) if update.marking else None
        if update.shifts:
            update.counters.enumerated = sum(s.enumerated for s in update.shifts.values())
        seconds = time.perf_counter() - start
        return Outcome(
            seen.added,
            seen.removed,
            update.counters,
            self._used(update),
            ignored,
            seconds,
            seen.shifts,
            effect,
            note,
        )

    def _freeze(self) -> None:
        """Freezes the terms, if many are not; before anything is derived, which takes memory."""
        self.dictionary.let_go()
        if should_freeze(self.dictionary):
            freeze(self.dictionary)

    @property
    def commits(self) -> int:
        """How many changes were committed so far."""
        return self._commits

    def give_up(self) -> None:
        """Drops the notes of an update that was not finished."""
        self._stratifier.forget()
        self._support = self.in_use = None

    def _used(self, update: Update) -> str:
        """The strategy asked for. For "auto" it is the chosen one; of several strata's choices, the
        one that looks at most facts."""
        if self.strategy != "auto":
            return self.strategy
        if update.rematerialised:
            return "rematerialise"
        return "dred" if update.overdeleted else "bf"

    # -- maintenance

    def _maintained(self, planned: Planned) -> Update:
        """The change of the closure for a change of explicit facts.

        The strata are made from the rules before and after together. If these depend on their own
        negation, facts are deleted first and inserted then. Raises UnstratifiableError.
        """
        explicit, deleted, inserted = planned.explicit, planned.deleted, planned.inserted
        basis = Basis(self.version, self.version.held, deleted, inserted)
        try:
            try:
                return self._in_one(basis, explicit, planned.change)
            except Cycle:
                if not (deleted and inserted):
                    raise
            return self._in_two(planned)
        except Cycle as cycle:
            raise self._unstratifiable(cycle, planned) from None

    def _unstratifiable(self, cycle: Cycle, planned: Planned) -> UnstratifiableError:
        """The error for a cycle of rules, among them rules of the change."""
        change, names = planned.change, self._names(cycle.nodes)
        told = (rule for _, rule in planned.stated.added)
        rules = (*self.rules.program, *change.rules_added.values(), *told)
        kept = (rule for rule in rules if rule not in change.rules_removed.values())
        blamed = list(to_blame(kept, {*names}))
        told_rules = list(map(str, blamed))
        if any(map(reads_unique_names, blamed)):
            return UnstratifiableError(names, _DIFFERENT, told_rules)
        return UnstratifiableError(names, rules=told_rules)

    def _in_two(self, planned: Planned) -> Update:
        """Deletes first and inserts then; without modules, since the facts in between have no
        version."""
        version, make = self.version, self.version.make

        def half(before: FactSet, explicit: State, deleted: Batch, inserted: Batch) -> Update:
            self._stratifier.forget()
            basis = Basis(self.version, before, deleted, inserted, modular=False)
            return self._in_one(basis, explicit, Change(bounds=planned.change.bounds))

        less = State(version.explicit.tables, (FactSet.of(planned.deleted, make),))
        first = half(version.held, less, planned.deleted, {})
        between = self.version.held.fork()
        between.remove(first.removed.batch())
        between.add(first.added.batch())
        return first.then(half(between, planned.explicit, {}, planned.inserted))

    def _in_one(self, basis: Basis, explicit: State, change: Change) -> Update:
        """Maintains by strata that are made anew while the update shows that they were wrong. That
        ends: each attempt but the last adds a note (ALGORITHMS §3, *That ends*)."""
        stratifier = self._stratifier
        if basis.number > KNOWLEDGE.many_statements:
            inserted = FactSet.of(basis.inserted, basis.version.make)
            self.rules.wake(basis.before.tables, Gains(inserted.tables), lambda: explicit)
            del inserted  # and with it what it holds by objects
        shared = self._shared_at_once(basis)
        while True:
            plans = self._fitting(basis)
            strata, version = plans.strata, basis.version
            stated = ExplicitFacts(explicit, strata.modules) if strata.modules.all else explicit
            update = Update(
                basis.before.tables,
                stated,
                version.make,
                self.make_closed,
                closure_kinds=version.closure_kinds,
                origin=basis.before,
            )
            for relation in shared:
                update.added.expect(relation, UnionTable())
            if change.bounds is None:
                watch_unbound(update)
            else:
                change.bounds.watch(update)
            verdict = self._attempt(update, plans, basis, change)
            if verdict is not None:
                stratifier.learn(verdict, basis, update, strata)
            else:
                woken = self.rules.wake(update.before, Gains.of(update), update.finished)
                if stratifier.note_derived_schema(basis, update, strata) and not woken:
                    return update
            stratifier.forget()

    def _attempt(
        self, update: Update, plans: StrataPlans, basis: Basis, change: Change
    ) -> Verdict | None:
        """Maintains by the strata; tells what is wrong with these, if anything."""
        strata, stratifier = plans.strata, self._stratifier
        update.awaited_equality = stratifier.awaited_equality
        update.rewriting_pays = partial(stratifier.try_rewriting, basis)
        gone, new = basis.deleted, basis.inserted
        if self.looks_ahead:
            self._look_ahead(update, strata, change)
        if strata.modules.all:
            gone, new = strata.derived(gone), strata.derived(new)
            gone = update.explicit.missing(gone)
        many = basis.number > KNOWLEDGE.many_statements
        check = partial(stratifier.check, strata) if many else None
        maintained = partial(maintain, update, plans, STRATEGIES[self.strategy], gone, new, check)
        if change.bounds is None:
            return maintained() or self._found(update, strata)
        with reported_to(LookAtTime(change.bounds)):
            return maintained() or self._found(update, strata)

    def _found(self, update: Update, strata: Strata) -> Verdict | None:
        """What the facts after an update tell of the strata that it was made by."""
        stratifier, equality = self._stratifier, strata.equality
        if equality is not None:
            every, stratifier.unchecked = stratifier.unchecked, False
            agree = agree_after(update, equality, self.dictionary, every=every)
            if not (agree and still_tells_all(update, strata, equality, every=every)):
                return Unfit(equality.module)
        literals = self._ends.check(update, strata, self.version.closure_kinds)
        return literals or stratifier.check(strata, update)

    def _fitting(self, basis: Basis) -> StrataPlans:
        """The strata at work for an update, with the facts before it in the tables that they ask
        for. Strata made from facts over representatives may be made again over all facts:
        representatives do not tell the instances of clauses with variable heads. They are made
        again once at most, for their equality is refused then."""
        stratifier = self._stratifier
        while True:
            plans, equality = stratifier.over(basis), basis.version.equality
            strata = plans.strata
            if stratifier.refuse_unfit_equality(basis.version, strata):
                continue
            rewritten = equality is not None and not basis.version.aliases.trivial
            self._reshape(basis, plans)
            if not (equality and rewritten and strata.equality is None and strata.free):
                return plans
            stratifier.refuse([equality.module])
            stratifier.forget()

    def _reshape(self, basis: Basis, plans: StrataPlans) -> None:
        """Keeps the facts before an update in the tables that the strata ask for."""
        strata = plans.strata
        old, new = self.version.equality, strata.equality
        same = strata.modules.all == self.version.modules.all
        if same and (old and old.held) == (new and new.held):
            return
        assert basis.before is self.version.held, "a version"
        self.version = basis.version = version = self.version.writable()
        rewrite_held(version, strata, self.visibility.never_shows)
        reshape(version, plans)
        plans.memory.forget()
        version.show(self.visibility.never_shows)
        basis.before = version.held

    def _look_ahead(self, update: Update, strata: Strata, change: Change) -> None:
        """Hands over the hints of the change before this one, if they are still right, and marks
        the deletions of the next one. Without marks over representatives: a deletion is not about
        these."""
        if strata.equality is not None:
            return
        note = change.note
        if note and note.strata is strata and note.commits == self._commits:
            update.hints = note.hints
        marked = update.explicit.present(strata.derived(change.ahead))
        update.marking = Marking(marked) if marked else None

    def _noted(self, update: Update, marking: Marking) -> Note | None:
        """The hints that a committed update has for the next one."""
        if (plans := self._stratifier.in_use) is None:
            return None
        after = State(self.version.closure.tables)
        hints = marking.hints(plans.strata, after, update.added, update.counters)
        return Note(hints, plans.strata, self._commits)

    def _names(self, nodes: Sequence[int]) -> list[str]:
        """The relations of a cycle, auxiliary ones left out."""
        decode = self.dictionary.decode
        seen = [node % CLASS for node in nodes]
        return [
            term_text(decode(id).decode()) if id else "every relation (a variable stands for them)"
            for id in seen
            if not id or self.dictionary.kind(id) == IRI
        ]

    def prepared_strata(self) -> StrataPlans:
        """The strata in use, made to fit the facts as they are, with the tables they ask for."""
        return self._fitting(Basis(self.version, self.version.held, {}, {}))

    def reader(self) -> Reader:
        """The facts as they are, pinned; the same object, `in_use`, until they are to change. To be
        called under the lock: what others have made of a version before would be in use."""
        if self.in_use is None:
            self.in_use = Reader(self.version, self.visibility)
        return self.in_use

    def support(self) -> Support:
        """The rule instances in the facts as they are, found once until the facts change."""
        if self._support is None:
            version, compiled = self.version, self.rules.compiled
            closure, explicit = version.closure.tables, version.explicit.tables
            kept = version.modules if version.equality is None else None
            equality, demands = version.equality, self.demands
            self._support = Support(compiled, closure, explicit, kept, equality, demands)
        return self._support

    def grounds(
        self, fact: tuple[int, int, int], explicit: Mapping[int, Table] | None = None
    ) -> list[tuple[int, int, int]]:
        """The statements that are shown for a stated auxiliary fact, among those of now or others
        that were."""
        return self._implied.grounds(fact, explicit or self.version.explicit.tables)

    @property
    def demands(self) -> frozenset[int]:
        """The relations of demands that there are."""
        return frozenset(filter(None, map(self.dictionary.find_auxiliary, DEMANDS)))

    @property
    def instances_looked_at(self) -> int:
        """How many rule instances were found for proofs in the facts as they are."""
        return self._support.looked_at if self._support is not None else 0

    # -- terms

    def _mention(self, insert: Statements, inserted: Batch) -> None:
        """Notes the ids of incoming facts as mentioned: they may be from a reader, or have
        waited."""
        self.dictionary.mention(np.array([*insert, *inserted], np.uint32))
        for keys in inserted.values():
            for ids in (kernels.high, kernels.low):
                self.dictionary.mention(ids(np.asarray(keys, np.uint64)))

    def reclaim(self, forget: Callable[[Ids], None]) -> None:
        """Frees ids of unmentioned terms, if it is time to; `forget` is called with them."""
        if not self._reclaiming.is_due(len(self.dictionary)):
            return
        self.in_use = None
        self._implied.look_at_new()
        with Uninterrupted(), COMMITTING:
            freed = self._reclaiming.sweep(self.dictionary, self.version, self._holders)
            if freed.size:
                self.forget(freed)
                forget(freed)
        if self.dictionary.is_frozen:  # with fewer texts than before
            self._freeze()

    def forget(self, ids: Ids) -> None:
        """Forgets ids that nothing mentioned, and that have lost their terms."""
        for holder in self._holders:
            holder.forget(ids)
        self.version.held.forget_relations()
        self._support = self.in_use = None
        self._stratifier.forget()

    @property
    def _holders(self) -> tuple[Holder, ...]:
        return self.rules, self._implied

    # -- commit

    def _commit(self, update: Update, planned: Planned, effect: Effect, seen: InView) -> None:
        relation, stratifier = self.rules.compiled.equality_relation, self._stratifier
        deleted, inserted = effect.deleted, effect.inserted
        first = relation in effect.came and not len(self.version.held.get(relation))
        version = self.version.writable()
        if effect.went:
            version.held.remove(effect.went)
        version.held.adopt(update.added, effect.came)
        version.closure_kinds = update.closure_kinds
        if update.shifts:
            adopt_shifts(update, version.modules, version.held)
        self._share_rows(version, effect)
        stratifier.after_commit(self.version, effect, first=first)
        if deleted:
            version.explicit.remove(deleted)
        version.explicit.extend(inserted)
        version.show(self.visibility.never_shows)
        version.share(inserted)
        planned.restated.commit(version)
        version.shown += seen.grown
        version.apart = seen.apart
        self._implied.committed()
        change, stated = planned.change, planned.stated
        if change.rules_removed or change.rules_added or stated:
            self.rules.change(change.rules_removed, change.rules_added, stated)
        self.version = version
        self._commits += 1
        if stratifier.in_use is not None and update.changed:
            stratifier.in_use.memory.change(update.changed)

    def _share_rows(self, version: Version, effect: Effect) -> None:
        """Chooses the relations with shared rows, when the schema or their size has changed."""
        if self.storage == "plain":
            return
        tried, held, schema = version.tried, version.held, self.rules.compiled.schema
        if schema.only(effect.came) or (effect.went and schema.only(effect.went)):
            found = self.rules.compiled.extended(State(held.tables))
            version.tried = tried = {relation: tried.get(relation, 0) for relation in found}
        for relation, before in tried.items():
            if len(held.get(relation)) > 2 * before:
                share_rows(held, relation, always=self.storage == "compact")
                tried[relation] = len(held.get(relation))

    def _shared_at_once(self, basis: Basis) -> list[int]:
        """The relations of which an update states so many facts that what follows is to be in
        shared rows from the beginning."""
        if self.storage == "plain" or basis.number < KNOWLEDGE.shared_at_once:
            return []
        held, compiled, always = basis.before, self.rules.compiled, self.storage == "compact"
        return [
            relation
            for relation in compiled.extended(basis.facts(compiled.schema))
            if shares_at_once(held, relation, basis.inserted.get(relation, []), always=always)
        ]

    def copy(self) -> Engine:
        """An independent engine with equal facts and rules. O(terms + predicates)."""
        twin = Engine.__new__(Engine)
        twin.__dict__.update(self.__dict__)
        twin.dictionary = self.dictionary.copy()
        twin.rules = self.rules.copy(twin.dictionary)
        twin.visibility = self.visibility.copy(twin.dictionary)
        twin._implied = self._implied.copy(twin.dictionary, twin.rules)
        twin._stratifier = self._stratifier.copy(twin.rules, twin.dictionary)
        twin._ends = self._ends.copy(twin.dictionary, twin.visibility)
        twin._viewing = Viewing(twin.visibility, twin._ends)
        twin._support, twin._reclaiming = None, copy(self._reclaiming)
        twin.in_use = self.in_use = None
        vars(twin).pop("record", None)
        twin.version, self.version = self.version.fork(), self.version.fork()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        state = {**vars(self), "_support": None, "in_use": None}
        state.pop("record", None)
        return state

    def _check(self) -> None:
        """Asserts the invariants of the facts and terms."""
        version = self.version
        self.dictionary._check()
        kinds = self.dictionary.kinds
        for facts in (version.closure, version.explicit):
            for predicate, table in facts.tables.items():
                assert kinds[predicate], "a term for each id"
                assert kinds[table.all_subjects()].all() and kinds[table.all_objects()].all()
        version._check()
        self.rules._check(version.held.tables)
        shown = 0
        for predicate, table in version.closure.tables.items():
            seen = self.visibility.shown(predicate, table.scan(), version.explicit.get)
            shown += len(seen)
        assert shown == version.visible()
