"""One change of a knowledge base, from asked to committed; by ids."""

from __future__ import annotations

import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from rdfinc.datalog.clause import VIOLATION
from rdfinc.datalog.dependency import CLASS, Cycle
from rdfinc.datalog.model import Rule
from rdfinc.datalog.printing import term_text
from rdfinc.errors import UnstratifiableError
from rdfinc.knowledge_base.rulebook import RuleBook
from rdfinc.knowledge_base.version import Restatement, Version, restate
from rdfinc.knowledge_base.visibility import Visibility
from rdfinc.owl.lists import ListChanges, list_changes
from rdfinc.owl.swrl_changes import SwrlChanges, SwrlVocabulary, swrl_changes
from rdfinc.owl.vocabulary import Vocabulary
from rdfinc.reasoning.maintain import STRATEGIES, maintain
from rdfinc.reasoning.program import Compiled
from rdfinc.reasoning.states import Changed, State
from rdfinc.reasoning.strata import Strata, of_classes
from rdfinc.reasoning.update import CoarserStrata, Counters, Update
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, MakeTable, batch_of, joined, size, triples
from rdfinc.tables.plain import Plain
from rdfinc.terms.dictionary import AUXILIARY, IRI, Dictionary

Statements = dict[int, Batch]


@dataclass(frozen=True)
class Change:
    """What is asked: statements by graph, rules by canonical form."""

    delete: Statements = field(default_factory=dict)
    insert: Statements = field(default_factory=dict)
    rules_removed: dict[Rule, Rule] = field(default_factory=dict)
    rules_added: dict[Rule, Rule] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What a change does: the net change in view, and how it was found."""

    added: Batch
    removed: Batch
    counters: Counters
    strategy: str
    ignored: int
    seconds: float


class Refused(Exception):  # noqa: N818  a signal between two layers, never seen by users
    """The change contradicts the rules; nothing was changed. `violations` are the new ones."""

    def __init__(self, violations: Batch, update: Update) -> None:
        super().__init__()
        self.violations, self.update = violations, update


class Engine:
    """The facts and rules of a knowledge base; `version` is the latest one published."""

    def __init__(
        self, dictionary: Dictionary, profile: str, strategy: str, make: MakeTable = Plain
    ) -> None:
        self.dictionary, self.strategy = dictionary, strategy
        self.rules = RuleBook(dictionary, profile)
        self.visibility = Visibility(dictionary)
        self.version = Version(make)
        self.violation = dictionary.auxiliary(VIOLATION)
        self._vocabulary = Vocabulary.of(dictionary) if profile == "owl2rl" else None
        self._swrl = SwrlVocabulary.of(dictionary) if profile == "owl2rl" else None
        self._strata: tuple[Compiled, Strata] | None = None
        self._single = False

    def apply(self, change: Change, *, refuse_violations: bool = False) -> Outcome:
        """Brings the facts up to date with a change and commits it, all or nothing.

        Raises Refused.
        """
        start = time.perf_counter()
        version = self.version
        restated = restate(version, change.delete, change.insert)
        stated = self._stated_rules(restated, change)
        deleted, inserted = self._hidden(restated, change, stated)
        new = FactSet.of(inserted, version.make)
        explicit = Changed(version.explicit.tables, deleted, new)
        update = self._maintained(explicit, deleted, inserted)
        violations = update.added.get(self.violation)
        if refuse_violations and len(violations):
            raise Refused({self.violation: violations.scan()}, update)
        added, removed = self._in_view(update, deleted, inserted, new)
        self._commit(update, restated, deleted, inserted, change, stated)
        self.version.shown += size(added) - size(removed)
        seconds = time.perf_counter() - start
        strategy = self._used(update)
        return Outcome(added, removed, update.counters, strategy, restated.ignored, seconds)

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
        lists = self._lists(restated)
        if lists is None and not (change.rules_removed or change.rules_added or stated):
            return restated.deleted, restated.inserted
        deleted = FactSet.of(restated.deleted, version.make)
        inserted = FactSet.of(restated.inserted, version.make)
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

    def _maintained(self, explicit: State, deleted: Batch, inserted: Batch) -> Update:
        """What a change of explicit facts changes in the closure.

        The strata are drawn from the rules before and after. If those together depend on what they
        negate, facts are deleted first and inserted then. Raises UnstratifiableError.
        """
        before = self.version.closure
        try:
            try:
                return self._in_one(before, explicit, deleted, inserted)
            except Cycle:
                if not (deleted and inserted):
                    raise
            return self._in_two(before, explicit, deleted, inserted)
        except Cycle as cycle:
            raise UnstratifiableError(self._names(cycle.nodes)) from None

    def _in_two(self, before: FactSet, explicit: State, deleted: Batch, inserted: Batch) -> Update:
        make = self.version.make
        less = State(self.version.explicit.tables, (FactSet.of(deleted, make),))
        first = self._in_one(before, less, deleted, {})
        between = before.fork()
        between.discard(first.removed.batch())
        between.add(first.added.batch())
        second = self._in_one(between, explicit, {}, inserted)
        return first.then(second)

    def _in_one(self, before: FactSet, explicit: State, deleted: Batch, inserted: Batch) -> Update:
        """Maintains, with strata drawn again while the update shows that they were wrong."""
        compiled = self.rules.compiled
        derived = FactSet(self.version.make)
        while True:
            update = Update(before.tables, explicit, self.version.make)
            strata = self._strata_for(update, deleted, inserted, derived)
            strata.bare = self._bare(strata, update, deleted, inserted)
            try:
                maintain(update, strata, STRATEGIES[self.strategy], deleted, inserted)
            except CoarserStrata as misplaced:
                if not compiled.negates:
                    self._single = True
                found = joined(misplaced.facts, update.added.batch())
            else:
                found = compiled.schema.only(update.added.batch()) if compiled.negates else {}
                if not found or self._still_right(strata, update, derived, found):
                    return update
            grown = derived.add(found)
            assert grown or not compiled.negates, "strata drawn from more facts"
            self._strata = None

    def _bare(
        self, strata: Strata, update: Update, deleted: Batch, inserted: Batch
    ) -> AbstractSet[int]:
        """The relations that no rule derives any more once rules are removed."""
        kind = self.dictionary.kind
        if not any(kind(predicate) == AUXILIARY for predicate in deleted):
            return set()
        gone, new = update.facts(deleted), update.facts(inserted)
        return self.rules.compiled.bare(strata, State(update.before, (gone,), new))

    def _still_right(self, strata: Strata, update: Update, derived: FactSet, found: Batch) -> bool:
        """Whether strata drawn from what the update derives as well would be the same."""
        known = self._drawn_from(update, {}, derived)
        if not known.missing(found):
            return True
        more = derived.fork()
        more.add(found)
        again = self.rules.compiled.strata(self._drawn_from(update, {}, more))
        return again.levels == strata.levels

    def _strata_for(
        self, update: Update, deleted: Batch, inserted: Batch, derived: FactSet
    ) -> Strata:
        """The strata in use, drawn anew if the schema or the rules have changed."""
        compiled = self.rules.compiled
        drawn, strata = self._strata or (None, None)
        stale = strata is None or drawn is not compiled
        if strata is None or stale or strata.watches(deleted) or strata.watches(inserted):
            if self._single and not compiled.negates:
                strata = compiled.single()
            else:
                strata = compiled.strata(self._drawn_from(update, inserted, derived))
            self._strata = compiled, strata
        strata.work_on(update.before, update.added)
        return strata

    def _drawn_from(self, update: Update, inserted: Batch, derived: FactSet) -> State:
        """The facts before the update, the schema facts it states, and some that it derives."""
        schema = self.rules.compiled.schema
        before = State(update.before)
        plus = FactSet.of(before.missing(schema.only(inserted)), update.make)
        plus.add(before.missing(derived.batch()))
        return State(update.before, (), plus)

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
        closure = self.version.closure
        update = Update(closure.tables, State(self.version.explicit.tables), closure.make)
        return self._strata_for(update, {}, {}, FactSet(closure.make))

    # -- commit

    def _in_view(
        self, update: Update, deleted: Batch, inserted: Batch, new: FactSet
    ) -> tuple[Batch, Batch]:
        """The net change in view: facts that came and went, or changed between shown and hidden
        because they started or stopped being explicit."""
        version, see = self.version, self.visibility
        came, went = update.added.batch(), update.removed.batch()
        stayed = State(update.before, (update.removed,))
        started = see.only_as_explicit(stayed.present(inserted))
        stopped = see.only_as_explicit(stayed.present(deleted))
        added = joined(see.batch(came, new), started)
        return added, joined(see.batch(went, version.explicit), stopped)

    def _commit(
        self,
        update: Update,
        restated: Restatement,
        deleted: Batch,
        inserted: Batch,
        change: Change,
        stated: SwrlChanges,
    ) -> None:
        version = self.version.writable()
        version.closure.discard(update.removed.batch())
        version.closure.adopt(update.added)
        version.explicit.discard(deleted)
        version.explicit.add(inserted)
        version.share(p for p, keys in inserted.items() if not isinstance(keys, list))
        restated.commit(version)
        if change.rules_removed or change.rules_added or stated:
            self.rules.change(change.rules_removed, change.rules_added, stated)
        self.version = version
        if self._strata is not None:
            self._strata[1].work_on(version.closure.tables, FactSet(version.make))
            self._strata[1].settle()

    def copy(self) -> Engine:
        """An independent engine with equal facts and rules. O(terms + predicates)."""
        twin = Engine.__new__(Engine)
        twin.__dict__.update(self.__dict__)
        twin.dictionary = self.dictionary.copy()
        twin.rules = self.rules.copy(twin.dictionary)
        twin.visibility = Visibility(twin.dictionary)
        if self._vocabulary is not None:
            twin._vocabulary = Vocabulary.of(twin.dictionary)
        twin._strata = None
        twin.version, self.version = self.version.fork(), self.version.fork()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_strata": None}

    def _check(self) -> None:
        """Asserts the invariants of the facts."""
        version = self.version
        version._check()
        shown = 0
        for predicate, table in version.closure.tables.items():
            seen = self.visibility.shown(predicate, table.scan(), version.explicit.get(predicate))
            shown += len(seen)
        assert shown == version.shown


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
