"""Changes of what a closure on Spark states: its folder, and batches that go and come -> the folder
of the closure of what is stated then."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.model import RDF_TYPE
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.plugins.spark.closure.changed_here import ChangeHere, NetChange
from rdfinc.plugins.spark.closure.changed_statements import (
    SPOG,
    ChangedStatements,
    FewStatements,
    batch_in,
    brought,
    facts_among,
    known_of,
    stated_then,
    with_files,
)
from rdfinc.plugins.spark.closure.closed_here import close_here, read_stated
from rdfinc.plugins.spark.closure.closure_folder import (
    HIDDEN,
    ClosureFacts,
    Say,
    about_closure,
    facts_of,
    hidden_of,
    identity_of,
    numbers_of,
    of_files,
    once,
    told_apart,
    working,
    write_closure,
)
from rdfinc.plugins.spark.closure.data_literals import LiteralFacts
from rdfinc.plugins.spark.closure.doubts import Doubts
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.plugins.spark.closure.fact_files import FactFiles
from rdfinc.plugins.spark.closure.fact_parts import FactParts
from rdfinc.plugins.spark.closure.facts_around import FactsAround, TooFar
from rdfinc.plugins.spark.closure.known_facts import KnownFacts
from rdfinc.plugins.spark.closure.materialise import evaluated
from rdfinc.plugins.spark.closure.run_state import ENDS, RunState, missing
from rdfinc.plugins.spark.closure.semi_naive import Evaluation, skolemises
from rdfinc.plugins.spark.closure.shown import shown
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import FACTS, LoadManifest
from rdfinc.plugins.spark.session import refuse_connect, shuffled
from rdfinc.plugins.spark.spark_thresholds import SPARK


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

    Only what changes is looked for, by the driver where it is little and rules compute nothing,
    unless rules negate or aggregate, or axioms change: lists of OWL or SWRL rules. Where something
    goes, everything is derived anew also if it says what rules are about, or if rules have SKOLEM.
    All facts are written. Raises what `materialise` does.
    """
    refuse_connect("closures")
    closure, changed = Path(closure), Path(changed)
    manifest, about = LoadManifest.read(closure), about_closure(closure)
    gone, new = batch_in(delete), batch_in(insert)
    files = manifest if new is None else with_files(manifest, new.manifest)
    rows = manifest.facts + (0 if new is None else new.manifest.facts)
    if rows < SPARK.closed_here:
        say("closing the facts here, as they are few")
        facts = stated_then(read_stated(closure, manifest), gone, new, len(manifest.files))
        rules = rules_of(about["rules"], {})
        return close_here(facts, closure, changed, files, about, rules)
    task = f"{identity_of(closure)} without {gone} with {new}"
    with working(spark, changed, task) as (work, state), shuffled(spark, rows):
        numbers = numbers_of(work, closure, manifest)
        say("looking into the facts")
        made = _MadeClosure.read(spark, closure)
        going = None if gone is None else known_of(numbers, gone)
        coming = None if new is None else brought(numbers, new, len(manifest.files))
        stated = ChangedStatements.of(work, made.stated, going, coming)
        step = _Step(work, numbers, about, made, stated)
        facts = step.go_on(task, state, say) or step.anew(task, state, say)
        say("writing the closure")
        return write_closure(work, changed, about, closure, facts, files)


class _MadeClosure(Struct, frozen=True):
    """The facts of a closure in the `files` of a folder, by graphs and with `derived`, which tells
    the stated ones from the others; and those that users do not see, None if these are not
    known."""

    folder: Path
    files: DataFrame
    hidden: DataFrame | None

    @classmethod
    def read(cls, spark: SparkSession, folder: Path) -> _MadeClosure:
        return cls(folder, facts_of(spark, folder, "derived BOOLEAN"), hidden_of(spark, folder))

    @property
    def stated(self) -> DataFrame:
        return self.files.where("NOT derived").select(*SPOG)

    @property
    def derived(self) -> DataFrame:
        return self.files.where("derived").select(*ENDS)


class _Step(Struct, frozen=True):
    """A change of what is stated of the closure `made`."""

    work: RunState
    numbers: TermNumbers
    about: dict[str, str]
    made: _MadeClosure
    stated: ChangedStatements

    def anew(self, task: str, state: dict[str, Any] | None, say: Say) -> ClosureFacts:
        """Derives everything from what is stated now."""
        after = self.stated.after
        parts = evaluated(self._engine(), self.work, self.numbers, after, task, state, say)
        return self._all(parts, parts.facts(1))

    def go_on(self, task: str, state: dict[str, Any] | None, say: Say) -> ClosureFacts | None:
        """Derives what changes of a closure. None if everything is to be derived anew."""
        held, stated = self._engine(), self.stated
        if self.made.hidden is None or held.compiled.negates or self._brings_axioms(held):
            return None
        literals, was = LiteralFacts(held, self.numbers), once(self.work, self.made.stated)
        told = literals.of(was)
        before, others = was.unionByName(told), self._others(held)
        parts = FactParts(self.work, held, self.numbers, before.unionByName(others))
        parts.take(stated.left)
        here = parts.all_derived()
        later = once(self.work, stated.after)
        tells = literals.of(later)
        after = later.unionByName(tells)
        lost = missing(before, after)
        gone = lost if stated.few is None else stated.few.gone
        if stated.going is not None and not self._may_go(held, gone):
            return None
        if stated.few is not None and state is None:
            found = self._go_on_here(parts, stated.few, told, tells, say)
            if found is not None:
                return found
        coming = after if stated.coming is not None else self._nothing()
        if stated.going is not None:
            doubts = Doubts(parts, after)
            if not doubts.spread(lost):
                return None
            say(f"{doubts.count} facts doubted")
            coming = coming.unionByName(doubts.settle(here))
            others = doubts.without(others)
        evaluation = Evaluation(parts, task, say)
        if state is None:
            evaluation.go_on_with(coming)
        evaluation.run(state)
        return self._all(parts, missing(others.unionByName(parts.facts(1)), stated.after))

    def _all(self, parts: FactParts, derived: DataFrame) -> ClosureFacts:
        return told_apart(parts, self.stated.after, derived, self.about["profile"])

    # -- few facts

    def _go_on_here(
        self, parts: FactParts, few: FewStatements, told: DataFrame, tells: DataFrame, say: Say
    ) -> ClosureFacts | None:
        """Derives what changes in the driver, where other facts are `told` of literals than before.
        None if it cannot tell."""
        gone = few.gone.unionByName(missing(told, tells)).toArrow()
        coming = facts_among(few.coming).unionByName(missing(tells, told)).toArrow()
        try:
            counts = parts.known()
            around = FactsAround(parts.held, counts, self._known(parts.held, counts, told))
            net = ChangeHere(parts.held, around, gone, coming).net()
        except TooFar:
            return None
        say(f"{net.doubted} facts doubted")
        return self._changed(parts.held, few, net)

    def _known(self, held: DriverEngine, counts: Mapping[int, int], told: DataFrame) -> KnownFacts:
        """The facts of the closure, and what is `told` of literals."""
        hidden = self.made.hidden
        assert hidden is not None
        seen = self.made.files.select(*ENDS, (~F.col("derived")).alias("stated"))
        facts = seen.unionByName(hidden.withColumn("stated", F.lit(False)))
        facts = facts.unionByName(told.withColumn("stated", F.lit(True)))
        files = FactFiles(self.made.folder / FACTS, self.made.folder / HIDDEN)
        return KnownFacts(facts, files, counts, held.of_literals)

    def _changed(self, held: DriverEngine, few: FewStatements, net: NetChange) -> ClosureFacts:
        """What there is to write: most of it as it is."""
        made, frame = self.made, self.work.spark.createDataFrame
        assert made.hidden is not None
        no_more = frame(net.removed).unionByName(facts_among(few.coming))
        new = missing(frame(net.added).unionByName(few.gone), no_more)
        new = new.where(~F.col("p").isin(*held.of_literals))
        names = self.numbers.texts(row.p for row in new.select("p").distinct().collect())
        found = shown(new, self._terms_of(new), names, self.about["profile"])
        dropped = of_files(no_more, derived=True)
        dropped = dropped.unionByName(of_files(few.going, derived=False))
        kept = made.files.join(F.broadcast(dropped), [*SPOG, "derived"], "left_anti")
        seen = kept.select(*SPOG, "derived")
        seen = seen.unionByName(of_files(few.coming, derived=False))
        seen = seen.unionByName(of_files(found.where("shown"), derived=True))
        hidden = missing(made.hidden, F.broadcast(no_more))
        hidden = hidden.unionByName(found.where("NOT shown").select(*ENDS))
        return ClosureFacts(seen.sortWithinPartitions(*"psog"), hidden)

    def _terms_of(self, facts: DataFrame) -> DataFrame:
        """The terms of few facts."""
        ends = facts.select(F.col("s").alias("id")).union(facts.select("o")).distinct()
        return self.numbers.terms().join(F.broadcast(ends), "id", "left_semi")

    def _engine(self) -> DriverEngine:
        return DriverEngine(self.about["profile"], rules_of(self.about["rules"], {}))

    def _nothing(self) -> DataFrame:
        return self.work.spark.createDataFrame([], "s BIGINT, p BIGINT, o BIGINT")

    def _others(self, held: DriverEngine) -> DataFrame:
        """The facts of the closure that are not stated, and do not tell of literals."""
        made = self.made
        assert made.hidden is not None
        return made.derived.unionByName(made.hidden).where(~F.col("p").isin(*held.of_literals))

    def _brings_axioms(self, held: DriverEngine) -> bool:
        coming = self.stated.coming
        return coming is not None and self._has_axioms(held, coming)

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
