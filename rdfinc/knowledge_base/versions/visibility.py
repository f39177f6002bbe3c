"""The one class that decides what users see of the closure (DESIGN, *What is shown*)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
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


class LeftOut(NamedTuple):
    """The facts of a relation that are left out unless they are explicit: those with a subject or
    an object of some kinds, pairs of a term and itself where `reflexive`, and memberships of any
    rdf:_n in the class `containers`, if there is one."""

    subjects: tuple[int, ...] = (LITERAL,)
    objects: tuple[int, ...] = ()
    reflexive: bool = False
    containers: int = 0


_LITERALS = LeftOut()
"""Of all other relations."""


class Visibility:
    """Which facts are shown, by this list alone:

    * facts whose predicate is no IRI, auxiliary ones above all: never;
    * explicit facts: always;
    * derived facts: all where it is `axiomatic`. Elsewhere these are *left out*: facts with a
      literal as subject, `x owl:sameAs x`, facts about a blank-node class expression (a blank node
      where a class stands), and under RDFS `rdf:_n a rdfs:ContainerMembershipProperty`.

    What else DESIGN (*What is shown*) names is derived by axiomatic rules only.
    """

    def __init__(self, dictionary: Dictionary, profile: str, *, axiomatic: bool) -> None:
        self._dictionary, self._profile, self.axiomatic = dictionary, profile, axiomatic

        def ids(pattern: str, *names: str) -> set[int]:
            return {dictionary.encode((pattern % name).encode()) for name in names}

        (self.same_as,) = ids(_OWL, "sameAs")
        subjects = ids(_RDFS, "subClassOf") | ids(_OWL, "equivalentClass", "disjointWith")
        objects = subjects | ids(_RDF, "type") | ids(_RDFS, "domain", "range")
        (type_,) = ids(_RDF, "type")
        memberships = ids(_RDFS, "ContainerMembershipProperty") if profile == "rdfs" else {0}
        (membership,) = memberships
        self._chosen = {
            predicate: LeftOut(
                (LITERAL, BLANK) if predicate in subjects else (LITERAL,),
                (BLANK,) if predicate in objects else (),
                predicate == self.same_as,
                membership if predicate == type_ else 0,
            )
            for predicate in {self.same_as} | objects | subjects
        }

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

    def left_out_of(self, predicate: int) -> LeftOut:
        """What is left out of the derived facts of a predicate that may be shown."""
        return self._chosen.get(predicate, _LITERALS)

    def chooses(self, predicate: int) -> bool:
        """Whether some derived facts of the predicate are left out for what they say; those with a
        literal as subject, which always are, aside."""
        return predicate in self._chosen

    def shown(self, predicate: int, keys: Keys, explicit: Explicit) -> Keys:
        """The visible facts of the closed relation."""
        if self.never_shows(predicate):
            return []
        if self.axiomatic:
            return keys
        if isinstance(keys, list):
            leave_out = self._is_left_out
            return [k for k in keys if not leave_out(predicate, k) or explicit(predicate).has(k)]
        seen = self.are_shown(predicate, keys, explicit)
        return keys if seen.all() else keys[seen]

    def are_shown(self, predicate: int, keys: KeyArray, explicit: Explicit) -> Mask:
        """For each fact of the closed relation whether it is visible."""
        if self.never_shows(predicate):
            return np.zeros(len(keys), np.bool_)
        if self.axiomatic:
            return np.ones(len(keys), np.bool_)
        unseen = self._are_left_out(predicate, keys)
        if unseen.any():
            unseen[unseen] = ~explicit(predicate).contains(keys[unseen])
        return ~unseen

    def counts_unseen(self, pairs: int) -> bool:
        """Whether to tell what is left out costs less than to enumerate so many pairs."""
        return pairs > KNOWLEDGE.pairs_a_term * len(self._dictionary)

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
        if self.shows_all(predicate, key >> 32):
            return True
        if self.never_shows(predicate):
            return False
        is_left_out = self._is_left_out(predicate, key)
        return not is_left_out or self.axiomatic or explicit.get(predicate).has(key)

    def shown_objects(
        self, predicate: int, subject: int, objects: list[int], explicit: Explicit
    ) -> list[int]:
        """The objects of the visible facts of the closed relation about this subject."""
        left_out = self._chosen.get(predicate, _LITERALS)
        by_object = left_out.objects == (BLANK,) and not left_out.containers
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
        if self.axiomatic:
            return kernels.NO_KEYS
        kinds: NDArray[np.uint8] = self._dictionary.kinds
        left_out = self._chosen.get(predicate, _LITERALS)
        parts = [_about(closed, _of_kind(kinds, kind)) for kind in left_out.subjects]
        for kind in left_out.objects:
            objects = _of_kind(kinds, kind)
            at, subjects = closed.by_objects(objects)
            parts.append(kernels.pack(subjects, objects[at]))
        if left_out.reflexive:
            ids = np.arange(kinds.size)
            reflexive = kernels.pack(ids, ids)
            parts.append(reflexive[closed.contains(reflexive)])
        if left_out.containers:
            members = kernels.pack(closed.subjects(left_out.containers), left_out.containers)
            parts.append(members[self._are_left_out(predicate, members)])
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
        if self.axiomatic or self._chosen.keys().isdisjoint(batch):
            return {}
        chosen: Batch = {}
        for predicate in self._chosen.keys() & batch.keys():
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
        subjects, objects, reflexive, containers = self._chosen.get(predicate, _LITERALS)
        s, o, kind = key >> 32, key & 0xFFFFFFFF, self._dictionary.kind
        return (
            kind(s) in subjects
            or (reflexive and s == o)
            or bool(objects and kind(o) in objects)
            or (containers == o and self._is_container(s))
        )

    def _are_left_out(self, predicate: int, keys: KeyArray) -> Mask:
        """`_is_left_out` of each fact."""
        subjects, objects, reflexive, containers = self._chosen.get(predicate, _LITERALS)
        kinds: NDArray[np.uint8] = self._dictionary.kinds
        s, o = kernels.high(keys), kernels.low(keys)
        unseen = _are_among(kinds[s], subjects)
        if objects:
            unseen |= _are_among(kinds[o], objects)
        if reflexive:
            unseen |= s == o
        if containers:
            members: Mask = o == containers
            members[members] = [self._is_container(id) for id in s[members].tolist()]
            unseen |= members
        return unseen

    def _is_container(self, id: int) -> bool:
        return is_container(self._dictionary.decode(id))


def _about(table: Table, subjects: IdArray) -> KeyArray:
    at, objects = table.by_subjects(subjects)
    return kernels.pack(subjects[at], objects)


def _of_kind(kinds: NDArray[np.uint8], kind: int) -> IdArray:
    """The ids of a kind."""
    return np.flatnonzero(kinds == kind).astype(np.uint32)


def _are_among(found: NDArray[np.uint8], kinds: tuple[int, ...]) -> Mask:
    """For each of the kinds found whether it is one of `kinds`, at least one."""
    among: Mask = found == kinds[0]
    for kind in kinds[1:]:
        among |= found == kind
    return among
