"""Whose turn it is with a knowledge base: one thread at a time changes it, and what somebody
collects for it is maintained before anyone else reads or changes it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

Maintain = Callable[[], object]
"""Makes one update of what was collected; may raise, as updates do."""


class Turns:
    """The lock of a knowledge base.

    A thread may enter it again. Who enters it first has maintained what was collected, which may
    raise: then what is left waits for the next one. `quietly` is the lock without that.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._maintain: Maintain | None = None
        self.quietly = _Quietly(self)

    def __enter__(self) -> None:
        self._enter()
        if self._maintain is not None:
            try:
                self._settle()
            except BaseException:
                self._leave(failed=True)
                raise

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._leave(failed=kind is not None)

    def collect(self, maintain: Maintain, look_up: Callable[[], T]) -> T:
        """What a function finds out, under the lock, about changes that are collected and that
        `maintain` makes. What others collected comes before them: it is maintained now."""
        with self.quietly:
            if self._maintain != maintain:
                self._settle()
                self._maintain = maintain
            return look_up()

    def _settle(self) -> None:
        maintain, self._maintain = self._maintain, None
        if maintain is not None:
            try:
                maintain()
            except BaseException:
                self._maintain = maintain
                raise

    def _enter(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def _leave(self, *, failed: bool) -> None:
        self._depth -= 1
        last = self._depth == 0
        self._lock.release()
        if last:
            self._left(failed=failed)

    def _left(self, *, failed: bool) -> None:
        """Called when a thread has left the lock."""


class _Quietly:
    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def __enter__(self) -> None:
        self._turns._enter()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._turns._leave(failed=kind is not None)
