"""A Spark session: the running one, or a local one, started and stopped again."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import IO, Any

from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession, is_remote

from rdfinc.errors import UnsupportedError
from rdfinc.plugins.spark.java import java_for_spark

_PARTS = "spark.sql.shuffle.partitions"
_PRUNING = "spark.sql.optimizer.dynamicPartitionPruning.enabled"
_ROWS = 2_000_000
"""The rows of a part: some 100 MB when they are sorted."""

_LOCAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.ui.retainedJobs": "1",  # nobody looks at them, and each plan names all rules
    "spark.ui.retainedStages": "1",
    "spark.ui.retainedTasks": "1",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": str(1 << 20),
    _PARTS: str(2 * (os.cpu_count() or 1)),
}


class _Own:
    """The session that `spark_session` has started, and how many blocks use it."""

    session: SparkSession | None = None
    blocks = 0
    changing = Lock()


@contextmanager
def spark_session(master: str = "local[*]", **options: str) -> Iterator[SparkSession]:
    """The running session, of whichever thread; if there is none, a session on this machine, or at
    `SPARK_REMOTE`, that ends with the last block that uses it.

    `master` and `options` (`spark.…`) are for one on this machine. To start it takes some seconds.
    """
    with _Own.changing:
        session = _running()
        if session is None:
            memory = {"spark.driver.memory": f"{heap_megabytes()}m"}
            session = _Own.session = _started(master, {**_LOCAL, **memory, **options})
        own = session is _Own.session
        _Own.blocks += own
    try:
        yield session
    finally:
        with _Own.changing:
            _Own.blocks -= own
            if own and not _Own.blocks:
                _Own.session = None
                _stop(session)


def heap_megabytes() -> int:
    """How large the heap of a session on this machine may become: a quarter of the memory, as
    machines of Java take unasked, and two gigabytes at least. Driver and tasks share it."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no such call
        memory = 0
    return max(memory >> 22, 2048)


def refuse_connect(what: str) -> None:
    """Raises UnsupportedError where sessions are those of Spark Connect."""
    if is_remote():
        raise UnsupportedError(
            f"{what} with Spark Connect: the driver must be this process; use a session that runs "
            'here, such as SparkSession.builder.master("local[*]")'
        )


@contextmanager
def shuffled(spark: SparkSession, rows: int) -> Iterator[None]:
    """Has Spark take so many rows apart into as many parts as fit into the memory of tasks; it puts
    small ones together again."""
    before = spark.conf.get(_PARTS)
    assert before is not None
    with _in_force(spark, _PARTS, str(max(int(before), rows // _ROWS))):
        yield


@contextmanager
def without_pruning(spark: SparkSession) -> Iterator[None]:
    """PySpark 4.3 does not wait for its dynamic pruning where Arrow tables are asked for ("has not
    finished"); facts are chosen by predicate beforehand anyway."""
    with _in_force(spark, _PRUNING, "false"):
        yield


@contextmanager
def _in_force(spark: SparkSession, setting: str, value: str) -> Iterator[None]:
    before = spark.conf.get(setting)
    assert before is not None
    spark.conf.set(setting, value)
    try:
        yield
    finally:
        spark.conf.set(setting, before)


def _running() -> SparkSession | None:
    """The session of this thread, or else that of the process, unless its context has ended."""
    try:
        session = SparkSession.active()
    except PySparkRuntimeError:
        return None
    ended = not is_remote() and session.sparkContext._jsc is None
    return None if ended else session


def _started(master: str, options: dict[str, str]) -> SparkSession:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder
    if "SPARK_REMOTE" not in os.environ:
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


def _stop(session: SparkSession) -> None:
    machine: Any = None if is_remote() else session._jvm
    session.stop()
    if machine is not None:
        machine.System.gc()  # it stays, but hands back the memory that it does not need


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
