"""What the datatype rules read of literals, as facts of the data (`knowledge_base.implied`): which
literals have one value, of which properties triples are stated, and whether few literals have
names."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.knowledge_base.implied.literal_facts import SYNTAX
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.owl.vocabulary import OWL
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.equal_literals import literal_values

_SAME_AS = f"<{OWL}sameAs>"


def with_literal_facts(held: DriverEngine, numbers: TermNumbers, facts: DataFrame) -> DataFrame:
    """The facts, each once, with the auxiliary ones about their literals."""
    if not held.has_equality:
        return facts
    syntax = [*numbers.find(SYNTAX).values()]
    same_as = [*numbers.find([_SAME_AS]).values()]
    value, property_, few = held.of_literals
    values = literal_values(facts, numbers.terms(), syntax, value)
    stated = facts.where(~F.col("p").isin(*syntax, *same_as)).select("p").distinct()
    told = [(p, property_, p) for (p,) in stated.collect()]
    if _named(numbers, facts, same_as) <= KNOWLEDGE.differing_names:
        told.append((few, few, few))
    found = facts if values is None else facts.unionByName(values)
    return found.unionByName(facts.sparkSession.createDataFrame(told, facts.schema))


def _named(numbers: TermNumbers, facts: DataFrame, same_as: list[int]) -> int:
    """How many of the facts give literals names; some number above the threshold if many."""
    if not same_as:
        return 0
    literals = numbers.terms().where(F.col("term").startswith('"')).select(F.col("id").alias("o"))
    names = facts.where(F.col("p").isin(*same_as)).join(literals, "o", "left_semi")
    return names.limit(KNOWLEDGE.differing_names + 1).count()
