"""Sources of the updates of a stream, and the updates that can be seen before their turn.

A source gives its next update with `next()`, and with `peek()` the one after that if it is there by
then. Peeking neither waits nor runs code that may depend on results still to be handed out.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import length_hint
from typing import Any, NamedTuple, Protocol

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE


class StreamUpdate(NamedTuple):
    """What an update of a stream deletes and inserts, and how far the stream has come with it: a
    value of JSON, if its source tells."""

    delete: Iterable[Any]
    insert: Iterable[Any]
    position: Any = None


_SHUT_DOWN = getattr(queue, "ShutDown", None)
_ENDED: tuple[type[Exception], ...] = (_SHUT_DOWN,) if _SHUT_DOWN else ()
"""What queues raise that were shut down, from Python 3.13 on."""


class UpdateSource(Protocol):
    def next(self) -> StreamUpdate:
        """Waits if need be; raises StopIteration at the end, TypeError for what is no update."""

    def peek(self) -> object:
        """None if that is not known."""


def source(updates: Any) -> UpdateSource:
    """Raises TypeError for what is neither a queue nor iterable."""
    if isinstance(updates, Sequence) and not isinstance(updates, str | bytes):
        return _InSequence(updates)
    if isinstance(updates, Iterable):
        return _InIterator(iter(updates))
    if hasattr(updates, "get_nowait"):
        return _InQueue(updates)
    raise TypeError(f"a stream takes an iterable of updates or a queue, not {updates!r}")


def as_update(given: Any) -> StreamUpdate:
    if not isinstance(given, tuple | list) or len(given) not in (2, 3):
        raise TypeError(
            "an update of a stream is (delete, insert) or None, or (delete, insert, position) in a"
            f" stream with a name, not {given!r}"
        )
    return StreamUpdate(*given)


def as_list(update: Any) -> list[Any]:
    return [] if update is None else [update]


class _InSequence:
    """A list may grow or change while its updates are worked off."""

    def __init__(self, updates: Sequence[Any]) -> None:
        self._updates, self._place = updates, 0

    def next(self) -> StreamUpdate:
        while self._place < len(self._updates):
            self._place += 1
            if (given := self._updates[self._place - 1]) is not None:
                return as_update(given)
        raise StopIteration

    def peek(self) -> object:
        return self._updates[self._place] if self._place < len(self._updates) else None


class _InQueue:
    def __init__(self, updates: queue.Queue[Any]) -> None:
        self._updates = updates
        self._taken: list[Any] = []

    def next(self) -> StreamUpdate:
        try:
            given = self._taken.pop() if self._taken else self._updates.get()
            while given is None:
                given = self._updates.get()
        except _ENDED:
            raise StopIteration from None
        return as_update(given)

    def peek(self) -> object:
        with suppress(queue.Empty, *_ENDED):
            while not self._taken:
                self._taken += as_list(self._updates.get_nowait())
        return self._taken[0] if self._taken else None


class _InIterator:
    """Iterators that know how many updates are left do not wait for them. A generator may, unless
    it has said by None that it does not."""

    def __init__(self, updates: Iterator[Any]) -> None:
        self._updates, self._live = updates, False
        self._taken: list[Any] = []

    def next(self) -> StreamUpdate:
        while True:
            given = self._taken.pop() if self._taken else next(self._updates)
            if isinstance(given, Exception):
                raise given
            if given is not None:
                return as_update(given)
            self._live = True
            time.sleep(KNOWLEDGE.stream_pause)

    def peek(self) -> object:
        if not self._taken and (self._live or length_hint(self._updates, 0)):
            try:
                given = next(self._updates)
            except Exception as error:  # it is for the turn of this update
                given = error
            self._taken += as_list(given)
        return self._taken[0] if self._taken else None
