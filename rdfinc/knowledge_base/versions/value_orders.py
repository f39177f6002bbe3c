"""The objects of predicates in the order of their values, for conditions that few of them meet."""

from __future__ import annotations

from collections.abc import Mapping

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.tables import kernels
from rdfinc.tables.table import Table
from rdfinc.terms.builtins.value_arrays import ValueArrays
from rdfinc.terms.builtins.value_order import ValueOrder


class ValueOrders:
    """The orders of one version, each of all objects of a predicate and perhaps of others.

    An order is made when it is asked for again, so that facts that are read once are not put in
    order: from the one of an `earlier` version, if there is one, in the time of a pass through the
    objects and of putting the new ones in order.
    """

    def __init__(self, earlier: Mapping[int, ValueOrder] | None = None) -> None:
        self._earlier = earlier or {}
        self._known: dict[int, ValueOrder] = {}
        self._asked: dict[int, int] = {}

    def next(self) -> ValueOrders:
        """Those of the next version."""
        return ValueOrders({**self._earlier, **self._known})

    def of(self, predicate: int, table: Table, values: ValueArrays) -> ValueOrder | None:
        """The order of a predicate whose pairs these are; None where there is none yet."""
        found = self._known.get(predicate)
        if found is not None:
            return found
        asked = self._asked[predicate] = self._asked.get(predicate, 0) + 1
        if asked <= KNOWLEDGE.asked_before_order:
            return None
        before = self._earlier.get(predicate)
        if before is None or before.epoch != values.epoch:
            before = ValueOrder(values.epoch)
        objects = table.all_objects()
        new = objects[~kernels.contains_ids(before.known, objects)]
        found = self._known[predicate] = before.extended(new, values.of(new))
        return found
