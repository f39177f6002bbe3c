"""Which queries can be watched, and the form in which they are.

Watched are SELECTs whose answers change only near what has changed: patterns, OPTIONAL, UNION,
MINUS, FILTER with or without EXISTS, BIND, VALUES, DISTINCT, GROUP BY, HAVING, ORDER BY (which
orders nothing here).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain, product
from typing import Any

from rdflib.paths import AlternativePath, InvPath, Path, SequencePath
from rdflib.term import BNode, Variable

from rdfinc import UnsupportedError
from rdfinc.plugins.sparql.algebra.part_variables import EXISTS, PartVariables, Variables
from rdfinc.plugins.sparql.syntax.nodes import Node

_NAMES = {
    "Graph": "GRAPH",
    "ServiceGraphPattern": "SERVICE",
    "Slice": "LIMIT and OFFSET",
    "Builtin_RAND": "RAND()",
    "Builtin_UUID": "UUID()",
    "Builtin_STRUUID": "STRUUID()",
    "Builtin_BNODE": "BNODE()",
    "Builtin_NOW": "NOW()",
    "Aggregate_GroupConcat": "GROUP_CONCAT, whose order is open",
}
"""What is refused wherever it stands."""


def watchable(query: Any) -> Node:
    """The algebra of a parsed query that can be watched, with paths taken apart; it is changed.

    Raises UnsupportedError, which names what cannot be watched.
    """
    if query.name != "SelectQuery":
        raise _refused("any form but SELECT")
    if query.datasetClause:
        raise _refused("FROM")
    for part in parts(query.p):
        if part.name in _NAMES:
            raise _refused(_NAMES[part.name])
    for part in list(parts(query.p)):
        if part.name in EXISTS:
            part["graph"] = _without_paths(part.graph)
    algebra: Node = _without_paths(query.p)
    for part in parts(algebra):
        check = _CHECKS.get(part.name)
        if check is not None:
            check(part)
    return algebra


def _refused(what: str) -> UnsupportedError:
    return UnsupportedError(f"watching {what}; watch a query without it, and ask the rest then")


def parts(node: Any) -> Iterator[Node]:
    """A part and all parts and expressions in it."""
    if isinstance(node, Node):
        yield node
        inside = [child for name, child in node.items() if name != "_vars"]
        node = [node.graph] if node.name in EXISTS else inside
    if isinstance(node, list | tuple):
        for child in node:
            yield from parts(child)


# -- paths


def _without_paths(node: Any) -> Any:
    """A part or a list of such, with sequences, alternatives and inverses written out as
    patterns."""
    if isinstance(node, list):
        return list(map(_without_paths, node))
    if not isinstance(node, Node):
        return node
    if node.name == "BGP":
        return reduce(_united, map(_pattern, product(*map(_ways, node.triples))))
    for name, part in node.items():
        node[name] = _without_paths(part)
    return node


def _pattern(way: Iterable[Iterable[Any]]) -> Node:
    return Node("BGP", triples=list(chain.from_iterable(way)))


def _united(one: Node, other: Node) -> Node:
    return Node("Union", p1=one, p2=other)


def _ways(triple: Any) -> list[list[Any]]:
    s, path, o = triple
    if not isinstance(path, Path):
        return [[triple]]
    if isinstance(path, InvPath):
        return _ways((o, path.arg, s))
    if isinstance(path, AlternativePath):
        return [way for each in path.args for way in _ways((s, each, o))]
    if isinstance(path, SequencePath):
        nodes = [s, *(BNode() for _ in path.args[1:]), o]
        steps = zip(nodes, path.args, nodes[1:], strict=False)
        return [list(chain.from_iterable(way)) for way in product(*map(_ways, steps))]
    raise _refused(f"the path {path.n3()}")


# -- where a part looks for what its left rows match


def key_of(left: Node, pattern: Node) -> list[Any]:
    """The variables by which a pattern that has changed leads to the left rows concerned."""
    variables = PartVariables()
    found: Variables = variables.possible(pattern) & variables.certain(left)
    return sorted(found)


def patterns_beside(part: Node) -> list[Node]:
    """The basic graph patterns that a part looks at for each row, beside those it gets rows of."""
    beside = [part.p2] if part.name in ("LeftJoin", "Minus") else []
    return [inner for side in (*beside, part.expr) for inner in parts(side) if inner.name == "BGP"]


def left_of(part: Node) -> Node:
    found: Node = part.p if part.name == "Filter" else part.p1
    return found


def _check_sides(part: Node) -> None:
    what = {"LeftJoin": "OPTIONAL", "Minus": "MINUS", "Filter": "EXISTS"}[part.name]
    for pattern in patterns_beside(part):
        if pattern.triples and not key_of(left_of(part), pattern):
            raise _refused(f"an {what} with a pattern that shares no bound variable with the rest")


def _check_groups(part: Node) -> None:
    keys = part.p.expr or []
    if not keys:
        raise _refused("an aggregate without GROUP BY")
    bound = PartVariables().certain(part.p.p)
    if not all(isinstance(key, Variable) and key in bound for key in keys):
        raise _refused("GROUP BY something else than variables that patterns bind")
    for function in part.A:
        if function.name == "Aggregate_Sample" and function.vars not in keys:
            raise _refused("SAMPLE, which is open")


def _check_distinct(part: Node) -> None:
    names = {inner.name for inner in parts(part)}
    if "AggregateJoin" in names:
        raise _refused("DISTINCT together with GROUP BY")
    if not key_of(part.p.p, part.p):
        raise _refused("DISTINCT without a variable that patterns bind")


def _check_values(part: Node) -> None:
    if isinstance(part.p, Node) and part.p.name != "values":
        raise _refused("a sub-select")


_CHECKS = {
    "LeftJoin": _check_sides,
    "Minus": _check_sides,
    "Filter": _check_sides,
    "AggregateJoin": _check_groups,
    "Distinct": _check_distinct,
    "ToMultiSet": _check_values,
}
