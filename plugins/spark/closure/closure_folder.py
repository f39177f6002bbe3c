"""The folder of a closure, beside that of a bulk load:

manifest.json, dictionary/, facts/   as those of a bulk load, of the closure that users see;
                                     `derived` tells which facts are not stated
hidden/                              Parquet: s, p, o that follow and are not seen, unless the
                                     driver has closed the facts itself (`closed_here`)
closure.json                         the profile, the user's rules as text, and which version of
                                     the profiles' rules and of their translation made it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.durable.image import digest_of
from rdfinc.errors import DataSyntaxError, RdfincError, StorageError
from rdfinc.knowledge_base.loading import CLOSURE
from rdfinc.plugins.spark.closure.changed_files import ChangedFiles
from rdfinc.plugins.spark.closure.fact_parts import FactParts
from rdfinc.plugins.spark.closure.run_state import RunState
from rdfinc.plugins.spark.closure.shown import shown
from rdfinc.plugins.spark.closure.term_files import TermFiles
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import (
    DICTIONARY,
    FACTS,
    HIDDEN,
    MANIFEST,
    LoadManifest,
    read_json,
    require_new,
    telling_damage,
    write_json,
)
from rdfinc.plugins.spark.session import without_pruning
from rdfinc.plugins.spark.storage.folder_places import Folder, take

Say = Callable[[str], None]


def about_closure(closure: Folder) -> dict[str, str]:
    """How a closure was made. Raises DataSyntaxError for a folder that is none, or damaged."""
    if not closure.has(CLOSURE):
        advice = "no closure made on Spark; `materialise` makes one of a bulk load"
        raise DataSyntaxError(str(closure), None, "", advice)
    with telling_damage(closure):
        about = read_json(closure, CLOSURE)
        if not isinstance(about, dict):
            raise ValueError(f"{CLOSURE} tells nothing")
        return {name: str(about[name]) for name in ("profile", "rules", "version")}


def rules_version() -> str:
    """What tells the rules of profiles, and what the engine makes of rules, from others. Facts that
    are not seen may be others by other rules."""
    return digest_of(("datalog", "owl"))


def identity_of(folder: Folder) -> str:
    """A name for the contents of a folder in its place."""
    with folder.open(MANIFEST) as file:
        return f"{folder.uri} {sha256(file.read()).hexdigest()}"


def dictionary_of(spark: SparkSession, folder: Folder) -> DataFrame:
    return folder.frame(spark, "id BIGINT, term STRING", DICTIONARY)


def numbers_of(work: RunState, folder: Folder, manifest: LoadManifest) -> TermNumbers:
    known = work.at_hand(folder, dictionary_of(work.spark, folder))
    return TermNumbers(work, known, TermFiles(folder), manifest.terms)


def facts_of(spark: SparkSession, folder: Folder, *more: str) -> DataFrame:
    """The facts in a folder, and `more` columns, each with its type."""
    schema = ", ".join(("s BIGINT, o BIGINT, g BIGINT", *more, "p BIGINT"))
    facts = folder.frame(spark, schema, FACTS)
    return facts.select(*"spog", *(column.split()[0] for column in more))


def hidden_of(spark: SparkSession, folder: Folder) -> DataFrame | None:
    """The facts of a closure that users do not see; None if it has been closed in the driver."""
    if not folder.has(HIDDEN):
        return None
    return folder.frame(spark, "s BIGINT, p BIGINT, o BIGINT", HIDDEN)


def once(work: RunState, stated: DataFrame, in_graphs: bool | None = None) -> DataFrame:
    """Each stated triple once, whatever its graphs; whether some are in named ones may be known."""
    facts = stated.select("s", "p", "o")
    if in_graphs is None:
        in_graphs = not stated.where("g <> 0").isEmpty()
    return work.persist(facts.distinct()) if in_graphs else facts


@contextmanager
def working(
    spark: SparkSession, closure: Folder, task: str
) -> Iterator[tuple[RunState, dict[str, Any] | None]]:
    """The folder for what is in between, with the state of an interrupted run of the same task."""
    require_new(closure)
    place = closure.beside(f".{closure.name}.unfinished")
    work = RunState(spark, place)
    state = work.load()
    if state is None or state["task"] != task:
        place.begin()
        work, state = RunState(spark, place), None
    try:
        with without_pruning(spark), work:
            yield work, state
    except StorageError:
        raise
    except RdfincError:
        place.clear()
        raise
    place.clear()


class ClosureFacts(Struct, frozen=True):
    """What there is to write: s, p, o, g, derived of the facts that users see, in the order of the
    files, and s, p, o of the others."""

    seen: DataFrame
    hidden: DataFrame

    def write(self, place: Folder) -> None:
        """Makes the files in a folder."""
        place.save_by(FACTS, self.seen, "p")
        place.save(HIDDEN, self.hidden)


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
    closure: Folder,
    about: dict[str, str],
    folder: Folder,
    facts: ClosureFacts | ChangedFiles,
    manifest: LoadManifest,
) -> LoadManifest:
    """Makes the folder of a closure, with the dictionary of another one and its new terms."""
    require_new(closure)
    with closure.making() as made:
        write_json(made, CLOSURE, about)
        take(made, folder, DICTIONARY)
        if work.size("terms"):
            made.save(DICTIONARY, work.read("terms"))
        facts.write(made)
        rows = made.rows(FACTS)
        terms = manifest.terms + work.size("terms")
        hidden = made.rows(HIDDEN)
        told = replace(manifest, triples=rows, facts=rows, terms=terms, hidden=hidden)
        told.write(made)
    return told
