"""The strata of a program: the level of each fact, and the relations on which the levels depend.

They are made in `compiled_program` (`Compiled.make_strata`), and used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import ClosureKind, Module, Modules, Surroundings
from rdfinc.datalog.clause import Clause
from rdfinc.datalog.compile.planning import Plan, backward, positive
from rdfinc.datalog.compile.relation_hypergraph import CLASS, Dependency, Levels
from rdfinc.datalog.transform.representatives import OBJECT, SUBJECT, Equality, Naming
from rdfinc.reasoning.evaluation.run import Block, run
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.parameter_tables import Schema
from rdfinc.reasoning.program.plans import Plans
from rdfinc.reasoning.program.signature import Signature
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, of_classes, shaped, swapped
from rdfinc.tables.table import Keys

Take = Callable[[Batch], Batch]
"""Takes some of the facts of a batch."""


class Stratifiable(Protocol):
    """The program that strata are made of."""

    def kind(self, module: Module, facts: State) -> ClosureKind | None: ...

    @property
    def equality_relation(self) -> int: ...

    def outgrows(self, strata: Strata, facts: State, added: Batch | None) -> bool: ...

    def foundation(self, facts: State) -> AbstractSet[int]: ...

    def undermines(self, levels: Levels, facts: State, rows: Batch) -> bool: ...

    def surroundings(self, strata: Strata, facts: State) -> Surroundings: ...

    def strata_stay(
        self, strata: Strata, changed: Batch, facts: State, near: Callable[[], Surroundings]
    ) -> bool: ...


class Strata(Struct, frozen=True, eq=False, dict=True):
    """The strata of a program over some facts: a value, made by `Compiled.make_strata`.

    It stays right until a fact that it was made from is stated or withdrawn (`watches`), and longer
    if such a fact changes no order (`Compiled.strata_stay`). `clauses` are those of each level,
    bottom first; `reached` are the levels in which each of them derives facts. `heads` are the
    derived relations; `ruleless` are those that lose all their rules in the update for which the
    strata are made. `untabled` are the relations that depend on themselves, so that no table keeps
    them, though a module of them is wanted.
    """

    program: Stratifiable
    signature: Signature
    schema: Schema
    levels: Levels
    modules: Modules
    clauses: tuple[tuple[Plans, ...], ...]
    reached: Mapping[Clause, AbstractSet[int]]
    heads: AbstractSet[int]
    free: frozenset[Clause]
    """The clauses with variable heads, if there is more than one stratum."""
    needed: bool
    """Whether a single stratum would be wrong, and not only slower."""
    ruleless: AbstractSet[int] = frozenset()
    untabled: AbstractSet[int] = frozenset()
    equality: Equality | None = None
    naming: Naming | None = None

    @cached_property
    def type(self) -> int:
        return self.signature.type

    @cached_property
    def transitive(self) -> frozenset[int]:
        """The relations that no table closes, and of which a clause says that two steps make
        one."""
        said = frozenset(each.transitive for level in self.clauses for each in level)
        return said.difference((0, self.type), self.modules.of)

    @cached_property
    def _classes_at(self) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in range(self.levels.top + 1)]
        for class_, level in self.levels.classes.items():
            found[level].add(class_)
        return found

    @cached_property
    def _classes_below(self) -> list[set[int]]:
        at = self._classes_at
        return [set().union(*at[:level]) for level in range(self.levels.top + 1)]

    @cached_property
    def _below(self) -> list[Take]:
        return [self._of_levels(range(n), classes) for n, classes in enumerate(self._classes_below)]

    @cached_property
    def _watched(self) -> tuple[AbstractSet[int], set[int]]:
        """The relations on which the levels depend, and the classes."""
        watched = self.levels.watched
        classes = {node - CLASS for node in watched if node >= CLASS}
        return watched - {self.type}, classes

    def level(self, predicate: int, object_: int) -> int:
        """The level of a fact."""
        return self.levels.of(predicate, object_ if predicate == self.type else None)

    def node(self, predicate: int, object_: int) -> int:
        """The relation of a fact."""
        return object_ + CLASS if predicate == self.type else predicate

    def is_equality(self, module: Module) -> bool:
        """Whether a module is the equality."""
        return self.equality is not None and module.external == self.equality.external

    def is_linear(self, predicate: int) -> bool:
        """Whether a relation holds the external facts of a module closed by linear rules."""
        module = self.modules.by_external.get(predicate)
        return module is not None and module.linear is not None

    def is_own(self, predicate: int) -> bool:
        """Whether a relation is held over its own terms, where others are over representatives."""
        if self.equality is not None and self.equality.is_own(predicate):
            return True
        return self.signature.is_auxiliary(predicate) and predicate not in self.modules.by_external

    @cached_property
    def naming_ends(self) -> dict[tuple[int, int | None], int]:
        """The relations (or classes) whose facts must not be about terms with equals, and the ends
        of their facts for which that holds."""
        equality, naming = self.equality, self.naming
        assert equality is not None and naming is not None
        found = dict(naming.ends)
        own = {*equality.own, *(class_ + CLASS for class_ in equality.classes)}
        for node in equality.low - own - {equality.relation, equality.external}:
            if node >= CLASS:
                found[self.type, node - CLASS] = SUBJECT
            elif not self.signature.is_auxiliary(node) and node != self.type:
                found[node, None] = SUBJECT | OBJECT
        return found

    def at(self, level: int) -> Take:
        """A function that takes the facts of a level out of a batch."""
        classes = self._classes_at if level < self.levels.top else self._classes_below
        return self._of_levels(range(level, level + 1), classes[level])

    def above(self, level: int) -> Take:
        """A function that takes the facts above a level out of a batch."""
        top = self.levels.top
        return self._of_levels(range(level + 1, top + 1), self._classes_below[min(level + 1, top)])

    def below(self, batch: Batch, level: int) -> Batch:
        """The facts below a level."""
        return self._below[level](batch)

    def _of_levels(self, levels: range, classes: set[int]) -> Take:
        """A function that takes the facts of consecutive levels out of a batch. `classes` are the
        classes of these levels. If the top is one of them, they are the classes below them, for all
        others are there.

        An update takes facts often: all that can be known is known before.
        """
        if not levels:
            return lambda batch: {}
        if len(levels) > self.levels.top:
            return lambda batch: batch
        level_of, top, type_ = self.levels.of_node.get, self.levels.top, self.type
        first, last, inside = levels.start, levels.stop - 1, top not in levels

        def take(batch: Batch) -> Batch:
            if not batch:
                return batch
            chosen: Batch = {}
            for predicate, keys in batch.items():
                if predicate != type_:
                    if first <= level_of(predicate, top) <= last:
                        chosen[predicate] = keys
                elif len(some := of_classes(keys, classes, inside=inside)):
                    chosen[predicate] = some
            return chosen

        return take

    def classes_below(self, level: int) -> set[int]:
        return self._classes_below[level]

    def watches(self, batch: Batch) -> bool:
        """Whether a change of these facts may need other strata."""
        relations, classes = self._watched
        if not relations.isdisjoint(batch):
            return True
        types = batch.get(self.type)
        return types is not None and len(of_classes(types, classes, inside=True)) > 0

    def misplaced(self, heads: Batch, level: int, facts: State) -> Batch:
        """The facts below a level among heads that `free` clauses derive in it, if one of them
        depends on a stratum above its own. If a single stratum would do, all facts below the level.
        """
        below = self.below(heads, level)
        if not self.needed or self.crossing(below, facts, negated_stay=False):
            return below
        return {}

    def crossing(self, lower: Batch, facts: State, *, negated_stay: bool) -> set[Dependency]:
        """The edges missing in the strata: `free` clauses derive one of the lower facts over them,
        from a relation that is not as far below the head as it must be.

        Negated facts block an instance if `negated_stay`. Over representatives neither negation
        nor filters are asked: at worst there are fewer strata than would do.
        """

        def asked(clause: Clause) -> Clause:
            if self.equality is not None:
                return positive(clause)
            return clause if negated_stay else replace(clause, negative=())

        plans = [(clause, backward(asked(clause))) for clause in (self.free if lower else ())]
        plans = [each for each in plans if all(facts.table(p).at_most() for p in each[1].needs)]
        return {
            drawn
            for derived, keys in lower.items()
            for predicate, some in self.asked(derived, keys)
            for clause, plan in plans
            if not clause.is_auxiliary(predicate)
            for block in run(plan, predicate, some, (facts, facts))
            for drawn in self._drawn(block, plan, clause)
        }

    def asked(self, predicate: int, keys: Keys) -> Iterator[tuple[int, Keys]]:
        """The relations as which facts can be derived: external facts as facts of each member, and
        as such by chains with other relations; members as heads of linear rules."""
        module = self.modules.by_external.get(predicate)
        if module is not None and module.chained:
            yield predicate, keys
        for member, straight in self.modules.members(predicate):
            yield member, keys if straight else swapped(keys)

    def derived(self, batch: Batch) -> Batch:
        """Stated or derived facts under the relations that keep them: external facts for modules'
        members, and members for the heads of linear rules."""
        if self.modules.renamed.keys().isdisjoint(batch):
            return batch
        return gather(self.turned({predicate: [keys] for predicate, keys in batch.items()}))

    def derives_as_named(self, plan: Plan) -> bool:
        """Whether the head of a plan names the relation that keeps its facts."""
        constant = plan.constant(plan.head.p)
        return constant is not None and constant not in self.modules.renamed

    def turned(self, parts: Mapping[int, list[Keys]]) -> dict[int, list[Keys]]:
        """The same as `derived`, for groups of facts."""
        found: dict[int, list[Keys]] = {}
        for predicate, groups in parts.items():
            module = self.modules.of.get(predicate)
            straight = module is None or (predicate, True) in module.members
            turned = groups if straight else [kernels.swap(np.array(g, np.uint64)) for g in groups]
            found.setdefault(self.modules.derived(predicate), []).extend(turned)
        return found

    def _drawn(self, block: Block, plan: Plan, clause: Clause) -> Iterator[Dependency]:
        """The edges of a block's instances whose body is not below the head, or not as far as a
        complete relation must be."""
        heads, folded = block.values((plan.head.p, plan.head.o)), self.levels.folded
        for i, (column, negated) in enumerate(relations_read(block, plan, clause)):
            barrier = self.levels.settled and i in clause.parameters
            for (p, o), body in set(zip(heads, column, strict=True)):
                head, complete = (self.modules.derived(p), o), negated or body[0] in folded
                if self.level(*head) < self.level(*body) + (complete or barrier):
                    negative = frozenset({0} if complete else ())
                    yield Dependency(self.node(*head), (self.node(*body),), negative=negative)

    def lower_facts(self, facts: State, kept: Modules) -> Batch:
        """The facts below the top, without aliases. `kept` modules have their external facts apart;
        of other modules all facts are taken. Cost: their number."""
        made = {*self.modules.of, self.equality.aliases if self.equality else 0}
        relations = [p for p in self.levels.of_node if p < CLASS and p not in made]
        lower = {p: shaped(facts.table(p).scan()) for p in relations}
        for module in self.modules.all:
            if module not in kept.all:
                members: dict[int, list[Keys]]
                members = {p: [facts.table(p).scan()] for p, _ in module.members}
                lower[module.external] = gather(self.turned(members)).get(module.external, [])
        classes = np.array(sorted(self._classes_below[-1]), np.uint32)
        at, subjects = facts.table(self.type).by_objects(classes)
        lower[self.type] = shaped(np.sort(kernels.pack(subjects, classes[at])))
        return {p: keys for p, keys in lower.items() if len(keys)}


def relations_read(
    block: Block, plan: Plan, clause: Clause
) -> Iterator[tuple[list[tuple[int, ...]], bool]]:
    """For each literal of a clause, body first: the (predicate, object) of its fact in each match
    of a plan, where the object tells the relation, and whether the literal is negated."""
    for at in plan.body:
        yield block.values((at.p, at.o)), False
    for literal in clause.negative:
        terms = literal.p, literal.o if literal.p == clause.type else literal.p
        columns = (block.values((~t,)) if t < 0 else [(t,)] * len(block) for t in terms)
        yield [(p, o) for (p,), (o,) in zip(*columns, strict=True)], True
