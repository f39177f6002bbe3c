"""Spark Connect: what its API allows works, what it does not is refused in one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rdfinc import KnowledgeBase

SCRIPT = """
import json
from pathlib import Path
from rdfinc import KnowledgeBase, UnsupportedError
from rdfinc.plugins.spark import ChangeSink, bulk_load_lines, materialise, register
from rdfinc.plugins.spark.folders import closure_into_folder
from rdfinc.plugins.spark.session import spark_session

def refused(function, *arguments, **named):
    try:
        function(*arguments, **named)
    except UnsupportedError as error:
        return str(error)

folder = Path.cwd()
file = folder / "data.ttl"
with spark_session() as spark:
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    spark.conf.set("spark.sql.codegen.wholeStage", "false")
    spark.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    register(spark)
    rows = spark.read.format("rdf").option("splitBytes", "250").load(str(file))
    rows.write.format("rdf").mode("append").save(str(folder / "copy.nt"))
    told = {"session": type(spark).__module__, "rows": rows.count()}
    lines = spark.read.text((folder / "copy.nt").as_uri())
    told["lines"] = bulk_load_lines(lines, "lines").facts
    kb = KnowledgeBase()
    kb.load(file, engine="spark")
    told["facts"] = len(kb)
    quiet = {"profile": "owl2rl", "strict": True, "say": lambda text: None}
    told["refused"] = [
        refused(materialise, spark, "lines", "closure"),
        refused(closure_into_folder, [file], Path("closure"), **quiet),
        refused(ChangeSink, kb, "changes"),
    ]
print(json.dumps(told))
"""

SERVER = "org.apache.spark.sql.connect.service.SparkConnectService$"

DATA = """@prefix : <http://e/> . :p a <http://www.w3.org/2002/07/owl#TransitiveProperty> .
""" + "".join(f":{n} :p :{n + 1} , _:b .\n" for n in range(9))


def test_a_session_of_spark_connect(spark: SparkSession, tmp_path: Path) -> None:
    """The server is in the room's session."""
    pytest.importorskip("grpc")
    remote = f"sc://127.0.0.1:{getattr(getattr(spark._jvm, SERVER), 'MODULE$').localPort()}"
    (tmp_path / "data.ttl").write_text(DATA)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path, env={**os.environ, "SPARK_REMOTE": remote},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["session"].startswith("pyspark.sql.connect")
    here = KnowledgeBase()
    here.load(tmp_path / "data.ttl")
    assert (told["rows"], told["lines"], told["facts"]) == (19, 19, len(here))
    assert len(told["refused"]) == 3
    for says in told["refused"]:
        assert "with Spark Connect: the driver must be this process; use a session that" in says
    assert {path.name for path in tmp_path.iterdir()} == {"data.ttl", "copy.nt", "lines"}
