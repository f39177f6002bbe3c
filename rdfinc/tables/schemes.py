"""Which table suits which closure."""

from __future__ import annotations

from rdfinc.datalog.modules import Kind
from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.connection.components import Components
from rdfinc.tables.intervals.interval import Interval
from rdfinc.tables.table import Table


def closed(kind: Kind, external: Table) -> ClosedTable:
    """The compact table of a closure with these external facts."""
    if kind.symmetric:
        return Components.of(external, diagonal=kind.diagonal)
    return Interval.of(external, diagonal=kind.diagonal)
