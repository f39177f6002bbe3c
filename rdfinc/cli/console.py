"""What goes to standard output and to the terminal."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rdfinc.terms.late_patterns import late

CELL = 120
"""Characters of a term that a table shows."""

_CONTROL = late(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_SPACE = {"\n": "\\n", "\t": "\\t"}


def put(text: str) -> None:
    """Prints text for people, without anything that a terminal would obey."""
    put_data(clean(text))


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
    print(clean(text), file=sys.stderr)


def clean(text: str) -> str:
    """Text with visible codes for control characters, those of the direction of writing too."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04X}", text)


def cell(text: str) -> str:
    """A term on one line, without its middle if it is long."""
    line = "".join(_SPACE.get(each, each) for each in text)
    return line if len(line) <= CELL else f"{line[: CELL - 21]} … {line[-18:]}"
