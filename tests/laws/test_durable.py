"""Knowledge bases in directories equal the naive oracle after every step, whatever comes between.

Steps are made in transactions, which may be inside others, or have one inside that is undone; then
a checkpoint may be made, or the directory closed, or left as by a process that dies, and opened.
`--long START:COUNT` runs other scenarios than the slice for CI; a failure names its seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

import rdfinc
from laws.checking import CLOSURES, check_delta, check_unstratifiable, compare, passing_terms
from laws.oracle import NOTHING
from laws.performing import perform
from laws.scenarios import (
    Scenario,
    scenario,
    scenario_of_closures,
    scenario_of_equality,
)
from laws.steps import Step
from rdfinc import KnowledgeBase, RdfincError
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

SLICE = 0, 9
KINDS = scenario, scenario_of_closures, scenario_of_equality


class UndoneError(Exception):
    """Ends a transaction of which nothing is to be left."""


class Play:
    """A scenario that is played in a directory."""

    def __init__(self, case: Scenario, place: Path) -> None:
        self._case, self._place, self._chance = case, place, random.Random(case.seed)
        self._configuration = CLOSURES[case.seed % len(CLOSURES)]
        self._options = {
            "profile": case.profile,
            "storage": self._configuration.storage,
            "maintenance": self._configuration.strategy,
        }

    def run(self) -> None:
        before, kb = NOTHING, self._opened()
        pairs = zip(self._case.steps, self._case.expected, strict=True)
        for number, (step, expected) in enumerate(pairs):
            place = f"seed {self._case.seed}, step {number}, {self._options}"
            if number in self._case.refused:
                check_unstratifiable(kb, step, before, place)
                continue
            kb.dictionary.encode_many(passing_terms(number))
            self._make(kb, step, expected, place)
            compare(kb, expected, place)
            kb = self._after(kb)
            compare(kb, expected, f"{place}, later")
            kb._check()
            before = expected
        kb.close()

    def _opened(self) -> KnowledgeBase:
        durability = self._chance.choice(("commit", "interval"))
        return rdfinc.open(self._place, durability=durability, **self._options)

    def _make(self, kb: KnowledgeBase, step: Step, expected, place: str) -> None:
        """Makes a step, all at once or in transactions."""
        way = self._chance.randrange(4)
        if way == 0:
            check_delta(perform(kb, step), expected, place)
            return
        with kb.transaction():
            if way == 1:
                self._undone(kb, self._chance.choices(self._case.steps, k=2))
            with kb.transaction():
                perform(kb, step)
                if way == 2:
                    self._undone(kb, self._chance.choices(self._case.steps, k=2))
            if way == 3:
                with kb.transaction():
                    pass

    def _undone(self, kb: KnowledgeBase, steps: Iterable[Step]) -> None:
        """Makes steps that may be refused, and takes all of them back."""
        with suppress(UndoneError), kb.transaction():
            for step in steps:
                with suppress(RdfincError):
                    perform(kb, step)
            raise UndoneError

    def _after(self, kb: KnowledgeBase) -> KnowledgeBase:
        """The same knowledge base after what may come between steps."""
        what = self._chance.randrange(5)
        if what == 0:
            kb.checkpoint()
        elif what == 1:
            kb.close()
            return self._opened()
        elif what == 2:
            kb._log.let_go()  # as if it had died
            return self._opened()
        elif what == 3:
            reader = rdfinc.open(self._place, read_only=True)
            assert len(reader) == len(kb)
        return kb


def test_directories_equal_the_oracle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    put(monkeypatch, DURABLE, least_array_bytes=16, few_statements=2)
    put(monkeypatch, TERMS, terms_in_block=8)
    start, count = request.config.getoption("--long") or SLICE
    for seed in range(start, start + count):
        put(monkeypatch, DURABLE, terms_read_whole=seed % 5 // 3 * 100)
        play = Play(KINDS[seed % len(KINDS)](seed), tmp_path / str(seed))
        with play._configuration.in_force():
            play.run()
