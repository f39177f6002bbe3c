"""Which parameter tables a term is in: what is asked before the plans that it drives are found."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from rdfinc.reasoning.evaluation.states import State
from rdfinc.tables.facts import Batch
from rdfinc.tables.table import Table
from rdfinc.tables.term_relations import TermRelations


class SchemaTerms:
    """For each term the relations among `relations` that it is a subject, or an object, of; maybe
    others besides, such as those that it was in before.

    They are noted once it pays (`TermRelations`). Facts that come are noted from then on, those of
    an update that fails as well, and facts that go are not. Nothing is noted of relations that are
    not kept fact by fact: they count as those of every term.
    """

    def __init__(self, relations: AbstractSet[int]) -> None:
        self.relations = relations
        self._noted = TermRelations()

    def of(self, term: int, questions: int, facts: State) -> tuple[set[int], set[int]] | None:
        """The relations that a term is a subject of, and those that it is an object of; None while
        to note them takes longer than so many `questions`, with those before."""
        noted = self._noted
        if not noted.are_noted and not self._begins(questions, facts):
            return None
        as_subject, as_object = noted.subjects.objects(term), noted.objects.objects(term)
        return noted.other.union(as_subject), noted.other.union(as_object)

    def _begins(self, questions: int, facts: State) -> bool:
        def tables() -> dict[int, Table]:
            return {p: facts.table(p) for p in self.relations if facts.changes_by_fact(p)}

        pays = self._noted.pays(questions, tables)
        if pays:
            noted = tables()
            self._noted.begin(noted, {*self.relations} - noted.keys())
        return pays

    def note(self, batch: Batch) -> None:
        """Takes note of facts that come."""
        if self._noted.are_noted:
            for predicate in self.relations & batch.keys():
                self._noted.note(predicate, batch[predicate])

    def note_other(self, relation: int) -> None:
        """Takes note that a relation is kept in another table."""
        self._noted.note_other(relation)

    def forget(self) -> None:
        """Forgets all that is noted."""
        self._noted = TermRelations()
