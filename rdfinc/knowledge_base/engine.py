"""One change of a knowledge base, from asked to committed; by ids."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from rdfinc.datalog.clause import VIOLATION
from rdfinc.datalog.dependency import CLASS, Cycle
from rdfinc.datalog.model import Rule
from rdfinc.datalog.modules import Member, Module, Modules
from rdfinc.datalog.printing import term_text
from rdfinc.errors import UnstratifiableError
from rdfinc.knowledge_base.changes import changes_in_view, staying
from rdfinc.knowledge_base.choice import LEAST, is_worth
from rdfinc.knowledge_base.interrupts import Uninterrupted
from rdfinc.knowledge_base.literals import Literals, standing_facts
from rdfinc.knowledge_base.reshaping import represent, reshape
from rdfinc.knowledge_base.row_sharing import share_rows
from rdfinc.knowledge_base.rulebook import RuleBook
from rdfinc.knowledge_base.version import Restatement, Version, restate
from rdfinc.knowledge_base.visibility import Visibility
from rdfinc.owl.lists import ListChanges, list_changes
from rdfinc.owl.rules import axiomatic_rules
from rdfinc.owl.swrl_changes import SwrlChanges, SwrlVocabulary, swrl_changes
from rdfinc.owl.vocabulary import Vocabulary
from rdfinc.reasoning.closing import Stated, Unfit, settle
from rdfinc.reasoning.equating import aliases_after, equated_by, tells_all
from rdfinc.reasoning.equating import check as check_names
from rdfinc.reasoning.maintain import STRATEGIES, maintain
from rdfinc.reasoning.marking import Hints, Marking
from rdfinc.reasoning.program import Compiled, Wanted
from rdfinc.reasoning.states import Changed, State
from rdfinc.reasoning.strata import Strata, of_classes
from rdfinc.reasoning.support import Support
from rdfinc.reasoning.update import CoarserStrata, Counters, Shift, Update
from rdfinc.tables import kernels
from rdfinc.tables.closed import MakeClosed
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.facts import Batch, FactSet, MakeTable, batch_of, joined, size, triples
from rdfinc.tables.views import EMPTY
from rdfinc.terms.dictionary import AUXILIARY, IRI, LITERAL, Dictionary

Statements = dict[int, Batch]


@dataclass(frozen=True)
class Note:
    """Hints for the next change; void once another was made, or the strata were drawn anew."""

    hints: Hints
    strata: Strata
    commits: int


@dataclass(frozen=True)
class Change:
    """What is asked: statements by graph, rules by canonical form. `ahead` are facts that the next
    change is to withdraw, `note` is what the one before this has noted for it."""

    delete: Statements = field(default_factory=dict)
    insert: Statements = field(default_factory=dict)
    rules_removed: dict[Rule, Rule] = field(default_factory=dict)
    rules_added: dict[Rule, Rule] = field(default_factory=dict)
    ahead: Batch = field(default_factory=dict)
    note: Note | None = None


@dataclass(frozen=True)
class Effect:
    """What a change did to all facts that are held, hidden ones included: which stopped and started
    being explicit, which went and came, and the relations in other tables; and the modules there
    were before, and what was equal."""

    deleted: Batch
    inserted: Batch
    went: Batch
    came: Batch
    shifts: dict[int, Shift]
    modules: Modules
    aliases: Aliases


@dataclass(frozen=True)
class Outcome:
    """What a change does: the net change in view, and how it was found."""

    added: Batch
    removed: Batch
    counters: Counters
    strategy: str
    ignored: int
    seconds: float
    shifts: dict[int, Shift]
    """Relations in view of which the change is enumerated only when asked for."""
    effect: Effect
    note: Note | None
    """For the next change, if it was known what that is to withdraw."""

    @property
    def takes(self) -> bool:
        """Whether facts may have gone."""
        return bool(self.removed or self.effect.went or self.effect.deleted)


SUBJECT, OBJECT = 1, 2
"""The ends of a pair."""


def _swapped(ends: int) -> int:
    return ends >> 1 | (ends & 1) << 1


def _none(module: Module, sources: tuple[Member, ...]) -> bool:
    return False


class Refused(Exception):  # noqa: N818  a signal between two layers, never seen by users
    """The change contradicts the rules; nothing was changed. `violations` are the new ones."""

    def __init__(self, violations: Batch, update: Update) -> None:
        super().__init__()
        self.violations, self.update = violations, update


class Engine:
    """The facts and rules of a knowledge base; `version` is the latest one published."""

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
    ) -> None:
        self.dictionary, self.strategy, self.storage = dictionary, strategy, storage
        self.make_closed = make_closed
        self.rules = RuleBook(dictionary, profile, axiomatic_rules(profile) if axiomatic else ())
        self.visibility = Visibility(dictionary, axiomatic=axiomatic)
        self.version = Version(make)
        self.violation = dictionary.auxiliary(VIOLATION)
        self._vocabulary = Vocabulary.of(dictionary) if profile == "owl2rl" else None
        self._swrl = SwrlVocabulary.of(dictionary) if profile == "owl2rl" else None
        self._datatypes = Literals(dictionary) if profile == "owl2rl" else None
        asked = profile == "owl2rl" or axiomatic
        self._standing = standing_facts(dictionary, axiomatic=axiomatic) if asked else {}
        self._strata: tuple[Compiled, Strata] | None = None
        self._support: Support | None = None
        self._single = False
        self._commits = 0
        self._refused: set[int] = set()
        """Relations that turned out not to be closures of finished external facts, as long as the
        rules and the schema are the same."""
        self._literals: dict[int, int] = {}
        """By external relation, at which ends the first member of a module may have literals."""
        self._equates_literals = False
        """Whether a literal is, or was before the last update, equal to something."""

        if axiomatic:
            self.apply(Change())

    def apply(self, change: Change, *, refuse_violations: bool = False) -> Outcome:
        """Brings the facts up to date with a change and commits it, all or nothing.

        Raises Refused.
        """
        try:
            return self._applied(change, refuse_violations)
        except BaseException:
            self._strata = None  # they have taken note of rules that were to go
            raise

    def _applied(self, change: Change, refuse_violations: bool) -> Outcome:
        start = time.perf_counter()
        self._support, version = None, self.version
        modules = version.modules
        restated = restate(version, change.delete, change.insert)
        stated = self._stated_rules(restated, change)
        deleted, inserted = self._hidden(restated, change, stated)
        new = FactSet.of(inserted, version.make)
        explicit = Changed(version.explicit.tables, deleted, new)
        update = self._maintained(explicit, deleted, inserted, change)
        violations = update.added.get(self.violation)
        if refuse_violations and len(violations):
            raise Refused({self.violation: violations.scan()}, update)
        went, came = update.removed.batch(), update.added.batch()
        version = self.version
        effect = Effect(deleted, inserted, went, came, update.shifts, modules, version.aliases)
        if version.equality is not None:
            both = version.aliases, aliases_after(update, version.equality)
            self._equates_literals = any(map(self._has_literals, both))
        changes = changes_in_view(update, version, self.visibility.hides)
        added, removed = self._in_view(update, effect, changes, new)
        shifts = {p: s for p, s in changes.items() if self._shows_all(p, s)}
        apart, grown = self._counted(update, shifts)
        with Uninterrupted():
            self._commit(update, restated, deleted, inserted, change, stated)
            self.version.shown += size(added) - size(removed) + grown
            self.version.apart = apart
        note = self._noted(update)
        update.counters.enumerated = sum(s.enumerated for s in update.shifts.values())
        seconds = time.perf_counter() - start
        strategy, ignored = self._used(update), restated.ignored
        return Outcome(
            added, removed, update.counters, strategy, ignored, seconds, shifts, effect, note
        )

    def _used(self, update: Update) -> str:
        """The strategy asked for; instead of "auto" what that has chosen."""
        if self.strategy != "auto":
            return self.strategy
        return "rematerialise" if update.rematerialised else "bf"

    # -- what changes besides the statements

    def _hidden(
        self, restated: Restatement, change: Change, stated: SwrlChanges
    ) -> tuple[Batch, Batch]:
        """The facts that stop and start being explicit, hidden ones of lists and rules included."""
        version, rules = self.version, self.rules
        lists, (lost, won) = self._lists(restated), self._about_literals(restated)
        about_rules = change.rules_removed or change.rules_added or stated
        if lists is None and not (lost or won or about_rules):
            return restated.deleted, restated.inserted
        deleted = FactSet.of(joined(restated.deleted, lost), version.make)
        inserted = FactSet.of(joined(restated.inserted, won), version.make)
        if lists is not None:
            rules.require(lists.forms_added)
            deleted.add(batch_of(lists.removed))
            inserted.add(batch_of(lists.added))
        gone, new = rules.rows(change.rules_removed, change.rules_added, stated)
        deleted.add(gone)
        inserted.add(new)
        return deleted.batch(), inserted.batch()

    def _lists(self, restated: Restatement) -> ListChanges | None:
        vocabulary = self._vocabulary
        if vocabulary is None:
            return None
        read = {vocabulary.first, vocabulary.rest, *vocabulary.list_bearing}
        deleted = {p: keys for p, keys in restated.deleted.items() if p in read}
        inserted = {p: keys for p, keys in restated.inserted.items() if p in read}
        if not deleted and not inserted:
            return None
        before, after = self._before_and_after(deleted, inserted)
        changed = chain(triples(deleted), triples(inserted))
        return list_changes(before, after, changed, vocabulary)

    def _about_literals(self, restated: Restatement) -> tuple[Batch, Batch]:
        """The hidden facts about literals, with those that always hold at the first update."""
        explicit = self.version.explicit
        first = {} if explicit.tables else self._standing
        if self._datatypes is None:
            return {}, first
        lost, won = self._datatypes.changes(explicit, restated.deleted, restated.inserted)
        return lost, joined(won, first)

    def _stated_rules(self, restated: Restatement, change: Change) -> SwrlChanges:
        """The SWRL rules that the change withdraws and states. Raises UnstratifiableError."""
        vocabulary = self._swrl
        if vocabulary is None:
            return SwrlChanges()
        deleted, inserted = (
            _of_swrl(batch, vocabulary) for batch in (restated.deleted, restated.inserted)
        )
        if not deleted and not inserted:
            return SwrlChanges()
        before, after = self._before_and_after(restated.deleted, restated.inserted)
        changed = chain(triples(deleted), triples(inserted))
        stated = swrl_changes(before, after, changed, self.dictionary, vocabulary)
        self.rules.check_stated(stated, change.rules_added)
        return stated

    def _before_and_after(self, deleted: Batch, inserted: Batch) -> tuple[_Explicit, _Explicit]:
        """The explicit triples without and with a change."""
        tables = self.version.explicit.tables
        after = State(tables, (FactSet.of(deleted),), FactSet.of(inserted))
        return _Explicit(State(tables)), _Explicit(after)

    # -- maintenance

    def _maintained(
        self, explicit: State, deleted: Batch, inserted: Batch, change: Change
    ) -> Update:
        """What a change of explicit facts changes in the closure.

        The strata are drawn from the rules before and after. If those together depend on what they
        negate, facts are deleted first and inserted then. Raises UnstratifiableError.
        """
        before = self.version.held
        try:
            try:
                wanted = self._wanted(inserted)
                return self._in_one(before, explicit, deleted, inserted, wanted, change)
            except Cycle:
                if not (deleted and inserted):
                    raise
            return self._in_two(explicit, deleted, inserted)
        except Cycle as cycle:
            raise UnstratifiableError(self._names(cycle.nodes)) from None

    def _in_two(self, explicit: State, deleted: Batch, inserted: Batch) -> Update:
        """Without modules, since what is between has no version."""
        make = self.version.make
        less = State(self.version.explicit.tables, (FactSet.of(deleted, make),))
        self._strata = None
        first = self._in_one(self.version.held, less, deleted, {}, _none, Change())
        between = self.version.held.fork()
        between.shed(first.removed)
        between.add(first.added.batch())
        second = self._in_one(between, explicit, {}, inserted, _none, Change())
        return first.then(second)

    def _in_one(
        self, before: FactSet, explicit: State, deleted: Batch, inserted: Batch, wanted: Wanted,
        change: Change,
    ) -> Update:  # fmt: skip
        """Maintains, with strata drawn again while the update shows that they were wrong."""
        compiled = self.rules.compiled
        derived = FactSet(self.version.make)
        while True:
            strata = self._strata_for(before, deleted, inserted, derived, wanted)
            if not self._can_represent(strata):
                continue
            before = self._reshaped(before, strata)
            update = self._update(before, Stated(explicit, strata.modules))
            strata.work_on(update.before, update.added)
            gone, new = strata.derived(deleted), strata.derived(inserted)
            self._look_ahead(update, strata, change, new)
            if strata.modules:
                gone = update.explicit.missing(gone)
            strata.bare = self._bare(strata, update, gone, new)
            try:
                maintain(update, strata, STRATEGIES[self.strategy], gone, new)
                self._check_guards(update, strata)
                self._check_strata(update, strata)
            except Unfit as unfit:
                self._refuse([unfit.module])
            except CoarserStrata as misplaced:
                found = joined(misplaced.facts, update.added.batch())
                if not compiled.negates:
                    found = compiled.schema.only(found)
                if not derived.add(found) or not (strata.modules or compiled.negates):
                    self._coarsen(strata, misplaced.facts)
            else:
                found = compiled.schema.only(update.added.batch()) if compiled.negates else {}
                drawn = before, inserted, derived
                if not found or self._still_right(strata, *drawn, found, wanted):
                    return update
                derived.add(found)
            self._strata = None

    def _can_represent(self, strata: Strata) -> bool:
        """Whether the facts there are can be held as the strata ask for; otherwise takes note."""
        version, equality = self.version, strata.equality
        old = version.equality
        if equality is None or (old and old.held == equality.held):
            return True
        closure = version.closure
        aliases = equated_by(closure.get(equality.relation))
        if tells_all(strata, aliases, closure.tables, State(closure.tables)):
            return True
        self._refuse([equality.module])
        self._strata = None
        return False

    def _update(self, before: FactSet, explicit: State) -> Update:
        version = self.version
        kinds = dict(version.kinds)
        return Update(before.tables, explicit, version.make, self.make_closed, kinds=kinds)

    def _look_ahead(self, update: Update, strata: Strata, change: Change, inserted: Batch) -> None:
        """Hands over what the change before this one has noted, if that is still right, and marks
        what the next one is to withdraw; "auto" only what comes with this one, where that saves a
        search for no more than a look at what is found anyway. Not where facts are about
        representatives, which a withdrawal is not."""
        if strata.equality is not None:
            return
        note = change.note
        if note and note.strata is strata and note.commits == self._commits:
            update.hints = note.hints
        marked = update.explicit.present(strata.derived(change.ahead))
        if self.strategy == "auto" and marked:
            marked = update.facts(inserted).meet(marked)
        update.marking = Marking(marked) if marked else None

    def _noted(self, update: Update) -> Note | None:
        """What an update, just committed, has noted for the next one."""
        if update.marking is None or self._strata is None:
            return None
        strata = self._strata[1]
        after = State(self.version.closure.tables)
        hints = update.marking.hints(strata, after, update.added, update.counters)
        return Note(hints, strata, self._commits)

    def _wanted(self, inserted: Batch) -> Wanted:
        """Which modules are kept as closures while an update inserts some facts."""
        explicit = self.version.explicit.tables

        def wanted(module: Module, sources: tuple[Member, ...]) -> bool:
            if not self._refused.isdisjoint(relation for relation, _ in module.members):
                return False
            if not sources and not module.parts:
                return self._is_equated(module.members[0][0], inserted)
            if self.storage == "compact" or module.parts:
                return True
            return is_worth(sources, explicit, inserted)

        return _none if self.storage == "plain" else wanted

    def _is_equated(self, relation: int, inserted: Batch) -> bool:
        """Whether something is equal to something."""
        return relation in inserted or len(self.version.held.get(relation)) > 0

    def _coarsen(self, strata: Strata, misplaced: Batch) -> None:
        """Takes note of what made strata too fine: modules whose external facts depend on them,
        else that there was more than one stratum."""
        modules = strata.modules.all
        if modules:
            self._refuse([m for m in modules if m.external in misplaced] or modules)
        else:
            assert not self.rules.compiled.negates, "strata drawn from more facts"
            self._single = True

    def _refuse(self, modules: Iterable[Module]) -> None:
        for module in modules:
            self._refused.update(relation for relation, _ in module.members)

    def _reshaped(self, before: FactSet, strata: Strata) -> FactSet:
        """The facts before an update, in the tables that the strata ask for."""
        old, new = self.version.equality, strata.equality
        if (old and old.held) == (new and new.held) and strata.modules == self.version.modules:
            return before
        assert before is self.version.held, "a version"
        self.version = version = self.version.writable()
        represent(version, strata, self.visibility.hides)
        strata.work_on(version.held.tables, FactSet(version.make))
        reshape(version, strata)
        strata.forget()
        version.show(self.visibility.hides)
        return version.held

    def _check_strata(self, update: Update, strata: Strata) -> None:
        """Raises CoarserStrata where the schema that the update has derived needs others. (Where
        something is negated, they are compared with those that it draws.)"""
        compiled = self.rules.compiled
        found = {} if compiled.negates else compiled.schema.only(update.added.batch())
        if found and strata.outgrown(update.finished()):
            raise CoarserStrata(found)

    def _check_guards(self, update: Update, strata: Strata) -> None:
        """Notes at which ends modules have literals. Raises Unfit where rules compare ends that
        may be: literals may be equal as values and differ as terms."""
        check_names(update, strata)
        for module in strata.modules.all:
            kind = update.kinds.get(module.external)
            if kind is None or strata.is_equality(module):
                continue
            ends = self._literal_ends(update, strata.modules, module)
            if ends and (kind.symmetric or kind != self.version.kinds.get(module.external)):
                ends = SUBJECT | OBJECT
            self._literals[module.external] = ends
            compared = kind.transitive and not kind.diagonal
            if compared and any(self._literals_of(module, r) & SUBJECT for r, _ in module.members):
                raise Unfit(module)

    def _literal_ends(self, update: Update, modules: Modules, module: Module) -> int:
        """At which ends the facts of which a module is made have literals, or had some."""
        external, ends = module.external, self._literals.get(module.external, 0)
        changes = [update.added.get(external)]
        if external not in self.version.kinds:
            changes.append(update.before.get(external, EMPTY))
        for keys in (table.scan() for table in changes if len(table)):
            kinds = self.dictionary.kinds
            ends |= SUBJECT * bool((kinds[kernels.high(keys)] == LITERAL).any())
            ends |= OBJECT * bool((kinds[kernels.low(keys)] == LITERAL).any())
        for part, straight in module.parts:
            at = self._literals_of(modules.of[part], part)
            ends |= at if straight else _swapped(at)
        return ends

    def _literals_of(self, module: Module, relation: int) -> int:
        """At which ends a member of a module may have literals."""
        ends = self._literals.get(module.external, 0)
        return ends if (relation, True) in module.members else _swapped(ends)

    def _shows_all(self, predicate: int, shift: Shift) -> bool:
        """Whether users see all facts of a relation that is kept in another table, or about
        representatives."""
        if predicate in self.version.modules.of:
            return self._shows_member(predicate)
        if self.visibility.hides(predicate) or self.visibility.chooses(predicate):
            return False
        kinds, both = self.dictionary.kinds, (shift.old, shift.new)
        return not any((kinds[table.all_subjects()] == LITERAL).any() for table in both)

    def _shows_member(self, predicate: int) -> bool:
        """Whether users see all facts of a member of a module."""
        module = self.version.modules.of[predicate]
        if self._literals_of(module, predicate) & SUBJECT or self._equates_literals:
            return False
        return not (self.visibility.hides(predicate) or self.visibility.chooses(predicate))

    def _has_literals(self, aliases: Aliases) -> bool:
        """Whether a literal is equal to something."""
        return bool((self.dictionary.kinds[aliases.equated()] == LITERAL).any())

    def _bare(
        self, strata: Strata, update: Update, deleted: Batch, inserted: Batch
    ) -> AbstractSet[int]:
        """The relations that no rule derives any more once rules are removed."""
        kind = self.dictionary.kind
        if not any(kind(predicate) == AUXILIARY for predicate in deleted):
            return set()
        gone, new = update.facts(deleted), update.facts(inserted)
        return self.rules.compiled.bare(strata, State(update.before, (gone,), new))

    def _grows(self, inserted: Batch) -> bool:
        """Whether so much is inserted that other tables may be worth it."""
        return self.storage == "auto" and size(inserted) >= max(LEAST, self.version.shown // 4)

    def _still_right(
        self,
        strata: Strata,
        before: FactSet,
        inserted: Batch,
        derived: FactSet,
        found: Batch,
        wanted: Wanted,
    ) -> bool:
        """Whether strata drawn from what the update derives as well would be the same."""
        if not self._drawn_from(before, inserted, derived).missing(found):
            return True
        more = derived.fork()
        more.add(found)
        known, kept = self._drawn_from(before, inserted, more), self.version.modules
        again = self.rules.compiled.strata(known, wanted, kept)
        return again.levels == strata.levels and again.modules == strata.modules

    def _strata_for(
        self, before: FactSet, deleted: Batch, inserted: Batch, derived: FactSet, wanted: Wanted
    ) -> Strata:
        """The strata in use, drawn anew if the schema or the rules have changed."""
        compiled = self.rules.compiled
        drawn, strata = self._strata or (None, None)
        stale = drawn is not compiled
        if strata is not None and (stale or any(map(strata.watches, (deleted, inserted)))):
            self._refused.clear()
            strata = None
        if strata is None or self._grows(inserted):
            facts = self._drawn_from(before, inserted, derived)
            if self._single and not compiled.negates:
                strata = compiled.equated(facts, wanted) or compiled.single()
            else:
                strata = compiled.strata(facts, wanted, self.version.modules)
            self._strata = compiled, strata
        return strata

    def _drawn_from(self, before: FactSet, inserted: Batch, derived: FactSet) -> State:
        """The facts before an update, the schema facts it states, and some that it derives."""
        schema = self.rules.compiled.schema
        known = State(before.tables)
        plus = FactSet.of(known.missing(schema.only(inserted)), before.make)
        plus.add(known.missing(derived.batch()))
        return State(before.tables, (), plus)

    def _names(self, nodes: Sequence[int]) -> list[str]:
        """The relations of a cycle, hidden ones left out."""
        decode = self.dictionary.decode
        seen = [node % CLASS for node in nodes]
        return [
            term_text(decode(id).decode()) if id else "every relation (a variable stands for them)"
            for id in seen
            if not id or self.dictionary.kind(id) == IRI
        ]

    def strata(self) -> Strata:
        """The strata over the facts as they are."""
        held, nothing = self.version.held, FactSet(self.version.make)
        strata = self._strata_for(held, {}, {}, nothing, self._wanted({}))
        while not self._can_represent(strata):
            strata = self._strata_for(held, {}, {}, nothing, self._wanted({}))
        held = self._reshaped(held, strata)
        strata.work_on(held.tables, nothing)
        return strata

    def support(self) -> Support:
        """The rule instances in the facts as they are; found out about once until they change."""
        if self._support is None:
            version, compiled = self.version, self.rules.compiled.apart()
            closure, explicit = version.closure.tables, version.explicit.tables
            kept = version.modules if version.equality is None else None
            self._support = Support(compiled, closure, explicit, kept)
        return self._support

    # -- commit

    def _in_view(
        self, update: Update, effect: Effect, changes: Mapping[int, Shift], new: FactSet
    ) -> tuple[Batch, Batch]:
        """The net change in view: facts that came and went, or changed between shown and hidden
        because they started or stopped being explicit. Of `changes`, those that users do not see
        all of are enumerated, and the others left out."""
        version, see = self.version, self.visibility
        came, went = dict(effect.came), dict(effect.went)
        for predicate, shift in changes.items():
            came.pop(predicate, None)
            went.pop(predicate, None)
            if not see.hides(predicate) and not self._shows_all(predicate, shift):
                came[predicate], went[predicate] = shift.gained, shift.lost
        stayed = staying(update, version)
        started = stayed.present(see.only_as_explicit(effect.inserted))
        stopped = stayed.present(see.only_as_explicit(effect.deleted))
        added = joined(see.batch(came, new), started)
        return added, joined(see.batch(went, version.explicit), stopped)

    def _counted(self, update: Update, shifts: Mapping[int, Shift]) -> tuple[frozenset[int], int]:
        """The relations that are counted apart after an update: unions in full view. And what the
        others grow by, of which the change in view is not enumerated."""
        version = self.version
        kinds = ((module, update.kinds.get(module.external)) for module in version.modules.all)
        unions = (module for module, kind in kinds if kind and not kind.transitive)
        members = (relation for module in unions for relation, _ in module.members)
        apart = frozenset(relation for relation in members if self._shows_member(relation))
        before = version.closure.tables
        grown = sum(len(before[relation]) for relation in version.apart - apart)
        for relation, shift in shifts.items():
            if relation not in apart:
                grown += len(shift.new) - len(shift.old)
            elif relation not in version.apart:
                old, explicit = shift.old.scan(), version.explicit.get(relation)
                grown -= len(self.visibility.shown(relation, old, explicit))
        return apart, grown

    def _commit(
        self,
        update: Update,
        restated: Restatement,
        deleted: Batch,
        inserted: Batch,
        change: Change,
        stated: SwrlChanges,
    ) -> None:
        relation = self.rules.compiled.equating
        first = len(update.added.get(relation)) > 0 and not len(self.version.held.get(relation))
        version = self.version.writable()
        version.held.shed(update.removed)
        version.held.adopt(update.added)
        for predicate, shift in update.shifts.items():
            version.held.replace(predicate, shift.new)
        version.kinds = update.kinds
        settle(update, version.modules, version.held)
        self._share_rows(version, anew=self._changes_schema(update))
        if self._strata and (first or self._may_fit_again(self._strata[1], deleted, inserted)):
            self._strata = None
            self._refused.clear()
        version.explicit.discard(deleted)
        version.explicit.add(inserted)
        version.show(self.visibility.hides)
        version.share(p for p, keys in inserted.items() if not isinstance(keys, list))
        restated.commit(version)
        if self._datatypes is not None:
            self._datatypes.settle()
        if change.rules_removed or change.rules_added or stated:
            self.rules.change(change.rules_removed, change.rules_added, stated)
        self.version = version
        self._commits += 1
        if self._strata is not None:
            self._strata[1].work_on(version.held.tables, FactSet(version.make))
            self._strata[1].settle()

    def _may_fit_again(self, strata: Strata, deleted: Batch, inserted: Batch) -> bool:
        """Whether there may be modules, or representatives, that were none while a change was under
        way."""
        if self.storage == "plain":
            return False
        if strata.equality is None and self._unequates(deleted):
            return True
        return strata.watches(deleted) or bool(self._refused and strata.watches(inserted))

    def _unequates(self, deleted: Batch) -> bool:
        """Whether facts that went may have been why others cannot be about representatives."""
        compiled = self.rules.compiled
        relation = compiled.equating
        told = self._is_equated(relation, deleted) and compiled.schema.only(deleted)
        return relation in deleted or bool(told)

    def _changes_schema(self, update: Update) -> bool:
        schema, changed = self.rules.compiled.schema, (update.added, update.removed)
        return any(schema.only(facts.batch(schema.predicates)) for facts in changed)

    def _share_rows(self, version: Version, *, anew: bool) -> None:
        """Chooses which relations are kept by equal rows, when the schema or their size changes."""
        if self.storage == "plain":
            return
        tried, held = version.tried, version.held
        if anew:
            found = self.rules.compiled.extended(State(held.tables))
            version.tried = tried = {relation: tried.get(relation, 0) for relation in found}
        for relation, before in tried.items():
            if len(held.get(relation)) > 2 * before:
                share_rows(held, relation, always=self.storage == "compact")
                tried[relation] = len(held.get(relation))

    def copy(self) -> Engine:
        """An independent engine with equal facts and rules. O(terms + predicates)."""
        twin = Engine.__new__(Engine)
        twin.__dict__.update(self.__dict__)
        twin.dictionary = self.dictionary.copy()
        twin.rules = self.rules.copy(twin.dictionary)
        twin.visibility = Visibility(twin.dictionary, axiomatic=self.visibility.axiomatic)
        if self._vocabulary is not None:
            twin._vocabulary = Vocabulary.of(twin.dictionary)
        if self._datatypes is not None:
            twin._datatypes = self._datatypes.copy(twin.dictionary)
        twin._strata = twin._support = None
        twin._refused, twin._literals = set(self._refused), dict(self._literals)
        twin.version, self.version = self.version.fork(), self.version.fork()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_strata": None, "_support": None}

    def _check(self) -> None:
        """Asserts the invariants of the facts."""
        version = self.version
        version._check()
        shown = 0
        for predicate, table in version.closure.tables.items():
            seen = self.visibility.shown(predicate, table.scan(), version.explicit.get(predicate))
            shown += len(seen)
        assert shown == version.visible()


def _of_swrl(batch: Batch, vocabulary: SwrlVocabulary) -> Batch:
    """The facts of a batch that SWRL rules are read from."""
    found = {p: keys for p, keys in batch.items() if p in vocabulary.read}
    types = found.pop(vocabulary.type, None)
    if types is not None:
        if not isinstance(types, list):  # most classes came later and have greater ids
            types = types[kernels.low(types) <= max(vocabulary.classes)]
        types = of_classes(types, vocabulary.classes, inside=True)
        if len(types):
            found[vocabulary.type] = types
    return found


class _Explicit:
    """Explicit triples as the list reader asks for them."""

    def __init__(self, state: State) -> None:
        self._state = state

    def objects(self, p: int, s: int) -> list[int]:
        return self._state.table(p).objects(s)

    def subjects(self, p: int, o: int) -> list[int]:
        return self._state.table(p).subjects(o)
