"""What the store tells those who subscribed at its dispatcher."""

from __future__ import annotations

from typing import Any

from rdflib.events import Dispatcher, Event


class ClosureChangedEvent(Event):
    """The visible closure has changed; `delta` says by which facts.

    rdflib's own TripleAddedEvent and TripleRemovedEvent tell what was *asked* (for a removal only
    the pattern) and come before anything is maintained; this one comes after.
    """

    delta: Any


def publish(dispatcher: Dispatcher, event: type[Event], **data: Any) -> None:
    """Tells the subscribers to `event`, if there are any.

    rdflib's dispatcher would raise ValueError where someone subscribed to other events only.
    """
    if event in (dispatcher.get_map() or ()):
        dispatcher.dispatch(event(**data))
