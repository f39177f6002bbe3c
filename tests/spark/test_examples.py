"""The example of Spark prints what it promises, in the room's session; `test_session.py` starts one
of its own, as users get it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

EXAMPLE = Path(__file__).parents[2] / "examples" / "spark_to_open.py"


def test_spark_to_open(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    facts = [re.findall(r"([\d,]+) facts", line)[0] for line in lines[:2]]
    assert facts[0] == facts[1]
    assert lines[2:] == [
        "parts of part 7: 62",
        "without one of its two halves: 124 facts gone, 31 parts",
    ]
