"""Other thresholds than those in force, for as long as a test or a context lasts."""

from __future__ import annotations

from typing import Any

import pytest


def put(patch: pytest.MonkeyPatch, thresholds: Any, **others: Any) -> None:
    """Puts thresholds of a layer in force, by name."""
    for name, value in others.items():
        assert name in vars(thresholds), name
        patch.setitem(vars(thresholds), name, value)
