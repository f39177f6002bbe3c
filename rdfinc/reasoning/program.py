"""A compiled program: its clauses with all their plans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from rdfinc.datalog.clause import Clause
from rdfinc.datalog.dependency import Levels, dependency, stratify
from rdfinc.datalog.planning import backward, forward, parameter_join
from rdfinc.reasoning.run import Columns, run
from rdfinc.reasoning.states import State
from rdfinc.reasoning.strata import Strata, of_classes
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch


class Planned:
    """A clause with its plans."""

    def __init__(self, clause: Clause) -> None:
        self.clause = clause
        self.forward = tuple(forward(clause))
        self.backward = backward(clause)


class Compiled:
    """The clauses of a program with their plans."""

    def __init__(self, planned: Iterable[Planned], type_: int) -> None:
        self._planned = tuple(planned)
        self.clauses = tuple(each.clause for each in self._planned)
        self.type = type_
        self.schema = Schema(self.clauses, type_)

    def strata(self, facts: State) -> Strata:
        """The strata while all schema facts are among `facts`, which are closed but for those.

        Cost: the parameter tables, and where rules that may derive any relation have instances,
        a look for those of the facts below the top.
        """
        drawn = [dependency(c, _rows(c, facts), self.type) for c in self.clauses]
        levels = stratify(drawn)
        reached = [levels.reached(d.head) for d in drawn]
        strata = Strata(levels, self.type)
        for level in range(levels.top + 1):
            self._fill(strata, [level in heads for heads in reached])
        if not levels.top:
            return strata
        strata.free = frozenset(compress(self.clauses, [d.head is None for d in drawn]))
        return self.single() if _derive_below(strata, facts) else strata

    def single(self) -> Strata:
        """Everything in one stratum: always right, sometimes slower."""
        strata = Strata(Levels(0), self.type)
        self._fill(strata, [True] * len(self.clauses))
        return strata

    def _fill(self, strata: Strata, chosen: list[bool]) -> None:
        """Adds a stratum of the chosen clauses."""
        planned = list(compress(self._planned, chosen))
        readers = [plan for each in planned for plan in each.forward]
        strata.add(readers, [each.backward for each in planned])


def _derive_below(strata: Strata, facts: State) -> bool:
    """Whether a rule that may derive any relation derives one of the facts below the top.

    Filters are not asked: at worst there is one stratum where more would do.
    """
    bare = (replace(clause, computations=()) for clause in strata.free)
    plans = [plan for plan in map(backward, bare) if all(map(facts.table, plan.needs))]
    states = facts, facts
    return any(
        len(block)
        for predicate, keys in (strata.lower_facts(facts).items() if plans else ())
        for plan in plans
        if not plan.clause.hidden(predicate)
        for block in run(plan, predicate, keys, states)
    )


class Schema:
    """The relations that parameter literals are about."""

    def __init__(self, clauses: Iterable[Clause], type_: int) -> None:
        literals = [clause.body[i] for clause in clauses for i in clause.parameters]
        self._predicates = {literal.p for literal in literals}
        self._classes = {literal.o for literal in literals if literal.p == type_}
        self._type = type_

    def __contains__(self, predicate: int) -> bool:
        return predicate in self._predicates

    def only(self, batch: Batch) -> Batch:
        """The facts of the batch that are of these relations."""
        chosen = {p: keys for p, keys in batch.items() if p in self}
        if self._type in chosen:
            chosen[self._type] = of_classes(chosen[self._type], self._classes, inside=True)
        return {p: keys for p, keys in chosen.items() if len(keys)}


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
