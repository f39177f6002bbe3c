"""The relation hypergraph of a program for its parameter tables, and the modules in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import (
    ClauseRole,
    ClosureKind,
    Linear,
    Member,
    Module,
    Modules,
    Rows,
    Shape,
    modules,
    sources,
    unions,
)
from rdfinc.datalog.clause import Clause
from rdfinc.datalog.compile.relation_hypergraph import Dependency, acyclic, closing, dependency
from rdfinc.reasoning.program.plans import ModulePlans, Plans
from rdfinc.reasoning.program.signature import Signature

Wanted = Callable[[Module, tuple[Member, ...]], bool]
"""Whether the relations of a module, copied from some others, are to be kept as one table."""


class ProgramGraph(Struct, frozen=True, dict=True):
    """The hypergraph of some clauses, each with its shape and the rows of its parameter table;
    `bare` are the edges of clauses without such a table, None for the others.

    `tables` are the relations of parameter tables.
    """

    clauses: Sequence[Clause]
    shapes: Sequence[Shape | None]
    bare: Sequence[Dependency | None]
    rows: Sequence[Rows]
    signature: Signature
    tables: AbstractSet[int]
    plans: ModulePlans

    def all(self, modules: Modules) -> list[Dependency]:
        """The edges of each clause, and of each clause that stands for a chain of a module."""
        return [*self.by_clause(modules), *self.by_chain(modules).values()]

    def by_clause(self, modules: Modules) -> list[Dependency]:
        """The edges of each clause, without the modules' own rows."""
        every = zip(self.bare, self.clauses, self.shapes, self.rows, strict=True)
        return [
            bare.deriving(modules)
            if bare
            else edges_of(clause, shape, rows, self.signature.type, modules)
            for bare, clause, shape, rows in every
        ]

    def by_chain(self, modules: Modules) -> dict[Plans, Dependency]:
        """The edges of the clauses that stand for modules: for chains of members with other
        relations, and for closure by linear rules."""
        found: dict[Plans, Dependency] = {}
        for module, chains in zip(modules.all, self._rows_of_chains(modules), strict=True):
            if module.linear:
                steps = self.plans.linear(self.clauses[0], module)
                found |= {plans: self._draws(plans).deriving(modules) for plans in steps}
            for clause, row in chains:
                steps = self.plans.chained(clause, row, module)
                found |= {plans: self._draws(plans) for plans in steps}
        return found

    def _draws(self, plans: Plans) -> Dependency:
        return dependency(plans.clause, {}, self.signature.type)

    def _rows_of_chains(self, modules: Modules) -> list[list[tuple[Clause, dict[int, int]]]]:
        """For each module the rows of its chains with other relations, each with its clause."""
        found: list[list[tuple[Clause, dict[int, int]]]] = [[] for _ in modules.all]
        for clause, shape, columns in zip(self.clauses, self.shapes, self.rows, strict=True):
            if shape is not None and shape.form is ClauseRole.CHAIN:
                owners = modules.chain_owners(shape.columns(columns))
                chosen = (column[owners >= 0].tolist() for column in columns.values())
                rows = zip(*chosen, strict=True)
                for owner, row in zip(owners[owners >= 0].tolist(), rows, strict=True):
                    found[owner].append((clause, dict(zip(columns, row, strict=True))))
        return found

    def by_modules(self, modules: Modules) -> Iterator[Dependency]:
        """The edges of the modules."""
        tables: list[list[tuple[int, int | None]]] = [[] for _ in modules.all]
        for shape, columns in self._shaped:
            for owner in np.unique(modules.owners(shape.columns(columns))).tolist():
                if owner >= 0:
                    tables[owner] += shape.tables
        for module, some in zip(modules.all, tables, strict=True):
            yield from closing(module, some)

    def closed(self, wanted: Wanted) -> tuple[Modules, set[int]]:
        """The wanted modules of data relations that do not depend on themselves, and the relations
        of all wanted ones."""
        shaped, copied = self._shaped, self._sources
        asked = [module for module, _ in self._transitive if wanted(module, copied(module))]
        found = self._good(asked)
        while found:
            more = [m for m in unions(shaped, found, self.signature.external) if wanted(m, m.parts)]
            asked += more
            larger = self._good([*found.all, *more]) if more else found
            if larger == found:
                break
            found = larger
        return found, {relation for module in asked for relation, _ in module.members}

    def cyclic(self, closed: Modules, wanted: Wanted, equality: int) -> list[Module]:
        """The wanted modules closed by linear rules: of data relations, without `closed` ones and
        the equality."""
        found = []
        others = {*self.tables, self.signature.type, equality, *closed.of}
        for module, kind in self._transitive:
            relations = [relation for relation, _ in module.members]
            if kind.diagonal and others.isdisjoint(relations):
                names = tuple(
                    self.signature.external(self.signature.external(r)) for r in relations
                )
                linear = replace(module, linear=Linear(kind, names))
                if wanted(linear, self._sources(module)):
                    found.append(linear)
        return found

    def _good(self, chosen: Sequence[Module]) -> Modules:
        """The modules of data relations that do not depend on themselves."""
        tables = {*self.tables, self.signature.type}
        of_data = Modules(m for m in chosen if tables.isdisjoint(r for r, _ in m.members))
        if not of_data:
            return of_data
        drawn = [*self.all(of_data), *self.by_modules(of_data)]
        good = acyclic(drawn, of_data.of)
        return Modules(m for m in of_data.all if good.issuperset(r for r, _ in m.members))

    @cached_property
    def _transitive(self) -> list[tuple[Module, ClosureKind]]:
        """The modules with a transitive member, and which closure each is."""
        return list(modules(self._shaped, self.signature.external))

    @cached_property
    def _sources(self) -> Callable[[Module], tuple[Member, ...]]:
        return sources(self._shaped)

    @cached_property
    def _shaped(self) -> list[tuple[Shape, Rows]]:
        pairs = zip(self.shapes, self.rows, strict=True)
        return [(shape, columns) for shape, columns in pairs if shape is not None]


def edges_of(
    clause: Clause, shape: Shape | None, rows: Rows, type_: int, modules: Modules
) -> Dependency:
    """The edges of a clause for its parameter table, without the modules' own rows."""
    if shape and modules:
        mine = modules.internal_rows(shape.columns(rows))
        rows = {variable: column[~mine] for variable, column in rows.items()}
    return dependency(clause, rows, type_).deriving(modules)
