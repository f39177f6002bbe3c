"""Whether few names of literals are stated, as a hidden fact kept in step with explicit triples.

aux:names.few aux:names.few aux:names.few    at most `differing_names` explicit triples say that
                                             something is owl:sameAs a literal

n names of as many values differ in n² ways. So that they are told to differ is bounded.
"""

from __future__ import annotations

import numpy as np

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.owl.vocabulary import OWL
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, batch_of
from rdfinc.tables.table import Keys
from rdfinc.terms.dictionary import LITERAL, Dictionary


class LiteralNames:
    """The explicit triples of one dictionary that give literals names. Cost: a look at all about
    owl:sameAs if a change has some of these about literals."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._same_as = dictionary.encode(f"<{OWL}sameAs>".encode())
        self._few = dictionary.auxiliary("names.few")
        self.read = frozenset([self._same_as])
        """The predicate of triples that give names."""

    def changes(self, explicit: FactSet, deleted: Batch, inserted: Batch) -> tuple[Batch, Batch]:
        """The hidden facts that end and begin with a change of explicit triples."""
        more, fewer = (self._named(batch.get(self._same_as, [])) for batch in (inserted, deleted))
        if more == fewer and explicit.tables:
            return {}, {}
        table = explicit.tables.get(self._same_as)
        before = 0 if table is None else self._named(table.scan())
        fact = (self._few,) * 3
        held, few = (
            explicit.has(*fact),
            before + more - fewer <= KNOWLEDGE.differing_names,
        )
        ended, begun = (fact,) if held and not few else (), (fact,) if few and not held else ()
        return batch_of(ended), batch_of(begun)

    def _named(self, keys: Keys) -> int:
        """How many of some facts give literals names."""
        objects = kernels.low(np.asarray(keys, np.uint64))
        return int(np.count_nonzero(self._dictionary.kinds[objects] == LITERAL))
