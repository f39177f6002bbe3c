"""Checkpoints beside updates: what goes on meanwhile, and what happens if one is cut short.

`test_power_loss` makes updates between all operations of a checkpoint; here they are made by other
threads.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, state, steps

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.durable import durability
from rdfinc.durable.directory_files import _Growing
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.segments import SegmentWriter
from thresholds import put

A, B, C, D, P, Q = (f"<{EX}{name}>" for name in "abcdpq")
RULE = f"[?x, {Q}, ?y] :- [?y, {P}, ?x] ."
SECONDS = 60
"""How long a thread is waited for that is to end."""


class Held:
    """Segments are written only while `may_go` is set; `has_begun` is set when one is to be."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.has_begun, self.may_go = threading.Event(), threading.Event()
        self.errors: list[BaseException] = []
        real = SegmentWriter.put

        def put(writer: SegmentWriter, content: bytes | memoryview) -> int:
            self.has_begun.set()
            assert self.may_go.wait(SECONDS)
            return real(writer, content)

        patch.setattr(SegmentWriter, "put", put)

    def beside(self, work: Callable[[], object]) -> threading.Thread:
        """A thread that does something, which may raise."""

        def run() -> None:
            try:
                work()
            except BaseException as error:
                self.errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def finish(self, *threads: threading.Thread) -> None:
        self.may_go.set()
        for thread in threads:
            thread.join(SECONDS)
            assert not thread.is_alive()


def filled(place: Path) -> KnowledgeBase:
    kb = rdfinc.open(place)
    kb.add_rules(RULE)
    kb.update(insert=[(A, P, B)])
    return kb


def test_all_goes_on_while_a_checkpoint_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = filled(tmp_path / "kb")
    held = Held(monkeypatch)
    writer = held.beside(kb.checkpoint)
    assert held.has_begun.wait(SECONDS)
    first = kb.refresh()
    kb.update(insert=[(B, P, C)], delete=[(A, P, B)])
    with kb.transaction():
        kb.update(insert=[(C, P, D)])
        kb.bind("zoo", EX)
    assert len(list(kb.query(f"SELECT * {{ ?x {Q} ?y }}"))) == 2
    assert len(kb.changes(since=first).added) == 2
    with rdfinc.open(tmp_path / "kb", read_only=True) as reader:
        assert state(reader) == state(kb)
    others = held.beside(kb.checkpoint), held.beside(lambda: kb.backup(tmp_path / "copy"))
    kb.update(insert=[(D, P, A)])
    held.finish(writer, *others)
    assert not held.errors
    expected = state(kb)
    kb._log.let_go()  # type: ignore[union-attr]  # as if it had died
    for place in ("kb", "copy"):
        with rdfinc.open(tmp_path / place) as again:
            assert state(again) == expected
            again._check()


def test_closing_waits_for_a_checkpoint_and_keeps_what_came_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = filled(tmp_path)
    held = Held(monkeypatch)
    writer = held.beside(kb.checkpoint)
    assert held.has_begun.wait(SECONDS)
    closing = held.beside(kb.close)
    kb.update(insert=[(B, P, C)])
    expected = state(kb)
    assert closing.is_alive()
    held.finish(writer, closing)
    assert kb.is_closed and not held.errors
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected
        assert not again.changes(since=again.refresh())


def test_a_checkpoint_that_is_interrupted_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = filled(tmp_path)
    before = {path.name for path in tmp_path.glob("segment-*")}
    for name in ("write_checkpoint", "publish", "remove_old"):
        with monkeypatch.context() as patch:
            patch.setattr(durability, name, _interrupted)
            with pytest.raises(KeyboardInterrupt):
                kb.checkpoint()
        kb.update(insert=[(B, P, f"<{EX}{name}>")])
    with monkeypatch.context() as patch:
        patch.setattr(SegmentWriter, "put", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            kb.checkpoint()
    kb.checkpoint()
    after = {path.name for path in tmp_path.glob("segment-*")}
    assert len(after - before) <= 2
    expected = state(kb)
    kb._log.let_go()  # type: ignore[union-attr]  # as if it had died
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


def _interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


def test_a_journal_that_fails_meanwhile_gives_the_directory_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is still being written in the first one must not replace what the second one has."""
    kb = filled(tmp_path)
    held = Held(monkeypatch)
    writer = held.beside(kb.checkpoint)
    assert held.has_begun.wait(SECONDS)
    with monkeypatch.context() as patch, pytest.raises(OSError, match="open it again"):
        patch.setattr(_Growing, "sync", _fails)
        kb.update(insert=[(B, P, C)])
    second = rdfinc.open(tmp_path)
    second.update(insert=[(C, P, D)])
    held.finish(writer)
    assert [type(error) for error in held.errors] == [OSError]
    second.checkpoint()
    second.update(insert=[(D, P, A)])
    expected = state(second)
    second._log.let_go()  # type: ignore[union-attr]  # as if it had died
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


def _fails(*_: Any) -> None:
    raise OSError("the disk is gone")


def test_one_that_cannot_be_written_in_the_background_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = filled(tmp_path)
    put(monkeypatch, DURABLE, least_replay_seconds=0.0)
    failed = threading.Event()
    with monkeypatch.context() as patch:
        patch.setattr(durability, "write_checkpoint", _fails)
        patch.setattr(durability.warnings, "warn", lambda *_, **__: failed.set())
        kb.update(insert=[(B, P, C)])
        assert failed.wait(SECONDS)
    kb.update(insert=[(C, P, D)])
    expected = state(kb)
    kb.close()
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


@pytest.mark.parametrize("profile", ["none", "owl2rl"])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_pinned_stays_as_it_is(
    tmp_path: Path, seed: int, profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The arrays of an image are not changed by what comes before they are written."""
    put(monkeypatch, DURABLE, least_array_bytes=16)
    chance, real = random.Random(seed), durability.write_checkpoint
    storage = chance.choice(("auto", "compact"))
    kb = rdfinc.open(tmp_path, profile=profile, storage=storage)
    later = steps(chance, 24)

    def write(files: Any, generation: int, last: Any, pinned: Any) -> Any:
        before = [bytes(part) for part in pinned.image]
        for _, step in zip(range(6), later, strict=False):
            step(kb)
        assert before == [bytes(part) for part in pinned.image]
        return real(files, generation, last, pinned)

    with monkeypatch.context() as patch:
        patch.setattr(durability, "write_checkpoint", write)
        for _ in range(3):
            kb.checkpoint()
    expected = state(kb)
    kb._log.let_go()  # type: ignore[union-attr]  # as if it had died
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected
