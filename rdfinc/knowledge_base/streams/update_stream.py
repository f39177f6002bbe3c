"""Streams of updates: one after the other, each with a look at the next if that is there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from functools import reduce
from typing import TYPE_CHECKING

from rdfinc.errors import RdfincError
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.knowledge_base.streams.input_facts import statements
from rdfinc.knowledge_base.streams.update_sources import StreamUpdate, UpdateSource, as_update
from rdfinc.knowledge_base.versions.change import Note
from rdfinc.tables.facts import Batch, joined
from rdfinc.terms.dictionary import Dictionary

if TYPE_CHECKING:
    from rdfinc.knowledge_base.streams.async_sources import AsyncSource

Begin = Callable[[], object]
"""To be called once it is an update's turn: then it is made, or refused itself."""

Apply = Callable[[StreamUpdate, object, "Note | None", Begin], "tuple[Delta, Note | None]"]
"""Makes an update, given the facts that the next one may delete and the notes of the one before."""


class _Turns:
    """The updates of a source, made one after the other."""

    def __init__(self, apply: Apply) -> None:
        self._apply = apply
        self._note: Note | None = None
        self._held: list[StreamUpdate] = []

    def made(self, update: StreamUpdate, ahead: object) -> Delta:
        """Makes an update; holds it if its turn does not come."""
        note, self._note = self._note, None
        waiting = [update]
        try:
            delta, self._note = self._apply(update, ahead, note, waiting.clear)
        finally:
            self._held += waiting
        return delta

    def held(self) -> StreamUpdate | None:
        return self._held.pop() if self._held else None


class Stream(Iterator[Delta]):
    """The deltas of the updates of a source, each found when it is asked for. An update that is
    refused raises, and the stream goes on with the one after it; if something else was refused when
    its turn was to come, it goes on with that update."""

    def __init__(self, source: UpdateSource, apply: Apply, *, lookahead: bool) -> None:
        self._source, self._turns, self._lookahead = source, _Turns(apply), lookahead

    def __next__(self) -> Delta:
        update = self._turns.held() or self._source.next()
        ahead = self._source.peek() if self._lookahead else None
        return self._turns.made(update, ahead)


class AsyncStream(AsyncIterator[Delta]):
    """A stream with an asynchronous source."""

    def __init__(self, source: AsyncSource, apply: Apply, *, lookahead: bool) -> None:
        self._source, self._turns, self._lookahead = source, _Turns(apply), lookahead

    async def __anext__(self) -> Delta:
        update = self._turns.held() or await self._source.next()
        ahead = await self._source.peek() if self._lookahead else None
        return self._turns.made(update, ahead)

    async def aclose(self) -> None:
        """Stops what is under way in the source."""
        self._source.close()


def withdrawn(ahead: object, dictionary: Dictionary) -> Batch:
    """The facts that an update asks to withdraw, as far as they are known before its turn. Facts
    that it also states are among them: these stay, at the cost of a hint."""
    if ahead is None:
        return {}
    try:
        delete = as_update(ahead).delete
        if isinstance(delete, Iterator):
            return {}  # it can be read only once
        graphs, _ = statements(delete, dictionary, {})
    except (TypeError, RdfincError):
        return {}  # to be raised when it is their turn
    return reduce(joined, graphs.values(), {})
