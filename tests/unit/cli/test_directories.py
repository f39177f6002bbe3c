"""The commands about directories: what they print, and their statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rdfinc

FACT = "<http://e.org/a>", "<http://e.org/p>", "<http://e.org/b>"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with rdfinc.open(tmp_path / "kb") as kb:
        kb.update(insert=[FACT])
    return tmp_path / "kb"


def rdfinc_(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rdfinc", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_whole_directory_is_backed_up_and_restored(place: Path) -> None:
    done = rdfinc_("verify", place, "--deep")
    assert (done.returncode, done.stdout) == (0, "all is well\n")
    assert rdfinc_("backup", place, place / ".." / "copy").stdout.startswith("1 facts")
    assert rdfinc_("restore", place.parent / "copy", place.parent / "again").returncode == 0
    with rdfinc.open(place.parent / "again", create=False) as kb:
        assert FACT in kb


def test_damage_is_status_1(place: Path) -> None:
    file = max(place.glob("segment-*"), key=lambda path: path.stat().st_size)
    content = bytearray(file.read_bytes())
    content[5] ^= 1
    file.write_bytes(content)
    done = rdfinc_("verify", place, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["problems"]
    restored = rdfinc_("restore", place, place.parent / "again")
    assert restored.returncode == 2
    assert "not whole" in restored.stderr
    assert not (place.parent / "again").exists()


@pytest.mark.parametrize("command", ["verify", "backup", "restore"])
def test_what_is_no_directory_is_one_line(tmp_path: Path, command: str) -> None:
    more = [] if command == "verify" else [tmp_path / "to"]
    done = rdfinc_(command, tmp_path / "nothing", *more)
    assert done.returncode == 2
    assert len(done.stderr.strip().split("\n")) == 1
    assert done.stderr.rstrip().endswith(f"{tmp_path / 'nothing'}: no knowledge base is there")
    assert not (tmp_path / "nothing").exists()


def test_a_directory_is_asked_as_files_are(place: Path) -> None:
    found = rdfinc_("query", "ASK { ?s <http://e.org/p> ?o }", place)
    assert (found.returncode, found.stdout) == (0, "true\n")
    assert rdfinc_("explain", *FACT, place).returncode == 0
    assert '"explicit": 1' in rdfinc_("stats", place, "--json").stdout
    assert rdfinc_("check", place).returncode == 0


def test_a_directory_is_asked_while_someone_writes_to_it(place: Path) -> None:
    with rdfinc.open(place) as kb:
        kb.update(insert=[("<http://e.org/a>", "<http://e.org/p>", "<http://e.org/c>")])
        assert '"explicit": 2' in rdfinc_("stats", place, "--json").stdout


@pytest.mark.parametrize("command", ["query ASK{}", "materialise", "stats"])
def test_a_directory_is_no_file_beside_others(place: Path, command: str) -> None:
    place.with_name("more.nt").write_text("<a:a> <a:b> <a:c> .\n")
    failed = rdfinc_(*command.split(), place, place.with_name("more.nt"))
    assert failed.returncode == 2
    assert f"{place}: a knowledge base is kept there" in failed.stderr
