"""Little is read and closed in the driver: the folders are what Spark would make."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable, Collection
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace
from pyspark.sql import SparkSession
from spark.test_closure import AXIOMS, BATCH, RULES, bulk, nodeless, ontology, read, texts

import rdfinc
import thresholds
from laws.random_facts import above, data, numbers
from laws.random_rules import random_rule
from rdfinc import (
    BudgetExceededError,
    DataSyntaxError,
    KnowledgeBase,
    ReservedGraphError,
    UnstratifiableError,
)
from rdfinc.durable import destroy
from rdfinc.knowledge_base.loading import CLOSURE
from rdfinc.knowledge_base.process.machine_memory import MACHINE
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.plugins.spark import alone
from rdfinc.plugins.spark.alone import why_closed_here, why_read_here
from rdfinc.plugins.spark.closure.materialise import materialise
from rdfinc.plugins.spark.closure.stated_change import change, extend, retract
from rdfinc.plugins.spark.folders import into_folder
from rdfinc.plugins.spark.load.bulk import bulk_load, bulk_load_lines
from rdfinc.plugins.spark.load.layout import (
    DICTIONARY,
    FACTS,
    HIDDEN,
    MANIFEST,
    LoadManifest,
    contents,
)
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.input_files import files_named
from rdfinc.plugins.spark.storage.local_folder import LocalFolder

QUADS = """@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:p a owl:TransitiveProperty . :a :p :b . :g { :a :p :b . :b :p _:c } :h { _:c :p :d , "x"@en }
"""
CHAIN = "<x:a> <x:p> <x:b> . <x:b> <x:p> _:c . _:c <x:p> <x:d> ."
LINK = "<x:d> <x:p> <x:e> . _:c <x:p> <x:a> ."
STEPS = """<x:r>[?x, ?y] :- <x:p>[?x, ?y] .
<x:r>[?x, ?z] :- <x:r>[?x, ?y], <x:p>[?y, ?z] .
<x:n>[?x, ?v] :- <x:r>[?x, <x:d>], BIND(CONCAT(STR(<x:d>), "!") AS ?v) .
"""


GIVEN = """<x:a> <x:p> <x:b> .
<x:a> <x:p> <x:b> <x:g> .
<x:b> <x:p> _:c .
_:c <x:p> <x:d> .
<x:d> <x:p> <x:e> .
_:c <x:p> _:d .
"""
GOING = """<x:a> <x:p> <x:b> .
<x:b> <x:p> _:f1_c .
_:c <x:p> <x:d> .
<x:d> <x:p> <x:e> <x:g> .
<x:nobody> <x:p> <x:b> .
"""
LEFT = """<x:a> <x:p> <x:b> <x:g> .
_:c <x:p> <x:d> .
<x:d> <x:p> <x:e> .
_:c <x:p> _:d .
"""


DEFAULT = "urn:x-rdflib:default"


@pytest.fixture(autouse=True)
def little_is_done_here(nothing_is_too_little: None, monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.put(monkeypatch, SPARK, read_here=1 << 20, closed_here=1_000_000)
    thresholds.put(monkeypatch, LISTS, long_list=2)


def closed(folder: Path, *batches: Path, profile: str = "owl2rl", rules: str = "") -> KnowledgeBase:
    kb = KnowledgeBase(profile=profile)
    kb.load(folder, *batches)
    kb.add_rules(rules)
    return kb


def derived(folder: Path) -> int:
    return sum(
        sum(pq.ParquetFile(file).read(["derived"]).column(0).to_pylist())
        for file in (folder / FACTS).rglob("*.parquet")
    )


def test_closures_are_those_of_a_knowledge_base(spark: SparkSession, tmp_path: Path) -> None:
    folder, batch = bulk(tmp_path, "data", AXIOMS), bulk(tmp_path, "batch", BATCH, BATCH)
    said: list[str] = []
    made = materialise(spark, folder, tmp_path / "closure", rules=RULES, say=said.append)
    kb = closed(folder, rules=RULES)
    assert said == ["closing the facts here, as they are few"]
    assert nodeless(read(tmp_path / "closure")) == nodeless(texts(kb))
    assert made == LoadManifest.read(LocalFolder(tmp_path / "closure")) and made.facts == len(kb)
    assert derived(tmp_path / "closure") == len(kb.derived) > 0

    extend(spark, tmp_path / "closure", batch, tmp_path / "more")
    kb = closed(folder, batch, rules=RULES)
    assert nodeless(read(tmp_path / "more")) == nodeless(texts(kb))
    assert derived(tmp_path / "more") == len(kb.derived)


def test_terms_keep_their_ids(spark: SparkSession, tmp_path: Path) -> None:
    folder, batch = bulk(tmp_path, "data", AXIOMS), bulk(tmp_path, "batch", BATCH)
    materialise(spark, folder, tmp_path / "closure", rules=RULES)
    extend(spark, tmp_path / "closure", batch, tmp_path / "more")
    folders = LocalFolder(folder), LocalFolder(tmp_path / "closure")
    terms = [contents(each, LoadManifest.read(each))[0] for each in folders]
    extended = LocalFolder(tmp_path / "more")
    more, blocks = contents(extended, LoadManifest.read(extended))
    assert len(terms[0]) < len(terms[1]) < len(more) == len(set(more))
    assert terms[1][: len(terms[0])] == terms[0] and more[: len(terms[1])] == terms[1]
    assert max(columns.max() for columns in blocks) == len(more)
    assert sum(term.startswith(b"_:f2_") for term in more) == 1, "the batch's node"
    names = {path.name for path in (tmp_path / "more" / DICTIONARY).iterdir()}
    assert names >= {path.name for path in (folder / DICTIONARY).iterdir()}


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_batch_goes(spark: SparkSession, tmp_path: Path, is_kept: bool) -> None:
    """What is stated twice, or in another graph, stays stated in the other one. The closure is kept
    as a knowledge base, or that was taken away."""
    files = [tmp_path / "data.nq", tmp_path / "batch.nq"]
    files[0].write_text(GIVEN)
    files[1].write_text(GOING)
    into_folder(files[:1], tmp_path / "data", strict=True, engine="local", say=str)
    into_folder(files[1:], tmp_path / "batch", strict=True, engine="local", say=str)
    materialise(spark, tmp_path / "data", tmp_path / "closure", profile="none", rules=STEPS)
    if not is_kept:
        destroy(tmp_path / "closure")
    retract(spark, tmp_path / "closure", tmp_path / "batch", tmp_path / "less")
    left = tmp_path / "left.nq"
    left.write_text(LEFT)
    expected = closed(left, profile="none", rules=STEPS)
    assert nodeless(read(tmp_path / "less")) == nodeless(texts(expected))
    assert derived(tmp_path / "less") == len(expected.derived)

    change(
        spark,
        tmp_path / "less",
        tmp_path / "again",
        insert=tmp_path / "batch",
        delete=tmp_path / "batch",
    )
    expected = closed(left, files[1], profile="none", rules=STEPS)
    assert nodeless(read(tmp_path / "again")) == nodeless(texts(expected))


def test_graphs_are_kept(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "quads.trig").write_text(QUADS)
    kb = KnowledgeBase()
    kb.load(tmp_path / "quads.trig")
    into_folder([tmp_path / "quads.trig"], tmp_path / "data", strict=True, engine="local", say=str)
    materialise(spark, tmp_path / "data", tmp_path / "closure")
    found = KnowledgeBase(profile="none")
    found.load(tmp_path / "closure")
    assert nodeless(texts(found)) == nodeless(texts(kb))
    sizes = sorted(len(graph) for graph in found.dataset().graphs())
    assert sizes == sorted([len(kb) - 3, 2, 2])


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    rnd = Random(seed)
    rules = [random_rule(rnd, []) for _ in range(4)]
    facts = {fact for make in (data, data, numbers, above) for fact in make(rnd)}
    text = "".join(f"{s} {p} {o} .\n" for s, p, o in sorted(facts))
    kb = KnowledgeBase(profile="rdfs")
    kb.update(insert=facts)
    try:
        kb.add_rules(rules)
    except UnstratifiableError:
        with pytest.raises(UnstratifiableError):
            folder = bulk(tmp_path, "data", text)
            materialise(spark, folder, tmp_path / "closure", profile="rdfs", rules=rules)
        assert {path.name for path in tmp_path.iterdir()} == {"data", "data0.ttl"}
        return
    folder = bulk(tmp_path, "data", text)
    materialise(spark, folder, tmp_path / "closure", profile="rdfs", rules=rules)
    assert read(tmp_path / "closure") == texts(kb)


def quads(chance: Random, facts: Collection[tuple[str, str, str]], number: int) -> set[str]:
    """Some facts, each in some graph."""
    some = chance.choices(sorted(facts), k=number)
    return {f"{s} {p} {o} {chance.choice(('', '', '<x:g>', '<x:h>'))} ." for s, p, o in some}


def in_folder(place: Path, lines: set[str]) -> Path:
    file = place.with_suffix(".nq")
    file.write_text("\n".join(sorted(lines)))
    into_folder([file], place, strict=True, engine="local", say=lambda text: None)
    return place


def seen(kb: KnowledgeBase) -> list[set[tuple[str, ...]]]:
    """What is stated, by graphs, and what follows."""
    stated = kb.dataset().quads((None, None, None, None))
    named = {(s.n3(), p.n3(), o.n3(), str(g or "")) for s, p, o, g in stated}
    return [named, {tuple(term.n3() for term in fact) for fact in kb.derived}]


@pytest.mark.parametrize("seed", range(8))
def test_what_is_stated_changes(
    spark: SparkSession, tmp_path: Path, seed: int, pytestconfig: pytest.Config
) -> None:
    """Random ontologies and rules; at each step the files, and what is opened, are the oracle's."""
    first, count = pytestconfig.getoption("--long") or (0, 1)
    for number in range(first + seed, first + seed + 8 * count, 8):
        chance, place = Random(number), tmp_path / str(number)
        place.mkdir()
        pool = set(chain.from_iterable(ontology(number)))
        rules = [random_rule(chance, []) for _ in range(2)]
        pool |= {fact for make in (data, numbers, above) for fact in make(chance)}
        said = quads(chance, pool, 80)
        closure = place / "closure"
        data_folder = in_folder(place / "data", said)
        try:
            materialise(spark, data_folder, closure, rules=rules)
        except UnstratifiableError:
            continue
        for step in range(4):
            going, coming = {*chance.sample(sorted(said), 9)}, quads(chance, pool, 9)
            going |= quads(chance, pool, 3)
            gone, come = (
                in_folder(place / f"gone{step}", going),
                in_folder(place / f"come{step}", coming),
            )
            if chance.random() < 0.2:
                destroy(closure)
            try:
                change(spark, closure, place / f"{step}", insert=come, delete=gone)
            except UnstratifiableError:
                break
            said, closure = (said - going) | coming, place / f"{step}"
            oracle = KnowledgeBase()
            oracle.load("\n".join(sorted(said)).encode(), format="nq")
            oracle.add_rules(rules)
            assert read(closure) == texts(oracle), (number, step)
            assert derived(closure) == len(oracle.derived)
            with rdfinc.open(closure, read_only=True) as kb:
                assert seen(kb) == seen(oracle), (number, step)


def test_what_rules_of_another_version_made_is_derived_anew(
    spark: SparkSession, tmp_path: Path
) -> None:
    folder, batch = bulk(tmp_path, "data", CHAIN), bulk(tmp_path, "batch", "<x:a> <x:q> <x:b> .")
    closure, more = tmp_path / "closure", tmp_path / "more"
    materialise(spark, folder, closure, profile="none", rules=STEPS)
    about = json.loads((closure / CLOSURE).read_text())
    (closure / CLOSURE).write_text(json.dumps(about | {"version": "another"}))
    for file in (closure / FACTS).rglob("*.parquet"):
        table = pq.read_table(file)
        pq.write_table(table.filter(pc.invert(table.column("derived"))), file)
    manifest = LoadManifest.read(LocalFolder(closure))
    replace(manifest, facts=LocalFolder(closure).rows(FACTS)).write(LocalFolder(closure))
    change(spark, closure, more, insert=batch)
    expected = closed(folder, batch, profile="none", rules=STEPS)
    assert nodeless(read(more)) == nodeless(texts(expected))


def test_vain_deletions_are_no_warning(spark: SparkSession, tmp_path: Path) -> None:
    folder = bulk(tmp_path, "data", CHAIN)
    batch = bulk(tmp_path, "batch", "<x:a> <x:r> <x:b> , <x:nowhere> .")
    materialise(spark, folder, tmp_path / "closure", profile="none", rules=STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = retract(spark, tmp_path / "closure", batch, tmp_path / "less")
    assert made.facts == LoadManifest.read(LocalFolder(tmp_path / "closure")).facts


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (
            lambda place: shutil.rmtree(next((place / FACTS).iterdir())),
            "facts or terms are missing",
        ),
        (lambda place: shutil.rmtree(place / DICTIONARY), "facts or terms are missing"),
        (lambda place: cut(next((place / DICTIONARY).iterdir()), 9), "damaged"),
        (lambda place: cut(next((place / FACTS).rglob("*.parquet")), 9), "damaged"),
        (lambda place: (place / "numbers-1").write_bytes(b""), "damaged"),
        (lambda place: cut(place / "numbers-1", 9), "damaged"),
        (lambda place: np.save((place / "numbers-1").open("wb"), np.zeros(9)), "of each term"),
        (lambda place: (place / CLOSURE).write_text("[]"), "damaged"),
        (lambda place: (place / CLOSURE).write_text("{}"), "damaged"),
        (lambda place: (place / CLOSURE).write_text("{"), "damaged"),
    ],
)
def test_a_damaged_closure_is_not_changed(
    spark: SparkSession, tmp_path: Path, damage: Callable[[Path], object], reason: str
) -> None:
    folder, batch = bulk(tmp_path, "data", CHAIN), bulk(tmp_path, "batch", "<x:a> <x:q> <x:b> .")
    materialise(spark, folder, tmp_path / "closure", profile="none", rules=STEPS)
    damage(tmp_path / "closure")
    with pytest.raises(DataSyntaxError, match=f"closure: .*{reason}"):
        change(spark, tmp_path / "closure", tmp_path / "more", insert=batch)
    assert not (tmp_path / "more").exists()


def cut(file: Path, size: int) -> None:
    file.write_bytes(file.read_bytes()[:-size])


def test_nothing_is_closed_and_changed(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the driver and by Spark in turn."""
    nothing, batch = bulk(tmp_path, "nothing", ""), bulk(tmp_path, "batch", CHAIN)
    options = {"profile": "none", "rules": STEPS}
    materialise(spark, nothing, tmp_path / "0", **options)
    change(spark, tmp_path / "0", tmp_path / "1", insert=batch)
    labels = bulk(tmp_path, "labels", CHAIN.replace("_:c", "_:f2_c"))
    retract(spark, tmp_path / "1", labels, tmp_path / "2")
    assert read(tmp_path / "2") == set()
    thresholds.put(monkeypatch, SPARK, closed_here=0)
    assert change(spark, tmp_path / "0", tmp_path / "3", insert=batch).facts > 3
    assert nodeless(read(tmp_path / "3")) == nodeless(read(tmp_path / "1"))


def test_graphs_with_a_meaning_of_their_own(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By tasks and by the driver: rdflib's name of the default graph, and names of views."""
    (tmp_path / "named.nq").write_text(f"<x:a> <x:p> <x:b> <{DEFAULT}> .\n<x:a> <x:p> <x:b> .\n")
    (tmp_path / "view.nq").write_text("<x:a> <x:p> <x:b> <urn:rdfinc:explicit> .\n")
    for size in 0, 1 << 20:
        thresholds.put(monkeypatch, SPARK, read_here=size)
        assert bulk_load(spark, [tmp_path / "named.nq"], tmp_path / f"{size}").facts == 1
        with pytest.raises(ReservedGraphError):
            bulk_load(spark, [tmp_path / "view.nq"], tmp_path / "view")


def test_spark_goes_on_from_facts_that_were_closed_here(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, batch = bulk(tmp_path, "data", CHAIN), bulk(tmp_path, "batch", LINK)
    materialise(spark, folder, tmp_path / "closure", profile="none", rules=STEPS)
    assert not (tmp_path / "closure" / HIDDEN).exists()
    thresholds.put(monkeypatch, SPARK, closed_here=0)
    extend(spark, tmp_path / "closure", batch, tmp_path / "more")
    expected = closed(folder, batch, profile="none", rules=STEPS)
    assert nodeless(read(tmp_path / "more")) == nodeless(texts(expected))
    assert (tmp_path / "more" / HIDDEN).exists()
    thresholds.put(monkeypatch, SPARK, closed_here=1_000_000)
    extend(spark, tmp_path / "more", batch, tmp_path / "last")
    expected = closed(folder, batch, batch, profile="none", rules=STEPS)
    assert nodeless(read(tmp_path / "last")) == nodeless(texts(expected))


def test_short_files_are_read_here(spark: SparkSession, tmp_path: Path) -> None:
    files = [tmp_path / "a.ttl", tmp_path / "b.nq"]
    files[0].write_text(AXIOMS)
    files[1].write_text("<x:a> <x:p> _:x <x:g> .\nno statement\n_:x <x:p> <x:a> .\n")
    said: list[str] = []
    bulk_load(spark, files, tmp_path / "bulk", strict=False, say=said.append)
    assert said == ["reading 2 files here, as they are short"]
    kb, found = KnowledgeBase(profile="none"), KnowledgeBase(profile="none")
    expected, report = kb.load(*files, strict=False), found.load(tmp_path / "bulk")
    assert texts(found) == texts(kb) and list(found.dictionary) == list(kb.dictionary)
    assert (report.problems, report.skipped) == (expected.problems, 1)
    with pytest.raises(FileExistsError, match="name a new folder"):
        bulk_load(spark, files, tmp_path / "bulk")


def test_all_is_done_here_where_spark_has_no_other_machine(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as the memory goes. Spark takes the names of folders as they are."""
    (tmp_path / "data.ttl").write_text(CHAIN)
    said: list[str] = []

    def made(name: str) -> set[tuple[str, ...]]:
        said.clear()
        loaded, closure = (tmp_path / f"{name} {rest}" for rest in ("{a,b}[é]*?\\ #%20", "closed"))
        bulk_load(spark, [tmp_path / "data.ttl"], loaded, say=said.append)
        materialise(spark, loaded, closure, profile="none", rules=STEPS, say=said.append)
        return nodeless(read(closure))

    here = "here, as Spark has this machine only"
    thresholds.put(monkeypatch, SPARK, read_here=0, closed_here=0, memory_share=0.5)
    expected = made("alone")
    assert said == [f"reading 1 files {here}", f"closing the facts {here}"]

    check, shortages = MACHINE.check, [True] * 2

    def short(what: str) -> None:
        if shortages and shortages.pop():
            raise BudgetExceededError(what, "memory", 1, 0)
        check(what)

    monkeypatch.setattr(MACHINE, "check", short)
    assert made("short") == expected and not shortages
    assert said.count("leaving it to Spark, as memory is short") == 2


def test_what_may_not_fit_is_left_to_spark(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = 1_000_000
    monkeypatch.setattr(alone, "memory_left", lambda: (left, left))
    thresholds.put(monkeypatch, SPARK, read_here=10, closed_here=10, memory_share=0.5)
    files = [tmp_path / name for name in ("a.nt", "b.nt", "a.nt.gz", "c.nt")]
    for file, size in zip(files, (left - 2, left, left // 10, 9), strict=True):
        file.write_bytes(bytes(size))
    reasons = [why_read_here(spark, files_named([file])) for file in files]
    assert reasons == ["Spark has this machine only", None, None, "they are short"]
    folder = LocalFolder(bulk(tmp_path, "data", CHAIN))
    reasons = [why_closed_here(spark, facts, folder) for facts in (left // 200, left // 100, 9)]
    assert reasons == ["Spark has this machine only", None, "they are few"]


def test_what_tasks_have_read_is_joined_here(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the ids that tasks give; a statement in several partitions is one."""
    rows = [[f"<x:{i % 7}> <x:p> _:b{i % 5} ."] for i in range(60)]
    rows += [['_:b1 <x:q> "é"@en <x:g> .\n<x:0> <x:p> _:b0 <x:g> .'], ["<x:1> <x:q> <x:2> ."]]
    lines = spark.createDataFrame(rows, "lines STRING").repartition(3)
    said: list[str] = []
    found = []
    for name, share in ("tasks", 0), ("here", 0.5):
        thresholds.put(monkeypatch, SPARK, memory_share=share)
        folder = LocalFolder(tmp_path / name)
        manifest = bulk_load_lines(lines, folder.path, graph=b"<x:d>", say=said.append)
        terms, blocks = contents(folder, manifest)
        found.append((manifest, terms, {*map(tuple, np.concatenate(blocks, axis=1).T.tolist())}))
        assert sorted(path.name for path in folder.path.iterdir()) == [DICTIONARY, FACTS, MANIFEST]
    assert found[0] == found[1] and len(found[0][2]) == manifest.facts == 38
    assert "numbering the terms here, as Spark has this machine only" in said
