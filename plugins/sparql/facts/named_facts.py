"""GRAPH ?g: the statements of all named graphs, with the graph of each statement as a column.

Parts are joined by that column as by a variable of theirs, so that no graph is looked at by itself.
The column has a key of its own: inside of its GRAPH clause ?g is no variable, unless the part names
it. Solutions that leave the key unbound are solutions in every graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct, field
from rdflib.term import Variable

from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.knowledge_base.versions.rare_facts import RareFacts
from rdfinc.knowledge_base.versions.version import in_graphs
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions, concatenated, in_heaps
from rdfinc.plugins.sparql.facts.fact_relations import OBJECT, SUBJECT
from rdfinc.plugins.sparql.facts.patterns import Slot, asked, matched
from rdfinc.plugins.sparql.facts.predicate_index import PredicateIndex, rare_among
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.trace import PatternTrace
from rdfinc.tables.facts import FactSet
from rdfinc.tables.indexed_rows import IndexedRows, labelled
from rdfinc.tables.kernels import NO_IDS

GRAPH = 2
"""The column of graphs, after those of subjects and objects."""

_NOTHING = IndexedRows(NO_IDS, NO_IDS, NO_IDS)


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
        self._relations: dict[int, IndexedRows] = {}
        self._clauses: dict[int, NamedFacts] = {}
        self._everywhere: Solutions | None = None

    def of_clause(self, clause: Node) -> NamedFacts:
        """The same facts for a GRAPH clause of the query."""
        if id(clause) not in self._clauses:
            twin = NamedFacts(self._reader, self._stated, self._others)
            twin.graph = GraphOf(f"graph {len(self._clauses)}")
            twin._relations = self._relations
            self._clauses[id(clause)] = twin
        return self._clauses[id(clause)]

    @cached_property
    def predicates(self) -> PredicateIndex:
        return PredicateIndex(self._reader, self._reader.version.explicit, self._rare)

    @cached_property
    def _rare(self) -> RareFacts:
        """The rare statements; the version keeps those of all its graphs."""
        version = self._reader.version
        known = version.rare.get("named") if self._stated is version.graphs else None
        found = known or rare_among(version.explicit, self._reader, stated_only=True)
        if self._stated is version.graphs:
            version.rare["named"] = found
        return found

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

    def relation(self, predicate: int) -> IndexedRows:
        self.check()
        if predicate not in self._relations:
            self._relations[predicate] = self._relation(predicate)
        return self._relations[predicate]

    def rows(self, predicates: Sequence[int]) -> tuple[IndexedRows | None, Sequence[int]]:
        """The statements of predicates that are looked up together, those of some predicates among
        them: subject, object, graph, predicate; and the others of these predicates."""
        rows = self._rare.rows(predicates, self._made)
        return rows, predicates if rows is None else self._rare.common(predicates)

    def _made(self, predicates: Collection[int]) -> IndexedRows:
        """The statements of some predicates. O(graphs · their predicates), and the statements."""
        parts: list[Any] = [(NO_IDS,) * 4]
        for graph, facts in self._stated.items():
            tables = {p: table.scan() for p, table in facts.tables.items() if p in predicates}
            subjects, objects, predicates_ = labelled(tables)
            graphs = np.full(len(subjects), graph, np.uint32)
            parts.append((subjects, objects, graphs, predicates_))
        return IndexedRows(*map(np.concatenate, zip(*parts, strict=True)))

    def count(self, known: Mapping[int, int]) -> int:
        """About how many statements there are with a subject, an object or both."""
        if not known:
            return self._rare.total
        predicates = self.predicates.of(known.get(SUBJECT), known.get(OBJECT))
        rare, others = self.rows(predicates)
        found = sum(self.relation(p).count(known) for p in others)
        return found if rare is None else found + rare.count(known)

    def _relation(self, predicate: int) -> IndexedRows:
        version = self._reader.version
        if predicate not in version.explicit.tables or self._reader.visibility.never_shows(
            predicate
        ):
            return _NOTHING
        if self._stated is version.graphs:
            return version.stating(predicate)
        return in_graphs(self._stated, predicate)


class NamedPattern(Struct, frozen=True, eq=False):
    """A triple pattern over named graphs; see `patterns.Pattern`."""

    subject: Slot
    predicate: Slot
    object: Slot
    facts: NamedFacts
    match: PatternTrace = field(default_factory=PatternTrace)

    def slots(self) -> tuple[Slot, ...]:
        """Those of a statement."""
        return self.subject, self.object, self.facts.graph, self.predicate

    def variables(self) -> list[Any]:
        slots = (self.subject, self.predicate, self.object, self.facts.graph)
        return [slot for slot in dict.fromkeys(slots) if not isinstance(slot, int)]

    def count(self) -> int:
        """About how many solutions there are."""
        ends = enumerate((self.subject, self.object))
        known = {at: slot for at, slot in ends if isinstance(slot, int)}
        if isinstance(self.predicate, int):
            return self.facts.relation(self.predicate).count(known)
        return self.facts.count(known)

    def extended(self, rows: Solutions) -> Iterator[Solutions]:
        """`rows`, which bind each of their variables everywhere, joined with the pattern."""
        variable = self.predicate
        if isinstance(variable, int):
            yield from self._of(variable, rows, {})
            return
        found = self._by_predicate(variable, rows)
        for blocks in in_heaps(found, QUERIES.first_solutions, QUERIES.fewest_solutions):
            yield concatenated(blocks)

    def _by_predicate(self, variable: Any, rows: Solutions) -> Iterator[Solutions]:
        """The blocks that have rows, one predicate after the other."""
        bound = rows.columns.get(variable)
        rare, predicates = self.facts.rows(asked(self.facts.predicates, self, rows))
        for predicate in predicates:
            some = rows if bound is None else rows.where(bound == predicate)
            for block in self._of(predicate, some, {variable: predicate}):
                if block.size:
                    yield block
        if rare is not None:
            yield from matched(rare, self.slots(), rows)

    def _of(self, predicate: int, rows: Solutions, known: dict[Any, int]) -> Iterator[Solutions]:
        """The rows joined with the statements of one predicate."""
        relation = self.facts.relation(predicate)
        subject, object_ = (known.get(slot, slot) for slot in (self.subject, self.object))
        for block in matched(relation, (subject, object_, self.facts.graph), rows):
            added = {v: np.full(block.size, id, np.uint32) for v, id in known.items()}
            yield block.with_columns(added) if added else block
