"""What is under way, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SILENT = ContextVar("_SILENT", default=False)


def silence(asked: bool) -> None:
    """Says nothing of what is under way from now on, if asked to."""
    _SILENT.set(asked)


def is_silent() -> bool:
    return _SILENT.get()


@contextmanager
def working(what: str) -> Iterator[Callable[[object], None]]:
    """Says that `what` is under way: on a terminal with a clock, then how far it has come, which
    the function is told, and gone when it is done."""
    with steps() as say:
        say(what)
        if is_silent() or not sys.stderr.isatty():
            yield lambda progress: None
        else:
            yield lambda progress: say(str(progress))


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """A function that says what is under way, step by step."""
    if _SILENT.get():
        yield lambda what: None
        return
    if not sys.stderr.isatty():
        yield lambda what: print(f"{what} …", file=sys.stderr, flush=True)
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False)
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda what: progress.update(task, description=what)
