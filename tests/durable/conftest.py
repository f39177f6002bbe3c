"""Checkpoints come only where a test asks for them: those that are due are written by a thread at a
moment of its own, while a test may be copying or damaging the files."""

from __future__ import annotations

import pytest

from rdfinc.durable.durable_thresholds import DURABLE
from thresholds import put


@pytest.fixture(autouse=True)
def _none_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, DURABLE, least_replay_seconds=1e6)
