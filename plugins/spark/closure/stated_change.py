"""Changes of what a closure on Spark states: its folder, and batches that go and come -> the folder
of the closure of what is stated then."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.model import RDF_TYPE
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.plugins.spark.alone import as_memory_goes, why_closed_here
from rdfinc.plugins.spark.closure.changed_files import ChangedFiles, RowChange, rows_of
from rdfinc.plugins.spark.closure.changed_here import ChangeHere, NetChange
from rdfinc.plugins.spark.closure.changed_statements import (
    SPOG,
    ChangedStatements,
    FewStatements,
    StatedBatch,
    batch_in,
    brought,
    facts_among,
    known_of,
    with_files,
)
from rdfinc.plugins.spark.closure.closed_here import change_here, close_here, is_kept
from rdfinc.plugins.spark.closure.closure_folder import (
    ClosureFacts,
    Say,
    about_closure,
    facts_of,
    hidden_of,
    identity_of,
    numbers_of,
    once,
    rules_version,
    told_apart,
    working,
    write_closure,
)
from rdfinc.plugins.spark.closure.data_literals import LiteralFacts
from rdfinc.plugins.spark.closure.doubts import Doubts
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.plugins.spark.closure.fact_files import FactFiles
from rdfinc.plugins.spark.closure.fact_parts import BaseFiles, FactParts
from rdfinc.plugins.spark.closure.facts_around import FactsAround, TooFar
from rdfinc.plugins.spark.closure.known_facts import KnownFacts
from rdfinc.plugins.spark.closure.materialise import evaluated
from rdfinc.plugins.spark.closure.run_state import ENDS, RunState, missing
from rdfinc.plugins.spark.closure.semi_naive import Evaluation, skolemises
from rdfinc.plugins.spark.closure.shown import shown
from rdfinc.plugins.spark.closure.stated_data import read_stated, stated_then
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import LoadManifest
from rdfinc.plugins.spark.session import refuse_connect, shuffled
from rdfinc.plugins.spark.storage.folder_places import Folder, folder_at


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
    goes, everything is derived anew also if it says what rules are about, or if rules have SKOLEM,
    and in any case if another version of the rules made the closure. All facts are written. Raises
    what `materialise` does.
    """
    refuse_connect("closures")
    source, target = folder_at(closure), folder_at(changed)
    manifest, made_by = LoadManifest.read(source), about_closure(source)
    about = made_by | {"version": rules_version()}
    gone, new = batch_in(delete), batch_in(insert)
    files = manifest if new is None else with_files(manifest, new.manifest)
    rows = manifest.facts + (0 if new is None else new.manifest.facts)
    kept = source if about == made_by and is_kept(source) else None
    if reason := _why_here(spark, None if kept else source, manifest, gone, new):
        say(f"changing the facts here, as {reason}")
        with as_memory_goes(say):
            going, coming = (None if each is None else each.read() for each in (gone, new))
            if kept:
                return change_here(kept, target, files, about, going, coming)
            stated = read_stated(source, manifest)
            then = stated_then(stated, going, coming, len(manifest.files))
            return close_here(then, source, target, files, about)
    task = f"{identity_of(source)} without {gone} with {new}"
    with working(spark, target, task) as (work, state), shuffled(spark, rows):
        numbers = numbers_of(work, source, manifest)
        say("looking into the facts")
        made = _MadeClosure.read(work, source)
        going = None if gone is None else known_of(numbers, gone)
        coming = None if new is None else brought(numbers, new, len(manifest.files))
        stated = ChangedStatements.of(work, made.stated, made.fact_files, going, coming)
        step = _Step(work, numbers, about, made, stated)
        facts = step.go_on(task, state, say) if about == made_by else None
        facts = facts or step.anew(task, state, say)
        say("writing the closure")
        return write_closure(work, target, about, source, facts, files)


def _why_here(
    spark: SparkSession, source: Folder | None, manifest: LoadManifest, *batches: StatedBatch | None
) -> str | None:
    """Why the driver changes a closure; None if it does not. `source` is its folder, unless it is
    mapped."""
    loads = [(batch.folder, batch.manifest.facts) for batch in batches if batch is not None]
    if source is not None:
        loads.append((source, manifest.facts))
    return why_closed_here(spark, sum(facts for _, facts in loads), *(place for place, _ in loads))


class _MadeClosure(Struct, frozen=True, dict=True):
    """The facts of a closure in the `files` of a folder, by graphs and with `derived`, which tells
    the stated ones from the others; and those that users do not see, None if these are not
    known."""

    folder: Folder
    files: DataFrame
    hidden: DataFrame | None

    @classmethod
    def read(cls, work: RunState, folder: Folder) -> _MadeClosure:
        files = work.at_hand(folder, facts_of(work.spark, folder, "derived BOOLEAN"))
        hidden = hidden_of(work.spark, folder)
        return cls(folder, files, None if hidden is None else work.at_hand(folder, hidden))

    @cached_property
    def fact_files(self) -> FactFiles:
        return FactFiles(self.folder)

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

    def go_on(
        self, task: str, state: dict[str, Any] | None, say: Say
    ) -> ClosureFacts | ChangedFiles | None:
        """Derives what changes of a closure. None if everything is to be derived anew."""
        held, stated = self._engine(), self.stated
        if self.made.hidden is None or held.compiled.negates or self._brings_axioms(held):
            return None
        literals, files = LiteralFacts(held, self.numbers), self.made.fact_files
        in_graphs = files.has_graphs if files.are_few() else None
        was = once(self.work, self.made.stated, in_graphs)
        predicates, then = self._stated_predicates()
        told = literals.of(was, predicates)
        before, others = was.unionByName(told), self._others(held)
        elsewhere = frozenset(held.of_literals)
        in_files = BaseFiles(files, told, elsewhere) if files.are_few() else None
        base = before.unionByName(others)
        parts = FactParts(self.work, held, self.numbers, base, in_files)
        parts.take(stated.left)
        here = parts.all_derived()
        later = once(self.work, stated.after, self._are_in_graphs(in_graphs))
        tells = literals.of(later, then)
        after = later.unionByName(tells)
        lost = missing(before, after)
        gone = lost if stated.few is None else self._frame(stated.few.gone)
        loses = stated.going is not None or not missing(told, tells).isEmpty()
        if loses and not self._may_go(held, gone):
            return None
        if stated.few is not None and state is None:
            found = self._go_on_here(parts, stated.few, told, tells, say)
            if found is not None:
                return found
        coming = after if stated.coming is not None else self._nothing()
        if loses:
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

    def _are_in_graphs(self, before: bool | None) -> bool | None:
        """Whether something is stated in a named graph after the change, if the driver can tell."""
        few = self.stated.few
        if few is None or before is None:
            return None
        return before or pc.any(pc.not_equal(few.coming.column("g"), 0)).as_py() or False

    def _stated_predicates(self) -> tuple[set[int] | None, set[int] | None]:
        """The predicates of what is stated before and after the change, if the driver tells."""
        files, few = self.made.fact_files, self.stated.few
        if few is None or not files.are_few():
            return None, None
        before = files.stated()
        going, coming = (Counter(each.column("p").to_pylist()) for each in (few.going, few.coming))
        return {*before}, {*(before - going + coming)}

    def _go_on_here(
        self, parts: FactParts, few: FewStatements, told: DataFrame, tells: DataFrame, say: Say
    ) -> ClosureFacts | ChangedFiles | None:
        """Derives what changes in the driver, where other facts are `told` of literals than before.
        None if it cannot tell."""
        gone = pa.concat_tables((few.gone, missing(told, tells).toArrow()))
        coming = facts_among(few.coming), missing(tells, told).toArrow()
        try:
            around = FactsAround(parts.held, parts.known(), self._known(parts.held, told))
            net = ChangeHere(parts.held, around, gone, pa.concat_tables(coming)).net()
        except TooFar:
            return None
        say(f"{net.doubted} facts doubted")
        return self._changed(parts.held, few, net)

    def _known(self, held: DriverEngine, told: DataFrame) -> KnownFacts:
        """The facts of the closure, and what is `told` of literals."""
        hidden = self.made.hidden
        assert hidden is not None
        seen = self.made.files.select(*ENDS, (~F.col("derived")).alias("stated"))
        facts = seen.unionByName(hidden.withColumn("stated", F.lit(False)))
        facts = facts.unionByName(told.withColumn("stated", F.lit(True)))
        return KnownFacts(facts, self.made.fact_files, held.of_literals)

    def _changed(
        self, held: DriverEngine, few: FewStatements, net: NetChange
    ) -> ClosureFacts | ChangedFiles:
        """What there is to write: most of it as it is."""
        made, frame = self.made, self._frame
        assert made.hidden is not None
        no_more = pa.concat_tables((net.removed, facts_among(few.coming)))
        new = pa.concat_tables((net.added, few.gone)).join(no_more, ENDS, None, "left anti")
        new = new.filter(pc.invert(pc.is_in(new.column("p"), pa.array(held.of_literals))))
        visible, unseen = self._apart(new)
        dropped = rows_of(no_more, derived=True), rows_of(few.going, derived=False)
        added = rows_of(few.coming, derived=False), rows_of(visible, derived=True)
        of_seen = RowChange(pa.concat_tables(dropped), pa.concat_tables(added))
        if made.fact_files.are_few():
            return ChangedFiles(made.folder, of_seen, RowChange(no_more, unseen))
        dropped_rows = F.broadcast(frame(of_seen.dropped))
        kept = made.files.join(dropped_rows, [*SPOG, "derived"], "left_anti")
        seen = kept.select(*SPOG, "derived").unionByName(frame(of_seen.added))
        hidden = missing(made.hidden, F.broadcast(frame(no_more))).unionByName(frame(unseen))
        return ClosureFacts(seen.sortWithinPartitions(*"psog"), hidden)

    def _apart(self, facts: pa.Table) -> tuple[pa.Table, pa.Table]:
        """Those of few facts that follow and that users see, and the others."""
        if not facts.num_rows:
            return facts, facts
        names = self.numbers.texts(pc.unique(facts.column("p")).to_pylist())
        ends = (id for end in "so" for id in pc.unique(facts.column(end)).to_pylist())
        texts = self.numbers.texts(ends)
        ids = pa.array(texts.keys(), pa.int64())
        terms = self._frame(pa.table({"id": ids, "term": pa.array(texts.values(), pa.string())}))
        found = shown(self._frame(facts), terms, names, self.about["profile"]).toArrow()
        are_shown = found.column("shown")
        others = found.filter(pc.invert(are_shown))
        return found.filter(are_shown).select(ENDS), others.select(ENDS)

    def _frame(self, table: pa.Table) -> DataFrame:
        """A table that the driver has as a data frame."""
        return self.work.spark.createDataFrame(table)

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
        names = [{decode(id).decode() for id in ids} for ids in (predicates, classes)]
        found = find({RDF_TYPE}.union(*names))
        of_lists, members = ([found[name] for name in some if name in found] for some in names)
        typed = (F.col("p") == found.get(RDF_TYPE, 0)) & F.col("o").isin(*members)
        return not facts.where(F.col("p").isin(*of_lists) | typed).isEmpty()
