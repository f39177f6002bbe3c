"""How far a load has come, and what is logged of it."""

from __future__ import annotations

import gzip
import logging
from pathlib import Path

import pytest

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.load_progress import Progress
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

LINES = [f"<http://e/{i}> <http://e/in> <http://e/{i + 1}> .\n" for i in range(400)]
SCHEMA = "<http://e/in> a <http://www.w3.org/2002/07/owl#TransitiveProperty> ."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    put(monkeypatch, KNOWLEDGE, progress_seconds=0.0, instances_a_check=1)
    put(monkeypatch, TERMS, line_block_bytes=2000)
    data, schema = tmp_path / "data.nt", tmp_path / "schema.ttl"
    data.write_text("".join(LINES))
    schema.write_text(SCHEMA)
    return [data, schema]


def told(*sources: object, storage: str = "plain", **options: object) -> list[Progress]:
    found: list[Progress] = []
    kb = KnowledgeBase(storage=storage)
    kb.load(*sources, progress=found.append, **options)
    assert len(kb) == 400 * 401 // 2 + 1
    return found


def test_statements_are_counted_with_their_part_and_then_facts(files: list[Path]) -> None:
    found = told(*files)
    reading = [each for each in found if each.step == "reading"]
    deriving = found[len(reading) :]
    assert {each.step for each in deriving} == {"deriving"} and len(deriving) > 1
    assert len(reading) > 5 and reading[-1].count == 401 and reading[-1].part == 1
    for step in (reading, deriving):
        assert [each.count for each in step] == sorted(each.count for each in step)
        assert [each.seconds for each in step] == sorted(each.seconds for each in step)
    parts = [each.part for each in reading]
    assert parts == sorted(parts) and any(0 < part < 0.5 for part in parts)
    assert deriving[-1].count >= 400 * 401 // 2 + 1
    assert all(each.part is None and each.seconds_left is None for each in deriving)


def test_processes_that_read_are_counted_too(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TERMS, bytes_a_worker=1)
    assert [each for each in told(*files, workers=2) if each.step == "reading"][-1].count == 401


def test_the_part_is_unknown_of_what_is_packed_or_no_file(files: list[Path]) -> None:
    packed = files[0].with_suffix(".nt.gz")
    packed.write_bytes(gzip.compress(files[0].read_bytes()))
    for source, format in ((packed, None), (files[0].read_bytes(), "nt")):
        kb, found = KnowledgeBase(profile="none"), []
        kb.load(source, format=format, progress=found.append)
        assert [e for e in found if e.step == "reading"][-1].count == 400
        assert all(each.part is None for each in found)


def test_what_it_raises_ends_the_load_and_nothing_is_changed(files: list[Path]) -> None:
    for step in ("reading", "deriving"):

        def stop(progress: Progress, step: str = step) -> None:
            if progress.step == step:
                raise ConnectionError(step)

        kb = KnowledgeBase()
        with pytest.raises(ConnectionError, match=step):
            kb.load(*files, progress=stop)
        assert len(kb) == 0
        assert kb.load(*files).triples == 401


def test_it_is_a_line_for_people() -> None:
    assert str(Progress("reading", 30_000, 2.0, 0.25)) == (
        "reading: 30,000 statements, 15,000 a second, 6 s left"
    )
    assert str(Progress("deriving", 5, 0.0, None)) == "deriving: 5 facts, 0 a second"


def test_loads_and_updates_are_logged(files: list[Path], caplog: pytest.LogCaptureFixture) -> None:
    kb = rdfinc.KnowledgeBase()
    with caplog.at_level(logging.DEBUG, "rdfinc"):
        kb.load(files[1])
        kb.update(insert=[("<http://e/a>", "<http://e/in>", "<http://e/b>")])
    levels = [(record.levelname, record.getMessage().split(" ")[0]) for record in caplog.records]
    assert levels == [("DEBUG", "update"), ("INFO", f"{files[1]}:"), ("DEBUG", "update")]
