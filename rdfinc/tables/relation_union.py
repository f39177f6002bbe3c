"""The union storage scheme of relations to which others are copied."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import KeptTable
from rdfinc.tables.views import Either


class RelationUnion(Either, KeptTable):
    """All pairs of some tables, each once; keeps nothing of its own. Immutable if those are.

    A question costs what it costs in all the tables, and to tell which matches are the same. How
    many pairs there are is counted when first asked for. After the union scheme of Zhang, Hu,
    Nenov, Horrocks, *Optimised storage for Datalog reasoning* (2023).
    """

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return any(self.tables)

    @cached_property
    def _size(self) -> int:
        return sum(map(len, self.blocks()))

    def blocks(self) -> Iterator[KeyArray]:
        """One table's after another's, without what those before it have."""
        yield from self.tables[0].blocks()
        for i, table in enumerate(self.tables[1:], start=1):
            before = Either(self.tables[:i])
            for keys in table.blocks():
                yield keys[~before.contains(keys)]

    def arrays(self) -> list[NDArray[Any]]:
        return []

    def overlay_bytes(self) -> int:
        return 0
