"""What goes to standard output and to the terminal."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rdfinc.datalog.printing import in_line, shortened, visible

CELL = 120
"""Characters of a term that a table shows."""


def put(text: str) -> None:
    """Prints text for people, without anything that a terminal would obey."""
    put_data(visible(text))


def put_data(text: str) -> None:
    """Prints text as it is, with a line end."""
    with _until_closed():
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
        sys.stdout.flush()


def put_bytes(data: bytes) -> None:
    """Prints bytes as they are."""
    with _until_closed():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


@contextmanager
def _until_closed() -> Iterator[None]:
    """A reader who has read enough ends the program, with status 0 and in silence. Raises OSError
    where nothing can be written."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed; -o names a file", "standard output")
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def complain(text: str) -> None:
    """Prints text for people on standard error."""
    print(visible(text), file=sys.stderr)


def cell(text: str) -> str:
    """A term on one line, without its middle if it is long."""
    return shortened(in_line(text), CELL)
