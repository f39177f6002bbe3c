"""Expressions over columns of ids: evaluated once for each distinct row of what they read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from types import MethodType
from typing import Any, Protocol

import numpy as np
from pyparsing import ParseResults
from rdflib.plugins.sparql.parserutils import CompValue, Expr
from rdflib.plugins.sparql.sparql import FrozenBindings, QueryContext, SPARQLError
from rdflib.term import Variable

from rdfinc.plugins.sparql.budget import Budget
from rdfinc.plugins.sparql.chains import LOGICAL, chained
from rdfinc.plugins.sparql.conditions import Conditions
from rdfinc.plugins.sparql.denoted import ERROR, FALSE, TRUE, Outcomes
from rdfinc.plugins.sparql.labels import Labels, Nodes
from rdfinc.plugins.sparql.operators import CORRECTED, FAULTS, Strict
from rdfinc.plugins.sparql.part_variables import EXISTS, Variables, read
from rdfinc.plugins.sparql.query_terms import Terms
from rdfinc.plugins.sparql.solutions import Ids, Solutions, numbers_of
from rdfinc.plugins.sparql.term_values import effective
from rdfinc.tables.kernels import Mask

_VOLATILE = {"Builtin_RAND", "Builtin_UUID", "Builtin_STRUUID", "Builtin_BNODE"}


class Row(FrozenBindings):
    """A solution mapping that is quick to make and to read; `nodes` are those of its labels."""

    def __init__(
        self, ctx: QueryContext, values: dict[Any, Any], nodes: Nodes | None = None
    ) -> None:
        self.ctx, self._d, self._hash, self.nodes = ctx, values, None, nodes

    def get(self, key: Any, default: Any = None) -> Any:
        found = self._d.get(key)
        return super().get(key, default) if found is None else found


class Asked(Protocol):
    """The query of which an expression is a part."""

    @property
    def ctx(self) -> QueryContext: ...
    @property
    def terms(self) -> Terms: ...
    @property
    def budget(self) -> Budget: ...
    @property
    def labels(self) -> Labels: ...


@dataclass(frozen=True)
class Existence:
    """An EXISTS or NOT EXISTS of an expression, whose value stands in a column of its own."""

    pattern: CompValue
    positive: bool


class Expression:
    """An expression of a query; the query's own is left as it is.

    `reads` are the variables whose values it needs, with those that stand for an EXISTS.
    """

    def __init__(self, expression: Any) -> None:
        self.existences: dict[Variable, Existence] = {}
        self.is_volatile = False
        self._root = self._copied(expression)
        self.reads = read(self._root)

    @cached_property
    def outer(self) -> frozenset[Any]:
        """All variables that the value may depend on, those in patterns of EXISTS included."""
        patterns = [read(existence.pattern) for existence in self.existences.values()]
        return self.reads.union(*patterns)

    @property
    def is_plain(self) -> bool:
        """Whether equal rows have equal values, and no pattern has to be looked for."""
        return not self.existences and not self.is_volatile

    def _copied(self, node: Any) -> Any:
        if isinstance(node, list | ParseResults):
            return [self._copied(part) for part in node]
        if not isinstance(node, Expr):
            return node
        if node.name in EXISTS:
            variable = Variable(f"__exists_{len(self.existences)}__")
            self.existences[variable] = Existence(node.graph, node.name == EXISTS[0])
            return variable
        self.is_volatile |= node.name in _VOLATILE
        copy = Strict(node.name)
        function = CORRECTED.get(node.name, node._evalfn.__func__)  # type: ignore[union-attr]
        copy._evalfn = MethodType(function, copy)
        parts = {"other": chained(node)} if node.name in LOGICAL else dict(dict.items(node))
        for name, part in parts.items():
            if name != "_vars":
                copy[name] = self._copied(part)
        return copy

    def values(self, rows: Solutions, query: Asked) -> Ids:
        """The value for each row, 0 where it is an error."""
        if isinstance(self._root, Variable) and self._root in rows.columns:
            return rows.columns[self._root]
        return self._values(self._root, rows, query)

    def _values(self, node: Any, rows: Solutions, query: Asked) -> Ids:
        number = query.terms.number_or_none

        def compute(row: Row) -> int:
            found = _evaluated(node, row)
            if isinstance(found, str):
                query.budget.compute(found)
            return number(found)

        found: Ids = self._answers(read(node), rows, query, compute, np.uint32)
        return found

    def holds(self, rows: Solutions, query: Asked) -> Mask:
        """For each row whether the effective boolean value is true; an error is not."""

        def generic(node: Any, some: Solutions) -> Outcomes:
            def compute(row: Row) -> int:
                return _outcome(node, row)

            found: Outcomes = self._answers(read(node), some, query, compute, np.uint8)
            return found

        def values(node: Any) -> Ids:
            return self._values(node, rows, query)

        return Conditions(rows, query.terms, generic, values).outcomes(self._root) == TRUE

    def _answers(
        self,
        reads: Variables,
        rows: Solutions,
        query: Asked,
        compute: Callable[[Row], Any],
        dtype: Any,
    ) -> Any:
        variables, ctx = [v for v in rows.columns if v in reads], query.ctx
        if self.is_volatile:
            places, numbers = np.arange(rows.size), slice(None)
        elif not variables:
            return np.full(rows.size, compute(Row(ctx, {})) if rows.size else 0, dtype)
        else:
            numbers, count = numbers_of([[rows.columns[v]] for v in variables])
            places = np.zeros(count, np.intp)
            places[numbers] = np.arange(rows.size)
        columns = [query.terms.column(rows.columns[v][places]) for v in variables]
        given = zip(*columns, strict=True) if columns else repeat((), rows.size)
        nodes: Iterable[Nodes | None] = repeat(None)
        if self.is_volatile:
            nodes = map(query.labels.of(rows).__getitem__, range(rows.size))
        answers = [
            compute(
                Row(ctx, {v: t for v, t in zip(variables, row, strict=True) if t is not None}, own)
            )
            for row, own in zip(query.budget.checked(given), nodes, strict=False)
        ]
        return np.array(answers, dtype)[numbers]


def _evaluated(node: Any, row: Row) -> Any:
    """The value, None for an error."""
    if isinstance(node, Variable):
        return row.get(node)
    if not isinstance(node, Expr):
        return node
    try:
        return node.eval(row)
    except (SPARQLError, *FAULTS):
        return None


def _outcome(node: Any, row: Row) -> int:
    try:
        return TRUE if effective(_evaluated(node, row)) else FALSE
    except SPARQLError:
        return ERROR
