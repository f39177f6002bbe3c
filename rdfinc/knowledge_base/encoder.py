"""Rule constants and expressions as the engine needs them: the terms side of compiling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rdfinc.datalog.clause import Row
from rdfinc.datalog.model import Expression
from rdfinc.terms.dictionary import AUXILIARY, Dictionary
from rdfinc.terms.expressions import evaluate, holds
from rdfinc.terms.identity import Identity, identity

Values = Callable[[Sequence[Row]], "list[int | None]"]


class TermEncoder:
    """Compiles against one dictionary (see `rdfinc.datalog.clause.Encoder`)."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary

    def constant(self, term: str) -> int:
        return self._dictionary.encode(term.encode())

    def auxiliary(self, name: str) -> int:
        return self._dictionary.auxiliary(name)

    def is_auxiliary(self, id: int) -> bool:
        return self._dictionary.kind(id) == AUXILIARY

    def row(self, values: Row) -> int:
        return self._dictionary.row(values)

    def row_values(self, row: int) -> Row | None:
        return self._dictionary.row_values(row) if self.is_auxiliary(row) else None

    def filter(self, expression: Expression) -> Values:
        names = [variable.name for variable in expression.variables]
        same = identity(expression.text, tuple(names))
        return self._by_terms(expression) if same is None else self._by_ids(same)

    def _by_ids(self, same: Identity) -> Values:
        constants = [self.constant(term) for term in same.constants]
        test = same.test
        return lambda rows: [1 if test(*row, *constants) else None for row in rows]

    def _by_terms(self, expression: Expression) -> Values:
        def values(rows: Sequence[Row]) -> list[int | None]:
            return [1 if true else None for true in holds(expression, self._terms(rows))]

        return values

    def bind(self, expression: Expression) -> Values:
        def values(rows: Sequence[Row]) -> list[int | None]:
            found = evaluate(expression, self._terms(rows))
            return [None if term is None else self._dictionary.encode(term) for term in found]

        return values

    def _terms(self, rows: Sequence[Row]) -> list[tuple[bytes, ...]]:
        return [tuple(self._dictionary.decode_many(row)) for row in rows]
