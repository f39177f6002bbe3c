"""Values of terms as arrays, and the values of the terms at ids, each read once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from rdfinc.terms.builtins.calendar import Moment
from rdfinc.terms.builtins.values import EXACT, XSD, Other, Single, Tagged, value_of
from rdfinc.terms.late_patterns import late

Kinds = npt.NDArray[np.uint8]
Places = npt.NDArray[Any]

NOTHING, NODE, TEXT, TAGGED, OPAQUE, VALUE = range(1, 7)
"""No term, a node, a text, a text in a language, a literal whose value is not known, a value that
no array holds, such as the text of an xsd:token, of which other terms are equal to that one."""
BOOLEAN, INTEGER, DECIMAL, SINGLE, DOUBLE, DATE, TIME, DATE_TIME = range(7, 15)
KINDS = 15
"""One more than the last kind."""
_UNREAD = 0

PLACES = 18
"""Digits behind the point of a decimal, at most."""

NO_ZONE = np.iinfo(np.int16).max
_LARGEST = 1 << 62
_FEW = 100
"""Values of which it is quickest to look at each."""

_MICRO = 1_000_000
_OF_MOMENTS = {"date": DATE, "time": TIME, "dateTime": DATE_TIME}


class TypedValues(Struct, frozen=True):
    """Values by their kinds: `numbers[i]` is an integer, a boolean, a decimal times 10 to the power
    of `extras[i]`, the bits of a single or double, or the microseconds of a point in time on UTC's
    clock, behind which its own is `extras[i]` minutes ahead; NO_ZONE if that is not known.
    """

    kinds: Kinds
    numbers: npt.NDArray[Any]
    extras: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.kinds)

    def at(self, places: Places) -> TypedValues:
        return TypedValues(self.kinds[places], self.numbers[places], self.extras[places])

    @property
    def kinds_there(self) -> set[int]:
        """The kinds of values, not counting what is no term."""
        few = len(self.kinds) < _FEW
        kinds = self.kinds if few else np.flatnonzero(np.bincount(self.kinds))
        return set(kinds.tolist()) - {NOTHING}

    @property
    def doubles(self) -> npt.NDArray[np.float64]:
        """The numbers, if all are singles or doubles."""
        return self.numbers.view(np.float64)


def typed(values: list[Any]) -> TypedValues:
    """Values of `terms.builtins.values`; None is no term."""
    if {*map(type, values)} == {int} and max(map(int.bit_length, values)) < 63:
        kinds = np.full(len(values), INTEGER, np.uint8)
        return TypedValues(kinds, np.array(values, np.int64), np.zeros(len(values), np.int16))
    return _arrays_of(map(_typed, values))


def _arrays_of(rows: Iterable[tuple[int, int, int]]) -> TypedValues:
    kinds, numbers, extras = list(zip(*rows, strict=True)) or ((), (), ())
    return TypedValues(
        np.array(kinds, np.uint8), np.array(numbers, np.int64), np.array(extras, np.int16)
    )


def nodes(there: npt.NDArray[np.bool_]) -> TypedValues:
    """Those of IRIs and blank nodes, where such a term is there."""
    size, kinds = len(there), np.where(there, np.uint8(NODE), np.uint8(NOTHING))
    return TypedValues(kinds, np.zeros(size, np.int64), np.zeros(size, np.int16))


def _of_keys(keys: list[bytes]) -> TypedValues:
    """The values of terms, where all are plain numbers at once: four times as fast."""
    together = b"\n".join(keys)
    for kind, ends, form in _PLAIN:
        if len(keys) > _FEW and together.endswith(ends) and together.count(ends) == len(keys):
            texts = (b"\n" + together[: -len(ends)]).replace(ends, b"").replace(b'\n"', b"\n")
            if form.fullmatch(texts):
                return _plain_numbers(kind, texts[1:].split(b"\n"))
    return _arrays_of(map(_of_key, keys))


_PLAIN = [
    (INTEGER, f'"^^<{XSD}integer>'.encode(), late(rb"(?:\n[+-]?[0-9]{1,18})*")),
    (DECIMAL, f'"^^<{XSD}decimal>'.encode(), late(rb"(?:\n[+-]?[0-9]{1,9}\.[0-9]{1,9})*")),
]
"""Kinds of numbers, what their keys end with, and lexical forms of which each fits."""


def _plain_numbers(kind: int, texts: list[bytes]) -> TypedValues:
    places = [len(text) - 1 - text.find(b".") if b"." in text else 0 for text in texts]
    numbers = [int(text.replace(b".", b"")) for text in texts]
    kinds = np.full(len(texts), kind, np.uint8)
    return TypedValues(kinds, np.array(numbers, np.int64), np.array(places, np.int16))


def _of_key(key: bytes) -> tuple[int, int, int]:
    """What `_typed` gives for the value of a term; for no key, nothing."""
    if key[-1:] == b">" and key[:1] == b'"':
        kind, number, extra = _typed(value_of(key))
        return VALUE if kind in (TEXT, TAGGED) else kind, number, extra
    if key[:1] != b'"':
        return NODE if key else NOTHING, 0, 0
    return TEXT if key[-1:] == b'"' else TAGGED, 0, 0


def _typed(value: Any) -> tuple[int, int, int]:
    """The kind of a value, its number, and what else it takes."""
    return _BY_TYPE.get(type(value), _no_number)(value)


def _no_number(value: Any) -> tuple[int, int, int]:
    if isinstance(value, Other) and value.key[:1] != b'"':
        return NODE, 0, 0
    return _WITHOUT_NUMBER.get(type(value), VALUE), 0, 0


_WITHOUT_NUMBER = {type(None): NOTHING, str: TEXT, Tagged: TAGGED, Other: OPAQUE}


def _typed_integer(value: int) -> tuple[int, int, int]:
    return (INTEGER, value, 0) if -_LARGEST < value < _LARGEST else (VALUE, 0, 0)


def _typed_decimal(value: Decimal) -> tuple[int, int, int]:
    exponent: Any = value.as_tuple().exponent
    if -PLACES <= exponent <= 0 and value.adjusted() - exponent < 18:
        return DECIMAL, int(value.scaleb(-exponent, EXACT)), -exponent
    return VALUE, 0, 0


def _typed_moment(value: Moment) -> tuple[int, int, int]:
    microseconds = EXACT.multiply(value.timeline(), Decimal(_MICRO))
    if value.kind not in _OF_MOMENTS or abs(microseconds) >= _LARGEST or microseconds % 1:
        return VALUE, 0, 0
    zone = NO_ZONE if value.zone is None else value.zone
    return _OF_MOMENTS[value.kind], int(microseconds), zone


def chosen(where: npt.NDArray[np.bool_], one: TypedValues, other: TypedValues) -> TypedValues:
    """The values of one column where that is said, else those of the other."""
    pairs = zip(_arrays(one), _arrays(other), strict=True)
    return TypedValues(*(np.where(where, *pair) for pair in pairs))


def _bits(value: float) -> int:
    return int(np.float64(value).view(np.int64))


_BY_TYPE: dict[type, Callable[[Any], tuple[int, int, int]]] = {
    int: _typed_integer,
    Decimal: _typed_decimal,
    bool: lambda value: (BOOLEAN, int(value), 0),
    Single: lambda value: (SINGLE, _bits(value), 0),
    float: lambda value: (DOUBLE, _bits(value), 0),
    Moment: _typed_moment,
}


class ValueArrays:
    """The values of the terms at ids. O(1) each; a term whose value was not asked for yet, some µs.
    11 bytes for each id up to the largest asked for.

    `keys` gives the terms. An id that stands for another term from now on has to be forgotten
    before, which begins another `epoch`; threads may ask at the same time.
    """

    def __init__(self, keys: Callable[[list[int]], list[bytes]]) -> None:
        self._keys = keys
        self.lock = threading.Lock()
        """Held for a short time."""
        self._known = _nothing_read(1 << 10)
        self.epoch = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Values are read again where this is pickled to."""
        return ValueArrays, (self._keys,)

    def of(self, ids: npt.NDArray[np.uint32]) -> TypedValues:
        known = self._known
        if len(known) <= ids.max(initial=0):
            known = self._grown(int(ids.max()))
        found = known.at(ids)
        if found.kinds.all():
            return found
        new = np.unique(ids[found.kinds == _UNREAD])
        read = _of_keys(self._keys(new.tolist()))
        known.numbers[new], known.extras[new] = read.numbers, read.extras
        known.kinds[new] = read.kinds  # last, since others may look
        return known.at(ids)

    def forget(self, ids: npt.NDArray[np.uint32]) -> None:
        with self.lock:
            self.epoch += 1
            kinds = self._known.kinds
            kinds[ids[ids < len(kinds)]] = _UNREAD

    def _grown(self, largest: int) -> TypedValues:
        with self.lock:
            old = self._known
            if len(old) <= largest:
                larger = _nothing_read(max(largest + 1, 2 * len(old)))
                for to, from_ in zip(_arrays(larger), _arrays(old), strict=True):
                    to[: len(old)] = from_  # kinds first, since others may write
                self._known = larger
            return self._known


def _nothing_read(size: int) -> TypedValues:
    zeros = np.zeros(size, np.uint8), np.zeros(size, np.int64), np.zeros(size, np.int16)
    return TypedValues(*zeros)


def _arrays(values: TypedValues) -> tuple[npt.NDArray[Any], ...]:
    return values.kinds, values.numbers, values.extras
