"""A process that measures one library: `python child.py FILE CLASS TASK PROFILE < job`.

The task is a function below, the job its arguments in JSON. Findings are told as they come, an
object of JSON a line, so that what was found before the process is stopped is not lost. What a
library imports is imported before the clock runs.
"""

from __future__ import annotations

import gc
import json
import os
import random
import runpy
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

SLOW = 5.0
"""Seconds that a query may take, as far as a library lets itself be interrupted."""

Tell = Callable[..., None]


class Late(BaseException):
    """A query took too long; no library takes this for an error of its own."""


def close(library: Any, tell: Tell, data: str, rules: Sequence[str], write: str | None) -> None:
    """From a file to the closure, which is written to a file if one is named."""
    start, used = time.perf_counter(), time.process_time()
    deriving = library.load(data, rules)
    seconds, processor = time.perf_counter() - start, time.process_time() - used
    tell(
        seconds=seconds,
        deriving=deriving,
        processor=processor,
        peak_bytes=peak(),
        facts=library.size(),
    )
    if write is not None:
        library.write(write)


def ask(
    library: Any,
    tell: Tell,
    data: str,
    rules: Sequence[str],
    queries: dict[str, str],
    repetitions: int,
) -> None:
    """Each query the first time, and then the median of repetitions."""
    library.load(data, rules)
    gc.collect()
    for name, query in queries.items():
        try:
            with _in_time():
                rows, first = _asked(library, query)
                later = [_asked(library, query)[1] for _ in range(repetitions)]
            tell(query=name, rows=rows, first=first, seconds=median(later))
        except Late:
            tell(query=name, failure=f"more than {SLOW:g} s")
        except Exception as error:
            tell(query=name, failure=str(error))


def _asked(library: Any, query: str) -> tuple[int, float]:
    """The rows, and the seconds they took."""
    start = time.perf_counter()
    rows = library.ask(query)
    seconds = time.perf_counter() - start
    signal.setitimer(signal.ITIMER_REAL, SLOW)
    return rows, seconds


@contextmanager
def _in_time() -> Iterator[None]:
    """Raises Late once one query takes too long."""

    def stop(*_: object) -> None:
        raise Late

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SLOW)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def change(
    library: Any, tell: Tell, data: str, rules: Sequence[str], count: int, write: str, left: str
) -> None:
    """Statements drawn at random go one by one, and then come back one by one. In between, the
    closure is written to a file, and what is stated to another."""
    library.load(data, rules)
    with open(data, encoding="utf-8") as lines:
        stated = list(lines)
    named = [line for line in stated if "_:" not in line]
    drawn = dict.fromkeys(random.Random(1).sample(named, min(count, len(named))))
    gone = [_seconds(library.withdraw, line) for line in drawn]
    library.write(write)
    with open(left, "w", encoding="utf-8") as out:
        out.writelines(line for line in stated if line not in drawn)
    back = [_seconds(library.state, line) for line in drawn]
    tell(gone=gone, back=back, facts=library.size())


def _seconds(act: Callable[[str], None], line: str) -> float:
    start = time.perf_counter()
    act(line)
    return time.perf_counter() - start


def peak() -> int:
    """The most memory that this process had, in bytes."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
    except OSError:
        import resource

        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return size if sys.platform == "darwin" else size * 1024


def main() -> None:
    del sys.path[0]  # the folder of this file
    file, made, task, profile = sys.argv[1:]
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no finding

    def tell(**found: object) -> None:
        print(json.dumps(found), file=told, flush=True)

    library = runpy.run_path(file)[made](profile)
    {"close": close, "ask": ask, "change": change}[task](library, tell, **json.load(sys.stdin))


if __name__ == "__main__":
    main()
