"""Changes of what a closure on Spark states: its folder, and batches that go and come -> the folder
of the closure of what is stated then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.model import RDF_TYPE
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.plugins.spark.closure.closed_here import (
    Stated,
    close_here,
    read_stated,
    together,
    without,
)
from rdfinc.plugins.spark.closure.closure_folder import (
    Say,
    about_closure,
    dictionary_of,
    facts_of,
    hidden_of,
    identity_of,
    numbers_of,
    once,
    working,
    write_closure,
)
from rdfinc.plugins.spark.closure.data_literals import with_literal_facts
from rdfinc.plugins.spark.closure.doubts import Doubts
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.plugins.spark.closure.fact_parts import FactParts
from rdfinc.plugins.spark.closure.materialise import evaluated
from rdfinc.plugins.spark.closure.run_state import ENDS, RunState, missing
from rdfinc.plugins.spark.closure.semi_naive import Evaluation, skolemises
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import LoadManifest
from rdfinc.plugins.spark.session import refuse_connect, shuffled
from rdfinc.plugins.spark.spark_thresholds import SPARK

_SPOG = [*ENDS, "g"]


def extend(
    spark: SparkSession,
    closure: str | Path,
    batch: str | Path,
    extended: str | Path,
    *,
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes the folder `extended`: the closure of the facts stated in a `closure` and in the bulk
    load `batch`; see `change`."""
    return change(spark, closure, extended, insert=batch, say=say)


def retract(
    spark: SparkSession,
    closure: str | Path,
    batch: str | Path,
    retracted: str | Path,
    *,
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes the folder `retracted`: the closure of the facts stated in a `closure` but not in the
    bulk load `batch`; see `change`."""
    return change(spark, closure, retracted, delete=batch, say=say)


def change(
    spark: SparkSession,
    closure: str | Path,
    changed: str | Path,
    *,
    insert: str | Path | None = None,
    delete: str | Path | None = None,
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes the folder `changed`: the closure of the facts stated in a `closure` without those of
    the bulk load `delete` and with those of the bulk load `insert`.

    Statements are of one graph each, as in `KnowledgeBase.update`. The blank nodes of `insert` are
    new; those of `delete` are the nodes called so in the dictionary of the closure (`_:f1_x`).

    Only what changes is looked for, unless rules negate or aggregate, or axioms change: lists of
    OWL or SWRL rules. Where something goes, everything is derived anew also if it says what
    rules are about, or if rules have SKOLEM. All facts are written. Raises what `materialise` does.
    """
    refuse_connect("closures")
    closure, changed = Path(closure), Path(changed)
    manifest, about = LoadManifest.read(closure), about_closure(closure)
    gone, new = _batch(delete), _batch(insert)
    files = manifest if new is None else _with_files(manifest, new.manifest)
    rows = manifest.facts + (0 if new is None else new.manifest.facts)
    if rows < SPARK.closed_here:
        say("closing the facts here, as they are few")
        facts = _stated_then(read_stated(closure, manifest), gone, new, len(manifest.files))
        rules = rules_of(about["rules"], {})
        return close_here(facts, closure, changed, files, about, rules)
    task = f"{identity_of(closure)} without {gone} with {new}"
    with working(spark, changed, task) as (work, state), shuffled(spark, rows):
        numbers = numbers_of(work, closure, manifest)
        say("looking into the facts")
        made = _MadeClosure.read(spark, closure)
        left = made.stated if gone is None else _without(made.stated, _found(numbers, gone))
        coming = None if new is None else _numbered(numbers, new, len(manifest.files))
        after = left if coming is None else left.unionByName(coming).distinct()
        step = _Step(work, numbers, about, left, coming, work.persist(after))
        result = step.go_on(made, task, state, say) or step.anew(task, state, say)
        say("writing the closure")
        return write_closure(result.parts, changed, about, closure, after, result.derived, files)


# -- what is stated


class _Batch(Struct, frozen=True):
    folder: Path
    manifest: LoadManifest

    def __str__(self) -> str:
        return identity_of(self.folder)


def _batch(folder: str | Path | None) -> _Batch | None:
    return None if folder is None else _Batch(Path(folder), LoadManifest.read(Path(folder)))


def _with_files(first: LoadManifest, second: LoadManifest) -> LoadManifest:
    prefixes = {**second.prefixes, **first.prefixes}
    return replace(first, files=first.files + second.files, prefixes=prefixes)


def _stated_then(facts: Stated, gone: _Batch | None, new: _Batch | None, files: int) -> Stated:
    if gone is not None:
        facts = without(facts, read_stated(gone.folder, gone.manifest))
    if new is not None:
        facts = together(facts, read_stated(new.folder, new.manifest), files)
    return facts


def _numbered(numbers: TermNumbers, batch: _Batch, files: int) -> DataFrame:
    """The facts of another bulk load in these numbers; its files count on from `files`."""
    count = F.regexp_extract("term", "^_:f([0-9]+)", 1).try_cast("bigint") + files
    rest = F.regexp_extract("term", "^_:f[0-9]+(.*)$", 1)
    blank = F.concat(F.lit("_:f"), count.cast("string"), rest)
    named = F.when(F.col("term").startswith("_"), blank).otherwise(F.col("term"))
    return _renumbered(numbers, batch, named, lambda ids: numbers.numbered(ids, "new"))


def _found(numbers: TermNumbers, batch: _Batch) -> DataFrame:
    """The facts of another bulk load in these numbers, as far as their terms have one; a blank node
    is the one that has its label here."""
    label = F.regexp_extract("term", "^_:f[0-9]+_(.*)$", 1)
    blank = F.when(label != "", F.concat(F.lit("_:"), label))
    named = F.when(F.col("term").startswith("_"), blank).otherwise(F.col("term"))
    known = numbers.terms().select(F.col("id").alias(" id"), F.col("term").alias("new"))

    def found(ids: DataFrame) -> DataFrame:
        return ids.join(known, "new").select("id", F.col(" id").alias("new"))

    return _renumbered(numbers, batch, named, found)


def _renumbered(
    numbers: TermNumbers, batch: _Batch, named: Column, number: Callable[[DataFrame], DataFrame]
) -> DataFrame:
    """The facts of another bulk load, with the terms' new names in new numbers."""
    facts = facts_of(numbers.spark, batch.folder, "derived BOOLEAN").where("derived IS NOT TRUE")
    dictionary = dictionary_of(numbers.spark, batch.folder)
    ids = number(dictionary.select("id", named.alias("new"))).select("id", "new")
    ids = ids.unionByName(numbers.spark.createDataFrame([(0, 0)], "id BIGINT, new BIGINT"))
    for name in _SPOG:
        facts = facts.join(ids.select(F.col("id").alias(name), "new"), name)
        facts = facts.drop(name).withColumnRenamed("new", name)
    return facts.select(*_SPOG)


def _without(stated: DataFrame, facts: DataFrame) -> DataFrame:
    return stated.join(facts, _SPOG, "left_anti").select(*_SPOG)


# -- what follows


class _MadeClosure(Struct, frozen=True):
    """The facts of a closure: `stated` by graphs, `derived` ones, and those that users do not see;
    None if these are not known."""

    stated: DataFrame
    derived: DataFrame
    hidden: DataFrame | None

    @classmethod
    def read(cls, spark: SparkSession, folder: Path) -> _MadeClosure:
        known = facts_of(spark, folder, "derived BOOLEAN")
        stated, derived = known.where("NOT derived"), known.where("derived")
        return cls(stated.select(*_SPOG), derived.select(*ENDS), hidden_of(spark, folder))


class _Result(Struct, frozen=True):
    """The parts of a closure, and those of its facts that are not stated, or some more."""

    parts: FactParts
    derived: DataFrame


class _Step(Struct, frozen=True):
    """A change of what is stated, by graphs: what is `left`, what is `coming` (None if nothing is),
    and both, `after` it."""

    work: RunState
    numbers: TermNumbers
    about: dict[str, str]
    left: DataFrame
    coming: DataFrame | None
    after: DataFrame

    def anew(self, task: str, state: dict[str, Any] | None, say: Say) -> _Result:
        """Derives everything from what is stated now."""
        parts = evaluated(self._engine(), self.work, self.numbers, self.after, task, state, say)
        return _Result(parts, self._unstated(parts.facts(1)))

    def go_on(
        self, made: _MadeClosure, task: str, state: dict[str, Any] | None, say: Say
    ) -> _Result | None:
        """Derives what changes of a closure. None if everything is to be derived anew."""
        held = self._engine()
        if made.hidden is None or held.compiled.negates or self._brings_axioms(held):
            return None
        before, others = self._known(held, made)
        parts = FactParts(self.work, held, self.numbers, before.unionByName(others))
        parts.take(self.left)
        here = parts.all_derived()
        after = with_literal_facts(held, self.numbers, once(self.work, self.after))
        coming = after if self.coming is not None else self._nothing()
        if self.left is not made.stated:
            gone = missing(before, after)
            doubts = Doubts(parts, after)
            if not self._may_go(held, gone) or not doubts.spread(gone):
                return None
            say(f"{doubts.count} facts doubted")
            coming = coming.unionByName(doubts.settle(here))
            others = doubts.without(others)
        evaluation = Evaluation(parts, task, say)
        if state is None:
            evaluation.go_on_with(coming)
        evaluation.run(state)
        return _Result(parts, self._unstated(others.unionByName(parts.facts(1))))

    def _engine(self) -> DriverEngine:
        return DriverEngine(self.about["profile"], rules_of(self.about["rules"], {}))

    def _nothing(self) -> DataFrame:
        return self.work.spark.createDataFrame([], "s BIGINT, p BIGINT, o BIGINT")

    def _known(self, held: DriverEngine, made: _MadeClosure) -> tuple[DataFrame, DataFrame]:
        """The facts of a closure: what is stated, with what follows of literals, and all others.

        A literal that has a value only since the dictionary has grown is the one of that value
        here, so that nothing follows from it.
        """
        assert made.hidden is not None
        others = made.derived.unionByName(made.hidden).where(~F.col("p").isin(*held.of_literals))
        return with_literal_facts(held, self.numbers, once(self.work, made.stated)), others

    def _brings_axioms(self, held: DriverEngine) -> bool:
        return self.coming is not None and self._has_axioms(held, self.coming)

    def _may_go(self, held: DriverEngine, gone: DataFrame) -> bool:
        """Whether rules are the same without some facts, and tell what they derive."""
        return not any(map(skolemises, held.compiled.clauses)) and not self._has_axioms(held, gone)

    def _has_axioms(self, held: DriverEngine, facts: DataFrame) -> bool:
        """Whether lists or rules are read from some of the facts."""
        predicates, classes = held.axioms()
        decode, find = held.terms.decode, self.numbers.find
        type_ = find([RDF_TYPE]).values()
        found = find(decode(p).decode() for p in predicates).values()
        members = find(decode(c).decode() for c in classes).values()
        typed = F.col("p").isin(*type_) & F.col("o").isin(*members)
        return not facts.where(F.col("p").isin(*found) | typed).isEmpty()

    def _unstated(self, facts: DataFrame) -> DataFrame:
        return missing(facts, self.after)
