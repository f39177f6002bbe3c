"""A compiled program and its strata: which plans read or derive which facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.dependency import Levels, dependency, stratify
from rdfinc.datalog.planning import Plan, Slots, backward, forward, ordered, parameter_join
from rdfinc.reasoning.run import Block, Columns, run
from rdfinc.reasoning.states import State
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, shaped
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import OnlyObjects, With


class Compiled:
    """The clauses of a program with all their plans."""

    def __init__(self, clauses: Iterable[Clause], type_: int) -> None:
        self.clauses = tuple(clauses)
        self.type = type_
        self.forward = [tuple(forward(clause)) for clause in self.clauses]
        self.backward = [backward(clause) for clause in self.clauses]

    def strata(self, facts: State) -> Strata:
        """The strata while all schema facts are among `facts`. Cost: the parameter tables."""
        drawn = [dependency(c, _rows(c, facts), self.type) for c in self.clauses]
        levels = stratify(drawn)
        reached = [levels.reached(d.head) for d in drawn]
        clauses = [
            [i for i, heads in enumerate(reached) if level in heads]
            for level in range(levels.top + 1)
        ]
        free = frozenset(c for c, d in zip(self.clauses, drawn, strict=True) if d.head is None)
        return Strata(self, levels, clauses, free if levels.top else frozenset(), facts)

    def single(self, facts: State) -> Strata:
        """Everything in one stratum: always right, sometimes slower."""
        return Strata(self, Levels(0), [list(range(len(self.clauses)))], frozenset(), facts)


def _rows(clause: Clause, facts: State) -> dict[int, NDArray[np.uint32]]:
    """The columns of the clause's parameter table."""
    if not clause.parameters:
        return {}
    plan = parameter_join(clause)
    predicate = clause.body[min(clause.parameters)].p
    keys = facts.table(predicate).scan()
    blocks = [b for b in run(plan, predicate, keys, (facts, facts)) if isinstance(b, Columns)]
    bound = {v for i in clause.parameters for v in clause.body[i].variables()}
    return {
        v: np.concatenate([kernels.NO_IDS, *(block.full(v) for block in blocks)]) for v in bound
    }


class _Index:
    """Plans by the predicate of their driver; `anything` have a variable there.

    `possible` remembers, per relation, which of them its facts can drive.
    """

    def __init__(self, plans: Iterable[Plan]) -> None:
        self.of_predicate: dict[int, list[Plan]] = {}
        self.anything: list[Plan] = []
        self.possible: dict[tuple[int, int | None], tuple[Plan, ...]] = {}
        for plan in plans:
            predicate = _constant(plan, plan.driver.p)
            if predicate is None:
                self.anything.append(plan)
            else:
                self.of_predicate.setdefault(predicate, []).append(plan)

    def candidates(self, predicate: int) -> list[Plan]:
        anything = [plan for plan in self.anything if not plan.clause.hidden(predicate)]
        return self.of_predicate.get(predicate, []) + anything


def _constant(plan: Plan, slot: int) -> int | None:
    return None if slot < plan.variables else plan.blank[slot]


class Strata:
    """The strata of a program over some facts, bottom first.

    They stay right until a fact of a relation below the top is stated or withdrawn: `watches`.
    `facts` must hold all parameter rows of the levels below when a level is worked on (see
    `work_on`). `free` are the clauses whose head may be any relation, where there is more than one stratum.
    """

    def __init__(
        self,
        program: Compiled,
        levels: Levels,
        clauses: Sequence[Sequence[int]],
        free: frozenset[Clause],
        facts: State,
    ) -> None:
        self.program = program
        self.levels = levels
        self.free = free
        self.type = program.type
        self.facts = facts
        self._classes = levels.classes
        self._tables: tuple[Mapping[int, Table], FactSet] = {}, FactSet()
        self.list = [Stratum(program, self, k, chosen) for k, chosen in enumerate(clauses)]

    def work_on(self, before: Mapping[int, Table], added: FactSet) -> None:
        """Says which facts the plans asked for from now on are about: those before an update,
        and those that it adds."""
        self._tables = before, added
        self.facts = State(before, (), added)

    def is_empty(self, predicate: int) -> bool:
        """Whether the relation has no fact before nor by now after the update."""
        before, added = self._tables
        return not (before.get(predicate) or added.tables.get(predicate))

    def level(self, predicate: int, object_: int) -> int:
        """The level of a fact."""
        return self.levels.of(predicate, object_ if predicate == self.type else None)

    def classes_below(self, level: int) -> set[int]:
        return {class_ for class_, of in self._classes.items() if of < level}

    def watches(self, batch: Batch) -> bool:
        """Whether some fact of the batch is below the top."""
        return bool(self.levels.of_node) and any(
            len(self._where(p, keys, lambda level: level < self.levels.top))
            for p, keys in batch.items()
        )

    def select(self, batch: Batch, level: int) -> Batch:
        """The facts of one level."""
        return self._filter(batch, lambda of: of == level)

    def below(self, batch: Batch, level: int) -> Batch:
        """The facts under a level."""
        return self._filter(batch, lambda of: of < level) if level else {}

    def _filter(self, batch: Batch, wanted: Callable[[int], bool]) -> Batch:
        chosen = {p: self._where(p, keys, wanted) for p, keys in batch.items()}
        return {p: keys for p, keys in chosen.items() if len(keys)}

    def _where(self, predicate: int, keys: Keys, wanted: Callable[[int], bool]) -> Keys:
        if predicate != self.type:
            return keys if wanted(self.levels.of(predicate, None)) else []
        rest = wanted(self.levels.top)
        other = [class_ for class_, level in self._classes.items() if wanted(level) != rest]
        if not other:
            return keys if rest else []
        if isinstance(keys, list):
            classes = set(other)
            return [key for key in keys if ((key & 0xFFFFFFFF) in classes) != rest]
        found = np.isin(kernels.low(keys), np.array(other, np.uint32))
        return shaped(keys[found != rest])


class Stratum:
    """The relations of one level and the plans of the clauses that derive them."""

    def __init__(
        self, program: Compiled, strata: Strata, level: int, clauses: Sequence[int]
    ) -> None:
        self.type, self.strata, self.level = program.type, strata, level
        self._forward = _Index([plan for i in clauses for plan in program.forward[i]])
        self._backward = _Index(ordered([program.backward[i] for i in clauses]))

    def readers(self, batch: Batch) -> Iterator[tuple[Plan, int, Keys]]:
        """(plan, predicate, facts): the plans that the facts of the batch can drive."""
        return self._plans(batch, self._forward)

    def derivers(self, predicate: int, keys: Keys) -> Iterator[tuple[Plan, Keys]]:
        """(plan, facts): the plans whose head the facts can be, cheapest first."""
        found = self._plans({predicate: keys}, self._backward)
        return ((plan, some) for plan, _, some in found)

    def select(self, batch: Batch) -> Batch:
        """The facts of this stratum."""
        return self.strata.select(batch, self.level)

    def inside(self, plan: Plan) -> list[Slots]:
        """The body literals of the plan that can be about this stratum."""
        return [at for literal, at in self._body(plan) if self._below(literal) is not True]

    def based_below(self, plan: Plan, block: Block) -> Block | None:
        """The matches whose body facts all lie in lower strata."""
        verdicts = [(self._below(literal), at) for literal, at in self._body(plan)]
        if any(verdict is False for verdict, _ in verdicts):
            return None
        open_ = [(at.p, at.o) for verdict, at in verdicts if verdict is None]
        pairs = [block.values(slots) for slots in open_]
        mask = [all(self._is_below(p, o) for p, o in row) for row in zip(*pairs, strict=True)]
        if not open_:
            return block
        return block.keep(mask) if any(mask) else None

    def _body(self, plan: Plan) -> Iterable[tuple[Pattern, Slots]]:
        return zip(plan.clause.body, plan.body, strict=True)

    def _below(self, literal: Pattern) -> bool | None:
        """Whether the literal's relation is in a lower stratum; None if that depends."""
        if literal.p < 0 or (literal.p == self.type and literal.o < 0):
            return None if self.strata.levels.of_node and self.level else False
        return self._is_below(literal.p, literal.o)

    def _is_below(self, predicate: int, object_: int) -> bool:
        return self.strata.level(predicate, object_) < self.level

    def _plans(self, batch: Batch, index: _Index) -> Iterator[tuple[Plan, int, Keys]]:
        for predicate, keys in batch.items():
            for relation, some in self._relations(predicate, keys):
                plans = index.possible.get(relation)
                if plans is None:
                    plans = index.possible[relation] = self._possible(index, *relation)
                for plan in plans:
                    if not any(map(self.strata.is_empty, plan.needs)):
                        yield plan, predicate, some

    def _relations(
        self, predicate: int, keys: Keys
    ) -> Iterator[tuple[tuple[int, int | None], Keys]]:
        """The facts by relation; many facts of `rdf:type` stay together."""
        if predicate != self.type or not isinstance(keys, list):
            yield (predicate, None), keys
            return
        classes: dict[int, list[int]] = {}
        for key in keys:
            classes.setdefault(key & 0xFFFFFFFF, []).append(key)
        for class_, some in classes.items():
            yield (predicate, class_), some

    def _possible(self, index: _Index, predicate: int, class_: int | None) -> tuple[Plan, ...]:
        candidates = index.candidates(predicate)
        return tuple(plan for plan in candidates if self._can_match(plan, predicate, class_))

    def _can_match(self, plan: Plan, predicate: int, class_: int | None) -> bool:
        """Whether the parameter tables below have a row for a driver of this relation."""
        at = plan.driver
        known = {at.p: predicate}
        if class_ is not None:
            if _constant(plan, at.o) not in (None, class_):
                return False
            known[at.o] = class_
        return all(
            self._has_row(plan, plan.clause.body[i], plan.body[i], known)
            for i in plan.clause.parameters
        )

    def _has_row(self, plan: Plan, literal: Pattern, at: Slots, known: dict[int, int]) -> bool:
        class_ = literal.o if literal.p == self.type else None
        if self.strata.levels.of(literal.p, class_) >= self.level:
            return True
        s = known.get(at.s, _constant(plan, at.s))
        o = known.get(at.o, _constant(plan, at.o))
        return self.strata.facts.table(literal.p).count(s, o) > 0


class Proved(State):
    """`facts` for the relations of a stratum, `after` for those below it."""

    def __init__(
        self, stratum: Stratum, after: State, facts: FactSet, hidden: FactSet | None = None
    ) -> None:
        super().__init__({}, (), facts, hidden)
        self._stratum, self._after = stratum, after

    def _view(self, predicate: int) -> Table:
        stratum, mine = self._stratum, super()._view(predicate)
        if not stratum.level:
            return mine
        if predicate != stratum.type:
            below = stratum.strata.levels.of(predicate, None) < stratum.level
            return self._after.table(predicate) if below else mine
        classes = stratum.strata.classes_below(stratum.level)
        return With(OnlyObjects(self._after.table(predicate), classes), mine) if classes else mine

    def predicates(self) -> list[int]:
        return self._after.predicates()
