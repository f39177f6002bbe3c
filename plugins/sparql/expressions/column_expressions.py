"""Expressions of a query, compiled to operators over columns of terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from msgspec import Struct
from rdflib.term import BNode, Variable

from rdfinc.errors import TermError
from rdfinc.plugins.sparql.algebra.part_variables import EXISTS, read
from rdfinc.plugins.sparql.columns.outcomes import TRUE
from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions
from rdfinc.plugins.sparql.columns.term_columns import KeyColumn, TermColumn
from rdfinc.plugins.sparql.expressions import term_operators
from rdfinc.plugins.sparql.expressions.casts import CASTS
from rdfinc.plugins.sparql.expressions.chains import chained, is_constant, operands
from rdfinc.plugins.sparql.expressions.operand_views import Function
from rdfinc.plugins.sparql.expressions.query_functions import FUNCTIONS
from rdfinc.plugins.sparql.expressions.row_blocks import EnclosingQuery, RowBlock, Way, blocks
from rdfinc.plugins.sparql.facts.ranges import comparison
from rdfinc.plugins.sparql.syntax.nodes import TAUTOLOGY, ExpressionNode, Node
from rdfinc.tables.kernels import Mask
from rdfinc.terms.io.convert import key_of

_VOLATILE = {"Builtin_RAND", "Builtin_UUID", "Builtin_STRUUID", "Builtin_BNODE"}


class Existence(Struct, frozen=True):
    """An EXISTS or NOT EXISTS of an expression, whose value stands in a column of its own."""

    pattern: Node
    positive: bool


class QueryExpression:
    """An expression of a query; the query's own is left as it is.

    `reads` are the variables whose values it needs, with those that stand for an EXISTS; it may be
    a `comparison` of one with a constant, or the condition of an OPTIONAL that has none.
    """

    def __init__(self, expression: Any) -> None:
        self.existences: dict[Variable, Existence] = {}
        self.is_volatile = False
        self._variables: set[Any] = set()
        self._way = self._compiled(expression)
        self.reads = frozenset(self._variables)
        self.comparison = comparison(expression)
        self._variable = expression if isinstance(expression, Variable) else None
        self.is_tautology = isinstance(expression, Node) and expression.name == TAUTOLOGY.name

    @cached_property
    def outer(self) -> frozenset[Any]:
        """All variables that the value may depend on, those in patterns of EXISTS included."""
        patterns = [read(existence.pattern) for existence in self.existences.values()]
        return self.reads.union(*patterns)

    @property
    def is_plain(self) -> bool:
        """Whether equal rows have equal values, and no pattern has to be looked for."""
        return not self.existences and not self.is_volatile

    def values(self, rows: Solutions, query: EnclosingQuery) -> Ids:
        """The value for each row, 0 where it is an error."""
        if self._variable in rows.columns:
            return rows.columns[self._variable]
        parts = [block.ids(self.column(block)) for block in blocks(rows, query)]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def holds(self, rows: Solutions, query: EnclosingQuery) -> Mask:
        """For each row whether the effective boolean value is true; an error is not."""
        parts = [self.is_true(block) for block in blocks(rows, query)]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def column(self, block: RowBlock) -> TermColumn:
        """The value for each row of a block."""
        return self._way(block)

    def is_true(self, block: RowBlock) -> Mask:
        found = self._way(block)
        mask: Mask = (found.outcomes == TRUE)[found.at(block.size)]
        return mask

    # -- compiling

    def _compiled(self, node: Any) -> Way:
        if isinstance(node, Variable | BNode):
            self._variables.add(node)
            return partial(RowBlock.column, variable=node)
        if not isinstance(node, ExpressionNode):
            return _constant(node)
        if node.name in EXISTS:
            variable = Variable(f"__exists_{len(self.existences)}__")
            self.existences[variable] = Existence(node.graph, node.name == EXISTS[0])
            return self._compiled(variable)
        self.is_volatile |= node.name in _VOLATILE
        name = node.name.removeprefix("Builtin_")
        if name in FUNCTIONS:
            return self._function(node, FUNCTIONS[name])
        compile_ = _OPERATORS.get(name, QueryExpression._by_rdflib)
        return compile_(self, node)

    def _all(self, parts: Sequence[Any]) -> list[Way]:
        return list(map(self._compiled, parts))

    def _function(self, node: ExpressionNode, function: Function) -> Way:
        given = [node.get(name) for name in function.operands]
        ways = self._all([part for part in given if part is not None])
        operator = term_operators.matches if node.name == "Builtin_REGEX" else term_operators.each
        return partial(operator, function, ways)

    def _comparison(self, node: ExpressionNode) -> Way:
        left, sign = self._compiled(node.get("expr")), node.get("op")
        if sign not in ("IN", "NOT IN"):
            return partial(term_operators.compared, sign, left, self._compiled(node.get("other")))
        listed = list(operands(node, "other"))
        if all(map(is_constant, listed)):
            way: Way = partial(term_operators.among, left, listed)
        else:
            way = partial(term_operators.among_computed, left, self._all(listed))
        return way if sign == "IN" else partial(term_operators.negated, way)

    def _arithmetic(self, node: ExpressionNode) -> Way:
        others = self._all(list(operands(node, "other")))
        pairs = list(zip(node.get("op") or (), others, strict=True))
        return partial(term_operators.folded, self._compiled(node.get("expr")), pairs)

    def _blank(self, node: ExpressionNode) -> Way:
        label = node.get("arg")
        if label is None:
            return term_operators.fresh_blanks
        return partial(term_operators.labelled, self._compiled(label))

    def _custom(self, node: ExpressionNode) -> Way:
        """A cast, or a function of the user's."""
        given = list(operands(node, "expr"))
        cast = CASTS.get(str(node.iri)) if len(given) == 1 else None
        if cast is None:
            return self._by_rdflib(node)
        return partial(term_operators.each, cast, self._all(given))

    def _by_rdflib(self, node: ExpressionNode) -> Way:
        """A node that means nothing here, such as a function of the user's."""
        variables = [v for v in read(node) if isinstance(v, Variable)]
        lists = {name for name, part in node.items() if isinstance(part, list)}
        ways = {
            name: self._all(list(part) if name in lists else [part])
            for name, part in node.items()
            if name != "_vars" and (name in lists or isinstance(part, ExpressionNode | Variable))
        }
        return partial(term_operators.by_rdflib, node, lists, ways, variables)


def _constant(term: Any) -> Way:
    try:
        column = KeyColumn([None if term is None else key_of(term)], None)
    except TermError:
        column = KeyColumn([None], None)
    return lambda block: column


Compile = Callable[[QueryExpression, ExpressionNode], Way]


def _of_none(way: Way) -> Compile:
    return lambda expression, node: way


def _of_some(operator: Callable[..., TermColumn], *names: str) -> Compile:
    def compile_(expression: QueryExpression, node: ExpressionNode) -> Way:
        return partial(operator, *expression._all([node.get(name) for name in names]))

    return compile_


def _of_chain(operator: Callable[..., TermColumn]) -> Compile:
    return lambda expression, node: partial(operator, expression._all(chained(node)))


def _of_list(operator: Callable[..., TermColumn]) -> Compile:
    def compile_(expression: QueryExpression, node: ExpressionNode) -> Way:
        return partial(operator, expression._all(list(operands(node, "arg"))))

    return compile_


_OPERATORS: dict[str, Compile] = {
    "TrueFilter": _of_none(term_operators.true),
    "NOW": _of_none(term_operators.now),
    "RAND": _of_none(term_operators.random_numbers),
    "UUID": _of_none(term_operators.unique_iris),
    "STRUUID": _of_none(term_operators.unique_texts),
    "ConditionalAndExpression": _of_chain(term_operators.conjunction),
    "ConditionalOrExpression": _of_chain(term_operators.disjunction),
    "UnaryNot": _of_some(term_operators.negated, "expr"),
    "BOUND": _of_some(term_operators.bound, "arg"),
    "IF": _of_some(term_operators.chosen, "arg1", "arg2", "arg3"),
    "sameTerm": _of_some(term_operators.same_term, "arg1", "arg2"),
    "IRI": _of_some(term_operators.iri, "arg"),
    "URI": _of_some(term_operators.iri, "arg"),
    "COALESCE": _of_list(term_operators.first_known),
    "CONCAT": _of_list(term_operators.concatenated),
    "BNODE": QueryExpression._blank,
    "RelationalExpression": QueryExpression._comparison,
    "AdditiveExpression": QueryExpression._arithmetic,
    "MultiplicativeExpression": QueryExpression._arithmetic,
    "Function": QueryExpression._custom,
}
"""By the names of nodes, `Builtin_` left out; how others are compiled stands in `FUNCTIONS`."""
