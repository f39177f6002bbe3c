"""Where SPARQL reads facts: what a graph shows, as relations between columns of ids.

`GraphFacts` are the facts of one graph in the version of a `Reader`. Those of one predicate are
`PredicateFacts`; a `PredicateIndex` tells which predicates have facts, and `RarePairs` are the
facts of several predicates together. Single triples are read by the views of
`knowledge_base.versions.fact_views`; what is shown is decided for both by
`knowledge_base.versions.visibility`.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterator,
    Sequence,
    Set,
)
from functools import cached_property

import numpy as np
from msgspec import Struct, field

from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.knowledge_base.versions.rare_facts import RareFacts
from rdfinc.plugins.sparql.columns.query_terms import LOCAL
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.facts.predicate_facts import (
    Links,
    PredicateFacts,
    PredicateTable,
    Relation,
)
from rdfinc.plugins.sparql.facts.predicate_index import PredicateIndex, rare_among
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.facts import FactSet
from rdfinc.tables.indexed_rows import AnyRows, IndexedRows, RowsBut, labelled
from rdfinc.tables.kernels import Indices, Mask

SUBJECT, OBJECT = 0, 1
"""The columns of facts that are looked up together; the last one is the predicate."""


class RarePairs:
    """The pairs of some facts that are looked up together."""

    def __init__(self, facts: AnyRows) -> None:
        self._facts = facts

    def by_subjects(self, subjects: Ids) -> Links:
        index, at = self._facts.find({SUBJECT: subjects})
        return index, self._facts.columns[OBJECT][at]

    def by_objects(self, objects: Ids) -> Links:
        index, at = self._facts.find({OBJECT: objects})
        return index, self._facts.columns[SUBJECT][at]

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        return self._facts.find({SUBJECT: subjects, OBJECT: objects})[0]

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        subjects, objects, *_ = self._facts.all()
        yield subjects, objects

    def count(self, s: int | None, o: int | None) -> int:
        known = {SUBJECT: s, OBJECT: o}
        return self._facts.count({at: id for at, id in known.items() if id is not None})


class GraphKnowledge(Struct):
    """What is worked out about the facts of a graph when it is first asked for: the facts of
    predicates, the index of these, and every subject and object; and how many terms were looked up
    among these one by one."""

    tables: dict[int, PredicateTable] = field(default_factory=dict)
    predicates: PredicateIndex | None = None
    nodes: Ids | None = None
    nodes_asked_for: int = 0


class GraphFacts:
    """The facts shown by one graph in one version: `shown` without `excepted`. Under a `name` the
    version and its reader keep what is worked out about them.

    If `stated_only`, `shown` holds explicit facts, which are all visible except those of auxiliary
    predicates. Every look-up calls `check` first.
    """

    def __init__(
        self,
        reader: Reader,
        shown: FactSet,
        excepted: FactSet | None = None,
        *,
        stated_only: bool,
        name: Hashable = None,
    ) -> None:
        self.reader, self.shown, self._name = reader, shown, name
        self.excepted = FactSet() if excepted is None else excepted
        self.stated_only = stated_only
        self.check: Callable[[], object] = int
        self._relations: dict[int, PredicateFacts] = {}
        known = GraphKnowledge()
        self._known: GraphKnowledge = reader.known.setdefault(name, known) if name else known
        self._counts: dict[tuple[int | None, int | None], int] = {}
        self._about: dict[int, list[tuple[int, list[int]]] | None] = {}

    @classmethod
    def closure(cls, reader: Reader) -> GraphFacts:
        """Everything that is stated or follows."""
        return cls(reader, reader.version.closure, stated_only=False, name="closure")

    @classmethod
    def default_graph(cls, reader: Reader) -> GraphFacts:
        """The facts stated by the default graph, and all derived ones."""
        closure, only_named = reader.version.closure, reader.version.only_named
        return cls(reader, closure, only_named, stated_only=False, name="default graph")

    @classmethod
    def explicit(cls, reader: Reader) -> GraphFacts:
        """The facts stated by some graph."""
        return cls(reader, reader.version.explicit, stated_only=True, name="explicit")

    @classmethod
    def derived(cls, reader: Reader) -> GraphFacts:
        """The facts that follow and are stated by no graph."""
        closure, explicit = reader.version.closure, reader.version.explicit
        return cls(reader, closure, explicit, stated_only=False, name="derived")

    @classmethod
    def graph(cls, reader: Reader, graph: int | None) -> GraphFacts:
        """The facts stated by a named graph."""
        stated = reader.version.graphs.get(graph or 0, FactSet())
        return cls(reader, stated, stated_only=True, name=graph)

    @classmethod
    def merged(cls, parts: list[GraphFacts], reader: Reader) -> GraphFacts:
        """The facts shown by any of the parts. O(facts of the parts)."""
        together = FactSet()
        for part in parts:
            for predicate in part.predicates.of(None, None):
                for s, o in part.relation(predicate).pairs():
                    together.add({predicate: kernels.pack(s, o)})
        return cls(reader, together, stated_only=True)

    @property
    def predicates(self) -> PredicateIndex:
        known = self._known
        if known.predicates is None:
            known.predicates = PredicateIndex(self.reader, self.shown, self._rare)
        return known.predicates

    @cached_property
    def _rare(self) -> RareFacts:
        """The rare facts, kept by the version where that has a name for all of them."""
        found = self.reader.version.rare.get(self._name)
        if found is None:
            found = rare_among(self.shown, self.reader, stated_only=self.stated_only)
            if self._name is not None:
                self.reader.version.rare[self._name] = found
        return found

    @property
    def total(self) -> int:
        """About how many facts there are."""
        return self._rare.total

    def rows(self, predicates: Sequence[int]) -> tuple[IndexedRows | None, Sequence[int]]:
        """The facts of predicates that are looked up together, those of some predicates among them:
        subject, object, predicate; and the others of these predicates."""
        rows = self._rare.rows(predicates, self._made)
        return rows, predicates if rows is None else self._rare.common(predicates)

    def _made(self, predicates: Collection[int]) -> IndexedRows:
        """The facts of some predicates of which all but a few are shown."""
        tables = self.shown.tables
        parts = {p: tables[p].scan() for p in predicates}
        doubted = parts.keys() & self.excepted.tables.keys()
        if not self.stated_only:
            subjects, _, owners = labelled(parts)
            literals = self.reader.visibility.are_literals(subjects)
            doubted |= set(owners[literals].tolist())
        for predicate in doubted:
            shown = [kernels.pack(*pair) for pair in self.relation(predicate).pairs()]
            parts[predicate] = np.concatenate([kernels.NO_KEYS, *shown])
        return IndexedRows(*labelled(parts))

    def relations(self, predicates: Sequence[int], but: Set[int]) -> list[Relation]:
        """Relations that have the pairs of some predicates together."""
        rows, others = self.rows(predicates)
        found: list[Relation] = [self.relation(p) for p in others if p not in but]
        return found if rows is None else [RarePairs(RowsBut(rows, but)), *found]

    def count(self, s: int | None, o: int | None) -> int:
        """About how many facts match, counted once; None matches all."""
        if s is None and o is None:
            return self.total
        if s is not None and o is None and (known := self.about(s)) is not None:
            return sum(len(objects) for _, objects in known)
        if (s, o) not in self._counts:
            tables = self.shown.tables
            self._counts[s, o] = sum(tables[p].count(s, o) for p in self.predicates.of(s, o))
        return self._counts[s, o]

    def relation(self, predicate: int) -> PredicateFacts:
        found = self._relations.get(predicate)
        if found is None:
            table = self._known.tables.get(predicate)
            if table is None:
                table = PredicateTable(self._seen(predicate), predicate)
                self._known.tables[predicate] = table
            found = self._relations[predicate] = PredicateFacts(table, self.check)
        return found

    def about(self, subject: int) -> list[tuple[int, list[int]]] | None:
        """The predicates of the facts about a subject, with their objects, found once; None where
        there are many facts, or many predicates to look at."""
        if subject not in self._about:
            self._about[subject] = self._few_about(subject)
        return self._about[subject]

    def about_each(self, subjects: Sequence[int]) -> tuple[list[int], list[int], list[int]] | None:
        """Of all facts about some subjects the place of the subject, the predicate and the object;
        None as for `about`."""
        places: list[int] = []
        predicates: list[int] = []
        objects: list[int] = []
        for place, subject in enumerate(subjects):
            known = self.about(subject)
            if known is None:
                return None
            for predicate, some in known:
                predicates += [predicate] * len(some)
                objects += some
            places += [place] * (len(objects) - len(places))
        return places, predicates, objects

    def _few_about(self, subject: int) -> list[tuple[int, list[int]]] | None:
        if subject >= LOCAL:
            return []
        predicates, left = self.predicates.noted(subject, None), QUERIES.first_solutions
        if len(predicates) > QUERIES.gathered_predicates:
            return None
        found = []
        for predicate in predicates:
            objects = self.relation(predicate).few_objects(subject, left)
            if objects is None:
                return None
            if objects:
                found.append((predicate, objects))
                left -= len(objects)
        return found

    def towards(self, object_: int) -> list[tuple[int, list[int]]] | None:
        """The predicates of the facts with an object, with their subjects; None as for `about`."""
        predicates = self.predicates.of(None, object_)
        if len(predicates) > QUERIES.gathered_predicates:
            return None
        found = []
        for predicate in predicates:
            subjects = self.relation(predicate).few_subjects(object_, QUERIES.few_found)
            if subjects is None:
                return None
            if subjects:
                found.append((predicate, subjects))
        return found

    def _seen(self, predicate: int) -> GraphFacts:
        """These facts, or none where the predicate is never seen."""
        never = predicate >= LOCAL or self.reader.visibility.never_shows(predicate)
        return GraphFacts(self.reader, FactSet(), stated_only=True) if never else self

    @property
    def nodes(self) -> Ids:
        """Every subject and object, once, sorted. O(facts), once for a reader if the graph has a
        name."""
        known = self._known
        if known.nodes is None:
            found = [np.empty(0, np.uint32)]
            for relation in self.relations(self.predicates.of(None, None), frozenset()):
                for pair in relation.pairs():
                    found += pair
            known.nodes = kernels.unique_ids(np.concatenate(found))
        return known.nodes

    def have(self, ids: Ids) -> Mask:
        """For each id whether it is a node. Those of the graph are worked out once as many have
        been looked up as take as long, so that a look-up costs at most twice what it has to."""
        asked, places = np.unique(ids, return_inverse=True)
        known = self._known
        known.nodes_asked_for += len(asked)
        if known.nodes is not None or known.nodes_asked_for > self.total // QUERIES.facts_of_node:
            return kernels.contains(self.nodes, asked)[places]
        return np.array([self._has(id) for id in asked.tolist()], np.bool_)[places]

    def _has(self, id: int) -> bool:
        one, predicates = np.array([id], np.uint32), self.predicates
        begins = any(len(self.relation(p).by_subjects(one)[0]) for p in predicates.those(id, None))
        return begins or any(
            len(self.relation(p).by_objects(one)[0]) for p in predicates.those(None, id)
        )
