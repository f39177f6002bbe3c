"""Modules: relations that are functions of other facts, brought up to date at the end of a stratum.

Their external facts, and the parts of unions, are finished by then. So the exact change of these
gives the table after the update from the one before it. Nothing is enumerated until the change of a
member is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rdfinc.datalog.analysis.modules import ClosureKind, Module, Modules
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.evaluation.table_deltas import (
    EndChange,
    FreshEnds,
    GatheredShift,
    KnownDelta,
    RelationDelta,
    Shift,
    spanning,
)
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.maintenance.verdict import Stopped, Unfit
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.facts import FactSet
from rdfinc.tables.table import KeptTable, MutableTable, Table
from rdfinc.tables.transposed import Transposed, turned
from rdfinc.tables.union.relation_union import RelationUnion
from rdfinc.tables.views import EMPTY, either


def update_modules(update: Update, stratum: Stratum) -> None:
    """Brings the modules that are known at the end of the stratum up to date. Raises Stopped."""
    for module in stratum.made:
        before = kind = update.closure_kinds.get(module.external)
        if before is None or update.changed:
            kind = stratum.strata.program.kind(module, update.finished())
        if kind is None or not module.allows(kind):
            raise Stopped(Unfit(module))
        if module.linear:
            update.closure_kinds[module.external] = kind
        elif kind != before or _is_changed(update, module):
            update.closure_kinds[module.external] = kind
            for relation, shift in _shifts(update, stratum.strata.modules, module, before, kind):
                update.shift(relation, shift)
                stratum.memory.shift(relation)


def _is_changed(update: Update, module: Module) -> bool:
    """Whether the external facts or parts of a module change."""
    external = update.removed.table(module.external), update.added.table(module.external)
    return any(map(len, external)) or any(part in update.shifts for part, _ in module.parts)


def _shifts(
    update: Update, modules: Modules, module: Module, before: ClosureKind | None, kind: ClosureKind
) -> Iterator[tuple[int, Shift]]:
    """The members with their tables before and after the update."""
    whole = _closed if kind.transitive else _combined
    table = whole(update, module, before, kind)
    first: Shift | None = None
    for relation, straight in module.members:
        tables = update.before.get(relation, EMPTY), table if straight else Transposed(table)
        shift = Shift(*tables)
        if kind == before:
            changes = _changes(update, module, kind, straight)
            if first or not kind.transitive:
                shift = GatheredShift(*tables, [(first, straight)] if first else changes)
            first = first or shift
            staying = spanning(update.kept().table, modules, update.steady(), relation)
            shift.ends = EndChange(changes, staying)
        else:
            pairs = spanning(update.finished().table, modules, update.closure_kinds, relation)
            shift.ends = FreshEnds(shift, pairs)
        yield relation, shift


def _closed(
    update: Update, module: Module, before: ClosureKind | None, kind: ClosureKind
) -> KeptTable:
    """The table of a closure's first member after the update."""
    external = update.finished().table(module.external)
    old = update.before.get(module.members[0][0], EMPTY)
    if kind != before or not isinstance(old, ClosedTable):
        return update.make_closed(external, symmetric=kind.symmetric, diagonal=kind.diagonal)
    gone, new = update.removed.table(module.external), update.added.table(module.external)
    return old.after_edges(external, gone.all(), new.all())


def _combined(
    update: Update, module: Module, before: ClosureKind | None, kind: ClosureKind
) -> KeptTable:
    """The table of a union's first member after the update, made of tables that stay as they are
    until the update is committed."""
    return combined(update.finished().table, module, kind)


def combined(table: Callable[[int], Table], module: Module, kind: ClosureKind) -> RelationUnion:
    """The table of a union's first member, made of those of other relations."""
    parts = [table(part) if straight else turned(table(part)) for part, straight in kind.parts]
    tables = [*parts, table(module.external)]
    if kind.symmetric:
        tables = [*tables, *map(turned, tables)]
    return RelationUnion(tables)


def _changes(
    update: Update, module: Module, kind: ClosureKind, straight: bool
) -> list[tuple[RelationDelta, bool]]:
    """The changes of a union's parts and external facts, each with whether a member reads it
    straight."""
    gone, new = update.removed.table(module.external), update.added.table(module.external)
    found: list[tuple[RelationDelta, bool]] = [(KnownDelta(new.all(), gone.all()), straight)]
    for part, way in kind.parts:
        if part in update.shifts:
            found.append((update.shifts[part], way is straight))
    return [*found, *((c, not way) for c, way in found)] if kind.symmetric else found


def adopt_shifts(update: Update, modules: Modules, closure: FactSet) -> None:
    """Keeps the tables of an update's shifts in `closure`, whose other tables are those after the
    update. Unions among them are made again of tables that no later update changes."""
    for predicate, shift in update.shifts.items():
        closure.replace(predicate, shift.new)

    def table(relation: int) -> Table:
        found = closure.get(relation)
        return found.copy() if isinstance(found, MutableTable) else found

    for module in modules.all:
        kind = update.closure_kinds.get(module.external)
        if kind and not kind.transitive and module.members[0][0] in update.shifts:
            union = combined(table, module, kind)
            for relation, straight in module.members:
                update.shifts[relation].new = union if straight else Transposed(union)
                closure.replace(relation, update.shifts[relation].new)


class ExplicitFacts(State):
    """The explicit facts; those of modules' members are external facts."""

    __slots__ = ("_explicit", "_modules")

    def __init__(self, explicit: State, modules: Modules) -> None:
        super().__init__({})
        self._explicit, self._modules = explicit, modules

    def _view(self, predicate: int) -> Table:
        module = self._modules.by_external.get(predicate)
        if module is None:
            return self._explicit.table(predicate)
        tables = [
            table if straight else turned(table)
            for table, straight in (
                (self._explicit.table(relation), straight) for relation, straight in module.members
            )
        ]
        return either(tables)

    def predicates(self) -> list[int]:
        return list(dict.fromkeys(map(self._modules.derived, self._explicit.predicates())))
