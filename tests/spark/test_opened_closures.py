"""`rdfinc.open` of a closure that Spark made: it goes on from there as one derived locally."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from spark.test_closed_here import QUADS
from spark.test_closure import LITERALS, PEOPLE, RULES, SAME

import rdfinc
import thresholds
from rdfinc import CorruptedError, DataSyntaxError, KnowledgeBase, UnsupportedError
from rdfinc.durable import destroy, founding, verify
from rdfinc.knowledge_base.loading import CLOSURE, MANIFEST
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.plugins.spark import copy_folder
from rdfinc.plugins.spark.closure.driver_engine import hidden_number
from rdfinc.plugins.spark.closure.materialise import materialise
from rdfinc.plugins.spark.closure.stated_change import retract
from rdfinc.plugins.spark.folders import into_folder
from rdfinc.plugins.spark.load.layout import FACTS, HIDDEN
from rdfinc.plugins.spark.spark_thresholds import SPARK

MORE = """
:f a owl:FunctionalProperty . :a :f :a1 , :a2 . :a1 :knows :k , _:friend . :a1 :p :b .
:C owl:disjointWith :D . :x a :C , :D . :h { :a1 owl:sameAs :a3 . :x a :C }
"""
RULE = "[?y, <http://e/known>, ?x] :- [?x, <http://e/knows>, ?y] ."
GOING = "@prefix : <http://e/> . :f a :unknown . :a :p :b . :x a :C . :a1 :knows :k ."
TRIG = QUADS + PEOPLE + LITERALS + MORE


def loaded(folder: Path, text: str) -> Path:
    """A bulk load of a TriG document."""
    (folder / "data.trig").write_text(text)
    into_folder(
        [folder / "data.trig"], folder / "data", strict=True, engine="local", say=lambda text: None
    )
    return folder / "data"


def locally(folder: Path, rules: str = "", **options: Any) -> KnowledgeBase:
    """The oracle: a knowledge base of the same file, whose blank nodes have the same names."""
    kb = KnowledgeBase(**options)
    kb.load(folder / "data.trig")
    kb.add_rules(rules)
    return kb


def contents(kb: KnowledgeBase) -> tuple[Any, ...]:
    """All that is seen: what graphs state, what follows, what contradicts itself."""
    dataset = kb.dataset()
    stated = {tuple(map(str, quad)) for quad in dataset.quads((None, None, None, None))}
    explicit, derived = (
        {tuple(term.n3() for term in fact) for fact in facts} for facts in (kb.explicit, kb.derived)
    )
    return stated, explicit, derived, len(kb.violations()), str(kb.program)


def compare(kb: KnowledgeBase, oracle: KnowledgeBase) -> None:
    kb._check()
    assert contents(kb) == contents(oracle)


def updated(kb: KnowledgeBase, oracle: KnowledgeBase, seed: int, steps: int = 12) -> None:
    """Some of what is stated, or was, comes and goes in both."""
    rnd, pool = Random(seed), sorted({tuple(t.n3() for t in fact) for fact in oracle.explicit})
    for _ in range(steps):
        come, gone = rnd.sample(pool, 2), rnd.sample(pool, 4)
        deltas = [each.update(insert=come, delete=gone) for each in (kb, oracle)]
        assert len({len(delta.added) for delta in deltas}) == 1
        compare(kb, oracle)


def taking_over_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has it fail if a knowledge base derives what follows."""
    monkeypatch.setattr(KnowledgeBase, "_noted", lambda *_: pytest.fail("derived"))


def test_a_closure_goes_on_where_it_is(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With named graphs, blank nodes, equal names, and contradictions, for which Spark does not
    look. (`test_closure.goes_on` has others.)"""
    closure, data = tmp_path / "closure", loaded(tmp_path, QUADS + MORE)
    oracle = locally(tmp_path, RULE)
    materialise(spark, data, closure, rules=RULE)
    with monkeypatch.context() as patch:
        taking_over_alone(patch)
        kb = rdfinc.open(closure, create=False)
    compare(kb, oracle)
    assert kb.violations() and kb.explain(("<http://e/a1>", SAME, "<http://e/a2>"))
    kb.close()
    assert verify(closure, deep=True) == []
    copy_folder(closure, tmp_path / "compact")
    with monkeypatch.context() as patch:
        taking_over_alone(patch)
        other = rdfinc.open(tmp_path / "compact", storage="compact", maintenance="bf")
    with other:
        updated(other, oracle.copy(), 1, 4)

    with rdfinc.open(closure) as kb:
        assert kb.settings["profile"] == "owl2rl"
        updated(kb, oracle, 0)
    with rdfinc.open(closure) as kb:
        compare(kb, oracle)
    refused(spark, closure, tmp_path)
    destroy(closure)
    with rdfinc.open(closure) as kb:
        compare(kb, locally(tmp_path, RULE))


def refused(spark: SparkSession, closure: Path, place: Path) -> None:
    """Spark, and loads, refuse a closure that was changed since."""
    changed = "closure: changed since the closure was made.*rdfinc.open has what there is now"
    with pytest.raises(DataSyntaxError, match=changed):
        copy_folder(closure, place / "another")
    with pytest.raises(DataSyntaxError, match=changed):
        retract(spark, closure, place / "data", place / "another")
    with pytest.raises(DataSyntaxError, match=changed):
        KnowledgeBase(profile="none").load(closure)
    assert not (place / "another").exists()


# -- closures made in the driver


@pytest.fixture
def made_here(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    thresholds.put(monkeypatch, SPARK, closed_here=1_000_000)
    materialise(spark, loaded(tmp_path, TRIG), tmp_path / "closure", rules=RULES)
    return tmp_path / "closure"


@pytest.fixture
def few(made_here: Path) -> Path:
    """The files that Spark has a use for, which do not tell what nobody sees."""
    destroy(made_here)
    return made_here


@pytest.fixture
def derivations(monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    """The changes whose consequences knowledge bases derive from now on."""
    found: list[Change] = []
    made = KnowledgeBase._noted

    def noted(kb: KnowledgeBase, change: Change, *more: Any, **options: Any) -> Any:
        found.append(change)
        return made(kb, change, *more, **options)

    monkeypatch.setattr(KnowledgeBase, "_noted", noted)
    return found


def told(closure: Path, name: str, **facts: Any) -> None:
    """Has a file tell something else."""
    about = json.loads((closure / name).read_text())
    (closure / name).write_text(json.dumps(about | facts))


def test_what_was_closed_here_is_mapped(
    spark: SparkSession, made_here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verify(made_here, deep=True) == []
    with rdfinc.open(made_here, read_only=True) as kb:
        compare(kb, locally(tmp_path, RULES))
    with pytest.raises(TypeError, match="colour"):
        rdfinc.open(made_here, colour="red")
    with monkeypatch.context() as patch:
        taking_over_alone(patch)
        patch.setattr(KnowledgeBase, "_take_over", lambda *_: pytest.fail("made again"))
        kb = rdfinc.open(made_here)
    with kb:
        assert kb.namespaces[""] == "http://e/"
        updated(kb, locally(tmp_path, RULES), 2, 4)
        kb.load(b"_:x <http://e/new> _:x .", format="nt")
        (node,) = {s.n3() for s, _, _ in kb.triples((None, "<http://e/new>", None))}
        assert node == "_:f2_x", "of a file after those of the closure"
    refused(spark, made_here, tmp_path)


def test_what_was_opened_by_other_settings_changes_by_its_own(
    spark: SparkSession, made_here: Path, tmp_path: Path
) -> None:
    """The knowledge base in the folder is another one then, though nothing was stated there."""
    with rdfinc.open(made_here, profile="none") as kb:
        compare(kb, locally(tmp_path, RULES, profile="none"))
    (tmp_path / "batch").mkdir()
    retract(spark, made_here, loaded(tmp_path / "batch", GOING), tmp_path / "less")
    oracle = locally(tmp_path, RULES)
    gone = KnowledgeBase(profile="none")
    gone.load(GOING.encode(), format="trig")
    oracle.update(delete=gone)
    with rdfinc.open(tmp_path / "less", read_only=True) as kb:
        compare(kb, oracle)


def test_what_a_folder_does_not_tell_is_derived(
    few: Path, tmp_path: Path, derivations: list[Change]
) -> None:
    with rdfinc.open(few) as kb:
        assert len(derivations) == 1
        compare(kb, locally(tmp_path, RULES))
        kb.load(b"_:x <http://e/new> _:x .", format="nt")
        (node,) = {s.n3() for s, _, _ in kb.triples((None, "<http://e/new>", None))}
        assert node == "_:f2_x", "of a file after those of the closure"


def unknown(kb: KnowledgeBase) -> list[int]:
    """Numbers that mean nothing to a knowledge base, though it may have a term that is spelled like
    what has one of them elsewhere: a tuple of ids, and the name of a relation with an id in it."""
    terms = list(kb.dictionary)
    row, external = (
        next(term for term in terms if term.startswith(start)) for start in (b"(", b"!external ")
    )
    return [-5, -(1 << 41), hidden_number(row), hidden_number(external)]


@pytest.mark.parametrize("which", range(4))
def test_what_is_told_of_unknown_nodes_has_it_derived(
    few: Path, tmp_path: Path, which: int, derivations: list[Change]
) -> None:
    shutil.copytree(few, tmp_path / "another")
    with rdfinc.open(tmp_path / "another") as kb:
        number = unknown(kb)[which]
    (few / HIDDEN).mkdir()
    rows = {name: pa.array([number], pa.int64()) for name in "spo"}
    pq.write_table(pa.table(rows), few / HIDDEN / "facts.parquet")
    told(few, MANIFEST, hidden=1)
    derivations.clear()
    with rdfinc.open(few) as kb:
        assert len(derivations) == 1
        compare(kb, locally(tmp_path, RULES))


def test_rules_of_another_version_have_it_derived(
    few: Path, tmp_path: Path, derivations: list[Change]
) -> None:
    told(few, CLOSURE, version="another")
    told(few, MANIFEST, hidden=0)
    with rdfinc.open(few) as kb:
        assert len(derivations) == 1
        compare(kb, locally(tmp_path, RULES))


def test_a_beginning_that_was_cut_short_is_made_again(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="make room on the disk"):
        patch.setattr(founding, "publish", full)
        rdfinc.open(few)
    with pytest.raises(FileNotFoundError, match="open the closure there once without read_only"):
        rdfinc.open(few, read_only=True)
    with rdfinc.open(few) as kb:
        oracle = locally(tmp_path, RULES)
        compare(kb, oracle)
        kb.update(delete=[("<http://e/a>", "<http://e/p>", "<http://e/b>")])
    (few / "CURRENT").unlink()
    with pytest.raises(CorruptedError, match="CURRENT is missing"):
        rdfinc.open(few)


def test_asking_changes_nothing_for_spark(few: Path, tmp_path: Path) -> None:
    with rdfinc.open(few) as kb:
        assert list(kb.query("SELECT (CONCAT(STR(?s), '!') AS ?new) { ?s ?p ?o }"))
        assert ("<http://e/unknown>", "a", "<http://e/C>") not in kb
    copy_folder(few, tmp_path / "copy")


def test_other_options_are_taken(few: Path, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="colour"):
        rdfinc.open(few, colour="red")
    assert not (few / "CURRENT").exists()
    with rdfinc.open(few, profile="none", max_facts=1_000_000) as kb:
        compare(kb, locally(tmp_path, RULES, profile="none"))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder: told(folder, MANIFEST, version="0"), "made by another version"),
        (lambda folder: told(folder, MANIFEST, facts=1), "facts where 1 should be"),
        (lambda folder: told(folder, MANIFEST, terms=5), "the bulk load is damaged"),
        (lambda folder: told(folder, MANIFEST, hidden=1), "0 hidden facts where 1 should be"),
        (lambda folder: (folder / CLOSURE).write_text("{"), "the bulk load is damaged"),
        (lambda folder: cut(next((folder / FACTS).rglob("*.parquet"))), "the bulk load is damaged"),
        (lambda folder: shutil.rmtree(folder / "dictionary"), "terms are missing"),
    ],
)
def test_damage_is_told(few: Path, damage: Callable[[Path], object], reason: str) -> None:
    damage(few)
    with pytest.raises(DataSyntaxError, match=f"closure: .*{reason}"):
        rdfinc.open(few)
    assert not (few / "CURRENT").exists()


def test_more_terms_than_ids_are_refused(few: Path) -> None:
    told(few, MANIFEST, terms=2**32)
    for read in (rdfinc.open, KnowledgeBase().load):
        with pytest.raises(UnsupportedError, match=r"4,294,967,296 terms.*Spark SQL reads it"):
            read(few)
    assert not (few / "CURRENT").exists()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def test_what_is_no_closure_here_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError, match="data holds a bulk load without its closure"):
        rdfinc.open(loaded(tmp_path, TRIG))
    with pytest.raises(ValueError, match=r"s3://bucket/closed names no directory.*copy_folder"):
        rdfinc.open("s3://bucket/closed")
