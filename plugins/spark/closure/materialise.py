"""Materialisation on Spark: the folder of a bulk load -> a folder of the same layout with all that
follows from it under a profile and rules.

    manifest.json, dictionary/, facts/   as those of a bulk load, of the closure that users see;
                                         `derived` tells which facts are not stated
    hidden/                              Parquet: s, p, o that follow and are not seen, unless the
                                         driver has closed the facts itself (`closed_here`)
    closure.json                         the profile, and the user's rules as text

So `KnowledgeBase(profile="none").load(folder)` reads a closure without deriving it again. A run
that was killed goes on from its last round when it is started again.
"""

from __future__ import annotations

import json
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

from rdfinc.datalog.model import RDF_TYPE, Program, Rule
from rdfinc.errors import DataSyntaxError, RdfincError, UnsupportedError
from rdfinc.knowledge_base.implied.literal_facts import SYNTAX
from rdfinc.knowledge_base.rules.rule_intake import facts_apart, rules_of
from rdfinc.plugins.spark.closure.closed_here import close_here, read_stated, together
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine, hidden_number
from rdfinc.plugins.spark.closure.fact_parts import FactParts
from rdfinc.plugins.spark.closure.run_state import RunState
from rdfinc.plugins.spark.closure.semi_naive import Evaluation
from rdfinc.plugins.spark.closure.shown import shown
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.equal_literals import literal_values
from rdfinc.plugins.spark.load.layout import (
    CLOSURE,
    DICTIONARY,
    FACTS,
    MANIFEST,
    LoadManifest,
    linked,
    making,
    require_new,
)
from rdfinc.plugins.spark.session import refuse_connect, shuffled
from rdfinc.plugins.spark.spark_thresholds import SPARK

_PRUNING = "spark.sql.optimizer.dynamicPartitionPruning.enabled"

HIDDEN = "hidden"

Say = Callable[[str], None]


def materialise(
    spark: SparkSession,
    folder: str | Path,
    closure: str | Path,
    *,
    profile: str = "owl2rl",
    rules: Any = (),
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes the folder `closure` of what follows from the facts of a bulk load in `folder`.

    `profile` and `rules` are those of `KnowledgeBase` and `add_rules`; the facts are the same.
    Contradictions are not looked for. Raises FileExistsError for an existing closure,
    DataSyntaxError for a folder that is no bulk load, RuleError, and UnsupportedError for Spark
    Connect and for the few programs that only a knowledge base evaluates. Memory of the driver: the
    facts of parameters, at most a million. Fewer than two million facts are closed in the driver.
    """
    refuse_connect("closures")
    folder, closure = Path(folder), Path(closure)
    manifest = LoadManifest.read(folder)
    program = Program(tuple(_without_facts(rules_of(rules, manifest.prefixes))))
    about = {"profile": profile, "rules": str(program)}
    if manifest.facts < SPARK.closed_here:
        say("closing the facts here, as they are few")
        return close_here(read_stated(folder, manifest), folder, closure, manifest, about, program)
    task = f"{_identity(folder)} {about}"
    with _work(spark, closure, task) as (work, state), shuffled(spark, manifest.facts):
        numbers = _numbers(work, folder, manifest)
        stated = _facts(spark, folder)
        held = DriverEngine(profile, program)
        say("looking into the facts")
        parts = FactParts(work, held, numbers, _with_values(held, numbers, _once(work, stated)))
        parts.take(parts.facts())
        Evaluation(parts, task, say).run(state)
        say("writing the closure")
        return _write(parts, closure, about, folder, stated, parts.facts(1), manifest)


def _without_facts(rules: list[Rule]) -> list[Rule]:
    """The rules, none of which is a fact. Raises UnsupportedError."""
    given, facts = facts_apart(rules)
    if facts:
        told = " ".join(facts[0])
        raise UnsupportedError(f"on Spark facts among rules ({told}); state them in the data")
    return given


def extend(
    spark: SparkSession,
    closure: str | Path,
    batch: str | Path,
    extended: str | Path,
    *,
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes the folder `extended`: the closure of the facts stated in a `closure` and in the bulk
    load `batch`. Blank nodes of the two are different.

    Only new facts are looked for, unless rules negate or aggregate, or the batch states lists of
    OWL or SWRL rules; all facts are written. Raises what `materialise` does.
    """
    refuse_connect("closures")
    closure, batch, extended = Path(closure), Path(batch), Path(extended)
    manifest, more = LoadManifest.read(closure), LoadManifest.read(batch)
    about = _about(closure)
    files = replace(manifest, files=manifest.files + more.files)
    files = replace(files, prefixes={**more.prefixes, **manifest.prefixes})
    rows = manifest.facts + more.facts
    if rows < SPARK.closed_here:
        say("closing the facts here, as they are few")
        facts = together(
            read_stated(closure, manifest), read_stated(batch, more), len(manifest.files)
        )
        rules = rules_of(about["rules"], {})
        return close_here(facts, closure, extended, files, about, rules)
    task = f"{_identity(closure)} {_identity(batch)}"
    with _work(spark, extended, task) as (work, state), shuffled(spark, rows):
        numbers = _numbers(work, closure, manifest)
        held = DriverEngine(about["profile"], rules_of(about["rules"], {}))
        say("looking into the facts")
        known = _facts(spark, closure, "derived BOOLEAN")
        stated, derived = known.where("NOT derived").select(*"spog"), known.where("derived")
        new = _renumbered(numbers, _facts(spark, batch), _dictionary(spark, batch), manifest)
        everything = work.persist(stated.unionByName(new).distinct())
        is_whole = (closure / HIDDEN).exists()
        if is_whole:
            unshown = spark.read.schema("s BIGINT, p BIGINT, o BIGINT").parquet(
                _url(closure / HIDDEN)
            )
            derived = derived.select(*"spo").unionByName(unshown)
        negates = held.compiled.negates
        anew = not is_whole or negates or _states_axioms(held, numbers, new)
        base = _once(work, everything) if anew else _once(work, stated).unionByName(derived)
        if anew:
            base, derived = _with_values(held, numbers, base), derived.select(*"spo").limit(0)
        parts = FactParts(work, held, numbers, base)
        parts.take(everything if anew else stated)
        evaluation = Evaluation(parts, task, say)
        if not anew and state is None:
            evaluation.go_on_with(_with_values(held, numbers, _once(work, everything)))
        evaluation.run(state)
        say("writing the closure")
        derived = derived.unionByName(parts.facts(1))
        derived = derived.join(everything, ["s", "p", "o"], "left_anti")
        return _write(parts, extended, about, closure, everything, derived, files)


def _about(closure: Path) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads((closure / CLOSURE).read_text("utf-8"))
    except FileNotFoundError:
        advice = "no closure made on Spark; `materialise` makes one of a bulk load"
        raise DataSyntaxError(str(closure), None, "", advice) from None
    return found


def _identity(folder: Path) -> str:
    return f"{folder.resolve()} {sha256((folder / MANIFEST).read_bytes()).hexdigest()}"


def _dictionary(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.read.schema("id BIGINT, term STRING").parquet(_url(folder / DICTIONARY))


def _numbers(work: RunState, folder: Path, manifest: LoadManifest) -> TermNumbers:
    return TermNumbers(work, _dictionary(work.spark, folder), manifest.terms)


def _facts(spark: SparkSession, folder: Path, *more: str) -> DataFrame:
    schema = ", ".join(("s BIGINT, o BIGINT, g BIGINT", *more, "p BIGINT"))
    facts = spark.read.schema(schema).parquet(_url(folder / FACTS))
    return facts.select(*"spog", *(column.split()[0] for column in more))


def _with_values(held: DriverEngine, numbers: TermNumbers, facts: DataFrame) -> DataFrame:
    """The facts with those about the values of their literals."""
    if not held.has_equality:
        return facts
    syntax = numbers.find(SYNTAX).values()
    relation = hidden_number(held.terms.decode(held.value))
    values = literal_values(facts, numbers.terms(), [*syntax], relation)
    return facts if values is None else facts.unionByName(values)


def _renumbered(
    numbers: TermNumbers, facts: DataFrame, dictionary: DataFrame, manifest: LoadManifest
) -> DataFrame:
    """The facts of another bulk load in these numbers; its files count on."""
    count = F.regexp_extract("term", "^_:f([0-9]+)", 1).try_cast("bigint") + len(manifest.files)
    rest = F.regexp_extract("term", "^_:f[0-9]+(.*)$", 1)
    blank = F.concat(F.lit("_:f"), count.cast("string"), rest)
    named = F.when(F.col("term").startswith("_"), blank).otherwise(F.col("term"))
    ids = numbers.numbered(dictionary.select("id", named.alias("new")), "new")
    ids = ids.unionByName(facts.sparkSession.createDataFrame([(0, 0)], "id BIGINT, new BIGINT"))
    for name in "spog":
        facts = facts.join(ids.select(F.col("id").alias(name), "new"), name)
        facts = facts.drop(name).withColumnRenamed("new", name)
    return facts.select(*"spog")


def _states_axioms(held: DriverEngine, numbers: TermNumbers, facts: DataFrame) -> bool:
    """Whether lists or rules are read from some of the facts."""
    predicates, classes = held.axioms()
    decode = held.terms.decode
    type_ = numbers.find([RDF_TYPE]).values()
    found = numbers.find(decode(p).decode() for p in predicates).values()
    members = numbers.find(decode(c).decode() for c in classes).values()
    typed = F.col("p").isin(*type_) & F.col("o").isin(*members)
    return not facts.where(F.col("p").isin(*found) | typed).isEmpty()


def _once(work: RunState, stated: DataFrame) -> DataFrame:
    """Each stated triple once, whatever its graphs."""
    facts = stated.select("s", "p", "o")
    return facts if stated.where("g <> 0").isEmpty() else work.persist(facts.distinct())


@contextmanager
def _work(
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


def _write(
    parts: FactParts,
    closure: Path,
    about: dict[str, str],
    folder: Path,
    stated: DataFrame,
    derived: DataFrame,
    manifest: LoadManifest,
) -> LoadManifest:
    """Makes the folder of a closure, with the dictionary of another one and its new terms."""
    work, numbers = parts.work, parts.numbers
    names = numbers.texts(p for p in parts.contained(0, parts.count).counts if p > 0)
    found = shown(derived, numbers.terms(), names, about["profile"])
    with making(closure) as made:
        (made / CLOSURE).write_text(json.dumps(about, indent=2), "utf-8")
        shutil.copytree(folder / DICTIONARY, made / DICTIONARY, copy_function=linked)
        if work.size("terms"):
            work.read("terms").write.mode("append").parquet(_url(made / DICTIONARY))
        seen = found.where("shown").select(*"spo", F.lit(0).cast("bigint").alias("g"))
        facts = stated.withColumn("derived", F.lit(False))
        facts = facts.unionByName(seen.withColumn("derived", F.lit(True)))
        ordered = facts.repartitionByRange("p", "s").sortWithinPartitions(*"psog")
        ordered.write.partitionBy("p").parquet(_url(made / FACTS))
        found.where("NOT shown").select(*"spo").write.parquet(_url(made / HIDDEN))
        files = (made / FACTS).rglob("*.parquet")
        rows = sum(pq.read_metadata(file).num_rows for file in files)
        terms = manifest.terms + work.size("terms")
        told = replace(manifest, triples=rows, facts=rows, terms=terms)
        told.write(made)
    return told
