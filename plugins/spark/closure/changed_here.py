"""A change of a closure on Spark that the driver works out by its own engine, from the facts around
it (`facts_around`): Delete/Rederive (Gupta, Mumick and Subrahmanian 1993) and semi-naive insertion,
for rules without negation and without computations.

1. What is stated no more is doubted, and so is what a rule derives from something doubted; nothing
   of what is stated. What a rule derives with something new is new, unless the closure has it. Each
   round asks for the surroundings of what the last one has found.
2. The driver then knows all instances with a fact that is doubted or new, and all instances of
   what is doubted. So it tells what comes back, and what follows.

Instances found in the first step may have something doubted beside something new: then not all that
is called new is inserted in the end.
"""

from __future__ import annotations

import pyarrow as pa
from msgspec import Struct

from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.plugins.spark.closure.facts_around import FactsAround, TooFar
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.dred import rederived
from rdfinc.reasoning.maintenance.insertion import insert
from rdfinc.reasoning.maintenance.update import Update, consequences
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.facts import Batch, FactSet, joined
from rdfinc.tables.plain_table import Plain


class NetChange(Struct, frozen=True):
    """The facts that a closure loses and gains, in the data's numbers, and how many were in
    doubt."""

    removed: pa.Table
    added: pa.Table
    doubted: int


class ChangeHere:
    """A change of what is stated: `gone` are the facts that are stated no more, `coming` those that
    are so now, both in tables of the data's numbers; `around` tells of the facts before."""

    def __init__(
        self, held: DriverEngine, around: FactsAround, gone: pa.Table, coming: pa.Table
    ) -> None:
        self._held, self._around = held, around
        self._strata = held.single(around.clauses)
        self._gone, self._coming = around.numbered(gone), around.numbered(coming)
        self._doubted, self._new = FactSet(), FactSet()

    def net(self) -> NetChange:
        """Raises TooFar if the driver cannot tell."""
        around = self._around
        around.find(self._gone)
        around.stated.discard(self._gone)
        new = around.find(self._coming)
        around.stated.add(self._coming)
        self._spread(around.facts.present(self._gone), new)
        around.facts.remove(self._new.batch())
        update, stratum = self._update()
        removed, again = rederived(update, stratum, FactSet.of(self._doubted.batch()))
        update.removed.add(removed)
        insert(update, stratum, joined(again, self._coming), {})
        added = update.added.batch()
        lost = update.added.missing(update.removed.batch())
        gained = update.removed.missing(added)
        return NetChange(around.numbers(lost), around.numbers(gained), len(self._doubted))

    def _spread(self, doubts: Batch, new: Batch) -> None:
        """Finds all that may go and all that may come."""
        around = self._around
        doubts = around.stated.missing(doubts)
        self._doubted.add(doubts)
        while doubts or new:
            if any(map(self._held.holds_any, (doubts, new))):
                raise TooFar
            self._new.extend(new)
            around.facts.extend(new)
            around.around(joined(doubts, new), doubts)
            of_doubts, of_new = self._heads(doubts), self._heads(new)
            new = around.find(joined(of_doubts, of_new))
            known = around.facts.present(of_doubts)
            doubts = self._doubted.add(self._new.missing(around.stated.missing(known)))

    def _heads(self, facts: Batch) -> Batch:
        """What rules derive from all that is known with some facts."""
        if not facts:
            return {}
        update, stratum = self._update()
        state = update.state()
        driven = stratum.drivers.readers(facts, update)
        heads, _ = consequences(update, stratum, driven, (state, state))
        return heads

    def _update(self) -> tuple[Update, Stratum]:
        around = self._around
        update = Update(around.facts.tables, State(around.stated.tables), Plain, closed)
        return update, StrataPlans(self._strata).list[0]
