"""Which rows of a parameter table the plans of one stratum are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import Modules, Shape
from rdfinc.datalog.clause import Clause, Computation
from rdfinc.datalog.compile.relation_hypergraph import CLASS
from rdfinc.tables import kernels


class RowFilter(Struct, frozen=True):
    """Which rows of a clause's parameter table the plans of a stratum are about: those whose head
    is of the relations with the ids or, if not `inside`, of all others; none of a module's own."""

    ids: frozenset[int]
    inside: bool
    modules: Modules

    def only(self, clause: Clause, shape: Shape | None) -> Clause:
        """The clause with a filter on what its parameter table gives for the head's relation, and
        for its other relations if it can be a module's own."""
        head = clause.head.o if clause.head.p == clause.type else clause.head.p
        inputs = shape.relations if shape else (~head,)
        test = Computation(inputs, None, self._values, decide=self._decide)
        return replace(clause, computations=(*clause.computations, test))

    def _values(self, rows: Sequence[tuple[int, ...]]) -> list[int | None]:
        return [1 if self._holds(row) else None for row in rows]

    def _holds(self, row: tuple[int, ...]) -> bool:
        inside = (row[0] in self.ids) is self.inside
        return inside and not (self.modules and len(row) > 1 and self.modules.internal(row))

    def _decide(self, columns: Sequence[kernels.IdArray]) -> tuple[kernels.Mask, kernels.Mask]:
        found = kernels.members(columns[0], self.ids)
        found = found if self.inside else ~found
        if self.modules and len(columns) > 1:
            found &= ~self.modules.internal_rows(columns)
        return found, np.zeros(found.size, np.bool_)


def names(nodes: Iterable[int], modules: Modules) -> frozenset[int]:
    """What the parameter tables call some derived relations."""
    return frozenset(name for node in nodes for name, _ in modules.members(node % CLASS))
