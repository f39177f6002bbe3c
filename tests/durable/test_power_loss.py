"""Whatever is lost when the power goes, everything acknowledged is there and nothing is half done.

After a crash at any operation of a history the knowledge base is compared with one in memory that
made the same steps: it must be what that was after the last step acknowledged, or after the one
that was being made. It goes on from there, to crash again.
`--long START:COUNT` tries COUNT histories and each operation of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest
from durable.histories import EX, Step, state, steps
from durable.unsure_disk import NoLock, PowerLossError, UnsureDisk

from rdfinc import KnowledgeBase
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.opening import begin
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from thresholds import put

STEPS, HISTORIES, CRASHES = 14, 12, 4
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

    def rest(self, done: int) -> Iterator[tuple[Step, str, float]]:
        """The steps to be made yet, the break after each, and whether a checkpoint is due."""
        yield from zip(self.steps[done:], self.breaks[done:], self.dues[done:], strict=True)

    def opened(self, disk: UnsureDisk) -> KnowledgeBase:
        return begin("memory", disk, NoLock(), self.durability, self.settings)  # type: ignore[arg-type]

    def run(self, disk: UnsureDisk, done: int = 0, sure: int = 0) -> tuple[int, int]:
        """How many steps were acknowledged before the power went, and how many of them are on disk
        for certain; `done` and `sure` are those of the run before."""
        try:
            kb = self.opened(disk)
            found = state(kb)
            assert found in self.states[sure : done + 2], (sure, done)
            done = sure = sure + self.states[sure : done + 2].index(found)
            kb._check()
            for step, what, spent in self.rest(done):
                kb._lasting._spent = spent  # the clock would say otherwise each time
                step(kb)
                done += 1
                assert state(kb) == self.states[done]
                if what == "checkpoint":
                    kb.checkpoint()
                elif what == "close":
                    kb.close()
                    sure = done
                    kb = self.opened(disk)
                sure = done if what or self.durability == "commit" else sure
            kb.close()
            return done, done
        except PowerLossError:
            return done, sure
        except OSError:  # a thread of its own met the loss of power
            assert disk.has_failed
            return done, sure

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


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms are forgotten soon, arrays stand in blocks of their own."""
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=4)
    put(monkeypatch, DURABLE, least_array_bytes=16, terms_in_block=8, few_statements=2)
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
