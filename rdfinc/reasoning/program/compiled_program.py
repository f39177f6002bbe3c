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

from rdfinc.datalog.analysis.modules import (
    ClauseRole,
    ClosureKind,
    Module,
    Modules,
    Shape,
    class_copy,
    extended,
    kind_of,
    shape_of,
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
    equating,
    feeding,
    heads_of,
    stratify,
)
from rdfinc.datalog.transform.representatives import (
    CLOSURE,
    Equality,
    Naming,
    equality_of,
    for_own,
    is_about_any_class,
    is_fit,
    names_own,
    own_rows,
)
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.parameter_tables import Schema, first_of_table, rows_of
from rdfinc.reasoning.program.plans import ModulePlans, Plans, planned, represented
from rdfinc.reasoning.program.program_graph import Drawn, Wanted, drawn_by
from rdfinc.reasoning.program.row_filter import RowFilter
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.equality.aliases import NONE
from rdfinc.tables.views import EMPTY


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
        self._restricted: dict[tuple[int, int], tuple[Plans, RowFilter]] = {}
        self._of_modules = ModulePlans()
        self.written = all(
            clause.hidden(clause.body[i].p) for clause in self.clauses for i in clause.parameters
        )
        """Whether every parameter table holds what users wrote as rules, and nothing derived."""
        self.negates = any(clause.negative or clause.fold for clause in self.clauses)
        self.equality: Equality | None = None
        """Set where the clauses are about representatives."""
        self._written_for: list[tuple[Plans, Sequence[frozenset[int]]]] = []
        """Of the clauses that these were made from, the kinds of rows that there were then."""
        self._represented: dict[Any, Compiled] = {}

    def _over_representatives(self, drawn: Drawn) -> Compiled | None:
        """The same program about representatives, if there is an equality and it can be so; with
        clauses apart for rows that are about relations held over their own terms."""
        equality = self._depending(drawn)
        if equality is None:
            return None
        _, making = self._equality or (0, ())
        others = [i for i in range(len(self.clauses)) if i not in making]
        own = tuple(tuple(own_rows(self.clauses[i], drawn.rows[i], equality)) for i in others)
        own = tuple(kinds or (frozenset[int](),) for kinds in own)
        program = self._represented.get((equality, own))
        if program is None:
            made = map(planned, for_own([self.clauses[i] for i in making], equality))
            changed = (
                represented(self._planned[i], equality, each, len(variants) > 1)
                for i, variants in zip(others, own, strict=True)
                for each in variants
            )
            program = Compiled([*made, *changed], self.type, self._external)
            program.equality = equality
            program._written_for = [
                (self._planned[i], kinds)
                for i, kinds in zip(others, own, strict=True)
                if names_own(self.clauses[i], equality)
            ]
            self._represented = {(equality, own): program}
        return program

    def _depending(self, drawn: Drawn) -> Equality | None:
        """The equality, with the data that it depends on."""
        assert self._equality is not None
        relation, making = self._equality
        others = [d for i, d in enumerate(drawn.by_clause(Modules())) if i not in making]
        low = below(others, relation)
        if low is None:
            return None
        external = self._external(relation)
        equality = Equality(relation, external, self._external(external), low=frozenset(low))
        data = frozenset(node for node in low - {relation} if not self._says_which(node))
        if not data and acyclic(others, [relation]):
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

    def strata(
        self,
        facts: State,
        wanted: Wanted,
        kept: Modules,
        linear: Wanted | None = None,
        *,
        lasting: bool = True,
    ) -> Strata:
        """The strata while all schema facts are among `facts`, which are closed but for those, with
        those modules that are `wanted` and do not depend on themselves, and those that do and are
        wanted closed by `linear` rules; `kept` are those whose external facts are among the facts.
        Unless these are `lasting`, what rules negate may go.

        Raises Cycle. Cost: the parameter tables, and where rules that may derive any relation have
        instances, a look for those of the facts below the top.
        """
        if found := self.equated(facts, wanted, kept, linear):
            return found
        drawn = self._drawn(facts)
        closed = drawn.closed(wanted)
        cyclic = drawn.cyclic(closed, linear, self.equating) if linear else []
        for several in (Modules([*closed.all, *cyclic]), closed) if cyclic else (closed,):
            if not several:
                break
            each, chained = drawn.by_clause(several), drawn.by_chain(several)
            levels = _settled([*each, *chained.values(), *drawn.by_modules(several)])
            if levels is None:
                continue
            strata = self._filled(levels, each, several, chained)
            if not (strata.free and self._crosses(strata, facts, kept)):
                return strata
        return self._plain(drawn.by_clause(Modules()), facts, lasting=lasting)

    @property
    def equals(self) -> list[Clause]:
        """The clauses that make an equality: that it is symmetric, that it is transitive, and that
        equals may stand where others do."""
        return [self.clauses[i] for i in self._equality[1]] if self._equality else []

    @property
    def equating(self) -> int:
        """The relation that is an equality, 0 if there is none."""
        return self._equality[0] if self._equality else 0

    def equated(
        self, facts: State, wanted: Wanted, kept: Modules, linear: Wanted | None = None
    ) -> Strata | None:
        """The strata of the program about representatives, if it can be so and is wanted."""
        if self._equality is None:
            return None
        relation = self._equality[0]
        if not wanted(Module(self._external(relation), ((relation, True),)), ()):
            return None
        program = self._over_representatives(self._drawn(facts))
        return program._equated(facts, wanted, kept, linear) if program else None

    def _equated(
        self, facts: State, wanted: Wanted, kept: Modules, linear: Wanted | None
    ) -> Strata | None:
        """The strata about representatives; None if the equality is not wanted, or depends on
        more than what says which relations rules are about, or is read as any relation is, or on
        the negation of a relation that it closes, or on what rules make of any relation."""
        equality = self.equality
        assert equality is not None
        drawn = self._drawn(facts)
        modules = drawn.closed(wanted)
        if not modules.of.keys().isdisjoint({equality.relation, *equality.own}):
            return None
        cyclic = drawn.cyclic(modules, linear, equality.relation) if linear else []
        cyclic = [m for m in cyclic if equality.own.isdisjoint(r for r, _ in m.members)]
        first = [equality.module] if equality.is_closed else []
        modules = Modules([*first, *modules.all, *cyclic])
        each, chained = drawn.by_clause(modules), drawn.by_chain(modules)
        all_drawn = [*each, *chained.values(), *drawn.by_modules(modules)]
        low, tables = below(all_drawn, equality.external), feeding(all_drawn)
        if low is None or tables is None or equality.aliases in low:
            return None
        if not equality.low <= low | {equality.relation}:
            return None
        known = {equality.external, *equality.own, *(c + CLASS for c in equality.classes)}
        if not all(map(self._says_which, low - known)):
            return None
        levels = _settled([*all_drawn, *equating(all_drawn, low, equality)])
        if levels is None:
            return None
        levels = replace(levels, watched=tables - {equality.aliases})
        strata = self._filled(levels, each, modules, chained)
        strata.equality, strata.naming = replace(equality, low=frozenset(low)), self.naming
        return None if strata.free and self._crosses(strata, facts, kept) else strata

    def _crosses(self, strata: Strata, facts: State, kept: Modules) -> bool:
        """Whether the strata are too fine for facts; where these are not about representatives yet,
        each term stands for itself."""
        equality = self.equality
        if equality is not None and facts.table(equality.aliases) is EMPTY:
            facts = facts.instead({equality.aliases: NONE})
        return bool(strata.crossing(strata.lower_facts(facts, kept), facts, lasting=True))

    def _says_which(self, node: int) -> bool:
        """Whether a relation is a parameter table or hidden."""
        if node >= CLASS:
            return node - CLASS in self.schema.classes
        return node in self.schema or self.clauses[0].hidden(node)

    def _plain(self, drawn: Sequence[Dependency], facts: State, *, lasting: bool) -> Strata:
        """The strata without modules."""
        learned: set[Dependency] = set()
        while True:
            levels = stratify([*drawn, *learned], settled=not learned)
            strata = self._filled(levels, drawn, Modules())
            lower = strata.lower_facts(facts, Modules()) if strata.free else {}
            crossing = strata.crossing(lower, facts, lasting=lasting) - learned
            if not crossing:
                return strata
            if not self.negates:
                return self.single()
            learned |= crossing

    def _drawn(self, facts: State) -> Drawn:
        """What the clauses draw with the parameter tables in some facts."""
        rows = [rows_of(plans, facts) for plans in self._planned]
        tables, plans = self.schema.predicates, self._of_modules
        return Drawn(
            self.clauses, self._shapes, self._bare, rows, self.type, tables, self._external, plans
        )

    @cached_property
    def _bare(self) -> tuple[Dependency | None, ...]:
        """What the clauses draw that have no parameter table."""
        return tuple(
            dependency(plans.clause, {}, self.type) if plans.parameters is None else None
            for plans in self._planned
        )

    def outgrows(self, strata: Strata, facts: State) -> bool:
        """Whether, by the parameter tables in `facts`, a clause derives a relation of a lower
        stratum from one of a higher, where no plan looks for it; or one is about representatives
        in another way than it was written. Cost: the tables of the clauses that derive something
        below the top, or are written in several ways."""
        levels = strata.levels
        if self._is_rewritten(facts):
            return True
        return any(
            levels.rises(
                drawn_by(plans.clause, shape, rows_of(plans, facts), self.type, strata.modules)
            )
            for plans, shape in zip(self._planned, self._shapes, strict=True)
            if plans.parameters is not None and plans.clause not in strata.free
            if strata.reached[plans.clause] != {levels.top}
        )

    def _is_rewritten(self, facts: State) -> bool:
        """Whether parameter tables have rows of kinds that clauses were not written for."""
        equality = self.equality
        return equality is not None and any(
            not set(own_rows(plans.clause, rows_of(plans, facts), equality)) <= {*kinds}
            for plans, kinds in self._written_for
        )

    def kind(self, module: Module, facts: State) -> ClosureKind | None:
        """Which closure the facts make of a module's members, None if not one of all."""
        if self.equality is not None and module.external == self.equality.external:
            return CLOSURE
        return kind_of(module, [(s, rows_of(plans, facts)) for plans, s in self._shaped_plans()])

    def extended(self, facts: State) -> set[int]:
        """The relations whose subjects have by some rule all objects that others have."""
        found = extended([(shape, rows_of(plans, facts)) for plans, shape in self.chains()])
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
        scope = RowFilter()
        scope.modules = Modules(replace(m, chained=None) for m in modules.all if m.chained)
        strata = Strata(Levels(0), self.type, Modules())
        strata.add(
            planned(scope.only(plans.clause, shape)) if shape.form is ClauseRole.CHAIN else plans
            for plans, shape in self._shaped_plans()
            if shape.form is not ClauseRole.CHAIN or scope.modules
        )
        return strata

    def chains(self) -> Iterator[tuple[Plans, Shape]]:
        """The rules that may make relations transitive."""
        return (each for each in self._shaped_plans() if each[1].form is ClauseRole.CHAIN)

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
            scope = RowFilter()
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
        bare = strata.heads - heads_of(self._drawn(facts).all(strata.modules))
        for _, scope in self._restricted.values():
            scope.leave_out(bare)
        return bare


def _settled(dependencies: Sequence[Dependency]) -> Levels | None:
    """Levels with all parameter tables complete before the stratum that reads them; None if there
    are none, or if by what modules and representatives add something depends on its negation."""
    try:
        levels = stratify(dependencies)
    except Cycle:
        return None
    return levels if levels.settled else None
