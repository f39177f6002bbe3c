"""`rdfinc.open`: what comes back, what an option does, and what is refused with which advice."""

from __future__ import annotations

import os
import random
import re
import shutil
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, RULES, state
from durable.test_frozen_dictionary import put_dictionary_in_format_2
from rdflib import Dataset, Graph, Literal, URIRef
from rdflib.store import CORRUPTED_STORE

import rdfinc
from rdfinc import CorruptedError, KnowledgeBase, LockedError, VersionError, ViolationError
from rdfinc.durable import checkpoint, destroy, directory_files, manifest, verify
from rdfinc.durable.directory_files import Directory
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.image import fingerprint
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.streams.input_facts import new_statements
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

A, B, C, P = (URIRef(EX + name) for name in ("a", "b", "c", "p0"))
TURTLE = f"""
@prefix : <{EX}> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:p0 a owl:TransitiveProperty . :a :p0 :b . :b :p0 [ :p0 :c ] . :a owl:sameAs :d . :a :n 1, "01" .
""".encode()


def filled(place: Path, **options: Any) -> KnowledgeBase:
    kb = rdfinc.open(place, **options)
    kb.load(TURTLE, format="turtle")
    kb.add_rules(RULES[3])
    kb.update(insert=[(A, P, Literal("é")), (A, P, B, URIRef(EX + "g"))])
    kb.bind("ex", EX)
    return kb


@pytest.mark.parametrize("close", [True, False])
@pytest.mark.parametrize("durability", ["commit", "interval"])
def test_everything_comes_back_with_the_same_ids(
    tmp_path: Path, close: bool, durability: str
) -> None:
    kb = filled(tmp_path / "kb", durability=durability)
    expected, terms = state(kb), list(kb.dictionary)
    if close:
        kb.close()
    shutil.copytree(tmp_path / "kb", tmp_path / "copy")
    with rdfinc.open(tmp_path / "copy") as again:
        assert state(again) == expected
        assert list(again.dictionary)[: len(terms)] == terms
        again._check()
        fresh = again.load(b"<x:a> <x:b> [] .", format="turtle")
        assert fresh.delta.added
        assert not set(again.dictionary).issubset(terms)


def test_a_write_that_the_system_makes_in_parts_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: write(handle, content[:100]))
    monkeypatch.setattr(
        directory_files,
        "write_locked",
        lambda handle, content, size: write(handle, content[:50]) if size % 2 else -1,
    )
    kb = filled(tmp_path / "kb")
    expected = state(kb)
    shutil.copytree(tmp_path / "kb", tmp_path / "copy")
    kb.close()
    for place in ("kb", "copy"):
        with rdfinc.open(tmp_path / place, read_only=True) as again:
            assert state(again) == expected


def test_options_left_out_are_as_stored_and_others_are_taken(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path, profile="rdfs", storage="compact", on_violation="raise") as kb:
        kb.update(insert=[(A, P, B)])
        settings = kb.settings
    with rdfinc.open(tmp_path) as again:
        assert again.settings == settings
    with rdfinc.open(tmp_path, profile="owl2rl") as other:
        assert other.settings == {**settings, "profile": "owl2rl"}
        other.load(TURTLE, format="turtle")
        expected = state(other)
    with rdfinc.open(tmp_path) as again:
        assert again.profile == "owl2rl"
        assert state(again) == expected


def test_another_program_derives_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kb = filled(tmp_path)
    expected = state(kb)
    kb.close()
    monkeypatch.setattr("rdfinc.durable.checkpoint.fingerprint", lambda: "another")
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected
        again._check()
        again.update(insert=[(C, P, A)])
        expected = state(again)
    monkeypatch.undo()
    assert fingerprint() != "another"
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


OF_TERMS = """@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:number a owl:InverseFunctionalProperty . :k :number 7 . :l :number 007 .
:x :size "300"^^xsd:byte . :bag rdf:_1 :x .
"""


@pytest.mark.parametrize("profile", ["owl2rl", "rdfs"])
def test_what_terms_are_is_known_when_all_is_derived_again(tmp_path: Path, profile: Any) -> None:
    """Values, literals of no datatype, members of containers: read off terms of a checkpoint."""
    with rdfinc.open(tmp_path, profile=profile) as kb:
        kb.load(OF_TERMS.encode(), format="turtle")
        expected, violations = state(kb), kb.violations()
    assert violations
    with rdfinc.open(tmp_path, storage="plain") as again:
        assert state(again) == expected
        assert [*map(str, again.violations())] == [*map(str, violations)]


def mapped(place: Path, monkeypatch: pytest.MonkeyPatch) -> KnowledgeBase:
    """The knowledge base of a directory, which is opened without deriving anything."""

    def derive(*_: Any, **__: Any) -> None:
        raise AssertionError("derived")

    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.knowledge_base.updates.engine.Engine.apply", derive)
        return rdfinc.open(place)


QUESTIONS = {
    "query": lambda kb: list(kb.query("SELECT * { ?s ?p ?o }")),
    "prepared": lambda kb: list(kb.prepare("SELECT * { ?s ?p ?o }")()),
    "update by SPARQL": lambda kb: kb.dataset().update("INSERT DATA { <x:a> <x:b> <x:c> }"),
    "graph": lambda kb: len(kb.graph()),
    "dataset": lambda kb: len(kb.dataset()),
    "why": lambda kb: str(kb.explain((A, P, C))),
    "why not": lambda kb: str(kb.why_not((C, P, A))),
    "report": lambda kb: str(kb.report()),
    "contradictions": lambda kb: list(kb.violations()),
    "notebook": lambda kb: kb._repr_html_(),
    "reader": lambda kb: list(kb.reader().closure.match()),
    "classes": lambda kb: str(kb.class_tree()),
    "changes": lambda kb: kb.changes(since=0, derived=True),
    "watch": lambda kb: kb.watch("SELECT * { ?s ?p ?o }", print),
    "copy": lambda kb: kb.copy(),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_opening_derives_nothing_whatever_was_asked(
    question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = filled(tmp_path)
    kept = QUESTIONS[question](kb)
    expected = state(kb)
    kb.close()
    assert state(mapped(tmp_path, monkeypatch)) == expected, kept


@pytest.mark.parametrize("profile", ["none", "rdfs", "owl2rl"])
@pytest.mark.parametrize("storage", ["auto", "plain", "compact"])
def test_opening_derives_nothing(
    tmp_path: Path, profile: str, storage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = filled(tmp_path, profile=profile, storage=storage)
    for rule in RULES:
        if profile == "none" or "NOT" not in rule:
            kb.add_rules(rule)
    expected = state(kb)
    kb.close()
    again = mapped(tmp_path, monkeypatch)
    assert state(again) == expected
    again.update(delete=[(A, P, B)])
    again._check()


def test_a_graph_and_a_knowledge_base_share_a_directory(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path, profile="none") as kb:
        kb.update(insert=[(A, P, B, C)])
    dataset = Dataset(store="rdfinc")
    dataset.open(str(tmp_path))
    assert dataset.store.kb.profile == "none"
    assert len(dataset.graph(C)) == 1
    dataset.update(f"INSERT DATA {{ <{B}> <{P}> <{C}> }}")
    dataset.close()
    graph = Graph(store="rdfinc")
    graph.open(str(tmp_path))
    assert (B, P, C) in graph
    graph.close()


# -- what is refused


def test_a_second_writer_is_told_who_has_it(tmp_path: Path) -> None:
    with (
        rdfinc.open(tmp_path),
        pytest.raises(LockedError, match=rf"process {os.getpid()}.*read_only=True"),
    ):
        rdfinc.open(tmp_path)
    rdfinc.open(tmp_path).close()


def test_a_knowledge_base_that_is_dropped_lets_go(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])
    del kb
    import gc

    gc.collect()
    with rdfinc.open(tmp_path) as again:
        assert (A, P, B) in again


REFUSED = {
    "a file": (lambda p: p.write_text("mine"), NotADirectoryError, "is a file"),
    "not there": (lambda p: None, FileNotFoundError, "create=True"),
    "empty": (lambda p: p.mkdir(), FileNotFoundError, "create=True"),
    "foreign": (lambda p: (p.mkdir(), (p / "x.txt").touch()), FileExistsError, r"x\.txt.*empty"),
}


def test_a_place_in_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(NotADirectoryError, match=f"{tmp_path}/mine is a file.*name another"):
        rdfinc.open(tmp_path / "mine" / "kb")


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_knowledge_base_is_refused(tmp_path: Path, what: str) -> None:
    make, error, message = REFUSED[what]
    place = tmp_path / "kb"
    make(place)
    with pytest.raises(error, match=message) as told:
        rdfinc.open(place, create=what == "foreign")
    assert str(place) in str(told.value)
    with pytest.raises(OSError, match=r"kb"):
        rdfinc.open(place, read_only=True)


@pytest.mark.parametrize(
    ("number", "age"), [(manifest.FORMAT + 1, "newer"), (manifest.OLDEST - 1, "older")]
)
def test_another_format_is_refused(
    tmp_path: Path, number: int, age: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        for name in ("FORMAT", "OLDEST"):
            patch.setattr(manifest, name, number)
        with rdfinc.open(tmp_path) as kb:
            kb.update(insert=[(A, P, B)])
    with pytest.raises(VersionError, match=f"{tmp_path}.*{age} rdfinc"):
        rdfinc.open(tmp_path)


@pytest.mark.parametrize("read_whole", [0, DURABLE.terms_read_whole])
def test_a_directory_of_format_2_is_read_and_goes_on_in_the_present_one(
    tmp_path: Path, read_whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, DURABLE, terms_read_whole=read_whole)
    put(monkeypatch, TERMS, terms_in_block=4)
    with monkeypatch.context() as patch:
        patch.setattr(manifest, "FORMAT", 2)
        patch.setattr(checkpoint, "put_dictionary", put_dictionary_in_format_2)
        with filled(tmp_path) as kb:
            expected, terms = state(kb), list(kb.dictionary)
    for read_only in (True, False):
        with rdfinc.open(tmp_path, read_only=read_only) as kb:
            assert state(kb) == expected
            assert list(kb.dictionary) == terms
            kb._check()
    with rdfinc.open(tmp_path) as kb:
        kb.update(insert=[(C, P, Literal("new"))], delete=[(A, P, Literal("é"))])
        expected, terms = state(kb), list(kb.dictionary)
    generation = manifest.current_generation(Directory(tmp_path))
    told = (tmp_path / manifest.manifest_name(generation)).read_bytes()
    assert b'"format":%d' % manifest.FORMAT in told
    assert not verify(tmp_path, deep=True)
    with rdfinc.open(tmp_path) as kb:
        assert state(kb) == expected
        assert list(kb.dictionary) == terms


FORBIDDEN: dict[str, tuple[Callable[[Path], Any], str]] = {
    "write": (rdfinc.open, "read_only=True"),
    "read": (partial(rdfinc.open, read_only=True), "may read it"),
    "verify": (verify, "may read it"),
    "destroy": (destroy, "its owner"),
}


@pytest.mark.skipif(not hasattr(os, "fork") or os.geteuid(), reason="becomes another user")
@pytest.mark.parametrize("what", FORBIDDEN)
def test_what_is_not_permitted_is_told_with_what_to_do(tmp_path: Path, what: str) -> None:
    rdfinc.open(tmp_path / "kb").close()
    use, advice = FORBIDDEN[what]
    read, write = os.pipe()
    if not os.fork():
        os.setuid(65534)
        try:
            use(tmp_path / "kb")
        except PermissionError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.wait()
    os.close(write)
    with open(read, encoding="utf-8") as pipe:
        told = pipe.read()
    assert re.search(f"{tmp_path}.*cannot be used.*denied.*nothing was changed.*{advice}", told)


@pytest.mark.parametrize(("number", "advice"), [(28, "make room.*try again"), (30, "read_only")])
def test_a_disk_that_takes_no_lock_is_told_with_what_to_do(
    tmp_path: Path, number: int, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: Any) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr("rdfinc.durable.locks.os.open", refuse)
    with pytest.raises(OSError, match=f"{tmp_path}/LOCK cannot be used.*{advice}") as told:
        rdfinc.open(tmp_path)
    assert told.value.errno == number


def test_unknown_options_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    for options in ({"durability": "never"}, {"profile": "owl3"}):
        with pytest.raises(ValueError, match="there are"):
            rdfinc.open(tmp_path / "kb", **options)
    with pytest.raises(TypeError):
        rdfinc.open(tmp_path / "kb", colour="red")
    assert rdfinc.open(tmp_path / "kb").close() is None


def test_a_refused_update_leaves_nothing_in_the_journal(tmp_path: Path) -> None:
    disjoint = f"<{EX}C> <http://www.w3.org/2002/07/owl#disjointWith> <{EX}D> ."
    with rdfinc.open(tmp_path, on_violation="raise") as kb:
        kb.load(disjoint.encode(), format="nt")
        kb.update(insert=[(A, "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", f"<{EX}C>")])
        size = sum(file.stat().st_size for file in tmp_path.glob("journal-*"))
        with pytest.raises(ViolationError):
            kb.update(insert=[(A, "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", f"<{EX}D>")])
        assert sum(file.stat().st_size for file in tmp_path.glob("journal-*")) == size
        expected = state(kb)
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


def test_a_change_that_waited_for_the_end_is_refused(tmp_path: Path) -> None:
    """It has begun before, and what was acknowledged is on disk."""
    kb = rdfinc.open(tmp_path / "kb")
    waits = threading.Event()
    errors: list[str] = []

    def change() -> None:
        try:
            with kb._turns:
                waits.set()
                with kb._lock:
                    kb._apply(Change(insert=new_statements([(A, P, B)], kb.dictionary, {})))
        except ValueError as error:
            errors.append(str(error))

    late = threading.Thread(target=change)
    with kb._lock:
        late.start()
        assert waits.wait(10)
        kb.close()
    late.join()
    assert errors == ["this knowledge base is closed; open it again"]
    with rdfinc.open(tmp_path / "kb") as kb:
        assert not len(kb)


def test_after_closing_everything_is_refused(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    copy = kb.copy()
    kb.close()
    kb.close()
    for use in (len, lambda kb: kb.update(insert=[(A, P, B)]), lambda kb: kb.query("ASK {}")):
        with pytest.raises(ValueError, match="closed; open it again"):
            use(kb)
    assert "closed" in repr(kb)
    copy.update(insert=[(A, P, B)])  # it is in memory
    with rdfinc.open(tmp_path) as again:
        assert not len(again.explicit)


def test_what_is_in_memory_has_no_checkpoint() -> None:
    with KnowledgeBase() as kb:
        for method in (kb.checkpoint, kb.refresh):
            with pytest.raises(ValueError, match=r"rdfinc\.open"):
                method()
    assert len(kb) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_does_not_write(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])
    child = os.fork()
    if not child:
        try:
            kb.update(insert=[(B, P, C)])
        except ValueError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    kb.update(insert=[(C, P, A)])
    kb.close()
    with rdfinc.open(tmp_path) as again:
        assert len(again.explicit) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_lock_is_the_parents_as_long_as_that_has_it_open(tmp_path: Path) -> None:
    kb: Any = rdfinc.open(tmp_path)
    held = os.dup(kb._log._lock._handle)  # as by a child that has not come to let go of it
    child = os.fork()
    if not child:
        kb.close()
        os._exit(0)
    os.waitpid(child, 0)
    with pytest.raises(LockedError):
        rdfinc.open(tmp_path)
    kb.close()
    rdfinc.open(tmp_path).close()
    os.close(held)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_closes_no_file_of_others(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    kb._log.let_go()  # type: ignore[union-attr]  # as an opening that fails at its end
    pipes = [os.pipe() for _ in range(3)]  # the numbers of its files are theirs now
    child = os.fork()
    if not child:
        os._exit(sum(os.write(write, b"x") != 1 for _, write in pipes))
    assert os.waitpid(child, 0)[1] == 0
    for handle in [handle for both in pipes for handle in both]:
        os.close(handle)


# -- disks that fail


def test_a_journal_that_cannot_be_written_ends_the_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.durable.directory_files._sync", full)
        with pytest.raises(OSError, match="No space"):
            kb.update(insert=[(B, P, C)])
    for use in (len, lambda kb: kb.update(insert=[(C, P, A)])):
        with pytest.raises(
            OSError, match=f"{tmp_path}.*No space.*unknown; make room.*open it again"
        ):
            use(kb)
    with rdfinc.open(tmp_path) as again:
        assert {(A, P, B)} <= set(again) <= {(A, P, B), (B, P, C)}


def test_a_checkpoint_that_cannot_be_written_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = filled(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.durable.durability.publish", _fails)
        with pytest.raises(OSError, match="full"):
            kb.checkpoint()
        kb.update(insert=[(C, P, A), (A, P, URIRef(EX + "later"))])
    expected = state(kb)
    shutil.copytree(tmp_path, tmp_path.with_name("copy"))
    with rdfinc.open(tmp_path.with_name("copy")) as again:
        assert state(again) == expected
    kb.checkpoint()
    kb.close()
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


def _fails(*_: Any) -> None:
    raise OSError("the disk is full")


# -- damage


def test_where_current_is_missing_nothing_is_begun_anew(tmp_path: Path) -> None:
    """Neither over what was closed, nor over what died before its first checkpoint, nor over a
    backup, nor over half of one."""
    for name in ("closed", "died"):
        kb = filled(tmp_path / name)
        kb.backup(tmp_path / f"backup of {name}")
        kb._log.let_go() if name == "died" else kb.close()  # type: ignore[union-attr]
    half = tmp_path / "half"
    shutil.copytree(tmp_path / "backup of died", half)
    next(half.glob("manifest-*")).unlink()
    for place in tmp_path.iterdir():
        (place / "LOCK").touch()  # it was tried to be opened before
        (place / "CURRENT").unlink()
        before = {file.name: file.read_bytes() for file in place.iterdir() if file.name != "LOCK"}
        with pytest.raises(CorruptedError, match=f"{place}: CURRENT is missing.*Restore a backup"):
            rdfinc.open(place)
        after = {file.name: file.read_bytes() for file in place.iterdir() if file.name != "LOCK"}
        assert after == before
        assert Graph(store="rdfinc").open(str(place), create=True) == CORRUPTED_STORE
        destroy(place)
        rdfinc.open(place).close()


@pytest.mark.parametrize("text", ["[1]", "{}", '{"format": "x"}', '{"format": 2}', "{"])
def test_a_manifest_that_is_none_is_damage(tmp_path: Path, text: str) -> None:
    rdfinc.open(tmp_path).close()
    (place,) = tmp_path.glob("manifest-*")
    place.write_bytes(manifest._signed(text.encode()))
    with pytest.raises(CorruptedError, match=f"{place.name} is not made as manifests are"):
        rdfinc.open(tmp_path)
    (tmp_path / "CURRENT").write_bytes(manifest._signed(b"last"))
    with pytest.raises(CorruptedError, match="CURRENT names no manifest"):
        rdfinc.open(tmp_path)


def test_flipped_bytes_are_found(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Each file, a bit in every 64 bytes (of long ones a sample): told as damage, or what was
    there. The end of the journal of a process that died is what may be gone."""
    kb = filled(tmp_path / "kb")
    kb.checkpoint()
    before = state(kb)
    for number in range(4):
        kb.update(insert=[(A, P, URIRef(f"{EX}{number}"))])
    after = state(kb)
    kb._log.let_go()  # as if it had died
    told = whole = 0
    most = 60 if request.config.getoption("--long") else 20
    for file in sorted((tmp_path / "kb").iterdir()):
        content = file.read_bytes()
        step = max(64, len(content) // most)
        for place in range(0, len(content) if file.name != "LOCK" else 0, step):
            flipped = bytearray(content)
            flipped[place] ^= 1 << place % 8
            file.write_bytes(flipped)
            try:
                found = state(rdfinc.open(tmp_path / "kb", read_only=True))
            except CorruptedError as error:
                assert str(tmp_path) in str(error)
                told += 1
            else:
                assert found == after or (
                    file.name.startswith("journal") and place > len(content) // 2
                ), (file.name, place)
                whole += 1
        file.write_bytes(content)
    assert told > 20 * (1 + whole // 20)
    assert state(rdfinc.open(tmp_path / "kb")) == after != before


def test_flipped_bytes_of_long_files_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Two segments of many blocks, two journals, and a manifest; some places of each file, and
    with --long one in every 64 bytes."""
    put(monkeypatch, DURABLE, least_array_bytes=256, few_statements=64)
    put(monkeypatch, TERMS, terms_in_block=256)
    put(monkeypatch, DURABLE, terms_read_whole=0)
    kb = filled(tmp_path)
    kb.update(insert=[(URIRef(f"{EX}{n}"), P, Literal(f"{n}" * 3)) for n in range(1200)])
    kb.checkpoint()
    kb.update(insert=[(URIRef(f"{EX}{n}"), C, Literal(f"{n}")) for n in range(300)])
    kb.checkpoint()
    for number in range(3):
        kb.update(insert=[(A, C, URIRef(f"{EX}new{number}{n}")) for n in range(100)])
    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.durable.durability.publish", _fails)
        with pytest.raises(OSError, match="full"):
            kb.checkpoint()
    kb.update(insert=[(B, C, A)])
    expected, chance = state(kb), random.Random(1)
    kb._log.let_go()  # as if it had died
    kinds = {file.name.partition("-")[0] for file in tmp_path.iterdir()}
    assert kinds == {"CURRENT", "LOCK", "manifest", "segment", "journal"}
    assert len(list(tmp_path.glob("segment-*"))) > 1 < len(list(tmp_path.glob("journal-*")))
    told = 0
    for file in sorted(tmp_path.iterdir()):
        content = file.read_bytes()
        cells = range(0, len(content) if file.name != "LOCK" else 0, 64)
        if not request.config.getoption("--long"):
            cells = sorted(chance.sample(cells, min(len(cells), 6)))  # type: ignore[assignment]
        is_last = file == max(tmp_path.glob("journal-*"), key=lambda one: int(one.name[8:]))
        for start in cells:
            place = min(start + chance.randrange(64), len(content) - 1)
            flipped = bytearray(content)
            flipped[place] ^= 1 << chance.randrange(8)
            file.write_bytes(flipped)
            try:
                found = state(rdfinc.open(tmp_path, read_only=True))
            except CorruptedError as error:
                assert str(tmp_path) in str(error)
                told += 1
            else:
                assert found == expected or is_last, (file.name, place)
        file.write_bytes(content)
    assert told > 15
    assert state(rdfinc.open(tmp_path, read_only=True)) == expected


def test_what_was_known_of_a_forgotten_term_is_not_taken_for_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checkpoint knows datatypes of texts that nothing mentions; afterwards numbers get their
    ids, and the process dies."""
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=2)
    xsd, same = "http://www.w3.org/2001/XMLSchema#", "<http://www.w3.org/2002/07/owl#sameAs>"
    sub = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    kb = rdfinc.open(tmp_path / "kb")
    kb.update(insert=[(f"<{xsd}{kind}>", sub, f"<{EX}{kind}>") for kind in ("string", "integer")])
    texts = [(f"<{EX}w{i}>", same, f'"x{i}"') for i in range(6)]
    passing = [[(f"<{EX}j{n}{i}>", f"<{EX}p>", f"<{EX}k{n}{i}>") for i in range(400)] for n in "ab"]
    for facts in (texts, *passing):
        kb.update(insert=facts)
        kb.update(delete=facts)
        kb.checkpoint()
    assert kb.dictionary.free
    kb.update(insert=[(f"<{EX}v{i}>", same, f'"{i}"^^<{xsd}integer>') for i in range(6)])
    expected = state(kb)
    kb._log.let_go()  # as if it had died
    with rdfinc.open(tmp_path / "kb") as again:
        assert state(again) == expected
        again._check()
