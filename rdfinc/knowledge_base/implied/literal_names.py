"""Names of literals: an auxiliary fact that says whether few are stated, and whether those of one
name agree.

aux:names.few aux:names.few aux:names.few    at most `differing_names` explicit triples say that
                                             something is owl:sameAs a literal

n names of n values make n² facts that two names differ: with too many names none is derived.
"""

from __future__ import annotations

import numpy as np

from rdfinc.datalog.transform.representatives import Equality
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.maintenance.equality_update import AliasShift
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.tables import kernels
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.facts import Batch, FactSet, batch_of
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.table import Keys
from rdfinc.terms.builtins import value_spelling
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
        """The auxiliary facts that end and begin with a change of explicit triples."""
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


def agree(aliases: Aliases, ids: IdArray, dictionary: Dictionary) -> bool:
    """Whether no two literals among some ids are equal to the same and differ in value.

    Cost: the ids, and a value for each literal among them.
    """
    literals = ids[dictionary.kinds[ids] == LITERAL]
    values: dict[int, bytes] = {}
    terms = map(value_spelling, dictionary.decode_many(literals))
    same = aliases.representatives(literals).tolist()
    return all(
        values.setdefault(name, value) == value for name, value in zip(same, terms, strict=True)
    )


def agree_after(update: Update, equality: Equality, dictionary: Dictionary, *, every: bool) -> bool:
    """Whether names of literals agree after an update, of `every` class or only of those that
    changed."""
    shift = update.shifts.get(equality.aliases)
    if not isinstance(shift, AliasShift):
        return True
    ids = shift.new.with_equals() if every else shift.differing
    return agree(shift.new, ids, dictionary)
