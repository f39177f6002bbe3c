"""Adapters that the engine does not know, found by name."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from rdfinc.errors import UnsupportedError

GROUP = "rdfinc.extensions"


def extension(name: str) -> Any:
    """What an installed package registered under `name`. Raises UnsupportedError."""
    for entry in entry_points(group=GROUP, name=name):
        return entry.load()
    raise UnsupportedError(f"{name!r}, for which no package is installed; install rdfinc again")
