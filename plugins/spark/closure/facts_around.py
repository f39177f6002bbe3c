"""The facts around a change of a closure on Spark: those that the driver has to be told of to work
the change out.

Where few facts change, most of the time of a distributed join goes into looking through all facts
for a few. So the driver asks for the facts that can be in an instance of a rule with one of those
that may change, literal by literal, for all rules at once: by the values that a variable can have
there, which may be too many. What is asked for once is never asked for again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa
from msgspec import Struct

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine, items
from rdfinc.plugins.spark.closure.engine_ids import EngineIds
from rdfinc.plugins.spark.closure.run_state import ENDS
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, shaped
from rdfinc.tables.kernels import KeyArray, Mask
from rdfinc.terms.dictionary import Ids


class TooFar(Exception):  # noqa: N818  a signal between modules, never seen by users
    """A change about too many facts, or about rules that only tasks can evaluate."""


class Closure(Protocol):
    """The facts of a closure, asked for in tables of the data's numbers; told are tables s, p, o,
    stated, of more rows than there is `room` for if these are too many."""

    def those(self, facts: pa.Table, room: int) -> pa.Table:
        """Those of some facts that there are."""

    def around(self, ends: Mapping[str, pa.Table], room: int) -> pa.Table:
        """The facts of some predicates with some subjects, or objects: p, s or p, o."""


class Values(Struct):
    """The ids that variables of a clause may have; a variable without any may be every term."""

    of: dict[int, Ids]

    def at(self, term: int) -> Ids | None:
        """The ids that a term of a pattern may have; None for every one."""
        return np.array([term], np.uint32) if term > 0 else self.of.get(~term)

    def hold(self, at: Pattern, facts: Iterable[tuple[int, KeyArray]]) -> bool:
        """Narrows the values of a pattern's variables to those in some facts; whether the pattern
        can be one of them."""
        found: list[tuple[Ids, Ids, Ids]] = []
        for p, keys in facts:
            s, o = kernels.high(keys), kernels.low(keys)
            passing = _are_among(s, self.at(at.s)) & _are_among(o, self.at(at.o))
            if at.s == at.o:
                passing &= s == o
            if passing.any():
                found.append((s[passing], np.array([p], np.uint32), o[passing]))
        if not found:
            return False
        for term, columns in zip((at.s, at.p, at.o), zip(*found, strict=True), strict=True):
            if term < 0:
                self.of[~term] = np.unique(np.concatenate(columns))
        return True


class ReadRule(Struct, frozen=True):
    """A rule, and what the driver knows of it: the literals whose facts are data, and the values of
    variables in all others."""

    clause: Clause
    data: tuple[Pattern, ...]
    given: dict[int, Ids]

    @classmethod
    def of_all(cls, held: DriverEngine) -> Iterator[ReadRule]:
        for clause in held.compiled.clauses:
            variables, rows = held.rows(clause)
            if rows and clause.rule.head is not None:
                columns = zip(variables, zip(*rows, strict=True), strict=True)
                given = {v: np.unique(np.array(ids, np.uint32)) for v, ids in columns}
                data = tuple(clause.body[place] for place in held.data_literals(clause))
                yield cls(clause, data, given)


class FactsAround:
    """What the driver was told of a closure's facts, in the engine's ids: `facts`, which has all
    that it holds as well, and those of them that are `stated`. The closure has so many facts of
    each predicate as `counts` says."""

    def __init__(self, held: DriverEngine, counts: Mapping[int, int], closure: Closure) -> None:
        self._closure = closure
        self.ids = EngineIds(held)
        self._sizes = {held.of_data[p]: count for p, count in counts.items()}
        self._rules = list(ReadRule.of_all(held))
        self.facts, self.stated = FactSet.of(held.facts.batch()), FactSet()
        self._asked: dict[tuple[str, int], Ids] = {}
        self._told = 0

    @property
    def clauses(self) -> list[Clause]:
        """The clauses of rules that may have instances here."""
        return [each.clause for each in self._rules if not items(each.clause)]

    def numbered(self, facts: pa.Table) -> Batch:
        """Facts in a table of the data's numbers."""
        s, p, o = (self.ids.of(facts.column(name).to_numpy()) for name in ENDS)
        groups = kernels.grouped(p, kernels.pack(s, o))
        return {each: shaped(kernels.unique(keys)) for each, keys in groups}

    def numbers(self, batch: Batch) -> pa.Table:
        """The table of some facts."""
        parts = [(p, np.asarray(keys, np.uint64)) for p, keys in batch.items()]
        predicates = [np.full(keys.size, p, np.uint32) for p, keys in parts]
        keys = np.concatenate([np.zeros(0, np.uint64), *(keys for _, keys in parts)])
        columns = (
            kernels.high(keys),
            np.concatenate([kernels.NO_IDS, *predicates]),
            kernels.low(keys),
        )
        return pa.table([pa.array(self.ids.numbers(ids)) for ids in columns], names=ENDS)

    # -- what is asked for

    def find(self, facts: Batch) -> Batch:
        """Asks for some facts themselves; returns those that are none of the closure."""
        unknown = self.facts.missing(facts)
        if unknown:
            self._take(self._closure.those(self.numbers(unknown), self._room))
        return self.facts.missing(unknown)

    def around(self, facts: Batch, heads: Batch) -> None:
        """Asks for all that is in a body with one of some facts, or in a body of one of some
        `heads`. Raises TooFar."""
        driving, driven = FactSet.of(facts), FactSet.of(heads)
        while True:
            asks = _Asks(self._asked)
            for rule in self._rules:
                for place, at in enumerate(rule.data):
                    others = rule.data[:place] + rule.data[place + 1 :]
                    self._follow(rule, at, driving, others, asks)
                self._follow(rule, rule.clause.head, driven, rule.data, asks)
            if not asks.new:
                return
            self._fetch(asks)

    def _follow(
        self,
        rule: ReadRule,
        start: Pattern,
        facts: FactSet,
        others: Sequence[Pattern],
        asks: _Asks,
    ) -> None:
        """Asks for what other literals of a rule can be where a pattern is one of some facts, as
        far as what is known already tells."""
        values = Values(dict(rule.given))
        if not all(self._may_be(at, values) for at in others):
            return
        if not values.hold(start, _facts_of(self._of(start, values), facts)):
            return
        if items(rule.clause):
            raise TooFar
        met, waiting = set(start.variables()), list(others)
        while waiting:
            at = max(waiting, key=lambda each: (~each.s in met) + (~each.o in met))
            waiting.remove(at)
            if not values.hold(at, self._found(at, values, met, asks)):
                return
            met.update(at.variables())

    def _may_be(self, at: Pattern, values: Values) -> bool:
        """Whether there may be a fact that a pattern can be."""
        return any(p in self._sizes or p in self.facts.tables for p in self._of(at, values))

    def _of(self, at: Pattern, values: Values) -> list[int]:
        """The relations of the facts that a pattern can be."""
        relations = values.at(at.p)
        return [*{**self._sizes, **self.facts.tables}] if relations is None else relations.tolist()

    def _found(
        self, at: Pattern, values: Values, met: Collection[int], asks: _Asks
    ) -> Iterator[tuple[int, KeyArray]]:
        """The facts that a pattern can be, by relations. Raises TooFar for too many."""
        by_subject = self._by_subject(at, values, met)
        ids = values.at(at.s if by_subject else at.o)
        if ids is None:
            raise TooFar
        for p in self._of(at, values):
            if p in self._sizes:
                asks.add("s" if by_subject else "o", p, ids)
            table = self.facts.get(p)
            if by_subject:
                places, others = table.by_subjects(ids)
                yield p, kernels.pack(ids[places], others)
            else:
                places, others = table.by_objects(ids)
                yield p, kernels.pack(others, ids[places])

    def _by_subject(self, at: Pattern, values: Values, met: Collection[int]) -> bool:
        """Whether a pattern is found by its subjects: by what other literals have `met`, and only
        in a small relation by what else is known."""
        if ~at.s in met or ~at.o in met:
            return ~at.s in met
        if sum(self._sizes.get(p, 0) for p in self._of(at, values)) > SPARK.few_rows:
            raise TooFar
        return values.at(at.s) is not None

    @property
    def _room(self) -> int:
        """How many facts more may be told."""
        return SPARK.facts_around - self._told

    def _fetch(self, asks: _Asks) -> None:
        tables: dict[str, pa.Table] = {}
        for end in "so":
            new = [(p, ids) for (at, p), ids in asks.new.items() if at == end]
            if new:
                ends = np.concatenate([ids for _, ids in new])
                predicates = np.concatenate([np.full(ids.size, p, np.uint32) for p, ids in new])
                columns = map(self.ids.numbers, (predicates, ends))
                tables[end] = pa.table([pa.array(each) for each in columns], names=["p", end])
        asks.done()
        self._take(self._closure.around(tables, self._room))

    def _take(self, table: pa.Table) -> None:
        """Takes what was asked for. Raises TooFar if it is too much."""
        if table.num_rows > self._room:
            raise TooFar
        self._told += table.num_rows
        self.facts.add(self.numbered(table))
        self.stated.add(self.numbered(table.filter(table.column("stated"))))


class _Asks:
    """The values asked for: `new` ones, by end and predicate, beside those asked for before."""

    def __init__(self, before: dict[tuple[str, int], Ids]) -> None:
        self._before = before
        self.new: dict[tuple[str, int], Ids] = {}

    def add(self, end: str, predicate: int, ids: Ids) -> None:
        for known in (self._before, self.new):
            ids = np.setdiff1d(ids, known.get((end, predicate), kernels.NO_IDS))
        if ids.size:
            more = self.new.get((end, predicate), kernels.NO_IDS)
            self.new[end, predicate] = np.union1d(more, ids)

    def done(self) -> None:
        """What was new is asked for now."""
        for key, ids in self.new.items():
            self._before[key] = np.union1d(self._before.get(key, kernels.NO_IDS), ids)


def _facts_of(predicates: Iterable[int], facts: FactSet) -> Iterator[tuple[int, KeyArray]]:
    return ((p, np.asarray(facts.get(p).all(), np.uint64)) for p in predicates)


def _are_among(ids: Ids, chosen: Ids | None) -> Mask:
    """For each id whether it is one of some; None stands for all."""
    return np.ones(ids.size, np.bool_) if chosen is None else np.isin(ids, chosen)
