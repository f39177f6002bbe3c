"""Aggregates of the matches of a rule (see `datalog.clause.Fold`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.model import Value
from rdfinc.plugins.spark.arrow_columns import mapped
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.terms.expressions.aggregates import aggregate
from rdfinc.terms.expressions.expression import evaluate


def folded(
    matches: DataFrame,
    subject: Column,
    relation: Column,
    value: Value,
    inputs: Sequence[str],
    numbers: TermNumbers,
) -> DataFrame:
    """A fact (subject, relation, value) for each group of matches with the same subject and
    relation that has a value. Each match is a solution; its terms are in the columns `inputs`.

    The different terms of a group must fit into the memory of a task.
    """
    if value.expression is None:
        solutions = matches.withColumn("o", F.lit(""))
    else:
        compute = partial(evaluate, value.expression)
        solutions = numbers.computed(matches, inputs, "o", compute)
    terms = solutions.groupBy(subject.alias("s"), relation.alias("p"), "o").count()
    groups = terms.groupBy("s", "p").agg(F.collect_list(F.struct("o", "count")).alias("terms"))
    found = mapped(groups, _aggregated(value), "s BIGINT, p BIGINT, o STRING")
    return numbers.numbered(found.where("o IS NOT NULL"), "o").select("s", "p", "o")


def _aggregated(
    value: Value,
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def apply(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            groups = map(_group, batch.column("terms").to_pylist())
            found = [aggregate(value.function, group, distinct=value.distinct) for group in groups]
            texts = pa.array(found, pa.binary()).cast(pa.string())
            yield pa.record_batch([batch.column("s"), batch.column("p"), texts], names=list("spo"))

    return apply


def _group(terms: list[dict[str, Any]]) -> dict[bytes | None, int]:
    """How often each term occurs."""
    return {None if t["o"] is None else t["o"].encode(): t["count"] for t in terms}
