"""The benchmark of loading through Spark runs and prints what it promises."""

from __future__ import annotations

import re
import sys

import pytest
import spark_loading
from pyspark.sql import SparkSession

SMALL = {"universities": 1, "departments": 1, "repetitions": 1, "cores": 1, "formats": "ttl"}
NUMBER = r"[\d.,]+ (?:µs|ms|s) "


def test_spark_loading(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the room's session, which is what one with so many cores gets here."""
    monkeypatch.setattr(sys, "argv", ["", *(f"--{name}={value}" for name, value in SMALL.items())])
    spark_loading.main()
    printed = capsys.readouterr().out
    for row in (r"spark rows, local\[1\]", r"spark bulk load, local\[1\]", "rdfinc load"):
        assert re.search(rf"{row} +(?:{NUMBER} *){{4}}[\d,]+$", printed, re.MULTILINE), row
    assert printed.count("rdflib parse") == 1
