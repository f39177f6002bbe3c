"""Group commit: records reach the disk together, some milliseconds after the first of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from weakref import WeakMethod

from rdfinc.durable.journal import Journal

Fail = Callable[[BaseException], object]


class GroupSync:
    """Puts a journal on disk in a thread of its own, each time some seconds after it was written.
    A loss of power takes the last records, those of such a time at most. `fail` hears of an error.
    """

    def __init__(self, seconds: float, fail: Fail) -> None:
        self._seconds, self._fail = seconds, WeakMethod(fail)
        self._lock = threading.Lock()
        self._written = threading.Event()
        self._journal: Journal | None = None
        threading.Thread(target=self._run, name="rdfinc-sync", daemon=True).start()

    def later(self, journal: Journal) -> None:
        """The journal is on disk soon."""
        self._journal = journal
        if not self._written.is_set():  # whoever clears it looks at the journal afterwards
            self._written.set()

    def finish(self, journal: Journal) -> None:
        """The journal is on disk and closed when this returns. Raises OSError."""
        with self._lock:
            self._journal = None
            journal.sync()
            journal.close()

    def end(self) -> None:
        """Ends the thread."""
        self._seconds = 0.0
        self._written.set()

    def _run(self) -> None:
        while self._written.wait() and self._seconds:
            time.sleep(self._seconds)
            self._written.clear()
            try:
                with self._lock:
                    if self._journal is not None:
                        self._journal.sync()
            except BaseException as error:
                if (fail := self._fail()) is not None:
                    fail(error)
                return
