"""The numbering of a dictionary most of whose terms are frozen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from rdfinc.terms.dictionary import Ids, Numbering
from rdfinc.terms.frozen_terms import FrozenTerms, ThawedTerms
from rdfinc.terms.term_table import ids_of
from rdfinc.terms.term_thresholds import TERMS


class FrozenNumbering(Numbering):
    """As `Numbering`; a frozen term is in the mapping while its id is not among the `absent`, whose
    terms wait or are forgotten. Of the frozen terms that were looked up by whoever adds terms the
    dict keeps some as well, a bounded number: `_kept`."""

    __slots__ = ("_frozen", "_kept", "_later", "_size", "absent")

    frozen_id: Callable[[bytes], int | None]
    terms: ThawedTerms

    def __init__(self, frozen: FrozenTerms, free: list[int]) -> None:
        self._frozen, self._size = frozen, frozen.size
        self._kept: set[bytes] = set()
        self.absent: set[int] = set()
        super().__init__(())
        self.frozen_id = frozen.finder(self.absent)
        self._over(ThawedTerms(frozen), free)

    def _over(self, terms: ThawedTerms, free: list[int]) -> None:
        self.terms, self._later, self.append = terms, terms.later, terms.append
        self.free = free

    def __missing__(self, term: bytes) -> int:
        id = self.frozen_id(term)
        if id is None:
            if self.waiting or self.free:
                return super().__missing__(term)
            id = self._size + len(self._later)
            self._later.append(term)
            return self.setdefault(term, id)
        self._keep_more().add(term)
        dict.__setitem__(self, term, id)
        return id

    def _keep_more(self) -> set[bytes]:
        """The frozen terms at hand, to which more are added; none if they were many."""
        if len(self._kept) >= TERMS.kept_frozen_terms:
            self.let_go()
        return self._kept

    def find_all(self, terms: Sequence[bytes]) -> Ids:
        ids = self._at_hand(terms)
        rest = np.flatnonzero(ids == 0)
        if rest.size:
            ids[rest] = self._find_many([terms[place] for place in rest.tolist()])
        return ids

    def _at_hand(self, terms: Sequence[bytes]) -> Ids:
        """The ids of terms that the dict has, 0 for others."""
        return np.fromiter(map(dict.get, repeat(self), terms, repeat(0)), np.uint32, len(terms))

    def let_go(self) -> None:
        kept, self._kept = self._kept, set()
        for term in list(kept):  # a reader may add one
            dict.pop(self, term, None)

    def look_up_all(self, terms: Sequence[bytes]) -> Ids:
        ids = self._at_hand(terms)
        rest = np.flatnonzero(ids == 0)
        if rest.size:
            asked = [terms[place] for place in rest.tolist()]
            ids[rest] = found = self._find_many(asked)
            self._keep_frequent(asked, found)
        return ids

    def _keep_frequent(self, terms: Sequence[bytes], ids: Ids) -> None:
        """Keeps frozen terms at hand that are among some several times, given the ids of all."""
        known, first, counts = np.unique(ids, return_index=True, return_counts=True)
        often = (counts >= TERMS.kept_if_often) & (known > 0)
        kept = [terms[place] for place in first[often].tolist()]
        self._keep_more().update(kept)
        self.update(zip(kept, known[often].tolist(), strict=True))

    def encode_all(self, terms: Sequence[bytes]) -> Ids:
        ids = self.look_up_all(terms)
        new = np.flatnonzero(ids == 0)
        if new.size:
            asked = [terms[place] for place in new.tolist()]
            self.add_all(list(dict.fromkeys(asked)))
            ids[new] = self.find_all(asked)  # a frozen one may have got its own id again
        return ids

    def _find_many(self, terms: Sequence[bytes]) -> Ids:
        """The ids of frozen terms, 0 for others."""
        ids = self._frozen.find_many(terms)
        if self.absent:
            found = np.flatnonzero(ids)
            ids[found[list(map(self.absent.__contains__, ids[found].tolist()))]] = 0
        return ids

    def texts(self, ids: Sequence[int]) -> list[bytes]:
        return self.terms.texts(ids)

    def texts_between(self, start: int, end: int) -> list[bytes]:
        size = self._size
        return (
            self._later[start - size : end - size]
            if start >= size
            else self.terms.texts(range(start, end))
        )

    def get(self, term: bytes, default: Any = None) -> Any:
        id = dict.get(self, term)
        if id is None:
            id = self.frozen_id(term)
        return default if id is None else id

    def __contains__(self, term: object) -> bool:
        return dict.__contains__(self, term) or (
            isinstance(term, bytes) and self.frozen_id(term) is not None
        )

    def __len__(self) -> int:
        return dict.__len__(self) - len(self._kept) + self._frozen.table.count - len(self.absent)

    def __setitem__(self, term: bytes, id: int) -> None:
        if id < self._size and self._frozen[id] == term:
            self.absent.discard(id)
        else:
            dict.__setitem__(self, term, id)

    def __delitem__(self, term: bytes) -> None:
        id = self.frozen_id(term)
        if id is not None:
            self.absent.add(id)
            self._kept.discard(term)
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
        ids = ids_of(self._frozen.table.entries)
        ids = ids[~np.isin(ids, list(self.absent))]
        frozen = zip(self._frozen.texts(ids), ids.tolist(), strict=True)
        return {**dict(frozen), **dict(self.items())}

    @property
    def thawed(self) -> int:
        return len(self._later) + len(self.terms.changed)

    @property
    def nbytes(self) -> int:
        terms, later = self.terms, self._later
        texts = sum(map(sys.getsizeof, (*later, *terms.changed.values(), *self._kept)))
        numbers = 32 * (dict.__len__(self) + len(self.absent))
        tables = (self.waiting, self.free, later, terms.changed, self.absent, self._kept)
        own = dict.__sizeof__(self) + sum(map(sys.getsizeof, tables))
        return self._frozen.nbytes + texts + numbers + own

    def copy(self) -> FrozenNumbering:
        twin = FrozenNumbering(self._frozen, list(self.free))
        twin._over(self.terms.copy(), list(self.free))
        twin.absent.update(self.absent)
        twin._kept = set(self._kept)
        twin.update(self.items())
        for term, id in self.waiting.items():
            twin[term] = id
        return twin
