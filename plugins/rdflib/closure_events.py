"""Events of the store, for subscribers at its dispatcher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rdflib.events import Dispatcher, Event


class ClosureChangedEvent(Event):
    """The visible closure has changed, by whatever way; `delta` says by which facts. Comes once the
    knowledge base is free, so that subscribers may read and change it.

    rdflib's own TripleAddedEvent and TripleRemovedEvent tell what was *asked* (for a removal only
    the pattern) and come before anything is maintained; this one comes after.
    """

    delta: Any


class Announcements(Dispatcher):
    """A dispatcher that calls `hear` when someone subscribes to changes of the closure."""

    def __init__(self, hear: Callable[[], object]) -> None:
        self._hear = hear

    def subscribe(self, event_type: type[Event], handler: Callable[[Any], object]) -> Dispatcher:
        if event_type is ClosureChangedEvent:
            self._hear()
        return super().subscribe(event_type, handler)


def publish(dispatcher: Dispatcher, event: type[Event], **data: Any) -> None:
    """Tells the subscribers to `event`, if there are any.

    rdflib's dispatcher would raise ValueError where someone subscribed to other events only.
    """
    if event in (dispatcher.get_map() or ()):
        dispatcher.dispatch(event(**data))
