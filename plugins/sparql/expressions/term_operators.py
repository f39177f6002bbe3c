"""The operators of expressions over blocks of rows."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from typing import Any

import numpy as np
from rdflib.term import BNode, Literal, URIRef, Variable

from rdfinc.plugins.sparql.columns.enclosed_texts import EnclosedTexts
from rdfinc.plugins.sparql.columns.outcomes import FALSE, TRUE, Outcomes
from rdfinc.plugins.sparql.columns.term_columns import (
    EnclosedColumn,
    KeyColumn,
    NumberColumn,
    TermColumn,
    TruthColumn,
    ValueColumn,
    spread,
    united,
)
from rdfinc.plugins.sparql.columns.term_tuples import Together
from rdfinc.plugins.sparql.columns.typed_columns import computed
from rdfinc.plugins.sparql.expressions import comparisons
from rdfinc.plugins.sparql.expressions.comparisons import combined, truths
from rdfinc.plugins.sparql.expressions.date_arithmetic import of_dates
from rdfinc.plugins.sparql.expressions.membership import membership
from rdfinc.plugins.sparql.expressions.operand_views import (
    FAULTS,
    KEYS,
    TEXTS,
    TRUTHS,
    VALUES,
    Function,
)
from rdfinc.plugins.sparql.expressions.query_functions import ARITHMETIC
from rdfinc.plugins.sparql.expressions.row_blocks import RowBlock, Way
from rdfinc.plugins.sparql.expressions.text_functions import concatenation, joined, plain
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.nodes import ExpressionNode
from rdfinc.plugins.sparql.syntax.prologue import Declared, is_absolute
from rdfinc.tables.kernels import Indices
from rdfinc.terms.builtins.uris import reference
from rdfinc.terms.builtins.values import NoValue
from rdfinc.terms.expressions.regular import quick_search, search_all
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.rdflib_terms import to_rdflib
from rdfinc.terms.whole_imports import WHOLE

_COLUMNS: dict[str, Callable[[list[Any], Any], TermColumn]] = {
    VALUES: ValueColumn,
    KEYS: KeyColumn,
    TRUTHS: lambda found, places: TruthColumn(truths(found), places),
}


def each(function: Function, operands: Sequence[Way], block: RowBlock) -> TermColumn:
    """A function of operands, of each different tuple of them once."""
    return _each(function, [way(block) for way in operands], block)


def _each(function: Function, columns: Sequence[TermColumn], block: RowBlock) -> TermColumn:
    if function.enclosed is not None and (found := _as_one(function, columns, block)) is not None:
        return found
    together = Together(columns)
    if function.typed is not None:
        numbers = function.typed(*together.typed())
        if numbers is not None:
            return NumberColumn(numbers, together.places)
    lists = together.lists(*function.views[: len(columns)])
    call = function.function
    if function.simple is not None:
        kinds = [set(map(type, some)) for some in lists]
        if kinds == [{str}, *[{function.others}] * (len(kinds) - 1)]:
            call = function.simple
    return _COLUMNS[function.gives](block.called(call, lists), together.places)


def _as_one(
    function: Function, columns: Sequence[TermColumn], block: RowBlock
) -> TermColumn | None:
    """A function of many texts as one, and of others that are the same for all of them."""
    first, *others = columns
    if len(first) < QUERIES.texts_as_one or any(len(other) > 1 for other in others):
        return None
    given = [other.texts[0] for other in others]
    texts = first.enclosed_texts if function.views[0] == TEXTS else first.enclosed
    if texts is None or any(type(text) is not str for text in given):
        return None
    found = function.enclosed(texts, *given)  # type: ignore[misc]
    if isinstance(found, EnclosedTexts):
        block.query.budget.watched(lambda: found.together)()
        return EnclosedColumn(found, first.places)
    return None if found is None else TruthColumn(found * np.uint8(TRUE), first.places)


# -- terms


def iri(operand: Way, block: RowBlock) -> TermColumn:
    """IRIs as they are, simple literals resolved."""
    resolved = partial(_iri, block.query.ctx.prologue)
    return _each(Function(("arg",), (KEYS,), resolved, KEYS), [operand(block)], block)


def _iri(prologue: Declared, key: bytes) -> bytes:
    if key[:1] == b"<":
        return key
    if key[:1] + key[-1:] != b'""':
        raise NoValue
    found = prologue.absolutize(URIRef(reference(literal_parts(key)[0])))
    if not is_absolute(found):
        raise NoValue
    return key_of(found)


def now(block: RowBlock) -> TermColumn:
    return KeyColumn([key_of(Literal(block.query.ctx.now))], None)


def same_term(left: Way, right: Way, block: RowBlock) -> TermColumn:
    return comparisons.same(left(block), right(block))


def matches(function: Function, operands: Sequence[Way], block: RowBlock) -> TermColumn:
    """REGEX; texts are searched all at once for one pattern."""
    columns = [way(block) for way in operands]
    text, *others = columns
    if all(each.places is None for each in others):
        given = [others[0].texts[0], *(each.lexical[0] for each in others[1:])]
        if set(map(type, given)) == {str}:
            with suppress(*FAULTS):
                return TruthColumn(_searched(text, block.query.budget.check, *given), text.places)
    return _each(function, columns, block)


def _searched(
    column: TermColumn, check: Callable[[], None], pattern: str, flags: str = ""
) -> Outcomes:
    """For each text whether a pattern matches. Where each match contains a certain part, the texts
    without it are not looked at; nor are those of no row, where one may take long. Raises one of
    FAULTS for a pattern that is none."""
    _, longest, part = quick_search(pattern, flags)
    together = column.enclosed_texts
    found = None if together is None else together.containing(part)
    if together is not None and found is not None and together.longest <= longest:
        places = np.flatnonzero(found)
        found[places] = search_all(pattern, together.some(places), flags, check)
        return found * np.uint8(TRUE)
    texts = [plain(text) for text in column.texts]
    if column.places is not None and any(text and len(text) > longest for text in texts):
        for place in np.setdiff1d(np.arange(len(texts)), column.places).tolist():
            texts[place] = None
    known = [text for text in texts if text is not None]
    answers = iter(search_all(pattern, known, flags, check))
    return truths([None if text is None else next(answers) for text in texts])


def concatenated(operands: Sequence[Way], block: RowBlock) -> TermColumn:
    if not operands:
        return ValueColumn([""], None)
    function = Function((), (TEXTS,) * len(operands), concatenation, simple=joined)
    return each(function, operands, block)


# -- values that each row has for itself


def fresh_blanks(block: RowBlock) -> TermColumn:
    return KeyColumn([key_of(BNode()) for _ in range(block.size)], block.each_row)


def labelled(label: Way, block: RowBlock) -> TermColumn:
    """The node of a label in each row; a label is a simple literal."""
    nodes, texts = block.query.labels.of(block.rows), label(block)
    given = [texts.texts[place] for place in texts.at(block.size).tolist()]
    keys = [
        key_of(nodes[number][text]) if type(text) is str else None
        for number, text in zip(block.numbers.tolist(), given, strict=True)
    ]
    return KeyColumn(keys, block.each_row)


def random_numbers(block: RowBlock) -> TermColumn:
    return ValueColumn([random.random() for _ in range(block.size)], block.each_row)


def unique_iris(block: RowBlock) -> TermColumn:
    keys: list[Any] = [b"<%b>" % uuid.uuid4().urn.encode() for _ in range(block.size)]
    return KeyColumn(keys, block.each_row)


def unique_texts(block: RowBlock) -> TermColumn:
    return ValueColumn([str(uuid.uuid4()) for _ in range(block.size)], block.each_row)


# -- logic


def conjunction(operands: Sequence[Way], block: RowBlock) -> TermColumn:
    return _logical(np.minimum, operands, block)


def disjunction(operands: Sequence[Way], block: RowBlock) -> TermColumn:
    return _logical(np.maximum, operands, block)


def _logical(ufunc: Any, operands: Iterable[Way], block: RowBlock) -> TermColumn:
    def both(one: TermColumn, other: TermColumn) -> TermColumn:
        return combined(ufunc, (one, other), (one.outcomes, other.outcomes))

    return reduce(both, (way(block) for way in operands))


def negated(operand: Way, block: RowBlock) -> TermColumn:
    found = operand(block)
    return TruthColumn(TRUE - found.outcomes, found.places)


def true(block: RowBlock) -> TermColumn:
    return TruthColumn(np.full(1, TRUE, np.uint8), None)


def bound(operand: Way, block: RowBlock) -> TermColumn:
    found = operand(block)
    return TruthColumn(found.known * np.uint8(TRUE), found.places)


def chosen(condition: Way, then: Way, otherwise: Way, block: RowBlock) -> TermColumn:
    """IF: an error where the condition is one. Both sides are looked at for their rows only."""
    test = condition(block)
    outcomes = test.outcomes[test.at(block.size)]
    rows = [np.flatnonzero(outcomes == outcome) for outcome in (TRUE, FALSE)]
    columns = [way(block.part(some)) for way, some in zip((then, otherwise), rows, strict=True)]
    return _picked(columns, rows, block)


def first_known(operands: Sequence[Way], block: RowBlock) -> TermColumn:
    """COALESCE: each operand is looked at for the rows that those before it leave open."""
    columns, rows, open_ = [], [], np.arange(block.size)
    for way in operands:
        columns.append(way(block.part(open_)))
        rows.append(open_)
        open_ = open_[~columns[-1].known[columns[-1].at(len(open_))]]
    return _picked(columns, rows, block) if columns else KeyColumn([None], None)


def _picked(columns: Sequence[TermColumn], rows: Sequence[Indices], block: RowBlock) -> TermColumn:
    """For each row its entry in the last of the columns that are of this row, or an error."""
    found, places, start = united(columns), np.zeros(block.size, np.intp), 1
    for column, some in zip(columns, rows, strict=True):
        places[some] = start + column.at(len(some))
        start += len(column)
    found.places = places
    return found


# -- comparisons


def compared(sign: str, left: Way, right: Way, block: RowBlock) -> TermColumn:
    return comparisons.compared(sign, left(block), right(block))


def among(left: Way, listed: Sequence[Any], block: RowBlock) -> TermColumn:
    """IN a list of terms."""
    column, others = left(block), KeyColumn([key_of(term) for term in listed], None)

    def outcomes(places: Indices) -> Outcomes:
        return np.array(
            [_is_in(column.values[place], others.values) for place in places.tolist()], np.uint8
        )

    ids, terms = block.entries(column), block.query.terms
    found = membership(ids, terms.numbers_of_keys(others.keys), terms, outcomes)
    return TruthColumn(found, column.places)


def _is_in(value: Any, others: Iterable[Any]) -> int:
    return max(comparisons.equality(value, other) for other in others)


def among_computed(left: Way, listed: Sequence[Way], block: RowBlock) -> TermColumn:
    """IN a list of expressions."""
    return disjunction([partial(compared, "=", left, way) for way in listed], block)


# -- arithmetic

_ARITHMETIC = {
    sign: Function(
        (),
        (VALUES, VALUES),
        of_dates(sign, number) if sign in "+-" else number,
        typed=partial(computed, sign),
    )
    for sign, number in ARITHMETIC.items()
}


def folded(first: Way, others: Sequence[tuple[str, Way]], block: RowBlock) -> TermColumn:
    """Operators of one rank, from left to right."""
    return reduce(
        lambda found, other: _each(_ARITHMETIC[other[0]], [found, other[1](block)], block),
        others,
        first(block),
    )


# -- functions that SPARQL does not know


def by_rdflib(
    node: ExpressionNode,
    lists: Collection[str],
    ways: Mapping[str, Sequence[Way]],
    variables: Sequence[Variable],
    block: RowBlock,
) -> TermColumn:
    """A node whose function is rdflib's or a user's: of each different row that it reads."""
    operands = [way(block) for some in ways.values() for way in some]
    columns = [*map(block.column, variables), *operands]
    ctx = block.query.ctx
    with WHOLE:
        from rdfinc.plugins.sparql.by_rdflib.rdflib_functions import called  # it imports a grammar

    def value(keys: Sequence[Any]) -> bytes | None:
        read, given = keys[: len(variables)], iter(keys[len(variables) :])
        terms = {v: to_rdflib(key) for v, key in zip(variables, read, strict=True) if key}
        parts = {
            name: [next(given) for _ in some] if name in lists else next(given)
            for name, some in ways.items()
        }
        return called(node, parts, ctx, terms)

    if not columns:
        return KeyColumn([value(())], None)
    together = Together(columns)
    found = zip(*spread(together.lists(*[KEYS] * len(columns))), strict=True)
    return KeyColumn(list(map(value, block.query.budget.checked(found))), together.places)
