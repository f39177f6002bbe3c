"""A compiled program: its clauses with all their plans, and the strata that are made of it.

`Compiled.make_strata` is where strata are made; `relation_hypergraph.stratify` finds their levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import compress
from types import MappingProxyType
from typing import Any

import numpy as np
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import (
    ClauseRole,
    ClosureKind,
    Module,
    Modules,
    Rows,
    Shape,
    Surroundings,
    class_copy,
    extended,
    kind_of,
    shape_of,
    surroundings,
)
from rdfinc.datalog.clause import Clause
from rdfinc.datalog.compile.relation_hypergraph import (
    CLASS,
    Cycle,
    Dependency,
    Levels,
    acyclic,
    below,
    dependency,
    edges_of_equality,
    feeding,
    heads_of,
    stratify,
)
from rdfinc.datalog.transform.representatives import (
    CLOSURE,
    OVER_REPRESENTATIVES,
    Equality,
    Naming,
    RowKind,
    derives_any_class,
    equality_of,
    for_own,
    is_about_any_class,
    is_fit,
    names_own,
    row_kinds,
)
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.parameter_tables import (
    Schema,
    TableIndex,
    has_first_of_table,
    rows_of,
)
from rdfinc.reasoning.program.plans import ModulePlans, Plans, planned, rewritten_plans
from rdfinc.reasoning.program.program_graph import ProgramGraph, Wanted, edges_of
from rdfinc.reasoning.program.row_filter import RowFilter, names
from rdfinc.reasoning.program.signature import Signature
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.equality.aliases import NONE
from rdfinc.tables.facts import Batch
from rdfinc.tables.views import EMPTY


class Compiled:
    """The clauses of a program with their plans. `negates` says that some relation must be complete
    before a clause reads it."""

    def __init__(self, clauses: Iterable[Plans], signature: Signature) -> None:
        self._planned = tuple(clauses)
        self.signature = signature
        self.clauses = tuple(each.clause for each in self._planned)
        self.schema = Schema(self.clauses, signature.type)
        self._shapes = tuple(map(shape_of, self.clauses))
        self._copies = tuple(map(class_copy, self.clauses))
        self._restricted: dict[tuple[int, int], tuple[RowFilter, Plans]] = {}
        self._of_modules = ModulePlans()
        self.written = all(
            clause.is_auxiliary(clause.body[i].p)
            for clause in self.clauses
            for i in clause.parameters
        )
        """Whether every parameter table holds rules written by users, and nothing derived."""
        self.negates = any(clause.negative or clause.fold for clause in self.clauses)
        self.equality: Equality | None = None
        """The equality, if the clauses are over representatives."""
        self._rewritten_for: list[tuple[Plans, Sequence[RowKind]]] = []
        """For each clause rewritten over representatives, the kinds of rows in its parameter table
        then."""
        self._rewritten: dict[Any, Compiled] = {}

    def _rewritten_program(self, graph: ProgramGraph) -> Compiled | None:
        """The same program over representatives; None without an equality that allows it. Rows
        about relations held over their own terms get clauses of their own."""
        equality = self._depending(graph)
        if equality is None:
            return None
        _, making = self._equality or (0, ())
        others = [i for i in range(len(self.clauses)) if i not in making]
        found = (row_kinds(self.clauses[i], graph.rows[i], equality) for i in others)
        kinds = tuple(tuple(each) or (OVER_REPRESENTATIVES,) for each in found)
        program = self._rewritten.get((equality, kinds))
        if program is None:
            made = map(planned, for_own([self.clauses[i] for i in making], equality))
            changed = (
                rewritten_plans(self._planned[i], equality, each, len(variants) > 1)
                for i, variants in zip(others, kinds, strict=True)
                for each in variants
            )
            program = Compiled([*made, *changed], self.signature)
            program.equality = equality
            program._rewritten_for = [
                (self._planned[i], variants)
                for i, variants in zip(others, kinds, strict=True)
                if names_own(self.clauses[i], equality)
            ]
            self._rewritten = {(equality, kinds): program}
        return program

    def _depending(self, graph: ProgramGraph) -> Equality | None:
        """The equality, with the data relations that it depends on."""
        assert self._equality is not None
        relation, making = self._equality
        others = [d for i, d in enumerate(graph.by_clause(Modules())) if i not in making]
        low = below(others, relation)
        if low is None:
            return None
        name = self.signature.external
        external = name(relation)
        equality = Equality(relation, external, name(external), low=frozenset(low))
        data = frozenset(node for node in low - {relation} if not self._says_which(node))
        if not data and acyclic(others, [relation]):
            return equality
        classes = frozenset(node - CLASS for node in data if node >= CLASS)
        own = frozenset(node for node in data if node < CLASS)
        if self.signature.type in own or (classes and self._is_about_any_class(graph)):
            return None
        return replace(equality, external=relation, own=own, classes=classes)

    def _is_about_any_class(self, graph: ProgramGraph) -> bool:
        """Whether a clause reads the members of any class, or a row has one derive them."""
        read = any(map(is_about_any_class, self.clauses))
        return read or any(map(derives_any_class, self.clauses, graph.rows))

    @cached_property
    def _equality(self) -> tuple[int, tuple[int, ...]] | None:
        """An equality relation over whose representatives all other clauses can be, and the clauses
        that make it an equality."""
        found = equality_of(self.clauses)
        if found is None:
            return None
        others = (clause for i, clause in enumerate(self.clauses) if i not in found[1])
        return found if all(map(is_fit, others)) else None

    @cached_property
    def naming(self) -> Naming:
        return Naming(self.clauses)

    def make_strata(
        self,
        facts: State,
        wanted: Wanted,
        kept: Modules,
        linear: Wanted | None = None,
        *,
        negated_stay: bool = True,
        after: State | None = None,
    ) -> Strata:
        """The strata over `facts`, which hold all schema facts and are closed but for these.

        Modules that do not depend on themselves are closures if `wanted`. Others are closed by
        linear rules if `linear` wants them. `facts` hold the external facts of `kept` modules.
        Unless `negated_stay`, negated facts may go. Where rules go, `after` are the facts after
        that.

        Raises Cycle. Cost: the parameter tables. If clauses with variable heads have instances,
        they are looked for among the facts below the top.
        """
        if found := self.make_rewritten_strata(facts, wanted, kept, linear):
            return found
        graph = self._graph_of(facts)
        closed, asked = graph.closed(wanted)
        found = self._modular(graph, closed, linear, facts, kept, after)
        strata = found or self._plain(
            graph.by_clause(Modules()), facts, after, negated_stay=negated_stay
        )
        return replace(strata, untabled=asked - strata.modules.tabled)

    def _modular(
        self,
        graph: ProgramGraph,
        closed: Modules,
        linear: Wanted | None,
        facts: State,
        kept: Modules,
        after: State | None,
    ) -> Strata | None:
        """The strata with `closed` modules and those closed by linear rules; with the former alone
        if there are no strata with both; None if there are none with these."""
        cyclic = graph.cyclic(closed, linear, self.equality_relation) if linear else []
        for several in (Modules([*closed.all, *cyclic]), closed) if cyclic else (closed,):
            if not several:
                break
            each, chained = graph.by_clause(several), graph.by_chain(several)
            levels = _settled([*each, *chained.values(), *graph.by_modules(several)])
            if levels is None:
                continue
            strata = self._filled(levels, each, several, chained, after)
            if not (strata.free and self._crosses(strata, facts, kept)):
                return strata
        return None

    @property
    def equals(self) -> list[Clause]:
        """The clauses that make an equality: symmetry, transitivity, and the replacement of equals
        by equals."""
        return [self.clauses[i] for i in self._equality[1]] if self._equality else []

    @property
    def equality_relation(self) -> int:
        """The equality relation, 0 if there is none."""
        return self._equality[0] if self._equality else 0

    def make_rewritten_strata(
        self, facts: State, wanted: Wanted, kept: Modules, linear: Wanted | None = None
    ) -> Strata | None:
        """The strata of the program over representatives; None if that is not wanted, or not
        possible."""
        if self._equality is None:
            return None
        relation = self._equality[0]
        if not wanted(Module(self.signature.external(relation), ((relation, True),)), ()):
            return None
        program = self._rewritten_program(self._graph_of(facts))
        return program._make_rewritten(facts, wanted, kept, linear) if program else None

    def _make_rewritten(
        self, facts: State, wanted: Wanted, kept: Modules, linear: Wanted | None
    ) -> Strata | None:
        """The strata over representatives. None in five cases: the equality is not wanted; it
        depends on relations other than parameter tables and auxiliary ones; a clause reads it
        through a variable for a relation; it depends on the negation of a relation that it closes;
        it depends on clauses with variable heads."""
        equality = self.equality
        assert equality is not None
        graph = self._graph_of(facts)
        modules, asked = graph.closed(wanted)
        if not modules.of.keys().isdisjoint({equality.relation, *equality.own}):
            return None
        cyclic = graph.cyclic(modules, linear, equality.relation) if linear else []
        cyclic = [m for m in cyclic if equality.own.isdisjoint(r for r, _ in m.members)]
        first = [equality.module] if equality.is_closed else []
        modules = Modules([*first, *modules.all, *cyclic])
        each, chained = graph.by_clause(modules), graph.by_chain(modules)
        dependencies = [*each, *chained.values(), *graph.by_modules(modules)]
        low, tables = below(dependencies, equality.external), feeding(dependencies)
        if low is None or tables is None or equality.aliases in low:
            return None
        if not equality.low <= low | {equality.relation}:
            return None
        known = {equality.external, *equality.own, *(c + CLASS for c in equality.classes)}
        if not all(map(self._says_which, low - known)):
            return None
        levels = _settled([*dependencies, *edges_of_equality(dependencies, low, equality)])
        if levels is None:
            return None
        levels = replace(levels, watched=tables - {equality.aliases})
        strata = replace(
            self._filled(levels, each, modules, chained),
            equality=replace(equality, low=frozenset(low)),
            naming=self.naming,
            untabled=asked - modules.tabled,
        )
        return None if strata.free and self._crosses(strata, facts, kept) else strata

    def _crosses(self, strata: Strata, facts: State, kept: Modules) -> bool:
        """Whether the strata are too fine for facts. Without aliases each term stands for
        itself."""
        equality = self.equality
        if equality is not None and facts.table(equality.aliases) is EMPTY:
            facts = facts.instead({equality.aliases: NONE})
        return bool(strata.crossing(strata.lower_facts(facts, kept), facts, negated_stay=True))

    def _says_which(self, node: int) -> bool:
        """Whether a relation is a parameter table or auxiliary."""
        if node >= CLASS:
            return node - CLASS in self.schema.classes
        return node in self.schema or self.signature.is_auxiliary(node)

    def _plain(
        self,
        dependencies: Sequence[Dependency],
        facts: State,
        after: State | None,
        *,
        negated_stay: bool,
    ) -> Strata:
        """The strata without modules."""
        learned: set[Dependency] = set()
        while True:
            levels = stratify([*dependencies, *learned], settled=not learned)
            strata = self._filled(levels, dependencies, Modules(), after=after)
            lower = strata.lower_facts(facts, Modules()) if strata.free else {}
            crossing = strata.crossing(lower, facts, negated_stay=negated_stay) - learned
            if not crossing:
                return strata
            if not self.negates:
                return self.single()
            learned |= crossing

    def _graph_of(self, facts: State) -> ProgramGraph:
        """The edges of all clauses for the parameter tables in some facts."""
        rows = [rows_of(plans, facts) for plans in self._planned]
        tables, plans = self.schema.predicates, self._of_modules
        return ProgramGraph(
            self.clauses, self._shapes, self._bare, rows, self.signature, tables, plans
        )

    @cached_property
    def _bare(self) -> tuple[Dependency | None, ...]:
        """The edges of each clause without a parameter table, None for the others."""
        return tuple(
            dependency(plans.clause, {}, self.signature.type) if plans.parameters is None else None
            for plans in self._planned
        )

    def outgrows(self, strata: Strata, facts: State, added: Batch | None) -> bool:
        """Whether the strata do not fit the parameter tables in `facts`: a row makes a clause
        derive a relation of a lower stratum from a higher one, and no plan looks for it, or a row
        is of a kind that its clause was not rewritten for. If `added` are given, the strata fit
        the rows without these facts. Cost: the rows with them, or else the tables of clauses with
        heads below the top, and of rewritten clauses."""
        levels = strata.levels
        if not self._are_of_known_kinds(facts, added):
            return True

        def is_below(i: int) -> bool:
            clause = self.clauses[i]
            return clause not in strata.free and strata.reached[clause] != {levels.top}

        return any(
            levels.rises(
                edges_of(
                    self.clauses[i], self._shapes[i], rows, self.signature.type, strata.modules
                )
            )
            for i, rows in _rows(self._planned, is_below, self._tables, facts, added)
        )

    def foundation(self, facts: State) -> AbstractSet[int]:
        """The parameter tables that are not auxiliary, and all that they depend on by other clauses
        than the equality's. Empty if that may be anything, or the equality is part of it."""
        relation, making = self._equality or (0, ())
        drawn = self._graph_of(facts).by_clause(Modules())
        others = [each for i, each in enumerate(drawn) if i not in making]
        if any(each.derives_any for each in others):
            return frozenset()
        predicates = self.schema.predicates - {self.signature.type, relation}
        tables = {p for p in predicates if not self.signature.is_auxiliary(p)}
        tables |= {class_ + CLASS for class_ in self.schema.classes if class_ > 0}
        found = below(others, *tables)
        return frozenset() if found is None or relation in found else found

    def undermines(self, levels: Levels, facts: State, rows: Batch) -> bool:
        """Whether rows with some new facts of parameter tables have a clause derive any relation,
        or one below the top from a higher level; those of the equality are left out."""
        _, making = self._equality or (0, ())
        found = self._tables.rows_with(rows, facts, lambda i: i not in making)
        edges = (dependency(self.clauses[i], some, self.signature.type) for i, some in found)
        return any(each.derives_any or levels.rises(each) for each in edges)

    def strata_stay(
        self, strata: Strata, changed: Batch, facts: State, near: Callable[[], Surroundings]
    ) -> bool:
        """Whether strata made anew would order and tie nothing else, be the `changed` facts of
        parameter tables there or not; False also where only strata made anew tell that. `facts` are
        all known facts with the changed ones; `near` finds the surroundings of the strata.

        What is ordered is reached from parameter tables, representatives, modules and what is
        negated or aggregated, by edges from heads to bodies; and what keeps others from being
        modules is reached from these. So a row whose head is neither adds and takes away nothing,
        if it negates and aggregates nothing, can change no module (see `Surroundings`) and is of a
        kind that its clause was rewritten for. A row about any relation has its whole clause be so.
        Clauses with variable heads are watched while their instances are found, whatever brings
        these; beside a negation strata are too fine only where one of these crosses them, which the
        facts before the update tell. Strata that are not settled do not tell what is reached: any
        row may be the one that keeps them so.
        """
        levels = strata.levels
        if levels.known or not levels.settled or (self.negates and strata.free):
            return False
        ordered = levels.of_node.keys() | levels.watched | strata.modules.of.keys()
        for i, rows in self._tables.rows_with(changed, facts, _any):
            edges = dependency(self.clauses[i], rows, self.signature.type)
            if edges.derives(ordered) or edges.reads_any or edges.completes:
                return False
            shape, around = self._shapes[i], near()
            if around.feeding is None or edges.derives(around.feeding):
                return False
            if shape and around.meet(shape, rows):
                return False
        return self._are_of_known_kinds(facts, changed)

    def surroundings(self, strata: Strata, facts: State) -> Surroundings:
        """The surroundings of the relations that may be modules, or more: rows that come while the
        strata stay add nothing to them."""
        feeding: set[int] | None = set()
        if strata.untabled:
            feeding = below(self._graph_of(facts).by_clause(Modules()), *strata.untabled)
        return surroundings(self._shaped_rows(facts), feeding)

    def _are_of_known_kinds(self, facts: State, changed: Batch | None) -> bool:
        """Whether the rows of parameter tables, or those with some facts, are of kinds that their
        clauses were rewritten for."""
        equality, written = self.equality, self._rewritten_for
        return equality is None or all(
            set(row_kinds(written[i][0].clause, rows, equality)) <= {*written[i][1]}
            for i, rows in _rows(
                [plans for plans, _ in written], _any, self._written_tables, facts, changed
            )
        )

    @cached_property
    def _tables(self) -> TableIndex:
        return TableIndex(self._planned)

    @cached_property
    def _written_tables(self) -> TableIndex:
        """The parameter tables of clauses as they were before they were rewritten."""
        return TableIndex([plans for plans, _ in self._rewritten_for])

    def kind(self, module: Module, facts: State) -> ClosureKind | None:
        """The closure that the facts make of a module's members; None if they are not one
        closure."""
        if self.equality is not None and module.external == self.equality.external:
            return CLOSURE
        return kind_of(module, self._shaped_rows(facts))

    def extended(self, facts: State) -> set[int]:
        """The relations with a copying rule between subjects: one subject has all objects of
        another."""
        found = extended([(shape, rows_of(plans, facts)) for plans, shape in self.chains()])
        copies = compress(self.clauses, self._copies)
        if any(has_first_of_table(clause, facts) for clause in copies):
            found.add(self.signature.type)
        return found

    def own(self, modules: Modules) -> Strata:
        """Strata of the rules that tie members of modules to each other, and of the modules' chains
        with other relations, as rules about members; rules of the same shapes are among them."""
        chained = Modules(replace(m, chained=None) for m in modules.all if m.chained)
        scope = RowFilter(frozenset(), False, chained)
        plans = tuple(
            planned(scope.only(plans.clause, shape)) if shape.form is ClauseRole.CHAIN else plans
            for plans, shape in self._shaped_plans()
            if shape.form is not ClauseRole.CHAIN or chained
        )
        return replace(self.single(), clauses=(plans,))

    def chains(self) -> Iterator[tuple[Plans, Shape]]:
        """The rules that may make relations transitive."""
        return (each for each in self._shaped_plans() if each[1].form is ClauseRole.CHAIN)

    def _shaped_rows(self, facts: State) -> list[tuple[Shape, Rows]]:
        """The clauses that may be a module's own, with the rows of their parameter tables."""
        return [(shape, rows_of(plans, facts)) for plans, shape in self._shaped_plans()]

    def _shaped_plans(self) -> Iterator[tuple[Plans, Shape]]:
        pairs = zip(self._planned, self._shapes, strict=True)
        return ((plans, shape) for plans, shape in pairs if shape is not None)

    def single(self) -> Strata:
        """Everything in one stratum: right unless something is negated, sometimes slower."""
        return self._filled(Levels(0), [Dependency(None, ())] * len(self.clauses), Modules())

    def _filled(
        self,
        levels: Levels,
        dependencies: Sequence[Dependency],
        modules: Modules,
        chained: Mapping[Plans, Dependency] = MappingProxyType({}),
        after: State | None = None,
    ) -> Strata:
        heads, several = heads_of([*dependencies, *chained.values()]), levels.top > 0
        ruleless: AbstractSet[int] = frozenset()
        if after is not None and levels.known and self.written:
            ruleless = heads - heads_of(self._graph_of(after).all(modules))
        reached = [levels.reached(each) for each in dependencies]
        plans = [
            (
                *(
                    self._at(i, level, levels, modules, dependencies[i], ruleless)
                    for i, at in enumerate(reached)
                    if level in at
                ),
                *(each for each, d in chained.items() if level in levels.reached(d)),
            )
            for level in range(levels.top + 1)
        ]
        free = compress(self.clauses, [several and each.derives_any for each in dependencies])
        return Strata(
            program=self,
            signature=self.signature,
            schema=self.schema,
            levels=levels,
            modules=modules,
            clauses=tuple(plans),
            reached=dict(zip(self.clauses, reached, strict=True)),
            heads=heads,
            free=frozenset(free),
            needed=several and self.negates,
            ruleless=ruleless,
        )

    def _at(
        self,
        clause: int,
        level: int,
        levels: Levels,
        modules: Modules,
        edges: Dependency,
        ruleless: AbstractSet[int],
    ) -> Plans:
        """The plans of a clause in one stratum. A clause that works in several strata by its
        parameter table has plans for the rows with heads of this stratum; for all, where a head may
        be any relation. Rows of modules are left out, and those of `ruleless` relations."""
        plans, shape = self._planned[clause], self._shapes[clause] if modules else None
        several = levels.known or len(levels.reached(edges)) > 1
        if not isinstance(edges.head, np.ndarray) or not (several or shape):
            return plans
        if edges.derives_any:
            return plans if shape is None else self._filtered(clause, level, _all_but(modules))
        nodes = set(edges.head.tolist())
        mine, inside = levels.only(nodes, level), several and level != levels.top
        ids = names(mine - ruleless if inside else (nodes - mine) | (nodes & ruleless), modules)
        return self._filtered(clause, level, RowFilter(ids, inside, modules))

    def _filtered(self, clause: int, level: int, scope: RowFilter) -> Plans:
        """The plans of a clause in a stratum for the rows of a filter; of the last filter there
        they are remembered."""
        known, plans = self._restricted.get((clause, level), (None, None))
        if plans is None or known != scope:
            plans = planned(scope.only(self.clauses[clause], self._shapes[clause]))
            self._restricted[clause, level] = scope, plans
        return plans


def _rows(
    clauses: Sequence[Plans],
    chosen: Callable[[int], bool],
    tables: TableIndex,
    facts: State,
    some: Batch | None,
) -> Iterator[tuple[int, Rows]]:
    """The chosen clauses with parameter tables that have rows, with these; only those that `some`
    facts make, if they are given."""
    if some is not None:
        yield from tables.rows_with(some, facts, chosen)
        return
    for i, plans in enumerate(clauses):
        if plans.parameters is not None and chosen(i):
            yield i, rows_of(plans, facts)


def _any(_: int) -> bool:
    """Chooses every clause."""
    return True


def _all_but(modules: Modules) -> RowFilter:
    """The rows that are no module's own."""
    return RowFilter(frozenset(), False, modules)


def _settled(dependencies: Sequence[Dependency]) -> Levels | None:
    """Levels with all parameter tables complete before the stratum that reads them. None if there
    are no such levels, or if the edges of modules and representatives close a cycle through
    negation."""
    try:
        levels = stratify(dependencies)
    except Cycle:
        return None
    return levels if levels.settled else None
