"""rdfinc on Spark (PySpark 4), for what the memory of one machine does not hold.

`register` makes RDF a format of `spark.read` and `df.write` (`source`, `sink`, `options`).
`bulk_load` and `bulk_load_lines` make a folder of ids and Parquet, for `KnowledgeBase.load` and
Spark SQL (the room `load`); `materialise` makes such a folder of the closure, `extend`, `retract`
and `change` one of what is stated after a change (`closure`), `copy_folder` a
copy. `ChangeSink` takes changes from a stream into a knowledge base (`change_sink`). `folders` is
the engine's door to them; the room `storage` has the files of this machine and others, `session`
and `java` start Spark, `arrow_columns` makes columns of terms. `alone` says whether the driver does
all that itself, `spark_thresholds` the sizes at which another way is taken.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from rdfinc.plugins.spark.change_sink import ChangeSink
from rdfinc.plugins.spark.closure.materialise import materialise
from rdfinc.plugins.spark.closure.stated_change import change, extend, retract
from rdfinc.plugins.spark.load.bulk import bulk_load, bulk_load_lines
from rdfinc.plugins.spark.load.folder_copies import copy_folder
from rdfinc.plugins.spark.source import RdfSource

__all__ = [
    "ChangeSink",
    "bulk_load",
    "bulk_load_lines",
    "change",
    "copy_folder",
    "extend",
    "materialise",
    "register",
    "retract",
]


def register(spark: SparkSession) -> None:
    """Makes `spark.read.format("rdf")` and `df.write.format("rdf")` known; see `RdfSource`."""
    spark.dataSource.register(RdfSource)
