"""Errors of the operating system, told with what has happened and what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


def with_advice(error: BaseException, what: str, outcome: str, then: str) -> OSError:
    """An error of the same number that says what could not be done and why, what the outcome is,
    and what to do `then`, once there is room on the disk."""
    number = error.errno if isinstance(error, OSError) else None
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    room = "make room on the disk, and " if number in _FULL else ""
    reason = f"{what} ({why}), {outcome}; {room}{then}"
    return OSError(reason) if number is None else OSError(number, reason)


@contextmanager
def telling_refusals(then: str) -> Iterator[None]:
    """A context in which the operating system's refusals of a file are told with what to do: `then`
    where something is not permitted."""
    try:
        yield
    except OSError as error:
        if error.filename is None or error.errno not in (*_FORBIDDEN, *_FULL):
            raise
        what = f"{error.filename} cannot be used"
        then = "try again" if error.errno in _FULL else f"have its owner permit that, or {then}"
        raise with_advice(error, what, "and nothing was changed", then) from error
