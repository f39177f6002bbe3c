"""What is under way, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def working(what: str) -> Iterator[None]:
    """Says that `what` is under way: on a terminal with a clock, and gone when it is done."""
    with steps() as say:
        say(what)
        yield


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """A function that says what is under way, step by step."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield lambda what: print(f"{what} …", file=sys.stderr, flush=True)
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda what: progress.update(task, description=what)
