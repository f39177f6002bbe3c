"""The one function that decides what users see of the closure (DESIGN, *What is shown*)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rdfinc.knowledge_base.versions.container_properties import is_container
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.kernels import IdArray, KeyArray, Mask
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import Members
from rdfinc.terms.dictionary import BLANK, IRI, LITERAL, Dictionary
from rdfinc.terms.leases import Lease

Explicit = Callable[[int], Members]
"""Gives the explicit facts of a relation."""

_RDF = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#%s>"
_RDFS = "<http://www.w3.org/2000/01/rdf-schema#%s>"
_OWL = "<http://www.w3.org/2002/07/owl#%s>"


class Visibility:
    """Facts whose predicate is no IRI, auxiliary ones above all, are never seen; explicit facts
    always; of the derived facts not those with a literal as subject, `x owl:sameAs x`, and those
    about blank-node class expressions (a blank node where a class stands); nor under RDFS that
    rdf:_n is a container membership property. Where it is axiomatic, all but auxiliary facts are.
    """

    def __init__(self, dictionary: Dictionary, profile: str, *, axiomatic: bool) -> None:
        self._dictionary, self._profile, self.axiomatic = dictionary, profile, axiomatic

        def ids(pattern: str, *names: str) -> set[int]:
            return {dictionary.encode((pattern % name).encode()) for name in names}

        (self.same_as,) = ids(_OWL, "sameAs")
        pairs = ids(_RDFS, "subClassOf") | ids(_OWL, "equivalentClass", "disjointWith")
        self.class_objects = pairs | ids(_RDF, "type") | ids(_RDFS, "domain", "range")
        self.class_subjects = pairs
        (self._type,) = ids(_RDF, "type")
        memberships = ids(_RDFS, "ContainerMembershipProperty") if profile == "rdfs" else {0}
        (self._membership,) = memberships
        self._chosen = {self.same_as} | self.class_objects | self.class_subjects

    def copy(self, dictionary: Dictionary) -> Visibility:
        """A copy for an equal dictionary."""
        return Visibility(dictionary, self._profile, axiomatic=self.axiomatic)

    @property
    def lease(self) -> Lease:
        """While someone holds it, terms that there are now keep their ids."""
        return self._dictionary.lease

    def hides(self, predicate: int) -> bool:
        """Whether no fact of the predicate is ever seen."""
        return self._dictionary.kind(predicate) != IRI

    def chooses(self, predicate: int) -> bool:
        """Whether some derived facts of the predicate are hidden for what they say; those with a
        literal as subject, which always are, aside."""
        return predicate in self._chosen

    def shown(self, predicate: int, keys: Keys, explicit: Explicit) -> Keys:
        """The visible facts of the closed relation."""
        if self._dictionary.kind(predicate) != IRI:
            return []
        if self.axiomatic:
            return keys
        if isinstance(keys, list):
            hide = self._hidden_one
            return [k for k in keys if not hide(predicate, k) or explicit(predicate).has(k)]
        seen = self.are_shown(predicate, keys, explicit)
        return keys if seen.all() else keys[seen]

    def are_shown(self, predicate: int, keys: kernels.KeyArray, explicit: Explicit) -> Mask:
        """For each fact of the closed relation whether it is visible."""
        if self.axiomatic or self._dictionary.kind(predicate) != IRI:
            return np.full(len(keys), self.axiomatic)
        hidden = self._hidden(predicate, keys)
        if hidden.any():
            hidden[hidden] = ~explicit(predicate).contains(keys[hidden])
        return ~hidden

    def terms(self) -> int:
        """How many terms there are that facts could be about."""
        return len(self._dictionary)

    def may_hide(self, predicate: int, subject: int) -> bool:
        """Whether facts of the predicate about this subject may be hidden."""
        return self.chooses(predicate) or self._dictionary.kind(subject) == LITERAL

    def are_literals(self, subjects: IdArray) -> Mask:
        """For each subject whether derived facts about it are hidden, whatever their predicate."""
        kinds: NDArray[np.uint8] = self._dictionary.kinds
        found: Mask = kinds[subjects] == LITERAL
        return found

    def shows_all(self, predicate: int, subject: int) -> bool:
        """Whether all facts of the predicate about this subject are seen."""
        kind = self._dictionary.kind
        return predicate not in self._chosen and kind(subject) != LITERAL and kind(predicate) == IRI

    def shown_objects(
        self, predicate: int, subject: int, objects: list[int], explicit: Explicit
    ) -> list[int]:
        """The objects of the visible facts of the closed relation about this subject."""
        by_object = predicate in self.class_objects and not self._membership
        if by_object and self._dictionary.kind(subject) == IRI and not self.axiomatic:
            stated, high = explicit(predicate).has, subject << 32
            hidden = [o for o in self._dictionary.blanks(objects) if not stated(high | o)]
            return [o for o in objects if o not in hidden] if hidden else objects
        keys = self.shown(predicate, [subject << 32 | o for o in objects], explicit)
        return [key & 0xFFFFFFFF for key in keys]

    def hidden(self, predicate: int, closed: Table, explicit: Table) -> KeyArray:
        """The invisible facts of a closed relation that has visible ones too. Cost: the terms
        that such facts could be about, and the facts about them."""
        kinds: NDArray[np.uint8] = self._dictionary.kinds
        literals, blanks = (np.flatnonzero(kinds == k).astype(np.uint32) for k in (LITERAL, BLANK))
        parts = [_about(closed, literals)]
        if predicate == self.same_as:
            ids = np.arange(kinds.size)
            reflexive = kernels.pack(ids, ids)
            parts.append(reflexive[closed.contains(reflexive)])
        if predicate in self.class_objects:
            at, subjects = closed.by_objects(blanks)
            parts.append(kernels.pack(subjects, blanks[at]))
        if predicate in self.class_subjects:
            parts.append(_about(closed, blanks))
        if predicate == self._type and self._membership:
            members = kernels.pack(closed.subjects(self._membership), self._membership)
            parts.append(members[self._axioms(members)])
        found: KeyArray = kernels.unique(np.concatenate(parts))
        return found[~explicit.contains(found)]

    def batch(self, batch: Batch, explicit: Explicit) -> Batch:
        """The visible facts of the batch."""
        seen: Batch = {}
        for predicate, keys in batch.items():
            shown = self.shown(predicate, keys, explicit)
            if len(shown):
                seen[predicate] = shaped(shown)
        return seen

    def only_as_explicit(self, batch: Batch) -> Batch:
        """The facts of the batch that are visible as explicit facts, and would not be as derived
        ones. (No visible explicit fact has a literal as subject.)"""
        if self.axiomatic or self._chosen.isdisjoint(batch):
            return {}
        chosen: Batch = {}
        for predicate in self._chosen.intersection(batch):
            keys = batch[predicate]
            if isinstance(keys, list):
                hidden: Keys = [key for key in keys if self._hidden_one(predicate, key)]
            else:
                hidden = keys[self._hidden(predicate, keys)]
            if len(hidden):
                chosen[predicate] = shaped(hidden)
        return chosen

    def _hidden_one(self, predicate: int, key: int) -> bool:
        """Whether a fact is hidden when it is not explicit."""
        s, o, kind = key >> 32, key & 0xFFFFFFFF, self._dictionary.kind
        return (
            kind(s) == LITERAL
            or (predicate == self.same_as and s == o)
            or (predicate in self.class_objects and kind(o) == BLANK)
            or (predicate in self.class_subjects and kind(s) == BLANK)
            or (predicate == self._type and o == self._membership and self._is_container(s))
        )

    def _hidden(self, predicate: int, keys: kernels.KeyArray) -> Mask:
        kinds: NDArray[np.uint8] = self._dictionary.kinds
        s, o = kernels.high(keys), kernels.low(keys)
        hidden: Mask = kinds[s] == LITERAL
        if predicate == self.same_as:
            hidden |= s == o
        if predicate in self.class_objects:
            hidden |= kinds[o] == BLANK
        if predicate in self.class_subjects:
            hidden |= kinds[s] == BLANK
        if predicate == self._type and self._membership:
            hidden |= self._axioms(keys)
        return hidden

    def _axioms(self, types: KeyArray) -> Mask:
        """A mask of the facts of rdf:type that call rdf:_n a container membership property."""
        found: Mask = kernels.low(types) == self._membership
        subjects = kernels.high(types[found]).tolist()
        found[found] = [self._is_container(id) for id in subjects]
        return found

    def _is_container(self, id: int) -> bool:
        return is_container(self._dictionary.decode(id))


def _about(table: Table, subjects: IdArray) -> KeyArray:
    at, objects = table.by_subjects(subjects)
    return kernels.pack(subjects[at], objects)
