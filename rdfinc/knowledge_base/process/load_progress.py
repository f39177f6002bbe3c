"""How far a load has come, told a few times a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.terms.io.compression import is_compressed


@dataclass(frozen=True)
class Progress:
    """How far a load has come after some `seconds`: in the step "reading" by a `count` of
    statements, with the `part` of all bytes that is read, or None where that is not known; in the
    step "deriving" by a `count` of facts, stated or found, of which nobody knows how many there
    will be. `str` is a line for people."""

    step: str
    count: int
    seconds: float
    part: float | None

    @property
    def rate(self) -> float:
        """The count for each second of the step."""
        return self.count / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the step takes from now, if it goes on as it did."""
        return self.seconds * (1 / self.part - 1) if self.part else None

    def __str__(self) -> str:
        what = "statements" if self.step == "reading" else "facts"
        left = self.seconds_left
        ahead = "" if left is None else f", {left:,.0f} s left"
        return f"{self.step}: {self.count:,} {what}, {self.rate:,.0f} a second{ahead}"


Tell = Callable[[Progress], object]


class Meter:
    """Counts what a load does, and tells of it, at most once in `KNOWLEDGE.progress_seconds`, and
    at the end of a step."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._step, self._count, self._size = "reading", 0, 0
        self._total: int | None = None
        self._start = self._told = time.monotonic()

    def begin(self, sources: Iterable[Any]) -> None:
        """Called with all that is to be read."""
        self._total = 0
        for each in sources:
            if not isinstance(each, Path) or not each.is_file() or is_compressed(each):
                self._total = None
                return
            self._total += each.stat().st_size

    def read(self, statements: int, size: int) -> None:
        self._count += statements
        self._size += size
        self._tell_now_and_then()

    def begin_deriving(self) -> None:
        """Called when all is read."""
        self._say()
        self._step, self._count, self._total = "deriving", 0, None
        self._start = self._told = time.monotonic()

    def has_derived(self, facts: int) -> None:
        """Called with the facts found so far."""
        self._count = max(self._count, facts)  # some are counted apart for a while
        self._tell_now_and_then()

    def end(self, facts: int) -> None:
        """Called when nothing is left to derive, with the facts in view, beside which there may be
        auxiliary ones."""
        self._count = max(self._count, facts)
        self._say()

    def _tell_now_and_then(self) -> None:
        if time.monotonic() - self._told >= KNOWLEDGE.progress_seconds:
            self._say()

    def _say(self) -> None:
        self._told = time.monotonic()
        part = min(self._size / self._total, 1.0) if self._total else None
        self._tell(Progress(self._step, self._count, self._told - self._start, part))
