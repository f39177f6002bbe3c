"""The numbers of terms in a closure on Spark: those of the data's dictionary, and more for terms
brought in or computed by rules. Auxiliary nodes for tuples have numbers below zero."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Row, Window
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.plugins.spark.arrow_columns import mapped
from rdfinc.plugins.spark.closure.run_state import RunState, few
from rdfinc.plugins.spark.closure.term_files import TermFiles
from rdfinc.plugins.spark.load.equal_literals import odd_among, odd_literals, shared_values
from rdfinc.plugins.spark.spark_thresholds import SPARK

_ODD = pa.schema([("id", pa.int64()), ("value", pa.string())])

Texts = Callable[[list[tuple[bytes, ...]]], list[bytes | None]]


class TermNumbers:
    """`known` is the data's dictionary, a data frame of id and term, with ids up to `last`; `files`
    are where it stands."""

    def __init__(self, work: RunState, known: DataFrame, files: TermFiles, last: int) -> None:
        self._work, self._known, self._files, self._last = work, known, files, last
        self._given: dict[str, int] = {}
        self.spark = work.spark

    def terms(self) -> DataFrame:
        """All terms, with their ids."""
        return self._known.unionByName(self._work.read("terms"))

    def texts(self, ids: Iterable[int]) -> dict[int, str]:
        """The terms of some ids."""
        asked = {*ids}
        found = self._files.terms(asked) if self._are_few else {}
        others = self._others("id", pa.array(sorted(asked - found.keys()), pa.int64()))
        return found | {row.id: row.term for row in others}

    def find(self, terms: Iterable[str]) -> dict[str, int]:
        """The ids of some terms, as far as they have one."""
        asked = {*terms}
        found = self._files.ids(asked) if self._are_few else {}
        others = self._others("term", pa.array(sorted(asked - found.keys()), pa.string()))
        return found | {row.term: row.id for row in others}

    @property
    def _are_few(self) -> bool:
        """Whether the driver itself looks through the data's dictionary."""
        return self._last <= SPARK.asked_here

    def _others(self, column: str, values: pa.Array) -> list[Row]:
        """The terms that the driver does not look through itself and have some values in a column,
        with their ids."""
        if not len(values) or (self._are_few and not self._work.size("terms")):
            return []
        terms = self._work.read("terms") if self._are_few else self.terms()
        frame = self.spark.createDataFrame(pa.table({column: values}))
        return terms.join(F.broadcast(frame), column).collect()

    def shared_values(self) -> DataFrame | None:
        """The literals whose value others have; see `equal_literals`."""
        if not self._are_few:
            return shared_values(self.terms(), odd_literals(self.terms()))
        odd = pa.Table.from_batches(odd_among(self._files.typed()), _ODD)
        known = self.spark.createDataFrame(odd)
        if self._work.size("terms"):
            known = known.unionByName(odd_literals(self._work.read("terms")))
        return shared_values(self.terms(), known)

    def give(self, terms: Iterable[str]) -> dict[str, int]:
        """The ids of some terms, which get one if they have none."""
        asked = sorted(set(terms))
        found = {term: self._given[term] for term in asked if term in self._given}
        found |= self.find(term for term in asked if term not in found)
        new = [term for term in asked if term not in found]
        if new:
            first = self._last + self._work.size("terms") + 1
            ids = pa.array(range(first, first + len(new)), pa.int64())
            self._work.put("terms", pa.table({"id": ids, "term": new}))
            found |= zip(new, ids.to_pylist(), strict=True)
        self._given |= found
        return found

    def numbered(self, frame: DataFrame, column: str) -> DataFrame:
        """The data frame, which has terms in a column, with their ids there."""
        terms = frame.select(F.col(column).alias("term")).distinct()
        new = terms.join(self.terms(), "term", "left_anti")
        self._write("terms", new, self._last + self._work.size("terms"), 1)
        ids = self.terms().select(F.col("id").alias(" id"), F.col("term").alias(column))
        return frame.join(ids, column).drop(column).withColumnRenamed(" id", column)

    def _write(self, kind: str, new: DataFrame, last: int, step: int) -> None:
        """Adds rows, each a column, with ids after the last one, in order of the column."""
        (column,) = new.columns
        table = few(new)
        if table is None:
            place = F.row_number().over(Window.orderBy(column))
            id = (F.lit(last) + F.lit(step) * place).cast("bigint")
            self._work.write(kind, new.select(id.alias("id"), column))
            return
        values = sorted(table.column(column).to_pylist())
        ids = pa.array((last + step * place for place in range(1, len(values) + 1)), pa.int64())
        typed = pa.array(values, table.schema.field(column).type)
        self._work.put(kind, pa.table({"id": ids, column: typed}))

    # -- what is computed from terms, over distinct values

    def computed(
        self, frame: DataFrame, inputs: Sequence[str], output: str, compute: Texts
    ) -> DataFrame:
        """The data frame with a text for the terms of some columns: `compute` gives the text for
        rows of terms; null for None, and in rows with a node that is no term."""
        inputs = list(dict.fromkeys(inputs))
        asked = frame.select(*inputs).distinct()
        terms = self.terms()
        for name in inputs:
            named = terms.select(F.col("id").alias(name), F.col("term").alias(f"{name} term"))
            asked = asked.join(named, name)
        if not inputs:
            (text,) = compute([()])
            return frame.withColumn(output, F.lit(None if text is None else text.decode()))
        schema = ", ".join(f"`{name}` BIGINT" for name in inputs) + f", `{output}` STRING"
        found = mapped(asked, _applied(compute, inputs, output), schema)
        return frame.join(found, inputs, "left")

    # -- rows

    def with_rows(self, frame: DataFrame, members: Sequence[str], output: str) -> DataFrame:
        """The data frame with the nodes for tuples of some columns, which get one if there is
        none."""
        tuples = frame.select(_tuple(members).alias("members")).distinct()
        new = tuples.join(self._work.read("rows"), "members", "left_anti")
        self._write("rows", new, -self._work.size("rows"), -1)
        return self.find_rows(frame, members, output)

    def find_rows(self, frame: DataFrame, members: Sequence[str], output: str) -> DataFrame:
        """The data frame with the nodes for tuples of some columns; 0 where there is none."""
        rows = self._work.read("rows").select(
            F.col("id").alias(output), F.col("members").alias(" members")
        )
        joined = frame.withColumn(" members", _tuple(members)).join(rows, " members", "left")
        return joined.drop(" members").withColumn(output, F.coalesce(output, F.lit(0)))

    def members(self, frame: DataFrame, row: str, members: Sequence[str]) -> DataFrame:
        """The data frame with the members of the nodes in a column that stand for as many."""
        rows = self._work.read("rows").select(F.col("id").alias(row), "members")
        joined = frame.join(rows.where(F.size("members") == len(members)), row)
        columns: dict[str, Column] = {}
        for place, name in enumerate(members):
            found = F.element_at("members", place + 1)
            if name in frame.columns or name in columns:
                joined = joined.where(F.col(name) == found)
            else:
                joined, columns[name] = joined.withColumn(name, found), found
        return joined.drop("members")


def _tuple(members: Sequence[str]) -> Column:
    return F.array(*members)


def _applied(
    compute: Texts, inputs: list[str], output: str
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def apply(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            terms = [batch.column(f"{name} term").cast(pa.binary()) for name in inputs]
            rows = list(zip(*(column.to_pylist() for column in terms), strict=True))
            found = pa.array(compute(rows), pa.binary()).cast(pa.string())
            ids = [batch.column(name) for name in inputs]
            yield pa.record_batch([*ids, found], names=[*inputs, output])

    return apply
