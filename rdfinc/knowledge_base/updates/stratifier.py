"""Which strata and modules are in use, and when they are drawn anew."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rdfinc.datalog.analysis.modules import Member, Module
from rdfinc.knowledge_base.hidden.named_values import agree
from rdfinc.knowledge_base.rules.rulebook import RuleBook
from rdfinc.knowledge_base.storage.storage_choice import LEAST, is_worth
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.equality_update import equated_by, tells_all
from rdfinc.reasoning.maintenance.update import CoarserStrata, Update
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.cost_model import Experience
from rdfinc.reasoning.program.parameter_tables import Schema
from rdfinc.reasoning.program.program_graph import Wanted
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.facts import Batch, FactSet, joined, size
from rdfinc.terms.dictionary import Dictionary


@dataclass
class Basis:
    """What strata are drawn from: the facts before an update of a version, what it withdraws and
    states, the `number` of these, and what it was seen to derive; `modular` unless no relation may
    be a module, `lasting` unless what rules negate may go, `equated` if it was seen to make
    something equal."""

    version: Version
    before: FactSet
    deleted: Batch
    inserted: Batch
    modular: bool = True
    lasting: bool = True
    equated: bool = False

    def __post_init__(self) -> None:
        self.number = size(self.inserted)

    @cached_property
    def derived(self) -> FactSet:
        return FactSet(self.version.make)

    def facts(self, schema: Schema) -> State:
        """The facts before the update, the schema facts it states, and those that it derives."""
        known = State(self.before.tables)
        plus = FactSet.of(known.missing(schema.only(self.inserted)), self.before.make)
        plus.add(known.missing(self.derived.batch()))
        return State(self.before.tables, (), plus)


class Drawing:
    """The strata of one rule book's clauses, as they were `_compiled` then, over the facts as they
    are; drawn anew when rules or schema have changed.

    `_refused` are relations that turned out not to be closures of finished external facts, as long
    as the rules and the schema are the same; `_single` says that more than one stratum was too fine
    for rules that negate nothing. `_experience` is what deletions have cost in the strata of each
    drawing, by their number.
    """

    def __init__(self, rules: RuleBook, storage: str, dictionary: Dictionary) -> None:
        self._rules, self._storage, self._dictionary = rules, storage, dictionary
        self.strata: Strata | None = None
        """Those in use, unless they are to be drawn anew."""
        self._compiled: Compiled | None = None
        self._single = False
        self._refused: set[int] = set()
        self._experience: dict[int, list[Experience]] = {}

    def copy(self, rules: RuleBook, dictionary: Dictionary) -> Drawing:
        twin = Drawing(rules, self._storage, dictionary)
        twin._single, twin._refused = self._single, set(self._refused)
        twin._experience = deepcopy(self._experience)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Strata stay behind when a knowledge base is pickled."""
        return {**vars(self), "strata": None, "_compiled": None}

    def forget(self) -> None:
        """Has the strata drawn anew."""
        self.strata = None

    def over(self, basis: Basis) -> Strata:
        """The strata in use, drawn anew if the schema or the rules have changed."""
        compiled, strata = self._rules.compiled, self.strata
        stale = self._compiled is not compiled
        if strata and (stale or any(map(strata.watches, (basis.deleted, basis.inserted)))):
            self._refused.clear()
            strata = None
        if strata is None or self._grows(basis):
            strata = self._anew(basis)
            self._remember(strata)
            strata.equating = self._equating(basis, strata)
            self.strata, self._compiled = strata, compiled
        return strata

    def _equating(self, basis: Basis, strata: Strata) -> int:
        """The relation of an equality that facts may be about representatives of as soon as it has
        facts, 0 if there is none."""
        if strata.equality is not None or basis.equated or self._storage == "plain":
            return 0
        relation = self._rules.compiled.equating
        may = basis.modular and relation not in self._refused
        return relation if may and not len(basis.before.get(relation)) else 0

    def _remember(self, strata: Strata) -> None:
        """Has strata go on with what was learned in the last ones that were as many."""
        fresh = [stratum.experience for stratum in strata.list]
        known = self._experience.setdefault(len(fresh), fresh)
        for stratum, experience in zip(strata.list, known, strict=True):
            stratum.experience = experience

    def _anew(self, basis: Basis) -> Strata:
        compiled = self._rules.compiled
        facts, wanted = basis.facts(compiled.schema), self._wanted(basis)
        kept = basis.version.modules
        if self._single and not compiled.negates:
            return compiled.equated(facts, wanted, kept, wanted) or compiled.single()
        return compiled.strata(facts, wanted, kept, wanted, lasting=basis.lasting)

    def _grows(self, basis: Basis) -> bool:
        """Whether so much is inserted that other tables may be worth it."""
        much = basis.number >= LEAST and basis.number >= basis.version.shown // 4
        return much and self._storage == "auto"

    def _wanted(self, basis: Basis) -> Wanted:
        """Which modules are kept as closures during an update."""
        explicit, inserted = basis.version.explicit.tables, basis.inserted

        def wanted(module: Module, sources: tuple[Member, ...]) -> bool:
            if not basis.modular or self._storage == "plain":
                return False
            if not self._refused.isdisjoint(relation for relation, _ in module.members):
                return False
            if not sources and not module.parts:
                relation = module.members[0][0]
                return basis.equated or is_equated(basis.version, relation, inserted)
            if self._storage == "compact" or module.parts:
                return True
            return is_worth(sources, explicit, inserted)

        return wanted

    # -- when an update shows that they were wrong

    def refuse(self, modules: Iterable[Module]) -> None:
        """Takes note that some relations are no modules."""
        for module in modules:
            self._refused.update(relation for relation, _ in module.members)

    def can_represent(self, version: Version, strata: Strata) -> bool:
        """Whether the facts of a version can be held as the strata ask for; otherwise takes note
        and has them drawn anew."""
        equality, closure = strata.equality, version.closure
        if equality is None or (version.equality and version.equality.held == equality.held):
            return True
        aliases = equated_by(closure.get(equality.relation))
        named = agree(aliases, aliases.equated(), self._dictionary)
        if named and tells_all(strata, aliases, closure.tables, State(closure.tables)):
            return True
        self.refuse([equality.module])
        self.forget()
        return False

    def check(self, update: Update, strata: Strata) -> None:
        """Raises CoarserStrata where the schema that the update has derived needs others. (Where
        something is negated, they are compared with those that it draws.)"""
        compiled = self._rules.compiled
        if compiled.negates or not compiled.schema.may_hold(update.added.tables):
            return
        found = compiled.schema.only(update.added.batch())
        if not strata.tables.isdisjoint(found) and strata.outgrown(update.finished()):
            raise CoarserStrata(found)

    def coarsen(self, basis: Basis, update: Update, strata: Strata, misplaced: Batch) -> None:
        """Takes note of what made the strata too fine: facts that were not looked at, modules whose
        external facts depend on them, facts about representatives, that what was negated has gone,
        else that there was more than one stratum."""
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
            assert basis.lasting, "strata drawn from more facts"
            basis.lasting = False
        else:
            self._single = True

    def is_right(self, basis: Basis, update: Update, strata: Strata) -> bool:
        """Whether strata drawn from what the update derives as well would be the same; otherwise
        takes note of that."""
        compiled = self._rules.compiled
        found = compiled.schema.only(update.added.batch()) if compiled.negates else {}
        if not found or not basis.facts(compiled.schema).missing(found):
            return True
        basis.derived.add(found)
        again = self._anew(basis)
        same = again.levels == strata.levels and again.modules == strata.modules
        return same and not strata.outgrown(update.finished())

    # -- after a commit

    def settle(self, version: Version, deleted: Batch, inserted: Batch, *, first: bool) -> None:
        """Has the strata of the version before an update drawn anew where there may be modules, or
        representatives, that were none while it was under way; `first` if before it nothing was
        equal to anything."""
        strata = self.strata
        first &= strata is not None and strata.equality is None
        if strata and (first or self._may_fit_again(version, strata, deleted, inserted)):
            self.forget()
            self._refused.clear()

    def _may_fit_again(
        self, version: Version, strata: Strata, deleted: Batch, inserted: Batch
    ) -> bool:
        if self._storage == "plain" or not (deleted or self._refused):
            return False
        if strata.equality is None and self._unequates(version, deleted):
            return True
        return strata.watches(deleted) or bool(self._refused and strata.watches(inserted))

    def _unequates(self, version: Version, deleted: Batch) -> bool:
        """Whether facts that went may have been why others cannot be about representatives."""
        compiled = self._rules.compiled
        relation = compiled.equating
        told = compiled.schema.only(deleted) and is_equated(version, relation, deleted)
        return relation in deleted or bool(told)


def is_equated(version: Version, relation: int, changed: Batch) -> bool:
    """Whether something is equal to something before or after a change."""
    return relation in changed or len(version.held.get(relation)) > 0
