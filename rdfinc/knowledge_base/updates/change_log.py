"""The calls by which a knowledge base has its changes outlive the process.

`rdfinc.durable` has the one implementation; without it a knowledge base is in memory.
"""

from __future__ import annotations

import os
import threading
from typing import Protocol

from rdfinc.knowledge_base.versions.change import Change

StepStart = tuple[int, int]
"""How many steps are open, and how many changes are recorded."""


class ChangeLog(Protocol):
    """Keeps changes, in the order in which they are committed. All of it is called under the lock
    of the knowledge base, but for `checkpoint` and `backup`. `place` is the path of the directory;
    `alone` is held while no checkpoint is being written, and taken before the lock."""

    place: str
    alone: threading.Lock

    def record(self, change: Change) -> None:
        """Called when a change is maintained and not published yet; if this raises, it never is.
        What it deletes is stated before, what it inserts is not."""

    @property
    def step_start(self) -> StepStart:
        """Where the next step begins."""

    def begin(self) -> None:
        """Begins a step, which may be inside another."""

    def end(self) -> None:
        """Ends a step: its changes are kept together."""

    def abandon(self, step_start: StepStart) -> None:
        """Ends a step of which nothing is left."""

    def fail(self, error: BaseException) -> None:
        """Called when a change that was recorded could not be published: ends all use."""

    def catch_up(self) -> None:
        """Called when prefixes have changed, or terms came without a change."""

    def committed(self, seconds: float) -> None:
        """Called when a change is published that took so long to maintain."""

    def refresh(self) -> int:
        """Takes in what others have written; returns the number of the last change."""

    def changes(self, since: int) -> tuple[int, list[Change]]:
        """The number of the last change that was made or taken in, and the changes after number
        `since`, in their order. Raises ForgottenError."""

    def checkpoint(self) -> None:
        """Writes all that there is, while others change it."""

    def backup(self, path: str | os.PathLike[str]) -> None:
        """The same, to another directory."""

    def close(self) -> None: ...
    def disown(self) -> None:
        """Gives up the files, in a child process that does not own them."""
