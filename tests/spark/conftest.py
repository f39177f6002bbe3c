"""One Spark session for the whole room: `rdfinc`'s own, as users without one get it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import thresholds
from rdfinc.plugins.spark.session import spark_session
from rdfinc.plugins.spark.spark_thresholds import SPARK

ROOM = Path(__file__).parent
OPTIONS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",  # compiling takes longer than what little there is
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC "
    "-XX:MetaspaceSize=512m -Xms1g -Xmn600m",  # to be warm soon, and not to collect meanwhile
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",  # for test_connect
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.connect.grpc.binding.port": "0",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The room is one group, and the longest one: it comes first."""
    for item in items:
        if ROOM in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("spark"))
    items.sort(key=lambda item: ROOM not in item.path.parents)


@pytest.fixture(autouse=True)
def nothing_is_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little there is, Spark does it, and not the driver."""
    thresholds.put(monkeypatch, SPARK, read_here=0, closed_here=0)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    with spark_session("local[2]", **OPTIONS) as session:
        yield session
