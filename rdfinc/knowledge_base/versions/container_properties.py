"""Which container membership properties are in use: rdf:_1, rdf:_2, and so on.

p aux:container p        p is rdf:_n, and an explicit triple or a rule of the user mentions it
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from rdfinc.owl.vocabulary import RDF
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, batch_of
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.table import Keys
from rdfinc.terms.dictionary import IRI, Dictionary, Ids

_FIRST = f"<{RDF}_".encode()
CONTAINER = re.compile(re.escape(_FIRST) + rb"[1-9][0-9]*>")
"""The terms rdf:_n for n from 1."""


def is_container(key: bytes) -> bool:
    """Whether a term is rdf:_n for some n from 1."""
    return key.startswith(_FIRST) and CONTAINER.fullmatch(key) is not None


class Containers:
    """The terms rdf:_n of one dictionary.

    `_uses` counts the places of each in explicit facts; terms mentioned by rules are in explicit
    auxiliary facts. `_pending` is the addition for changes that are not committed yet. Cost: a look
    at each new IRI, and at each changed fact once there is a term rdf:_n."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._seen = dictionary.beginning
        self._uses: dict[int, int] = {}
        self._pending: Counter[int] = Counter()
        self._relation = dictionary.auxiliary("container")

    def changes(self, deleted: Batch, inserted: Batch) -> tuple[Batch, Batch]:
        """The auxiliary facts that end and begin with a change of explicit facts."""
        self.look_at_new()
        self._pending = Counter(self._places(inserted)) if self._uses else Counter()
        self._pending.subtract(self._places(deleted) if self._uses else ())
        after = {id: self._uses[id] + more for id, more in self._pending.items()}
        ended = (id for id, uses in after.items() if self._uses[id] and not uses)
        begun = (id for id, uses in after.items() if uses and not self._uses[id])
        return self._facts(ended), self._facts(begun)

    def committed(self) -> None:
        """Called when the last changes were committed."""
        for id, more in self._pending.items():
            self._uses[id] += more
        self._pending = Counter()

    def look_at_new(self) -> None:
        """Reads the new terms of the dictionary."""
        terms, first = self._dictionary, self._seen
        if first == terms.position:
            return
        self._seen = terms.position
        ids = terms.since(first)
        iris = ids[terms.kinds[ids] == IRI]
        found = zip(iris.tolist(), terms.decode_many(iris), strict=True)
        self._uses |= {id: 0 for id, key in found if is_container(key)}

    def forget(self, freed: Ids) -> None:
        """Forgets ids that stand for no term any more."""
        for id in freed.tolist():
            self._uses.pop(id, None)

    def copy(self, dictionary: Dictionary) -> Containers:
        """A copy over a copy of the dictionary."""
        twin = Containers(dictionary)
        twin._seen, twin._uses = self._seen, dict(self._uses)
        return twin

    def _facts(self, ids: Iterator[int]) -> Batch:
        return batch_of((id, self._relation, id) for id in sorted(ids))

    def _places(self, batch: Batch) -> Iterator[int]:
        """The terms rdf:_n of a batch, each for every place that it has."""
        for predicate, keys in batch.items():
            if predicate in self._uses:
                yield from [predicate] * len(keys)
            yield from self._among(keys)

    def _among(self, keys: Keys) -> list[int]:
        """The terms rdf:_n among subjects and objects."""
        if isinstance(keys, list):
            each = (end for key in keys for end in (key >> 32, key & 0xFFFFFFFF))
            return [id for id in each if id in self._uses]
        ends: IdArray = np.concatenate((kernels.high(keys), kernels.low(keys)))
        known: list[int] = ends[kernels.members(ends, self._uses)].tolist()
        return known
