"""Literals of a bulk load with one value, as facts for the datatype rules
(`knowledge_base.implied.literal_facts`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.plugins.spark.arrow_columns import mapped
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.terms.builtins import is_ill_typed, is_its_own, value_spelling

_VALUES_FROM = 1 << 42
"""Auxiliary nodes that stand for values have numbers from minus this down."""


def odd_literals(terms: DataFrame) -> DataFrame:
    """id, value: the literals of a dictionary that are not in canonical form, each with the one
    that represents its value. O(literals with a datatype)."""
    typed = terms.where(F.col("term").startswith('"') & F.col("term").endswith(">"))
    return mapped(typed, odd_among, "id BIGINT, value STRING").localCheckpoint()


def shared_values(terms: DataFrame, odd: DataFrame) -> DataFrame | None:
    """s, o: the literals of a dictionary whose value others have, each with the node that stands
    for it; None if there are none. `odd` are those of `odd_literals`: if there are some, it takes
    O(terms).
    """
    count = odd.count()
    if not count:
        return None
    values = odd.select("value").distinct()
    if count <= SPARK.few_rows:
        values = F.broadcast(values)
    plain = terms.join(values, F.col("value") == F.col("term")).select("id", "value")
    alike = odd.unionByName(plain).distinct()
    groups = alike.groupBy("value").agg(F.min("id").alias("least"), F.count("id").alias("size"))
    node = groups.where("size > 1").select("value", "least")
    number = F.lit(-_VALUES_FROM) - F.col("least")
    shared = alike.join(node, "value").select(F.col("id").alias("s"), number.alias("o"))
    found = shared.localCheckpoint()
    return None if found.isEmpty() else found


def odd_among(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """As `odd_literals`, of batches of ids and terms."""
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
