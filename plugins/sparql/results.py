"""Results of SELECT: rdflib's, made of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import repeat
from typing import Any

from rdflib.query import Result, ResultRow
from rdflib.term import Variable

from rdfinc.plugins.sparql.scope import Scope
from rdfinc.plugins.sparql.solutions import Solutions


class Selected(Result):
    """The rows of a SELECT, decoded as they are asked for and then kept.

    Every distinct term is decoded once. A row that binds nothing is a row, too.
    """

    def __init__(
        self, scope: Scope, algebra: Any, variables: Sequence[Variable], blocks: Iterator[Solutions]
    ) -> None:
        super().__init__("SELECT")
        self.vars = list(variables)
        self._scope, self._algebra, self._blocks = scope, algebra, blocks
        self._make = partial(tuple.__new__, _row_class(tuple(map(str, variables))))
        self._rows: list[ResultRow] = []
        self._dicts: list[Mapping[Variable, Any]] | None = None

    def _decode(self, block: Solutions) -> None:
        assert self.vars is not None
        if not self.vars:
            self._rows += [self._make(())] * block.size
            return
        column = self._scope.terms.column
        given = block.columns
        columns = [column(given[v]) if v in given else repeat(None, block.size) for v in self.vars]
        self._rows += map(self._make, zip(*columns, strict=True))

    def _all(self) -> list[ResultRow]:
        for block in self._blocks:
            self._decode(block)
        return self._rows

    def __iter__(self) -> Iterator[ResultRow]:
        shown = 0
        while True:
            ready = len(self._rows)
            yield from self._rows[shown:ready]
            shown = ready
            if shown == len(self._rows):
                block = next(self._blocks, None)
                if block is None:
                    return
                self._decode(block)

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @property
    def bindings(self) -> list[Mapping[Variable, Any]]:  # type: ignore[override]
        """The rows as mappings of their bound variables."""
        assert self.vars is not None
        if self._dicts is None:
            self._dicts = [
                {v: t for v, t in zip(self.vars, row, strict=True) if t is not None}
                for row in self._all()
            ]
        return self._dicts

    @bindings.setter
    def bindings(self, rows: Iterable[Mapping[Variable, Any]]) -> None:
        assert self.vars is not None
        self._dicts, self._blocks = list(rows), iter(())
        self._rows = [self._make(map(row.get, self.vars)) for row in self._dicts]

    def plan(self) -> str:
        """The parts of the query as they were evaluated, to the end, with the number of solutions
        that each had; those that rdflib's evaluator had to find are marked."""
        self._all()
        return "\n".join(self._scope.trace.lines(self._algebra))


@lru_cache(maxsize=256)
def _row_class(names: tuple[str, ...]) -> type[ResultRow]:
    """rdflib's rows, all of which have the same labels."""
    labels = {name: place for place, name in enumerate(names)}
    return type("ResultRow", (ResultRow,), {"labels": labels, "__slots__": ()})
