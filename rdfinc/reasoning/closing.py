"""Modules: relations that are closures of their external facts, brought up to date at the end of a
stratum.

The external facts are finished by then. So an exact change of these gives the table after the
update from the one before it; nothing is enumerated until something reads what has changed.
"""

from __future__ import annotations

import numpy as np

from rdfinc.datalog.modules import Kind, Module, Modules
from rdfinc.reasoning.states import State
from rdfinc.reasoning.strata import Strata, Stratum
from rdfinc.reasoning.update import Update
from rdfinc.tables import kernels
from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.plain import Plain
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import KeptTable, MutableTable, Table
from rdfinc.tables.transposed import Transposed
from rdfinc.tables.views import EMPTY, Either


class Unfit(Exception):  # noqa: N818  a signal between two layers, never seen by users
    """The relations of `module` are not one closure after all."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module


def close(update: Update, stratum: Stratum) -> None:
    """Brings the modules that are known at the end of the stratum up to date. Raises Unfit."""
    for module in stratum.closing:
        external = module.external
        before = update.kinds.get(external)
        kind = before
        if before is None or not stratum.strata.settled:
            kind = stratum.strata.kind(module, update.finished())
        if kind is None:
            raise Unfit(module)
        gone, new = update.removed.table(external), update.added.table(external)
        if kind != before or len(gone) or len(new):
            update.kinds[external] = kind
            _shift(update, stratum.strata, module, _closed(update, module, before, kind))


def _closed(update: Update, module: Module, before: Kind | None, kind: Kind) -> KeptTable:
    """The table of the first member after the update."""
    external = update.finished().table(module.external)
    if not kind.transitive:
        keys = external.scan()
        return Plain(SortedPairs(_both_ways(keys) if kind.symmetric else keys))
    old = update.before.get(module.members[0][0], EMPTY)
    if kind != before or not isinstance(old, ClosedTable):
        return update.make_closed(external, symmetric=kind.symmetric, diagonal=kind.diagonal)
    gone, new = update.removed.table(module.external), update.added.table(module.external)
    return old.revised(external, gone.all(), new.all())


def _both_ways(keys: KeyArray) -> KeyArray:
    return kernels.unique(np.concatenate((keys, kernels.swap(keys))))


def _shift(update: Update, strata: Strata, module: Module, table: KeptTable) -> None:
    for relation, straight in module.members:
        own = table.copy() if isinstance(table, MutableTable) else table
        new = own if straight else Transposed(own)
        update.shift(relation, new)
        strata.shift(relation, update.shifts[relation].old, new)


class Stated(State):
    """The explicit facts, of modules' members as external facts."""

    __slots__ = ("_explicit", "_modules")

    def __init__(self, explicit: State, modules: Modules) -> None:
        super().__init__({})
        self._explicit, self._modules = explicit, modules

    def _view(self, predicate: int) -> Table:
        module = self._modules.by_external.get(predicate)
        if module is None:
            return self._explicit.table(predicate)
        tables = [
            table if straight else Transposed(table)
            for table, straight in (
                (self._explicit.table(relation), straight) for relation, straight in module.members
            )
        ]
        return tables[0] if len(tables) == 1 else Either(tables)

    def predicates(self) -> list[int]:
        return list(dict.fromkeys(map(self._modules.derived, self._explicit.predicates())))
