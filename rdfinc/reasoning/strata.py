"""The strata of a program: which facts belong to them, and which plans read or derive those."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.dependency import CLASS, Edge, Levels
from rdfinc.datalog.planning import Plan, backward, ordered, positive
from rdfinc.reasoning.run import Block, run
from rdfinc.reasoning.states import State
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, shaped
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import OnlyObjects, With

Relation = tuple[int, int | None]
"""A predicate, and under `rdf:type` a class if only its members are meant."""

Group = tuple[tuple[int, ...], tuple[Plan, ...]]
"""Relations that must not be empty, and plans that need them."""


@dataclass(frozen=True)
class Plans:
    """The plans of a clause: driven by a body literal, by a negated literal, by the head; and that
    of its parameter table, if it has one."""

    clause: Clause
    forward: tuple[Plan, ...]
    negated: tuple[Plan, ...]
    backward: Plan
    parameters: Plan | None


class Strata:
    """The strata over some facts, bottom first.

    They stay right until a fact that they were drawn from is stated or withdrawn: `watches`.
    `free` are the clauses whose head may be any relation, where there is more than one stratum;
    `needed` tells that one stratum would be wrong, and not only slower.
    """

    def __init__(self, levels: Levels, type_: int) -> None:
        self.levels, self.type = levels, type_
        self.list: list[Stratum] = []
        self.free: frozenset[Clause] = frozenset()
        self.reached: dict[Clause, AbstractSet[int]] = {}
        self.heads: AbstractSet[int] = frozenset()
        self.bare: AbstractSet[int] = frozenset()
        self.needed = False
        self.work_on({}, FactSet())
        self._classes_at: list[set[int]] = [set() for _ in range(levels.top + 1)]
        for class_, level in levels.classes.items():
            self._classes_at[level].add(class_)
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
        self.facts = State(before, (), added)

    def is_empty(self, predicate: int) -> bool:
        """Whether the relation has no fact before nor by now after the update."""
        return not (self._before.get(predicate) or self._added.tables.get(predicate))

    def level(self, predicate: int, object_: int) -> int:
        """The level of a fact."""
        return self.levels.of(predicate, object_ if predicate == self.type else None)

    def node(self, predicate: int, object_: int) -> int:
        """The relation of a fact."""
        return object_ + CLASS if predicate == self.type else predicate

    def classes_below(self, level: int) -> set[int]:
        return self._classes_below[level]

    def watches(self, batch: Batch) -> bool:
        """Whether the strata may have to be drawn anew when some fact of the batch changes."""
        watched = self.levels.watched
        return any(
            predicate in watched
            if predicate != self.type
            else len(of_classes(keys, self._watched_classes, inside=True)) > 0
            for predicate, keys in batch.items()
        )

    def select(self, batch: Batch, level: int) -> Batch:
        """The facts of one level."""
        if not self.levels.of_node:
            return batch
        top = level == self.levels.top
        classes = (self._classes_below if top else self._classes_at)[level]
        chosen: Batch = {}
        for predicate, keys in batch.items():
            if predicate != self.type:
                if self.levels.of(predicate, None) == level:
                    chosen[predicate] = keys
            elif len(some := of_classes(keys, classes, inside=not top)):
                chosen[predicate] = some
        return chosen

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
        plans = [plan for plan in plans if all(map(facts.table, plan.needs))]
        return {
            edge
            for predicate, keys in lower.items()
            for plan in plans
            if not plan.clause.hidden(predicate)
            for block in run(plan, predicate, keys, (facts, facts))
            for edge in self._edges(block, plan)
        }

    def _edges(self, block: Block, plan: Plan) -> Iterator[Edge]:
        """The edges that the instances of a block draw from a stratum to one that is not below it,
        or for a parameter literal not far enough."""
        heads = block.values((plan.head.p, plan.head.o))
        for i, at in enumerate(plan.body):
            barrier = self.levels.settled and i in plan.clause.parameters
            for head, body in set(zip(heads, block.values((at.p, at.o)), strict=True)):
                if self.level(*head) < self.level(*body) + barrier:
                    yield self.node(*head), self.node(*body)

    def lower_facts(self, facts: State) -> Batch:
        """The facts below the top. Cost: their number."""
        lower = {p: shaped(facts.table(p).scan()) for p in self.levels.of_node if p < CLASS}
        classes = np.array(sorted(self._classes_below[-1]), np.uint32)
        at, subjects = facts.table(self.type).by_objects(classes)
        lower[self.type] = shaped(np.sort(kernels.pack(subjects, classes[at])))
        return {p: keys for p, keys in lower.items() if len(keys)}


def of_classes(keys: Keys, classes: AbstractSet[int], *, inside: bool) -> Keys:
    """The facts of `rdf:type` whose class is, or is not, one of some."""
    if isinstance(keys, list):
        return [key for key in keys if ((key & 0xFFFFFFFF) in classes) == inside]
    found = kernels.members(kernels.low(keys), classes)
    return shaped(keys[found == inside])


class Stratum:
    """The relations of one level, the plans that derive them and those that read for them."""

    def __init__(self, strata: Strata, level: int, clauses: Iterable[Plans]) -> None:
        self.strata, self.level = strata, level
        chosen = list(clauses)
        rules = [each for each in chosen if each.clause.fold is None]
        self.drivers = Drivers(rules, self)
        self.groupings = [Grouping(each, self) for each in chosen if each.clause.fold is not None]
        self._derivers = _Index(ordered([each.backward for each in rules]), self)
        self._folders = _Index((each.backward for each in self.groupings), self)
        self._bodies: dict[Plan, _Body] = {}

    def derivers(self, predicate: int, keys: Keys) -> Iterator[tuple[Plan, Keys]]:
        """(plan, facts): the plans whose head the facts can be, cheapest first."""
        return self._derivers.plans(predicate, keys)

    def folds(self, predicate: int, keys: Keys) -> bool:
        """Whether the facts can be values of groups."""
        return any(True for _ in self._folders.plans(predicate, keys))

    def select(self, batch: Batch) -> Batch:
        """The facts of this stratum."""
        return self.strata.select(batch, self.level)

    def body(self, plan: Plan) -> _Body:
        """Where the body literals of a plan lie."""
        found = self._bodies.get(plan)
        if found is None:
            found = self._bodies[plan] = _Body(plan, self)
        return found

    def is_below(self, predicate: int, object_: int) -> bool:
        """Whether a fact is of a lower stratum."""
        return self.strata.level(predicate, object_) < self.level


class Drivers:
    """The plans of some clauses by what drives them; (plan, predicate, facts) are what facts can
    drive."""

    def __init__(self, clauses: Sequence[Plans], stratum: Stratum) -> None:
        self._readers = _Index((plan for each in clauses for plan in each.forward), stratum)
        self._deniers = _Index((plan for each in clauses for plan in each.negated), stratum)

    def readers(self, batch: Batch) -> Iterator[tuple[Plan, int, Keys]]:
        """Plans with a body literal that the facts can be."""
        return self._readers.of_batch(batch)

    def deniers(self, batch: Batch) -> Iterator[tuple[Plan, int, Keys]]:
        """Plans with a negated literal that the facts can be."""
        return self._deniers.of_batch(batch)


class Grouping:
    """A clause with a fold: the plans from facts to groups, and from a group to its solutions."""

    def __init__(self, plans: Plans, stratum: Stratum) -> None:
        assert plans.clause.fold is not None
        self.fold = plans.clause.fold
        self.drivers = Drivers([plans], stratum)
        self.backward = plans.backward


class _Body:
    """The body literals of a plan: `inside` are those that can be about the stratum at hand."""

    def __init__(self, plan: Plan, stratum: Stratum) -> None:
        self._stratum = stratum
        verdicts = [
            (self._verdict(literal), at)
            for literal, at in zip(plan.clause.body, plan.body, strict=True)
        ]
        self.inside = [at for below, at in verdicts if below is not True]
        self._never_below = any(below is False for below, _ in verdicts)
        self._open = [(at.p, at.o) for below, at in verdicts if below is None]

    def _verdict(self, literal: Pattern) -> bool | None:
        """Whether the literal's relation is in a lower stratum; None if that depends."""
        strata = self._stratum.strata
        if literal.p < 0 or (literal.p == strata.type and literal.o < 0):
            return None if self._stratum.level else False
        return self._stratum.is_below(literal.p, literal.o)

    def based_below(self, block: Block) -> Block | None:
        """The matches whose body facts all lie in lower strata."""
        if self._never_below:
            return None
        if not self._open:
            return block
        is_below = self._stratum.is_below
        pairs = [block.values(slots) for slots in self._open]
        mask = [all(is_below(p, o) for p, o in row) for row in zip(*pairs, strict=True)]
        return block.keep(mask) if any(mask) else None


class _Index:
    """Plans by the relation that drives them, in their order.

    A plan is possible for a relation if the parameter tables of lower strata have a row for it;
    that is found out once, since those tables stay as long as the strata do.
    """

    def __init__(self, plans: Iterable[Plan], stratum: Stratum) -> None:
        self._stratum = stratum
        self._all = list(plans)
        self._possible: dict[Relation, tuple[Group, ...]] = {}

    def of_batch(self, batch: Batch) -> Iterator[tuple[Plan, int, Keys]]:
        for predicate, keys in batch.items():
            for plan, some in self.plans(predicate, keys):
                yield plan, predicate, some

    def plans(self, predicate: int, keys: Keys) -> Iterator[tuple[Plan, Keys]]:
        """The plans that some of the facts can drive, with those facts."""
        if predicate != self._stratum.strata.type:
            yield from self._of_relation((predicate, None), keys)
            return
        if not isinstance(keys, list):
            yield from self._of_classes(predicate, keys)
            return
        classes: dict[int, list[int]] = {}
        for key in keys:
            classes.setdefault(key & 0xFFFFFFFF, []).append(key)
        for class_, some in classes.items():
            yield from self._of_relation((predicate, class_), some)

    def _of_classes(self, type_: int, keys: KeyArray) -> Iterator[tuple[Plan, Keys]]:
        """By class where classes have many members each, otherwise for all classes together."""
        for class_, some in kernels.by_low(keys) or ((None, keys),):
            yield from self._of_relation((type_, class_), shaped(some))

    def _of_relation(self, relation: Relation, keys: Keys) -> Iterator[tuple[Plan, Keys]]:
        groups = self._possible.get(relation)
        if groups is None:
            groups = self._possible[relation] = self._found(*relation)
        is_empty = self._stratum.strata.is_empty
        for needs, plans in groups:
            if not any(map(is_empty, needs)):
                for plan in plans:
                    yield plan, keys

    def _found(self, predicate: int, class_: int | None) -> tuple[Group, ...]:
        """Neighbours with the same needs go together; what is known not to be empty is no need."""
        groups: list[tuple[tuple[int, ...], list[Plan]]] = []
        for plan in self._all:
            if self._drives(plan, predicate, class_):
                needs = tuple(p for p in plan.needs if self._may_be_empty(p))
                if not groups or groups[-1][0] != needs:
                    groups.append((needs, []))
                groups[-1][1].append(plan)
        return tuple((needs, tuple(plans)) for needs, plans in groups)

    def _may_be_empty(self, predicate: int) -> bool:
        strata = self._stratum.strata
        return predicate != strata.type and not (
            strata.levels.of(predicate, None) < self._stratum.level
            and strata.facts.table(predicate)
        )

    def _drives(self, plan: Plan, predicate: int, class_: int | None) -> bool:
        at = plan.driver
        constant = _constant(plan, at.p)
        if constant is None and plan.clause.hidden(predicate) and not self._named(plan):
            return False
        if constant not in (None, predicate) or self._of_another_level(plan, predicate):
            return False
        known = {at.p: predicate}
        if class_ is not None:
            if _constant(plan, at.o) not in (None, class_):
                return False
            known[at.o] = class_
        return all(self._has_row(plan, i, known) for i in plan.clause.parameters)

    def _of_another_level(self, plan: Plan, predicate: int) -> bool:
        """Whether the head has the driver's predicate, and the clause derives that elsewhere."""
        strata = self._stratum.strata
        if plan.head.p != plan.driver.p or predicate == strata.type:
            return False
        level = strata.levels.of(predicate, None)
        return level != self._stratum.level and level in strata.reached.get(plan.clause, ())

    @staticmethod
    def _named(plan: Plan) -> bool:
        """Whether the parameter table gives the driver's predicate: it may be a hidden one."""
        slots = [plan.body[i] for i in plan.clause.parameters]
        return any(plan.driver.p in (at.s, at.o) for at in slots)

    def _has_row(self, plan: Plan, parameter: int, known: dict[int, int]) -> bool:
        """Whether the parameter literal has a match, as far as is known before it is asked."""
        literal, at = plan.clause.body[parameter], plan.body[parameter]
        strata = self._stratum.strata
        class_ = literal.o if literal.p == strata.type else None
        levels = strata.levels
        if not levels.settled or levels.of(literal.p, class_) >= self._stratum.level:
            return True
        s = known.get(at.s, _constant(plan, at.s))
        o = known.get(at.o, _constant(plan, at.o))
        return strata.facts.table(literal.p).count(s, o) > 0


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
