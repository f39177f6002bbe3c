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


def test_a_whole_directory_is_backed_up_and_restored(run, place: Path) -> None:
    done = run("verify", place, "--deep")
    assert (done.status, done.out) == (0, "all is well\n")
    assert run("backup", place, place / ".." / "copy").out.startswith("1 facts")
    assert run("restore", place.parent / "copy", place.parent / "again").status == 0
    with rdfinc.open(place.parent / "again", create=False) as kb:
        assert FACT in kb


def test_damage_is_status_1(run, place: Path) -> None:
    file = max(place.glob("segment-*"), key=lambda path: path.stat().st_size)
    content = bytearray(file.read_bytes())
    content[5] ^= 1
    file.write_bytes(content)
    done = run("verify", place, "--json")
    assert done.status == 1
    assert json.loads(done.out)["problems"]
    restored = run("restore", place, place.parent / "again")
    assert restored.status == 2
    assert "not whole" in restored.err
    assert not (place.parent / "again").exists()


@pytest.mark.parametrize("command", ["verify", "backup", "restore"])
def test_what_is_no_directory_is_one_line(run, tmp_path: Path, command: str) -> None:
    more = [] if command == "verify" else [tmp_path / "to"]
    done = run(command, tmp_path / "nothing", *more)
    assert done.status == 2
    assert len(done.err.strip().split("\n")) == 1
    assert done.err.rstrip().endswith(f"{tmp_path / 'nothing'}: no knowledge base is there")
    assert not (tmp_path / "nothing").exists()


def test_a_directory_is_asked_as_files_are(run, place: Path) -> None:
    found = run("query", "ASK { ?s <http://e.org/p> ?o }", place)
    assert (found.status, found.out) == (0, "true\n")
    assert run("explain", *FACT, place).status == 0
    assert '"explicit": 1' in run("stats", place, "--json").out
    assert run("check", place).status == 0


def test_a_directory_is_asked_while_someone_writes_to_it(place: Path) -> None:
    with rdfinc.open(place) as kb:
        kb.update(insert=[("<http://e.org/a>", "<http://e.org/p>", "<http://e.org/c>")])
        command = [sys.executable, "-m", "rdfinc", "stats", place, "--json"]
        assert '"explicit": 2' in subprocess.check_output(command, text=True)


@pytest.mark.parametrize("command", ["query ASK{}", "materialise", "stats"])
def test_a_directory_is_no_file_beside_others(run, place: Path, command: str) -> None:
    place.with_name("more.nt").write_text("<a:a> <a:b> <a:c> .\n")
    failed = run(*command.split(), place, place.with_name("more.nt"))
    assert failed.status == 2
    assert f"{place}: a knowledge base is kept there" in failed.err


@pytest.mark.parametrize("command", ["backup", "restore"])
@pytest.mark.parametrize("inside", ["kb/in", "kb/in/it", "link/in", "link/../kb/in"])
def test_no_copy_is_put_into_what_it_is_of(run, place: Path, command: str, inside: str) -> None:
    (place.parent / "link").symlink_to("kb")
    before = sorted(file.name for file in place.iterdir())
    refused = run(command, place, place.parent / inside)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == (
        f"rdfinc: {place.parent / inside} is inside of {place};"
        " name a directory elsewhere for the copy\n"
    )
    assert sorted(file.name for file in place.iterdir()) == before
