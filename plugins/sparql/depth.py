"""Texts and chains of operators that are deeper than the stack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from rdfinc import DataSyntaxError
from rdfinc.plugins.sparql.syntax.nodes import Node

T = TypeVar("T")

_CHAINS = {
    "LeftJoin": "OPTIONAL",
    "Minus": "MINUS",
    "Extend": "BIND or (… AS ?name)",
    "Join": "{…}, GRAPH, SERVICE, VALUES or sub-selects",
}
"""What each operator is made of that stands in the next one of its kind."""


class RefusedDepth:
    """Raises DataSyntaxError, for what is too deep, where the stack ends."""

    def __init__(self, why: Callable[[], str]) -> None:
        self._why = why

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None and issubclass(kind, RecursionError):
            raise DataSyntaxError("query", None, "", self._why()) from None


REFUSED_NESTING = RefusedDepth(
    lambda: (
        "brackets are nested too deeply for what is left of the stack; write it with fewer of them"
    )
)
"""While a text is read."""


def refused_chains(part: Any) -> RefusedDepth:
    """While a part is evaluated: each operator of a group stands in the one behind it."""
    return RefusedDepth(lambda: _too_long(part))


def in_no_long_chain(part: Any, blocks: Iterator[T]) -> Iterator[T]:
    """The blocks of a part. Raises DataSyntaxError as `refused_chains`."""
    with refused_chains(part):
        yield from blocks


def _too_long(part: Any) -> str:
    """What is said of a part: the operators of which it has most are those that are too many."""
    many = Counter(each.name for each in _nodes(part) if each.name in _CHAINS).most_common(1)
    told = f"{_CHAINS[many[0][0]]}, {many[0][1]:,} in all" if many else "parts"
    return f"too long a chain of {told}; write it with fewer of them, or in several requests"


def _nodes(part: Any) -> Iterator[Node]:
    """A part and all in it."""
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Node):
            yield each
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
