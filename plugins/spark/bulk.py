"""Bulk loads: RDF files -> a folder of Parquet with dense ids, made by all tasks there are.

1. Every piece of a file is read by a task, which numbers the terms it meets and writes its
   statements in these numbers of its own.
2. The terms of all pieces are grouped. What travels is each piece's distinct terms, so a term that
   every statement has (`rdf:type`) is no heavier than one in a row for each piece.
3. A term's id is its place in the order of first appearance: those that appear first in an earlier
   piece come before, within the piece by its own numbers. So ids are dense, and are those that the
   local loader gives. Each piece gets its table own number -> id.
4. Every piece's statements are renumbered, and sorted by predicate, subject and object in ranges of
   equal size, whatever the predicates' sizes; repeated ones go.

The folder (see `rdfinc.plugins.spark.layout`) appears when it is complete.
"""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow.parquet as pq
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 (everyone's name for it)

from rdfinc.plugins.spark.layout import DICTIONARY, FACTS, Manifest, making
from rdfinc.plugins.spark.options import SPLIT_BYTES
from rdfinc.plugins.spark.piecework import OWN_BITS, Job, ReadPieces, RenumberPieces, Told
from rdfinc.terms.pieces import pieces
from rdfinc.terms.problems import Skipped
from rdfinc.terms.sources import expand

Say = Callable[[str], None]


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
) -> Manifest:
    """Makes `folder`, which `KnowledgeBase.load` and Spark SQL read, of what files state.

    Files, glob patterns among them, and the folder are those of every machine's own file system.
    `format`, `base`, `graph` and `strict` are those of `KnowledgeBase.load`; raises what that does
    for files, FileExistsError for a folder that is there. `say` is told what is under way. Memory:
    that of the tasks, for a piece of `split_bytes` (16 MB) each, or a whole compressed file.
    """
    paths = expand(files)
    with making(Path(folder)) as made:
        for name in ("statements", "terms", DICTIONARY, FACTS):
            (made / name).mkdir()
        say(f"looking for places to cut {len(paths)} files")
        parts = [
            (piece, b"%d" % number)
            for number, file in enumerate(paths, 1)
            for piece in pieces(file, split_bytes, format=format, base=base, lenient=not strict)
        ]
        job = Job(parts, graph, strict, made)
        job.save()
        say(f"reading {len(parts)} pieces")
        read = _read(spark, job)
        say("numbering the terms")
        terms = _number(spark, job)
        say("sorting the statements")
        facts = _sort(spark, job)
        manifest = _manifest(paths, read, terms, facts)
        manifest.write(made)
        for name in ("statements", "terms", "ranked", "ids"):
            shutil.rmtree(made / name)
        (made / "job").unlink()
    return manifest


def _manifest(files: Sequence[Path], read: list[Told], terms: int, facts: int) -> Manifest:
    prefixes = {prefix: iri for told in read for prefix, iri in told.prefixes.items()}
    problems = [problem for told in read for problem in told.problems]
    return Manifest(
        files=tuple(map(str, files)),
        triples=sum(told.triples for told in read),
        facts=facts,
        terms=terms,
        prefixes=prefixes,
        skipped=sum(told.skipped for told in read),
        problems=tuple(problems[: Skipped.KEPT]),
    )


def _read(spark: SparkSession, job: Job) -> list[Told]:
    """Raises the first error, in order of the files."""
    spark.dataSource.register(ReadPieces)
    rows = spark.read.format(ReadPieces.name()).load(str(job.folder)).collect()
    found = [pickle.loads(row.told) for row in sorted(rows)]
    for told in found:
        if told.error is not None:
            raise told.error
    return found


def _number(spark: SparkSession, job: Job) -> int:
    """Writes the dictionary and each piece's table of ids; returns how many terms there are."""
    terms = spark.read.schema("place BIGINT, term STRING").parquet(job.url("terms"))
    grouped = terms.groupBy("term").agg(F.collect_list("place").alias("places"))
    grouped = grouped.withColumn("first", F.array_min("places"))
    grouped = grouped.withColumn("piece", F.shiftright("first", OWN_BITS))
    rank = F.row_number().over(Window.partitionBy("piece").orderBy("first"))
    ranked = job.url("ranked")
    grouped.select("term", "places", "piece", rank.alias("rank")).write.parquet(ranked)
    counted = spark.read.parquet(ranked).groupBy("piece").agg(F.max("rank").alias("count"))
    before, total = [], 0
    for piece, count in sorted(counted.collect()):
        before.append((piece, total))
        total += count
    starts = F.broadcast(spark.createDataFrame(before, "piece BIGINT, before BIGINT"))
    numbered = (
        spark.read.parquet(ranked)
        .join(starts, "piece")
        .withColumn("id", F.col("before") + F.col("rank"))
    )
    numbered.select("id", "term").write.mode("append").parquet(job.url(DICTIONARY))
    pairs = numbered.select("id", F.explode("places").alias("place"))
    pairs = pairs.withColumn("piece", F.shiftright("place", OWN_BITS)).repartition("piece")
    pairs.write.partitionBy("piece").parquet(job.url("ids"))
    return total


def _sort(spark: SparkSession, job: Job) -> int:
    """Writes the facts by predicate; returns how many there are."""
    spark.dataSource.register(RenumberPieces)
    facts = spark.read.format(RenumberPieces.name()).load(str(job.folder))
    facts = facts.repartitionByRange("p", "s").dropDuplicates(["s", "p", "o", "g"])
    facts = facts.sortWithinPartitions(*"psog")
    facts.write.mode("append").partitionBy("p").parquet(job.url(FACTS))
    made = (job.folder / FACTS).rglob("*.parquet")
    return sum(pq.read_metadata(file).num_rows for file in made)
