"""Of which properties triples are stated, as hidden facts kept in step with explicit triples.

    p aux:property.stated p    a triple with the predicate p is explicit

Left out is OWL's own syntax, whose literals are no data, and owl:sameAs, as other rules are about
literals that names equal.
"""

from __future__ import annotations

from rdfinc.knowledge_base.literals import SYNTAX
from rdfinc.owl.vocabulary import OWL
from rdfinc.tables.facts import Batch, FactSet, batch_of
from rdfinc.terms.dictionary import Dictionary

_SAME_AS = f"<{OWL}sameAs>"


class StatedProperties:
    """The properties of one dictionary. Cost: a look-up for each predicate of a change."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._stated = dictionary.auxiliary("property.stated")
        self._others = {dictionary.encode(name.encode()) for name in (*SYNTAX, _SAME_AS)}

    def changes(self, explicit: FactSet, deleted: Batch, inserted: Batch) -> tuple[Batch, Batch]:
        """The hidden facts that end and begin with a change of explicit triples."""
        ended = [p for p in deleted if p not in inserted and self._ends(explicit, p, deleted)]
        begun = [p for p in inserted if self._begins(explicit, p)]
        return self._facts(ended), self._facts(begun)

    def _begins(self, explicit: FactSet, predicate: int) -> bool:
        """Whether there was no fact of a predicate."""
        return predicate not in self._others and not self._has(explicit, predicate)

    def _ends(self, explicit: FactSet, predicate: int, deleted: Batch) -> bool:
        """Whether all facts of a predicate are deleted."""
        every = len(explicit.get(predicate)) == len(deleted[predicate])
        return every and self._has(explicit, predicate)

    def _has(self, explicit: FactSet, predicate: int) -> bool:
        return explicit.has(predicate, self._stated, predicate)

    def _facts(self, predicates: list[int]) -> Batch:
        return batch_of((p, self._stated, p) for p in predicates) if predicates else {}
