"""Of which properties triples are stated, as hidden facts kept in step with explicit triples.

    p aux:property.stated p    a triple with the predicate p is explicit

OWL's own syntax, whose literals are no data, is left out.
"""

from __future__ import annotations

from rdfinc.knowledge_base.literals import SYNTAX
from rdfinc.tables.facts import Batch, FactSet, batch_of
from rdfinc.terms.dictionary import Dictionary


class StatedProperties:
    """The properties of one dictionary. Cost: a look-up for each predicate of a change."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._stated = dictionary.auxiliary("property.stated")
        self._syntax = {dictionary.encode(name.encode()) for name in SYNTAX}

    def changes(self, explicit: FactSet, deleted: Batch, inserted: Batch) -> tuple[Batch, Batch]:
        """The hidden facts that end and begin with a change of explicit triples."""
        ended = [p for p, keys in deleted.items() if p not in inserted and self._ends(explicit, p, len(keys))]
        begun = [p for p in inserted if p not in self._syntax and not explicit.has(p, self._stated, p)]
        return self._facts(ended), self._facts(begun)

    def _ends(self, explicit: FactSet, predicate: int, lost: int) -> bool:
        """Whether as many facts of a predicate as are lost are all there are."""
        return predicate not in self._syntax and len(explicit.get(predicate)) == lost

    def _facts(self, predicates: list[int]) -> Batch:
        return batch_of((p, self._stated, p) for p in predicates)
