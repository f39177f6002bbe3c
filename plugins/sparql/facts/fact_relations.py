"""Where SPARQL reads facts: what a graph shows, as relations between columns of ids.

`GraphFacts` are the facts of one graph in the version of a `Reader`; `PredicateFacts` are those of
one predicate, and `PredicateIndex` tells which predicates have some. Whoever reads single triples
has the views of `knowledge_base.versions.fact_views`; what is shown is decided for both by
`knowledge_base.versions.visibility`.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Sequence,
    Set,
)
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.knowledge_base.versions.rare_facts import RareFacts
from rdfinc.plugins.sparql.columns.query_terms import LOCAL
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.facts import FactSet
from rdfinc.tables.indexed_rows import AnyRows, IndexedRows, RowsBut, labelled
from rdfinc.tables.kernels import Indices, KeyArray, Mask, extent
from rdfinc.tables.views import EMPTY
from rdfinc.terms.builtins.value_arrays import ValueArrays
from rdfinc.terms.builtins.value_order import ValueOrder

Links = tuple[Indices, Ids]
SUBJECT, OBJECT = 0, 1
"""The columns of facts that are looked up together; the last one is the predicate."""


class Relation(Protocol):
    """A multiset of pairs (s, o): a predicate's facts, or what a property path connects.

    Columns may hold ids that are in no pair, those of a query's own terms among them.
    """

    def by_subjects(self, subjects: Ids) -> Links:
        """(index into `subjects`, object) for every pair."""

    def by_objects(self, objects: Ids) -> Links:
        """(index into `objects`, subject) for every pair."""

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        """Each row as often as there are such pairs."""

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        """All pairs, in blocks, of which the first ones may be small."""

    def count(self, s: int | None, o: int | None) -> int:
        """About how many pairs match; None matches all."""


class PredicateTable:
    """The facts of one predicate shown by a graph: those of `table`, without those of `excepted`
    and those that are never shown (`Visibility`), of which none is explicit. `size` is about how
    many facts the table has."""

    __slots__ = ("excepted", "explicit", "is_closed", "predicate", "shows_all", "size")
    __slots__ += ("stated_only", "table", "version", "visibility")

    def __init__(self, facts: GraphFacts, predicate: int) -> None:
        version = facts.reader.version
        self.predicate, self.version = predicate, version
        self.visibility, self.explicit = facts.reader.visibility, version.explicit.get
        self.excepted = facts.excepted.get(predicate)
        self.table = facts.shown.get(predicate)
        stated = self.explicit(predicate)
        self.size = self.table.at_most()
        self.stated_only = facts.stated_only or self.size == len(stated)
        self.shows_all = self.stated_only and self.excepted is EMPTY
        self.is_closed = facts.shown is version.closure and not facts.excepted

    @property
    def is_transitive(self) -> bool:
        """Whether it is known to be its own transitive closure: rules say so, and nothing of it is
        left out."""
        predicate, version, visibility = self.predicate, self.version, self.visibility
        module = version.modules.of.get(predicate)
        if module is None or not self.is_closed:
            return False
        kind = version.closure_kinds.get(module.external)
        closes = kind is not None and kind.transitive and kind.diagonal
        return (
            closes and not visibility.never_shows(predicate) and not visibility.chooses(predicate)
        )

    def shows_all_about(self, subjects: Ids) -> bool:
        """Whether the table's facts about some subjects are known to be shown."""
        if self.shows_all or self.excepted is not EMPTY:
            return self.shows_all
        may_leave_out = self.visibility.may_leave_out
        return self.stated_only or (
            len(subjects) == 1 and not may_leave_out(self.predicate, int(subjects[0]))
        )

    def kept(self, keys: KeyArray) -> Indices | slice:
        """Which of the table's keys are shown."""
        if self.shows_all:
            return slice(None)
        shown = np.ones(len(keys), np.bool_)
        if not self.stated_only:
            shown = self.visibility.are_shown(self.predicate, keys, self.explicit)
        if self.excepted is not EMPTY:
            shown &= ~self.excepted.contains(keys)
        return slice(None) if shown.all() else np.flatnonzero(shown)

    def shown_objects(self, subject: int, objects: list[int]) -> list[int]:
        """The objects of facts that are shown, among those of a subject."""
        if self.shows_all or not objects:
            return objects
        if not self.stated_only and self.visibility.may_leave_out(self.predicate, subject):
            objects = self.visibility.shown_objects(self.predicate, subject, objects, self.explicit)
        if self.excepted is not EMPTY:
            head, is_excepted = subject << 32, self.excepted.has
            objects = [o for o in objects if not is_excepted(head | o)]
        return objects

    def shows(self, key: int) -> bool:
        """Whether a fact of the table is shown."""
        if self.shows_all:
            return True
        if self.excepted is not EMPTY and self.excepted.has(key):
            return False
        explicit = self.version.explicit
        return self.stated_only or self.visibility.shows(self.predicate, key, explicit)


class PredicateFacts:
    """The facts of one predicate shown by a graph, as they are read for one query. Of `few`, ids
    and pairs are Python's, one by one."""

    __slots__ = ("_check", "_known")

    def __init__(self, known: PredicateTable, check: Callable[[], object]) -> None:
        self._known, self._check = known, check

    @property
    def is_transitive(self) -> bool:
        """As of the table."""
        return self._known.is_transitive

    def in_order(self, values: ValueArrays) -> ValueOrder | None:
        """The objects, and perhaps other terms, in the order of their values; None where that is
        not known, or where facts are held about representatives."""
        predicate, version = self._known.predicate, self._known.version
        if not version.aliases.trivial:
            return None
        return version.ordered().of(predicate, version.closure.get(predicate), values)

    def by_subjects(self, subjects: Ids) -> Links:
        self._check()
        known, subjects = _known(subjects)
        index, objects = self._known.table.by_subjects(subjects)
        if self._known.shows_all_about(subjects):
            return known[index], objects
        kept = self._known.kept(kernels.pack(subjects[index], objects))
        return known[index[kept]], objects[kept]

    def by_objects(self, objects: Ids) -> Links:
        self._check()
        known, objects = _known(objects)
        index, subjects = self._known.table.by_objects(objects)
        kept = self._known.kept(kernels.pack(subjects, objects[index]))
        return known[index[kept]], subjects[kept]

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        self._check()
        known = np.flatnonzero((subjects < LOCAL) & (objects < LOCAL))
        keys = kernels.pack(subjects[known], objects[known])
        there = np.flatnonzero(self._known.table.contains(keys))
        return known[there[self._known.kept(keys[there])]]

    def few_objects(self, subject: int, most: int) -> list[int] | None:
        """The objects of a subject; None where there may be more than so many."""
        self._check()
        if subject >= LOCAL:
            return []
        objects = self._known.table.few_objects(subject, most)
        return None if objects is None else self._known.shown_objects(subject, objects)

    def few_subjects(self, object_: int, most: int) -> list[int] | None:
        """The subjects of an object; None where there may be more than so many."""
        self._check()
        if object_ >= LOCAL:
            return []
        subjects = self._known.table.few_subjects(object_, most)
        if not subjects or self._known.shows_all:
            return subjects
        shows = self._known.shows
        return [s for s in subjects if shows(s << 32 | object_)]

    def has(self, subject: int, object_: int) -> bool:
        self._check()
        if subject >= LOCAL or object_ >= LOCAL:
            return False
        key = subject << 32 | object_
        return self._known.table.has(key) and self._known.shows(key)

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        first, growth = QUERIES.first_solutions, QUERIES.block_growth
        blocks, most = self._known.table.blocks(), QUERIES.solutions_block
        for keys in map(self._shown, kernels.in_growing_parts(blocks, first, growth, most)):
            yield kernels.high(keys), kernels.low(keys)

    def _shown(self, keys: KeyArray) -> KeyArray:
        self._check()
        return keys[self._known.kept(keys)]

    def count(self, s: int | None, o: int | None) -> int:
        known = self._known
        return known.size if s is None and o is None else known.table.count(s, o)


def _known(ids: Ids) -> tuple[Indices | _Same, Ids]:
    """The ids among some that may be the store's, and their places."""
    if extent(ids)[1] < LOCAL:
        return _SAME, ids
    at = np.flatnonzero(ids < LOCAL)
    return at, ids[at]


class _Same:
    """All positions, as they are."""

    def __getitem__(self, index: Indices) -> Indices:
        return index


_SAME = _Same()


class PredicateIndex:
    """The predicates that may have facts in some tables, which do not change, and those among them
    that have facts about given nodes. Predicates that are never shown are left out, but of those
    `noted`, where a node may also have no facts."""

    def __init__(self, reader: Reader, facts: FactSet, rare: RareFacts) -> None:
        self._never_shows = reader.visibility.never_shows
        self._tables, self._rare = facts.tables, rare
        version = reader.version
        is_of_version = facts is version.closure or facts is version.explicit
        self.noted = version.predicates if is_of_version else self._all
        self._found: dict[tuple[int | None, int | None], list[int]] = {}

    def of(self, s: int | None, o: int | None) -> list[int]:
        """Those with the subject and with the object, None being any. O(predicates · log n) until
        the version has noted which predicates its terms have, and once for each of the last nodes
        that were asked for."""
        if s is None and o is None:
            return self._rare.predicates
        found = self._found.get((s, o))
        if found is None:
            if len(self._found) >= QUERIES.first_solutions:
                self._found.clear()
            found = self._found[s, o] = list(self.those(s, o))
        return found

    def those(self, s: int | None, o: int | None) -> Iterator[int]:
        if max(s or 0, o or 0) >= LOCAL:
            return
        for predicate in self.noted(s, o):
            table = self._tables.get(predicate, EMPTY)
            begins = s is None or table.is_subject(s)
            ends = o is None or table.is_object(o)
            if begins and ends and not self._never_shows(predicate):
                yield predicate

    def _all(self, s: int | None, o: int | None) -> Collection[int]:
        return self._tables

    def among(self, subjects: Ids | None, objects: Ids | None) -> list[int]:
        """Those with one of the subjects and with one of the objects, None being any; and others
        where these are many."""
        begin, end = self._few(subjects), self._few(objects)
        if begin is None:
            return self.of(None, None) if end is None else self._united((None, o) for o in end)
        found = self._united((s, None) for s in begin)
        if end is None:
            return found
        known = [o for o in end if o < LOCAL]
        return [p for p in found if any(map(self._tables[p].is_object, known))]

    def _few(self, ids: Ids | None) -> list[int] | None:
        """Some nodes, each once; None for any, or many beside the predicates."""
        if ids is None or len(ids) > QUERIES.first_solutions:
            return None
        distinct: list[int] = np.unique(ids).tolist()
        most = max(QUERIES.few_asked_nodes, len(self._tables) // QUERIES.predicates_of_node)
        return distinct if len(distinct) <= most else None

    def _united(self, ends: Iterable[tuple[int | None, int | None]]) -> list[int]:
        return list(dict.fromkeys(predicate for s, o in ends for predicate in self.of(s, o)))


def rare_among(facts: FactSet, reader: Reader, *, stated_only: bool) -> RareFacts:
    """Which predicates of some facts are rare: none whose facts are shown or not for what they
    say."""
    never_shows, chooses = reader.visibility.never_shows, reader.visibility.chooses
    sizes = {p: table.at_most() for p, table in facts.tables.items() if not never_shows(p)}
    return RareFacts(sizes, lambda predicate: stated_only or not chooses(predicate))


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


@dataclass
class GraphKnowledge:
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
