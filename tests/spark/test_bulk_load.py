"""Files through Spark are the same knowledge base as files read here."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tracemalloc
from pathlib import Path

import pyoxigraph as ox
import pytest
from pyspark.sql import SparkSession
from unit.terms.random_turtle import RandomTurtle

import rdfinc
from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.cli import app
from rdfinc.knowledge_base import loading
from rdfinc.plugins.spark.load.bulk import bulk_load, bulk_load_lines
from rdfinc.plugins.spark.load.layout import DICTIONARY, FACTS, MANIFEST
from rdfinc.terms.dictionary import Dictionary

AXIOMS = """@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:p a owl:TransitiveProperty . <http://e/o> owl:imports <http://e/there> , <http://e/nowhere> ."""
CHAIN = "".join(f"<http://e/{i}> <http://e/p> <http://e/{i + 1}> .\n" for i in range(9))
GRAPHS = "<a:s> <a:p> _:x <g:g> .\n<a:s> <a:p> _:x .\n<a:s> <a:p> _:x <g:g> .\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Nasty ones, an empty one, compressed ones, one twice under two names."""
    texts = {"axioms.ttl": AXIOMS, "chain.nt": CHAIN, "chain2.nt": CHAIN, "graphs.nq": GRAPHS}
    texts |= {"a.ttl": RandomTurtle(7).document(60), "b.ttl": RandomTurtle(7).document(60)}
    texts |= {"empty.ttl": "", "crlf.ttl": AXIOMS.replace("\n", "\r\n")}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "c.trig.gz").write_bytes(
        gzip.compress(RandomTurtle(8, trig=True).document(9).encode())
    )
    return sorted(tmp_path.iterdir())


def canonical(kb: KnowledgeBase, what: str) -> set[str]:
    """Its statements, whatever the names of blank nodes."""
    stream = io.BytesIO()
    kb.dump(stream, what, format="nq")
    dataset = ox.Dataset(ox.parse(stream.getvalue(), format=ox.RdfFormat.N_QUADS))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(map(str, dataset))


def test_the_same_facts_closure_and_report(
    spark: SparkSession, files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "there.ttl").write_text("<a:it> <a:is> <a:there> .")
    imports = {"http://e/there": tmp_path / "there.ttl"}
    here, there = KnowledgeBase(), KnowledgeBase()
    expected = here.load(*files, imports=imports, engine="local")
    found = there.load(*files, imports=imports, engine="spark")
    assert canonical(there, "explicit") == canonical(here, "explicit")
    assert canonical(there, "derived") == canonical(here, "derived")
    assert len(there.derived) >= 36
    for name in ("triples", "added", "skipped", "imports", "axioms", "problems"):
        assert getattr(found, name) == getattr(expected, name), name
    assert sorted(found.files) == sorted(expected.files)
    assert there.namespaces == here.namespaces


def test_a_folder_is_loaded_again_and_again_and_read_by_spark(
    spark: SparkSession, files: list[Path], tmp_path: Path
) -> None:
    chosen = [file for file in files if file.name in ("a.ttl", "b.ttl", "graphs.nq")]
    for file in chosen[:2]:
        file.write_text(file.read_text().replace("_:aabb", "_:label"))
    with chosen[2].open("a") as graphs:
        graphs.write("oh no\n")
    said: list[str] = []
    manifest = bulk_load(
        spark, chosen, tmp_path / "bulk", split_bytes=400, strict=False, say=said.append
    )
    assert len(said) == 4 and "pieces" in said[1] and int(said[1].split()[1]) > 8
    kb, here = KnowledgeBase(profile="none"), KnowledgeBase(profile="none")
    expected = here.load(*chosen, engine="local", strict=False)
    report = kb.load(tmp_path / "bulk")
    assert (report.skipped, report.added) == (1, expected.added)
    assert report.problems == expected.problems
    assert report.files == (str(tmp_path / "bulk"),)
    assert list(kb.dictionary) == list(here.dictionary), "the ids are those of the local loader"
    assert set(kb) == set(here)
    assert manifest.triples == report.triples == expected.triples
    kb.load(tmp_path / "bulk")
    here.load(*chosen, engine="local", strict=False)
    assert len(kb) == len(here) and set(kb) == set(here), "its blank nodes are fresh each time"
    facts = spark.read.parquet(str(tmp_path / "bulk" / FACTS))
    assert sorted(facts.columns) == ["g", "o", "p", "s"]
    assert facts.count() == manifest.facts == facts.distinct().count()
    with pytest.raises(FileExistsError, match="name a new folder"):
        bulk_load(spark, chosen, tmp_path / "bulk")
    _damage(tmp_path / "bulk")


def _damage(bulk: Path) -> None:
    def refused(says: str) -> None:
        kb = KnowledgeBase(profile="none")
        with pytest.raises(DataSyntaxError, match=says):
            kb.load(bulk)
        assert len(kb) == 0

    saved = bulk.with_name("saved")
    shutil.copytree(bulk, saved)
    for part, says in ((DICTIONARY, "damaged: terms are missing"), (FACTS, "facts where")):
        next((bulk / part).rglob("*.parquet")).unlink()
        refused(says)
        shutil.rmtree(bulk)
        shutil.copytree(saved, bulk)
    next((bulk / FACTS).rglob("*.parquet")).write_bytes(b"PAR1")
    refused("the bulk load is damaged")
    manifest = json.loads((bulk / MANIFEST).read_text())
    (bulk / MANIFEST).write_text(json.dumps(manifest | {"version": "rdfinc bulk load, 0"}))
    refused("made by another version")
    (bulk / MANIFEST).unlink()
    refused('to read the files in it, say ".*bulk/\\*"')


def test_on_the_command_line(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.ttl").touch()
    (tmp_path / "data.nt").write_text(CHAIN)
    folder = str(tmp_path / "made")
    app.run(["load", str(tmp_path / "*.*t*"), "-o", folder, "--engine", "spark"])
    assert capsys.readouterr().out.startswith(f"9 facts of 11 terms: {folder}, in ")
    app.run(["stats", folder, "--json", "--profile", "none"])
    assert json.loads(capsys.readouterr().out)["explicit"] == 9


def test_lines_in_a_data_frame(spark: SparkSession, tmp_path: Path) -> None:
    """One line a row, many in a row, none; a label means one node in all partitions."""
    text = CHAIN + GRAPHS
    (tmp_path / "all.nq").write_text(text)
    rows = [*text.splitlines()[:4], None, "".join(text.splitlines(keepends=True)[3:])]
    lines = spark.createDataFrame([(row,) for row in rows], "line STRING").repartition(3)
    manifest = bulk_load_lines(lines, tmp_path / "bulk")
    assert (manifest.triples, manifest.facts) == (13, 11)
    found, expected = KnowledgeBase(profile="none"), KnowledgeBase(profile="none")
    found.load(tmp_path / "bulk")
    expected.load(tmp_path / "all.nq")
    assert canonical(found, "explicit") == canonical(expected, "explicit")
    wrong = spark.createDataFrame([(CHAIN.encode() + b"oh no\n",)], "lines BINARY").coalesce(1)
    with pytest.raises(DataSyntaxError, match="partition 0 of the data frame, line 10"):
        bulk_load_lines(wrong, tmp_path / "wrong")
    assert not (tmp_path / "wrong").exists()
    lenient = bulk_load_lines(wrong, tmp_path / "lenient", graph=b"<g:g>", strict=False)
    assert (lenient.facts, lenient.skipped, lenient.problems[0][1]) == (9, 1, 10)
    assert spark.read.parquet(str(tmp_path / "lenient" / FACTS)).where("g = 0").isEmpty()


def test_the_driver_needs_no_more_memory_for_a_longer_file(
    spark: SparkSession, tmp_path: Path
) -> None:
    def peak(statements: int) -> int:
        file = tmp_path / f"{statements}.ttl"
        with file.open("w") as out:
            out.writelines(f'<s{i}> <p> """{i} . """ , "{i:012000}" .\n' for i in range(statements))
        tracemalloc.start()
        try:
            manifest = bulk_load(spark, [file], tmp_path / str(statements), split_bytes=1 << 20)
            assert manifest.facts == 2 * statements
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(800) < peak(100) + 100_000, "of 8.4 MB more"


def test_errors_are_those_of_local_loading(spark: SparkSession, tmp_path: Path) -> None:
    good = tmp_path / "good.nt"
    good.write_text(CHAIN)
    bad = tmp_path / "bad.ttl"
    bad.write_text("<a:a> <a:p> <a:o> .\n" * 50 + "<a:a> <a:p> oh .\n")
    kb = KnowledgeBase()
    with pytest.raises(DataSyntaxError) as expected:
        kb.load(good, bad, engine="local")
    with pytest.raises(DataSyntaxError) as found:
        kb.load(good, bad, engine="spark")
    assert str(found.value) == str(expected.value) and found.value.line == 51
    with pytest.raises(DataSyntaxError):
        bulk_load(spark, [good, bad], tmp_path / "bulk")
    assert {path.name for path in tmp_path.iterdir()} == {"good.nt", "bad.ttl"}


def test_which_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="'auto', 'local', 'spark'"):
        rdfinc.KnowledgeBase().load(engine="flink")
    file = tmp_path / "data.nt"
    with file.open("wb") as out:
        out.truncate(1 << 40)
    small = tmp_path / "small.nt"
    small.write_text(CHAIN)
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    assert loading.spark_pays([file]) and not loading.spark_pays([small])
    asked = []
    monkeypatch.setattr(loading, "extension", lambda name: lambda *_, **__: asked.append(name))
    loading._read([file], Dictionary(), 1, lambda: None)
    assert asked == ["spark"]
    assert loading._grouped([b"", file, small], "auto") == [[file, small], b""]
    assert loading._grouped([b"", small], "auto") == [b"", small]
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert not loading.spark_pays([file])
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    assert not loading.spark_pays([file])
