"""What `rdfinc watch` makes of files that change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rdfinc.cli.watched_files import FileChange, WatchedFiles, change_text
from rdfinc.knowledge_base import KnowledgeBase

CAT, DOG = ":tom rdf:type :Cat", ":tom rdf:type :Dog"
PREFIXES = "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"


class Files:
    """Two files that are watched, each with a later time at each writing."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.time = folder, 1_000_000
        self.complaints: list[str] = []

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text if name.endswith(".dlog") else PREFIXES + text)
        self.time += 1
        os.utime(path, (self.time, self.time))

    def look(self) -> FileChange | None:
        return self.watched.look(self.complaints.append)

    def watch(self) -> KnowledgeBase:
        patterns = [str(self.folder / "*.ttl"), str(self.folder / "*.dlog")]
        self.watched = WatchedFiles(patterns, "owl2rl", True)
        return self.watched.kb


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = Files(tmp_path)
    files.write("a.ttl", ":tom a :Cat .")
    files.write("b.ttl", ":tom a :Cat . [] :likes :tom .")
    files.write("r.dlog", "@prefix : <http://e/> . [?x, :purrs, ?x] :- :Cat[?x] .")
    return files


def test_what_another_file_states_too_stays(files: Files) -> None:
    kb = files.watch()
    assert files.look() is None
    files.write("a.ttl", ":tom a :Dog .")
    change = files.look()
    assert (change.added, change.removed) == ([DOG], [])
    files.write("b.ttl", "[] :likes :tom .")
    change = files.look()
    assert (change.added, change.removed) == ([], [":tom :purrs :tom", CAT])
    assert len(kb) == 2


def test_a_file_that_goes_and_one_that_comes(files: Files) -> None:
    files.watch()
    files.write("c.ttl", ":ann a :Cat .")
    assert files.look().added == [":ann :purrs :ann", ":ann rdf:type :Cat"]
    (files.folder / "c.ttl").unlink()
    assert files.look().removed == [":ann :purrs :ann", ":ann rdf:type :Cat"]


def test_rules_change_as_facts_do(files: Files) -> None:
    kb = files.watch()
    files.write("r.dlog", "@prefix : <http://e/> . [?x, :meows, ?x] :- :Cat[?x] .")
    change = files.look()
    assert (change.added, change.removed) == ([":tom :meows :tom"], [":tom :purrs :tom"])
    assert len(kb.program) == 1


def test_a_file_that_cannot_be_read_stays_as_it_was_and_is_told_once(files: Files) -> None:
    kb = files.watch()
    before = set(kb)
    files.write("a.ttl", ":tom a")
    assert files.look() is None and files.look() is None
    assert len(files.complaints) == 1 and "a.ttl, line" in files.complaints[0]
    files.write(
        "s.dlog", "@prefix : <http://e/> . :Cat[?x] :- [?x, :p, ?y], NOT [?x, :purrs, ?x] ."
    )
    assert files.look() is None and files.look() is None
    assert len(files.complaints) == 2 and files.complaints[1].endswith("all stays as it was")
    assert set(kb) == before
    files.write("a.ttl", ":tom a :Cat, :Dog .")
    assert files.look().added == [DOG]


def test_contradictions_are_counted(files: Files) -> None:
    files.watch()
    files.write("a.ttl", ":tom a :Cat, :Dog . :Cat owl:disjointWith :Dog .")
    text = change_text(files.look())
    assert text.startswith(f"{files.folder / 'a.ttl'}:\n+ ")
    assert text.endswith("contradictions: 1 (0 before)")


def test_rules_know_the_prefixes_of_the_files_beside_them(files: Files) -> None:
    files.write("r.dlog", "[?x, :purrs, ?x] :- :Cat[?x] .")
    files.watch()
    files.write("r.dlog", "[?x, :meows, ?x] :- :Cat[?x] .")
    assert files.look().added == [":tom :meows :tom"]
    (files.folder / "b.ttl").write_text("@prefix : <http://other/> . :a a :B .")
    files.look()
    files.write("r.dlog", "[?x, :sleeps, ?x] :- :Cat[?x] .")
    assert files.look() is None
    assert "the prefix `:` is not known" in files.complaints[-1]


def test_a_file_that_is_gone_is_told_and_hides_no_new_one(files: Files) -> None:
    files.watch()
    (files.folder / "r.dlog").unlink()
    assert change_text(files.look()).startswith(f"{files.folder / 'r.dlog'} (gone):\n- ")
    files.write("c.ttl", ":ann a :Cat .")
    assert files.look().added == [":ann rdf:type :Cat"]
