"""What rules read of terms, as facts of the data (`knowledge_base.implied`): which literals have
one value, of which properties triples are stated, and whether few literals have names; under RDFS,
which container membership properties are used."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.knowledge_base.implied.literal_facts import SYNTAX
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.versions.container_properties import CONTAINER
from rdfinc.owl.vocabulary import OWL
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers

_SAME_AS = f"<{OWL}sameAs>"


class LiteralFacts:
    """The auxiliary facts about the terms of some facts.

    Values are those that the dictionary tells of by now: a literal that has one only since it has
    grown is the one of that value for a closure made before, so that nothing follows from it.
    """

    def __init__(self, held: DriverEngine, numbers: TermNumbers) -> None:
        self._held, self._numbers = held, numbers
        self._syntax = [*numbers.find(SYNTAX).values()]
        self._same_as = [*numbers.find([_SAME_AS]).values()]
        self._shared = numbers.shared_values() if held.has_equality else None

    def beside(self, facts: DataFrame) -> DataFrame:
        """The facts, each once, with those about their terms."""
        told = self._held.has_equality or self._held.has_containers
        return facts.unionByName(self.of(facts)) if told else facts

    def of(self, facts: DataFrame, predicates: Collection[int] | None = None) -> DataFrame:
        """What some facts' terms are; their predicates may be known."""
        spark = facts.sparkSession
        nothing = spark.createDataFrame([], facts.schema)
        if self._held.has_containers:
            return nothing.unionByName(self._containers(facts))
        if not self._held.has_equality:
            return nothing
        value, property_, few, _ = self._held.of_literals
        if predicates is None:
            predicates = {p for (p,) in facts.select("p").distinct().collect()}
        others = {*predicates}.difference(self._syntax, self._same_as)
        told = [(p, property_, p) for p in sorted(others)]
        same_as = [p for p in self._same_as if p in predicates]
        if _named(self._numbers, facts, same_as) <= KNOWLEDGE.differing_names:
            told.append((few, few, few))
        found = spark.createDataFrame(told, facts.schema)
        if self._shared is None:
            return found
        syntax = F.col("p").isin(*self._syntax)
        objects = facts.where(~syntax).select(F.col("o").alias("s"))
        values = self._shared.join(objects, "s", "left_semi")
        p = F.lit(value).cast("bigint").alias("p")
        return found.unionByName(values.select("s", p, "o").localCheckpoint())

    def _containers(self, facts: DataFrame) -> DataFrame:
        """Which terms rdf:_n some facts are about."""
        *_, container = self._held.of_literals
        is_one = F.col("term").rlike(f"^{CONTAINER.pattern.decode()}$")
        all_ = self._numbers.terms().where(is_one).select(F.col("id").alias("s"))
        ends = (facts.select(F.col(end).alias("s")) for end in "spo")
        used = all_.join(reduce(DataFrame.union, ends), "s", "left_semi")
        p = F.lit(container).cast("bigint").alias("p")
        return used.select("s", p, F.col("s").alias("o")).localCheckpoint()


def _named(numbers: TermNumbers, facts: DataFrame, same_as: list[int]) -> int:
    """How many of the facts give literals names; some number above the threshold if many."""
    if not same_as:
        return 0
    literals = numbers.terms().where(F.col("term").startswith('"')).select(F.col("id").alias("o"))
    names = facts.where(F.col("p").isin(*same_as)).join(literals, "o", "left_semi")
    return names.limit(KNOWLEDGE.differing_names + 1).count()
