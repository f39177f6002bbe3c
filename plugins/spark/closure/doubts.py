"""The facts of a closure that a deletion takes away, by Delete/Rederive (Gupta, Mumick and
Subrahmanian 1993), for rules without negation.

1. Doubted is what is stated no more, and what a rule derives from something doubted; nothing of
   what is stated. Facts that support each other in a circle are all doubted.
2. The rest is a subset of the new closure: no derivation of it has anything doubted.
3. What rules derive from the rest in one step comes back, and then what follows from it
   (`semi_naive.Evaluation.go_on_with`): no other instance has a head that the rest lacks.

The rules' parameters are held by the driver. Those of rules with instances are to stay: a doubt
about one of them is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import pyarrow as pa
from msgspec.structs import replace
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.clause import Clause, Ids
from rdfinc.plugins.spark.closure.clause_matches import Matching
from rdfinc.plugins.spark.closure.driver_engine import Fact
from rdfinc.plugins.spark.closure.fact_parts import FactCounts, FactParts
from rdfinc.plugins.spark.closure.run_state import ENDS, few, missing

_KIND = "doubted"


class Doubts:
    """The doubted facts of the closure in `parts`, each once, in parts of one round each; `stated`
    are the facts that are never doubted."""

    def __init__(self, parts: FactParts, stated: DataFrame) -> None:
        self._parts, self._work, self._stated = parts, parts.work, stated
        held = parts.held
        rules = ((c, *held.rows(c)) for c in held.compiled.clauses if not held.is_local(c))
        self._rules = [rule for rule in rules if self._may_match(*rule)]
        local = (clause for clause in held.compiled.clauses if held.is_local(clause))
        read = {parts.number(at.p) for clause in local for at in clause.body}
        self._read = read.union(*(self._parameters(clause) for clause, _, _ in self._rules))
        self._counts = FactCounts()

    def _parameters(self, clause: Clause) -> set[int]:
        """The predicates of what the driver holds of a clause."""
        held, number = self._parts.held, self._parts.number
        return {number(at.p) for at in clause.body if held.holds_all(at)}

    def spread(self, deleted: DataFrame) -> bool:
        """Doubts facts that are stated no more, and all that follows. False if one of them is a
        parameter of a rule that has instances; then not all are doubted."""
        self._work.parts[_KIND] = 0
        rows = self._note(deleted)
        while rows:
            last = self._facts(self._work.parts[_KIND] - 1)
            counts = self._parts.look_into(last)
            self._counts = self._counts.plus(counts)
            told = self._parts.held_of(last, counts)
            if any(p in self._read for _, p, _ in told):
                return False
            self._parts.untell(told)
            heads = [*self._heads(last, counts)]
            rows = self._note(reduce(DataFrame.unionByName, heads)) if heads else 0
        return True

    def _facts(self, start: int = 0) -> DataFrame:
        return self._work.read(_KIND, start)

    def _note(self, found: DataFrame) -> int:
        """Doubts those of some facts that are not stated, nor doubted already; returns how many
        these are."""
        facts = missing(found.distinct(), self._facts())
        table = few(facts)
        if table is not None:
            facts = self._parts.spark.createDataFrame(table)
        else:
            facts, _ = self._parts.keep(facts)
        stated = self._stated.join(facts, ENDS, "left_semi")
        return self._work.write(_KIND, missing(facts, stated))

    def _heads(self, last: DataFrame, counts: FactCounts) -> Iterator[DataFrame]:
        """What rules derive from the closure with something of the facts doubted `last`."""
        for clause, variables, rows in self._rules:
            matching = self._parts.matching(clause, variables, rows)
            data = self._parts.held.data_literals(clause)
            for place in data:
                if self._parts.size(matching, clause.body[place], counts):
                    frames = {place: last} | {i: self._parts.facts() for i in data if i != place}
                    yield self._derived(matching, frames)

    def _may_match(self, clause: Clause, variables: tuple[int, ...], rows: set[Ids]) -> bool:
        """Whether there are facts for each literal of a body."""
        matching, known = self._parts.matching(clause, variables, rows), self._parts.contents[0]
        literals = (clause.body[i] for i in self._parts.held.data_literals(clause))
        return bool(rows) and all(self._parts.size(matching, at, known) for at in literals)

    def _derived(self, matching: Matching, frames: dict[int, DataFrame]) -> DataFrame:
        return matching.head(matching.matches(frames, self._parts.facts()))

    @property
    def count(self) -> int:
        return sum(self._counts.counts.values())

    def without(self, facts: DataFrame) -> DataFrame:
        """Those of some facts that are not doubted."""
        return missing(facts, self._facts())

    def settle(self, here: Sequence[Fact]) -> DataFrame:
        """Takes what is doubted out of the closure; returns what of it rules derive from the rest
        in one step, or the driver has derived `here`."""
        doubted = self._facts()
        self._parts.forget(doubted)
        columns = zip(*here, strict=True) if here else ([], [], [])
        arrays = [pa.array(column, pa.int64()) for column in columns]
        local = self._parts.spark.createDataFrame(pa.table(arrays, names=ENDS))
        proved = [doubted.join(F.broadcast(local), ENDS, "left_semi").select(*ENDS)]
        return reduce(DataFrame.unionByName, [*proved, *self._proved(doubted)]).distinct()

    def _proved(self, doubted: DataFrame) -> Iterator[DataFrame]:
        """The heads of instances among what is doubted: as if a head were one more literal."""
        for clause, variables, rows in self._rules:
            asked = replace(clause, body=(*clause.body, clause.head))
            matching = self._parts.matching(asked, variables, rows)
            if self._parts.size(matching, clause.head, self._counts):
                frames = {i: self._parts.facts() for i in self._parts.held.data_literals(clause)}
                yield self._derived(matching, {len(clause.body): doubted} | frames)
