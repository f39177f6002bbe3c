"""Columns of terms: what an expression has for the rows of a block, each distinct term once.

A column has entries, and for each row the place of its entry. Entries can be looked at as keys, as
values, as texts and as outcomes of a condition; each view is made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import chain, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from rdfinc.plugins.sparql.columns.enclosed_texts import EnclosedTexts
from rdfinc.plugins.sparql.columns.outcomes import ERROR, FALSE, TRUE, Outcomes
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.columns.term_values import effective, rank
from rdfinc.plugins.sparql.columns.typed_columns import keys_of, numbers_of, ordered
from rdfinc.tables.kernels import Indices, Mask
from rdfinc.terms.builtins.value_arrays import NOTHING, TEXT, TypedValues, typed
from rdfinc.terms.builtins.values import NoValue, Tagged, key_of, keys_of_texts, value_of
from rdfinc.terms.dictionary import LITERAL
from rdfinc.terms.grammar import literal_parts

Places = Indices | None
"""The place of each row's entry; None if there is one entry, for all rows."""


class TermColumn:
    """Row i has entry `places[i]`. Entries may be equal, and some may be no row's; None is an
    error, or unbound."""

    places: Places

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def keys(self) -> list[Any]:
        """The keys of the terms."""
        kinds = {*map(type, self.values)}
        if kinds == {str}:
            return keys_of_texts(self.values)  # type: ignore[return-value]
        kinds -= {type(None)}
        if len(kinds) > 1 or not kinds <= _SHORT:
            return [None if value is None else key_of(value) for value in self.values]
        keys = {value: key_of(value) for value in {*self.values} - {None}}
        return list(map(keys.get, self.values))

    @cached_property
    def values(self) -> list[Any]:
        """What the terms denote."""
        return [None if key is None else value_of(key) for key in self.keys]

    @cached_property
    def typed(self) -> TypedValues:
        """What the terms denote, in arrays."""
        return typed(self.values)

    @cached_property
    def texts(self) -> list[Any]:
        """Simple literals as str, those in a language as Tagged; None for all other terms."""
        found = self.enclosed_texts
        return [_text(key) for key in self.keys] if found is None else found.texts()

    @cached_property
    def lexical(self) -> list[Any]:
        """The texts of IRIs, the lexical forms of literals; None for blank nodes."""
        found = self.enclosed
        return [_lexical(key) for key in self.keys] if found is None else found.texts()

    @cached_property
    def enclosed(self) -> EnclosedTexts | None:
        """The texts of IRIs or simple literals as one, where they are that all of them."""
        return EnclosedTexts.of(self.keys)

    @property
    def enclosed_texts(self) -> EnclosedTexts | None:
        """Those of simple literals."""
        found = self.enclosed
        return found if found is not None and found.are_literals else None

    @cached_property
    def outcomes(self) -> Outcomes:
        """Effective boolean values."""
        return np.array([_outcome(value) for value in self.values], np.uint8)

    @cached_property
    def known(self) -> Mask:
        """Which entries are no errors."""
        return np.array([key is not None for key in self.keys], np.bool_)

    @cached_property
    def is_literal(self) -> Mask:
        return np.array([key is not None and key[:1] == b'"' for key in self.keys], np.bool_)

    def only(self, entries: Indices) -> TermColumn:
        """Some of the entries, for no rows yet."""
        keys = self.keys
        return KeyColumn([keys[entry] for entry in entries.tolist()], None)

    def at(self, size: int) -> Indices:
        """The place of each of so many rows' entry."""
        return np.zeros(size, np.intp) if self.places is None else self.places


class IdColumn(TermColumn):
    """Terms given by their ids."""

    def __init__(self, ids: Ids, places: Places, terms: Terms) -> None:
        self.ids, self.places, self._terms = ids, places, terms

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def keys(self) -> list[Any]:
        found: list[Any] = self._terms.keys(self.ids)
        return [key or None for key in found] if not self.ids.all() else found

    @cached_property
    def typed(self) -> TypedValues:
        return self._terms.values(self.ids)

    @cached_property
    def known(self) -> Mask:
        return self.ids > 0

    @cached_property
    def is_literal(self) -> Mask:
        found: Mask = self._terms.kinds(self.ids) == LITERAL
        return found

    def only(self, entries: Indices) -> TermColumn:
        return IdColumn(self.ids[entries], None, self._terms)


class KeyColumn(TermColumn):
    """Terms given by their keys."""

    def __init__(self, keys: list[Any], places: Places) -> None:
        self.keys, self.places = keys, places


class ValueColumn(TermColumn):
    """Terms given by computed values."""

    enclosed: EnclosedTexts | None = None

    def __init__(self, values: list[Any], places: Places) -> None:
        self.values, self.places = values, places

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def texts(self) -> list[Any]:
        if {*map(type, self.values)} <= _TEXTS:
            return self.values
        return [value if type(value) in _TEXTS else None for value in self.values]

    @cached_property
    def lexical(self) -> list[Any]:
        if {*map(type, self.values)} == {str}:
            return self.values
        return super().lexical

    @cached_property
    def known(self) -> Mask:
        return np.array([value is not None for value in self.values], np.bool_)

    @property
    def is_literal(self) -> Mask:
        return self.known

    def only(self, entries: Indices) -> TermColumn:
        return ValueColumn([self.values[entry] for entry in entries.tolist()], None)


class EnclosedColumn(ValueColumn):
    """Texts that were computed as one."""

    def __init__(self, texts: EnclosedTexts, places: Places) -> None:
        self.enclosed, self.places = texts, places

    def __len__(self) -> int:
        return len(self.enclosed)

    @cached_property
    def values(self) -> list[Any]:
        return self.enclosed.texts()

    @property
    def enclosed_texts(self) -> EnclosedTexts:
        return self.enclosed


class NumberColumn(TermColumn):
    """Numbers that were computed."""

    def __init__(self, values: TypedValues, places: Places) -> None:
        self.typed, self.places = values, places

    def __len__(self) -> int:
        return len(self.typed)

    @cached_property
    def keys(self) -> list[Any]:
        return keys_of(self.typed)

    @cached_property
    def values(self) -> list[Any]:
        return numbers_of(self.typed)

    @cached_property
    def known(self) -> Mask:
        found: Mask = self.typed.kinds != NOTHING
        return found

    @property
    def is_literal(self) -> Mask:
        return self.known

    def only(self, entries: Indices) -> TermColumn:
        return NumberColumn(self.typed.at(entries), None)


class TruthColumn(TermColumn):
    """Outcomes of conditions."""

    def __init__(self, outcomes: Outcomes, places: Places) -> None:
        self.outcomes, self.places = outcomes, places

    def __len__(self) -> int:
        return len(self.outcomes)

    @cached_property
    def values(self) -> list[Any]:
        return list(map(_TRUTHS.get, self.outcomes.tolist()))

    @cached_property
    def known(self) -> Mask:
        return self.outcomes != ERROR


_TRUTHS = {FALSE: False, TRUE: True}
_TEXTS = {str, Tagged, type(None)}
_SHORT = {bool, int, Decimal}
"""Types of which equal values have one key, and many are equal."""


def united(columns: Sequence[TermColumn]) -> TermColumn:
    """None and the entries of some columns, one after the other, for no rows yet."""
    ids = [column for column in columns if isinstance(column, IdColumn)]
    if len(ids) == len(columns):
        none = np.zeros(1, np.uint32)
        return IdColumn(np.concatenate([none, *(each.ids for each in ids)]), None, ids[0]._terms)
    if all(isinstance(column, ValueColumn | NumberColumn | TruthColumn) for column in columns):
        return ValueColumn([None, *chain.from_iterable(each.values for each in columns)], None)
    return KeyColumn([None, *chain.from_iterable(each.keys for each in columns)], None)


def sort_values(column: TermColumn) -> list[Any] | npt.NDArray[Any]:
    """What the entries compare by in the order of results."""
    found = ordered(column.typed)
    if found is not None:
        return found
    if column.typed.kinds_there == {TEXT} and None not in column.texts:
        return column.texts
    return [rank(key or b"") for key in column.keys]


def spread(lists: Sequence[list[Any]]) -> list[Iterable[Any]]:
    """Lists side by side; those of one item have it as often as others have items."""
    size = min(map(len, lists)) and max(map(len, lists))
    return [some if len(some) == size else repeat(some[0], size) for some in lists]


def _text(key: bytes | None) -> str | Tagged | None:
    if key is None or key[:1] != b'"' or key[-1:] == b">":
        return None
    text, tag, _ = literal_parts(key)
    return text if tag is None else Tagged(text, tag)


def _lexical(key: bytes | None) -> str | None:
    if key is None or key[:1] == b"_":
        return None
    return key[1:-1].decode() if key[:1] == b"<" else literal_parts(key)[0]


def _outcome(value: Any) -> int:
    try:
        return TRUE if effective(value) else FALSE
    except NoValue:
        return ERROR
