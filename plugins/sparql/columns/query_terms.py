"""The terms of one query as ids: the store's own, and numbers for what the query computes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import repeat
from typing import Any

import numpy as np

from rdfinc.errors import TermError
from rdfinc.knowledge_base.explanations.near_names import alike
from rdfinc.knowledge_base.versions.fact_views import View
from rdfinc.plugins.sparql.columns.enclosed_texts import EnclosedTexts
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables.kernels import extent, integers
from rdfinc.terms.builtins.value_arrays import TypedValues, ValueArrays, chosen, nodes
from rdfinc.terms.dictionary import BLANK, IRI, LITERAL, Dictionary
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.rdflib_terms import Decoder, text_literal, to_rdflib

LOCAL = 0xC0000000
"""The first id of a term that the store does not know; its own ids stay far below."""


class Terms:
    """A bijection between the terms that a query meets and ids: equal ids, the same RDF term.

    Terms of the store keep their ids as long as there is the query; others get LOCAL, LOCAL + 1, …
    as they come, and keep them even if the store learns the term meanwhile. Id 0 stands for no
    term.
    """

    def __init__(self, dictionary: Dictionary, decoder: Decoder, values: ValueArrays) -> None:
        self._dictionary, self._decoder, self.stored_values = dictionary, decoder, values
        self._numbers: dict[bytes, int] = {}
        self._local: list[bytes] = []
        self._terms: dict[int, Any] = {}
        self.lease = dictionary.lease
        self._leases = {self.lease}

    def alike(self, term: Any, closure: View) -> Iterator[str]:
        """What has other capitals than an IRI that no fact has; see `near_names.alike`."""
        return (each.decode() for each in alike(key_of(term), closure, self._dictionary))

    def number(self, term: Any) -> int:
        """The id of a term. Raises TermError for what is none."""
        key = key_of(term)
        known, lease = self._dictionary.leased(partial(self._dictionary.find, key))
        self._leases.add(lease)
        return self._number(term, key, known)

    def number_or_none(self, term: Any) -> int:
        """The id of a term, 0 for None and for what is no RDF term."""
        (number,) = self.numbers([term]).tolist()
        return int(number)

    def numbers(self, terms: Iterable[Any]) -> Ids:
        """The ids of terms, 0 for None and for what is no RDF term."""
        given = list(terms)
        try:
            keys = list(map(key_of, given))
        except TermError:  # one is no term
            keys = list(map(_key_or_none, given))
        known = self._known(keys)
        if self._numbers or None in known:
            known = list(map(self._number, given, keys, known))
        return np.array(known, np.uint32)

    def _known(self, keys: list[bytes]) -> list[int | None]:
        """The ids that the store has for keys; they keep their terms."""
        find = self._dictionary.find
        found, lease = self._dictionary.leased(lambda: list(map(find, keys)))
        self._leases.add(lease)
        return found

    def _number(self, term: Any, key: bytes, known: int | None) -> int:
        """The id of a term for which the store has that id, or none; 0 for no key."""
        own = self._numbers.get(key) if key else 0
        if own is not None:
            return own
        if known is not None:
            return known
        (number,) = self._new([key])
        self._terms[number] = term
        return number

    def _new(self, keys: list[bytes]) -> list[int]:
        """The numbers of terms that the store does not know; 0 for an empty key."""
        known = self._numbers
        fresh = [key for key in dict.fromkeys(keys) if key and key not in known]
        first = LOCAL + len(self._local)
        known.update(zip(fresh, range(first, first + len(fresh)), strict=True))
        self._local += fresh
        return list(map(known.get, keys, repeat(0)))  # type: ignore[arg-type]

    def numbers_of_keys(self, keys: Sequence[bytes | None]) -> Ids:
        """The ids of terms with these keys, 0 for None."""
        asked = [key or b"" for key in keys]
        found, lease = self._dictionary.leased(partial(self._dictionary.find_many, asked))
        self._leases.add(lease)
        if self._numbers:
            own = np.fromiter(map(self._numbers.get, asked, repeat(0)), np.uint32, len(asked))
            found = np.where(own > 0, own, found)
        new = np.flatnonzero(found == 0)
        found[new] = self._new([asked[place] for place in new.tolist()])
        return found

    def term(self, id: int) -> Any:
        """The term, the same object each time; None for 0."""
        if id >= LOCAL:
            if id not in self._terms:
                self._terms[id] = to_rdflib(self._local[id - LOCAL])
            return self._terms[id]
        return self._decoder[id] if id else None

    def column(self, ids: Ids) -> list[Any]:
        """The terms of a column, None where it is unbound."""
        if len(ids) <= QUERIES.few_rows:
            return list(map(self.term, ids.tolist()))
        found: Mapping[int, Any] = self._decoder
        least, largest = extent(ids)
        if least == 0 or largest >= LOCAL:
            distinct = set(integers(ids))
            self._decode([id for id in distinct if id >= LOCAL and id not in self._terms])
            found = {id: self.term(id) for id in distinct}
        return list(map(found.__getitem__, integers(ids)))

    def _decode(self, new: list[int]) -> None:
        """Makes terms of the query's own keys, of simple literals all at once."""
        keys = [self._local[id - LOCAL] for id in new]
        texts = EnclosedTexts.of(keys)
        if texts is not None and texts.are_literals:
            self._terms.update(
                zip(new, map(text_literal, texts.texts(), repeat(None)), strict=True)
            )
        else:
            self._terms.update(zip(new, map(to_rdflib, keys), strict=True))

    def keys(self, ids: Ids) -> list[bytes]:
        """The keys of the terms; empty for 0."""
        if ids.max(initial=0) < LOCAL:
            return self._dictionary.decode_many(ids)
        return [self.key(id) for id in ids.tolist()]

    def key(self, id: int) -> bytes:
        """The key of one term."""
        if id >= LOCAL:
            return self._local[id - LOCAL]
        return self._dictionary.decode(id) if id else b""

    def values(self, ids: Ids) -> TypedValues:
        """What the terms denote. Of nodes, that is told without a look at them."""
        kinds = self.kinds(ids)
        if not (kinds == LITERAL).any():
            return nodes(kinds > 0)
        if ids.max(initial=0) < LOCAL:
            return self.stored_values.of(ids)
        local = ids >= LOCAL
        own = self._local_values.of(np.where(local, ids - np.uint32(LOCAL), 0).astype(np.uint32))
        if local.all():
            return own
        return chosen(local, own, self.stored_values.of(np.where(local, 0, ids).astype(np.uint32)))

    @cached_property
    def _local_values(self) -> ValueArrays:
        return ValueArrays(partial(_at, self._local))

    def kinds(self, ids: Ids) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """IRI, BLANK or LITERAL for each id, 0 for 0."""
        kinds = self._dictionary.kinds
        local = ids >= LOCAL
        if not local.any():
            return kinds[ids]
        found = kinds[np.where(local, 0, ids)]
        own = np.array([_KINDS.get(key[0], LITERAL) for key in self._local], np.uint8)
        found[local] = own[ids[local] - LOCAL]
        return found


def _key_or_none(term: Any) -> bytes:
    """The key of a term; empty for None and for what is no RDF term."""
    try:
        return b"" if term is None else key_of(term)
    except TermError:
        return b""


def _at(keys: list[bytes], places: list[int]) -> list[bytes]:
    return [keys[place] for place in places]


_KINDS = {ord("<"): IRI, ord("_"): BLANK}
