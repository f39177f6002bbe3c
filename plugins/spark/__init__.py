"""rdfinc on Spark (PySpark 4): `register` makes RDF a format of `spark.read` and `df.write`,
`bulk_load` and `bulk_load_lines` make a folder of ids and Parquet that `KnowledgeBase.load` and
Spark SQL read, `materialise` and `extend` folders with all that follows, and `ChangeSink` takes
changes from a stream into a knowledge base."""

from __future__ import annotations

from pyspark.sql import SparkSession

from rdfinc.plugins.spark.bulk import bulk_load, bulk_load_lines
from rdfinc.plugins.spark.changes import ChangeSink
from rdfinc.plugins.spark.closure import extend, materialise
from rdfinc.plugins.spark.source import RdfSource

__all__ = ["ChangeSink", "bulk_load", "bulk_load_lines", "extend", "materialise", "register"]


def register(spark: SparkSession) -> None:
    """Makes `spark.read.format("rdf")` and `df.write.format("rdf")` known; see `RdfSource`."""
    spark.dataSource.register(RdfSource)
