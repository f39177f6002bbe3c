"""One change of a knowledge base by ids: the request, and its effect."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from rdfinc.datalog.analysis.modules import Modules
from rdfinc.datalog.model import Rule
from rdfinc.knowledge_base.versions.bounds import Bounds
from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.maintenance.counters import Counters
from rdfinc.reasoning.maintenance.marking import Hints
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.facts import Batch

Statements = dict[int, Batch]


class Note(Struct, frozen=True):
    """Hints for the next change; void once another was made, or the strata were made anew."""

    hints: Hints
    strata: Strata
    commits: int


class Change(Struct):
    """The request of a change: statements by graph, rules by canonical form. `ahead` are facts
    that the next change is to withdraw, `note` holds the notes that the change before made for
    it. It is refused if it goes beyond its `bounds`."""

    delete: Statements = field(default_factory=dict)
    insert: Statements = field(default_factory=dict)
    rules_removed: dict[Rule, Rule] = field(default_factory=dict)
    rules_added: dict[Rule, Rule] = field(default_factory=dict)
    ahead: Batch = field(default_factory=dict)
    note: Note | None = None
    bounds: Bounds | None = None


class Effect(NamedTuple):
    """The effect of a change on all facts held, auxiliary ones included: the facts that stopped and
    started being explicit, those that went and came, the relations in other tables, and the
    modules and aliases before it."""

    deleted: Batch
    inserted: Batch
    went: Batch
    came: Batch
    shifts: dict[int, Shift]
    modules: Modules
    aliases: Aliases


class Outcome(NamedTuple):
    """The outcome of a change: the net change in view, and how it was found."""

    added: Batch
    removed: Batch
    counters: Counters
    strategy: str
    ignored: int
    seconds: float
    shifts: dict[int, Shift]
    """Relations in view of which the change is enumerated only when asked for."""
    effect: Effect
    note: Note | None
    """Notes for the next change, if its deletions were known."""

    @property
    def takes(self) -> bool:
        """Whether facts may have gone."""
        return bool(self.removed or self.effect.went or self.effect.deleted)


class Refused(Exception):  # noqa: N818  a signal between two layers, never seen by users
    """The change contradicts the rules; nothing was changed. `violations` are the new ones."""

    def __init__(self, violations: Batch, update: Update) -> None:
        super().__init__()
        self.violations, self.update = violations, update
