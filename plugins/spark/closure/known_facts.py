"""The facts of a closure on Spark, of which the driver asks for few."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.plugins.spark.closure.run_state import ENDS


class KnownFacts:
    """All `facts` of a closure: s, p, o, stated (see `facts_around.Closure`). A question is one
    pass over the facts of some predicates."""

    def __init__(self, facts: DataFrame) -> None:
        self._facts = facts

    def those(self, facts: pa.Table, room: int) -> pa.Table:
        return _told([self._asked(facts, ENDS)], room)

    def around(self, ends: Mapping[str, pa.Table], room: int) -> pa.Table:
        return _told([self._asked(table, ["p", end]) for end, table in ends.items()], room)

    def _asked(self, table: pa.Table, columns: list[str]) -> DataFrame:
        """The facts with what a table has in some columns."""
        predicates = pc.unique(table.column("p")).to_pylist()
        chosen = self._facts.where(F.col("p").isin(*predicates))
        asked = F.broadcast(self._facts.sparkSession.createDataFrame(table))
        return chosen.join(asked, columns, "left_semi").select(*ENDS, "stated")


def _told(frames: list[DataFrame], room: int) -> pa.Table:
    return reduce(DataFrame.unionByName, frames).limit(room + 1).toArrow()
