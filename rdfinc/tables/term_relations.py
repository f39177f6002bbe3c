"""Which relations a term has pairs in: what is asked where a literal may match many relations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import KeptTable, Keys
from rdfinc.tables.table_thresholds import TABLES


class TermRelations:
    """For each term the relations with pairs that begin, or end, with it, and maybe others.

    `of` tells nothing until it was asked so often that it pays to note them, which takes a pass
    through the tables and 8 B for each term and relation. From then on every pair that comes is
    noted, O(1), and none that goes: so they are a superset. They are forgotten when they are
    `noted_growth` times as many. Of the `other` relations, those kept in tables that do not change
    pair by pair, nothing is noted.
    """

    __slots__ = ("_asked", "_ends", "_most", "other")

    def __init__(self) -> None:
        self._asked, self._most = 0, 0
        self._ends: tuple[Plain, Plain] | None = None
        self.other: set[int] = set()

    def __reduce__(self) -> tuple[Callable[[], TermRelations], tuple[()]]:
        """Pickled without what is noted."""
        return TermRelations, ()

    def of(
        self, id: int, looked_at: int, tables: Mapping[int, KeptTable], *, as_subject: bool
    ) -> Collection[int] | None:
        """The relations that are not `other`; None while they are not noted, and so many have to
        be looked at. `tables` are all there are. O(log n)."""
        if self._ends is None:
            self._asked += looked_at
            if not self._pays(tables):
                return None
            self._begin(tables)
        assert self._ends is not None
        return self._ends[not as_subject].objects(id)

    def _pays(self, tables: Mapping[int, KeptTable]) -> bool:
        """Whether the look-ups so far took as long as it would take to note all pairs."""
        least = self._asked * TABLES.look_up_pairs
        if least < len(tables):
            return False
        pairs = sum(table.at_most() for table in tables.values())
        return pairs <= min(least, TABLES.noted_pairs)

    def _begin(self, tables: Mapping[int, KeptTable]) -> None:
        noted = {p: table for p, table in tables.items() if table.changes_by_fact}
        self.other = tables.keys() - noted.keys()
        self._ends = (
            _ends({p: table.all_subjects() for p, table in noted.items()}),
            _ends({p: table.all_objects() for p, table in noted.items()}),
        )
        self._most = TABLES.noted_growth * (1 + sum(map(len, self._ends)))

    def note(self, relation: int, keys: Keys) -> None:
        """Notes pairs that a relation has from now on."""
        if self._ends is None or relation in self.other:
            return
        subjects, objects = self._ends
        if isinstance(keys, list):
            subjects.add(list({key & ~0xFFFFFFFF | relation for key in keys}))
            objects.add(list({(key & 0xFFFFFFFF) << 32 | relation for key in keys}))
        else:
            subjects.add(kernels.unique(keys & ~kernels.LOW | np.uint64(relation)))
            objects.add(kernels.unique(keys << kernels.SHIFT | np.uint64(relation)))
        if sum(map(len, self._ends)) > self._most:
            self.__init__()  # type: ignore[misc]

    def note_other(self, relation: int) -> None:
        """Takes note that a relation is kept in another table."""
        if self._ends is not None:
            self.other.add(relation)


def _ends(ids: Mapping[int, IdArray]) -> Plain:
    """The pairs of an id and the key under which it is."""
    table = Plain()
    pairs = [kernels.pack(ends, relation) for relation, ends in ids.items()]
    table.extend(kernels.sort(np.concatenate(pairs)) if pairs else kernels.NO_KEYS)
    return table
