"""The relation hypergraph of a program for its parameter tables, and the modules in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import (
    ClauseRole,
    Linear,
    Member,
    Module,
    Modules,
    Rows,
    Shape,
    kind_of,
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


class ProgramGraph(Struct, frozen=True):
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
        for module in modules.all:
            if module.linear:
                steps = self.plans.linear(self.clauses[0], module)
                found |= {plans: self._draws(plans).deriving(modules) for plans in steps}
            for clause, row in self._rows_of_chains(module) if module.chained else ():
                steps = self.plans.chained(clause, row, module)
                found |= {plans: self._draws(plans) for plans in steps}
        return found

    def _draws(self, plans: Plans) -> Dependency:
        return dependency(plans.clause, {}, self.signature.type)

    def _rows_of_chains(self, module: Module) -> Iterator[tuple[Clause, dict[int, int]]]:
        """The rows of a module's chains with other relations, each with its clause."""
        one = Modules([module])
        for clause, shape, columns in zip(self.clauses, self.shapes, self.rows, strict=True):
            if shape is not None and shape.form is ClauseRole.CHAIN:
                mine = one.chained_rows(shape.columns(columns))
                chosen = (column[mine].tolist() for column in columns.values())
                for row in zip(*chosen, strict=True):
                    yield clause, dict(zip(columns, row, strict=True))

    def by_modules(self, modules: Modules) -> Iterator[Dependency]:
        """The edges of the modules."""
        for module in modules.all:
            one = Modules([module])
            tables = [
                table
                for shape, columns in self._shaped()
                if one.internal_rows(shape.columns(columns)).any()
                for table in shape.tables
            ]
            yield from closing(module, tables)

    def closed(self, wanted: Wanted) -> tuple[Modules, set[int]]:
        """The wanted modules of data relations that do not depend on themselves, and the relations
        of all wanted ones."""
        shaped = self._shaped()
        copied = sources(shaped)
        asked = [m for m in modules(shaped, self.signature.external) if wanted(m, copied(m))]
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
        shaped, found = self._shaped(), []
        copied = sources(shaped)
        tables = {*self.tables, self.signature.type, equality}
        for module in modules(shaped, self.signature.external):
            if tables.isdisjoint(relations := [r for r, _ in module.members]):
                kind = kind_of(module, shaped)
                if kind and kind.diagonal and closed.of.keys().isdisjoint(relations):
                    names = tuple(
                        self.signature.external(self.signature.external(r)) for r in relations
                    )
                    linear = replace(module, linear=Linear(kind, names))
                    if wanted(linear, copied(module)):
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
