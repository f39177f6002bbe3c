"""How much was done in an update."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(init=False)
class Counters:
    """The work of an update: facts checked, facts put in doubt for the first time, rule instances
    considered in each pass, and facts enumerated of the changes of closed relations. Instances
    found together may count as one if they have one head."""

    checked: int = 0
    doubted: int = 0
    backward: int = 0
    saturate: int = 0
    propagate: int = 0
    insertions: int = 0
    dr2: int = 0
    dr4: int = 0
    dr5: int = 0
    marks_explicit: int = 0
    marks_implicit: int = 0
    groups: int = 0
    kept: int = 0
    enumerated: int = 0

    def as_dict(self) -> dict[str, int]:
        return {**_ZERO, **vars(self)}


_ZERO = {each.name: 0 for each in fields(Counters)}
