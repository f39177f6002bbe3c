"""A Spark session: the one that is running, or a local one that is started and stopped again."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from pyspark.sql import SparkSession

from rdfinc.plugins.spark.java import java_for_spark

_PARTS = "spark.sql.shuffle.partitions"
_ROWS = 2_000_000
"""The rows of a part: some 100 MB when they are sorted."""

_LOCAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": str(1 << 20),
    _PARTS: str(2 * (os.cpu_count() or 1)),
}


@contextmanager
def spark_session(master: str = "local[*]", **options: str) -> Iterator[SparkSession]:
    """The running session; if there is none, one on this machine that ends with the block.

    `master` and `options` (`spark.…`) are for the latter. To start it takes some seconds.
    """
    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    started = _started(master, {**_LOCAL, **options})
    try:
        yield started
    finally:
        machine: Any = started._jvm
        started.stop()
        machine.System.gc()  # it stays, but hands back the memory that it does not need


@contextmanager
def shuffled(spark: SparkSession, rows: int) -> Iterator[None]:
    """Has Spark take so many rows apart into as many parts as fit into the memory of tasks; it puts
    small ones together again."""
    before = spark.conf.get(_PARTS)
    assert before is not None
    spark.conf.set(_PARTS, str(max(int(before), rows // _ROWS)))
    try:
        yield
    finally:
        spark.conf.set(_PARTS, before)


def _started(master: str, options: dict[str, str]) -> SparkSession:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder
    builder = builder.master(master).appName("rdfinc").config(map=options)
    with java_for_spark(), tempfile.TemporaryFile() as said:
        try:
            with _stderr_to(said):
                session: SparkSession = builder.getOrCreate()
        except Exception:
            said.seek(0)
            sys.stderr.write(said.read().decode(errors="replace"))
            raise
        return session


@contextmanager
def _stderr_to(file: IO[bytes]) -> Iterator[None]:
    """What this process and those it starts say on stderr goes to a file: the JVM is talkative, and
    its errors come as exceptions."""
    sys.stderr.flush()
    kept = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
