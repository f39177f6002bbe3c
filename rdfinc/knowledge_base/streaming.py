"""Streams of updates: one after the other, each with a look at the next if that is there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from functools import reduce

from rdfinc.errors import RdfincError
from rdfinc.knowledge_base.change import Note
from rdfinc.knowledge_base.delta import Delta
from rdfinc.knowledge_base.intake import statements
from rdfinc.knowledge_base.sources import AsyncSource, Source, Update, as_update
from rdfinc.tables.facts import Batch, joined
from rdfinc.terms.dictionary import Dictionary

Apply = Callable[[Update, object, "Note | None"], "tuple[Delta, Note | None]"]
"""Makes an update, given what may be the next one and what the one before has noted."""


class Stream(Iterator[Delta]):
    """The deltas of the updates of a source, each found when it is asked for. An update that is
    refused raises, and the stream goes on with the one after it."""

    def __init__(self, source: Source, apply: Apply, *, lookahead: bool) -> None:
        self._source, self._apply, self._lookahead = source, apply, lookahead
        self._note: Note | None = None

    def __next__(self) -> Delta:
        update = self._source.next()
        ahead = self._source.peek() if self._lookahead else None
        note, self._note = self._note, None
        delta, self._note = self._apply(update, ahead, note)
        return delta


class AsyncStream(AsyncIterator[Delta]):
    """The same for an asynchronous source."""

    def __init__(self, source: AsyncSource, apply: Apply, *, lookahead: bool) -> None:
        self._source, self._apply, self._lookahead = source, apply, lookahead
        self._note: Note | None = None

    async def __anext__(self) -> Delta:
        update = await self._source.next()
        ahead = await self._source.peek() if self._lookahead else None
        note, self._note = self._note, None
        delta, self._note = self._apply(update, ahead, note)
        return delta

    async def aclose(self) -> None:
        """Stops what is under way in the source."""
        self._source.close()


def withdrawn(ahead: object, dictionary: Dictionary) -> Batch:
    """The facts that an update asks to withdraw, as far as that can be told before its turn. What
    it states as well is among them: then it stays, which costs a hint."""
    if ahead is None:
        return {}
    try:
        delete, _ = as_update(ahead)
        if isinstance(delete, Iterator):
            return {}  # it can be read only once
        graphs, _ = statements(delete, dictionary.find)
    except (TypeError, RdfincError):
        return {}  # to be raised when it is their turn
    return reduce(joined, graphs.values(), {})
