"""An update beside deriving everything again."""

from __future__ import annotations

from msgspec import Struct

from rdfinc.cli.output import duration
from rdfinc.knowledge_base import KnowledgeBase

HEADER = ["update", "came", "went", "update took", "all again", "times as long"]


class PeerComparison(Struct, frozen=True):
    """What an update changed and took, what deriving everything again takes (no file is read for
    it), and whether both give the same facts. Of many updates only the time is told."""

    what: str
    added: int | None
    removed: int | None
    seconds: float
    again_seconds: float
    same: bool

    def row(self) -> list[str]:
        """The line under HEADER."""
        times = self.again_seconds / self.seconds
        return [
            self.what,
            *("" if count is None else f"{count:,}" for count in (self.added, self.removed)),
            duration(self.seconds),
            duration(self.again_seconds),
            f"{times:,.0f}" if times >= 10 else f"{times:.1f}",
        ]


def derived_again(kb: KnowledgeBase) -> tuple[float, bool]:
    """The seconds in which a fresh knowledge base derives everything from what `kb` states, and
    whether it then has the same facts."""
    fresh = KnowledgeBase(profile=kb.profile)
    fresh.add_rules(kb.program)
    report = fresh.update(insert=kb.explicit).report
    return report.seconds, set(fresh) == set(kb)
