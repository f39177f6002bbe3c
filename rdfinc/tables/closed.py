"""Tables whose pairs are a function of other facts, their *external facts*, kept elsewhere."""

from __future__ import annotations

from abc import abstractmethod

from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import KeptTable, Keys, Table


class ClosedTable(KeptTable):
    """Immutable: a change of the external facts gives another table, which shares with this one
    what is the same. The external facts are among the pairs."""

    __slots__ = ()

    @abstractmethod
    def revised(self, external: Table, gone: Keys, new: Keys) -> ClosedTable:
        """The table once its external facts are `external`, which lack `gone` and have `new`: an
        exact change, the two disjoint."""

    def beyond(self, other: Table) -> KeyArray:
        """The pairs that `other` lacks, sorted. Cheap where `other` is an earlier or a later table
        of the same relation: only what differs is enumerated."""
        keys = self.scan()
        return keys[~other.contains(keys)]
