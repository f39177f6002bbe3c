"""The relations that may have facts with some term, for literals that may match many relations."""

from __future__ import annotations

from collections.abc import Collection, Set

from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import FactSet
from rdfinc.tables.kernels import IdArray, Mask
from rdfinc.tables.table import Table

Ends = int | IdArray
"""One term, or one for each of some relations."""


class Related:
    """The relations of terms in `facts`, and the relations in `more`, of which nothing is known. So
    they are a superset in every state of an update that adds facts of those only."""

    __slots__ = ("_facts", "_more")

    def __init__(self, facts: FactSet, more: tuple[Collection[int], ...]) -> None:
        self._facts, self._more = facts, more

    def ask(self, relations: int) -> bool:
        """Whether the relations of terms are known, asked where so many are to be looked at
        otherwise."""
        return self._facts.relations.ask(relations, self._facts.tables)

    def instead_of(self, relations: int, end: int, *, as_subject: bool) -> Set[int] | None:
        """The relations that may have a fact with this end, to be looked at instead of so many, if
        they are known and few."""
        if relations <= REASONING.few_relations or not self.ask(relations):
            return None
        return self.few(end, as_subject=as_subject)

    def few(self, end: int, *, as_subject: bool) -> Set[int] | None:
        """The relations that may have a fact with this end, if they are known and few."""
        noted = self._facts.relations
        if not noted.are_noted:
            return None
        unknown = noted.other, *self._more
        if sum(map(len, unknown)) > REASONING.few_relations:
            return None
        ends = noted.subjects if as_subject else noted.objects
        found = set(ends.objects(end)).union(*unknown)
        return found if len(found) <= REASONING.few_relations else None

    def mask(self, relations: IdArray, ends: Ends, *, as_subject: bool) -> Mask:
        """For each of some relations whether it may have facts with an end."""
        noted = self._facts.relations
        assert noted.are_noted, "by `ask`"
        table = noted.subjects if as_subject else noted.objects
        unknown = noted.other.union(*self._more)
        if isinstance(ends, int):
            return kernels.members(relations, unknown.union(table.objects(ends)))
        return table.contains(kernels.pack(ends, relations)) | kernels.members(relations, unknown)


def leading(
    table: Table, object_: int, related: Related | None, end: int, *, as_subject: bool
) -> list[int]:
    """The subjects of an object in `table`, maybe but for relations without facts of this end."""
    few = None if related is None else related.few(end, as_subject=as_subject)
    if few is None:
        return table.subjects(object_)
    found = table.few_subjects(object_, len(few))
    if found is None:
        return [relation for relation in sorted(few) if table.has(relation << 32 | object_)]
    return [relation for relation in found if relation in few]
