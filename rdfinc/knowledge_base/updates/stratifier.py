"""The strata and modules in use, and when `Compiled.make_strata` makes them anew."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from msgspec import Struct

from rdfinc.datalog.analysis.modules import Member, Module, Surroundings
from rdfinc.knowledge_base.implied.literal_names import agree
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.collector import without_collector
from rdfinc.knowledge_base.rules.rulebook import RuleBook
from rdfinc.knowledge_base.storage.storage_choice import is_worth
from rdfinc.knowledge_base.versions.change import Effect
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.equality_update import aliases_of, tells_all
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.maintenance.verdict import TooFine, Unfit, Verdict
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.cost_model import Experience, Pause
from rdfinc.reasoning.program.parameter_tables import Schema
from rdfinc.reasoning.program.program_graph import Wanted
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.tables.facts import Batch, FactSet, joined, size
from rdfinc.terms.dictionary import AUXILIARY, Dictionary


class Basis(Struct, dict=True):
    """The facts that strata are made from: those before an update of a version, the explicit facts
    withdrawn and stated by it (`number` of them are stated), and schema facts seen to be derived.

    Unless `modular`, no relation may be a module; unless `negated_stay`, negated facts may go; if
    `makes_equals`, the update was seen to make terms equal; `better` are strata made since then.
    """

    version: Version
    before: FactSet
    deleted: Batch
    inserted: Batch
    modular: bool = True
    negated_stay: bool = True
    makes_equals: bool = False
    better: Strata | None = None

    def __post_init__(self) -> None:
        self.number = size(self.inserted)

    @cached_property
    def derived(self) -> FactSet:
        return FactSet(self.version.make)

    def facts(self, schema: Schema) -> State:
        """The facts before the update, with the schema facts stated and derived by it."""
        known = State(self.before.tables)
        plus = FactSet.of(known.missing(schema.only(self.inserted)), self.before.make)
        plus.add(known.missing(self.derived.batch()))
        return State(self.before.tables, (), plus)

    @property
    def after(self) -> State:
        """The facts after the update, as far as no rule derives others."""
        gone, new = FactSet.of(self.deleted), FactSet.of(self.inserted, self.before.make)
        return State(self.before.tables, (gone,), new)


class Stratifier:
    """The strata of one rule book's clauses over the current facts, made anew when rules or schema
    have changed. `_compiled` are the clauses that the strata in use were made of.

    What updates have shown:

    * `_refused`: relations that no module may have as members, since they were no closures of
      finished external facts. They are refused while rules and schema stay (see `over`).
    * `_single`: several strata were too fine for rules without negation. Never taken back.
    * `_experience`: the costs of deletions in the strata, by the number of these.
    * `_again`: for how many deletions nobody asks whether representatives are possible now. To ask
      costs as much as to make strata, so it is seldom done where the schema is large; until then
      facts are held over all terms.

    Of the last update: `_unwatched` says that no strata are made from the facts it changed;
    `_stays`, that strata are made from them and are the same as before; `_behind`, that schema
    facts it derived may ask for other strata, which the next change of the schema makes.
    """

    def __init__(self, rules: RuleBook, storage: str, dictionary: Dictionary) -> None:
        self._rules, self._storage, self._dictionary = rules, storage, dictionary
        self.in_use: StrataPlans | None = None
        """The strata in use, None if they are to be made anew."""
        self.unchecked = True
        """Whether it was not looked yet if representatives tell all in these strata."""
        self.awaited_equality = 0
        """The equality relation whose first fact may make representatives worth while, 0 if there
        is none."""
        self._near: Surroundings | None = None
        self._compiled: Compiled | None = None
        self._single = False
        self._unwatched = self._stays = self._behind = False
        self._refused: set[int] = set()
        self._again = Pause()
        self._experience: dict[int, list[Experience]] = {}

    def copy(self, rules: RuleBook, dictionary: Dictionary) -> Stratifier:
        twin = Stratifier(rules, self._storage, dictionary)
        twin._single, twin._refused = self._single, set(self._refused)
        twin._experience = pickle.loads(pickle.dumps(self._experience))  # the quickest copy
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Strata stay behind when a knowledge base is pickled."""
        return {**vars(self), "in_use": None, "_compiled": None}

    def forget(self) -> None:
        """Has the strata made anew."""
        self.in_use = None

    def over(self, basis: Basis) -> StrataPlans:
        """The strata in use, made anew if the schema or the rules have changed, or there are none.
        Where those of an earlier update are out of date, their refusals end (ALGORITHMS §3, *That
        ends*)."""
        compiled, plans = self._rules.compiled, self.in_use
        stale = self._compiled is not compiled
        if plans and (stale or self._note_change(plans.strata, basis)):
            self._refused.clear()
            plans = None
        if plans is None or self._grows(basis):
            with without_collector():
                strata, basis.better = basis.better or self._anew(basis), None
                plans = StrataPlans(strata)
            self._unwatched = self._stays = self._behind = False
            self._near, self.unchecked = None, True
            self._remember(plans)
            if strata.equality is not None:
                self._again.succeed()
            self.awaited_equality = self._awaited_equality(basis, strata)
            self.in_use, self._compiled = plans, compiled
        return plans

    def _note_change(self, strata: Strata, basis: Basis) -> bool:
        """Sets `_unwatched` and `_stays` for the facts withdrawn and stated. True if these may need
        other strata."""
        self._stays = False
        some = filter(None, (basis.deleted, basis.inserted))
        self._unwatched = not any(map(strata.watches, some))
        if self._unwatched:
            return False
        changed = joined(basis.deleted, basis.inserted)
        few = size(changed) <= KNOWLEDGE.many_statements and not self._behind
        self._stays = few and self._strata_stay(
            strata, changed, basis.facts(self._rules.compiled.schema)
        )
        return not self._stays

    def _strata_stay(self, strata: Strata, changed: Batch, facts: State) -> bool:
        """Whether the strata are the same with and without some facts of parameter tables, all of
        which are in `facts`."""

        def near() -> Surroundings:
            if self._near is None:
                self._near = strata.program.surroundings(strata, facts)
            return self._near

        return strata.program.strata_stay(strata, changed, facts, near)

    def _awaited_equality(self, basis: Basis, strata: Strata) -> int:
        """The equality relation whose first fact may make representatives worth while, 0 if there
        is none."""
        if strata.equality is not None or basis.makes_equals or self._storage == "plain":
            return 0
        relation = self._rules.compiled.equality_relation
        may = basis.modular and relation not in self._refused
        return relation if may and not len(basis.before.get(relation)) else 0

    def _remember(self, plans: StrataPlans) -> None:
        """Hands the experience of the last strata of the same number over to new ones."""
        fresh = [stratum.experience for stratum in plans.list]
        known = self._experience.setdefault(len(fresh), fresh)
        for stratum, experience in zip(plans.list, known, strict=True):
            stratum.experience = experience

    def _anew(self, basis: Basis) -> Strata:
        compiled = self._rules.compiled
        facts, wanted = basis.facts(compiled.schema), self._wanted(basis)
        kept = basis.version.modules
        if self._single and not compiled.negates:
            return compiled.make_rewritten_strata(facts, wanted, kept, wanted) or compiled.single()
        after = basis.after if self._loses_rules(basis) else None
        return compiled.make_strata(
            facts, wanted, kept, wanted, negated_stay=basis.negated_stay, after=after
        )

    def _loses_rules(self, basis: Basis) -> bool:
        """Whether facts of auxiliary relations are withdrawn, as rules are."""
        return AUXILIARY in map(self._dictionary.kind, basis.deleted)

    def _grows(self, basis: Basis) -> bool:
        """Whether the update inserts enough to make other tables worth while."""
        much = basis.number >= KNOWLEDGE.stated_edges and basis.number >= basis.version.shown // 4
        return much and self._storage == "auto"

    def _wanted(self, basis: Basis) -> Wanted:
        """The choice of modules that are kept as closures during an update."""
        explicit, inserted = basis.version.explicit.tables, basis.inserted

        def wanted(module: Module, sources: tuple[Member, ...]) -> bool:
            if not basis.modular or self._storage == "plain":
                return False
            if not self._refused.isdisjoint(relation for relation, _ in module.members):
                return False
            if not sources and not module.parts:
                relation = module.members[0][0]
                return basis.makes_equals or are_any_equal(basis.version, relation, inserted)
            if self._storage == "compact" or module.parts:
                return True
            return is_worth(sources, explicit, inserted)

        return wanted

    # -- when an update shows that they were wrong

    def try_rewriting(self, basis: Basis) -> bool:
        """Has strata over representatives made for an update that makes terms equal where none
        were: `basis.better`. True if there are such strata."""
        basis.makes_equals, self.awaited_equality = True, 0
        compiled, wanted = self._rules.compiled, self._wanted(basis)
        facts = basis.facts(compiled.schema)
        basis.better = compiled.make_rewritten_strata(facts, wanted, basis.version.modules, wanted)
        return basis.better is not None

    def learn(self, verdict: Verdict, basis: Basis, update: Update, strata: Strata) -> None:
        """Notes why the strata were wrong. (A FirstEquality is noted by then: `try_rewriting`.)"""
        if isinstance(verdict, Unfit):
            self.refuse([verdict.module])
        elif isinstance(verdict, TooFine):
            self._coarsen(basis, update, strata, verdict.facts)

    def refuse(self, modules: Iterable[Module]) -> None:
        """Notes that the relations of some modules are no modules."""
        for module in modules:
            self._refused.update(relation for relation, _ in module.members)

    def refuse_unfit_equality(self, version: Version, strata: Strata) -> bool:
        """Refuses the equality of strata, and has others made, if the facts of a version cannot be
        held over representatives as they ask. True if it did."""
        equality, closure = strata.equality, version.closure
        if equality is None or (version.equality and version.equality.held == equality.held):
            return False
        aliases = aliases_of(closure.get(equality.relation))
        named = agree(aliases, aliases.with_equals(), self._dictionary)
        if named and tells_all(strata, aliases, closure.tables, State(closure.tables)):
            return False
        self.refuse([equality.module])
        self.forget()
        return True

    def check(self, strata: Strata, update: Update) -> TooFine | None:
        """Too fine are the strata if schema facts derived by the update need others. (With
        negation, the strata are compared with newly made ones instead.)"""
        compiled = self._rules.compiled
        if compiled.negates or not compiled.schema.may_hold(update.added.tables):
            return None
        found = compiled.schema.held(update.added)
        if not strata.schema.may_hold(found):
            return None
        few = size(found) <= KNOWLEDGE.many_statements and not update.shifts
        outgrown = strata.program.outgrows(strata, update.finished(), found if few else None)
        return TooFine(found) if outgrown else None

    def _coarsen(self, basis: Basis, update: Update, strata: Strata, misplaced: Batch) -> None:
        """Notes why the strata were too fine, in this order: schema facts unknown so far, modules
        whose external facts depend on them, facts over representatives, negated facts that went,
        more than one stratum."""
        compiled, modules = self._rules.compiled, strata.modules.all
        found = joined(misplaced, update.added.batch())
        if not compiled.negates:
            found = compiled.schema.only(found)
        if basis.derived.add(found) and (modules or strata.equality or compiled.negates):
            return
        if modules:
            self.refuse([m for m in modules if m.external in misplaced] or modules)
        elif strata.equality is not None:
            self.refuse([strata.equality.module])
        elif compiled.negates:
            assert basis.negated_stay, "strata made from more facts"
            basis.negated_stay = False
        else:
            self._single = True

    def note_derived_schema(self, basis: Basis, update: Update, strata: Strata) -> bool:
        """Notes the schema facts derived by the update, where something is negated. True if strata
        that know them too are the same."""
        compiled = self._rules.compiled
        held = compiled.schema.held(update.added) if compiled.negates else {}
        found = basis.facts(compiled.schema).missing(held) if held else held
        if not found:
            return True
        basis.derived.add(found)
        few = size(found) <= KNOWLEDGE.many_statements and not update.shifts
        if few and self._strata_stay(strata, found, basis.facts(compiled.schema)):
            return True
        again = self._anew(basis)
        same = again.levels == strata.levels and again.modules == strata.modules
        return same and not strata.program.outgrows(strata, update.finished(), None)

    # -- after a commit

    def after_commit(self, version: Version, effect: Effect, *, first: bool) -> None:
        """After a commit, has strata made anew if there may be modules or representatives now that
        were not possible during the update; `first` says that no terms were equal before it."""
        strata = self.in_use.strata if self.in_use else None
        deleted, inserted = effect.deleted, effect.inserted
        first &= strata is not None and strata.equality is None
        if strata and (first or self._may_fit_again(version, strata, deleted, inserted)):
            self.forget()
            self._refused.clear()
        elif strata and strata.ruleless:  # plans that leave these relations out are for one update
            self.forget()
        elif strata and not (self._unwatched or self._behind):
            self._behind = self._falls_behind(version, strata, effect)

    def _falls_behind(self, version: Version, strata: Strata, effect: Effect) -> bool:
        """Whether other strata may be right because schema facts are derived now, or no longer
        are. Those stated and withdrawn were looked at before the update."""
        if not (strata.watches(effect.deleted) or strata.watches(effect.inserted)):
            return False
        only, held = self._rules.compiled.schema.only, version.held
        went = only(effect.went)
        known = FactSet.of(joined(only(effect.deleted), only(effect.inserted)))
        changed = known.missing(joined(went, only(effect.came)))
        facts = State(held.tables, (), FactSet.of(State(held.tables).missing(went), held.make))
        return bool(changed) and not self._strata_stay(strata, changed, facts)

    def _may_fit_again(
        self, version: Version, strata: Strata, deleted: Batch, inserted: Batch
    ) -> bool:
        single = not strata.levels.top
        if self._storage == "plain" or not (deleted or self._refused or single):
            return False
        schema = joined(deleted, inserted) if single else deleted
        may = strata.equality is None and self._may_allow_rewriting(version, deleted, schema)
        if may and self._asks(version):
            return True
        if self._unwatched or (self._stays and not self._refused):
            return False
        return strata.watches(deleted) or bool(self._refused and strata.watches(inserted))

    def _asks(self, version: Version) -> bool:
        """Whether it is time to ask again. That counts as a failure, unless the strata made then
        are over representatives."""
        rows = sum(map(len, map(version.held.get, self._rules.compiled.schema.predicates)))
        if rows < KNOWLEDGE.small_schema:
            return True
        asks = self._again.is_over()
        if asks:
            self._again.fail()
        return asks

    def _may_allow_rewriting(self, version: Version, deleted: Batch, changed: Batch) -> bool:
        """Whether others may be held over representatives because facts went, or because the schema
        changed where a single stratum takes no notice of it."""
        compiled = self._rules.compiled
        relation = compiled.equality_relation
        if relation in deleted:
            return True
        schema = compiled.schema.only(changed).keys() - {relation}
        return bool(schema) and are_any_equal(version, relation, changed)


def are_any_equal(version: Version, relation: int, changed: Batch) -> bool:
    """Whether any terms are equal before or after a change."""
    return relation in changed or len(version.held.get(relation)) > 0
