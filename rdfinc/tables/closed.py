"""Tables whose pairs are a function of other facts, their *external facts*, kept elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import KeptTable, Keys, Table
from rdfinc.tables.transposed import Transposed


class ClosedTable(KeptTable):
    """An immutable table of a closure. A change of the external facts gives another table, which
    shares all unchanged parts. The external facts are among the pairs."""

    __slots__ = ()

    @abstractmethod
    def after_edges(self, external: Table, gone: Keys, new: Keys) -> ClosedTable:
        """The table once its external facts are `external`, which lack `gone` and have `new`: an
        exact change, the two disjoint."""

    def beyond(self, other: Table) -> KeyArray:
        """The pairs that `other` lacks, sorted. Cheap where `other` is an earlier or a later table
        of the same relation: only what differs is enumerated."""
        keys = self.scan()
        return keys[~other.contains(keys)]


class MakeClosed(Protocol):
    """Makes the table of a transitive closure from all its external facts."""

    def __call__(self, external: Table, *, symmetric: bool, diagonal: bool) -> ClosedTable: ...


def beyond(table: Table, other: Table) -> KeyArray:
    """The pairs of a table that another one lacks, sorted."""
    if isinstance(table, ClosedTable):
        return table.beyond(other)
    if isinstance(table, Transposed) and isinstance(other, Transposed):
        return np.sort(kernels.swap(beyond(table.table, other.table)))
    keys = table.scan()
    return keys[~other.contains(keys)]
