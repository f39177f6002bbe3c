"""The folder of a closure in the making: what is done is kept there, and taken up after a kill.

    facts/<n>   Parquet: s, p, o, in the order in which they were found, each once in all parts
    terms/<n>   Parquet: id, term that the dictionary of the data lacks
    doubted/<n> Parquet: s, p, o of the closure that a deletion may take away (`doubts`)
    rows/<n>    Parquet: id, members of an auxiliary node that stands for a tuple of ids
    state.json  what was done when it was last written

Parts count once the state names them; further parts of an interrupted run are written over.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from rdfinc.plugins.spark.spark_thresholds import SPARK

SCHEMAS = {
    "facts": "s BIGINT, p BIGINT, o BIGINT",
    "doubted": "s BIGINT, p BIGINT, o BIGINT",
    "terms": "id BIGINT, term STRING",
    "rows": "id BIGINT, members ARRAY<BIGINT>",
}

STATE = "state.json"

ENDS = ["s", "p", "o"]
"""The columns of a fact."""


def few(frame: DataFrame) -> pa.Table | None:
    """The rows of a data frame if they are few."""
    table: pa.Table = frame.limit(SPARK.few_rows + 1).toArrow()
    return table if table.num_rows <= SPARK.few_rows else None


def small(frame: DataFrame) -> DataFrame | None:
    """The data frame as one that the driver has, if its rows are few: Spark sends these to all
    tasks instead of shuffling what they meet."""
    table = few(frame)
    return None if table is None else frame.sparkSession.createDataFrame(table, frame.schema)


def missing(facts: DataFrame, others: DataFrame, columns: Sequence[str] = ENDS) -> DataFrame:
    """The facts that are not among others."""
    return facts.join(others, [*columns], "left_anti").select(*columns)


class RunState:
    """Data frames written part by part, of the kinds in `SCHEMAS`. What it has persisted it lets go
    at the end of the block."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self.folder = spark, folder
        self.parts = dict.fromkeys(SCHEMAS, 0)
        self._sizes: dict[str, int] = {"terms": 0, "rows": 0}
        self._persisted: list[DataFrame] = []

    def __enter__(self) -> RunState:
        return self

    def __exit__(self, *_: object) -> None:
        for frame in self._persisted:
            frame.unpersist()

    def persist(self, frame: DataFrame) -> DataFrame:
        """The data frame, which Spark keeps once it is computed."""
        self._persisted.append(frame.persist())
        return self._persisted[-1]

    def load(self) -> dict[str, Any] | None:
        """The saved state, if there is one; the parts are again those named there."""
        try:
            found: dict[str, Any] = json.loads((self.folder / STATE).read_text("utf-8"))
        except FileNotFoundError:
            return None
        self.parts, self._sizes = found.pop("parts"), found.pop("sizes")
        return found

    def save(self, state: dict[str, Any]) -> None:
        made = self.folder / f".{STATE}"
        counted = {**state, "parts": self.parts, "sizes": self._sizes}
        made.write_text(json.dumps(counted), "utf-8")
        os.replace(made, self.folder / STATE)

    def size(self, kind: str) -> int:
        """How many terms or rows there are."""
        return self._sizes[kind]

    def write(self, kind: str, frame: DataFrame) -> int:
        """Adds a part, unless it is empty; returns its rows."""
        place = self._place(kind)
        frame.write.mode("overwrite").parquet(place.as_uri())
        rows = sum(pq.read_metadata(file).num_rows for file in place.glob("*.parquet"))
        return self._added(kind, rows)

    def put(self, kind: str, table: pa.Table) -> int:
        """Adds a part that the driver has, unless it is empty; returns its rows."""
        place = self._place(kind)
        place.mkdir(parents=True)
        pq.write_table(table, place / "part.parquet")
        return self._added(kind, table.num_rows)

    def _place(self, kind: str) -> Path:
        """The folder for the next part."""
        place = self.folder / kind / str(self.parts[kind])
        shutil.rmtree(place, ignore_errors=True)
        return place

    def _added(self, kind: str, rows: int) -> int:
        if rows:
            self.parts[kind] += 1
            if kind in self._sizes:
                self._sizes[kind] += rows
        return rows

    def read(self, kind: str, start: int = 0, stop: int | None = None) -> DataFrame:
        """The parts from `start` on, before `stop`."""
        stop = self.parts[kind] if stop is None else stop
        reader = self.spark.read.schema(SCHEMAS[kind])
        if start == stop:
            return self.spark.createDataFrame([], SCHEMAS[kind])
        return reader.parquet(*((self.folder / kind / str(n)).as_uri() for n in range(start, stop)))
