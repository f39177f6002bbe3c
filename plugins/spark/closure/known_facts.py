"""The facts of a closure on Spark, of which the driver asks for few."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.plugins.spark.closure.fact_files import STATED_OR_NOT, FactFiles
from rdfinc.plugins.spark.closure.run_state import ENDS


class KnownFacts:
    """All `facts` of a closure: s, p, o, stated (see `facts_around.Closure`). Those of the
    predicates `elsewhere` are not in its `files`.

    Few are looked through by the driver, which takes less time than to begin a job; many, and those
    elsewhere, by Spark.
    """

    def __init__(self, facts: DataFrame, files: FactFiles, elsewhere: Collection[int]) -> None:
        self._facts, self._files = facts, files
        self._elsewhere = pa.array(elsewhere, pa.int64())

    def those(self, facts: pa.Table, room: int) -> pa.Table:
        return self._told([facts], room)

    def around(self, ends: Mapping[str, pa.Table], room: int) -> pa.Table:
        return self._told([*ends.values()], room)

    def _told(self, tables: list[pa.Table], room: int) -> pa.Table:
        here, frames = [STATED_OR_NOT.empty_table()], []
        for table in tables:
            by_spark = self._by_spark(table.column("p"))
            mine, others = table.filter(pc.invert(by_spark)), table.filter(by_spark)
            if mine.num_rows:
                here.append(self._files.asked(mine))
            if others.num_rows:
                frames.append(self._asked(others))
        if frames:
            here.append(reduce(DataFrame.unionByName, frames).limit(room + 1).toArrow())
        return pa.concat_tables(each.cast(STATED_OR_NOT) for each in here)

    def _by_spark(self, predicates: pa.ChunkedArray) -> pa.ChunkedArray:
        """For each of some predicates whether Spark looks through its facts."""
        asked = pc.unique(predicates)
        return pc.is_in(predicates, self._elsewhere if self._files.are_few(asked) else asked)

    def _asked(self, table: pa.Table) -> DataFrame:
        predicates = pc.unique(table.column("p")).to_pylist()
        chosen = self._facts.where(F.col("p").isin(*predicates))
        asked = F.broadcast(self._facts.sparkSession.createDataFrame(table))
        return chosen.join(asked, table.column_names, "left_semi").select(*ENDS, "stated")
