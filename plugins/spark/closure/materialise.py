"""Materialisation on Spark: the folder of a bulk load -> the folder of a closure with all that
follows from it under a profile and rules (`closure_folder`).

So `KnowledgeBase(profile="none").load(folder)` reads a closure without deriving it again. A run
that was killed goes on from its last round when it is started again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from rdfinc.datalog.model import Program, Rule
from rdfinc.errors import UnsupportedError
from rdfinc.knowledge_base.rules.rule_intake import facts_apart, rules_of
from rdfinc.plugins.spark.alone import as_memory_goes, why_closed_here
from rdfinc.plugins.spark.closure.closed_here import close_here
from rdfinc.plugins.spark.closure.closure_folder import (
    Say,
    facts_of,
    identity_of,
    numbers_of,
    once,
    rules_version,
    told_apart,
    working,
    write_closure,
)
from rdfinc.plugins.spark.closure.data_literals import LiteralFacts
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.plugins.spark.closure.fact_parts import FactParts
from rdfinc.plugins.spark.closure.run_state import RunState
from rdfinc.plugins.spark.closure.semi_naive import Evaluation
from rdfinc.plugins.spark.closure.stated_data import read_stated
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.load.layout import LoadManifest
from rdfinc.plugins.spark.session import refuse_connect, shuffled
from rdfinc.plugins.spark.storage.folder_places import folder_at


def materialise(
    spark: SparkSession,
    folder: str | Path,
    closure: str | Path,
    *,
    profile: str = "owl2rl",
    rules: Any = (),
    say: Say = lambda text: None,
) -> LoadManifest:
    """Makes the folder `closure` of what follows from the facts of a bulk load in `folder`; both
    are paths or URIs.

    `profile` and `rules` are those of `KnowledgeBase` and `add_rules`; the facts are the same.
    Contradictions are not looked for. Raises FileExistsError for an existing closure,
    DataSyntaxError for a folder that is no bulk load, StorageError, RuleError, and UnsupportedError
    for Spark Connect and for the few programs that only a knowledge base evaluates. Memory of the
    driver: the facts of parameters, at most a million. Fewer than two million facts are closed in
    the driver, and all facts are where Spark has this machine only and its memory suffices.
    """
    refuse_connect("closures")
    source, target = folder_at(folder), folder_at(closure)
    manifest = LoadManifest.read(source)
    program = Program(tuple(_without_facts(rules_of(rules, manifest.prefixes))))
    about = {"profile": profile, "rules": str(program), "version": rules_version()}
    if reason := why_closed_here(spark, manifest.facts, source):
        say(f"closing the facts here, as {reason}")
        with as_memory_goes(say):
            return close_here(read_stated(source, manifest), source, target, manifest, about)
    task = f"{identity_of(source)} {about}"
    with working(spark, target, task) as (work, state), shuffled(spark, manifest.facts):
        numbers = numbers_of(work, source, manifest)
        stated = work.at_hand(source, facts_of(spark, source))
        say("looking into the facts")
        parts = evaluated(DriverEngine(profile, program), work, numbers, stated, task, state, say)
        say("writing the closure")
        told = told_apart(parts, stated, parts.facts(1), profile)
        return write_closure(work, target, about, source, told, manifest)


def evaluated(
    held: DriverEngine,
    work: RunState,
    numbers: TermNumbers,
    stated: DataFrame,
    task: str,
    state: dict[str, Any] | None,
    say: Say,
) -> FactParts:
    """All that follows from what is stated, by graphs: part 0, and what else there is."""
    parts = FactParts(work, held, numbers, LiteralFacts(held, numbers).beside(once(work, stated)))
    parts.take(parts.facts())
    Evaluation(parts, task, say).run(state)
    return parts


def _without_facts(rules: list[Rule]) -> list[Rule]:
    """The rules, none of which is a fact. Raises UnsupportedError."""
    given, facts = facts_apart(rules)
    if facts:
        told = " ".join(facts[0])
        raise UnsupportedError(f"on Spark facts among rules ({told}); state them in the data")
    return given
