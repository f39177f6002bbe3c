"""Worker processes that read shares, and what they have read in the order of the shares.

Workers are processes of their own, neither forked nor spawned from the main module: so they can be
started in a notebook, in any thread and in a script without a guard. They talk through pipes: there
is nothing to clean up, and no file system that can be too small.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rdfinc.errors import WorkerError
from rdfinc.terms.io.checks import Check
from rdfinc.terms.io.parallel.numbered_share import NumberedShare, numbered, unread
from rdfinc.terms.io.parallel.shares import Share
from rdfinc.terms.io.parallel.worker import READY
from rdfinc.terms.term_thresholds import TERMS

_MODULE = "rdfinc.terms.io.parallel.worker"
_SHARES_A_WORKER = 2
_PATIENCE = 0.05

_UnderWay = tuple[int, Any, "Future[NumberedShare]"]


class Crew:
    """Some workers, who are gone when the context ends, however it does."""

    def __init__(self, workers: int, *, lenient: bool) -> None:
        self._lenient = lenient
        self._workers = [Worker() for _ in range(workers)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(workers, "rdfinc-worker")

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.close()

    @property
    def is_reduced(self) -> bool:
        """Whether some worker could not be started."""
        return any(worker.is_absent for worker in self._workers)

    def read(
        self, shares: Iterator[tuple[int, Share | Exception]], check: Check
    ) -> Iterator[tuple[int, Share | Exception, NumberedShare]]:
        """Numbered shares as workers read them, in order; so many are under way as keep all workers
        busy. An error that stands for a share is one of a share that holds nothing.

        Raises WorkerError, and what `check` raises, which is called now and then.
        """
        ahead = _SHARES_A_WORKER * len(self._workers)
        under_way = deque(map(self._begun, islice(shares, ahead)))
        while under_way:
            number, share, future = under_way.popleft()
            yield number, share, _awaited(future, check)
            under_way.extend(map(self._begun, islice(shares, 1)))

    def read_alone(self, share: Share | Exception, check: Check) -> NumberedShare:
        """A share as some worker reads it."""
        return _awaited(self._threads.submit(self._read, share), check)

    def _begun(self, numbered: tuple[int, Share | Exception]) -> _UnderWay:
        number, share = numbered
        return number, share, self._threads.submit(self._read, share)

    def _read(self, share: Share | Exception) -> NumberedShare:
        if isinstance(share, Exception):
            return unread(share)
        worker = self._idle.get()
        try:
            return worker.read(share, lenient=self._lenient)
        finally:
            self._idle.put(worker)


def _awaited(future: Future[NumberedShare], check: Check) -> NumberedShare:
    while True:
        check()
        try:
            return future.result(_PATIENCE)
        except NotYetError:
            if future.done():
                raise


class Worker:
    """One worker. Where none can be started (no process, no Python), this process does its work:
    slower, to the same result."""

    def __init__(self) -> None:
        self._process = _started()
        self._is_ready = False
        self.is_absent = self._process is None

    def read(self, share: Share, *, lenient: bool) -> NumberedShare:
        """The share as the worker reads it. Raises WorkerError if it ends before it is done."""
        if not self._is_ready and not self.is_absent:
            self._greet()
        if self.is_absent:
            return numbered(share, lenient=lenient)
        try:
            self._tell((share, lenient))
            found: NumberedShare = pickle.load(self._pipes.stdout)
            return found
        except (OSError, EOFError, pickle.UnpicklingError):
            raise WorkerError(share.source.name, self._pipes.wait()) from None

    @property
    def _pipes(self) -> Any:
        assert self._process is not None
        return self._process

    def _greet(self) -> None:
        try:
            self._tell(TERMS)
            self._is_ready = self._pipes.stdout.readline() == READY
        except OSError:
            pass
        self.is_absent = not self._is_ready

    def _tell(self, what: object) -> None:
        pickle.dump(what, self._pipes.stdin, pickle.HIGHEST_PROTOCOL)
        self._pipes.stdin.flush()

    def kill(self) -> None:
        """Ends whatever it does; who waits for it gets an error."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Leaves nothing of it; it must have been killed, and nobody wait for it any more."""
        if self._process is not None:
            self._process.wait()
            for pipe in (self._pipes.stdin, self._pipes.stdout):
                with suppress(OSError):
                    pipe.close()


def _started() -> subprocess.Popen[bytes] | None:
    """A worker's process, in a session of its own so that no terminal interrupts it; None where
    there can be none. It finds all modules where this process finds them."""
    if not Path(sys.executable or "").name.startswith(("python", "pypy")):
        return None  # a program that Python is a part of: who knows what it would do
    known = os.pathsep.join(place or os.getcwd() for place in sys.path)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": known, "PYTHONSAFEPATH": "1"},
            start_new_session=True,
        )
    except OSError:
        return None
