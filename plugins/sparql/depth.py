"""Chains of operators that are longer than the stack is deep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from rdfinc import DataSyntaxError

T = TypeVar("T")

_TOO_LONG = (
    "OPTIONAL, MINUS, BIND, GRAPH, {…} and the like follow each other in too long a chain;"
    " write it with fewer of them, or in several requests"
)


@contextmanager
def refused_chains() -> Iterator[None]:
    """Raises DataSyntaxError where a part is too deep to be evaluated: each operator of a group
    stands in the one behind it."""
    try:
        yield
    except RecursionError:
        raise DataSyntaxError("SPARQL", None, "", _TOO_LONG) from None


def in_no_long_chain(blocks: Iterator[T]) -> Iterator[T]:
    """The blocks of a part. Raises DataSyntaxError as `refused_chains`."""
    with refused_chains():
        yield from blocks
