"""pyoxigraph's quads -> ids, one term at a time: the path that takes everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyoxigraph as ox

from rdfinc.errors import UnsupportedError
from rdfinc.terms.dictionary import Dictionary

Columns = npt.NDArray[np.uint32]
"""Statements, one a column: rows subject, predicate, object, graph; graph 0 is the default one."""


def oxigraph_key(term: Any) -> bytes:
    """The key of a pyoxigraph term. Raises UnsupportedError for what only RDF 1.2 has."""
    if isinstance(term, ox.Triple):
        raise UnsupportedError("RDF 1.2 triple terms", str(term))
    if isinstance(term, ox.Literal) and term.direction is not None:
        raise UnsupportedError("literals with a base direction (RDF 1.2)", str(term))
    return str(term).encode()


class QuadEncoder(dict[Any, int]):
    """pyoxigraph term -> id; a term met for the first time is encoded. About 2 µs a quad."""

    def __init__(self, dictionary: Dictionary, rename: Callable[[bytes], bytes]) -> None:
        super().__init__({ox.DefaultGraph(): 0})
        self._dictionary = dictionary
        self._rename = rename

    def __missing__(self, term: Any) -> int:
        key = oxigraph_key(term)
        if key.startswith(b"_"):
            key = self._rename(key)
        id = self[term] = self._dictionary.encode(key)
        return id

    def encode(self, quads: Iterable[ox.Quad]) -> Columns:
        """The statements' ids."""
        id_of = self.__getitem__
        rows = [(id_of(s), id_of(p), id_of(o), id_of(g)) for s, p, o, g in quads]
        return np.array(rows, np.uint32).reshape(-1, 4).T
