"""A query whose answers are kept up with: the extension `sparql_watch`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib.graph import Graph
from rdflib.query import Result
from rdflib.term import URIRef

from rdfinc import Delta, KnowledgeBase
from rdfinc.knowledge_base.streams.delta import Facts as ChangedFacts
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.depth import refused_chains
from rdfinc.plugins.sparql.evaluation.evaluate import scope_over, terms_of
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.results.query_results import Selected
from rdfinc.plugins.sparql.watches.differences import AnswerDifference, changed_answers
from rdfinc.plugins.sparql.watches.watchable import parts, watchable
from rdfinc.tables.facts import FactSet, shaped
from rdfinc.terms.io.convert import key_of


class WatchedQuery:
    """A SELECT over the closure of a knowledge base. Raises UnsupportedError, DataSyntaxError."""

    def __init__(self, kb: KnowledgeBase, query: QueryAlgebra) -> None:
        self._kb, self._variables = kb, query.algebra.PV
        with refused_chains(query.algebra):
            self._part = watchable(query.algebra)
        self._context = QueryContext(Graph(), {}, query.prologue)
        self._expressions: dict[int, QueryExpression] = {}
        patterns = [part for part in parts(self._part) if part.name == "BGP"]
        predicates = {triple[1] for pattern in patterns for triple in pattern.triples}
        self._named = [key_of(p) for p in predicates if isinstance(p, URIRef)]
        self._reads_all = len(self._named) < len(predicates)

    def difference(self, before: Reader, after: Reader, delta: Delta) -> tuple[Result, ...] | None:
        """The answers that came and those that went between two versions with that delta; None if
        there are none.

        Enumerates those changed facts that have one of the query's predicates. Cost: their number,
        times what joining each of them with the rest of the query finds.
        """
        added, removed = (self._changed(facts, after) for facts in (delta.added, delta.removed))
        if not added.shown and not removed.shown:
            return None
        terms = terms_of(self._kb)
        old, new = (self._scope(reader, terms) for reader in (before, after))
        change = AnswerDifference(old, new, added, removed)
        with refused_chains(self._part):
            came, went = changed_answers(change, self._part, self._variables)
        if not came.size and not went.size:
            return None
        return tuple(
            Selected(new, self._part, self._variables, iter([rows] if rows.size else []))
            for rows in (came, went)
        )

    def _scope(self, reader: Reader, terms: Terms) -> Scope:
        return scope_over(GraphFacts.closure(reader), terms, self._context, self._expressions)

    def _changed(self, facts: ChangedFacts, reader: Reader) -> GraphFacts:
        """The changed facts that the query may read."""
        shown = {p: shaped(keys) for p in self._predicates(facts) if len(keys := facts.of(p))}
        return GraphFacts(reader, FactSet.of(shown), stated_only=True)

    def _predicates(self, facts: ChangedFacts) -> Iterator[int]:
        changed = facts.predicates
        if self._reads_all:
            return iter(changed)
        named: set[Any] = set(map(self._kb.dictionary.find, self._named))
        return (p for p in changed if p in named)
