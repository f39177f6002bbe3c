"""Strongly connected components (Tarjan 1972), without recursion."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(graph: Mapping[Node, Iterable[Node]]) -> Iterator[list[Node]]:
    """The components of `{node: successors}`, each after all components it reaches. O(n + m)."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_: dict[Node, None] = {}
    for root in graph:
        if root in number:
            continue
        path: list[tuple[Node, Iterator[Node]]] = []
        _enter(root, graph, number, low, open_, path)
        while path:
            node, successors = path[-1]
            following = next(successors, None)
            if following is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == number[node]:
                    yield _close(node, open_)
            elif following not in number:
                _enter(following, graph, number, low, open_, path)
            elif following in open_:
                low[node] = min(low[node], number[following])


def _enter(
    node: Node,
    graph: Mapping[Node, Iterable[Node]],
    number: dict[Node, int],
    low: dict[Node, int],
    open_: dict[Node, None],
    path: list[tuple[Node, Iterator[Node]]],
) -> None:
    number[node] = low[node] = len(number)
    open_[node] = None
    path.append((node, iter(graph.get(node, ()))))


def _close(root: Node, open_: dict[Node, None]) -> list[Node]:
    component: list[Node] = []
    while not component or component[-1] != root:
        component.append(open_.popitem()[0])
    return component
