"""Literals of a bulk load with one value, as facts for the datatype rules
(`knowledge_base.implied.literal_facts`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.plugins.spark.arrow_columns import mapped
from rdfinc.terms.builtins import is_ill_typed, is_its_own, value_spelling

_VALUES_FROM = 1 << 42
"""Auxiliary nodes that stand for values have numbers from minus this down."""


def literal_values(
    facts: DataFrame, terms: DataFrame, syntax: Sequence[int], relation: int
) -> DataFrame | None:
    """(literal, relation, value) for the objects of facts, those with predicates in `syntax` aside,
    if others of the dictionary have the value; None if all are in canonical form.
    O(literals with a datatype), and the facts if there are any.
    """
    typed = terms.where(F.col("term").startswith('"') & F.col("term").endswith(">"))
    odd = mapped(typed, _odd, "id BIGINT, value STRING").localCheckpoint()
    if odd.isEmpty():
        return None
    values = odd.select("value").distinct()
    plain = values.join(terms, values["value"] == terms["term"]).select("id", "value")
    alike = odd.unionByName(plain).distinct()
    groups = alike.groupBy("value").agg(F.min("id").alias("least"), F.count("id").alias("size"))
    node = groups.where("size > 1").select("value", "least")
    objects = facts.where(~F.col("p").isin(*syntax)).select(F.col("o").alias("id"))
    stated = alike.join(objects, "id", "left_semi").join(node, "value")
    number = F.lit(-_VALUES_FROM) - F.col("least")
    p = F.lit(relation).cast("bigint")
    found = stated.select(F.col("id").alias("s"), p.alias("p"), number.alias("o"))
    return found.localCheckpoint()


def _odd(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The literals that are not in canonical form, each with the one that represents its value."""
    for batch in batches:
        terms = batch.column("term").cast(pa.binary()).to_pylist()
        found = [
            (id, value_spelling(key).decode())
            for id, key in zip(batch.column("id").to_pylist(), terms, strict=True)
            if not is_its_own(key) and not is_ill_typed(key)
        ]
        ids, values = [id for id, _ in found], [value for _, value in found]
        columns = [pa.array(ids, pa.int64()), pa.array(values, pa.string())]
        yield pa.record_batch(columns, names=["id", "value"])
