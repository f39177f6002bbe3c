"""Other thresholds than those in force, for as long as a test or a context lasts."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict, force_setattr


class InForce(dict[str, Any]):
    """The thresholds of a layer by name; what is assigned to one is in force from then on."""

    def __init__(self, thresholds: Any) -> None:
        super().__init__(asdict(thresholds))
        self._thresholds = thresholds

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        force_setattr(self._thresholds, name, value)


def put(patch: pytest.MonkeyPatch, thresholds: Any, **others: Any) -> None:
    """Puts thresholds of a layer in force, by name."""
    known = InForce(thresholds)
    for name, value in others.items():
        assert name in known, name
        patch.setitem(known, name, value)
