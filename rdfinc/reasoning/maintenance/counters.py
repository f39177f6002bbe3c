"""How much was done in an update."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(init=False)
class Counters:
    """How much was done: facts checked, facts that an instance put in doubt while they were neither
    that nor checked, rule instances considered in each pass, facts enumerated of what closed
    relations lost and gained. Instances that are found together and have one head may count as one.
    """

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
