"""What readers call while they read."""

from __future__ import annotations

from typing import Protocol


class Check(Protocol):
    """Hears how many statements, and bytes of plain files, were read since it was last called; may
    raise, which ends the reading."""

    def __call__(self, statements: int = 0, size: int = 0) -> object: ...


def unchecked(statements: int = 0, size: int = 0) -> None:
    """Hears and raises nothing."""
