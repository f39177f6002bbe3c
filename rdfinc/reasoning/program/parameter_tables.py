"""Parameter tables: the relations that they are made of, and their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

import numpy as np

from rdfinc.datalog.analysis.modules import Rows
from rdfinc.datalog.clause import Clause
from rdfinc.reasoning.evaluation.run import Block, run
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.plans import Plans
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, gather, of_classes
from rdfinc.tables.table import Keys

_ANY = 0
"""Stands for any object."""
_NO_CLAUSES: AbstractSet[int] = frozenset()


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
        if self.predicates.isdisjoint(batch):
            return {}
        chosen = {p: keys for p, keys in batch.items() if p in self.predicates}
        if self._type in chosen:
            chosen[self._type] = of_classes(chosen[self._type], self.classes, inside=True)
        return {p: keys for p, keys in chosen.items() if len(keys)}

    def held(self, facts: FactSet) -> Batch:
        """The facts of a set that are of these relations; many of `rdf:type` are read some at a
        time."""
        found: Batch = {}
        for predicate in filter(self.predicates.__contains__, facts.tables):
            blocks: Iterable[Keys] = facts.tables[predicate].blocks()
            if predicate == self._type:
                blocks = (of_classes(keys, self.classes, inside=True) for keys in blocks)
            found |= gather({predicate: list(blocks)})
        return found


def first_of_table(clause: Clause, facts: State) -> kernels.KeyArray:
    """The facts that the first parameter literal of a clause can be."""
    literal = clause.body[min(clause.parameters)]
    table = facts.table(literal.p)
    if literal.o < 0:
        return table.scan()
    _, subjects = table.by_objects(np.array([literal.o], np.uint32))
    return kernels.sort(kernels.pack(subjects, literal.o))


def has_first_of_table(clause: Clause, facts: State) -> bool:
    """Whether there may be a fact that the first parameter literal of a clause can be; told by
    the size of its table. O(1)."""
    literal = clause.body[min(clause.parameters)]
    table = facts.table(literal.p)
    return bool(table.at_most()) if literal.o < 0 else table.is_object(literal.o)


def rows_of(plans: Plans, facts: State) -> Rows:
    """The columns of the clause's parameter table."""
    clause, plan = plans.clause, plans.parameters
    if plan is None:
        return {}
    keys = first_of_table(clause, facts)
    predicate = clause.body[min(clause.parameters)].p
    return _columns(clause, run(plan, predicate, keys, (facts, facts)))


class TableIndex:
    """Some clauses by the relations of their parameter literals, and by the objects of these."""

    def __init__(self, clauses: Sequence[Plans]) -> None:
        self._clauses = clauses
        self._by_relation: dict[int, dict[int, set[int]]] = {}
        for i, plans in enumerate(clauses):
            for literal in (plans.clause.body[j] for j in plans.clause.parameters):
                by_object = self._by_relation.setdefault(literal.p, {})
                by_object.setdefault(max(literal.o, _ANY), set()).add(i)

    def touched(self, batch: Batch) -> list[int]:
        """The clauses whose parameter literals some of the facts match, in their order."""
        found: set[int] = set()
        for predicate in self._by_relation.keys() & batch.keys():
            by_object = self._by_relation[predicate]
            found |= by_object.get(_ANY, _NO_CLAUSES)
            keys = batch[predicate]
            for object_, clauses in by_object.items():
                if object_ != _ANY and len(of_classes(keys, {object_}, inside=True)):
                    found |= clauses
        return sorted(found)

    def rows_with(
        self, batch: Batch, facts: State, chosen: Callable[[int], bool]
    ) -> Iterator[tuple[int, Rows]]:
        """The chosen clauses of which some of the facts make rows, with these; a row may be there
        several times. Cost: these rows."""
        for i in filter(chosen, self.touched(batch)):
            rows = _rows_with(self._clauses[i], batch, facts)
            if any(column.size for column in rows.values()):
                yield i, rows


def _rows_with(plans: Plans, batch: Batch, facts: State) -> Rows:
    """The columns of the rows of the clause's parameter table that some of the facts make."""
    found = (
        run(plan, literal.p, batch[literal.p], (facts, facts))
        for literal, plan in plans.joins
        if literal.p in batch
    )
    return _columns(plans.clause, chain.from_iterable(found))


def _columns(clause: Clause, found: Iterable[Block]) -> Rows:
    bound = sorted({v for i in clause.parameters for v in clause.body[i].variables()})
    parts = [block.columns_of(bound) for block in found if len(block)]
    columns = zip(*parts, strict=True) if parts else ([],) * len(bound)
    return {v: np.concatenate([kernels.NO_IDS, *c]) for v, c in zip(bound, columns, strict=True)}
