"""Datatypes of terms, by ids alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rdfinc.terms.builtins import DATATYPES
from rdfinc.terms.builtins.datatypes import Test
from rdfinc.terms.builtins.values import Other, value_of
from rdfinc.terms.dictionary import Dictionary, Ids

Mask = NDArray[np.bool_]

_KNOWN = np.uint64(1 << 63)
_VALUED = np.uint64(1 << 62)
_NUMBERS = {iri.encode(): number for number, iri in enumerate(DATATYPES)}


class Memberships:
    """The datatypes of the terms of one dictionary: a bit for each supported datatype, one for
    terms with a value, one for terms that were looked at.

    Cost: some 20 µs for a term that is asked for the first time, then 10 ns a question. From the
    first question on, 8 bytes for each id up to the greatest one asked for.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._bits = np.zeros(0, np.uint64)

    def inside(self, terms: Ids, datatypes: Ids) -> Mask:
        """Whether each term is a value of the datatype beside it."""
        held = self._bits_of(terms) & _shifted(self._numbers(datatypes))
        return held.astype(np.bool_)

    def outside(self, terms: Ids, datatypes: Ids) -> Mask:
        """Whether each term has a value, and one that the datatype beside it does not have."""
        numbers, bits = self._numbers(datatypes), self._bits_of(terms)
        held, valued = bits & _shifted(numbers), bits & _VALUED
        return valued.astype(np.bool_) & (numbers >= 0) & ~held.astype(np.bool_)

    def forget(self, freed: Ids) -> None:
        """Forgets ids that stand for no term any more."""
        self._bits[freed[freed < self._bits.size]] = 0

    def _bits_of(self, ids: Ids) -> NDArray[np.uint64]:
        bits = self._bits
        size = int(ids.max(initial=0)) + 1
        if size > bits.size:
            more = max(size, min(2 * bits.size, self._dictionary.bound)) - bits.size
            bits = np.concatenate((bits, np.zeros(more, np.uint64)))
        new = np.unique(ids[bits[ids] == 0])
        found = map(_look_at, self._dictionary.decode_many(new))
        bits[new] = np.fromiter(found, np.uint64, new.size)
        self._bits = bits
        of_ids: NDArray[np.uint64] = bits[ids]
        return of_ids

    def _numbers(self, datatypes: Ids) -> NDArray[np.int64]:
        """The numbers of some datatypes, -1 for what is none."""
        distinct, places = np.unique(datatypes, return_inverse=True)
        numbers = [_NUMBERS.get(term, -1) for term in self._dictionary.decode_many(distinct)]
        return np.array(numbers, np.int64)[places]


def _look_at(term: bytes) -> int:
    if term[:1] != b'"':
        return int(_KNOWN)
    value = value_of(term)
    bits = int(_KNOWN) if isinstance(value, Other) else int(_KNOWN | _VALUED)
    for bit, passes in _TESTS[type(value)]:
        if passes(value):
            bits |= bit
    return bits


class _ByType(dict[type, list[tuple[int, Test]]]):
    """For each type of values the bits of the datatypes that may have such, each with its test."""

    def __missing__(self, kind: type) -> list[tuple[int, Test]]:
        spaces = enumerate(DATATYPES.values())
        found = [(1 << number, space.passes) for number, space in spaces if space.may_hold(kind)]
        self[kind] = found
        return found


_TESTS = _ByType()


def _shifted(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The bit of each number, none for -1."""
    bits = np.left_shift(np.uint64(1), np.maximum(numbers, 0).astype(np.uint64))
    return np.where(numbers < 0, np.uint64(0), bits)
