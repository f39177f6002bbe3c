"""Constants and expressions of rules -> ids and functions of ids, as clauses hold them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rdfinc.datalog.clause import AUXILIARY as HIDDEN
from rdfinc.datalog.clause import Decide, FoldValues, Ids, Mask
from rdfinc.datalog.model import Expression, Value
from rdfinc.knowledge_base.rules.aggregate_evaluation import folding
from rdfinc.terms.builtins import ALIKE, IN_DATATYPE, MAY_EQUAL, NAME_AMONG, OUTSIDE_DATATYPE
from rdfinc.terms.builtins.memberships import Memberships
from rdfinc.terms.computed_depth import Nesting
from rdfinc.terms.dictionary import AUXILIARY, LITERAL, Dictionary
from rdfinc.terms.expressions.direct_calls import literal_inputs, relation
from rdfinc.terms.expressions.expression import evaluate, holds
from rdfinc.terms.expressions.term_identity import Identity, comparison, identity
from rdfinc.terms.skolem import Skolems

Values = Callable[[Sequence[Ids]], "list[int | None]"]

_IS_LITERAL = re.compile(r"isLiteral\(\?\w+\)", re.IGNORECASE)


class TermEncoder:
    """Compiles against one dictionary (see `rdfinc.datalog.clause.Encoder`). `_names` are the
    permanent ids: those of auxiliary relations and of terms named by clauses."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self.nesting = Nesting()
        self._memberships = Memberships(dictionary)
        self._skolems = Skolems(dictionary, self.nesting)
        self._names: set[int] = set()

    def copy(self, dictionary: Dictionary) -> TermEncoder:
        """A copy over a copy of the dictionary."""
        twin = TermEncoder(dictionary)
        twin.nesting = self.nesting.copy()
        twin._skolems = self._skolems.copy(dictionary, twin.nesting)
        twin._names = set(self._names)
        return twin

    def constant(self, term: str) -> int:
        id = self.number(term)
        self._names.add(id)
        return id

    def number(self, term: str) -> int:
        """The id of a constant that no clause has."""
        if term.startswith(HIDDEN):
            return self._dictionary.auxiliary(term[len(HIDDEN) : -1])
        return self._dictionary.encode(term.encode())

    def auxiliary(self, name: str) -> int:
        id = self._dictionary.auxiliary(name)
        self._names.add(id)
        return id

    def mention(self, mentioned: Mask) -> None:
        """Adds, by id, the names in clauses and what terms were made of."""
        mentioned[list(self._names)] = True
        self._skolems.mention(mentioned)

    def forget(self, freed: NDArray[np.uint32]) -> None:
        """Forgets ids that stand for no term any more."""
        self._skolems.forget(freed)
        self.nesting.forget(freed)
        self._memberships.forget(freed)

    def is_auxiliary(self, id: int) -> bool:
        return self._dictionary.kind(id) == AUXILIARY

    def row(self, values: Ids) -> int:
        return self._dictionary.row(values)

    def find_row(self, values: Ids) -> int:
        """The row of a tuple; a node without facts if no such row was made."""
        return self._dictionary.find_row(values) or self._dictionary.auxiliary("no row")

    def row_values(self, row: int) -> Ids | None:
        return self._dictionary.row_values(row)

    def skolem(self, name: str, values: Ids) -> int:
        return self._skolems.make(name, values)

    def skolem_values(self, name: str, id: int) -> Ids | None:
        return self._skolems.arguments(name, id)

    def filter(self, expression: Expression) -> Values:
        names = tuple(variable.name for variable in expression.variables)
        asked = relation(expression.text, names)
        if asked and asked[0] == NAME_AMONG:
            return self._names_among
        if _IS_LITERAL.fullmatch(expression.text):
            return self._literals
        same = identity(expression.text, names)
        return self._by_terms(expression) if same is None else self._by_ids(same)

    def decide(self, expression: Expression) -> Decide | None:
        """The outcome of a computation by ids alone, where possible: of identity, of equality
        unless all terms are literals, of membership in datatypes, and of conditions on literals
        for other terms."""
        names = tuple(variable.name for variable in expression.variables)
        asked = relation(expression.text, names)
        about_terms = {
            ALIKE: self._alike, MAY_EQUAL: self._may_equal, NAME_AMONG: self._among,
            IN_DATATYPE: _decided(self._memberships.inside),
            OUTSIDE_DATATYPE: _decided(self._memberships.outside),
        }  # fmt: skip
        if asked and asked[0] in about_terms and asked[1] == tuple(range(len(names))):
            return about_terms[asked[0]]
        if _IS_LITERAL.fullmatch(expression.text):
            return self._all_literals
        literal = literal_inputs(expression.text, names)
        if literal:
            return self._of_literals(literal)
        same, compared = identity(expression.text, names), comparison(expression.text, names)
        condition = same or compared
        if condition is None or not names:
            return None
        constants = [self.constant(term) for term in condition.constants]

        def decide(columns: Sequence[NDArray[np.uint32]]) -> tuple[Mask, Mask]:
            holds = condition.test(*columns, *constants)
            if same:
                return holds, np.zeros(holds.size, np.bool_)
            return holds, self._are_literals(columns)

        return decide

    def _names_among(self, rows: Sequence[Ids]) -> list[int | None]:
        kind = self._dictionary.kind
        return [None if all(kind(id) == LITERAL for id in row) else 1 for row in rows]

    def _among(self, columns: Sequence[NDArray[np.uint32]]) -> tuple[Mask, Mask]:
        """Whether some term of each row is no literal."""
        found = ~self._are_literals(columns)
        return found, np.zeros(found.size, np.bool_)

    def _alike(self, columns: Sequence[NDArray[np.uint32]]) -> tuple[Mask, Mask]:
        """Whether the terms of each row are one; two literals are asked about."""
        first, second = columns
        same = first == second
        return same, ~same & self._are_literals(columns)

    def _may_equal(self, columns: Sequence[NDArray[np.uint32]]) -> tuple[Mask, Mask]:
        """Whether some term of each row is no literal, or both are one; others are asked about."""
        same, asked = self._alike(columns)
        return same | ~self._are_literals(columns), asked

    def are_literals(self, ids: NDArray[np.uint32]) -> Mask:
        """Which of some ids are those of literals."""
        return self._are_literals([ids])

    def _literals(self, rows: Sequence[Ids]) -> list[int | None]:
        kind = self._dictionary.kind
        return [1 if kind(id) == LITERAL else None for (id,) in rows]

    def _all_literals(self, columns: Sequence[NDArray[np.uint32]]) -> tuple[Mask, Mask]:
        """Whether the terms of each row are literals."""
        found = self._are_literals(columns)
        return found, np.zeros(found.size, np.bool_)

    def _are_literals(self, columns: Sequence[NDArray[np.uint32]]) -> Mask:
        kinds = self._dictionary.kinds
        found: Mask = np.logical_and.reduce([kinds[ids] == LITERAL for ids in columns])
        return found

    def _of_literals(self, inputs: Sequence[int]) -> Decide:
        dictionary = self._dictionary

        def decide(columns: Sequence[NDArray[np.uint32]]) -> tuple[Mask, Mask]:
            kinds = dictionary.kinds
            asked = np.logical_and.reduce([kinds[columns[i]] == LITERAL for i in inputs])
            return np.zeros(asked.size, np.bool_), asked

        return decide

    def _by_ids(self, same: Identity) -> Values:
        constants = [self.constant(term) for term in same.constants]
        test = same.test
        return lambda rows: [1 if test(*row, *constants) else None for row in rows]

    def _by_terms(self, expression: Expression) -> Values:
        def values(rows: Sequence[Ids]) -> list[int | None]:
            return [1 if true else None for true in holds(expression, self._terms(rows))]

        return values

    def bind(self, expression: Expression) -> Values:
        def values(rows: Sequence[Ids]) -> list[int | None]:
            found = evaluate(expression, self._terms(rows))
            made = zip(found, rows, strict=True)
            return [None if term is None else self._made(term, row, what) for term, row in made]

        what = f"BIND({expression.text} AS …)"
        return values

    def _made(self, term: bytes, made_of: Ids, what: str) -> int:
        id = self._dictionary.encode(term)
        self.nesting.note(id, made_of, term, what)
        return id

    def fold(self, value: Value) -> FoldValues:
        return folding(value, self._dictionary)

    def _terms(self, rows: Sequence[Ids]) -> list[tuple[bytes, ...]]:
        width = len(rows[0]) if rows else 0
        if not width:
            return [()] * len(rows)
        terms = iter(self._dictionary.decode_many(chain.from_iterable(rows)))
        return list(zip(*[terms] * width, strict=True))


def _decided(test: Callable[..., Mask]) -> Decide:
    """A test of columns that leaves no row open."""

    def decide(columns: Sequence[NDArray[np.uint32]]) -> tuple[Mask, Mask]:
        holds = test(*columns)
        return holds, np.zeros(holds.size, np.bool_)

    return decide
