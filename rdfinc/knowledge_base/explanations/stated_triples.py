"""What is stated, for those who read axioms."""

from __future__ import annotations

from collections.abc import Mapping

from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.tables import kernels
from rdfinc.tables.table import Table
from rdfinc.tables.views import EMPTY


class StatedTriples:
    """The explicit facts of a moment, by predicate in tables that nobody changes any more."""

    def __init__(self, explicit: Mapping[int, Table], visibility: Visibility) -> None:
        never_shows = visibility.never_shows
        self._tables = {p: table for p, table in explicit.items() if not never_shows(p)}
        self.lease = visibility.lease

    def table(self, p: int | None) -> Table:
        return EMPTY if p is None else self._tables.get(p, EMPTY)

    def predicates(self) -> list[int]:
        return [p for p, table in self._tables.items() if len(table)]

    def objects(self, p: int, s: int) -> list[int]:
        return self.table(p).objects(s)

    def subjects(self, p: int, o: int) -> list[int]:
        return self.table(p).subjects(o)

    def pairs(self, p: int) -> list[tuple[int, int]]:
        keys = self.table(p).scan()
        return list(zip(kernels.high(keys).tolist(), kernels.low(keys).tolist(), strict=True))

    def about(self, s: int) -> list[tuple[int, int]]:
        return [(p, o) for p, table in self._tables.items() for o in table.objects(s)]
