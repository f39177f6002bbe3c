"""Keeping the same facts in other tables, when other relations have become modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rdfinc.datalog.analysis.modules import Module, Modules
from rdfinc.datalog.transform.representatives import Equality
from rdfinc.knowledge_base.process.forking import COMMITTING
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.explanation.rule_instances import derived_by_others
from rdfinc.reasoning.maintenance.equality_update import aliases_of
from rdfinc.reasoning.maintenance.update import consequences
from rdfinc.reasoning.program.plan_memory import Still
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables import kernels
from rdfinc.tables.equality.expanded import about
from rdfinc.tables.equality.representative_pairs import Image
from rdfinc.tables.facts import Batch, FactSet, gather, shaped, swapped
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import Keys, MutableTable, Table


def reshape(version: Version, plans: StrataPlans) -> None:
    """Makes the modules of the strata those of the version. No fact changes.

    The external facts of a new module are its members' facts that are explicit or follow by a rule
    of another shape, with their consequences by the module's chains with other relations. For
    relations that were members before, only former external facts can be. The table of a module is
    made when it is closed next. Until then its members stay as they are, even if they are not the
    closure yet. Cost: the facts of the members, and the derivation of those that are not explicit.
    """
    old, new = version.modules, plans.strata.modules
    fresh = [module for module in new.all if module not in old.all]
    external = {module.external: _external(version, module, plans) for module in fresh}
    with Uninterrupted(), COMMITTING:
        _exchange(version, new, external)


def _exchange(version: Version, new: Modules, external: Mapping[int, Batch]) -> None:
    """Drops the tables of modules that are none any more, and keeps others' external facts."""
    tables, old = version.held, version.modules
    for module in old.all:
        if module not in new.all:
            tables.drop(module.external)
            version.closure_kinds.pop(module.external, None)
            for relation, _ in module.members:
                table = tables.get(relation)
                if relation not in new.tabled and not isinstance(table, MutableTable):
                    tables.replace(relation, _plain(version, table))
                    if relation in version.apart:
                        version.shown += len(version.closure.get(relation))
                        version.apart -= {relation}
    for predicate, facts in external.items():
        tables.drop(predicate)
        tables.add(facts)
        version.closure_kinds.pop(predicate, None)
    version.modules = new


def _plain(version: Version, table: Table) -> MutableTable:
    plain = version.make()
    plain.extend(table.scan())
    return plain


def _external(version: Version, module: Module, plans: StrataPlans) -> Batch:
    """The external facts of a module, found among the facts of its members."""
    strata = plans.strata
    stated = FactSet(version.make)
    candidates = FactSet(version.make)
    for relation, _ in module.members:
        asked = _candidates(version, module, relation)
        explicit = _stated(version, relation).present(asked)
        stated.add(strata.derived({relation: shaped(explicit)} if len(explicit) else {}))
        candidates.add(strata.derived({relation: shaped(asked)} if len(asked) else {}))
    others = {p: t for p, t in version.held.tables.items() if p != module.external}
    facts = State(others)
    for keys in stated.missing(candidates.batch()).values():
        stated.add(derived_by_others(module, keys, plans, facts))
    if module.chained:
        _follow(stated, module, plans.deriving(module), State(others, (), stated))
    return stated.batch()


def _stated(version: Version, relation: int) -> Table:
    """The explicit facts of a relation, or what they say of representatives."""
    stated, equality = version.explicit.get(relation), version.equality
    if equality is None or equality.is_own(relation) or version.aliases.trivial:
        return stated
    return Image(stated, version.aliases)


def rewrite_held(version: Version, strata: Strata, never_shows: Callable[[int], bool]) -> None:
    """Holds facts about representatives from now on if the strata ask for it, but for relations
    that are held for all terms. No fact changes, and no table while nothing is equal; otherwise
    modules are to be made anew. Cost: the facts about what is equal to others."""
    old, new = version.equality, strata.equality
    if (old and old.held) == (new and new.held):
        return
    with Uninterrupted(), COMMITTING:
        if old is not None:
            for predicate, keys in _about_equals(version, old, never_shows):
                more = version.aliases.expanded(keys)
                version.held.add(gather({predicate: [more]}))
            version.held.drop(old.aliases)
        version.equality = new
        if new is not None:
            aliases = aliases_of(version.held.get(new.relation))
            version.held.replace(new.aliases, aliases)
            for predicate, keys in _about_equals(version, new, never_shows):
                gone = keys[~aliases.is_normal(keys)]
                if predicate == strata.type:
                    gone = gone[~kernels.members(kernels.low(gone), new.classes)]
                version.held.discard(gather({predicate: [gone]}))


def _about_equals(
    version: Version, equality: Equality, never_shows: Callable[[int], bool]
) -> list[tuple[int, KeyArray]]:
    """The facts about what is equal to others, of all relations held about representatives; their
    tables are to be changed."""
    aliases = version.aliases
    if aliases.trivial:
        return []
    _exchange(version, Modules(), {})
    return [
        (predicate, about(table, aliases.with_equals()))
        for predicate, table in version.held.tables.items()
        if not (equality.is_own(predicate) or never_shows(predicate))
    ]


def _follow(external: FactSet, module: Module, stratum: Stratum, facts: State) -> None:
    """Adds to a module's external facts what its chains with other relations make of them."""
    new = external.batch()
    while new:
        driven = stratum.drivers.readers(new, Still(facts))
        heads, _ = consequences(Still(facts), stratum, driven, (facts, facts))
        new = external.add({p: keys for p, keys in heads.items() if p == module.external})


def _candidates(version: Version, module: Module, relation: int) -> Keys:
    """The facts of a relation, to be a member of a module, that may be external."""
    old = version.modules.of.get(relation)
    if old is None or not set(old.parts).issubset(module.parts):
        return version.held.get(relation).scan()
    keys = version.held.get(old.external).scan()
    return keys if (relation, True) in old.members else swapped(keys)
