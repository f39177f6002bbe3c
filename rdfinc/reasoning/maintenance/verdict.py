"""What an update finds wrong with the strata that it was made by."""

from __future__ import annotations

from msgspec import Struct

from rdfinc.datalog.analysis.modules import Module
from rdfinc.tables.facts import Batch


class TooFine(Struct, frozen=True):
    """A stratum derived `facts` of a lower one, or facts that need other strata."""

    facts: Batch


class Unfit(Struct, frozen=True):
    """The relations of `module` are not one closure after all, or not for representatives."""

    module: Module


class FirstEquality(Struct, frozen=True):
    """Something is equal to something, nothing was before the update, and facts can be held over
    representatives."""


Verdict = TooFine | Unfit | FirstEquality


class Stopped(Exception):  # noqa: N818  a signal between modules, never seen by users
    """An update need not go on: `maintain` tells the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self.verdict = verdict
