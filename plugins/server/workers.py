"""Where requests are carried out: in several threads that read, in one that writes, and brief ones
at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from starlette.requests import Request

from rdfinc.plugins.server.brief_work import BriefWork
from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.server.settings import Settings
from rdfinc.plugins.sparql.columns.budget import Budget

T = TypeVar("T")

PROMPT = 0.5
"""Seconds between two looks at whether the client is still there."""


class Workers:
    """Reading and writing threads; `waiting` for them are a bounded number of requests, and who
    comes when there are so many is refused.

    What is written is never given up; what is read is stopped when its client has gone, or when the
    server stops. A query is tried at once, where all that it reads is in memory.
    """

    def __init__(self, settings: Settings) -> None:
        self._reading = ThreadPoolExecutor(settings.threads, "rdfinc-reads")
        self._writing = ThreadPoolExecutor(1, "rdfinc-writes")
        self._threads, self._most = settings.threads, settings.waiting + settings.threads
        self.waiting = 0
        self._stops: set[threading.Event] = set()
        self._brief = BriefWork()
        self._waits_for_others = settings.remote or settings.follows

    async def ask(self, request: Request, budget: Budget, work: Callable[[Budget], T]) -> T:
        """What is found out at once if that is brief, by a reading thread otherwise. Where all of
        these are busy, it is tried later. Raises RefusalError as `read`."""
        if not self._waits_for_others:
            while budget.left and self._threads <= self.waiting < self._most and self._brief.rest:
                await asyncio.sleep(self._brief.rest)
            found = self._brief.done(budget, work)
            if found is not None:
                return found
        return await self.read(request, budget, partial(work, budget))

    async def read(self, request: Request, budget: Budget, work: Callable[[], T]) -> T:
        """What a reading thread finds out. Raises RefusalError if too many requests are waiting."""
        assert budget.cancel is not None
        self._stops.add(budget.cancel)
        try:
            return await self._done(self._reading, work, request, budget.cancel)
        finally:
            self._stops.discard(budget.cancel)

    async def write(self, request: Request, work: Callable[[], T]) -> T:
        """The same for the writing thread."""
        return await self._done(self._writing, work, request, None)

    async def _done(
        self,
        pool: ThreadPoolExecutor,
        work: Callable[[], T],
        request: Request,
        stop: threading.Event | None,
    ) -> T:
        if self.waiting >= self._most:
            raise RefusalError(
                503, f"{self.waiting} requests are waiting already: try again", {"Retry-After": "1"}
            )
        self.waiting += 1
        done = asyncio.get_running_loop().run_in_executor(pool, work)
        done.add_done_callback(self._one_less)
        while stop is not None and not (await asyncio.wait([done], timeout=PROMPT))[0]:
            if await request.is_disconnected():
                stop.set()
                break
        return await asyncio.shield(done)

    def _one_less(self, done: object) -> None:
        self.waiting -= 1

    def close(self) -> None:
        """Stops what is read, and waits for what is written."""
        for stop in self._stops:
            stop.set()
        self._writing.shutdown()
        self._reading.shutdown()
