"""The foundation of a program in one stratum: what no deletion of data reaches while equals stay
equal.

Where an equality depends on data, everything depends on everything: equal terms replace each other,
those that name relations among them. So all relations are of one stratum, and a search would prove
the schema again for each fact that uses it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc.datalog.compile.relation_hypergraph import CLASS, Levels
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, as_list, joined, of_classes, size
from rdfinc.tables.marks import AllMarked, Marks, WithClasses
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import OnlyObjects, UnionView


class Founded(State):
    """The facts of `state`, and of the relations of a foundation all that there are `after` an
    update."""

    __slots__ = ("_after", "_foundation", "_state")

    def __init__(self, state: State, after: State, foundation: Foundation) -> None:
        super().__init__({}, related=state.related)
        self._state, self._after, self._foundation = state, after, foundation

    def _view(self, predicate: int) -> Table:
        foundation = self._foundation
        if predicate in foundation.relations:
            return self._after.table(predicate)
        mine = self._state.table(predicate)
        if predicate != foundation.type or not foundation.classes:
            return mine
        return UnionView((OnlyObjects(self._after.table(predicate), foundation.classes), mine))

    def negated(self, predicate: int) -> Table:
        return self._state.negated(predicate)

    def predicates(self) -> list[int]:
        return self._state.predicates()


class Foundation:
    """The foundation of strata that are one: the parameter tables that are not auxiliary, and all
    that they depend on by other clauses than those of the equality. Without an equality it is
    empty.

    It is found when first asked for, and again after new rows of parameter tables have a clause
    derive one of its relations from others. Cost: the parameter tables; while it stays, the rows
    that came since it was asked for last.
    """

    def __init__(self, strata: Strata) -> None:
        self._program, self.type = strata.program, strata.type
        is_one = not strata.levels.top and strata.equality is None
        self.may_be = is_one and bool(self._program.equality_relation)
        self._schema = strata.schema
        self._levels: Levels | None = None
        self._rows: Batch = {}
        self._is_renamed: bool | None = None

    def note(self, batch: Batch) -> None:
        """Called with facts that an update adds."""
        if self._levels is None:
            return
        if self._program.equality_relation in batch:
            self._is_renamed = None
        if rows := self._schema.only(batch):
            self._rows = joined(self._rows, rows)
            if size(self._rows) > REASONING.foundation_rows:
                self._levels = None

    def bears(self, doubts: Batch, facts: State) -> bool:
        """Whether it stays as it is while some facts and their consequences go, unless `is_shaken`
        says otherwise: none of them is of it, and no term that names one of its relations has an
        equal. `facts` are all facts before the update, or more."""
        if self._levels is None or self._program.raises(self._levels, facts, self._rows):
            self._find(facts)
        self._rows = {}
        if not (self.relations or self.classes) or not self.relations.isdisjoint(doubts):
            return False
        types = doubts.get(self.type)
        if types is not None and len(of_classes(types, self.classes, inside=True)):
            return False
        if self._is_renamed is None:
            equals = facts.table(self._program.equality_relation)
            self._is_renamed = any(map(equals.is_subject, self._names()))
        return not self._is_renamed

    def is_shaken(self, lost: Keys, facts: State) -> bool:
        """Whether it may lose facts with some facts of the equality."""
        if len(lost) > REASONING.foundation_aliases:
            return True
        ends = {end for key in as_list(lost) for end in (key >> 32, key & 0xFFFFFFFF)}
        tables = [facts.table(p) for p in self.relations]
        classes = self.classes
        return any(
            any(table.is_subject(end) or table.is_object(end) for table in tables)
            or not classes.isdisjoint(facts.table(self.type).objects(end))
            for end in ends
        )

    def mark(self, marks: Marks) -> None:
        """Marks all its facts."""
        marks.update({predicate: AllMarked() for predicate in self.relations})
        if self.classes:
            marks[self.type] = WithClasses(marks[self.type], self.classes)

    def _find(self, facts: State) -> None:
        nodes = self._program.foundation(facts)
        self.relations = frozenset(node for node in nodes if node < CLASS)
        self.classes = {node - CLASS for node in nodes if node >= CLASS}
        self._levels, self._is_renamed = Levels(1, dict.fromkeys(nodes, 0)), None

    def _names(self) -> Iterator[int]:
        yield self.type
        yield from self.relations
        yield from self.classes
