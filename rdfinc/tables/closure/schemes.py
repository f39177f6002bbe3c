"""The storage scheme for each kind of closure."""

from __future__ import annotations

from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.closure.components.component_table import Components
from rdfinc.tables.closure.intervals.interval_table import Interval
from rdfinc.tables.table import Table


def closed(external: Table, *, symmetric: bool, diagonal: bool) -> ClosedTable:
    """The compact table of a transitive closure with these external facts."""
    if symmetric:
        return Components.of(external, diagonal=diagonal)
    return Interval.of(external, diagonal=diagonal)
