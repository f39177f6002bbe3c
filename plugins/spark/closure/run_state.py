"""The folder of a closure in the making: what is done is kept there, and taken up after a kill.

    facts/<n>   Parquet: s, p, o, in the order in which they were found, each once in all parts
    terms/<n>   Parquet: id, term that the dictionary of the data lacks
    doubted/<n> Parquet: s, p, o of the closure that a deletion may take away (`doubts`)
    rows/<n>    Parquet: id, members of an auxiliary node that stands for a tuple of ids
    state.json  what was done when it was last written

Parts count once the state names them; further parts of an interrupted run are written over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from rdfinc.plugins.spark.load.layout import read_json, write_json
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.folder_places import Folder

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

    def __init__(self, spark: SparkSession, folder: Folder) -> None:
        self.spark, self.folder = spark, folder
        self.parts = dict.fromkeys(SCHEMAS, 0)
        self._sizes: dict[str, int] = {"terms": 0, "rows": 0}
        self._persisted: list[DataFrame] = []
        self._at_hand: dict[str, DataFrame] = {}

    def __enter__(self) -> RunState:
        return self

    def __exit__(self, *_: object) -> None:
        for frame in (*self._persisted, *self._at_hand.values()):
            frame.unpersist()

    def persist(self, frame: DataFrame) -> DataFrame:
        """The data frame, which Spark keeps once it is computed."""
        self._persisted.append(frame.persist())
        return self._persisted[-1]

    def at_hand(self, folder: Folder, frame: DataFrame) -> DataFrame:
        """A data frame of a folder, to be asked again and again for some of its rows."""
        return frame if folder.is_selective else self.persist(frame)

    def load(self) -> dict[str, Any] | None:
        """The saved state, if there is one; the parts are again those named there."""
        try:
            found = read_json(self.folder, STATE)
        except FileNotFoundError:
            return None
        self.parts, self._sizes = found.pop("parts"), found.pop("sizes")
        return found

    def save(self, state: dict[str, Any]) -> None:
        self.folder.settle()
        write_json(self.folder, STATE, {**state, "parts": self.parts, "sizes": self._sizes})

    def size(self, kind: str) -> int:
        """How many terms or rows there are."""
        return self._sizes[kind]

    def write(self, kind: str, frame: DataFrame) -> int:
        """Adds a part, unless it is empty; returns its rows."""
        return self._added(kind, self.folder.save(self._place(kind), frame))

    def put(self, kind: str, table: pa.Table) -> int:
        """Adds a part that the driver has, unless it is empty; returns its rows."""
        self.folder.put(f"{self._place(kind)}/part.parquet", table)
        return self._added(kind, table.num_rows)

    def _place(self, kind: str) -> str:
        """The name of the next part, of which there is nothing."""
        name = f"{kind}/{self.parts[kind]}"
        self.folder.remove(name)
        if name in self._at_hand:
            self._at_hand.pop(name).unpersist()
        return name

    def _added(self, kind: str, rows: int) -> int:
        if rows:
            self.parts[kind] += 1
            if kind in self._sizes:
                self._sizes[kind] += rows
        return rows

    def read(self, kind: str, start: int = 0, stop: int | None = None) -> DataFrame:
        """The parts from `start` on, before `stop`."""
        stop = self.parts[kind] if stop is None else stop
        if start == stop:
            return self.spark.createDataFrame([], SCHEMAS[kind])
        names = [f"{kind}/{part}" for part in range(start, stop)]
        if self.folder.is_selective:
            return self.folder.frame(self.spark, SCHEMAS[kind], *names)
        return reduce(DataFrame.unionByName, (self._part(kind, name) for name in names))

    def _part(self, kind: str, name: str) -> DataFrame:
        """A part, which Spark keeps once it is read."""
        if name not in self._at_hand:
            frame = self.folder.frame(self.spark, SCHEMAS[kind], name)
            self._at_hand[name] = frame.persist()
        return self._at_hand[name]
