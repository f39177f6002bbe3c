"""Chains of operators that are longer than the stack is deep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rdfinc import DataSyntaxError

T = TypeVar("T")

_TOO_LONG = (
    "OPTIONAL, MINUS, BIND, GRAPH, {…} and the like follow each other in too long a chain;"
    " write it with fewer of them, or in several requests"
)


class _RefusedChains:
    """Raises DataSyntaxError where a part is too deep to be evaluated: each operator of a group
    stands in the one behind it."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None and issubclass(kind, RecursionError):
            raise DataSyntaxError("SPARQL", None, "", _TOO_LONG) from None


REFUSED_CHAINS = _RefusedChains()


def in_no_long_chain(blocks: Iterator[T]) -> Iterator[T]:
    """The blocks of a part. Raises DataSyntaxError as `REFUSED_CHAINS`."""
    with REFUSED_CHAINS:
        yield from blocks
