"""A compiled program: its clauses with all their plans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from rdfinc.datalog.clause import Clause, Computation
from rdfinc.datalog.dependency import (
    CLASS,
    Dependency,
    Edge,
    Levels,
    dependency,
    heads_of,
    stratify,
)
from rdfinc.datalog.planning import backward, forward, negated, parameter_join
from rdfinc.reasoning.run import Columns, run
from rdfinc.reasoning.states import State
from rdfinc.reasoning.strata import Plans, Strata, of_classes
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch


def planned(clause: Clause) -> Plans:
    """All plans of a clause."""
    table = parameter_join(clause) if clause.parameters else None
    return Plans(clause, tuple(forward(clause)), tuple(negated(clause)), backward(clause), table)


class Compiled:
    """The clauses of a program with their plans. `negates` tells whether something must be complete
    before it is read."""

    def __init__(self, clauses: Iterable[Plans], type_: int) -> None:
        self._planned = tuple(clauses)
        self.clauses = tuple(each.clause for each in self._planned)
        self.type = type_
        self.schema = Schema(self.clauses, type_)
        self._restricted: dict[tuple[int, int], tuple[Plans, Heads]] = {}
        self.written = all(
            clause.hidden(clause.body[i].p) for clause in self.clauses for i in clause.parameters
        )
        """Whether every parameter table holds what users wrote as rules, and nothing derived."""
        self.negates = any(clause.negative or clause.fold for clause in self.clauses)

    def strata(self, facts: State) -> Strata:
        """The strata while all schema facts are among `facts`, which are closed but for those.

        Raises Cycle. Cost: the parameter tables, and where rules that may derive any relation have
        instances, a look for those of the facts below the top.
        """
        drawn = self._drawn(facts)
        learned: dict[Edge, Dependency] = {}
        while True:
            levels = stratify([*drawn, *learned.values()], settled=not learned)
            strata = self._filled(levels, drawn)
            crossing = strata.crossing(strata.lower_facts(facts), facts) if levels.top else set()
            crossing -= learned.keys()
            if not crossing:
                return strata
            if not self.negates:
                return self.single()
            learned.update((edge, Dependency(edge[0], (edge[1],))) for edge in crossing)

    def _drawn(self, facts: State) -> list[Dependency]:
        """What each clause draws with the parameter tables in `facts`."""
        return [dependency(p.clause, _rows(p, facts), self.type) for p in self._planned]

    def single(self) -> Strata:
        """Everything in one stratum: right unless something is negated, sometimes slower."""
        return self._filled(Levels(0), [Dependency(None, ())] * len(self.clauses))

    def _filled(self, levels: Levels, drawn: Sequence[Dependency]) -> Strata:
        strata = Strata(levels, self.type)
        if levels.top:
            strata.free = frozenset(compress(self.clauses, [d.head is None for d in drawn]))
            strata.needed = self.negates
        reached = [levels.reached(each) for each in drawn]
        strata.tables = self.schema.predicates
        strata.heads = heads_of(drawn)
        strata.reached = dict(zip(self.clauses, reached, strict=True))
        for level in range(levels.top + 1):
            chosen = [i for i, at in enumerate(reached) if level in at]
            strata.add(self._at(i, level, levels, drawn[i]) for i in chosen)
        return strata

    def _at(self, clause: int, level: int, levels: Levels, drawn: Dependency) -> Plans:
        """The plans of a clause in one stratum; where it works in several, by its parameter table,
        they are about the rows whose head is of this one."""
        plans = self._planned[clause]
        several = levels.known or len(levels.reached(drawn)) > 1
        if not isinstance(drawn.head, np.ndarray) or not several:
            return plans
        found = self._restricted.get((clause, level))
        if found is None:
            heads = Heads()
            found = planned(heads.only(plans.clause)), heads
            self._restricted[clause, level] = found
        plans, heads = found
        nodes = set(drawn.head.tolist())
        mine = levels.only(nodes, level)
        heads.inside = level != levels.top
        heads.ids = {node % CLASS for node in (mine if heads.inside else nodes - mine)}
        return plans

    def bare(self, strata: Strata, facts: State) -> AbstractSet[int]:
        """The relations that no clause derives with the parameter tables in `facts`, though one did
        when the strata were drawn; none where that cannot be told.

        From now on the clauses leave them out.
        """
        if not (strata.levels.known and self.written):
            return set()
        bare = strata.heads - heads_of(self._drawn(facts))
        for _, heads in self._restricted.values():
            heads.leave_out({node % CLASS for node in bare})
        return bare


class Heads:
    """Which relations a clause may derive: those with the ids or, if not `inside`, all others."""

    def __init__(self) -> None:
        self.ids: set[int] = set()
        self.inside = True

    def leave_out(self, ids: set[int]) -> None:
        self.ids = self.ids - ids if self.inside else self.ids | ids

    def only(self, clause: Clause) -> Clause:
        """The clause with a filter on what its parameter table gives for the head's relation."""
        relation = clause.head.o if clause.head.p == clause.type else clause.head.p
        test = Computation((~relation,), None, self._values, decide=self._decide)
        return replace(clause, computations=(*clause.computations, test))

    def _values(self, rows: Sequence[tuple[int, ...]]) -> list[int | None]:
        return [1 if (id in self.ids) is self.inside else None for (id,) in rows]

    def _decide(self, columns: Sequence[kernels.IdArray]) -> tuple[kernels.Mask, kernels.Mask]:
        found = kernels.members(columns[0], self.ids)
        return found if self.inside else ~found, np.zeros(found.size, np.bool_)


class Schema:
    """The relations that parameter literals are about."""

    def __init__(self, clauses: Iterable[Clause], type_: int) -> None:
        literals = [clause.body[i] for clause in clauses for i in clause.parameters]
        self.predicates = {literal.p for literal in literals}
        self._classes = {literal.o for literal in literals if literal.p == type_}
        self._type = type_

    def __contains__(self, predicate: int) -> bool:
        return predicate in self.predicates

    def only(self, batch: Batch) -> Batch:
        """The facts of the batch that are of these relations."""
        chosen = {p: keys for p, keys in batch.items() if p in self}
        if self._type in chosen:
            chosen[self._type] = of_classes(chosen[self._type], self._classes, inside=True)
        return {p: keys for p, keys in chosen.items() if len(keys)}


def _rows(plans: Plans, facts: State) -> dict[int, NDArray[np.uint32]]:
    """The columns of the clause's parameter table."""
    clause, plan = plans.clause, plans.parameters
    if plan is None:
        return {}
    predicate = clause.body[min(clause.parameters)].p
    keys = facts.table(predicate).scan()
    blocks = [b for b in run(plan, predicate, keys, (facts, facts)) if isinstance(b, Columns)]
    bound = {v for i in clause.parameters for v in clause.body[i].variables()}
    return {
        v: np.concatenate([kernels.NO_IDS, *(block.full(v) for block in blocks)]) for v in bound
    }
