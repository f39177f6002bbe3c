"""Bounds of a change: how long it may take, and how much there may be after it."""

from __future__ import annotations

import threading
import time
from numbers import Real
from typing import Any

from rdfinc.errors import BudgetExceededError
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.load_progress import Meter
from rdfinc.knowledge_base.process.machine_memory import MACHINE
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.reasoning.evaluation.search_reports import reported_to, unheard
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.tables.views import EMPTY
from rdfinc.terms.dictionary import Dictionary

KEY, TERM, FROZEN_TERM = 8, 170, 17
"""Bytes of a fact that was found, and of a term beside its text: new ones, and frozen ones."""


class Bounds:
    """The bounds of one change: `timeout` in seconds from now, `cancel`, which another thread may
    set, `max_facts` in view and `max_memory` in bytes of facts and terms, estimated. None is no
    bound. A change after which there is less of what is too much is within bounds. The memory of
    the machine bounds every change.

    They are looked at between steps, and when the change is maintained; a `meter` hears how many
    facts were found then. Facts that are found stay, so what is too many of them then is too many
    in the end.
    """

    def __init__(
        self,
        max_facts: int | None,
        max_memory: int | None,
        timeout: float | None,
        cancel: threading.Event | None,
        meter: Meter | None = None,
    ) -> None:
        self._max_facts, self._max_memory = max_facts, max_memory
        self._timeout, self._cancel = bound("timeout", timeout), event(cancel)
        self._start, self._meter = time.monotonic(), meter
        self._facts = self._bytes = self._text = 0

    def read(self, statements: int = 0, size: int = 0) -> None:
        """Called while files are read. Raises BudgetExceededError."""
        self.check()
        read_unbound()
        if self._meter is not None:
            self._meter.read(statements, size)

    def check(self) -> None:
        """Raises BudgetExceededError where time is up, or the change was cancelled."""
        seconds = time.monotonic() - self._start
        if self._timeout is not None and seconds > self._timeout:
            raise _exceeded("timeout", self._timeout, seconds, "s")
        if self._cancel is not None and self._cancel.is_set():
            message = f"update rolled back: it was cancelled after {seconds:.3g} s"
            raise BudgetExceededError(message, "cancel", 0, seconds)

    def begin(self, version: Version, visibility: Visibility, dictionary: Dictionary) -> None:
        """Called with the facts before the change."""
        self._visibility, self._dictionary = visibility, dictionary
        self._facts, self._position = version.visible(), dictionary.position
        if self._max_memory is not None:
            self._bytes = version.nbytes() + _bytes_of_terms(dictionary)

    def watch(self, update: Update) -> None:
        """Looks at the bounds while an update is made: what raises BudgetExceededError ends it."""
        update.spend, update.find = Look(self, update, 0), Look(self, update, KEY)
        if self._max_facts is not None:
            update.room = max(self._max_facts - self._facts, 0)

    def finish(self, update: Update, growth: int) -> None:
        """Called with a maintained change. Raises BudgetExceededError."""
        self.check()
        self._refuse_facts(self._facts + growth)
        self._refuse_bytes(update, 0)

    def look(self, update: Update, more: int) -> None:
        """Called now and then, with bytes that are kept beside the facts found so far."""
        self.check()
        MACHINE.check("update rolled back")
        if self._meter is not None:
            self._meter.has_derived(facts_found(update))
        self._refuse_facts(self._found(update))
        self._refuse_bytes(update, more)

    def _found(self, update: Update) -> int:
        """The number of facts that were found so far; of those in view, if there are too many."""
        number, tables = facts_found(update), update.added.tables
        if self._max_facts is None or number <= self._max_facts:
            return number
        shown, unstated = self._visibility.shown, lambda predicate: EMPTY
        return sum(len(shown(p, table.scan(), unstated)) for p, table in tables.items())

    def _refuse_facts(self, facts: int) -> None:
        if self._max_facts is not None and facts > max(self._max_facts, self._facts):
            raise _exceeded("max_facts", self._max_facts, facts, "facts")

    def _refuse_bytes(self, update: Update, more: int) -> None:
        if self._max_memory is None:
            return
        removed = sum(map(len, update.removed.tables.values()))
        new = self._dictionary.since(self._position)
        self._position = self._dictionary.position
        self._text += sum(map(len, self._dictionary.decode_many(new))) + TERM * len(new)
        reached = self._bytes + self._text + more + KEY * (facts_found(update) - removed)
        if reached > max(self._max_memory, self._bytes):
            raise _exceeded("max_memory", self._max_memory, reached, "bytes")


class Look:
    """Looks at bounds now and then, as rule instances are found that take some bytes each until
    the end of a round."""

    def __init__(self, bounds: Bounds, update: Update, bytes_each: int) -> None:
        self._bounds, self._update, self._bytes_each = bounds, update, bytes_each
        self._instances = self._kept = self._found = 0

    def __call__(self, instances: int, ahead: int = 0) -> None:
        """Raises BudgetExceededError."""
        self._instances += instances
        if self._instances < KNOWLEDGE.instances_a_check:
            return
        if (facts := facts_found(self._update)) != self._found:  # another round has begun
            self._found, self._kept = facts, 0
        self._kept += self._instances * self._bytes_each
        self._instances = 0
        with reported_to(unheard):  # what users have given is called, and may update another one
            self._bounds.look(self._update, self._kept)


class LookAtTime:
    """Looks at the time now and then, as searches go on."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds, self._steps = bounds, 0

    def __call__(self, steps: int) -> None:
        """Raises BudgetExceededError."""
        self._steps += steps
        if self._steps >= KNOWLEDGE.instances_a_check:
            self._steps = 0
            with reported_to(unheard):
                self._bounds.check()


class LookAtMemory:
    """Looks at the memory of the machine alone, for changes without bounds."""

    def __init__(self) -> None:
        self._instances = 0

    def __call__(self, instances: int, ahead: int = 0) -> None:
        """Raises BudgetExceededError."""
        self._instances += instances
        if self._instances >= KNOWLEDGE.instances_a_check:
            self._instances = 0
            MACHINE.check("update rolled back")


_UNBOUND = LookAtMemory()


def watch_unbound(update: Update) -> None:
    """Looks at the memory of the machine while facts are found for an update without bounds."""
    update.find = _UNBOUND


def read_unbound(statements: int = 0, size: int = 0) -> None:
    """Called while files are read for a change without bounds. Raises BudgetExceededError."""
    MACHINE.check("update rolled back")


def facts_found(update: Update) -> int:
    """The number of facts that an update has found so far."""
    return sum(map(len, update.added.tables.values()))


def bound(name: str, limit: Any) -> Any:
    """A bound that a user has given. Raises TypeError, ValueError."""
    if not isinstance(limit, Real | None) or isinstance(limit, bool):
        raise TypeError(f"{name}={limit!r}: give a number, or None for no limit")
    if limit is not None and not limit >= 0:  # type: ignore[operator]
        raise ValueError(f"{name}={limit!r}: give a number from 0 up, or None for no limit")
    return limit


def event(cancel: Any) -> threading.Event | None:
    """What a user has given to stop something. Raises TypeError."""
    if cancel is not None and not callable(getattr(cancel, "is_set", None)):
        raise TypeError(f"cancel={cancel!r}: give a threading.Event, or None")
    found: threading.Event | None = cancel
    return found


def _bytes_of_terms(dictionary: Dictionary) -> int:
    """An estimate, from the texts of a few."""
    terms = dictionary.terms
    some = range(0, len(terms), 1 + len(terms) // KNOWLEDGE.sampled_terms)
    texts = len(terms) * sum(len(terms[id]) for id in some) // len(some)
    thawed = dictionary.thawed
    return texts + TERM * thawed + FROZEN_TERM * max(len(terms) - thawed, 0)


def _exceeded(name: str, limit: float, reached: float, unit: str) -> BudgetExceededError:
    shown = f"{reached:,.3g}" if isinstance(reached, float) else f"{reached:,}"
    message = f"update rolled back: {name}={limit:,} is exceeded, {shown} {unit} so far"
    advice = "do the rules end? Change less at a time, or allow more"
    return BudgetExceededError(f"{message}; {advice}", name, limit, reached)
