"""Watches, and the news of each step that they are told."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol
from weakref import WeakMethod

from rdfinc.knowledge_base.process.exclusive_access import Tell, Turns
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.knowledge_base.versions.fact_views import Reader

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


class News(partial[object]):
    """News for a watch: one call of its callback."""

    watch: Watch

    @classmethod
    def of(cls, watch: Watch, added: Any, removed: Any) -> News:
        news = cls(watch._callback, added, removed)
        news.watch = watch
        return news


class Watches(Turns):
    """The turns of a knowledge base, with its watches and listeners.

    A noted step is compared inside the lock, at once or, after an interrupt, before the next step.
    Callbacks are called outside of it, in the order of the steps. While there is a watch, the
    latest version is pinned. Listeners hear of every delta as long as they live.
    """

    def __init__(self) -> None:
        super().__init__()
        self._watches: list[Watch] = []
        self._last: Reader | None = None
        self._owed: deque[tuple[Reader, Reader, Delta, tuple[Watch, ...]]] = deque()
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
            for news in [each for each in self._news if getattr(each, "watch", None) is watch]:
                self._news.remove(news)
            self._last = self._last if self._watches else None

    def hear(self, method: Hear) -> None:
        """Calls a method of someone with the delta of each step from now on."""
        with self.lock:
            there = [ref for ref in self._hearers if ref() not in (None, method)]
            self._hearers = [*there, WeakMethod(method)]

    def note(self, delta: Delta, now: Callable[[], Reader]) -> None:
        """Notes a step that was just made, for the watches."""
        for hearer in self._hearers:
            self.later(partial(_told, hearer, delta))
        if self._last is None:
            return
        before, self._last = self._last, now()
        self._owed.append((before, self._last, delta, tuple(self._watches)))

    def compare(self) -> None:
        """Compares the answers of each watch before and after the noted steps. The rest of an
        interrupted comparison is left for the next step; an answer that cannot be compared is
        raised once."""
        while self._owed:
            try:
                news = self._changed(*self._owed[0])
            except Exception:
                self._owed.popleft()
                raise
            with Uninterrupted():
                self._owed.popleft()
                self._news.extend(news)

    def _changed(
        self, before: Reader, after: Reader, delta: Delta, watches: tuple[Watch, ...]
    ) -> list[Tell]:
        there = [watch for watch in watches if watch in self._watches]
        found = [(watch, watch._question.difference(before, after, delta)) for watch in there]
        return [News.of(watch, *news) for watch, news in found if news is not None]


def _told(hearer: WeakMethod[Hear], delta: Delta) -> None:
    method = hearer()
    if method is not None:
        method(delta)
