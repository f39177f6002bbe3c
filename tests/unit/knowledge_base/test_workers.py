"""Loads by several processes: what a user sees of them is the time."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfinc import BudgetExceededError, DataSyntaxError, KnowledgeBase, RdfincWarning, WorkerError
from rdfinc.knowledge_base.process import control_groups, processors
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.parallel import crew
from rdfinc.terms.io.parallel.together import read_together
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

LINES = "".join(f'<e:{i}> <e:p> _:{i % 7} .\n<e:{i}> <e:q> "{i}" .\n' for i in range(200))
TURTLE = "@prefix e: <e:> .\n" + "".join(f"e:{i} e:p [ e:q {i} ] .\n" for i in range(200))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The worker processes that were started; files need not be large to get some."""
    put(
        monkeypatch,
        TERMS,
        bytes_a_worker=100,
        line_block_bytes=500,
        line_share_bytes=2000,
        document_share_bytes=500,
    )
    processes = []
    start = crew._started

    def noted() -> subprocess.Popen[bytes] | None:
        processes.append(process := start())
        return process

    monkeypatch.setattr(crew, "_started", noted)
    return processes


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    lines, turtle = tmp_path / "data.nt", tmp_path / "data.ttl"
    lines.write_text(LINES)
    turtle.write_text(TURTLE)
    return [lines, turtle]


def ids(kb: KnowledgeBase) -> tuple[list[bytes], object]:
    return list(kb.dictionary), set(kb.explicit)


def loaded(files: list[Path], workers: int) -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.load(*files, workers=workers)
    return kb


def test_processes_of_their_own(started: list[object], files: list[Path]) -> None:
    alone = loaded(files, 1)
    assert not started
    together = loaded(files, 3)
    assert len(started) == 3
    assert ids(together) == ids(alone)
    assert together.namespaces == alone.namespaces


def test_an_error_has_its_place_and_leaves_nothing(started: list[object], tmp_path: Path) -> None:
    bad = tmp_path / "bad.nt"
    bad.write_text(LINES + "oh\n" + LINES)
    for workers in (1, 2):
        kb = KnowledgeBase()
        with pytest.raises(DataSyntaxError, match=r"bad\.nt, line 401: .*\n    oh"):
            kb.load(bad, workers=workers)
        assert len(kb) == 0
    report = KnowledgeBase().load(bad, strict=False, workers=2)
    assert (report.triples, report.skipped) == (800, 1)
    assert len(started) == 4


def test_a_killed_worker_is_one_error(
    started: list[subprocess.Popen[bytes]], files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, seen = crew.Worker.read, []

    def killed_soon(self: crew.Worker, *arguments: object, **options: object) -> object:
        seen.append(self)
        if len(seen) == 4:
            self.kill()
        return read(self, *arguments, **options)

    monkeypatch.setattr(crew.Worker, "read", killed_soon)
    kb = KnowledgeBase()
    with pytest.raises(WorkerError, match=r"data\.nt: a process .* signal 9; .*workers=1") as found:
        kb.load(*files, workers=2)
    assert found.value.status == -signal.SIGKILL
    assert len(kb) == 0 and not kb.namespaces
    assert all(process.poll() is not None for process in started)
    monkeypatch.undo()
    assert kb.load(*files).triples == 800


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT interrupts, also where the tests run in a shell's background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_no_process(
    started: list[subprocess.Popen[bytes]], files: list[Path]
) -> None:
    def check(statements: int = 0, size: int = 0) -> None:
        if started:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        read_together(files, Dictionary(), workers=2, check=check)
    assert len(started) == 2 and all(process.poll() is not None for process in started)
    assert not [each for each in threading.enumerate() if each.name.startswith("rdfinc-worker")]


def test_bounds_hold(started: list[subprocess.Popen[bytes]], files: list[Path]) -> None:
    cancel = threading.Event()
    cancel.set()
    for bounds in ({"timeout": 0}, {"cancel": cancel}):
        kb = KnowledgeBase()
        with pytest.raises(BudgetExceededError):
            kb.load(*files, workers=2, **bounds)
        assert len(kb) == 0
    with pytest.raises(BudgetExceededError):
        KnowledgeBase(max_facts=10).load(*files, workers=2)
    assert all(process.poll() is not None for process in started)


@pytest.mark.parametrize("executable", ["", "/no/such/python", "/bin/sh", "python"])
def test_without_processes_it_is_as_it_was(
    executable: str, started: list[object], files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = loaded(files, 1)
    if executable == "python":  # one that does not know this version
        Path(executable := str(files[0].with_name("python9"))).write_text("#!/bin/sh\nexit 1\n")
        Path(executable).chmod(0o700)
    monkeypatch.setattr(sys, "executable", executable)
    with pytest.warns(RdfincWarning, match="could not be started"):
        together = loaded(files, 2)
    assert ids(together) == ids(alone)


def test_what_is_at_hand_and_other_threads(started: list[object], files: list[Path]) -> None:
    found = []

    def load() -> None:
        kb = KnowledgeBase()
        kb.load(io.BytesIO(LINES.encode()), files[0].read_bytes(), format="nt", workers=2)
        found.append(kb)

    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
    assert len(started) == 2 and len(found[0].explicit) == 600


def test_small_files_need_no_process(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def start() -> None:
        raise AssertionError("for a file of some kilobytes")

    monkeypatch.setattr(crew, "_started", start)
    assert len(loaded(files, 64).explicit) == 800


def test_one_file_that_is_not_cut_needs_no_process(started: list[object], tmp_path: Path) -> None:
    paths = [tmp_path / "1.jsonld", tmp_path / "2.jsonld"]
    for path in paths:
        path.write_text(json.dumps([{"@id": "e:a", "e:p": 1}] * 50))
    assert KnowledgeBase().load(paths[0], workers=2).triples == 50
    assert not started
    assert KnowledgeBase().load(*paths, workers=2).triples == 100
    assert len(started) == 2


def test_a_script_without_a_guard(files: list[Path]) -> None:
    code = f"""
from msgspec.structs import force_setattr
from rdfinc import KnowledgeBase
from rdfinc.terms.term_thresholds import TERMS
for name, value in dict(bytes_a_worker=100, line_block_bytes=100, line_share_bytes=1000).items():
    force_setattr(TERMS, name, value)
print(KnowledgeBase().load({str(files[0])!r}, workers=2).triples)
"""
    run = subprocess.run(
        [sys.executable, "-"], input=code, capture_output=True, text=True, check=True
    )
    assert (run.stdout, run.stderr) == ("400\n", "")


def test_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "processors", lambda: 64)
    assert processors.worker_count(None) == 8
    assert processors.worker_count(30) == 30
    for wrong, error in ((0, ValueError), (-1, ValueError), (2.0, TypeError), (True, TypeError)):
        with pytest.raises(error, match="workers="):
            KnowledgeBase().load(b"", format="nt", workers=wrong)


def test_processors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= processors.processors() <= (os.cpu_count() or 1)
    first, second = tmp_path / "cpu,cpuacct" / "a" / "b", tmp_path / "a"
    for place in (first, second):
        place.mkdir(parents=True)
    (first / "cpu.cfs_quota_us").write_text("-1\n")
    (first / "cpu.cfs_period_us").write_text("100000\n")
    (first.parent / "cpu.cfs_quota_us").write_text("250000\n")
    (first.parent / "cpu.cfs_period_us").write_text("100000\n")
    (second / "cpu.max").write_text("150000 100000\n")
    (tmp_path / "cpu.max").write_text("max 100000\n")
    mine = tmp_path / "mine"
    monkeypatch.setattr(control_groups, "_ROOT", tmp_path)
    monkeypatch.setattr(control_groups, "_MINE", mine)

    def shares(line: str) -> list[int]:
        mine.write_text(f"{line}\n")
        return [s for group in control_groups.groups_of("cpu") for s in processors._shares(group)]

    assert shares("4:cpu,cpuacct:/a/b") == [3]
    assert shares("0::/a") == [2]
    assert shares("0::/elsewhere") == shares("7:memory:/a") == shares("9:name=systemd:/") == []
    mine.unlink()
    assert list(control_groups.groups_of("cpu")) == []
