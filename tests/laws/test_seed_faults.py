"""The laws can fail: a few of the faults of `seed_faults.py`, so that the script stays alive."""

from __future__ import annotations

import pytest

from laws import seed_faults
from laws.faults import FAULTS, Fault

CHOSEN = [
    "a stratum that is materialised anew loses what is stated",
    "other graphs that state a fact are forgotten",
]


@pytest.mark.parametrize(
    "fault", [f for f in FAULTS if f.meaning in CHOSEN], ids=lambda f: f.meaning
)
def test_the_laws_notice(fault: Fault) -> None:
    assert seed_faults.try_fault(fault, seconds=60).by != seed_faults.SURVIVED


def test_every_fault_still_applies() -> None:
    assert len({fault.meaning for fault in FAULTS}) == len(FAULTS) >= 24
    assert [fault.meaning for fault in FAULTS if len(seed_faults.places(fault)) != 1] == []
