"""Of which properties triples are stated, as auxiliary facts kept in step with explicit triples.

    p aux:property.stated p    a triple with the predicate p is explicit

Left out is OWL's own syntax, whose literals are no data, and owl:sameAs, as other rules are about
literals that names equal.
"""

from __future__ import annotations

from collections.abc import Iterable

from rdfinc.knowledge_base.implied.literal_facts import SYNTAX
from rdfinc.owl.vocabulary import OWL
from rdfinc.tables.facts import Batch, FactSet, batch_of
from rdfinc.terms.dictionary import Dictionary

_SAME_AS = f"<{OWL}sameAs>"

_NO_CHANGES: tuple[Batch, Batch] = {}, {}


class StatedProperties:
    """The properties of one dictionary. Cost: a look-up for each predicate of a change."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._stated = dictionary.auxiliary("property.stated")
        self._others = {dictionary.encode(name.encode()) for name in (*SYNTAX, _SAME_AS)}

    def changes(self, explicit: FactSet, deleted: Batch, inserted: Batch) -> tuple[Batch, Batch]:
        """The auxiliary facts that end and begin with a change of explicit triples."""
        before = explicit.tables
        ended = [p for p in deleted if len(deleted[p]) == len(before[p]) and p not in inserted]
        if ended or not inserted.keys() <= before.keys():
            return self._facts(ended), self._facts(inserted.keys() - before.keys())
        return _NO_CHANGES

    def _facts(self, predicates: Iterable[int]) -> Batch:
        return batch_of((p, self._stated, p) for p in predicates if p not in self._others)
