"""GRAPH ?g: the statements of all named graphs, with the graph of each statement as a column.

Parts are joined by that column as by a variable of theirs, so that no graph is looked at by itself.
The column has a key of its own: inside of its GRAPH clause ?g is no variable, unless the part names
it. Solutions that leave the key unbound are solutions in every graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Variable

from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.plugins.sparql.fact_relations import Predicates
from rdfinc.plugins.sparql.patterns import Slot, asked, column_of, product
from rdfinc.plugins.sparql.query_terms import Terms
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.solutions import Ids, Solutions, concatenated, in_heaps
from rdfinc.plugins.sparql.trace import Match
from rdfinc.tables.facts import FactSet
from rdfinc.tables.graph_column import InGraphs
from rdfinc.tables.kernels import NO_IDS, NO_KEYS

_NOTHING = InGraphs(NO_KEYS, NO_IDS)


class GraphOf(Variable):  # type: ignore[misc]
    """The key of a column of graphs."""


class NamedFacts:
    """The statements of named graphs in one version, for the GRAPH clauses of one query.

    `graph` is the key of their column, one for each clause. The graphs are those of `stated`, and
    those in `others`, which may state nothing.
    """

    def __init__(
        self, reader: Reader, stated: Mapping[int, FactSet], others: Callable[[], Sequence[Any]]
    ) -> None:
        self._reader, self._stated, self._others = reader, stated, others
        self.graph = GraphOf("graph")
        self.check: Callable[[], object] = int
        self.predicates = Predicates(reader, reader.version.explicit)
        self._relations: dict[int, InGraphs] = {}
        self._clauses: dict[int, NamedFacts] = {}
        self._everywhere: Solutions | None = None

    def of_clause(self, clause: CompValue) -> NamedFacts:
        """The same facts for a GRAPH clause of the query."""
        if id(clause) not in self._clauses:
            twin = NamedFacts(self._reader, self._stated, self._others)
            twin.graph = GraphOf(f"graph {len(self._clauses)}")
            twin.predicates, twin._relations = self.predicates, self._relations
            self._clauses[id(clause)] = twin
        return self._clauses[id(clause)]

    def everywhere(self, terms: Terms) -> Solutions:
        """A row for each graph."""
        if self._everywhere is None:
            names = np.array(list(self._stated), np.uint32)
            names = np.union1d(names, terms.numbers(self._others()))
            self._everywhere = Solutions(names.size, {self.graph: names})
        return self._everywhere

    def names(self, given: Ids, terms: Terms) -> list[Any]:
        """The names of graphs among some terms, by ids."""
        found = zip(given.tolist(), terms.column(given), strict=True)
        return [name for id, name in found if id in self._stated or name in self._others()]

    def relation(self, predicate: int) -> InGraphs:
        self.check()
        if predicate not in self._relations:
            self._relations[predicate] = self._relation(predicate)
        return self._relations[predicate]

    def _relation(self, predicate: int) -> InGraphs:
        version = self._reader.version
        if predicate not in version.explicit.tables or self._reader.visibility.hides(predicate):
            return _NOTHING
        if self._stated is version.graphs:
            return version.stating(predicate)
        return InGraphs.of(self._stated, predicate)


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple pattern over named graphs; see `patterns.Pattern`."""

    subject: Slot
    predicate: Slot
    object: Slot
    facts: NamedFacts
    match: Match = field(default_factory=Match, compare=False)

    def variables(self) -> list[Any]:
        slots = (self.subject, self.predicate, self.object, self.facts.graph)
        return [slot for slot in dict.fromkeys(slots) if not isinstance(slot, int)]

    def count(self) -> int:
        """About how many solutions there are."""
        s, o = (slot if isinstance(slot, int) else None for slot in (self.subject, self.object))
        p = self.predicate
        known = [p] if isinstance(p, int) else self.facts.predicates.of(s, o)
        return sum(self.facts.relation(p).count(s, o) for p in known)

    def extended(self, rows: Solutions) -> Iterator[Solutions]:
        """`rows`, which bind each of their variables everywhere, joined with the pattern."""
        variable = self.predicate
        if isinstance(variable, int):
            yield from self._of(variable, rows, {})
            return
        for blocks in in_heaps(self._by_predicate(variable, rows), QUERIES.first_solutions):
            yield concatenated(blocks)

    def _by_predicate(self, variable: Any, rows: Solutions) -> Iterator[Solutions]:
        """The blocks that have rows, one predicate after the other."""
        bound = rows.columns.get(variable)
        for predicate in asked(self.facts.predicates, self, rows):
            some = rows if bound is None else rows.where(bound == predicate)
            for block in self._of(predicate, some, {variable: predicate}):
                if block.size:
                    yield block

    def _of(self, predicate: int, rows: Solutions, known: dict[Any, int]) -> Iterator[Solutions]:
        """The rows joined with the statements of one predicate."""
        relation = self.facts.relation(predicate)
        slots = [known.get(slot, slot) for slot in (self.subject, self.object)]
        for block in _matched(relation, *slots, self.facts.graph, rows):
            added = {v: np.full(block.size, id, np.uint32) for v, id in known.items()}
            yield block.with_columns(added) if added else block


def _matched(
    relation: InGraphs, s: Slot, o: Slot, graph: Slot, rows: Solutions
) -> Iterator[Solutions]:
    subjects, objects, graphs = (column_of(slot, rows) for slot in (s, o, graph))
    if subjects is not None and objects is not None:
        index, *found = relation.by_pairs(subjects, objects, graphs)
    elif subjects is not None:
        index, *found = relation.by_subjects(subjects, graphs)
    elif objects is not None:
        index, *found = relation.by_objects(objects, graphs)
    elif graphs is not None:
        index, *found = relation.by_graphs(graphs)
    else:
        yield from _all(relation, s, o, graph, rows)
        return
    if s == o:
        same = found[0] == found[1]
        index, found = index[same], [column[same] for column in found]
    bound = dict(zip((s, o, graph), found, strict=True))
    new = {v: column for v, column in bound.items() if not isinstance(v, int)}
    yield rows.take(index).with_columns(new)


def _all(relation: InGraphs, s: Slot, o: Slot, graph: Slot, rows: Solutions) -> Iterator[Solutions]:
    subjects, objects, graphs = relation.all()
    if s == o:
        same = subjects == objects
        subjects, objects, graphs = subjects[same], objects[same], graphs[same]
    for start in range(0, len(subjects), QUERIES.solutions_block):
        part = slice(start, start + QUERIES.solutions_block)
        yield from product(rows, {s: subjects[part], o: objects[part], graph: graphs[part]})
