"""What a closure that was derived elsewhere does not tell: contradictions, which nobody looked for
there, and auxiliary facts that follow from those of schema and rules alone.

Each clause that may have such heads is matched with all facts at once, from the literal with the
fewest. No other clause is: all its heads are told.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import numpy as np

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.reasoning.evaluation.run import Parts, run
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.plans import Plans
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, shaped
from rdfinc.tables.table import Keys, Table


def add_untold(update: Update, compiled: Compiled) -> None:
    """Adds what is not told to `update.added`, which are all facts that are. Ends because every
    round but the last adds facts."""
    (clauses,) = compiled.single().clauses
    kept_back = _KeptBack(update.finished(), compiled)
    of_schema = list(filter(kept_back.may_be, clauses))
    waiting = of_schema
    while new := update.added.add(_heads(waiting, update)):
        waiting = [plans for plans in of_schema if _reads(plans.clause, new)]
    update.added.add(_heads((each for each in clauses if each.clause.rule.head is None), update))


class _KeptBack:
    """Facts of parameter tables, and of other auxiliary relations that explicit facts have: whoever
    evaluates rules elsewhere tells none of those that follow from each other alone and are
    auxiliary."""

    def __init__(self, facts: State, compiled: Compiled) -> None:
        self._schema, self._type = compiled.schema, compiled.signature.type
        auxiliary = filter(compiled.signature.is_auxiliary, facts.predicates())
        self.relations = self._schema.predicates.union(auxiliary) - {self._type}

    def may_be(self, plans: Plans) -> bool:
        """Whether the heads of a clause may be such facts."""
        clause = plans.clause
        if clause.rule.head is None or clause.fold or clause.negative:
            return False
        is_told = clause.head.p < 0 or not clause.is_auxiliary(clause.head.p)
        return not is_told and all(map(self._are_such, clause.body))

    def _are_such(self, literal: Pattern) -> bool:
        if literal.p == self._type:
            return literal.o in self._schema.classes
        return literal.p in self.relations


def _reads(clause: Clause, facts: Batch) -> bool:
    """Whether a clause reads relations that some facts are of."""
    return any(literal.p in facts for literal in clause.body)


def _heads(clauses: Iterable[Plans], update: Update) -> Batch:
    """The heads of all instances of some clauses."""
    facts, parts = update.finished(), Parts()
    for plans in clauses:
        body = plans.clause.body
        first = min(range(len(body)), key=lambda i: _at_most(body[i], facts))
        plan = plans.forward[first]
        for predicate in _predicates(plans.clause, body[first], facts):
            keys = _keys(body[first], facts.table(predicate))
            for block in run(plan, predicate, keys, (facts, facts)) if len(keys) else ():
                update.find(len(block))
                block.emit(plan.head, parts)
    return gather(parts)


def _at_most(literal: Pattern, facts: State) -> int:
    """How many facts a literal can be, or more."""
    if literal.p < 0:
        return sys.maxsize
    table = facts.table(literal.p)
    return table.at_most() if literal.o < 0 else table.subjects_at_most(literal.o)


def _predicates(clause: Clause, literal: Pattern, facts: State) -> Iterator[int]:
    """The relations of the facts that a literal can be."""
    if literal.p >= 0:
        return iter((literal.p,))
    return (p for p in facts.predicates() if not clause.is_auxiliary(p))


def _keys(literal: Pattern, table: Table) -> Keys:
    """The facts of a relation that a literal can be."""
    if literal.o < 0:
        return shaped(table.scan())
    _, subjects = table.by_objects(np.array([literal.o], np.uint32))
    return shaped(kernels.sort(kernels.pack(subjects, literal.o)))
