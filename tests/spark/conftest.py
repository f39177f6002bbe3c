"""One Spark session for the whole room: `rdfinc`'s own, as users without one get it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from moto.server import ThreadedMotoServer
from pyarrow import fs
from pyspark.sql import SparkSession

import thresholds
from quick_java import QUICK_JAVA
from rdfinc.plugins.spark.session import spark_session
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.remote_paths import RemotePath

ROOM = Path(__file__).parent
OPTIONS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",  # compiling takes longer than what little there is
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": f"{QUICK_JAVA} "
    "-XX:MetaspaceSize=512m -Xms1g -Xmn600m",  # not to collect meanwhile
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",  # for test_connect
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.connect.grpc.binding.port": "0",
}

SECRETS = {
    "AWS_ACCESS_KEY_ID": "rdfinc",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_DEFAULT_REGION": "us-east-1",
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
    thresholds.put(monkeypatch, SPARK, read_here=0, closed_here=0, memory_share=0)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    os.environ.update(SECRETS)  # for tasks, too
    with spark_session("local[2]", **OPTIONS) as session:
        yield session


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """The address of a server of S3 in this process."""
    os.environ.update(SECRETS)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3: str) -> RemotePath:
    """An empty bucket."""
    name = f"test-{uuid4().hex}"
    options = {"endpoint_override": s3, "scheme": "http", "allow_bucket_creation": True}
    fs.S3FileSystem(**options).create_dir(name)
    return RemotePath.of(f"s3://{name}?endpoint_override={s3}&scheme=http")
