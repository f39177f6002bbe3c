"""Whatever is lost when the power goes, everything acknowledged is there and nothing is half done.

After a crash at any operation of a history the knowledge base is compared with one in memory that
made the same steps: it must be what that was after the last step acknowledged, or after the one
that was being made. It goes on from there, to crash again. While a checkpoint is written, steps
are made between its operations.
`--long START:COUNT` tries COUNT histories and each operation of them.
"""

from __future__ import annotations

import random
import threading
import time
import warnings
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import pytest
from durable.histories import EX, Step, state, steps
from durable.unsure_disk import NoLock, PowerLossError, UnsureDisk

from rdfinc import KnowledgeBase
from rdfinc.durable import durability
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.opening import begin
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

STEPS, HISTORIES, CRASHES = 14, 9, 2
DUE, LATER = 1e6, -1e6
"""Seconds spent on changes after which a checkpoint is due, or is not."""
SETTINGS: tuple[dict[str, Any], ...] = (
    {"profile": "none"},
    {"profile": "none", "storage": "compact"},
    {"profile": "owl2rl"},
)


class History:
    """Steps from a seed, with checkpoints and closings between them; the states they lead to.

    Only the moments at which an "interval" reaches the disk are not the seed's.
    """

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.settings = SETTINGS[seed % len(SETTINGS)]
        self.durability = chance.choice(("commit", "commit", "interval"))
        self.steps: list[Step] = list(steps(chance, STEPS))
        self.breaks = [chance.choice(("", "", "", "checkpoint", "close")) for _ in self.steps]
        self.dues = [chance.choice((LATER, LATER, DUE)) for _ in self.steps]

    @cached_property
    def states(self) -> list[Any]:
        kb = KnowledgeBase(**self.settings)
        states = [state(kb)]
        for step in self.steps:
            step(kb)
            states.append(state(kb))
        return states

    def opened(self, disk: UnsureDisk) -> KnowledgeBase:
        return begin("memory", disk, NoLock(), self.durability, self.settings)  # type: ignore[arg-type]

    def run(self, disk: UnsureDisk, done: int = 0, sure: int = 0) -> tuple[int, int]:
        """How many steps were acknowledged before the power went, and how many of them are on disk
        for certain; `done` and `sure` are those of the run before."""
        run = Run(self, disk, done, sure)
        try:
            run.to_the_end()
        except PowerLossError:
            pass
        except OSError:  # a thread of its own met the loss of power
            assert disk.has_failed
        return run.done, run.sure

    def check(self, fails_at: int, chance: random.Random) -> None:
        """A crash, and what follows: the power goes again, or the process alone is killed, whose
        unsynced files are still there."""
        disk, at = UnsureDisk(fails_at=fails_at), (0, 0)
        for fails_next in (chance.randrange(40), chance.randrange(40), -1):
            at = self.run(disk, *at)
            is_killed = disk.has_failed and chance.random() < 0.3
            disk = disk.after_kill() if is_killed else disk.after_power_loss(chance)
            disk.fails_at = fails_next
        assert self.run(disk, *at) == (STEPS, STEPS)


class Run:
    """A history that goes on until the power goes. Checkpoints that are due are written between
    two steps, and while any checkpoint is written, further steps are made, by chance."""

    def __init__(self, history: History, disk: UnsureDisk, done: int, sure: int) -> None:
        self.history, self.disk, self.done, self.sure = history, disk, done, sure
        self.kb: Any = None  # while it is opened
        self.thread, self.is_busy = threading.get_ident(), True

    def to_the_end(self) -> None:
        states, disk = self.history.states, self.disk
        self.kb = self.history.opened(disk)
        found = state(self.kb)
        assert found in states[self.sure : self.done + 2], (self.sure, self.done)
        self.done = self.sure = self.sure + states[self.sure : self.done + 2].index(found)
        self.kb._check()
        self.chance, disk.meanwhile = random.Random(self.done), self.between
        while self.done < STEPS:
            self.step()
            what, before = self.history.breaks[self.done - 1], self.done
            if what == "checkpoint":
                self.beside(self.kb.checkpoint)
            elif what == "close":
                self.kb.close()
                self.kb = None
                self.kb = self.history.opened(disk)
            if what:
                self.sure = max(self.sure, before)
        self.kb.close()
        self.sure = self.done

    def step(self) -> None:
        kb, number = self.kb, self.done
        kb._log._spent = self.history.dues[number]  # the clock would say otherwise each time
        due: list[Callable[[], None]] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(durability.threading, "Thread", partial(Waiting, due))
            self.history.steps[number](kb)
        self.done += 1
        assert state(kb) == self.history.states[self.done]
        self.sure = self.done if self.history.durability == "commit" else self.sure
        for work in due:
            self.beside(work)

    def beside(self, checkpoint: Callable[[], None]) -> None:
        """Writes a checkpoint, with steps between its operations."""
        self.is_busy = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            checkpoint()
        self.is_busy = True

    def between(self) -> None:
        """What is done before an operation of a checkpoint; nothing while that holds the lock."""
        if threading.get_ident() != self.thread:  # an "interval" that reaches the disk
            return
        if self.is_busy or self.kb._lock._is_owned() or self.chance.random() < 0.7:
            return
        if self.done < STEPS:
            self.is_busy = True
            self.step()
            self.is_busy = False


class Waiting:
    """Stands for a thread that begins when its creator is done."""

    def __init__(self, due: list[Callable[[], None]], target: Callable[[], None], **_: Any) -> None:
        self.start = partial(due.append, target)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms are forgotten soon, arrays stand in blocks of their own, small dictionaries are read
    whole."""
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=4)
    put(monkeypatch, DURABLE, least_array_bytes=16, few_statements=2)
    put(monkeypatch, TERMS, terms_in_block=8)
    put(monkeypatch, DURABLE, terms_read_whole=60)
    put(monkeypatch, DURABLE, least_replay_seconds=DUE, sync_interval_seconds=0.001)


def test_a_loss_in_the_background_is_told_at_closing(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, DURABLE, sync_interval_seconds=0.05)
    disk = UnsureDisk()
    kb = begin("memory", disk, NoLock(), "interval", {"profile": "none"})  # type: ignore[arg-type]
    kb.update(insert=[(f"<{EX}a>", f"<{EX}p>", f"<{EX}b>")])
    disk.fails_at = disk.operations
    while not disk.has_failed:
        time.sleep(0.001)
    with pytest.raises(OSError, match="open it again"):
        kb.close()


def test_what_was_acknowledged_survives_a_loss_of_power(request: pytest.FixtureRequest) -> None:
    start, count = request.config.getoption("--long") or (0, HISTORIES)
    for seed in range(start, start + count):
        history, whole = History(seed), UnsureDisk()
        assert history.run(whole) == (STEPS, STEPS)
        points = range(whole.operations)
        chance = random.Random(seed)
        if count == HISTORIES:
            points = sorted(chance.sample(points, CRASHES))  # type: ignore[assignment]
        for fails_at in points:
            try:
                history.check(fails_at, random.Random(fails_at))
            except Exception as error:
                raise AssertionError(f"history {seed}, fails at operation {fails_at}") from error
