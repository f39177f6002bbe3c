"""The terms among what is stated that their namespaces do not have: `rdfs:subclassOf`."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from itertools import chain

from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples
from rdfinc.owl.coverage.findings import IGNORED, Axiom
from rdfinc.owl.coverage.named_triples import NamedTriples
from rdfinc.owl.coverage.w3c_terms import advice, unknown_name
from rdfinc.terms.dictionary import Dictionary


class UnknownTerms:
    """The ids of terms that are unknown to the W3C's namespaces, and of literals with datatypes
    that are, whether or not something mentions them.

    Every term is looked at once, when somebody asks after it has come: 0.3 µs.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary, self._lock = dictionary, threading.Lock()
        self._ids: dict[int, bytes] = {}
        self._seen = (1, 0)

    def axioms(self, stated: StatedTriples, namespaces: Mapping[str, str]) -> list[Axiom]:
        """A triple with each of the unknown terms that something stated mentions, and advice."""
        with self._lock:
            self._look_at_new_terms()
            unknown = sorted(self._ids.items())
        schema = NamedTriples(stated, self._dictionary, namespaces)
        found: dict[bytes, Axiom] = {}
        for id, name in unknown:
            if name not in found and (fact := next(_mentions(stated, id), None)):
                text = " ".join(map(schema.name, fact))
                found[name] = Axiom(text, IGNORED, advice(name))
        return list(found.values())

    def unused(self, stated: StatedTriples, namespaces: Mapping[str, str]) -> tuple[str, ...]:
        """The same as lines of text."""
        return tuple(map(str, self.axioms(stated, namespaces)))

    def _look_at_new_terms(self) -> None:
        dictionary, position = self._dictionary, self._dictionary.position
        if not dictionary.remembers(self._seen):
            self._ids, self._seen = {}, (1, position[1])
        new = dictionary.since(self._seen).tolist()
        for id, term in zip(new, dictionary.decode_many(new), strict=True):
            self._ids.pop(id, None)
            if name := unknown_name(term):
                self._ids[id] = name
        self._seen = position


def _mentions(stated: StatedTriples, id: int) -> Iterator[tuple[int, int, int]]:
    """Triples that mention a term."""
    predicates = stated.predicates()
    if id in predicates:
        key = int(stated.table(id).scan()[0])
        yield key >> 32, id, key & 0xFFFFFFFF
    yield from chain.from_iterable(
        chain(
            ((s, p, id) for s in stated.subjects(p, id)),
            ((id, p, o) for o in stated.objects(p, id)),
        )
        for p in predicates
    )
