"""A clause -> the data frame of its matches: a column `v<number>` for each variable.

The values that the driver holds for some variables are broadcast; each other literal is a part of
the facts. Functions of terms are computed by the engine's own code, over distinct values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import and_

import pyarrow as pa
from msgspec import Struct
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.clause import Clause, Computation, Ids, Pattern
from rdfinc.datalog.model import Bind, Expression, Filter, Row, Skolem, Var
from rdfinc.errors import UnsupportedError
from rdfinc.plugins.spark.closure.driver_engine import items
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.terms.expressions.expression import evaluate, holds
from rdfinc.terms.expressions.term_identity import identity
from rdfinc.terms.skolem import skolem_iri

_THERE = " there"
"""The column of the matches of a pattern without variables."""

Number = Callable[[int], int]
"""The data's number of a term of the driver's."""


class Given(Struct, frozen=True):
    """The values of some variables, in the data's numbers."""

    variables: tuple[int, ...]
    rows: Sequence[Ids]

    def among(self) -> dict[int, set[int]]:
        """For each variable the values that it may have."""
        return {v: {row[i] for row in self.rows} for i, v in enumerate(self.variables)}

    def frame(self, spark: SparkSession) -> DataFrame:
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.variables)
        arrays = [pa.array(column, pa.int64()) for column in columns]
        names = [_name(variable) for variable in self.variables]
        return spark.createDataFrame(pa.table(arrays, names=names))


def _name(variable: int) -> str:
    return f"v{variable}"


class Matching:
    """The matches of one clause; what the driver holds of its body is `given`."""

    def __init__(
        self,
        clause: Clause,
        given: Given,
        number: Number,
        numbers: TermNumbers,
        spark: SparkSession,
    ) -> None:
        self.clause, self.given = clause, given
        self._number, self._numbers, self._spark = number, numbers, spark
        self._among = given.among()

    def among(self, term: int) -> set[int] | None:
        """The values that a term of a pattern may have; None if it may be any term."""
        return {self._number(term)} if term > 0 else self._among.get(~term)

    def matches(self, sources: Mapping[int, DataFrame], everything: DataFrame) -> DataFrame:
        """The matches where literals, by their places in the body, are among the facts of their
        `sources`, joined from the first on. Negated ones are missing from `everything`."""
        waiting = {i: self._facts(self.clause.body[i], frame) for i, frame in sources.items()}
        first = next(iter(waiting), None)
        frame = None if first is None else waiting.pop(first)
        if self.given.variables:
            values = self.given.frame(self._spark)
            frame = values if frame is None else _joined(frame, F.broadcast(values))
        if frame is None:
            frame = self._spark.range(1).select(F.lit(1).alias(_THERE))
        undone = list(zip(self.clause.computations, items(self.clause), strict=False))
        while waiting:
            bound = set(frame.columns)
            best = max(waiting, key=lambda i: len(bound.intersection(waiting[i].columns)))
            if bound.isdisjoint(waiting[best].columns):
                ready = next((each for each in undone if self._binds(each, bound)), None)
                if ready is not None:
                    undone.remove(ready)
                    frame = self._computed(frame, *ready)
                    continue
            frame = _joined(frame, waiting.pop(best))
        while undone:
            bound = set(frame.columns)
            ready = next((each for each in undone if self._is_ready(each, bound)), None)
            assert ready is not None, "a safe rule binds everything"
            undone.remove(ready)
            frame = self._computed(frame, *ready)
        for literal in self.clause.negative:
            frame = self._without(frame, self._facts(literal, everything))
        return frame

    def head(self, frame: DataFrame) -> DataFrame:
        """The facts that the matches give."""
        head = self.clause.head
        terms = zip("spo", (head.s, head.p, head.o), strict=True)
        return frame.select(*(self.term(term).alias(name) for name, term in terms))

    def term(self, term: int) -> Column:
        """A term of a pattern in the matches."""
        return F.col(_name(~term)) if term < 0 else F.lit(self._number(term)).cast("bigint")

    def _facts(self, pattern: Pattern, facts: DataFrame) -> DataFrame:
        """The facts that a pattern can be, a column for each of its variables."""
        columns: dict[str, str] = {}
        conditions: list[Column] = []
        for name, term in zip("spo", (pattern.s, pattern.p, pattern.o), strict=True):
            values = self.among(term)
            if values is not None and len(values) <= SPARK.few_values:
                conditions.append(F.col(name).isin(*values))
            elif name == "p" and values is None:
                conditions.append(F.col("p") > 0)
            if term < 0 and _name(~term) in columns:
                conditions.append(F.col(name) == F.col(columns[_name(~term)]))
            elif term < 0:
                columns[_name(~term)] = name
        chosen = facts.where(reduce(and_, conditions)) if conditions else facts
        if not columns:
            return chosen.limit(1).select(F.lit(1).alias(_THERE))
        return chosen.select(*(F.col(name).alias(variable) for variable, name in columns.items()))

    def _without(self, frame: DataFrame, facts: DataFrame) -> DataFrame:
        if facts.columns == [_THERE]:
            return frame.join(facts, F.lit(True), "left_anti")
        return frame.join(facts, facts.columns, "left_anti")

    # -- computations

    def _binds(self, each: tuple[Computation, object], bound: set[str]) -> bool:
        computation, _ = each
        return computation.output is not None and self._is_ready(each, bound)

    def _is_ready(self, each: tuple[Computation, object], bound: set[str]) -> bool:
        computation, item = each
        if bound.issuperset(map(_name, computation.inputs)):
            return True
        known = computation.output is not None and _name(computation.output) in bound
        if known and isinstance(item, Skolem):
            raise UnsupportedError("on Spark: SKOLEM whose arguments only its value tells")
        return known and isinstance(item, Row)

    def _computed(
        self, frame: DataFrame, computation: Computation, item: Filter | Bind | Row | Skolem
    ) -> DataFrame:
        inputs = [_name(variable) for variable in computation.inputs]
        if isinstance(item, Filter):
            return self._filtered(frame, inputs, item.expression)
        assert computation.output is not None
        output = _name(computation.output)
        if not set(inputs) <= set(frame.columns):
            return self._numbers.members(frame, output, inputs)
        if isinstance(item, Row):
            made = f"?{item.variable.name}" in {f"?{v.name}" for v in self._made()}
            rows = self._numbers.with_rows if made else self._numbers.find_rows
            return _agreeing(frame, output, lambda f, name: rows(f, inputs, name))
        compute = _skolem(item) if isinstance(item, Skolem) else partial(evaluate, item.expression)

        def value(to: DataFrame, name: str) -> DataFrame:
            found = self._numbers.computed(to, inputs, name, compute)
            return self._numbers.numbered(found.where(F.col(name).isNotNull()), name)

        return _agreeing(frame, output, value)

    def _made(self) -> set[Var]:
        head = self.clause.rule.head
        return set() if head is None else set(head.variables())

    def _filtered(self, frame: DataFrame, inputs: list[str], expression: Expression) -> DataFrame:
        names = tuple(variable.name for variable in expression.variables)
        same = identity(expression.text, names)
        if same is not None:
            constants = [self._numbers.give([text])[text] for text in same.constants]
            return frame.where(same.test(*map(F.col, inputs), *map(F.lit, constants)))
        found = self._numbers.computed(frame, inputs, " holds", partial(_true, expression))
        return found.where(F.col(" holds").isNotNull()).drop(" holds")


def _true(expression: Expression, rows: list[tuple[bytes, ...]]) -> list[bytes | None]:
    return [b"" if true else None for true in holds(expression, rows)]


def _skolem(item: Skolem) -> Callable[[list[tuple[bytes, ...]]], list[bytes | None]]:
    variables = list(dict.fromkeys(t for t in item.arguments if isinstance(t, Var)))

    def values(rows: list[tuple[bytes, ...]]) -> list[bytes | None]:
        found: list[bytes | None] = []
        for row in rows:
            value = dict(zip(variables, row, strict=True))
            terms = [value[t] if isinstance(t, Var) else t.encode() for t in item.arguments]
            found.append(skolem_iri(item.name, terms))
        return found

    return values


def _agreeing(
    frame: DataFrame, output: str, value: Callable[[DataFrame, str], DataFrame]
) -> DataFrame:
    """The data frame with a value in a column; an existing column keeps the rows with the same
    value."""
    if output not in frame.columns:
        return value(frame, output)
    return value(frame, " value").where(F.col(" value") == F.col(output)).drop(" value")


def _joined(frame: DataFrame, other: DataFrame) -> DataFrame:
    if other.columns == [_THERE]:
        return frame.join(other, F.lit(True), "left_semi")
    shared = [name for name in frame.columns if name in other.columns]
    return frame.join(other, shared) if shared else frame.crossJoin(other)
