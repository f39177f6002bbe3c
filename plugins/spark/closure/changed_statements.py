"""What a change of a closure on Spark takes and brings: batches that go and come -> statements of
the closure, by graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from msgspec.structs import replace
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.plugins.spark.closure.closure_folder import dictionary_of, facts_of, identity_of
from rdfinc.plugins.spark.closure.fact_files import FactFiles
from rdfinc.plugins.spark.closure.run_state import ENDS, RunState, few, missing, small
from rdfinc.plugins.spark.closure.stated_data import (
    Stated,
    brought_name,
    known_name,
    read_stated,
)
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import LoadManifest
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.folder_places import Folder, folder_at

SPOG = [*ENDS, "g"]
"""The columns of a statement."""


class StatedBatch(Struct, frozen=True):
    folder: Folder
    manifest: LoadManifest

    def __str__(self) -> str:
        return identity_of(self.folder)

    @property
    def is_small(self) -> bool:
        """Whether the driver itself reads it."""
        return self.manifest.facts <= SPARK.few_rows

    def read(self) -> Stated:
        return read_stated(self.folder, self.manifest)


def batch_in(folder: str | Path | None) -> StatedBatch | None:
    if folder is None:
        return None
    place = folder_at(folder)
    return StatedBatch(place, LoadManifest.read(place))


def with_files(first: LoadManifest, second: LoadManifest) -> LoadManifest:
    prefixes = {**second.prefixes, **first.prefixes}
    return replace(first, files=first.files + second.files, prefixes=prefixes)


def brought(numbers: TermNumbers, batch: StatedBatch, files: int) -> DataFrame:
    """The facts of another bulk load in these numbers; its files count on from `files`."""
    if batch.is_small:
        stated = batch.read()
        names = [brought_name(term, files).decode() for term in stated.terms]
        return _with_numbers(numbers, stated, names, numbers.give(names))
    count = F.regexp_extract("term", "^_:f([0-9]+)", 1).try_cast("bigint") + files
    rest = F.regexp_extract("term", "^_:f[0-9]+(.*)$", 1)
    blank = F.concat(F.lit("_:f"), count.cast("string"), rest)
    named = F.when(F.col("term").startswith("_"), blank).otherwise(F.col("term"))
    return _renumbered(numbers, batch, named, lambda ids: numbers.numbered(ids, "new"))


def known_of(numbers: TermNumbers, batch: StatedBatch) -> DataFrame:
    """The facts of another bulk load in these numbers, as far as their terms have one; a blank node
    is the one that has its label here."""
    if batch.is_small:
        stated = batch.read()
        names = [known_name(term).decode() for term in stated.terms]
        return _with_numbers(numbers, stated, names, numbers.find(filter(None, names)))
    label = F.regexp_extract("term", "^_:f[0-9]+_(.*)$", 1)
    blank = F.when(label != "", F.concat(F.lit("_:"), label))
    named = F.when(F.col("term").startswith("_"), blank).otherwise(F.col("term"))
    known = numbers.terms().select(F.col("id").alias(" id"), F.col("term").alias("new"))

    def found(ids: DataFrame) -> DataFrame:
        few = small(ids)
        asked = ids if few is None else F.broadcast(few)
        return known.join(asked, "new").select("id", F.col(" id").alias("new"))

    return _renumbered(numbers, batch, named, found)


def _with_numbers(
    numbers: TermNumbers, stated: Stated, names: Sequence[str], ids: Mapping[str, int]
) -> DataFrame:
    """What a batch states, with the numbers of its terms' names, as far as they have one."""
    number_of = np.array([0, *(ids.get(name, 0) for name in names)], np.int64)
    columns = number_of[stated.columns]
    known = ((columns != 0) == (stated.columns != 0)).all(axis=0)
    return numbers.spark.createDataFrame(pa.table([*columns[:, known]], SPOG))


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
        files: FactFiles,
        going: DataFrame | None,
        coming: DataFrame | None,
    ) -> ChangedStatements:
        """What is `stated` in some files without what is `going` and with what is `coming`."""
        changed = FewStatements.of(stated, files, going, coming)
        if changed is not None:
            frame = work.spark.createDataFrame
            left = missing(stated, F.broadcast(frame(changed.going)), SPOG)
            after = left.unionByName(frame(changed.coming))
            return cls(left, going, coming, after, changed)
        left = stated if going is None else missing(stated, going, SPOG)
        after = left if coming is None else left.unionByName(coming).distinct()
        return cls(left, going, coming, work.persist(after))


class FewStatements(Struct, frozen=True):
    """The statements that are `going` and `coming`, each but once, and the facts that are stated no
    more, in no graph."""

    going: pa.Table
    coming: pa.Table
    gone: pa.Table

    @classmethod
    def of(
        cls,
        stated: DataFrame,
        files: FactFiles,
        going: DataFrame | None,
        coming: DataFrame | None,
    ) -> FewStatements | None:
        """What changes of what is `stated` in some files; None if it is not little."""
        tables = [None if each is None else few(each) for each in (going, coming)]
        if (going is not None and tables[0] is None) or (coming is not None and tables[1] is None):
            return None
        go, come = map(_rows, tables)
        alike = _table((s, p, o) for s, p, o, _ in go | come)
        there = _stated_alike(stated, files, alike)
        if there is None:
            return None
        before = _rows(there)
        go &= before
        come -= before - go
        left = {statement[:3] for statement in before - go | come}
        gone = {statement[:3] for statement in go} - left
        return cls(_table(go, SPOG), _table(come, SPOG), _table(gone))


def _rows(table: pa.Table | None) -> set[tuple[int, ...]]:
    return set() if table is None else {*zip(*(each.to_pylist() for each in table), strict=True)}


def _table(rows: Iterable[tuple[int, ...]], names: Sequence[str] = ENDS) -> pa.Table:
    columns = [*zip(*sorted({*rows}), strict=True)] or [()] * len(names)
    return pa.table([pa.array(each, pa.int64()) for each in columns], names)


def _stated_alike(stated: DataFrame, files: FactFiles, facts: pa.Table) -> pa.Table | None:
    """What is stated of few facts, in all graphs; None if that is not little."""
    if files.are_few(pc.unique(facts.column("p"))):
        found = files.statements(facts)
        return found if found.num_rows <= SPARK.few_rows else None
    asked = F.broadcast(stated.sparkSession.createDataFrame(facts))
    return few(stated.join(asked, ENDS, "left_semi").select(*SPOG))


def facts_among(statements: pa.Table) -> pa.Table:
    """The facts of some statements, each once."""
    return statements.group_by(ENDS).aggregate([])
