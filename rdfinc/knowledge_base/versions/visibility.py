"""The one function that decides what users see of the closure (DESIGN, *What is shown*)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rdfinc.knowledge_base.versions.container_properties import is_container
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, shaped
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
    """Which facts are shown, by this list alone:

    * facts whose predicate is no IRI, auxiliary ones above all, never;
    * explicit facts always;
    * of derived facts, all where it is `axiomatic`; else those are *left out* that have a literal
      as subject, that say `x owl:sameAs x`, that are about a blank-node class expression (a blank
      node where a class stands), and, under RDFS, that call rdf:_n a container membership property.

    What else DESIGN (*What is shown*) names is derived by axiomatic rules only.
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

    def never_shows(self, predicate: int) -> bool:
        """Whether no fact of the predicate is ever seen."""
        return self._dictionary.kind(predicate) != IRI

    def chooses(self, predicate: int) -> bool:
        """Whether some derived facts of the predicate are left out for what they say; those with a
        literal as subject, which always are, aside."""
        return predicate in self._chosen

    def shown(self, predicate: int, keys: Keys, explicit: Explicit) -> Keys:
        """The visible facts of the closed relation."""
        if self._dictionary.kind(predicate) != IRI:
            return []
        if self.axiomatic:
            return keys
        if isinstance(keys, list):
            leave_out = self._is_left_out
            return [k for k in keys if not leave_out(predicate, k) or explicit(predicate).has(k)]
        seen = self.are_shown(predicate, keys, explicit)
        return keys if seen.all() else keys[seen]

    def are_shown(self, predicate: int, keys: kernels.KeyArray, explicit: Explicit) -> Mask:
        """For each fact of the closed relation whether it is visible."""
        if self.axiomatic or self._dictionary.kind(predicate) != IRI:
            return np.full(len(keys), self.axiomatic)
        unseen = self._are_left_out(predicate, keys)
        if unseen.any():
            unseen[unseen] = ~explicit(predicate).contains(keys[unseen])
        return ~unseen

    def terms(self) -> int:
        """How many terms there are that facts could be about."""
        return len(self._dictionary)

    def may_leave_out(self, predicate: int, subject: int) -> bool:
        """Whether facts of the predicate about this subject may be left out."""
        return self.chooses(predicate) or self._dictionary.kind(subject) == LITERAL

    def are_literals(self, subjects: IdArray) -> Mask:
        """For each subject whether derived facts about it are left out, whatever their
        predicate."""
        kinds: NDArray[np.uint8] = self._dictionary.kinds
        found: Mask = kinds[subjects] == LITERAL
        return found

    def shows_all(self, predicate: int, subject: int) -> bool:
        """Whether all facts of the predicate about this subject are seen."""
        kind = self._dictionary.kind
        return predicate not in self._chosen and kind(subject) != LITERAL and kind(predicate) == IRI

    def shows(self, predicate: int, key: int, explicit: FactSet) -> bool:
        """Whether a fact of the closed relation is visible."""
        if self._dictionary.kind(predicate) != IRI:
            return False
        if predicate not in self._chosen:
            is_left_out = self._dictionary.kind(key >> 32) == LITERAL
        else:
            is_left_out = self._is_left_out(predicate, key)
        return not is_left_out or self.axiomatic or explicit.get(predicate).has(key)

    def shown_objects(
        self, predicate: int, subject: int, objects: list[int], explicit: Explicit
    ) -> list[int]:
        """The objects of the visible facts of the closed relation about this subject."""
        by_object = predicate in self.class_objects and not self._membership
        if by_object and self._dictionary.kind(subject) == IRI and not self.axiomatic:
            blanks = self._dictionary.blanks(objects)
            if not blanks:
                return objects
            stated, high = explicit(predicate).has, subject << 32
            unseen = [o for o in blanks if not stated(high | o)]
            return [o for o in objects if o not in unseen] if unseen else objects
        keys = self.shown(predicate, [subject << 32 | o for o in objects], explicit)
        return [key & 0xFFFFFFFF for key in keys]

    def left_out(self, predicate: int, closed: Table, explicit: Table) -> KeyArray:
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
                unseen: Keys = [key for key in keys if self._is_left_out(predicate, key)]
            else:
                unseen = keys[self._are_left_out(predicate, keys)]
            if len(unseen):
                chosen[predicate] = shaped(unseen)
        return chosen

    def _is_left_out(self, predicate: int, key: int) -> bool:
        """Whether a fact is left out when it is not explicit."""
        s, o, kind = key >> 32, key & 0xFFFFFFFF, self._dictionary.kind
        return (
            kind(s) == LITERAL
            or (predicate == self.same_as and s == o)
            or (predicate in self.class_objects and kind(o) == BLANK)
            or (predicate in self.class_subjects and kind(s) == BLANK)
            or (predicate == self._type and o == self._membership and self._is_container(s))
        )

    def _are_left_out(self, predicate: int, keys: kernels.KeyArray) -> Mask:
        kinds: NDArray[np.uint8] = self._dictionary.kinds
        s, o = kernels.high(keys), kernels.low(keys)
        unseen: Mask = kinds[s] == LITERAL
        if predicate == self.same_as:
            unseen |= s == o
        if predicate in self.class_objects:
            unseen |= kinds[o] == BLANK
        if predicate in self.class_subjects:
            unseen |= kinds[s] == BLANK
        if predicate == self._type and self._membership:
            unseen |= self._axioms(keys)
        return unseen

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
