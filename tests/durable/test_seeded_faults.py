"""Faults put in by hand: the test of losses of power finds each of them.

A checksum that is not looked at is found by `test_flipped_bytes_are_found`. Others are found
by named tests: histories are short, and seldom give ids again.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from durable import test_frozen_dictionary, test_opening, test_processes, test_record
from durable.test_power_loss import STEPS, History, _small
from durable.unsure_disk import Growing, UnsureDisk
from msgspec.structs import replace

from rdfinc.durable import durability, manifest, opening, read_only, record, segments
from rdfinc.durable.frames import read_frames
from rdfinc.durable.record import Record
from rdfinc.terms import freezing
from rdfinc.terms.dictionary import Dictionary

SEEDS, CRASHES, OPERATIONS = 30, 12, 160
"""Histories, crashes of each, and the operations of the disk at one of which it crashes."""
small = _small

Fault = Callable[[pytest.MonkeyPatch], None]


def unsynced_files(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Growing, "sync", lambda self: self._disk.nothing())


def unsynced_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(UnsureDisk, "sync_names", UnsureDisk.nothing)


def current_before_its_manifest(patch: pytest.MonkeyPatch) -> None:
    def publish(files: Any, made: Any) -> None:
        generation = manifest._signed(str(made.generation).encode())
        manifest._write(files, manifest.ASIDE, generation)
        files.replace(manifest.ASIDE, manifest.CURRENT)
        files.sync_names()
        real(files, made)

    real = manifest.publish
    patch.setattr("rdfinc.durable.durability.publish", publish)


def current_before_its_segments(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(segments.SegmentWriter, "close", lambda self: self._file.close())


def what_came_meanwhile_is_cut(patch: pytest.MonkeyPatch) -> None:
    """The journal goes with the checkpoint, and so do records that it does not hold."""

    def remove(files: Any, made: Any) -> None:
        real(files, made)
        file = files.files[f"journal-{made.generation}"]
        first = next(read_frames(memoryview(bytes(file.content)), made.through))
        del file.content[first.end :]
        file.synced = bytes(file.content)

    real = durability.remove_old
    patch.setattr(durability, "remove_old", remove)


def journal_removed_before_current(patch: pytest.MonkeyPatch) -> None:
    def write(files: Any, generation: int, *rest: Any) -> Any:
        for name in files.names():
            if name.startswith("journal-") and name != f"journal-{generation}":
                files.remove(name)
        return real(files, generation, *rest)

    real = durability.write_checkpoint
    patch.setattr(durability, "write_checkpoint", write)


def told_before_it_is_kept(patch: pytest.MonkeyPatch) -> None:
    def write(self: Any) -> None:
        self.is_late = not getattr(self, "is_late", False)
        if not self.is_late:
            real(self)

    real = durability.Durability._write
    patch.setattr(durability.Durability, "_write", write)


def terms_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    def news(self: Any, position: Any) -> Any:
        ids, terms, after = real(self, position)
        return ids[::2], terms[::2], after

    real = Dictionary.news
    patch.setattr(Dictionary, "news", news)


def rules_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Record, "_has_texts", lambda self: self.prefixes is not None)


def old_records_are_replayed_again(patch: pytest.MonkeyPatch) -> None:
    real = opening.replay
    patch.setattr(opening, "replay", lambda kb, records: real(kb, [*records, *records[:-1]]))


FAULTS: tuple[Fault, ...] = (
    old_records_are_replayed_again,
    told_before_it_is_kept,
    terms_are_forgotten,
    rules_are_forgotten,
    unsynced_files,
    unsynced_names,
    current_before_its_manifest,
    current_before_its_segments,
    what_came_meanwhile_is_cut,
    journal_removed_before_current,
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    for history in map(History, range(SEEDS)):
        assert len(history.states) == STEPS + 1  # made by whole code
        with monkeypatch.context() as patch:
            fault(patch)
            if _is_found(history):
                return
    pytest.fail(f"{fault.__name__} is not found")


def test_a_reader_of_a_deleted_generation_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that takes a journal that is gone for one without news."""
    real = read_only.ReadOnly._later
    monkeypatch.setattr(read_only.ReadOnly, "_later", lambda self: real(self) or [self._journal])
    monkeypatch.setattr(read_only.ReadOnly, "_take_in", lambda self, journals: None)
    with pytest.raises(AssertionError):
        test_processes.test_a_reader_goes_on_over_checkpoints(tmp_path)


def test_freed_ids_that_replay_gives_otherwise_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Dictionary.restore

    def restore(self: Any, ids: list[int], terms: list[bytes], *counts: int) -> Any:
        again = [place for place, id in enumerate(ids) if id < self.bound]
        given = list(ids)
        for place, other in zip(again, again[1:] + again[:1], strict=True):
            given[place] = ids[other]
        return real(self, given, terms, *counts)

    monkeypatch.setattr(Dictionary, "restore", restore)
    with pytest.raises(AssertionError):
        test_opening.test_what_was_known_of_a_forgotten_term_is_not_taken_for_the_next_one(
            tmp_path, monkeypatch
        )


def test_changes_of_a_step_that_are_taken_for_one_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def blocks(changes: Any) -> Any:
        each = [real([change]) for change in changes]
        places = array("Q", chain.from_iterable(places for places, _ in each))
        return places, [some for _, keys in each for some in keys]

    real = record._statement_blocks
    monkeypatch.setattr(record, "_statement_blocks", blocks)
    with pytest.raises(AssertionError):
        test_record.test_it_is_read_as_it_was_written()


def test_terms_that_come_after_a_pin_and_are_written_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    later = freezing.PinnedTerms.between
    monkeypatch.setattr(
        freezing.PinnedTerms,
        "between",
        lambda self, *ends: later(replace(self, kinds=self.dictionary.kinds), *ends),
    )
    with pytest.raises(AssertionError):
        test_frozen_dictionary.test_terms_that_come_after_a_pin_are_not_written(monkeypatch)


def _is_found(history: History) -> bool:
    chance = random.Random(1)
    try:
        for _ in range(CRASHES):
            history.check(chance.randrange(OPERATIONS), chance)
    except (AssertionError, OSError, IndexError):  # a wrong state, or nothing that can be opened
        return True
    return False
