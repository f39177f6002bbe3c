"""Aggregates of the matches of a rule (see `datalog.clause.Fold`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.model import Value
from rdfinc.plugins.spark.numbers import Numbers
from rdfinc.terms.aggregates import aggregate
from rdfinc.terms.expressions import evaluate

_INTEGER = '"^^<http://www.w3.org/2001/XMLSchema#integer>'


def folded(
    matches: DataFrame,
    subject: Column,
    relation: Column,
    value: Value,
    inputs: Sequence[str],
    numbers: Numbers,
) -> DataFrame:
    """A fact (subject, relation, value) for each group of matches with the same subject and
    relation that has a value. Each match is a solution; its terms are in the columns `inputs`.

    A group that is not counted must fit into the memory of a task.
    """
    solutions = matches
    if value.expression is None:
        solutions = solutions.withColumn("o", F.lit(""))
    else:
        compute = partial(evaluate, value.expression)
        solutions = numbers.computed(solutions, inputs, "o", compute)
    groups = solutions.groupBy(subject.alias("s"), relation.alias("p"))
    if value.function == "COUNT":
        counted = F.count_distinct("o") if value.distinct else F.count("o")
        text = F.concat(F.lit('"'), counted.cast("string"), F.lit(_INTEGER))
        found = groups.agg(text.alias("o"))
    else:
        terms = groups.agg(F.collect_list(F.struct("o")).alias("terms"))
        found = terms.mapInArrow(_aggregated(value), "s BIGINT, p BIGINT, o STRING")
    return numbers.numbered(found.where("o IS NOT NULL"), "o").select("s", "p", "o")


def _aggregated(
    value: Value,
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def apply(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found = []
            for group in batch.column("terms").to_pylist():
                terms = [each["o"] and each["o"].encode() for each in group]
                found.append(aggregate(value.function, terms, distinct=value.distinct))
            texts = pa.array(found, pa.binary()).cast(pa.string())
            columns = [batch.column("s"), batch.column("p"), texts]
            yield pa.record_batch(columns, names=["s", "p", "o"])

    return apply
