"""Exclusive access to a knowledge base. One thread at a time changes it; collected statements
are maintained before anyone else reads or changes it; news of changes is told last."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

Maintain = Callable[[], object]
"""Makes one update of what was collected; may raise, as updates do, and calls no one else."""

Tell = Callable[[], object]
"""Calls someone who wants to know; may do and raise anything."""


class Turns:
    """The order in which a knowledge base is read and changed: `with turns, turns.lock`.

    On entering, collected statements are maintained. That may raise; the rest then waits for the
    next one to enter. On leaving, news is told once the lock is free, so that listeners may read
    and change anything. `with turns.quietly, turns.lock` maintains nothing. No Python code enters
    or leaves the lock, so that an interrupt from the keyboard never leaves it held. `collected`
    makes the update of what was collected, or refuses; None if there is nothing.
    """

    def __init__(self) -> None:
        self.lock: Any = threading.RLock()
        self.quietly = _Quietly(self)
        self.collected: Maintain | None = None
        self._maintains = self.is_closed = False
        self._news: deque[Tell] = deque()
        self._telling = threading.Lock()

    def renew(self) -> Any:
        """Replaces the lock by a free one, in a process without the thread that held the old
        one."""
        self.lock, self._telling = threading.RLock(), threading.Lock()
        self._maintains = False
        return self.lock

    def __enter__(self) -> None:
        if self.collected is not None:
            with self.lock:
                self._settle()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._news and not self.lock._is_owned():
            self._tell(quiet=kind is not None)

    def close(self, refuse: Maintain) -> None:
        """From now on whoever enters meets what `refuse` raises."""
        self.collected, self.is_closed = refuse, True

    def refuse_when_closed(self) -> None:
        """Raises what `close` was given; to be called under the lock, for which somebody who has
        entered may have waited while it was closed."""
        if self.is_closed and self.collected is not None:
            self.collected()

    def reopen(self) -> None:
        """Takes back `close`."""
        if self.is_closed:
            self.collected, self.is_closed = None, False

    def collect(self, maintain: Maintain, look_up: Callable[[], T]) -> T:
        """The result of a function, called under the lock, about changes that are collected and
        that `maintain` makes. Changes collected by others come before them and are maintained
        now."""
        with self.lock:
            if self.collected != maintain:
                self._settle()
                self.collected = maintain
            return look_up()

    def _settle(self) -> None:
        if self.collected is None or self._maintains:
            return
        try:
            self._maintains = True
            self.collected()
            if not self.is_closed:
                self.collected = None
        finally:
            self._maintains = False

    def later(self, tell: Tell) -> None:
        """Tells the news when the lock is free; to be called under the lock."""
        self._news.append(tell)

    def _tell(self, *, quiet: bool) -> None:
        """Tells all listeners, then raises the first exception of one."""
        failed: BaseException | None = None
        while self._news and self._telling.acquire(blocking=False):
            try:
                while self._news:
                    error = self._told_first()
                    failed = failed or error
            finally:
                self._telling.release()
        if failed is not None and not quiet:
            raise failed

    def _told_first(self) -> Exception | None:
        """Tells the first of the news, and what was raised. News go once their telling has begun:
        no code runs between the look at them and the call."""
        tell = self._news[0]
        try:
            tell()
        except Exception as error:
            return error
        finally:
            if self._news and self._news[0] is tell:
                self._news.popleft()
        return None


class _Quietly:
    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._turns.__exit__(kind, error, trace)
