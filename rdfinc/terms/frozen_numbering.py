"""The numbering of a dictionary most of whose terms are frozen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import compress, filterfalse, repeat
from typing import Any

import numpy as np

from rdfinc.terms.dictionary import Ids, Numbering
from rdfinc.terms.frozen_terms import FrozenTerms, ThawedTerms
from rdfinc.terms.term_thresholds import TERMS


class FrozenNumbering(Numbering):
    """As `Numbering`; a frozen term is in the mapping while its id is not among the `absent`, whose
    terms wait or are forgotten. Frozen terms that were looked up are kept by the dict as well, a
    bounded number: `_kept` counts them."""

    __slots__ = ("_find", "_frozen", "_kept", "_later", "_size", "absent")

    is_frozen = True
    terms: ThawedTerms

    def __init__(self, frozen: FrozenTerms, free: list[int]) -> None:
        self._frozen, self._size, self._find, self._kept = frozen, frozen.size, frozen.find, 0
        self.absent: set[int] = set()
        super().__init__(())
        self._over(ThawedTerms(frozen), free)

    def _over(self, terms: ThawedTerms, free: list[int]) -> None:
        self.terms, self._later, self.append = terms, terms.later, terms.append
        self.free = free

    def _frozen_id(self, term: bytes) -> int | None:
        id = self._frozen.find(term)
        return None if id is None or id in self.absent else id

    def __missing__(self, term: bytes) -> int:
        id = self._find(term)
        if id is None or id in self.absent:
            if self.waiting or self.free:
                return super().__missing__(term)
            id = self._size + len(self._later)
            self._later.append(term)
            return self.setdefault(term, id)
        if self._kept >= TERMS.kept_frozen_terms:
            self._drop_kept()
        self._kept += 1
        dict.__setitem__(self, term, id)
        return id

    def find_all(self, terms: Sequence[bytes]) -> Ids:
        ids = np.fromiter(map(dict.get, repeat(self), terms, repeat(0)), np.uint32, len(terms))
        rest = np.flatnonzero(ids == 0)
        if rest.size:
            ids[rest] = self._find_many([terms[place] for place in rest.tolist()])
        return ids

    def unknown(self, terms: Iterable[bytes]) -> list[bytes]:
        rest = list(filterfalse(partial(dict.__contains__, self), terms))
        return list(compress(rest, (self._find_many(rest) == 0).tolist()))

    def _find_many(self, terms: Sequence[bytes]) -> Ids:
        """The ids of frozen terms, 0 for others."""
        ids = self._frozen.find_many(terms)
        if self.absent:
            ids[np.isin(ids, list(self.absent))] = 0
        return ids

    def texts(self, ids: Iterable[int]) -> list[bytes]:
        terms, later, size = self.terms, self._later, self._size
        return [later[id - size] if id >= size else terms[id] for id in ids]

    def texts_between(self, start: int, end: int) -> list[bytes]:
        size = self._size
        return (
            self._later[start - size : end - size]
            if start >= size
            else self.texts(range(start, end))
        )

    def _is_frozen(self, term: bytes, id: int) -> bool:
        """Whether a term of the mapping is one that the frozen terms know."""
        return id < self._frozen.size and id not in self.absent and self._frozen[id] == term

    def _drop_kept(self) -> None:
        for term, id in list(self.items()):
            if self._is_frozen(term, id):
                dict.__delitem__(self, term)
        self._kept = 0

    def get(self, term: bytes, default: Any = None) -> Any:
        id = dict.get(self, term)
        if id is None:
            id = self._frozen_id(term)
        return default if id is None else id

    def __contains__(self, term: object) -> bool:
        return dict.__contains__(self, term) or (
            isinstance(term, bytes) and self._frozen_id(term) is not None
        )

    def __len__(self) -> int:
        return dict.__len__(self) - self._kept + len(self._frozen.ids) - len(self.absent)

    def __setitem__(self, term: bytes, id: int) -> None:
        if id < self._frozen.size and self._frozen[id] == term:
            self.absent.discard(id)
        else:
            dict.__setitem__(self, term, id)

    def __delitem__(self, term: bytes) -> None:
        id = self._frozen_id(term)
        if id is not None:
            self.absent.add(id)
            self._kept -= term in self.keys()
            dict.pop(self, term, None)
        else:
            dict.__delitem__(self, term)

    def pop(self, term: bytes, default: Any = None) -> Any:
        id = self.get(term)
        if id is None:
            return default
        del self[term]
        return id

    def known(self) -> dict[bytes, int]:
        """The mapping as a dict. O(terms)."""
        frozen = {self._frozen[id]: id for id in self._frozen.ids.tolist() if id not in self.absent}
        return {**frozen, **dict(self.items())}

    def copy(self) -> FrozenNumbering:
        """An independent equal numbering in which no term waits."""
        twin = FrozenNumbering(self._frozen, list(self.free))
        twin._over(self.terms.copy(), list(self.free))
        twin.absent = set(self.absent)
        for term, id in self.items():
            if not self._is_frozen(term, id):
                dict.__setitem__(twin, term, id)
        for term, id in self.waiting.items():
            twin[term] = id
        return twin
