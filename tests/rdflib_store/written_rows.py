"""The rows of results of rdfinc and of Oxigraph, so that they can be compared."""

from __future__ import annotations

from collections import Counter
from typing import Any


def rows(result: Any, write: Any) -> Counter[frozenset[tuple[str, str]]]:
    """How often each row of a result stands there, its bound variables with what `write` makes of
    terms."""
    names = [str(v) for v in (result.vars if hasattr(result, "vars") else result.variables)]
    names = [name.lstrip("?") for name in names]
    return Counter(
        frozenset((n, write(t)) for n, t in zip(names, row, strict=True) if t is not None)
        for row in result
    )
