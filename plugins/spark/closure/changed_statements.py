"""What a change of a closure on Spark takes and brings: batches that go and come -> statements of
the closure, by graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.plugins.spark.closure.closed_here import Stated, read_stated, together, without
from rdfinc.plugins.spark.closure.closure_folder import dictionary_of, facts_of, identity_of
from rdfinc.plugins.spark.closure.run_state import ENDS, RunState, missing, present, small
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import LoadManifest

SPOG = [*ENDS, "g"]
"""The columns of a statement."""


class StatedBatch(Struct, frozen=True):
    folder: Path
    manifest: LoadManifest

    def __str__(self) -> str:
        return identity_of(self.folder)


def batch_in(folder: str | Path | None) -> StatedBatch | None:
    return None if folder is None else StatedBatch(Path(folder), LoadManifest.read(Path(folder)))


def with_files(first: LoadManifest, second: LoadManifest) -> LoadManifest:
    prefixes = {**second.prefixes, **first.prefixes}
    return replace(first, files=first.files + second.files, prefixes=prefixes)


def stated_then(
    facts: Stated, gone: StatedBatch | None, new: StatedBatch | None, files: int
) -> Stated:
    if gone is not None:
        facts = without(facts, read_stated(gone.folder, gone.manifest))
    if new is not None:
        facts = together(facts, read_stated(new.folder, new.manifest), files)
    return facts


def brought(numbers: TermNumbers, batch: StatedBatch, files: int) -> DataFrame:
    """The facts of another bulk load in these numbers; its files count on from `files`."""
    count = F.regexp_extract("term", "^_:f([0-9]+)", 1).try_cast("bigint") + files
    rest = F.regexp_extract("term", "^_:f[0-9]+(.*)$", 1)
    blank = F.concat(F.lit("_:f"), count.cast("string"), rest)
    named = F.when(F.col("term").startswith("_"), blank).otherwise(F.col("term"))
    return _renumbered(numbers, batch, named, lambda ids: numbers.numbered(ids, "new"))


def known_of(numbers: TermNumbers, batch: StatedBatch) -> DataFrame:
    """The facts of another bulk load in these numbers, as far as their terms have one; a blank node
    is the one that has its label here."""
    label = F.regexp_extract("term", "^_:f[0-9]+_(.*)$", 1)
    blank = F.when(label != "", F.concat(F.lit("_:"), label))
    named = F.when(F.col("term").startswith("_"), blank).otherwise(F.col("term"))
    known = numbers.terms().select(F.col("id").alias(" id"), F.col("term").alias("new"))

    def found(ids: DataFrame) -> DataFrame:
        few = small(ids)
        asked = ids if few is None else F.broadcast(few)
        return known.join(asked, "new").select("id", F.col(" id").alias("new"))

    return _renumbered(numbers, batch, named, found)


def _renumbered(
    numbers: TermNumbers,
    batch: StatedBatch,
    named: Column,
    number: Callable[[DataFrame], DataFrame],
) -> DataFrame:
    """The facts of another bulk load, with the terms' new names in new numbers."""
    facts = facts_of(numbers.spark, batch.folder, "derived BOOLEAN").where("derived IS NOT TRUE")
    dictionary = dictionary_of(numbers.spark, batch.folder)
    ids = number(dictionary.select("id", named.alias("new"))).select("id", "new")
    ids = small(ids) or ids
    ids = ids.unionByName(numbers.spark.createDataFrame([(0, 0)], "id BIGINT, new BIGINT"))
    for name in SPOG:
        facts = facts.join(ids.select(F.col("id").alias(name), "new"), name)
        facts = facts.drop(name).withColumnRenamed("new", name)
    return facts.select(*SPOG)


class ChangedStatements(Struct, frozen=True):
    """What is stated, by graphs, of a closure: what is `left`, what is `coming`, and both, `after`
    a change; `going` is what else there was, or some more. None if nothing goes, or comes.

    Of few statements the driver has `few`.
    """

    left: DataFrame
    going: DataFrame | None
    coming: DataFrame | None
    after: DataFrame
    few: FewStatements | None = None

    @classmethod
    def of(
        cls,
        work: RunState,
        stated: DataFrame,
        going: DataFrame | None,
        coming: DataFrame | None,
    ) -> ChangedStatements:
        """`stated` without what is `going` and with what is `coming`."""
        few = FewStatements.of(stated, going, coming)
        if few is not None:
            left = missing(stated, F.broadcast(few.going), SPOG)
            return cls(left, going, coming, left.unionByName(few.coming), few)
        left = stated if going is None else missing(stated, going, SPOG)
        after = left if coming is None else left.unionByName(coming).distinct()
        return cls(left, going, coming, work.persist(after))


class FewStatements(Struct, frozen=True):
    """The statements that are `going` and `coming`, each but once, and the facts that are stated no
    more, in no graph."""

    going: DataFrame
    coming: DataFrame
    gone: DataFrame

    @classmethod
    def of(
        cls, stated: DataFrame, going: DataFrame | None, coming: DataFrame | None
    ) -> FewStatements | None:
        """What changes of what is `stated`; None if it is not little."""
        nothing = stated.sparkSession.createDataFrame([], stated.schema)
        go, come = (small(nothing if each is None else each.distinct()) for each in (going, coming))
        if go is None or come is None:
            return None
        there = small(_alike(stated, go.unionByName(come)))
        if there is None:
            return None
        go = present(go, there, SPOG)
        remaining = missing(there, go, SPOG)
        come = present(missing(come, remaining, SPOG), come, SPOG)
        gone = missing(facts_among(go), facts_among(remaining.unionByName(come)))
        return cls(go, come, gone)


def _alike(stated: DataFrame, statements: DataFrame) -> DataFrame:
    """What is stated of the facts of few statements, in all graphs."""
    facts = F.broadcast(facts_among(statements))
    return stated.join(facts, ENDS, "left_semi").select(*SPOG)


def facts_among(statements: DataFrame) -> DataFrame:
    return statements.select(*ENDS).distinct()
