"""The foundation of a program in one stratum: relations that no deletion of data reaches.

Where an equality depends on data, everything may depend on everything: equal terms replace each
other, those that name relations among them. So all relations are of one stratum, and a search would
prove the schema again for each fact that uses it. But terms that have no equals are replaced by
none: what is about such terms alone depends on its own rules only.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from rdfinc.datalog.compile.relation_hypergraph import CLASS, Levels
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, joined, of_classes, size


class Foundation:
    """The foundation of strata that are one: `relations` and `classes` that are parameter tables,
    not auxiliary, and all that these depend on by other clauses than those of the equality. None of
    them, and no term of their facts, has an equal. Without an equality, or where some term has one,
    it is empty.

    It is found when first asked for. Cost: the parameter tables. Of the rows that come since it is
    asked when it is needed next whether they have a clause derive one of its relations from others;
    if they do, or are many, it is found again.
    """

    def __init__(self, strata: Strata) -> None:
        self._program, self._schema, self._type = strata.program, strata.schema, strata.type
        is_one = not strata.levels.top and strata.equality is None
        self.may_be = is_one and bool(self._program.equality_relation)
        self.relations: AbstractSet[int] = frozenset()
        self.classes: AbstractSet[int] = frozenset()
        self._levels: Levels | None = None
        self._rows: Batch = {}
        self._may_have_equals = False

    def note(self, batch: Batch) -> None:
        """Called with facts that an update adds."""
        if self._levels is None:
            return
        if self._program.equality_relation in batch or not self._is_beside(batch):
            self._may_have_equals = True
        if rows := self._schema.only(batch):
            self._rows = joined(self._rows, rows)
            if size(self._rows) > REASONING.foundation_rows:
                self._levels = None

    def withstands(self, doubts: Batch, facts: State) -> bool:
        """Whether none of its facts goes with facts in doubt and their consequences. `facts` are
        all before the update, or more."""
        if self._levels is not None and not self._is_beside(doubts):
            return False
        if self._levels is None or self._program.undermines(self._levels, facts, self._rows):
            self._find(facts)
        elif self._may_have_equals and self._has_equals(facts):
            self.relations = self.classes = frozenset()
        self._rows, self._may_have_equals = {}, False
        return bool(self.relations) and self._is_beside(doubts)

    def _is_beside(self, batch: Batch) -> bool:
        """Whether no fact is of the foundation."""
        if not self.relations.isdisjoint(batch):
            return False
        types = batch.get(self._type)
        return types is None or not len(of_classes(types, self.classes, inside=True))

    def _find(self, facts: State) -> None:
        nodes = self._program.foundation(facts)
        self._levels = Levels(1, dict.fromkeys(nodes, 0))
        self.relations = frozenset(node for node in nodes if node < CLASS)
        self.classes = frozenset(node - CLASS for node in nodes if node >= CLASS)
        if self._has_equals(facts):
            self.relations = self.classes = frozenset()

    def _has_equals(self, facts: State) -> bool:
        """Whether a relation or class, or a term of a fact, has an equal."""
        equals = kernels.unique_ids(
            kernels.high(facts.table(self._program.equality_relation).scan())
        )
        if not equals.size:
            return False
        if {self._type, *self.relations, *self.classes}.intersection(equals.tolist()):
            return True
        tables = map(facts.table, self.relations)
        if any(t.by_subjects(equals)[1].size or t.by_objects(equals)[1].size for t in tables):
            return True
        _, classes = facts.table(self._type).by_subjects(equals)
        return not self.classes.isdisjoint(classes.tolist())
