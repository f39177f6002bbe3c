"""Bulk loads: RDF files, or lines in a data frame -> a folder of Parquet with dense ids, made by
all tasks there are.

1. Every piece of a file, or partition of the data frame, is read by a task, which numbers the terms
   it meets and writes its statements in these numbers of its own.
2. The terms of all pieces are grouped. Only the distinct terms of each piece travel: a term of
   every statement (`rdf:type`) is a row for each piece, like any other.
3. A term's id is its place in the order of first appearance: those that appear first in an earlier
   piece come before, within the piece by its own numbers. So ids are dense, and are those that the
   local loader gives. Each piece gets its table own number -> id.
4. Every piece's statements are renumbered, and sorted by predicate, subject and object in ranges of
   equal size, whatever the predicates' sizes; repeated ones go.

The folder (see `rdfinc.plugins.spark.load.layout`) appears when it is complete.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec.structs import replace
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 (everyone's name for it)

from rdfinc.knowledge_base.process.machine_memory import MACHINE
from rdfinc.knowledge_base.process.processors import worker_count
from rdfinc.knowledge_base.process.warn import warn
from rdfinc.knowledge_base.storage.term_freezing import FreezingCheck
from rdfinc.plugins.spark.alone import as_memory_goes, why_numbered_here, why_read_here
from rdfinc.plugins.spark.arrow_columns import mapped
from rdfinc.plugins.spark.load.layout import (
    DICTIONARY,
    FACTS,
    LoadManifest,
    require_new,
    write_contents,
    write_folder,
)
from rdfinc.plugins.spark.load.load_tasks import (
    OWN_BITS,
    TOLD,
    Job,
    PieceFindings,
    ReadPieces,
    RenumberPieces,
    read_lines,
)
from rdfinc.plugins.spark.options import SPLIT_BYTES
from rdfinc.plugins.spark.session import shuffled
from rdfinc.plugins.spark.storage.folder_places import Folder, folder_at
from rdfinc.plugins.spark.storage.input_files import files_named
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.parallel.together import read_together
from rdfinc.terms.io.pieces import pieces
from rdfinc.terms.io.problems import Skipped
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.sources import StoredFile

Say = Callable[[str], None]

_PLACED = "place BIGINT, term STRING"
_RANKED = "term STRING, places ARRAY<BIGINT>, piece BIGINT, rank INT"


def bulk_load(
    spark: SparkSession,
    files: Sequence[str | Path],
    folder: str | Path,
    *,
    format: str | None = None,
    base: str | None = None,
    graph: bytes | None = None,
    strict: bool = True,
    split_bytes: int = SPLIT_BYTES,
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes `folder` of the statements of files, for `KnowledgeBase.load` and Spark SQL.

    Files, glob patterns among them, and the folder are URIs (`s3://bucket/data/*.nt`), or those of
    every machine's own file system. `format`, `base`, `graph` and `strict` are those of
    `KnowledgeBase.load`. Raises as `KnowledgeBase.load` for files, StorageError, and
    FileExistsError for an existing folder. `say` is told what is under way. Memory: that of the
    tasks, for a piece of `split_bytes` (16 MB) each, or a whole compressed file. Files of less
    than 64 MB together are read in the driver, and all files are where Spark has this machine only
    and its memory suffices.
    """
    found, target = files_named(files), folder_at(folder)
    require_new(target)
    if reason := why_read_here(spark, found):
        say(f"reading {len(found)} files here, as {reason}")
        with as_memory_goes(say):
            return _read_here(found, target, format=format, base=base, graph=graph, strict=strict)
    with target.making() as made:
        say(f"looking for places to cut {len(found)} files")
        parts = [
            (piece, b"%d" % number)
            for number, file in enumerate(found, 1)
            for piece in pieces(file, split_bytes, format=format, base=base, lenient=not strict)
        ]
        job = Job(parts, graph, strict, made)
        job.save()
        say(f"reading {len(parts)} pieces")
        spark.dataSource.register(ReadPieces)
        reading = spark.read.format(ReadPieces.name()).load(made.uri)
        return _made(spark, job, [file.name for file in found], reading, say)


def bulk_load_lines(
    lines: DataFrame,
    folder: str | Path,
    *,
    graph: bytes | None = None,
    strict: bool = True,
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes the same of N-Triples or N-Quads in the only column of a data frame, whole lines in
    each row: of `spark.read.text(…)`, or made by tasks and never written down. A blank node's label
    means one node in all of it.

    The rest is as in `bulk_load`; the name of a place is that of a partition. Memory: that of the
    tasks, for a partition each.
    """
    spark = lines.sparkSession
    target = folder_at(folder)
    require_new(target)
    with target.making() as made:
        job = Job((), graph, strict, made)
        job.save()
        say("reading the lines")
        return _made(spark, job, ["a data frame"], mapped(lines, read_lines(job), TOLD), say)


def _read_here(files: Sequence[StoredFile], folder: Folder, **options: Any) -> LoadManifest:
    """Makes the folder in the driver."""

    def check(statements: int = 0, size: int = 0) -> None:
        MACHINE.check("reading files")

    dictionary, sources = Dictionary(), [file.source for file in files]
    freezing = FreezingCheck(dictionary, check)
    workers = worker_count(None)
    read = read_together(sources, dictionary, workers=workers, check=freezing, warn=warn, **options)
    return write_folder(folder, read, dictionary)


def _made(
    spark: SparkSession, job: Job, files: Sequence[str], reading: DataFrame, say: Say
) -> LoadManifest:
    """Makes the folder, where collecting a data frame makes tasks read the pieces."""
    read = _read(reading)
    job = replace(job, read=[*read])
    job.folder.count_in(map(job.terms, job.read))
    triples = sum(told.triples for told in read.values())
    terms, facts = _joined(spark, job, triples, say) or _by_tasks(spark, job, triples, say)
    manifest = _manifest(files, [*read.values()], terms, facts)
    manifest.write(job.folder)
    for name in ("statements", "terms", "ranked", "ids", "job"):
        job.folder.remove(name)
    return manifest


def _manifest(
    files: Sequence[str], read: list[PieceFindings], terms: int, facts: int
) -> LoadManifest:
    prefixes = {prefix: iri for told in read for prefix, iri in told.prefixes.items()}
    problems = [problem for told in read for problem in told.problems]
    return LoadManifest(
        files=tuple(files),
        triples=sum(told.triples for told in read),
        facts=facts,
        terms=terms,
        prefixes=prefixes,
        skipped=sum(told.skipped for told in read),
        problems=tuple(problems[: Skipped.KEPT]),
    )


def _read(reading: DataFrame) -> dict[int, PieceFindings]:
    """What there is to tell of each piece. Raises the first error, in order of the files."""
    found = {row.number: pickle.loads(row.told) for row in sorted(reading.collect())}
    for told in found.values():
        if told.error is not None:
            raise told.error
    return found


def _joined(spark: SparkSession, job: Job, triples: int, say: Say) -> tuple[int, int] | None:
    """Writes the dictionary and the facts in the driver; returns how many there are, or None if
    tasks are to do it."""
    reason = why_numbered_here(spark, triples, map(job.terms, job.read), job.folder)
    if reason is None:
        return None
    say(f"numbering the terms here, as {reason}")
    with as_memory_goes(say):
        dictionary = Dictionary()
        blocks = [*_in_ids(job, dictionary)]
        return len(dictionary), write_contents(job.folder, blocks, dictionary)
    for name in (DICTIONARY, FACTS):
        job.folder.remove(name)
    return None


def _in_ids(job: Job, dictionary: Dictionary) -> Iterator[Columns]:
    """The statements of the pieces, in the ids of a dictionary, which gets their terms."""
    freezing = FreezingCheck(dictionary)
    for number in job.read:
        MACHINE.check("joining what tasks have read")
        terms = job.folder.parquet(job.terms(number)).read(["term"]).column(0)
        ids = np.zeros(len(terms) + 1, np.uint32)
        ids[1:] = dictionary.encode_many(terms.cast(pa.binary()).to_pylist())
        with job.folder.open(job.statements(number)) as file:
            yield ids[np.load(file)]
        freezing()


def _by_tasks(spark: SparkSession, job: Job, triples: int, say: Say) -> tuple[int, int]:
    """The same by tasks."""
    with shuffled(spark, triples):
        say("numbering the terms")
        terms = _number(spark, job)
        say("sorting the statements")
        return terms, _sort(spark, job)


def _number(spark: SparkSession, job: Job) -> int:
    """Writes the dictionary and each piece's table of ids; returns how many terms there are."""
    folder = job.folder
    empty = spark.createDataFrame([], _PLACED)
    terms = folder.frame(spark, _PLACED, "terms") if job.read else empty
    grouped = terms.groupBy("term").agg(F.collect_list("place").alias("places"))
    grouped = grouped.withColumn("first", F.array_min("places"))
    grouped = grouped.withColumn("piece", F.shiftright("first", OWN_BITS))
    rank = F.row_number().over(Window.partitionBy("piece").orderBy("first"))
    folder.save("ranked", grouped.select("term", "places", "piece", rank.alias("rank")))
    ranked = folder.frame(spark, _RANKED, "ranked")
    counted = ranked.groupBy("piece").agg(F.max("rank").alias("count"))
    before, total = [], 0
    for piece, count in sorted(counted.collect()):
        before.append((piece, total))
        total += count
    starts = F.broadcast(spark.createDataFrame(before, "piece BIGINT, before BIGINT"))
    numbered = ranked.join(starts, "piece").withColumn("id", F.col("before") + F.col("rank"))
    folder.save(DICTIONARY, numbered.select("id", "term"))
    pairs = numbered.select("id", F.explode("places").alias("place"))
    pairs = pairs.withColumn("piece", F.shiftright("place", OWN_BITS)).repartition("piece")
    folder.save_by("ids", pairs.sortWithinPartitions("piece"), "piece")
    return total


def _sort(spark: SparkSession, job: Job) -> int:
    """Writes the facts by predicate; returns how many there are."""
    job.save()
    spark.dataSource.register(RenumberPieces)
    facts = spark.read.format(RenumberPieces.name()).load(job.folder.uri)
    facts = facts.repartitionByRange("p", "s").dropDuplicates(["s", "p", "o", "g"])
    facts = facts.sortWithinPartitions(*"psog")
    return job.folder.save_by(FACTS, facts, "p")
