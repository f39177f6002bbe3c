"""What a careless store loses, shows half-done, or takes for its own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, RULES, state
from rdflib import Graph, URIRef

import rdfinc
from rdfinc import CorruptedError, KnowledgeBase
from rdfinc.durable import destroy
from rdfinc.durable.opening import replay

A, B, C, P = (f"<{EX}{name}>" for name in ("a", "b", "c", "p0"))
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
DISJOINT = f"<{EX}C> <http://www.w3.org/2002/07/owl#disjointWith> <{EX}D> .".encode()


def crashed(kb: KnowledgeBase) -> None:
    """The end of a process that closes nothing."""
    kb._log.let_go()  # type: ignore[union-attr]


def again(place: Path, kb: KnowledgeBase) -> KnowledgeBase:
    """What is there after a crash, which is what there was."""
    expected = state(kb)
    crashed(kb)
    found = rdfinc.open(place)
    assert state(found) == expected
    found._check()
    return found


# -- what is acknowledged is kept


def test_prefixes_of_files_and_of_transactions_are_kept(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    with kb.transaction():
        kb.bind("zoo", EX)
    kb = again(tmp_path, kb)
    kb.load(f"@prefix ark: <{EX}> . ark:a ark:p ark:b .".encode(), format="turtle")
    kb = again(tmp_path, kb)
    kb.load(f"@prefix sea: <{EX}> . sea:a sea:p sea:b .".encode(), format="turtle")
    assert {"zoo", "ark", "sea"} <= {*again(tmp_path, kb).namespaces}


@pytest.mark.parametrize("name", ["_Growing.append", "_Growing.sync", "Directory.sync_names"])
def test_a_journal_that_was_begun_in_vain_is_none(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, copy = tmp_path / "kb", tmp_path / "copy"
    kb = rdfinc.open(place)
    kb.update(insert=[(A, P, B)])
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(f"rdfinc.durable.directory_files.{name}", _fails)
            with pytest.raises(OSError, match="full"):
                kb.checkpoint()
        kb.update(insert=[(B, P, C)])
        shutil.copytree(place, copy)
        assert state(rdfinc.open(copy, read_only=True)) == state(kb)
        shutil.rmtree(copy)
        with monkeypatch.context() as patch:
            patch.setattr("rdfinc.durable.durability.publish", _fails)
            with pytest.raises(OSError, match="full"):
                kb.checkpoint()
        kb.update(insert=[(C, P, A)])
        kb = again(place, kb)


def _fails(*_: Any) -> None:
    raise OSError(28, "the disk is full")


def test_other_options_hold_before_what_is_changed_under_them(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path, on_violation="raise") as kb:
        kb.load(DISJOINT, format="nt")
    kb = rdfinc.open(tmp_path, on_violation="keep")
    kb.update(insert=[(A, TYPE, f"<{EX}C>"), (A, TYPE, f"<{EX}D>")])
    assert again(tmp_path, kb).on_violation == "keep"


def test_an_option_that_was_given_once_is_as_stored(tmp_path: Path) -> None:
    for options in ({}, {"profile": "rdfs"}, {}):
        with rdfinc.open(tmp_path, **options) as kb:
            pass
    assert kb.profile == "rdfs"


def test_a_directory_is_found_again_from_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        kb = rdfinc.open("kb")
        kb.update(insert=[(f"<{EX}{name}>", P, B)])
        monkeypatch.chdir(tmp_path / "one")
        kb.close()
    for name in ("one", "two"):
        with rdfinc.open(tmp_path / name / "kb") as kb:
            assert (f"<{EX}{name}>", P, B) in kb


def test_notes_that_are_no_json_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    kb.why_not((A, P, B))
    with pytest.raises(TypeError):
        kb.note("position", object())
    kb.update(insert=[(A, P, B)])
    assert again(tmp_path, kb).notes == {}


def test_what_an_image_may_not_name_is_derived_again(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path) as kb:
        kb.update(insert=[(A, P, B)])
        expected = state(kb)
        kb.namespaces["zoo"] = URIRef(EX)  # a string of another class
    with rdfinc.open(tmp_path) as kb:
        assert kb.namespaces.pop("zoo") == EX
        assert state(kb) == expected


# -- what is half done is not shown


def test_no_checkpoint_is_made_in_a_transaction(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    with kb.transaction():
        kb.update(insert=[(A, P, B)])
        for use in (kb.checkpoint, kb.close, lambda: kb.backup(tmp_path / "backup")):
            with pytest.raises(ValueError, match="transaction is open"):
                use()
        kb.update(delete=[(A, P, B)])
    assert not len(again(tmp_path, kb).explicit)


def test_an_interrupt_at_any_call_leaves_a_step_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path, profile="none")
    before = state(kb)
    for name in ("begin", "step_start"):
        with monkeypatch.context() as patch:
            real = vars(type(kb._log))[name]
            call = real.fget if isinstance(real, property) else real

            def interrupted(self: Any, call: Any = call) -> None:
                call(self)
                raise KeyboardInterrupt

            hook = property(interrupted) if isinstance(real, property) else interrupted
            patch.setattr(type(kb._log), name, hook)
            with pytest.raises(KeyboardInterrupt), kb.transaction():
                kb.update(insert=[(A, P, B)])
        assert state(kb) == before
    kb.update(insert=[(A, P, C)])
    again(tmp_path, kb)


def test_a_transaction_that_cannot_be_recorded_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path, profile="none")
    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.durable.record.Record.to_bytes", _no_memory)
        with pytest.raises(MemoryError):
            kb.update(insert=[(A, P, B)])
    with pytest.raises(OSError, match="open it again"):
        len(kb)
    with rdfinc.open(tmp_path) as kb:
        assert not len(kb)
        kb.update(insert=[(A, P, B)])


def _no_memory(*_: Any) -> None:
    raise MemoryError


def test_terms_that_opening_computes_are_told_with_the_next_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replay makes one change of many: it may compute terms that no record has told of."""
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])
    crashed(kb)

    def replayed(kb: KnowledgeBase, records: Any) -> None:
        replay(kb, records)
        kb.dictionary.encode(b'"computed"')

    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.durable.opening.replay", replayed)
        kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, '"computed"')])
    again(tmp_path, kb)


# -- what is not ours stays


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    diary, store = tmp_path / "diary", tmp_path / "store"
    for place, names in (
        (diary, ["journal-2024"]),
        (store, ["CURRENT", "LOCK", "MANIFEST-000004"]),
    ):
        place.mkdir()
        for name in names:
            (place / name).write_text("mine")
        with pytest.raises(FileExistsError, match="other files"):
            rdfinc.open(place)
        destroy(place)
        assert {name: (place / name).read_text() for name in os.listdir(place)} == dict.fromkeys(
            names, "mine"
        )


def test_what_another_process_begins_meanwhile_is_no_file_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names_in = os.listdir

    def listed(place: Path) -> list[str]:
        names = names_in(place)
        if not names:
            listing.undo()
            rdfinc.open(tmp_path).close()
        return names

    with monkeypatch.context() as listing:
        listing.setattr(os, "listdir", listed)
        rdfinc.open(tmp_path).close()
        assert os.listdir is names_in


def test_a_segment_that_is_missing_is_damage(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path) as kb:
        kb.update(insert=[(A, P, B)])
    for file in tmp_path.glob("segment-*"):
        file.unlink()
    with pytest.raises(CorruptedError, match=r"segment-.* is missing"):
        rdfinc.open(tmp_path)


def test_rules_of_a_directory_do_not_move_to_another(tmp_path: Path) -> None:
    graph = Graph(store="rdfinc")
    graph.open(str(tmp_path / "one"), create=True)
    graph.store.kb.add_rules(RULES[0])
    graph.close()
    graph.open(str(tmp_path / "two"), create=True)
    assert not len(graph.store.kb.program)
    graph.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_does_not_wait_for_a_disk(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path, durability="interval")
    log: Any = kb._log
    log._sync._lock.acquire()  # as its thread does while it waits for the disk
    child = os.fork()
    if not child:
        os._exit(0)
    log._sync._lock.release()
    assert os.waitpid(child, 0)[1] == 0
    kb.update(insert=[(A, P, B)])
    again(tmp_path, kb)
