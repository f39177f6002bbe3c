"""Damage: files that are not what was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rdfinc.errors import CorruptedError


class Damage(Exception):  # noqa: N818  a signal inside this package, never seen by users
    """What was read is not what was written; the message says where."""


@contextmanager
def telling_damage(place: str) -> Iterator[None]:
    """A context whose Damage is a CorruptedError with the place and advice."""
    try:
        yield
    except Damage as damage:
        raise CorruptedError(
            f"{place}: {damage}; nothing was changed. `rdfinc verify` says what is whole; restore"
            " a backup"
        ) from damage
