"""Who is told what each step changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol
from weakref import WeakMethod

from rdfinc.knowledge_base.delta import Delta
from rdfinc.knowledge_base.turns import Turns
from rdfinc.knowledge_base.views import Reader

Callback = Callable[[Any, Any], object]

Hear = Callable[[Delta], object]


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
    """The turns of a knowledge base, and those who watch it.

    Answers are compared inside the lock, step by step; callbacks are called outside of it, in the
    order of the steps. While someone watches, the latest version is pinned. Those who hear of every
    delta do so as long as they are there.
    """

    def __init__(self) -> None:
        super().__init__()
        self._watches: list[Watch] = []
        self._last: Reader | None = None
        self._hearers: list[WeakMethod[Hear]] = []

    def begin(self, question: Watched, callback: Callback, now: Reader) -> Watch:
        watch = Watch(question, callback, self)
        with self.lock:
            self._watches.append(watch)
            self._last = now
        return watch

    def end(self, watch: Watch) -> None:
        with self.lock:
            self._watches = [other for other in self._watches if other is not watch]
            self._last = self._last if self._watches else None

    def hear(self, method: Hear) -> None:
        """Calls a method of someone with the delta of each step from now on."""
        with self.lock:
            there = [ref for ref in self._hearers if ref() not in (None, method)]
            self._hearers = [*there, WeakMethod(method)]

    def note(self, delta: Delta, now: Callable[[], Reader]) -> None:
        """Finds out what a step, just made, changed for each of those who watch."""
        for hearer in self._hearers:
            self.later(partial(_told, hearer, delta))
        if self._last is None:
            return
        before, self._last = self._last, now()
        for watch in self._watches:
            found = watch._question.difference(before, self._last, delta)
            if found is not None:
                self.later(partial(self._call, watch, *found))

    def _call(self, watch: Watch, added: Any, removed: Any) -> None:
        if watch in self._watches:
            watch._callback(added, removed)


def _told(hearer: WeakMethod[Hear], delta: Delta) -> None:
    method = hearer()
    if method is not None:
        method(delta)
