"""What each update changes, told to those who listen (server-sent events)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rdfinc import Delta, KnowledgeBase
from rdfinc.datalog.printing import term_text
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.knowledge_base.streams.delta import Facts
from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.server.responses import AS_TOLD
from rdfinc.terms.io.convert import key_of

SHOWN = 25
"""Facts of a side that are told."""

WAITING = 100
"""Changes that wait for a listener who takes none; the oldest are left out then."""

SILENCE = 15.0
"""Seconds after which a listener is told that there was nothing."""

LOOK = 1.0
"""Seconds between two looks at what another process has written."""


class ChangeFeed:
    """Hears of every change while someone listens, and tells it to all of them.

    Listeners are asyncio queues of the loop that they came in; what is told is put together once,
    in the thread that made the change.
    """

    def __init__(self, kb: KnowledgeBase, most: int) -> None:
        self._kb, self._most = kb, most
        self._listeners: set[asyncio.Queue[str | None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        kb._turns.hear(self._hear)

    def __len__(self) -> int:
        return len(self._listeners)

    async def stream(self, request: Request) -> Response:
        """GET: an event for each change from now on."""
        if len(self._listeners) >= self._most:
            raise RefusalError(503, f"{self._most} listen already: try again later")
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue(WAITING)
        self._listeners.add(queue)
        headers = {"Cache-Control": "no-store", **AS_TOLD}
        return StreamingResponse(self._events(queue), headers=headers, media_type=EVENTS)

    async def _events(self, queue: asyncio.Queue[str | None]) -> AsyncIterator[str]:
        try:
            yield ": listening\n\n"
            while True:
                try:
                    told = await asyncio.wait_for(queue.get(), SILENCE)
                except asyncio.TimeoutError:
                    yield ": nothing\n\n"
                    continue
                if told is None:
                    return
                yield f"data: {told}\n\n"
        finally:
            self._listeners.discard(queue)

    async def follow(self, look: Callable[[], object]) -> None:
        """Takes in what another process writes, while someone listens. What cannot be read is told
        to those who query."""
        while True:
            await asyncio.sleep(LOOK)
            if self._listeners:
                with suppress(Exception):
                    await asyncio.to_thread(look)

    def close(self) -> None:
        """Ends all streams; from any thread."""
        self._tell(None)

    def _hear(self, delta: Delta) -> None:
        if self._listeners and delta:
            self._tell(json.dumps(_record(delta, {**PREFIXES, **self._kb.namespaces})))

    def _tell(self, told: str | None) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, told)

    def _put(self, told: str | None) -> None:
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(told)


EVENTS = "text/event-stream"


def _record(delta: Delta, prefixes: dict[str, str]) -> dict[str, Any]:
    """A change for pages: a few facts of each side, and how many there are."""
    sides = ("+", delta.added), ("-", delta.removed)
    facts = [each for sign, side in sides for each in _facts(sign, side, prefixes)]
    told = f"{len(delta.added):,} came, {len(delta.removed):,} went"
    return {"told": told, "seconds": round(delta.report.seconds, 6), "facts": facts}


def _facts(sign: str, side: Facts, prefixes: dict[str, str]) -> Iterator[dict[str, str]]:
    for fact in islice(side, SHOWN):
        keys = [key_of(each).decode() for each in fact]
        text = " ".join(term_text(key, prefixes) for key in keys)
        why = f"/why?{urlencode(dict(zip('spo', keys, strict=True)))}"
        yield {"sign": sign, "text": text, "why": why}
