"""Who is told what each step changed, when the thread that made it has left."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from rdfinc.knowledge_base.delta import Delta
from rdfinc.knowledge_base.turns import Turns
from rdfinc.knowledge_base.views import Reader

Callback = Callable[[Any, Any], object]


class Watched(Protocol):
    """A question of which the answers are kept up with."""

    def difference(self, before: Reader, after: Reader, delta: Delta) -> tuple[Any, Any] | None:
        """The answers that came and went between two versions, None if there are none."""


class Watch:
    """A query that is being watched; `cancel()` ends it."""

    def __init__(self, question: Watched, callback: Callback, watches: Watches) -> None:
        self._question, self._callback, self._watches = question, callback, watches

    def cancel(self) -> None:
        """Ends it; the callback is not called any more. Again: nothing."""
        self._watches.end(self)


class Watches(Turns):
    """The lock of a knowledge base, and those who watch it.

    Answers are compared inside the lock, step by step; callbacks are called outside of it, in the
    order of the steps, so that they may read and change what they like. While someone watches, the
    latest version is pinned.
    """

    def __init__(self) -> None:
        super().__init__()
        self._telling = threading.Lock()
        self._watches: list[Watch] = []
        self._last: Reader | None = None
        self._news: deque[tuple[Watch, tuple[Any, Any]]] = deque()

    def _left(self, *, failed: bool) -> None:
        if self._news:
            self._tell(quiet=failed)

    def begin(self, question: Watched, callback: Callback, now: Reader) -> Watch:
        watch = Watch(question, callback, self)
        with self:
            self._watches.append(watch)
            self._last = now
        return watch

    def end(self, watch: Watch) -> None:
        with self:
            self._watches = [other for other in self._watches if other is not watch]
            self._last = self._last if self._watches else None

    def note(self, delta: Delta, now: Callable[[], Reader]) -> None:
        """Finds out what a step, just made, changed for each of those who watch."""
        if self._last is None:
            return
        before, self._last = self._last, now()
        for watch in self._watches:
            found = watch._question.difference(before, self._last, delta)
            if found is not None:
                self._news.append((watch, found))

    def _tell(self, *, quiet: bool) -> None:
        """Calls the callbacks; what the first of them raises is raised when all were called."""
        failed: BaseException | None = None
        while self._news and self._telling.acquire(blocking=False):
            try:
                while self._news:
                    watch, (added, removed) = self._news.popleft()
                    if watch in self._watches:
                        try:
                            watch._callback(added, removed)
                        except Exception as error:
                            failed = failed or error
            finally:
                self._telling.release()
        if failed is not None and not quiet:
            raise failed
