"""The union of some relations, for a relation to which rules copy all of them: it keeps nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import KeptTable, Table
from rdfinc.tables.transposed import Transposed, straight
from rdfinc.tables.views import UnionView


class RelationUnion(UnionView, KeptTable):
    """All pairs of some tables, each once; keeps nothing of its own. Immutable if those are.

    A question costs what it costs in all the tables, and the comparison of their matches. The
    number of pairs is counted when first asked for. After the union scheme of Zhang, Hu, Nenov,
    Horrocks, *Optimised storage for Datalog reasoning* (2024).
    """

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return any(self.tables)

    @cached_property
    def _size(self) -> int:
        """The largest table, whichever way round it is read, is counted as a whole; of the others
        the pairs are read."""
        largest = straight(max(self.tables, key=lambda table: table.at_most()))
        counted = [table for table in self.tables if straight(table) is largest]
        others = [table for table in self.tables if straight(table) is not largest]
        both = len({isinstance(table, Transposed) for table in counted}) > 1
        size = 2 * len(largest) - largest.mutual() if both else len(largest)
        return size + sum(map(len, _beyond(counted, others)))

    def blocks(self) -> Iterator[KeyArray]:
        """One table's after another's, without what those before it have."""
        return _beyond([], self.tables)

    def arrays(self) -> list[NDArray[Any]]:
        return []

    def overlay_bytes(self) -> int:
        return 0


def _beyond(known: Sequence[Table], others: Sequence[Table]) -> Iterator[KeyArray]:
    """In parts, each sorted, the pairs of the others that no known table has, each once."""
    for i, table in enumerate(others):
        before = UnionView([*known, *others[:i]])
        for keys in table.blocks():
            yield keys[~before.contains(keys)] if before.tables else keys
