"""Materialisation on Spark: the folder of a bulk load -> a folder of the same layout with all that
follows from it under a profile and rules.

    manifest.json, dictionary/, facts/   as those of a bulk load, of the closure that users see;
                                         `derived` tells which facts are not stated
    hidden/                              Parquet: s, p, o that follow and are not seen
    closure.json                         the profile, and the user's rules as text

So `KnowledgeBase(profile="none").load(folder)` reads a closure without deriving it again. A run that
was killed goes on from its last round when it is started again.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.model import Program
from rdfinc.errors import RdfincError
from rdfinc.knowledge_base.literals import SYNTAX
from rdfinc.knowledge_base.rule_intake import rules_of
from rdfinc.plugins.spark.evaluation import Evaluation
from rdfinc.plugins.spark.held import Held, hidden_number
from rdfinc.plugins.spark.layout import DICTIONARY, FACTS, MANIFEST, Manifest, making
from rdfinc.plugins.spark.literals import literal_values
from rdfinc.plugins.spark.numbers import Numbers
from rdfinc.plugins.spark.parts import Parts
from rdfinc.plugins.spark.shown import shown
from rdfinc.plugins.spark.work import Work

HIDDEN, CLOSURE = "hidden", "closure.json"

Say = Callable[[str], None]


def materialise(
    spark: SparkSession,
    folder: str | Path,
    closure: str | Path,
    *,
    profile: str = "owl2rl",
    rules: Any = (),
    say: Say = lambda text: None,
) -> Manifest:
    """Makes the folder `closure` of what follows from the facts of a bulk load in `folder`.

    `profile` and `rules` are those of `KnowledgeBase` and `add_rules`; the facts are the same.
    Contradictions are not looked for. Raises FileExistsError for a closure that is there,
    DataSyntaxError for a folder that is no bulk load, RuleError, and UnsupportedError for the few
    programs that only a knowledge base evaluates. Memory of the driver: the facts that say which
    relations rules are about, at most a million.
    """
    folder, closure = Path(folder), Path(closure)
    manifest = Manifest.read(folder)
    program = Program(tuple(rules_of(rules, manifest.prefixes)))
    about = {"profile": profile, "rules": str(program)}
    task = f"{folder.resolve()} {sha256((folder / MANIFEST).read_bytes()).hexdigest()} {about}"
    with _work(spark, closure, task) as (work, state):
        known = spark.read.schema("id BIGINT, term STRING").parquet(_url(folder / DICTIONARY))
        numbers = Numbers(work, known, manifest.terms)
        stated = _facts(spark, folder)
        held = Held(profile, program)
        say("looking into the facts")
        parts = _parts(work, held, numbers, _once(stated))
        Evaluation(parts, task, say).run(state)
        say("writing the closure")
        with making(closure) as made:
            (made / CLOSURE).write_text(json.dumps(about, indent=2), "utf-8")
            return _write(parts, folder, made, stated, manifest)


def _parts(work: Work, held: Held, numbers: Numbers, base: DataFrame) -> Parts:
    if held.equates:
        syntax = numbers.find(SYNTAX).values()
        relation = hidden_number(held.terms.decode(held.value))
        values = literal_values(base, numbers.terms(), [*syntax], relation)
        if values is not None:
            base = base.unionByName(values)
    parts = Parts(work, held, numbers, base)
    parts.take()
    return parts


def _once(stated: DataFrame) -> DataFrame:
    """What is stated, whatever the graph."""
    facts = stated.select("s", "p", "o")
    return facts if stated.where("g <> 0").isEmpty() else facts.distinct().persist()


@contextmanager
def _work(
    spark: SparkSession, closure: Path, task: str
) -> Iterator[tuple[Work, dict[str, Any] | None]]:
    """The folder for what is in between, with the state of an interrupted run of the same task."""
    if closure.exists():
        raise FileExistsError(f"{closure} exists; name a new folder")
    place = closure.absolute().with_name(f".{closure.name}.unfinished")
    work = Work(spark, place)
    state = work.load()
    if state is None or state["task"] != task:
        shutil.rmtree(place, ignore_errors=True)
        work, state = Work(spark, place), None
        place.mkdir(parents=True)
    try:
        yield work, state
    except RdfincError:
        shutil.rmtree(place)
        raise
    shutil.rmtree(place)


def _facts(spark: SparkSession, folder: Path) -> DataFrame:
    schema = "s BIGINT, o BIGINT, g BIGINT, p BIGINT"
    return spark.read.schema(schema).parquet(_url(folder / FACTS)).select(*"spog")


def _url(folder: Path) -> str:
    return folder.absolute().as_uri()


def _write(
    parts: Parts, folder: Path, made: Path, stated: DataFrame, manifest: Manifest
) -> Manifest:
    """Writes what users see, and what they do not, beside the dictionary with its new terms."""
    work, numbers = parts.work, parts.numbers
    shutil.copytree(folder / DICTIONARY, made / DICTIONARY, copy_function=_linked)
    if work.size("terms"):
        new = work.read("terms")
        new.write.mode("append").parquet(_url(made / DICTIONARY))
    names = numbers.texts(p for p in parts.contained(0, parts.count).counts if p > 0)
    found = shown(parts.facts(1), numbers.terms(), names)
    seen = found.where("shown").select(*"spo", F.lit(0).cast("bigint").alias("g"))
    facts = stated.withColumn("derived", F.lit(False))
    facts = facts.unionByName(seen.withColumn("derived", F.lit(True)))
    ordered = facts.repartitionByRange("p", "s").sortWithinPartitions(*"psog")
    ordered.write.partitionBy("p").parquet(_url(made / FACTS))
    hidden = found.where("NOT shown").select(*"spo")
    hidden.write.parquet(_url(made / HIDDEN))
    rows = sum(pq.read_metadata(file).num_rows for file in (made / FACTS).rglob("*.parquet"))
    terms = manifest.terms + work.size("terms")
    told = replace(manifest, triples=rows, facts=rows, terms=terms)
    told.write(made)
    return told


def _linked(source: str, target: str) -> None:
    """Files that never change have two names, or are copied where they cannot."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
