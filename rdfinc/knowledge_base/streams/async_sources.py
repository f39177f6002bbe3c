"""Sources of the updates of an asynchronous stream; see `update_sources`. Imported by the first
such stream, since asyncio takes longer to import than most of what is here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import suppress
from typing import Any, Protocol

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.streams.update_sources import StreamUpdate, as_list, as_update

_SHUT_DOWN = getattr(asyncio, "QueueShutDown", None)
_ENDED: tuple[type[Exception], ...] = (_SHUT_DOWN,) if _SHUT_DOWN else ()


class AsyncSource(Protocol):
    async def next(self) -> StreamUpdate:
        """Waits if need be; raises StopAsyncIteration at the end, TypeError likewise."""

    async def peek(self) -> object: ...

    def close(self) -> None:
        """Stops what is under way."""


def async_source(updates: Any) -> AsyncSource:
    """Raises TypeError for what is neither an asyncio.Queue nor an asynchronous iterable."""
    if isinstance(updates, AsyncIterable):
        return _InAsyncIterator(aiter(updates))
    if isinstance(updates, asyncio.Queue):
        return _InAsyncQueue(updates)
    raise TypeError(
        f"stream_async takes an asynchronous iterable or an asyncio.Queue, not {updates!r};"
        " kb.stream takes others"
    )


class _InAsyncQueue:
    def __init__(self, updates: asyncio.Queue[Any]) -> None:
        self._updates = updates
        self._taken: list[Any] = []

    async def next(self) -> StreamUpdate:
        try:
            given = self._taken.pop() if self._taken else await self._updates.get()
            while given is None:
                given = await self._updates.get()
        except _ENDED:
            raise StopAsyncIteration from None
        return as_update(given)

    async def peek(self) -> object:
        with suppress(asyncio.QueueEmpty, *_ENDED):
            while not self._taken:
                self._taken += as_list(self._updates.get_nowait())
        return self._taken[0] if self._taken else None

    def close(self) -> None:
        pass


class _InAsyncIterator:
    """As `_InIterator`; what a live one has been asked for may still be under way."""

    def __init__(self, updates: AsyncIterator[Any]) -> None:
        self._updates, self._live = updates, False
        self._asked: asyncio.Future[Any] | None = None

    async def next(self) -> StreamUpdate:
        while True:
            asked, self._asked = self._asked, None
            given = await (asked or anext(self._updates))
            if given is not None:
                return as_update(given)
            self._live = True
            await asyncio.sleep(KNOWLEDGE.stream_pause)

    async def peek(self) -> object:
        if self._live and self._asked is None:
            self._asked = asyncio.ensure_future(_next_of(self._updates))
        await asyncio.sleep(0)
        asked = self._asked
        if asked is None or not asked.done() or asked.exception() is not None:
            return None
        return asked.result()

    def close(self) -> None:
        if self._asked is not None:
            self._asked.cancel()


async def _next_of(updates: AsyncIterator[Any]) -> Any:
    return await anext(updates)
