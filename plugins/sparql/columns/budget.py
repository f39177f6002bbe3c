"""How much a query may take, and how it is stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct, field

from rdfinc import BudgetExceededError
from rdfinc.knowledge_base.process.machine_memory import MACHINE
from rdfinc.knowledge_base.versions.bounds import bound, event
from rdfinc.plugins.sparql.columns.solutions import Solutions

LIMITS = ("timeout", "max_rows", "max_memory", "cancel", "remote", "files")
"""The options of users."""

Item = TypeVar("Item")
Key = TypeVar("Key", bytes, "bytes | None")
ROW, CELL = 64, 8
"""Bytes of a row of Python terms, which the dictionary shares, and of each of its cells."""
LOOK = 1 << 20
"""Bytes that are kept between two looks at the memory of the machine."""


class Budget(Struct):
    """The limits of a query: `timeout` seconds from the time when it was asked, `max_rows`
    solutions of any of its parts, `max_memory` bytes of kept solutions (blocks under way, of
    bounded size, and look-up tables of paths aside). None is no limit. Setting `cancel`, from any
    thread, stops the query. The memory of the machine bounds every query.

    Every long computation calls `check` at each step: a look-up in an index, a block of rows, a row
    of an expression, an IRI or variable of the text.
    """

    timeout: float | None = None
    max_rows: int | None = None
    max_memory: int | None = None
    cancel: threading.Event | None = None
    remote: bool = False
    files: bool = False
    kept: int = 0
    unseen: int = 0
    asked: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        for name in ("timeout", "max_rows", "max_memory"):
            bound(name, getattr(self, name))
        event(self.cancel)

    def check(self) -> None:
        """Raises BudgetExceededError where time is up, or the query was cancelled."""
        if self.timeout is None and self.cancel is None:
            return
        seconds = time.monotonic() - self.asked
        if self.timeout is not None and seconds > self.timeout:
            raise self._exceeded("timeout", self.timeout, seconds, "s")
        if self.cancel is not None and self.cancel.is_set():
            message = f"query stopped: it was cancelled after {seconds:.3g} s"
            raise BudgetExceededError(message, "cancel", 0, seconds)

    @property
    def left(self) -> float | None:
        """Seconds that are left, to the millisecond; None is no limit."""
        if self.timeout is None:
            return None
        return max(round(self.asked + self.timeout - time.monotonic(), 3), 0.0)

    def checked(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, each after a check."""
        if not self.is_timed:
            return iter(items)
        return self._checked(items)

    def _checked(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self.check()
            yield item

    @property
    def is_timed(self) -> bool:
        """Whether the query may have to be stopped at any time."""
        return self.timeout is not None or self.cancel is not None

    def watched(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function with a check at each call, by which it is told as soon as the texts that it
        makes are too long together."""
        if not self.is_timed and self.max_memory is None:
            return function
        size = 0

        def watching(*operands: Any) -> Any:
            nonlocal size
            self.check()
            found = function(*operands)
            size += len(found) if isinstance(found, str | bytes) else 0
            self._limit_memory(self.kept + size)
            return found

        return watching

    def count(self, rows: int) -> None:
        """Raises BudgetExceededError where a part has too many solutions."""
        self.check()
        if self.max_rows is not None and rows > self.max_rows:
            raise self._exceeded("max_rows", self.max_rows, rows, "rows")

    def keep(self, rows: Solutions, *, decoded: bool = False) -> Solutions:
        """Counts solutions that are kept, as they are or as rows of terms, where there is a limit.

        Raises BudgetExceededError if they are too many.
        """
        self._look(CELL * rows.size * len(rows.columns))
        if self.max_memory is None:
            return rows
        if decoded:
            self.kept += rows.size * (ROW + CELL * len(rows.columns))
        else:
            self.kept += sum(column.nbytes for column in rows.columns.values())
        self._limit_memory(self.kept)
        return rows

    def hold(self, size: int) -> None:
        """Counts bytes of an answer that is put together. Raises BudgetExceededError."""
        self._look(size)
        self.kept += size
        self._limit_memory(self.kept)

    def compute(self, keys: list[Key]) -> list[Key]:
        """Counts computed terms. Raises BudgetExceededError if they are too long."""
        if self.max_memory is not None:
            self.kept += sum(len(key or b"") for key in keys)
            self._limit_memory(self.kept)
        return keys

    def _look(self, size: int) -> None:
        """Looks at the memory of the machine now and then, as bytes are kept."""
        self.unseen += size
        if self.unseen > LOOK:
            self.unseen = 0
            MACHINE.check("query stopped")

    def _limit_memory(self, reached: int) -> None:
        if self.max_memory is not None and reached > self.max_memory:
            raise self._exceeded("max_memory", self.max_memory, reached, "bytes")

    def _exceeded(self, name: str, limit: float, reached: float, unit: str) -> BudgetExceededError:
        shown = f"{reached:,.3g}" if isinstance(reached, float) else f"{reached:,}"
        message = f"query stopped: {name}={limit:,} is exceeded, {shown} {unit} so far"
        return BudgetExceededError(
            f"{message}; narrow the query or allow more", name, limit, reached
        )
