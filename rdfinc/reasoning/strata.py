"""The strata of a program: which facts belong to them, and which plans read or derive those."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property

import numpy as np

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.dependency import CLASS, Edge, Levels
from rdfinc.datalog.equality import Equality, Naming
from rdfinc.datalog.modules import Kind, Module, Modules
from rdfinc.datalog.planning import Compute, Plan, Slots, Use, backward, ordered, positive
from rdfinc.reasoning.experience import Experience
from rdfinc.reasoning.run import Block, Column, Parts, States, complete, run
from rdfinc.reasoning.states import State, overlaid
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, gather, shaped
from rdfinc.tables.marks import Marks
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import Either, OnlyObjects, With

Relation = tuple[int, int | None]
"""A predicate, and under `rdf:type` a class if only its members are meant."""

Driven = tuple[tuple[Plan, ...], int, Keys]
"""Plans, and facts of a relation that drive them."""

RELATIONS = 4096
"""Relations whose plans an index remembers."""

ROWS = 64
"""Rows of parameter tables that are read once for a relation; more are looked up when needed."""


@dataclass(frozen=True)
class Plans:
    """The plans of a clause: driven by a body literal, by a negated literal, by the head; that of
    its parameter table, if it has one; and those that lost facts drive, if not the first."""

    clause: Clause
    forward: tuple[Plan, ...]
    negated: tuple[Plan, ...]
    backward: Plan
    parameters: Plan | None
    losing: tuple[Plan, ...] | None = None


class Strata:
    """The strata over some facts, bottom first.

    They stay right until a fact that they were drawn from is stated or withdrawn: `watches`.
    While they are `settled` such facts stay as they are. `free` are the clauses whose head may be
    any relation, where there is more than one stratum; `needed` tells that one stratum would be
    wrong, and not only slower.
    """

    def __init__(self, levels: Levels, type_: int, modules: Modules) -> None:
        self.levels, self.type, self.modules = levels, type_, modules
        self.list: list[Stratum] = []
        self.free: frozenset[Clause] = frozenset()
        self.reached: dict[Clause, AbstractSet[int]] = {}
        self.heads: AbstractSet[int] = frozenset()
        self.tables: AbstractSet[int] = frozenset()
        self.bare: AbstractSet[int] = frozenset()
        self.needed = False
        self.kind: Callable[[Module, State], Kind | None] = lambda module, facts: None
        self.outgrown: Callable[[State], bool] = lambda facts: False
        self.equality: Equality | None = None
        self.naming: Naming | None = None
        self.unchecked = True
        self.hidden: Callable[[int], bool] = lambda predicate: False
        self.settled = True
        self._lacking: set[int] = set()
        self.work_on({}, FactSet())
        self._classes_at: list[set[int]] = [set() for _ in range(levels.top + 1)]
        for class_, level in levels.classes.items():
            self._classes_at[level].add(class_)
        self._watched = levels.watched - {type_}
        self._watched_classes = {node - CLASS for node in levels.watched if node >= CLASS}
        self._classes_below = [
            set().union(*self._classes_at[:level]) for level in range(levels.top + 1)
        ]

    def add(self, clauses: Iterable[Plans]) -> None:
        """Adds the next stratum with the plans of its clauses."""
        self.list.append(Stratum(self, len(self.list), clauses))

    def work_on(self, before: Mapping[int, Table], added: FactSet) -> None:
        """Says which facts the plans asked for from now on are about: those before an update,
        and those that it adds. All parameter rows of lower strata must be among them when a
        stratum is worked on."""
        self._before, self._added = before, added
        self._shifted: dict[int, Table] = {}
        self.facts = State(before, (), added)

    def shift(self, predicate: int, old: Table, new: Table) -> None:
        """Says that the update keeps a relation in another table."""
        self._shifted[predicate] = Either((old, new))
        self.facts = State(overlaid(self._before, self._shifted), (), self._added)
        self.change({predicate: [0]})
        self.appear({predicate: [0]})

    def settle(self) -> None:
        """Says that no fact that the strata were drawn from changes from now on."""
        if not self.settled:
            self.settled = True
            self.forget()

    def change(self, *batches: Batch) -> None:
        """Says that an update, in the strata done so far, changes these facts."""
        if self.settled and any(map(self.watches, batches)):
            self.settled = False
            self.forget()
        elif not self.settled:
            for stratum in self.list:
                stratum.reread()

    def lacks(self, relations: Iterable[int]) -> bool:
        """Whether one of the relations has no fact before nor by now after the update."""
        before, added, shifted = self._before, self._added, self._shifted
        lacking = [p for p in relations if not (before.get(p) or added.get(p) or p in shifted)]
        self._lacking.update(lacking)
        return bool(lacking)

    def appear(self, batch: Batch) -> None:
        """Says that the update adds these facts."""
        if not self._lacking.isdisjoint(batch):
            self.forget()

    def forget(self) -> None:
        """Forgets what was found out about plans."""
        self._lacking.clear()
        for stratum in self.list:
            stratum.forget()

    def level(self, predicate: int, object_: int) -> int:
        """The level of a fact."""
        return self.levels.of(predicate, object_ if predicate == self.type else None)

    def node(self, predicate: int, object_: int) -> int:
        """The relation of a fact."""
        return object_ + CLASS if predicate == self.type else predicate

    def is_equality(self, module: Module) -> bool:
        """Whether a module says what is equal."""
        return self.equality is not None and module.external == self.equality.external

    def is_linear(self, predicate: int) -> bool:
        """Whether a relation is that of the external facts which linear rules close."""
        module = self.modules.by_external.get(predicate)
        return module is not None and module.linear is not None

    def is_own(self, predicate: int) -> bool:
        """Whether the facts of a relation are about terms as they are, where others are about
        representatives."""
        if self.equality is not None and self.equality.is_own(predicate):
            return True
        return self.hidden(predicate) and predicate not in self.modules.by_external

    def classes_of(self, level: int) -> set[int]:
        """The classes of a level; of the top those below it, all others being there."""
        return (self._classes_at if level < self.levels.top else self._classes_below)[level]

    def classes_below(self, level: int) -> set[int]:
        return self._classes_below[level]

    def watches(self, batch: Batch) -> bool:
        """Whether the strata may have to be drawn anew when some fact of the batch changes."""
        if not self._watched.isdisjoint(batch):
            return True
        types = batch.get(self.type)
        return types is not None and len(of_classes(types, self._watched_classes, inside=True)) > 0

    def below(self, batch: Batch, level: int) -> Batch:
        """The facts under a level."""
        if not level:
            return {}
        chosen: Batch = {}
        for predicate, keys in batch.items():
            if predicate != self.type:
                if self.levels.of(predicate, None) < level:
                    chosen[predicate] = keys
            elif len(some := of_classes(keys, self._classes_below[level], inside=True)):
                chosen[predicate] = some
        return chosen

    def misplaced(self, heads: Batch, level: int) -> Batch:
        """Of what the `free` clauses derive in a stratum, the facts under it, if any of those
        depends on a higher stratum than its own; where one stratum would do, in any case."""
        below = self.below(heads, level)
        return below if not self.needed or self.crossing(below, self.facts) else {}

    def crossing(self, lower: Batch, facts: State) -> set[Edge]:
        """(relation, relation of a higher stratum) where a `free` clause derives one of the lower
        facts from a fact of the second.

        Filters are not asked: at worst there are fewer strata than would do.
        """
        plans = [backward(positive(clause)) for clause in self.free] if lower else []
        plans = [plan for plan in plans if all(facts.table(p).at_most() for p in plan.needs)]
        return {
            edge
            for derived, keys in lower.items()
            for predicate, some in self.asked(derived, keys)
            for plan in plans
            if not plan.clause.hidden(predicate)
            for block in run(plan, predicate, some, (facts, facts))
            for edge in self._edges(block, plan)
        }

    def asked(self, predicate: int, keys: Keys) -> Iterator[tuple[int, Keys]]:
        """As what facts of a relation are derived: for external facts, as facts of each member, and
        by chains with other relations as such; for members as what linear rules derive."""
        module = self.modules.by_external.get(predicate)
        if module is not None and module.chained:
            yield predicate, keys
        for member, straight in self.modules.members(predicate):
            yield member, keys if straight else swapped(keys)

    def derived(self, batch: Batch) -> Batch:
        """Facts that are stated or derived, those of modules' members as external facts; what the
        modules' linear rules derive as facts of members."""
        if self.modules.renamed.keys().isdisjoint(batch):
            return batch
        return gather(self.turned({predicate: [keys] for predicate, keys in batch.items()}))

    def derives_as_named(self, plan: Plan) -> bool:
        """Whether what a plan derives is surely of the relation that its head names."""
        constant = _constant(plan, plan.head.p)
        return constant is not None and constant not in self.modules.renamed

    def turned(self, parts: Mapping[int, list[Keys]]) -> dict[int, list[Keys]]:
        """As `derived`, for groups of facts."""
        found: dict[int, list[Keys]] = {}
        for predicate, groups in parts.items():
            module = self.modules.of.get(predicate)
            straight = module is None or (predicate, True) in module.members
            turned = groups if straight else [kernels.swap(np.array(g, np.uint64)) for g in groups]
            found.setdefault(self.modules.derived(predicate), []).extend(turned)
        return found

    def _edges(self, block: Block, plan: Plan) -> Iterator[Edge]:
        """The edges that the instances of a block draw from a stratum to one that is not below it,
        or for a parameter literal not far enough."""
        heads = block.values((plan.head.p, plan.head.o))
        for i, at in enumerate(plan.body):
            barrier = self.levels.settled and i in plan.clause.parameters
            for (p, o), body in set(zip(heads, block.values((at.p, at.o)), strict=True)):
                head = self.modules.derived(p), o
                if self.level(*head) < self.level(*body) + barrier:
                    yield self.node(*head), self.node(*body)

    def lower_facts(self, facts: State, kept: Modules) -> Batch:
        """The facts below the top, aliases left out: of modules that are `kept` the external
        ones, of others, whose external facts are not apart yet, all. Cost: their number."""
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


def swapped(keys: Keys) -> Keys:
    """The facts with subject and object exchanged."""
    if isinstance(keys, list):
        return [(key & 0xFFFFFFFF) << 32 | key >> 32 for key in keys]
    return kernels.transposed(keys)


def of_classes(keys: Keys, classes: AbstractSet[int], *, inside: bool) -> Keys:
    """The facts of `rdf:type` whose class is, or is not, one of some."""
    if isinstance(keys, list):
        return [key for key in keys if ((key & 0xFFFFFFFF) in classes) == inside]
    found = kernels.members(kernels.low(keys), classes)
    return shaped(keys[found == inside])


class Reads(Enum):
    """What is read of a relation's facts."""

    NOTHING = auto()
    ENDS = auto()  # no rule depends on both ends of a pair
    PAIRS = auto()


class Stratum:
    """The relations of one level, the plans that derive them and those that read for them."""

    def __init__(self, strata: Strata, level: int, clauses: Iterable[Plans]) -> None:
        self.strata, self.level = strata, level
        self._classes = strata.classes_of(level)
        self.indexes: list[_Index] = []
        chosen = list(clauses)
        self.clauses = tuple(each.clause for each in chosen)
        rules = [each for each in chosen if each.clause.fold is None]
        self.drivers = Drivers(rules, self)
        self.losing = self.drivers
        self.groupings = [Grouping(each, self) for each in chosen if each.clause.fold is not None]
        self._derivers = _Index(ordered([each.backward for each in rules]), self)
        self._bodies: dict[Plan, Body] = {}
        self._reads: dict[int, Reads] = {}
        self.experience = Experience()
        self.closing = [m for m in strata.modules.all if not m.linear and self._closes(m)]
        self.cyclic = [m for m in strata.modules.all if m.linear and self._has_member(m)]
        self.made = (*self.closing, *self.cyclic)
        if self.cyclic:
            losing = [replace(p, forward=p.losing or p.forward) for p in rules]
            self.losing = Drivers(losing, self)

    def _closes(self, module: Module) -> bool:
        """Whether a module is known at the end of this stratum, and not before."""
        levels = self.strata.levels
        return min(levels.of(relation, None) for relation, _ in module.members) == self.level

    def _has_member(self, module: Module) -> bool:
        return any(self.holds(relation) for relation, _ in module.members)

    def derivers(self, predicate: int, keys: Keys) -> list[Driven]:
        """The plans whose head some of the facts can be, cheapest first, and these facts as facts
        of the relation that the plans derive."""
        if not self.strata.modules.all:
            return self._derivers.plans(predicate, keys)
        asked = self.strata.asked(predicate, keys)
        return [each for relation, some in asked for each in self._derivers.plans(relation, some)]

    def reads(self, predicate: int) -> Reads:
        """What is read of facts of a predicate, which is not rdf:type."""
        found = self._reads.get(predicate)
        if found is None:
            groupings = {grouping.drivers.reads(predicate) for grouping in self.groupings}
            found = self.drivers.reads(predicate) if groupings <= {Reads.NOTHING} else Reads.PAIRS
            self._reads[predicate] = found
        return found

    def holds(self, predicate: int) -> bool:
        """Whether facts of the predicate can be of this stratum."""
        strata = self.strata
        return predicate == strata.type or strata.levels.of(predicate, None) == self.level

    def select(self, batch: Batch) -> Batch:
        """The facts of this stratum."""
        levels = self.strata.levels
        of_node, top = levels.of_node, levels.top
        if not batch or not of_node:
            return batch
        chosen: Batch = {}
        for predicate, keys in batch.items():
            if predicate != self.strata.type:
                if of_node.get(predicate, top) == self.level:
                    chosen[predicate] = keys
            elif len(some := of_classes(keys, self._classes, inside=self.level < top)):
                chosen[predicate] = some
        return chosen

    def above(self, batch: Batch) -> Batch:
        """The facts of higher strata."""
        strata = self.strata
        if not batch or self.level == strata.levels.top:
            return {}
        chosen: Batch = {}
        for predicate, keys in batch.items():
            if predicate != strata.type:
                if strata.levels.of(predicate, None) > self.level:
                    chosen[predicate] = keys
            elif len(some := of_classes(keys, strata.classes_below(self.level + 1), inside=False)):
                chosen[predicate] = some
        return chosen

    def body(self, plan: Plan) -> Body:
        """Where the body literals of a plan lie."""
        found = self._bodies.get(plan)
        if found is None:
            found = self._bodies[plan] = Body(plan, self)
        return found

    def finished(self, plan: Plan, predicate: int, keys: Keys, states: States) -> Iterator[Block]:
        """The matches of a plan whose driver is one of some facts. Of a clause that may derive any
        relation only those of which no body fact is of a higher stratum, where it may still go."""
        strata = self.strata
        if plan.clause not in strata.free or self.level == strata.levels.top:
            return run(plan, predicate, keys, states)
        return self._not_above(plan, run(plan.whole(), predicate, keys, states))

    def _not_above(self, plan: Plan, blocks: Iterator[Block]) -> Iterator[Block]:
        """Those of the matches of which no body fact is of a higher stratum."""
        for block in blocks:
            facts = [block.values((at.p, at.o)) for at in plan.body]
            mask = [
                all(self.strata.level(p, o) <= self.level for p, o in row)
                for row in zip(*facts, strict=True)
            ]
            if any(mask):
                yield block.keep(mask)

    def forget(self) -> None:
        """Forgets what it has found out about plans."""
        self._bodies.clear()
        self.reread()
        for index in self.indexes:
            index.forget()

    def reread(self) -> None:
        """Forgets what it reads, which depends on the strata below."""
        self._reads.clear()

    def is_below(self, predicate: int, object_: int) -> bool:
        """Whether a fact is of a lower stratum."""
        return self.strata.level(predicate, object_) < self.level


class Drivers:
    """The plans of some clauses by what drives them."""

    def __init__(self, clauses: Sequence[Plans], stratum: Stratum) -> None:
        self._readers = _Index((plan for each in clauses for plan in each.forward), stratum)
        self._deniers = _Index((plan for each in clauses for plan in each.negated), stratum)

    def reads(self, predicate: int) -> Reads:
        """What the plans read of facts of a predicate, which is not rdf:type."""
        if any(True for _ in self._deniers.driven(predicate)):
            return Reads.PAIRS
        plans = list(self._readers.driven(predicate))
        if all(plan.reads_one_end() for plan in plans):
            return Reads.ENDS if plans else Reads.NOTHING
        return Reads.PAIRS

    def readers(self, batch: Batch) -> list[Driven]:
        """Plans with a body literal that the facts can be."""
        return self._readers.of_batch(batch)

    def deniers(self, batch: Batch) -> list[Driven]:
        """Plans with a negated literal that the facts can be."""
        return self._deniers.of_batch(batch)


class Grouping:
    """A clause with a fold: the plans from facts to groups, and from a group to its solutions."""

    def __init__(self, plans: Plans, stratum: Stratum) -> None:
        assert plans.clause.fold is not None
        self.fold = plans.clause.fold
        self.drivers = Drivers([plans], stratum)
        self.backward = plans.backward


class Body:
    """The body literals of a plan: `inside` are those that can be about the stratum at hand, and
    `search` is the plan with matches that tell of these and the head alone."""

    def __init__(self, plan: Plan, stratum: Stratum) -> None:
        self._plan, self._stratum = plan, stratum
        verdicts = [(self._verdict(at), at) for at in plan.body]
        self._inside = [(at, below) for below, at in verdicts if below is not True]
        self.inside = [at for at, _ in self._inside]
        told = {slot for at in (plan.head, *self.inside) for slot in (at.s, at.p, at.o)}
        unread = not told.issuperset(range(plan.variables))
        self.search = plan.telling(frozenset(told)) if unread else plan

    @cached_property
    def derives(self) -> Plan:
        """The plan with matches that tell of the head alone."""
        head = self._plan.head
        return self._plan.telling(frozenset((head.s, head.p, head.o)))

    def _verdict(self, at: Slots) -> bool | None:
        """Whether the literal's relation is in a lower stratum; None if that depends."""
        stratum = self._stratum
        if not stratum.level:
            return False
        predicates = self._values(at.p)
        if predicates is None:
            return None
        objects = self._values(at.o) if stratum.strata.type in predicates else predicates
        if objects is None:
            return None
        verdicts = {stratum.is_below(p, o) for p, o in zip(predicates, objects, strict=True)}
        return verdicts.pop() if len(verdicts) == 1 else None

    def _values(self, slot: int) -> list[int] | None:
        """What the slot is for each row of values that the plan is given, if that is known."""
        plan = self._plan
        if slot in plan.given:
            place = plan.given.index(slot)
            return [row[place] for row in plan.rows]
        constant = _constant(plan, slot)
        return None if constant is None else [constant] * len(plan.rows)

    def proved(self, block: Block, proved: Marks) -> Block:
        """The matches whose body facts are all proved or of lower strata."""
        is_below = self._stratum.is_below
        for at, below in self._inside:
            mask = block.marked(at, proved)
            if below is None:
                facts = zip(mask, block.values((at.p, at.o)), strict=True)
                mask = [there or is_below(*fact) for there, fact in facts]
            if not all(mask):
                block = block.keep(mask)
        return block

    def facts(self, block: Block) -> Parts:
        """The body facts of matches, as far as they can be of this stratum."""
        parts = Parts()
        for at in self.inside:
            block.emit(at, parts)
        return parts

    def heads(self, block: Block) -> Batch:
        """The heads of matches, as they are derived."""
        if not len(block):
            return {}
        parts = Parts()
        block.emit(self._plan.head, parts)
        return self._stratum.strata.derived(gather(parts))


class _Index:
    """Plans by the relation that drives them, in their order, as far as they can have matches.

    They have none while a relation that they need is empty, or if the parameter tables of lower
    strata have no row for the relation. While nothing below changes these rows are read once, and
    the plans go on after them.
    """

    def __init__(self, plans: Iterable[Plan], stratum: Stratum) -> None:
        self._stratum, self._type = stratum, stratum.strata.type
        self._all = list(plans)
        self._of: dict[Relation, tuple[Plan, ...]] = {}
        stratum.indexes.append(self)

    def of_batch(self, batch: Batch) -> list[Driven]:
        found: list[Driven] = []
        for predicate, keys in batch.items():
            found += self.plans(predicate, keys)
        return found

    def plans(self, predicate: int, keys: Keys) -> list[Driven]:
        """The plans that some of the facts can drive, with those facts."""
        class_ = None
        if predicate == self._type:
            if not isinstance(keys, list):
                groups = kernels.by_low(keys) or ((None, keys),)
                return [(self._plans(predicate, c), predicate, shaped(some)) for c, some in groups]
            if len(keys) > 1:
                return self._by_class(keys)
            class_ = keys[0] & 0xFFFFFFFF
        plans = self._of.get((predicate, class_))
        if plans is None:
            plans = self._plans(predicate, class_)
        return [(plans, predicate, keys)] if plans else []

    def _by_class(self, keys: list[int]) -> list[Driven]:
        """The same for a few facts of `rdf:type`."""
        classes: dict[int, list[int]] = {}
        for key in keys:
            classes.setdefault(key & 0xFFFFFFFF, []).append(key)
        return [(self._plans(self._type, c), self._type, some) for c, some in classes.items()]

    def driven(self, predicate: int) -> Iterator[Plan]:
        """The plans that facts of a predicate, which is not rdf:type, can drive; also while the
        parameter tables of lower strata change, by their rows before and after."""
        for plan in self._plans(predicate, None):
            known = self._known(plan, predicate, None)
            if known is not None and self._rest(plan, known).rows:
                yield plan

    def forget(self) -> None:
        """Finds everything anew when it is asked for."""
        self._of.clear()

    def _plans(self, predicate: int, class_: int | None) -> tuple[Plan, ...]:
        found = self._of.get((predicate, class_))
        if found is None:
            if len(self._of) >= RELATIONS:
                self._stratum.forget()
            found = self._of[predicate, class_] = tuple(self._found(predicate, class_))
        return found

    def _found(self, predicate: int, class_: int | None) -> Iterator[Plan]:
        strata = self._stratum.strata
        for plan in self._all:
            known = self._known(plan, predicate, class_)
            if known is not None and not strata.lacks(plan.needs):
                rest = self._rest(plan, known) if strata.settled else plan
                if rest.rows:
                    yield rest

    def _rest(self, plan: Plan, known: dict[int, int]) -> Plan:
        """The plan after its first steps, as far as they are the same for all facts of the
        relation and their matches are few."""
        count = self._leading(plan, known)
        if not count:
            return plan
        slots: list[Column] = [known.get(slot, value) for slot, value in enumerate(plan.blank)]
        strata = self._stratum.strata
        facts = strata.facts
        bound = plan.bound_by(count)
        blocks = complete(plan.steps[:count], slots, (facts, facts))
        rows = tuple(row for block in blocks for row in block.values(bound))
        if len(rows) > ROWS:
            return plan
        places = [place for place, slot in enumerate(bound) if slot in plan.read_after(count)]
        rows = tuple(row for row in rows if not strata.lacks(row[place] for place in places))
        return plan.after(count, rows)

    def _leading(self, plan: Plan, known: Iterable[int]) -> int:
        """How many steps match parameter literals of lower strata and use only what is known."""
        found = {*known, *range(plan.variables, len(plan.blank))}
        below = {
            plan.body[i] for i in plan.clause.parameters if self._is_below(plan.clause.body[i])
        }
        for count, step in enumerate(plan.steps):
            if isinstance(step, Compute):
                if step.use is not Use.FILTER or not found.issuperset(step.computation.inputs):
                    return count
                continue
            if step.at not in below:
                return count
            used = [slot for slot, bound in ((step.at.s, step.s), (step.at.o, step.o)) if bound]
            if not used or not found.issuperset(used):
                return count
            found.update((step.at.s, step.at.o))
        return len(plan.steps)

    def _is_below(self, literal: Pattern) -> bool:
        """Whether all facts that a parameter literal can match lie in lower strata."""
        strata, levels = self._stratum.strata, self._stratum.strata.levels
        class_ = literal.o if literal.p == strata.type else None
        return levels.settled and levels.of(literal.p, class_) < self._stratum.level

    def _known(self, plan: Plan, predicate: int, class_: int | None) -> dict[int, int] | None:
        """The values of slots under a driver of the relation; None if it cannot drive the plan."""
        at = plan.driver
        constant = _constant(plan, at.p)
        if constant is None and plan.clause.hidden(predicate) and not self._names(plan, predicate):
            return None
        if constant not in (None, predicate) or self._of_another_level(plan, predicate):
            return None
        known = {at.p: predicate}
        if class_ is not None:
            if _constant(plan, at.o) not in (None, class_):
                return None
            known[at.o] = class_
        has_rows = all(self._has_row(plan, i, known) for i in plan.clause.parameters)
        return known if has_rows else None

    def _of_another_level(self, plan: Plan, predicate: int) -> bool:
        """Whether the head has the driver's predicate, and the clause derives that elsewhere: where
        all that its body asks of other relations is known by then."""
        strata = self._stratum.strata
        if plan.head.p != plan.driver.p or predicate == strata.type:
            return False
        if predicate in strata.modules.of:
            return False
        level = strata.levels.of(predicate, None)
        if level == self._stratum.level or level not in strata.reached.get(plan.clause, ()):
            return False
        named = [literal for literal in plan.clause.body if literal.p > 0]
        return all(strata.level(literal.p, literal.o) <= level for literal in named)

    def _names(self, plan: Plan, predicate: int) -> bool:
        """Whether the parameter table may give a hidden predicate as the driver's."""
        if predicate in self._stratum.strata.tables:
            return False
        slots = [plan.body[i] for i in plan.clause.parameters]
        return any(plan.driver.p in (at.s, at.o) for at in slots)

    def _has_row(self, plan: Plan, parameter: int, known: dict[int, int]) -> bool:
        """Whether the parameter literal has a match, as far as is known before it is asked."""
        literal, at = plan.clause.body[parameter], plan.body[parameter]
        if not self._is_below(literal):
            return True
        s = known.get(at.s, _constant(plan, at.s))
        o = known.get(at.o, _constant(plan, at.o))
        return self._stratum.strata.facts.table(literal.p).count(s, o) > 0


def _constant(plan: Plan, slot: int) -> int | None:
    return None if slot < plan.variables else plan.blank[slot]


class Proved(State):
    """`facts` for the relations of a stratum, `after` for those below it."""

    def __init__(self, stratum: Stratum, after: State, facts: FactSet) -> None:
        super().__init__({}, (), facts)
        self._stratum, self._after = stratum, after

    def _view(self, predicate: int) -> Table:
        stratum, mine = self._stratum, super()._view(predicate)
        if not stratum.level:
            return mine
        if predicate != stratum.strata.type:
            below = stratum.strata.levels.of(predicate, None) < stratum.level
            return self._after.table(predicate) if below else mine
        classes = stratum.strata.classes_below(stratum.level)
        return With(OnlyObjects(self._after.table(predicate), classes), mine) if classes else mine

    def negated(self, predicate: int) -> Table:
        return self._after.table(predicate)

    def predicates(self) -> list[int]:
        return self._after.predicates()
