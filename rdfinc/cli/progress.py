"""What is under way, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def working(what: str) -> Iterator[None]:
    """Says that `what` is under way: on a terminal with a clock, and gone when it is done."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        print(f"{what} …", file=sys.stderr, flush=True)
        yield
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        progress.add_task(what, total=None)
        yield
