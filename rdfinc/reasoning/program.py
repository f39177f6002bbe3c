"""A compiled program: its clauses with all their plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property, partial
from itertools import compress
from types import MappingProxyType
from typing import Any

import numpy as np

from rdfinc.datalog.chains import external_clauses
from rdfinc.datalog.clause import Clause, Computation
from rdfinc.datalog.dependency import (
    CLASS,
    Dependency,
    Edge,
    Levels,
    acyclic,
    below,
    closing,
    dependency,
    equating,
    feeding,
    heads_of,
    stratify,
)
from rdfinc.datalog.equality import (
    CLOSURE,
    Equality,
    Naming,
    equality_of,
    for_own,
    is_about_any_class,
    is_fit,
    only_own,
    over_representatives,
    own_rows,
)
from rdfinc.datalog.linear import linear_clauses
from rdfinc.datalog.modules import (
    Form,
    Kind,
    Linear,
    Member,
    Module,
    Modules,
    Rows,
    Shape,
    class_copy,
    extended,
    kind_of,
    modules,
    shape_of,
    sources,
    unions,
)
from rdfinc.datalog.planning import backward, forward, negated, parameter_join
from rdfinc.reasoning.run import Columns, run
from rdfinc.reasoning.states import State
from rdfinc.reasoning.strata import Plans, Strata, of_classes
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch

Wanted = Callable[[Module, tuple[Member, ...]], bool]
"""Whether the relations of a module, copied from some others, are to be kept as one table."""


def _none(module: Module, sources: tuple[Member, ...]) -> bool:
    return False


def planned(clause: Clause) -> Plans:
    """All plans of a clause."""
    table = parameter_join(clause) if clause.parameters else None
    return Plans(clause, tuple(forward(clause)), tuple(negated(clause)), backward(clause), table)


def _linear(clause: Clause, losing: Clause | None) -> Plans:
    """All plans of a module's linear clause, and how it is read of lost facts."""
    plans = planned(clause)
    if losing is None:
        return plans
    _, by_rest = plans.forward
    _, by_first, _ = forward(losing)
    return replace(plans, losing=(by_first, by_rest))


def _represented(plans: Plans, equality: Equality, own: AbstractSet[int], several: bool) -> Plans:
    """The plans of a clause about representatives, for those rows in which some variables stand for
    relations held over their own terms, if there are several kinds of rows."""
    clause = over_representatives(plans.clause, equality, own)
    if several:
        clause = only_own(clause, equality, own)
    return plans if clause is plans.clause else planned(clause)


CHAINS = 4096
"""Chains of modules with other relations whose plans are remembered."""


class Compiled:
    """The clauses of a program with their plans. `negates` tells whether something must be complete
    before it is read. `external` names the hidden relation of a module's external facts by its
    first member."""

    def __init__(
        self, clauses: Iterable[Plans], type_: int, external: Callable[[int], int]
    ) -> None:
        self._planned = tuple(clauses)
        self._external = external
        self.clauses = tuple(each.clause for each in self._planned)
        self.type = type_
        self.schema = Schema(self.clauses, type_)
        self._shapes = tuple(map(shape_of, self.clauses))
        self._copies = tuple(map(class_copy, self.clauses))
        self._restricted: dict[tuple[int, int], tuple[Plans, Scope]] = {}
        self._of_chains: dict[tuple[Module, int, tuple[int, ...]], list[Plans]] = {}
        self._linear: dict[Module, list[Plans]] = {}
        self.written = all(
            clause.hidden(clause.body[i].p) for clause in self.clauses for i in clause.parameters
        )
        """Whether every parameter table holds what users wrote as rules, and nothing derived."""
        self.negates = any(clause.negative or clause.fold for clause in self.clauses)
        self.equality: Equality | None = None
        """Set where the clauses are about representatives."""
        self._represented: dict[Any, Compiled] = {}

    def _over_representatives(self, rows: Sequence[Rows]) -> Compiled | None:
        """The same program about representatives, if there is an equality and it can be so; with
        clauses apart for rows that are about relations held over their own terms."""
        equality = self._depending(rows)
        if equality is None:
            return None
        _, making = self._equality or (0, ())
        others = [i for i in range(len(self.clauses)) if i not in making]
        own = tuple(tuple(own_rows(self.clauses[i], rows[i], equality)) for i in others)
        program = self._represented.get((equality, own))
        if program is None:
            made = map(planned, for_own([self.clauses[i] for i in making], equality))
            changed = (
                _represented(self._planned[i], equality, each, len(variants) > 1)
                for i, variants in zip(others, own, strict=True)
                for each in variants
            )
            program = Compiled([*made, *changed], self.type, self._external)
            program.equality = equality
            self._represented = {(equality, own): program}
        return program

    def _depending(self, rows: Sequence[Rows]) -> Equality | None:
        """The equality, with the data that it depends on."""
        assert self._equality is not None
        relation, making = self._equality
        drawn = self._drawn(rows, Modules())
        drawn = [each for i, each in enumerate(drawn) if i not in making]
        low = below(drawn, relation)
        if low is None:
            return None
        external = self._external(relation)
        equality = Equality(relation, external, self._external(external))
        data = frozenset(node for node in low - {relation} if not self._says_which(node))
        if not data and acyclic(drawn, [relation]):
            return equality
        classes = frozenset(node - CLASS for node in data if node >= CLASS)
        own = frozenset(node for node in data if node < CLASS)
        if self.type in own or (classes and any(map(is_about_any_class, self.clauses))):
            return None
        return replace(equality, external=relation, own=own, classes=classes)

    @cached_property
    def _equality(self) -> tuple[int, tuple[int, ...]] | None:
        """The relation that is an equality, which others can be about representatives of, and the
        clauses that make it one."""
        found = equality_of(self.clauses)
        if found is None:
            return None
        others = (clause for i, clause in enumerate(self.clauses) if i not in found[1])
        return found if all(map(is_fit, others)) else None

    @cached_property
    def naming(self) -> Naming:
        return Naming(self.clauses)

    def strata(self, facts: State, wanted: Wanted, kept: Modules, linear: Wanted = _none) -> Strata:
        """The strata while all schema facts are among `facts`, which are closed but for those, with
        those modules that are `wanted` and do not depend on themselves, and those that do and are
        wanted closed by `linear` rules; `kept` are those whose external facts are among the facts.

        Raises Cycle. Cost: the parameter tables, and where rules that may derive any relation have
        instances, a look for those of the facts below the top.
        """
        if found := self.equated(facts, wanted, linear):
            return found
        rows = self._rows(facts)
        closed = self._modules(rows, wanted)
        cyclic = self._cyclic(rows, closed, linear)
        for several in (Modules([*closed.all, *cyclic]), closed) if cyclic else (closed,):
            if not several:
                break
            drawn, chained = self._drawn(rows, several), self._chained(rows, several)
            levels = stratify([*drawn, *chained.values(), *self._closing(several, rows)])
            strata = self._filled(levels, drawn, several, chained)
            if levels.settled and not (
                strata.free and strata.crossing(strata.lower_facts(facts, kept), facts)
            ):
                return strata
        return self._plain(self._drawn(rows, Modules()), facts)

    @property
    def equating(self) -> int:
        """The relation that is an equality, 0 if there is none."""
        return self._equality[0] if self._equality else 0

    def equated(self, facts: State, wanted: Wanted, linear: Wanted = _none) -> Strata | None:
        """The strata of the program about representatives, if it can be so and is wanted."""
        if self._equality is None:
            return None
        relation = self._equality[0]
        if not wanted(Module(self._external(relation), ((relation, True),)), ()):
            return None
        program = self._over_representatives(self._rows(facts))
        return program._equated(facts, wanted, linear) if program else None

    def _equated(self, facts: State, wanted: Wanted, linear: Wanted) -> Strata | None:
        """The strata about representatives; None if the equality is not wanted, or depends on
        more than what says which relations rules are about, or is read as any relation is."""
        equality = self.equality
        assert equality is not None
        rows = self._rows(facts)
        modules = self._modules(rows, wanted)
        if not modules.of.keys().isdisjoint({equality.relation, *equality.own}):
            return None
        cyclic = self._cyclic(rows, modules, linear)
        cyclic = [m for m in cyclic if equality.own.isdisjoint(r for r, _ in m.members)]
        first = [equality.module] if equality.is_closed else []
        modules = Modules([*first, *modules.all, *cyclic])
        drawn, chained = self._drawn(rows, modules), self._chained(rows, modules)
        all_drawn = [*drawn, *chained.values(), *self._closing(modules, rows)]
        low, tables = below(all_drawn, equality.external), feeding(all_drawn)
        if low is None or tables is None or equality.aliases in low:
            return None
        known = {equality.external, *equality.own, *(c + CLASS for c in equality.classes)}
        if not all(map(self._says_which, low - known)):
            return None
        levels = stratify([*all_drawn, *equating(all_drawn, low, equality)])
        if not levels.settled:
            return None
        strata = self._filled(replace(levels, watched=tables), drawn, modules, chained)
        strata.equality, strata.naming = replace(equality, low=frozenset(low)), self.naming
        return strata

    def _says_which(self, node: int) -> bool:
        """Whether a relation is a parameter table or hidden."""
        if node >= CLASS:
            return node - CLASS in self.schema.classes
        return node in self.schema or self.clauses[0].hidden(node)

    def _plain(self, drawn: Sequence[Dependency], facts: State) -> Strata:
        """The strata without modules."""
        learned: dict[Edge, Dependency] = {}
        while True:
            levels = stratify([*drawn, *learned.values()], settled=not learned)
            strata = self._filled(levels, drawn, Modules())
            lower = strata.lower_facts(facts, Modules()) if strata.free else {}
            crossing = strata.crossing(lower, facts)
            crossing -= learned.keys()
            if not crossing:
                return strata
            if not self.negates:
                return self.single()
            learned.update((edge, Dependency(edge[0], (edge[1],))) for edge in crossing)

    def _rows(self, facts: State) -> list[Rows]:
        """The parameter table of each clause."""
        return [_rows(plans, facts) for plans in self._planned]

    def outgrows(self, strata: Strata, facts: State) -> bool:
        """Whether, by the parameter tables in `facts`, a clause derives a relation of a lower
        stratum from one of a higher, where no plan looks for it. Cost: the tables of the clauses
        that derive something below the top."""
        levels = strata.levels
        return any(
            levels.rises(self._drawn_by(plans.clause, shape, _rows(plans, facts), strata.modules))
            for plans, shape in zip(self._planned, self._shapes, strict=True)
            if plans.parameters is not None and plans.clause not in strata.free
            if strata.reached[plans.clause] != {levels.top}
        )

    def _all_drawn(self, rows: Sequence[Rows], modules: Modules) -> list[Dependency]:
        """What each clause draws, and each that stands for a chain of a module."""
        return [*self._drawn(rows, modules), *self._chained(rows, modules).values()]

    def _drawn(self, rows: Sequence[Rows], modules: Modules) -> list[Dependency]:
        """What each clause draws with its parameter table."""
        every = zip(self.clauses, self._shapes, rows, strict=True)
        return [self._drawn_by(*each, modules) for each in every]

    def _drawn_by(
        self, clause: Clause, shape: Shape | None, rows: Rows, modules: Modules
    ) -> Dependency:
        """What a clause draws with its parameter table, but for the modules' own rows."""
        if shape and modules:
            mine = modules.internal_rows(shape.columns(rows))
            rows = {variable: column[~mine] for variable, column in rows.items()}
        return dependency(clause, rows, self.type).deriving(modules)

    def _chained(self, rows: Sequence[Rows], modules: Modules) -> dict[Plans, Dependency]:
        """The clauses that stand for chains of modules' members with other relations, and what
        each of them draws."""
        found: dict[Plans, Dependency] = {}
        for module in modules.all:
            if module.linear:
                steps = self._linear.get(module)
                if steps is None:
                    steps = [_linear(*c) for c in linear_clauses(self.clauses[0], module)]
                    self._linear[module] = steps
                drawn = (dependency(plans.clause, {}, self.type) for plans in steps)
                found |= zip(steps, (each.deriving(modules) for each in drawn), strict=True)
            for i, row in self._rows_of_chains(rows, module) if module.chained else ():
                key = module, i, tuple(row.values())
                clauses = self._of_chains.get(key)
                if clauses is None:
                    if len(self._of_chains) >= CHAINS:
                        self._of_chains.clear()
                    clauses = [planned(c) for c in external_clauses(self.clauses[i], row, module)]
                    self._of_chains[key] = clauses
                found |= {plans: dependency(plans.clause, {}, self.type) for plans in clauses}
        return found

    def _rows_of_chains(
        self, rows: Sequence[Rows], module: Module
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """The rows of a module's chains with other relations, each with the clause's place."""
        one = Modules([module])
        for i, (shape, columns) in enumerate(zip(self._shapes, rows, strict=True)):
            if shape is not None and shape.form is Form.CHAIN:
                mine = one.chained_rows(shape.columns(columns))
                chosen = (column[mine].tolist() for column in columns.values())
                for row in zip(*chosen, strict=True):
                    yield i, dict(zip(columns, row, strict=True))

    def _modules(self, rows: Sequence[Rows], wanted: Wanted) -> Modules:
        """The modules that are wanted, of data, and do not depend on themselves."""
        shaped = self._shaped(rows)
        found = self._good(
            [m for m in modules(shaped, self._external) if wanted(m, sources(m, shaped))], rows
        )
        while found:
            more = [m for m in unions(shaped, found, self._external) if wanted(m, m.parts)]
            larger = self._good([*found.all, *more], rows) if more else found
            if larger == found:
                break
            found = larger
        return found

    def _cyclic(self, rows: Sequence[Rows], closed: Modules, wanted: Wanted) -> list[Module]:
        """The modules of data, the `closed` ones left out, that are wanted with linear rules."""
        shaped, found = self._shaped(rows), []
        equality = self.equality.relation if self.equality else self.equating
        tables = {*self.schema.predicates, self.type, equality}
        for module in modules(shaped, self._external) if wanted is not _none else ():
            if tables.isdisjoint(relations := [r for r, _ in module.members]):
                kind = kind_of(module, shaped)
                if kind and kind.diagonal and closed.of.keys().isdisjoint(relations):
                    names = tuple(self._external(self._external(r)) for r in relations)
                    linear = replace(module, linear=Linear(kind, names))
                    if wanted(linear, sources(module, shaped)):
                        found.append(linear)
        return found

    def _good(self, chosen: Sequence[Module], rows: Sequence[Rows]) -> Modules:
        """Those of some modules that are of data and do not depend on themselves."""
        tables = self.schema.predicates | {self.type}
        of_data = Modules(m for m in chosen if tables.isdisjoint(r for r, _ in m.members))
        if not of_data:
            return of_data
        drawn = [*self._all_drawn(rows, of_data), *self._closing(of_data, rows)]
        good = acyclic(drawn, of_data.of)
        return Modules(m for m in of_data.all if good.issuperset(r for r, _ in m.members))

    def _shaped(self, rows: Sequence[Rows]) -> list[tuple[Shape, Rows]]:
        pairs = zip(self._shapes, rows, strict=True)
        return [(shape, columns) for shape, columns in pairs if shape is not None]

    def _closing(self, modules: Modules, rows: Sequence[Rows]) -> Iterator[Dependency]:
        for module in modules.all:
            one = Modules([module])
            tables = [
                table
                for shape, columns in self._shaped(rows)
                if one.internal_rows(shape.columns(columns)).any()
                for table in shape.tables
            ]
            yield from closing(module, tables)

    def kind(self, module: Module, facts: State) -> Kind | None:
        """Which closure the facts make of a module's members, None if not one of all."""
        if self.equality is not None and module.external == self.equality.external:
            return CLOSURE
        return kind_of(module, [(s, _rows(plans, facts)) for plans, s in self._shaped_plans()])

    def extended(self, facts: State) -> set[int]:
        """The relations whose subjects have by some rule all objects that others have."""
        found = extended([(shape, _rows(plans, facts)) for plans, shape in self.chains()])
        copies = compress(self.clauses, self._copies)
        if any(first_of_table(clause, facts).size for clause in copies):
            found.add(self.type)
        return found

    def apart(self) -> Compiled:
        """The same program, to draw strata that leave those in use as they are."""
        return Compiled(self._planned, self.type, self._external)

    def own(self, modules: Modules) -> Strata:
        """The rules that tie relations of modules to each other, and their chains with others, as
        what they say of the members; and others of the same shape."""
        scope = Scope()
        scope.modules = Modules(replace(m, chained=None) for m in modules.all if m.chained)
        strata = Strata(Levels(0), self.type, Modules())
        strata.add(
            planned(scope.only(plans.clause, shape)) if shape.form is Form.CHAIN else plans
            for plans, shape in self._shaped_plans()
            if shape.form is not Form.CHAIN or scope.modules
        )
        return strata

    def chains(self) -> Iterator[tuple[Plans, Shape]]:
        """The rules that may make relations transitive."""
        return (each for each in self._shaped_plans() if each[1].form is Form.CHAIN)

    def _shaped_plans(self) -> Iterator[tuple[Plans, Shape]]:
        pairs = zip(self._planned, self._shapes, strict=True)
        return ((plans, shape) for plans, shape in pairs if shape is not None)

    def single(self) -> Strata:
        """Everything in one stratum: right unless something is negated, sometimes slower."""
        return self._filled(Levels(0), [Dependency(None, ())] * len(self.clauses), Modules())

    def _filled(
        self,
        levels: Levels,
        drawn: Sequence[Dependency],
        modules: Modules,
        chained: Mapping[Plans, Dependency] = MappingProxyType({}),
    ) -> Strata:
        strata = Strata(levels, self.type, modules)
        if levels.top:
            strata.free = frozenset(compress(self.clauses, [d.head is None for d in drawn]))
            strata.needed = self.negates
        reached = [levels.reached(each) for each in drawn]
        strata.kind, strata.outgrown = self.kind, partial(self.outgrows, strata)
        if self.clauses:
            strata.hidden = self.clauses[0].hidden
        strata.tables = self.schema.predicates
        strata.heads = heads_of([*drawn, *chained.values()])
        strata.reached = dict(zip(self.clauses, reached, strict=True))
        for level in range(levels.top + 1):
            chosen = [i for i, at in enumerate(reached) if level in at]
            plans = [self._at(i, strata, level, drawn[i]) for i in chosen]
            strata.add([*plans, *(p for p, d in chained.items() if level in levels.reached(d))])
        return strata

    def _at(self, clause: int, strata: Strata, level: int, drawn: Dependency) -> Plans:
        """The plans of a clause in one stratum; where it works in several, by its parameter table,
        they are about the rows whose head is of this one. Rows of modules are left out."""
        plans, levels = self._planned[clause], strata.levels
        shape = self._shapes[clause] if strata.modules else None
        several = levels.known or len(levels.reached(drawn)) > 1
        if not isinstance(drawn.head, np.ndarray) or not (several or shape):
            return plans
        found = self._restricted.get((clause, level))
        if found is None:
            scope = Scope()
            found = planned(scope.only(plans.clause, self._shapes[clause])), scope
            self._restricted[clause, level] = found
        plans, scope = found
        nodes = set(drawn.head.tolist())
        mine = levels.only(nodes, level)
        scope.modules, scope.inside = strata.modules, several and level != levels.top
        scope.ids = scope.names(mine if scope.inside else nodes - mine)
        return plans

    def bare(self, strata: Strata, facts: State) -> AbstractSet[int]:
        """The relations that no clause derives with the parameter tables in `facts`, though one did
        when the strata were drawn; none where that cannot be told.

        From now on the clauses leave them out.
        """
        if not (strata.levels.known and self.written):
            return set()
        bare = strata.heads - heads_of(self._all_drawn(self._rows(facts), strata.modules))
        for _, scope in self._restricted.values():
            scope.leave_out(bare)
        return bare


class Scope:
    """Which rows of a clause's parameter table the plans of a stratum are about: those whose head
    is of the relations with the ids or, if not `inside`, of all others; none of a module's own."""

    def __init__(self) -> None:
        self.ids: set[int] = set()
        self.inside = False
        self.modules = Modules()

    def names(self, nodes: Iterable[int]) -> set[int]:
        """What the parameter tables call some derived relations."""
        members = self.modules.members
        return {name for node in nodes for name, _ in members(node % CLASS)}

    def leave_out(self, nodes: Iterable[int]) -> None:
        ids = self.names(nodes)
        self.ids = self.ids - ids if self.inside else self.ids | ids

    def only(self, clause: Clause, shape: Shape | None) -> Clause:
        """The clause with a filter on what its parameter table gives for the head's relation, and
        for its other relations if it can be a module's own."""
        head = clause.head.o if clause.head.p == clause.type else clause.head.p
        inputs = shape.relations if shape else (~head,)
        test = Computation(inputs, None, self._values, decide=self._decide)
        return replace(clause, computations=(*clause.computations, test))

    def _values(self, rows: Sequence[tuple[int, ...]]) -> list[int | None]:
        return [1 if self._holds(row) else None for row in rows]

    def _holds(self, row: tuple[int, ...]) -> bool:
        inside = (row[0] in self.ids) is self.inside
        return inside and not (self.modules and len(row) > 1 and self.modules.internal(row))

    def _decide(self, columns: Sequence[kernels.IdArray]) -> tuple[kernels.Mask, kernels.Mask]:
        found = kernels.members(columns[0], self.ids)
        found = found if self.inside else ~found
        if self.modules and len(columns) > 1:
            found &= ~self.modules.internal_rows(columns)
        return found, np.zeros(found.size, np.bool_)


class Schema:
    """The relations that parameter literals are about."""

    def __init__(self, clauses: Iterable[Clause], type_: int) -> None:
        literals = [clause.body[i] for clause in clauses for i in clause.parameters]
        self.predicates = {literal.p for literal in literals}
        self.classes = {literal.o for literal in literals if literal.p == type_}
        self._type = type_

    def __contains__(self, predicate: int) -> bool:
        return predicate in self.predicates

    def may_hold(self, predicates: Iterable[int]) -> bool:
        """Whether facts of some predicates may be of these relations."""
        return not self.predicates.isdisjoint(predicates)

    def only(self, batch: Batch) -> Batch:
        """The facts of the batch that are of these relations."""
        if not self.may_hold(batch):
            return {}
        chosen = {p: keys for p, keys in batch.items() if p in self.predicates}
        if self._type in chosen:
            chosen[self._type] = of_classes(chosen[self._type], self.classes, inside=True)
        return {p: keys for p, keys in chosen.items() if len(keys)}


def first_of_table(clause: Clause, facts: State) -> kernels.KeyArray:
    """The facts that the first parameter literal of a clause can be."""
    literal = clause.body[min(clause.parameters)]
    table = facts.table(literal.p)
    if literal.o < 0:
        return table.scan()
    _, subjects = table.by_objects(np.array([literal.o], np.uint32))
    return kernels.sort(kernels.pack(subjects, literal.o))


def _rows(plans: Plans, facts: State) -> Rows:
    """The columns of the clause's parameter table."""
    clause, plan = plans.clause, plans.parameters
    if plan is None:
        return {}
    keys = first_of_table(clause, facts)
    predicate = clause.body[min(clause.parameters)].p
    blocks = [b for b in run(plan, predicate, keys, (facts, facts)) if isinstance(b, Columns)]
    bound = {v for i in clause.parameters for v in clause.body[i].variables()}
    return {
        v: np.concatenate([kernels.NO_IDS, *(block.full(v) for block in blocks)]) for v in bound
    }
