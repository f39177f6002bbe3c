"""A query whose answers are kept up with: the extension `sparql_watch`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib.graph import Graph
from rdflib.plugins.sparql.sparql import Query, QueryContext
from rdflib.query import Result
from rdflib.term import URIRef

from rdfinc import Delta, KnowledgeBase
from rdfinc.knowledge_base.streams.delta import Facts as ChangedFacts
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.plugins.sparql.column_expressions import Expression
from rdfinc.plugins.sparql.depth import REFUSED_CHAINS
from rdfinc.plugins.sparql.differences import Difference, changed_answers
from rdfinc.plugins.sparql.evaluation import scope_over, terms_of
from rdfinc.plugins.sparql.fact_relations import Facts
from rdfinc.plugins.sparql.query_terms import Terms
from rdfinc.plugins.sparql.results import Selected
from rdfinc.plugins.sparql.scope import Scope
from rdfinc.plugins.sparql.watchable import parts, watchable
from rdfinc.tables.facts import FactSet, shaped
from rdfinc.terms.io.convert import key_of


class WatchedQuery:
    """A SELECT over the closure of a knowledge base. Raises UnsupportedError, DataSyntaxError."""

    def __init__(self, kb: KnowledgeBase, query: Query) -> None:
        self._kb, self._variables = kb, query.algebra.PV
        with REFUSED_CHAINS:
            self._part = watchable(query.algebra)
        self._context = QueryContext(Graph(), initBindings={})
        self._context.prologue = query.prologue
        self._expressions: dict[int, Expression] = {}
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
        change = Difference(old, new, added, removed)
        with REFUSED_CHAINS:
            came, went = changed_answers(change, self._part, self._variables)
        if not came.size and not went.size:
            return None
        return tuple(
            Selected(new, self._part, self._variables, iter([rows] if rows.size else []))
            for rows in (came, went)
        )

    def _scope(self, reader: Reader, terms: Terms) -> Scope:
        return scope_over(Facts.closure(reader), terms, self._context, self._expressions)

    def _changed(self, facts: ChangedFacts, reader: Reader) -> Facts:
        """The changed facts that the query may read."""
        shown = {p: shaped(keys) for p in self._predicates(facts) if len(keys := facts.of(p))}
        return Facts(reader, FactSet.of(shown), stated_only=True)

    def _predicates(self, facts: ChangedFacts) -> Iterator[int]:
        changed = facts.predicates
        if self._reads_all:
            return iter(changed)
        named: set[Any] = set(map(self._kb.dictionary.find, self._named))
        return (p for p in changed if p in named)
