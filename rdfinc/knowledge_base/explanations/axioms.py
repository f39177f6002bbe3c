"""The OWL axioms among what is stated, told when somebody asks."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

import numpy as np

from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples
from rdfinc.knowledge_base.explanations.unknown_terms import UnknownTerms
from rdfinc.owl.coverage.named_triples import CONSTRUCTORS, NamedTriples
from rdfinc.owl.coverage.told_axioms import CLASSES, RELATIONS, ToldAxioms, told, told_after
from rdfinc.owl.list_axioms import Fact
from rdfinc.tables import kernels
from rdfinc.tables.kernels import NO_KEYS, KeyArray
from rdfinc.tables.table import Table
from rdfinc.terms.dictionary import Dictionary

Relations = Mapping[int, KeyArray]


class Axioms:
    """The latest coverage of the axioms in a knowledge base, and the facts that it was told from.

    To tell the coverage of other facts costs the axioms that these change; beside that, columns of
    the schema are compared. Any thread may ask; one is answered at a time.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary, self._lock = dictionary, threading.Lock()
        self._unknown = UnknownTerms(dictionary)
        self._last: tuple[ToldAxioms, Relations, object] | None = None

    def unused(self, stated: StatedTriples, namespaces: Mapping[str, str]) -> tuple[str, ...]:
        """The axioms that the rules ignore or use in part, and triples with unknown terms, as lines
        of text."""
        schema = NamedTriples(stated, self._dictionary, namespaces)
        with self._lock:
            relations = dict(_relations(stated, schema))
            if self._last is None:
                found = told(schema)
            else:
                before, known, _ = self._last
                found = told_after(before, _changed(known, relations), schema)
            self._last = found, relations, stated.lease
        return (*map(str, found.axioms()), *self._unknown.unused(stated, namespaces))


def _relations(stated: StatedTriples, schema: NamedTriples) -> Iterator[tuple[int, KeyArray]]:
    """All facts that axioms are told from."""
    for name in RELATIONS:
        if p := schema.find(name):
            yield p, stated.table(p).scan()
    type_ = schema.find("rdf:type")
    if type_ is not None:
        yield type_, _members(stated.table(type_), _classes(stated, schema))
    facets = np.array(sorted(schema.facets()), np.uint32)
    known = {schema.find(name) for name in ("rdf:type", *RELATIONS)}
    for p in stated.predicates() if facets.size else ():
        index, objects = stated.table(p).by_subjects(facets)
        if index.size and p not in known:
            yield p, kernels.sort(kernels.pack(facets[index], objects))


def _classes(stated: StatedTriples, schema: NamedTriples) -> kernels.IdArray:
    """The types that matter: those with names, and nodes with class expressions."""
    named = np.array([id for id in map(schema.find, CLASSES) if id], np.uint32)
    tables = [stated.table(schema.find(f"owl:{kind}")) for kind in CONSTRUCTORS]
    return kernels.unique_ids(np.concatenate([named, *(t.all_subjects() for t in tables)]))


def _members(table: Table, classes: kernels.IdArray) -> KeyArray:
    index, subjects = table.by_objects(classes)
    return kernels.sort(kernels.pack(subjects, classes[index]))


def _changed(before: Relations, after: Relations) -> Iterator[Fact]:
    """The facts that only one of them has."""
    for p in {**before, **after}:
        old, new = before.get(p, NO_KEYS), after.get(p, NO_KEYS)
        if old is not new:
            for keys in kernels.differences(old, new):
                for key in keys.tolist():
                    yield key >> 32, p, key & 0xFFFFFFFF
