"""Which predicates a term has facts with: what patterns with a variable predicate look up first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, KeyArray
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Table


class TermPredicates:
    """The predicates of some tables by the terms that are subjects, or objects, of their pairs.

    `of` gives all predicates, in the order of the tables, until it was asked so often that it pays
    to note them for each term, which takes a pass through the tables and 8 B for each term and
    predicate; from then on those that the term has.
    """

    def __init__(self, tables: Mapping[int, Table]) -> None:
        self._tables, self._predicates = tables, list(tables)
        self._sides: dict[bool, SortedPairs] = {}
        self._asked = 0

    def of(self, term: int, *, as_subject: bool) -> list[int]:
        """The predicates, maybe more than needed. O(log terms) once they are noted."""
        noted = self._sides.get(as_subject)
        if noted is None:
            self._asked += 1
            if not self._pays():
                return self._predicates
            noted = self._sides[as_subject] = SortedPairs(
                kernels.sort(np.concatenate([np.zeros(0, np.uint64), *self._noted(as_subject)]))
            )
        predicates = self._predicates
        return [predicates[at] for at in noted.objects(term)]

    def _pays(self) -> bool:
        """Whether the look-ups so far took as long as it would take to note all predicates."""
        looked_at = self._asked * len(self._predicates) * KNOWLEDGE.look_up_pairs
        return self._pairs <= min(looked_at, KNOWLEDGE.noted_pairs)

    @cached_property
    def _pairs(self) -> int:
        """About how many pairs there are; counted once, which is a pass over representatives."""
        return sum(table.at_most() for table in self._tables.values())

    def _noted(self, as_subject: bool) -> Iterator[KeyArray]:
        for at, table in enumerate(self._tables.values()):
            ids: IdArray = table.all_subjects() if as_subject else table.all_objects()
            yield kernels.pack(ids, np.uint32(at))
