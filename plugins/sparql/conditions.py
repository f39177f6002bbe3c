"""Conditions over columns of ids: logic by whole columns, comparisons without looking at terms
where ids and kinds of values tell the outcome.

Outcomes are in this order: FALSE, ERROR, TRUE. So `&&` is the minimum, `||` the maximum, and `!`
turns the order round (SPARQL 1.1, 17.2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from rdflib.plugins.sparql.parserutils import Expr
from rdflib.term import BNode, Identifier, Variable

from rdfinc.plugins.sparql.chains import is_constant
from rdfinc.plugins.sparql.denoted import (
    ERROR,
    NODE,
    NUMBER,
    TAGGED,
    TEXT,
    TRUE,
    UNBOUND,
    Outcomes,
    Values,
)
from rdfinc.plugins.sparql.membership import membership
from rdfinc.plugins.sparql.operators import operands
from rdfinc.plugins.sparql.part_variables import Variables, read
from rdfinc.plugins.sparql.query_terms import Terms
from rdfinc.plugins.sparql.solutions import Ids, Solutions
from rdfinc.tables.kernels import Indices, Mask
from rdfinc.terms.builtins.values import value_of

Generic = Callable[[Any, Solutions], Outcomes]
"""The outcomes of a condition for each row, by evaluating it for each distinct one."""

_COMPARISONS: dict[str, Any] = {
    "<": np.less,
    ">": np.greater,
    "<=": np.less_equal,
    ">=": np.greater_equal,
    "=": np.equal,
    "!=": np.not_equal,
}


@dataclass(frozen=True)
class Conditions:
    """Conditions over some rows; what has no way of its own is left to `generic`. Operands of
    comparisons have their `values`, each worked out once for what it reads itself."""

    rows: Solutions
    terms: Terms
    generic: Generic
    values: Callable[[Any], Ids]

    def outcomes(self, node: Any) -> Outcomes:
        way = _WAYS.get(node.name) if isinstance(node, Expr) else None
        return self.generic(node, self.rows) if way is None else way(self, node)

    def _all(self, node: Expr) -> Outcomes:
        return reduce(np.minimum, map(self.outcomes, operands(node, "expr", "other")))

    def _some(self, node: Expr) -> Outcomes:
        return reduce(np.maximum, map(self.outcomes, operands(node, "expr", "other")))

    def _among(self, node: Expr) -> Outcomes:
        """IN, or NOT IN, of a variable and terms."""
        variable, listed = dict.get(node, "expr"), list(operands(node, "other"))
        if not self._is_simple(variable) or not all(map(is_constant, listed)):
            return self.generic(node, self.rows)

        def compared(places: Indices) -> Outcomes:
            found = self.generic(node, self.rows.take(places))
            return found if is_in else TRUE - found

        is_in = dict.get(node, "op") == "IN"
        column = self._column(variable)
        found = membership(column, self._ids(listed), self.terms, compared)
        return found if is_in else TRUE - found

    def _ids(self, terms: list[Any]) -> Ids:
        return np.array([self.terms.number(term) for term in terms], np.uint32)

    def _not(self, node: Expr) -> Outcomes:
        return TRUE - self.outcomes(dict.__getitem__(node, "expr"))

    def _bound(self, node: Expr) -> Outcomes:
        variable = dict.__getitem__(node, "arg")
        if not self._is_simple(variable):
            return self.generic(node, self.rows)
        return _of(self._column(variable) > 0)

    def _same(self, node: Expr) -> Outcomes:
        sides = [dict.__getitem__(node, name) for name in ("arg1", "arg2")]
        if not all(map(self._is_simple, sides)):
            return self.generic(node, self.rows)
        left, right = map(self._column, sides)
        return np.where((left > 0) & (right > 0), _of(left == right), np.uint8(ERROR))

    def _comparison(self, node: Expr) -> Outcomes:
        sides = [dict.get(node, name) for name in ("expr", "other")]
        operator = dict.__getitem__(node, "op")
        if operator in ("IN", "NOT IN"):
            return self._among(node)
        reads = read(node)
        if operator not in _COMPARISONS or not all(self._is_worth(side, reads) for side in sides):
            return self.generic(node, self.rows)
        left, right = (Values(self._values(side), self.terms) for side in sides)
        found, known = _compared(operator, left, right)
        if operator not in ("=", "!="):
            texts = (left.kinds == TEXT) & (right.kinds == TEXT)
            found[texts] = self._in_order(operator, left.ids[texts], right.ids[texts])
            known |= texts
        if not known.all():
            open_rows = np.flatnonzero(~known)
            found[open_rows] = self.generic(node, self.rows.take(open_rows))
        return found

    def _in_order(self, operator: str, left: Ids, right: Ids) -> Outcomes:
        """The outcomes for texts, each of which is decoded once."""
        ids, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        texts = [value_of(key) for key in self.terms.keys(ids)]
        rank = np.empty(ids.size, np.intp)
        rank[sorted(range(ids.size), key=texts.__getitem__)] = np.arange(ids.size)
        ranks = rank[places]
        return _of(_COMPARISONS[operator](ranks[: left.size], ranks[left.size :]))

    def _is_worth(self, operand: Any, reads: Variables) -> bool:
        """Whether the values of an operand are fewer than what is compared."""
        return self._is_simple(operand) or (isinstance(operand, Expr) and read(operand) < reads)

    def _values(self, operand: Any) -> Ids:
        return self._column(operand) if self._is_simple(operand) else self.values(operand)

    def _is_simple(self, operand: Any) -> bool:
        """Whether it is a term, or a variable with a column."""
        if isinstance(operand, Variable | BNode):
            return operand in self.rows.columns
        return isinstance(operand, Identifier)

    def _column(self, term: Any) -> Ids:
        if term in self.rows.columns:
            return self.rows.columns[term]
        return np.full(self.rows.size, self.terms.number(term), np.uint32)


_WAYS: dict[str, Callable[[Conditions, Expr], Outcomes]] = {
    "ConditionalAndExpression": Conditions._all,
    "ConditionalOrExpression": Conditions._some,
    "UnaryNot": Conditions._not,
    "Builtin_BOUND": Conditions._bound,
    "Builtin_sameTerm": Conditions._same,
    "RelationalExpression": Conditions._comparison,
}


def _of(mask: Mask) -> Outcomes:
    return mask.astype(np.uint8) * np.uint8(TRUE)


def _compared(operator: str, left: Values, right: Values) -> tuple[Outcomes, Mask]:
    """The outcomes, and which of them are known."""
    numbers = (left.kinds == NUMBER) & (right.kinds == NUMBER)
    unbound = (left.kinds == UNBOUND) | (right.kinds == UNBOUND)
    known = numbers | unbound
    found = _of(_COMPARISONS[operator](left.numbers, right.numbers))
    if operator in ("=", "!="):
        same = left.ids == right.ids
        nodes = (left.kinds <= NODE) | (right.kinds <= NODE)
        tagged = (left.kinds == TAGGED) | (right.kinds == TAGGED)
        texts = (left.kinds == TEXT) & (right.kinds == TEXT)
        told = (nodes | tagged | texts) & ~unbound
        found = np.where(told, _of(same == (operator == "=")), found)
        known |= told
    found[unbound] = ERROR
    return found, known
