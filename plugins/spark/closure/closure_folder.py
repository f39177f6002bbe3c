"""The folder of a closure, beside that of a bulk load:

manifest.json, dictionary/, facts/   as those of a bulk load, of the closure that users see;
                                     `derived` tells which facts are not stated
hidden/                              Parquet: s, p, o that follow and are not seen, unless the
                                     driver has closed the facts itself (`closed_here`)
closure.json                         the profile, the user's rules as text, and which version of
                                     the profiles' rules and of their translation made it
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from msgspec import Struct
from msgspec.structs import replace
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.durable.image import digest_of
from rdfinc.errors import DataSyntaxError, RdfincError
from rdfinc.plugins.spark.closure.changed_files import ChangedFiles
from rdfinc.plugins.spark.closure.fact_parts import FactParts
from rdfinc.plugins.spark.closure.run_state import RunState
from rdfinc.plugins.spark.closure.shown import shown
from rdfinc.plugins.spark.closure.term_files import TermFiles
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import (
    CLOSURE,
    DICTIONARY,
    FACTS,
    HIDDEN,
    MANIFEST,
    LoadManifest,
    linked,
    making,
    require_new,
)

_PRUNING = "spark.sql.optimizer.dynamicPartitionPruning.enabled"

Say = Callable[[str], None]


def about_closure(closure: Path) -> dict[str, str]:
    """How a closure was made. Raises DataSyntaxError for a folder that is none."""
    try:
        found: dict[str, str] = json.loads((closure / CLOSURE).read_text("utf-8"))
    except FileNotFoundError:
        advice = "no closure made on Spark; `materialise` makes one of a bulk load"
        raise DataSyntaxError(str(closure), None, "", advice) from None
    return found


def rules_version() -> str:
    """What tells the rules of profiles, and what the engine makes of rules, from others. Facts that
    are not seen may be others by other rules."""
    return digest_of(("datalog", "owl"))


def identity_of(folder: Path) -> str:
    """A name for the contents of a folder in its place."""
    return f"{folder.resolve()} {sha256((folder / MANIFEST).read_bytes()).hexdigest()}"


def dictionary_of(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.read.schema("id BIGINT, term STRING").parquet(_url(folder / DICTIONARY))


def numbers_of(work: RunState, folder: Path, manifest: LoadManifest) -> TermNumbers:
    known = dictionary_of(work.spark, folder)
    return TermNumbers(work, known, TermFiles(folder / DICTIONARY), manifest.terms)


def facts_of(spark: SparkSession, folder: Path, *more: str) -> DataFrame:
    """The facts in a folder, and `more` columns, each with its type."""
    schema = ", ".join(("s BIGINT, o BIGINT, g BIGINT", *more, "p BIGINT"))
    facts = spark.read.schema(schema).parquet(_url(folder / FACTS))
    return facts.select(*"spog", *(column.split()[0] for column in more))


def hidden_of(spark: SparkSession, folder: Path) -> DataFrame | None:
    """The facts of a closure that users do not see; None if it has been closed in the driver."""
    if not (folder / HIDDEN).exists():
        return None
    return spark.read.schema("s BIGINT, p BIGINT, o BIGINT").parquet(_url(folder / HIDDEN))


def once(work: RunState, stated: DataFrame, in_graphs: bool | None = None) -> DataFrame:
    """Each stated triple once, whatever its graphs; whether some are in named ones may be known."""
    facts = stated.select("s", "p", "o")
    if in_graphs is None:
        in_graphs = not stated.where("g <> 0").isEmpty()
    return work.persist(facts.distinct()) if in_graphs else facts


@contextmanager
def working(
    spark: SparkSession, closure: Path, task: str
) -> Iterator[tuple[RunState, dict[str, Any] | None]]:
    """The folder for what is in between, with the state of an interrupted run of the same task."""
    require_new(closure)
    place = closure.absolute().with_name(f".{closure.name}.unfinished")
    work = RunState(spark, place)
    state = work.load()
    if state is None or state["task"] != task:
        shutil.rmtree(place, ignore_errors=True)
        work, state = RunState(spark, place), None
        place.mkdir(parents=True)
    try:
        with _without_pruning(spark), work:
            yield work, state
    except RdfincError:
        shutil.rmtree(place)
        raise
    shutil.rmtree(place)


@contextmanager
def _without_pruning(spark: SparkSession) -> Iterator[None]:
    """PySpark 4.3 does not wait for its dynamic pruning where Arrow tables are asked for ("has not
    finished"); facts are chosen by predicate beforehand anyway."""
    before = spark.conf.get(_PRUNING)
    spark.conf.set(_PRUNING, "false")
    try:
        yield
    finally:
        spark.conf.set(_PRUNING, before or "true")


def _url(folder: Path) -> str:
    return folder.absolute().as_uri()


class ClosureFacts(Struct, frozen=True):
    """What there is to write: s, p, o, g, derived of the facts that users see, in the order of the
    files, and s, p, o of the others."""

    seen: DataFrame
    hidden: DataFrame

    def write(self, place: Path) -> None:
        """Makes the files in a folder."""
        self.seen.write.partitionBy("p").parquet(_url(place / FACTS))
        self.hidden.write.parquet(_url(place / HIDDEN))


def told_apart(
    parts: FactParts, stated: DataFrame, derived: DataFrame, profile: str
) -> ClosureFacts:
    """What is stated, by graphs, and what follows, ordered by predicate and subject."""
    names = parts.numbers.texts(p for p in parts.contained(0, parts.count).counts if p > 0)
    found = shown(derived, parts.numbers.terms(), names, profile)
    seen = of_files(stated, derived=False).unionByName(of_files(found.where("shown"), derived=True))
    ordered = seen.repartitionByRange("p", "s").sortWithinPartitions(*"psog")
    return ClosureFacts(ordered, found.where("NOT shown").select(*"spo"))


def of_files(facts: DataFrame, *, derived: bool) -> DataFrame:
    """Facts as in the files of a closure; those without a graph are in the default one."""
    graph = F.col("g") if "g" in facts.columns else F.lit(0).cast("bigint").alias("g")
    return facts.select(*"spo", graph, F.lit(derived).alias("derived"))


def write_closure(
    work: RunState,
    closure: Path,
    about: dict[str, str],
    folder: Path,
    facts: ClosureFacts | ChangedFiles,
    manifest: LoadManifest,
) -> LoadManifest:
    """Makes the folder of a closure, with the dictionary of another one and its new terms."""
    with making(closure) as made:
        (made / CLOSURE).write_text(json.dumps(about, indent=2), "utf-8")
        shutil.copytree(folder / DICTIONARY, made / DICTIONARY, copy_function=linked)
        if work.size("terms"):
            work.read("terms").write.mode("append").parquet(_url(made / DICTIONARY))
        facts.write(made)
        files = (made / FACTS).rglob("*.parquet")
        rows = sum(pq.read_metadata(file).num_rows for file in files)
        terms = manifest.terms + work.size("terms")
        told = replace(manifest, triples=rows, facts=rows, terms=terms)
        told.write(made)
    return told
