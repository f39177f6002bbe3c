"""SPARQL texts -> algebra (SPARQL 1.1, section 18.2), by the names of rdflib's nodes.

Entry: `shape_of`, called by `plugins/sparql/shapes.py`, `query_of` and `update_of`, to which
`read_as` gives texts with escapes. Trees come from `syntax`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, TypeVar

from rdfinc.plugins.sparql.algebra.aggregation import aggregated, has_aggregate
from rdfinc.plugins.sparql.algebra.forbidden import MisplacedError, placed_in
from rdfinc.plugins.sparql.algebra.in_scope import bound_twice, named_twice, projected
from rdfinc.plugins.sparql.algebra.part_variables import EXISTS
from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra, UpdateAlgebra
from rdfinc.plugins.sparql.syntax.escapes import unescaped
from rdfinc.plugins.sparql.syntax.nodes import TAUTOLOGY, Node, conjunction, extended, filtered
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.plugins.sparql.syntax.query_reader import query_tree
from rdfinc.plugins.sparql.syntax.tokens import Check, Tokens, tokens_of
from rdfinc.plugins.sparql.syntax.trees import (
    BindPart,
    FilterPart,
    GraphPart,
    GroupKey,
    GroupPattern,
    MinusPart,
    OptionalPart,
    OrderKey,
    Part,
    Pattern,
    QueryTree,
    ServicePart,
    TriplesPart,
    UnionPart,
    ValuesPart,
)
from rdfinc.plugins.sparql.syntax.update_reader import operations

Prefixes = Mapping[str, Any]
Request = TypeVar("Request", QueryAlgebra, UpdateAlgebra)
_MOST = 1 << 60


def read_as(
    translate: Callable[[str, Prefixes, str | None, Check], Request],
    text: str,
    prefixes: Prefixes,
    base: str | None,
    check: Check,
) -> Request:
    """A query or an update request of a text as it was written, by `query_of` or `update_of`.
    Raises as that."""
    with unescaped(text) as plain:
        return translate(plain, prefixes, base, check)._replace(text=text)


def query_of(
    text: str, prefixes: Prefixes, base: str | None = None, check: Check = bool
) -> QueryAlgebra:
    """The algebra of a query, `unescaped` already.

    Raises SparqlSyntaxError; what `check` raises, which is asked at every part.
    """
    return shape_of(text, tokens_of(text, check), prefixes, base, check, None)


def shape_of(
    text: str,
    tokens: Tokens,
    prefixes: Prefixes,
    base: str | None,
    check: Check,
    parameters: list[int] | None,
) -> QueryAlgebra:
    """The algebra of a query, `unescaped` already, of which these are the tokens. Constants of its
    patterns are parameters, unless None are noted: the places of their tokens. Raises as
    `query_of`."""
    prologue = Declared(prefixes, base)
    tree = query_tree(text, tokens, prologue, check, parameters)
    with placed_in(text):
        part, variables = _solutions(tree)
    form = Node(f"{tree.form.capitalize()}Query", p=part, datasetClause=tree.datasets)
    if tree.form == "CONSTRUCT":
        form["template"] = tree.template
    else:
        form["PV"] = variables
    return QueryAlgebra(prologue, form)


def update_of(
    text: str, prefixes: Prefixes, base: str | None = None, check: Check = bool
) -> UpdateAlgebra:
    """The algebra of an update request, which may have no operation; `unescaped` already. Raises as
    `query_of`."""
    prologue = Declared(prefixes, base)
    with placed_in(text):
        return UpdateAlgebra(prologue, list(map(_operation, operations(text, prologue, check))))


# -- graph patterns (18.2.2)


def pattern(tree: Pattern) -> Node:
    """The algebra of a group graph pattern or a sub-select."""
    if isinstance(tree, QueryTree):
        return Node("ToMultiSet", p=_solutions(tree)[0])
    filters, inner = _group(tree)
    return filtered(inner, filters) if filters else inner


def _group(tree: GroupPattern) -> tuple[list[Any], Node]:
    """The conditions of a group, which hold for all of it, and the algebra of its other parts."""
    for bind in bound_twice(tree.parts):
        name = bind.variable.n3()
        reason = f"BIND: {name} has a value already; give another variable that one"
        raise MisplacedError(bind.at, reason)
    filters = [expression(part.condition) for part in tree.parts if isinstance(part, FilterPart)]
    others = _with_whole_blocks(part for part in tree.parts if not isinstance(part, FilterPart))
    return filters, reduce(_added, others, Node("BGP", triples=[]))


def _with_whole_blocks(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with one part for triples that stand beside each other."""
    block: list[Any] = []
    for part in parts:
        if isinstance(part, TriplesPart):
            block += part.triples
            continue
        if block:
            yield TriplesPart(block)
            block = []
        yield part
    if block:
        yield TriplesPart(block)


def _added(before: Node, part: Part) -> Node:
    """The algebra of a group's parts up to one."""
    return _PARTS[type(part)](before, part)


def _triples(before: Node, part: TriplesPart) -> Node:
    return _join(before, Node("BGP", triples=part.triples))


def _optional(before: Node, part: OptionalPart) -> Node:
    """Conditions of the optional group itself are told of what both sides bind."""
    if isinstance(part.pattern, QueryTree):
        return _left_join(before, pattern(part.pattern), TAUTOLOGY)
    filters, inner = _group(part.pattern)
    return _left_join(before, inner, conjunction(filters) if filters else TAUTOLOGY)


def _left_join(before: Node, part: Node, condition: Any) -> Node:
    return Node("LeftJoin", p1=before, p2=part, expr=condition)


def _minus(before: Node, part: MinusPart) -> Node:
    return Node("Minus", p1=before, p2=pattern(part.pattern))


def _bound(before: Node, part: BindPart) -> Node:
    return extended(before, expression(part.expression), part.variable)


def _alternatives(before: Node, part: UnionPart) -> Node:
    return _join(before, _united(list(map(pattern, part.patterns))))


def _united(parts: list[Node]) -> Node:
    """The union of parts, as a tree that is as low as it can be."""
    middle = len(parts) // 2
    if not middle:
        return parts[0]
    return Node("Union", p1=_united(parts[:middle]), p2=_united(parts[middle:]))


def _in_graph(before: Node, part: GraphPart) -> Node:
    return _join(before, Node("Graph", term=part.name, p=pattern(part.pattern)))


def _asked_elsewhere(before: Node, part: ServicePart) -> Node:
    """rdflib sends the text of the pattern to the server, unless that is to be silent."""
    silence = "SILENT " if part.is_silent else ""
    found = Node("ServiceGraphPattern", term=part.name, graph=pattern(part.pattern))
    found["service_string"] = f"SERVICE {silence}{part.name.n3()} {part.text}"
    return _join(before, found)


def _given(before: Node, part: ValuesPart) -> Node:
    return _join(before, _rows(part))


def _rows(values: ValuesPart) -> Node:
    found = Node("values", variables=values.variables, rows=values.rows)
    return Node("ToMultiSet", p=found)


_PARTS: dict[type, Callable[[Node, Any], Node]] = {
    TriplesPart: _triples,
    OptionalPart: _optional,
    MinusPart: _minus,
    BindPart: _bound,
    UnionPart: _alternatives,
    GraphPart: _in_graph,
    ServicePart: _asked_elsewhere,
    ValuesPart: _given,
}
"""The operators by which parts of a group are added to those before."""


def _join(before: Node, part: Node) -> Node:
    if before.name == "BGP" and not before.triples:
        return part
    return before if part.name == "BGP" and not part.triples else Node("Join", p1=before, p2=part)


def expression(tree: Any) -> Any:
    """An expression, or several, with what the patterns of its EXISTS denote."""
    if isinstance(tree, list):
        return [expression(part) for part in tree]
    if isinstance(tree, Node) and tree.name in EXISTS:
        return _existence(tree)
    if isinstance(tree, Node):
        for name, part in tree.items():
            tree[name] = expression(part)
    return tree


def _existence(tree: Node) -> Node:
    """An EXISTS; conditions of its pattern see what is bound outside."""
    if isinstance(tree.graph, Pattern):
        inner = tree["graph"] = pattern(tree.graph)
        inner["no_isolated_scope"] = inner.name == "Filter"
    return tree


# -- solution modifiers (18.2.4)


def _solutions(tree: QueryTree) -> tuple[Node | None, list[Any]]:
    """The algebra of a query or sub-select, None without WHERE, and the variables that it shows."""
    shown = projected(tree)
    if tree.where is None:
        return None, shown
    for named in named_twice(tree):
        reason = f"SELECT: {named.variable.n3()} has a value already; name the expression otherwise"
        raise MisplacedError(named.at, reason)
    for each in (*tree.shown, *tree.keys, *tree.order):
        each.expression = expression(each.expression)
    tree.having = expression(tree.having)
    part = _grouped(tree, pattern(tree.where))
    if tree.having:
        part = filtered(part, tree.having)
    if tree.values:
        part = Node("Join", p1=part, p2=_rows(tree.values))
    for named in tree.shown:
        if named.expression is not None:
            part = extended(part, named.expression, named.variable)
    if tree.order:
        part = Node("OrderBy", p=part, expr=list(map(_order, tree.order)))
    return _cut(tree, Node("Project", p=part, PV=shown)), shown


def _grouped(tree: QueryTree, part: Node) -> Node:
    """The groups of GROUP BY, or one of all if there is an aggregate."""
    asked = [*tree.having, *(each.expression for each in (*tree.shown, *tree.order))]
    if not tree.keys and not any(map(has_aggregate, asked)):
        return part
    if tree.form == "SELECT" and not tree.shown:
        reason = "SELECT * does not go with groups and aggregates: name what to show"
        raise MisplacedError(tree.star, reason)
    if not tree.keys:
        return aggregated(tree, Node("Group", p=part))
    for key in tree.keys:
        if key.variable is not None:
            part = extended(part, key.expression, key.variable)
    return aggregated(tree, Node("Group", p=part, expr=list(map(_key, tree.keys))))


def _key(key: GroupKey) -> Any:
    return key.expression if key.variable is None else key.variable


def _order(key: OrderKey) -> Node:
    return Node("OrderCondition", expr=key.expression, order=key.direction)


def _cut(tree: QueryTree, part: Node) -> Node:
    """DISTINCT or REDUCED, then OFFSET and LIMIT."""
    modifier = "DISTINCT" if tree.form == "DESCRIBE" else tree.modifier
    if modifier:
        part = Node(modifier.capitalize(), p=part)
    if tree.limit is None and tree.offset is None:
        return part
    part = Node("Slice", p=part, start=_count(tree.offset or "0"))
    if tree.limit is not None:
        part["length"] = _count(tree.limit)
    return part


def _count(number: str) -> int:
    """A number of rows, of which there are never more than `_MOST`."""
    digits = number.lstrip("0") or "0"
    return int(digits) if len(digits) < len(str(_MOST)) else _MOST


# -- updates (SPARQL 1.1 Update, 3)


def _operation(operation: Node) -> Node:
    if operation.name == "Modify":
        operation["where"] = pattern(operation.where)
    return operation
