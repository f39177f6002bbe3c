"""rdfinc on Spark (PySpark 4): `register` makes RDF a format of `spark.read` and `df.write`."""

from __future__ import annotations

from pyspark.sql import SparkSession

from rdfinc.plugins.spark.source import RdfSource

__all__ = ["register"]


def register(spark: SparkSession) -> None:
    """Makes `spark.read.format("rdf")` and `df.write.format("rdf")` known; see `RdfSource`."""
    spark.dataSource.register(RdfSource)
