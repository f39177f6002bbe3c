"""A disk that is full from any operation on: one clear error that says what to do, what was
committed stays readable, and with room all goes on.

`--long START:COUNT` tries COUNT histories and each operation of them.
"""

from __future__ import annotations

import random
import re
import warnings
from contextlib import suppress

import pytest
from durable.histories import state
from durable.test_power_loss import STEPS, History, Run, _small
from durable.unsure_disk import FullDisk, UnsureDisk, nothing

from rdfinc import KnowledgeBase
from rdfinc.durable.opening import read

HISTORIES, FULL = 6, 4
small = _small

UNSURE = re.compile("memory: the journal could not be written.*make room on the disk, and open it")
LATER = re.compile("memory: no checkpoint could be written.*nothing is lost.*make room on the disk")
BEGUN = re.compile(
    "memory: (no knowledge base could be begun|the journal cannot be written).*make ro"
)


class Filling:
    """A history on a disk that is full from an operation on."""

    def __init__(self, seed: int, full_at: int) -> None:
        self._history = History(seed)
        self._disk = FullDisk(full_at, random.Random(seed * 1000 + full_at))

    def check(self) -> None:
        done = self._until_full()
        if not self._disk.is_full and done == STEPS:
            return
        done = self._readable(done)
        self._disk.room = True
        assert self._history.run(self._disk, done, done) == (STEPS, STEPS)

    def _until_full(self) -> int:
        """How many steps were acknowledged when something could not be done."""
        run = Run(self._history, self._disk, 0, 0)
        try:
            run.to_the_end()
        except OSError as error:
            self._is_clear(run.kb, str(error))
        self._disk.meanwhile = nothing
        return run.done

    def _is_clear(self, kb: KnowledgeBase | None, told: str) -> None:
        """What is told says what has happened to what was committed, and what to do."""
        if kb is None:
            assert BEGUN.search(told), told
        elif UNSURE.search(told):
            with pytest.raises((OSError, ValueError), match="open it again"):
                len(kb)
        else:
            assert LATER.search(told), told
            if not kb.is_closed:
                with suppress(OSError):
                    kb._log.let_go()

    def _readable(self, done: int) -> int:
        """What was committed can be read from the full disk; returns how many steps that are."""
        if not self._disk.names() or "CURRENT" not in self._disk.names():
            assert not done
            return 0
        found = state(read("memory", self._disk, {}).kb)
        states = self._history.states[done : done + 2]
        assert found in states
        return done + states.index(found)


def test_a_full_disk_loses_nothing_and_says_what_to_do(request: pytest.FixtureRequest) -> None:
    start, count = request.config.getoption("--long") or (0, HISTORIES)
    for seed in range(start, start + count):
        whole = UnsureDisk()
        assert History(seed).run(whole) == (STEPS, STEPS)
        points = range(whole.operations)
        if count == HISTORIES:
            points = sorted(random.Random(seed).sample(points, FULL))  # type: ignore[assignment]
        for full_at in points:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    Filling(seed, full_at).check()
            except Exception as error:
                raise AssertionError(f"history {seed}, full at operation {full_at}") from error
