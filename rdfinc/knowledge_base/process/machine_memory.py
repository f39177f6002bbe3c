"""The memory that the machine has left for this process.

A change or a query that would take the last of it is refused: Linux would end the process instead,
and with it what is in memory alone. That is so where this process has taken a good part of it; what
others have taken is no reason. Elsewhere nobody is asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from rdfinc.errors import BudgetExceededError
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.control_groups import groups_of
from rdfinc.knowledge_base.process.memory import give_back_meanwhile, resident, trim

_ALL = Path("/proc/meminfo")
_FILES = (
    ("memory.max", "memory.current", ""),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_"),
)
"""Limit, use, and how the totals in `memory.stat` begin, in either version of control groups."""

Room = tuple[int, int]
"""Bytes that are left, and those that there are in all."""

Told = Callable[[], Room | None]


class MachineMemory:
    """The memory that is left, of which somebody `tells`, and what this process has `taken`; looked
    at now and then. Then what a process that grows has no use for goes back, too."""

    def __init__(
        self,
        tell: Told,
        taken: Callable[[], int],
        free: Callable[[], None],
        give_back: Callable[[], None],
    ) -> None:
        self._tell, self._taken, self._free, self._give_back = tell, taken, free, give_back
        self._next = 0.0

    def check(self, what: str) -> None:
        """Raises BudgetExceededError where hardly any memory is left: `what` was stopped then."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + KNOWLEDGE.memory_seconds
        self._give_back()
        if self._shortage() is None:
            return
        self._free()
        shortage = self._shortage()
        if shortage is not None:
            left, least = shortage
            message = (
                f"{what}: the memory of this machine is nearly used up, {left:,} bytes are left"
            )
            advice = "narrow what is asked, change less at a time, or take a larger machine"
            raise BudgetExceededError(f"{message}; {advice}", "memory", least, left)

    def _shortage(self) -> Room | None:
        """What is left, and what has to be, if that is more and this process is to blame."""
        told = self._tell()
        if told is None:
            return None
        left, total = told
        least = max(total // KNOWLEDGE.memory_share, min(KNOWLEDGE.least_memory, total // 4))
        is_mine = left < least and self._taken() * KNOWLEDGE.memory_taken > total
        return (left, least) if is_mine else None


def memory_left() -> Room | None:
    """The room of the machine, or of that control group of this process which has least left."""
    try:
        told = dict(line.split(":") for line in _ALL.read_text("ascii").splitlines())
        sizes = {name: 1024 * int(told[name].split()[0]) for name in _SIZES}
    except (OSError, ValueError, KeyError):
        return None
    total = sizes["MemTotal"]
    rooms = (room for group in groups_of("memory") for room in _rooms(group, total))
    return min([(sizes["MemAvailable"] + sizes["SwapFree"], total), *rooms])


_SIZES = ("MemAvailable", "SwapFree", "MemTotal")


def _rooms(group: Path, total: int) -> Iterator[Room]:
    """The room of a control group, if it may take less than the machine has in all. What it keeps
    of files can be let go."""
    for limit, used, start in _FILES:
        with suppress(OSError, ValueError):
            most = int((group / limit).read_text("ascii"))
            if most >= total:
                return
            lines = (group / "memory.stat").read_text("ascii").splitlines()
            stat = dict(line.split() for line in lines)
            files = sum(int(stat[f"{start}{kind}_file"]) for kind in ("active", "inactive"))
            yield most - int((group / used).read_text("ascii")) + files, most


MACHINE = MachineMemory(memory_left, resident, trim, give_back_meanwhile)
