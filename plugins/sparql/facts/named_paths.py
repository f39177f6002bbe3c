"""Property paths over all named graphs at once: followed from node to node of a graph.

A node of a graph has a number of its own, given when it is met first. So a path connects such
numbers, is followed as in one graph, and never leads from one graph to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct, field
from rdflib.paths import MulPath, Path

from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions, join
from rdfinc.plugins.sparql.facts.fact_relations import OBJECT, SUBJECT
from rdfinc.plugins.sparql.facts.named_facts import GRAPH, NamedFacts
from rdfinc.plugins.sparql.facts.paths import relation
from rdfinc.plugins.sparql.facts.patterns import Slot, column_of
from rdfinc.plugins.sparql.facts.predicate_facts import Links, Relation
from rdfinc.plugins.sparql.facts.predicate_index import PredicateIndex
from rdfinc.plugins.sparql.trace import PatternTrace
from rdfinc.tables import kernels
from rdfinc.tables.indexed_rows import AnyRows, RowsBut
from rdfinc.tables.kernels import NO_IDS, Indices, Mask


class Places:
    """A bijection between some (graph, node) and the numbers 1, 2, …; O(1) for each."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._keys: list[int] = [0]

    def numbers(self, graphs: Ids, nodes: Ids) -> Ids:
        keys, places = np.unique(kernels.pack(graphs, nodes), return_inverse=True)
        return np.fromiter(map(self._number, keys.tolist()), np.uint32, keys.size)[places]

    def _number(self, key: int) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return found

    def of(self, numbers: Ids) -> tuple[Ids, Ids]:
        """The graph and the node of each."""
        distinct, places = np.unique(numbers, return_inverse=True)
        keys = np.array([self._keys[number] for number in distinct.tolist()], np.uint64)[places]
        return kernels.high(keys), kernels.low(keys)


class PlacedStatements:
    """The pairs of nodes of graphs that some statements make; see `predicate_facts.Relation`."""

    def __init__(self, stated: AnyRows, places: Places) -> None:
        self._stated, self._places = stated, places

    def by_subjects(self, subjects: Ids) -> Links:
        graphs, nodes = self._places.of(subjects)
        index, at = self._stated.find({SUBJECT: nodes, GRAPH: graphs})
        return index, self._places.numbers(graphs[index], self._stated.columns[OBJECT][at])

    def by_objects(self, objects: Ids) -> Links:
        graphs, nodes = self._places.of(objects)
        index, at = self._stated.find({OBJECT: nodes, GRAPH: graphs})
        return index, self._places.numbers(graphs[index], self._stated.columns[SUBJECT][at])

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        graphs, nodes = self._places.of(subjects)
        others, ends = self._places.of(objects)
        same = np.flatnonzero(graphs == others)
        known = {SUBJECT: nodes[same], OBJECT: ends[same], GRAPH: graphs[same]}
        return same[self._stated.find(known)[0]]

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        subjects, objects, graphs, *_ = self._stated.all()
        yield self._places.numbers(graphs, subjects), self._places.numbers(graphs, objects)

    def count(self, s: int | None, o: int | None) -> int:
        known = {SUBJECT: s, OBJECT: o}
        return self._stated.count({at: id for at, id in known.items() if id is not None})


class PlacedPredicates:
    """The predicates of nodes of graphs; see `predicate_index.PredicateIndex`."""

    def __init__(self, known: PredicateIndex, places: Places) -> None:
        self._known, self._places = known, places

    def of(self, s: int | None, o: int | None) -> list[int]:
        """Those of nodes, whatever their graphs."""
        return self._known.of(s, o)

    def among(self, subjects: Ids | None, objects: Ids | None) -> list[int]:
        """Those of some numbers of places."""
        ends = (subjects, objects)
        return self._known.among(*(None if n is None else self._places.of(n)[1] for n in ends))


class PlacedFacts:
    """The statements of named graphs about their nodes; see `fact_relations.GraphFacts`."""

    def __init__(self, facts: NamedFacts) -> None:
        self._facts, self.places = facts, Places()
        self.predicates = PlacedPredicates(facts.predicates, self.places)
        self.check = facts.check

    @property
    def total(self) -> int:
        return self._facts.count({})

    def relation(self, predicate: int) -> PlacedStatements:
        return PlacedStatements(self._facts.relation(predicate), self.places)

    def relations(self, predicates: Sequence[int], but: Set[int]) -> list[PlacedStatements]:
        return [PlacedStatements(stated, self.places) for stated in self._stated(predicates, but)]

    def _stated(self, predicates: Sequence[int], but: Set[int] = frozenset()) -> list[AnyRows]:
        """The statements of some predicates."""
        rows, others = self._facts.rows(predicates)
        found: list[AnyRows] = [self._facts.relation(p) for p in others if p not in but]
        return found if rows is None else [RowsBut(rows, but), *found]

    @cached_property
    def nodes(self) -> Ids:
        """Every node of every graph. O(statements), once."""
        found = [NO_IDS]
        for some in self.relations(self.predicates.of(None, None), frozenset()):
            for pair in some.pairs():
                found += pair
        return kernels.unique_ids(np.concatenate(found))

    def have(self, numbers: Ids) -> Mask:
        """For each number whether it is a node's that its graph states something of."""
        found = np.zeros(numbers.size, np.bool_)
        for some in self.relations(self.predicates.among(numbers, None), frozenset()):
            found[some.by_subjects(numbers)[0]] = True
        for some in self.relations(self.predicates.among(None, numbers), frozenset()):
            found[some.by_objects(numbers)[0]] = True
        return found

    def where(self, nodes: Ids) -> tuple[Indices, Ids]:
        """(index into `nodes`, graph) for each graph that states something of a node."""
        keys, known = [kernels.NO_KEYS], self._facts.predicates
        for end, predicates in (
            (SUBJECT, known.among(nodes, None)),
            (OBJECT, known.among(None, nodes)),
        ):
            for stated in self._stated(predicates):
                index, at = stated.find({end: nodes})
                keys.append(kernels.pack(index, stated.columns[GRAPH][at]))
        found = kernels.unique(np.concatenate(keys))
        return (found >> kernels.SHIFT).astype(np.intp), kernels.low(found)


class Walk:
    """The pairs that a path connects in each graph, as numbers of places and as columns of
    nodes."""

    def __init__(self, path: Any, facts: NamedFacts, terms: Terms, ends: Sequence[int]) -> None:
        self.graph, self._facts = facts.graph, PlacedFacts(facts)
        self.places = self._facts.places
        self._ends = np.array(list(set(ends)) if may_stay(path) else [], np.uint32)
        self._graphs = facts.everywhere(terms).column(facts.graph) if self._ends.size else NO_IDS
        graphs = np.repeat(self._graphs, self._ends.size)
        stays = self.places.numbers(graphs, np.tile(self._ends, self._graphs.size)).tolist()
        self.relation: Relation = relation(path, self._facts, terms, stays)

    def graphs_of(self, nodes: Ids) -> tuple[Indices, Ids]:
        """(index into `nodes`, graph) for each graph in which a path may lead from or to a node.
        A path without a step leads from an end of the pattern to itself in every graph."""
        stays = np.isin(nodes, self._ends)
        others, at = np.flatnonzero(~stays), np.flatnonzero(stays)
        index, graphs = self._facts.where(nodes[others])
        everywhere = np.repeat(at, self._graphs.size)
        return (
            np.concatenate([others[index], everywhere]),
            np.concatenate([graphs, np.tile(self._graphs, at.size)]),
        )

    @cached_property
    def pairs(self) -> list[tuple[Ids, Ids, Ids]]:
        """(subjects, objects, graphs) in blocks."""
        found = []
        for subjects, objects in self.relation.pairs():
            graphs, nodes = self.places.of(subjects)
            found.append((nodes, self.places.of(objects)[1], graphs))
        return found


def may_stay(path: Any) -> bool:
    """Whether some part of a path may have no step."""
    if isinstance(path, MulPath) and path.mod != "+":
        return True
    inner = [getattr(path, "arg", None), getattr(path, "path", None), *getattr(path, "args", ())]
    return any(isinstance(each, Path) and may_stay(each) for each in inner)


class PathInGraphs(Struct, frozen=True, eq=False):
    """A triple pattern with a path over named graphs; see `patterns.Pattern`."""

    subject: Slot
    walk: Walk
    object: Slot
    match: PatternTrace = field(default_factory=PatternTrace)

    def variables(self) -> list[Any]:
        slots = (self.subject, self.object, self.walk.graph)
        return [slot for slot in dict.fromkeys(slots) if not isinstance(slot, int)]

    def count(self) -> int:
        """About how many solutions there are."""
        s, o = (slot if isinstance(slot, int) else None for slot in (self.subject, self.object))
        return self.walk.relation.count(s, o)

    def extended(self, rows: Solutions) -> Iterator[Solutions]:
        """`rows`, which bind each of their variables everywhere, joined with the pattern."""
        for slot in (self.subject, self.object):
            nodes = column_of(slot, rows)
            if nodes is not None:
                yield self._followed(self._in_graphs(nodes, rows))
                return
        for subjects, objects, graphs in self.walk.pairs:
            found = {self.subject: subjects, self.object: objects, self.walk.graph: graphs}
            pairs = Solutions(graphs.size, found)
            same = subjects == objects
            yield from join(rows, pairs.where(same) if self.subject == self.object else pairs)

    def _in_graphs(self, nodes: Ids, rows: Solutions) -> Solutions:
        """The rows, each in its graph or in all graphs that come into question."""
        if self.walk.graph in rows.columns:
            return rows
        index, graphs = self.walk.graphs_of(nodes)
        return rows.take(index).with_columns({self.walk.graph: graphs})

    def _followed(self, rows: Solutions) -> Solutions:
        places, graphs = self.walk.places, rows.columns[self.walk.graph]
        starts, ends = (
            None if nodes is None else places.numbers(graphs, nodes)
            for nodes in (column_of(slot, rows) for slot in (self.subject, self.object))
        )
        if starts is not None and ends is not None:
            return rows.take(self.walk.relation.between(starts, ends))
        if starts is not None:
            index, found = self.walk.relation.by_subjects(starts)
            return rows.take(index).with_columns({self.object: places.of(found)[1]})
        assert ends is not None
        index, found = self.walk.relation.by_objects(ends)
        return rows.take(index).with_columns({self.subject: places.of(found)[1]})
