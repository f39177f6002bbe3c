"""Errors of the operating system, told with what has happened and what to do."""

from __future__ import annotations

import errno

_FULL = (errno.ENOSPC, errno.EDQUOT)


def with_advice(error: BaseException, what: str, outcome: str, then: str) -> OSError:
    """An error of the same number that says what could not be done and why, what the outcome is,
    and what to do `then`, once there is room on the disk."""
    number = error.errno if isinstance(error, OSError) else None
    why = getattr(error, "strerror", None) or error
    room = "make room on the disk, and " if number in _FULL else ""
    reason = f"{what} ({why}), {outcome}; {room}{then}"
    return OSError(reason) if number is None else OSError(number, reason)
