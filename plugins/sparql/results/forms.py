"""The four forms of queries: SELECT, ASK, CONSTRUCT, DESCRIBE."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from rdflib.namespace import RDF
from rdflib.query import Result
from rdflib.term import URIRef

from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions
from rdfinc.plugins.sparql.depth import in_no_long_chain
from rdfinc.plugins.sparql.evaluation.modifiers import ask_for_first
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.facts.fact_relations import OBJECT, SUBJECT, GraphFacts
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.results.query_results import Known, Selected, Triples
from rdfinc.plugins.sparql.results.templates import HERE, Filler, is_node
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.terms.dictionary import BLANK, IRI

Columns = tuple[Ids, Ids, Ids]
"""Subjects, predicates and objects of facts."""


def answer(scope: Scope, query: Node) -> Result:
    return _FORMS[query.name](scope, query)


def _solutions(scope: Scope, part: Node) -> Iterator[Solutions]:
    return in_no_long_chain(part, scope.alone(part))


def select(scope: Scope, query: Node) -> Result:
    return Selected(scope, query, query.PV, _solutions(scope, query.p))


def ask(scope: Scope, query: Node) -> Result:
    result = Known("ASK")
    ask_for_first(scope, query.p, 1)
    result.askAnswer = any(True for _ in _solutions(scope, query.p))
    return result


def construct(scope: Scope, query: Node) -> Result:
    """The template filled with every solution; its blank nodes are new ones for each."""
    template = query.p.p.triples if query.template is None else query.template
    quads = [(*triple, HERE) for triple in template]
    filler = Filler(quads, scope.terms, scope.budget, new=True)
    for block in _solutions(scope, query.p):
        filler.fill(block)
    s, p, o, _ = filler.columns()
    kinds = scope.terms.kinds
    kept = is_node(kinds(s)) & (kinds(p) == IRI) & (o > 0)
    columns = [s, p, o] if kept.all() else [s[kept], p[kept], o[kept]]
    return Triples("CONSTRUCT", scope, columns)


def describe(scope: Scope, query: Node) -> Result:
    """The concise bounded descriptions of named resources and of those found by the pattern."""
    named = [scope.terms.number(term) for term in query.PV if isinstance(term, URIRef)]
    found = [np.array(named, np.uint32)]
    for block in _solutions(scope, query.p) if query.p is not None else ():
        found += block.columns.values()
    columns = described(scope, np.unique(np.concatenate(found)))
    return Triples("DESCRIBE", scope, [*columns], list(scope.ctx.graph.store.namespaces()))


def described(scope: Scope, resources: Ids) -> Columns:
    """The facts about resources, about blank nodes in these facts, and so on; with all facts of
    reifications of statements about them."""
    facts = scope.facts
    reifications = facts.relation(scope.terms.number(RDF.subject))
    seen = waiting = resources
    found: list[Columns] = []
    while waiting.size or not found:
        reified = reifications.by_objects(waiting)[1]
        s, p, o = _said(facts, np.union1d(waiting, reified) if reified.size else waiting)
        found.append((s, p, o))
        objects = o[np.isin(s, waiting)] if reified.size else o
        waiting = objects[scope.terms.kinds(objects) == BLANK]
        if waiting.size:
            waiting = np.setdiff1d(waiting, seen)
            seen = np.union1d(seen, waiting)
    return found[0] if len(found) == 1 else _one_after_the_other(found)


def _said(facts: GraphFacts, subjects: Ids) -> Columns:
    """All facts about some subjects."""
    if subjects.size > QUERIES.few_asked_nodes:
        return _said_of_many(facts, subjects)
    known = facts.about_each(subjects.tolist())
    if known is None:
        return _said_of_many(facts, subjects)
    index, predicates, objects = known
    of = subjects[np.array(index, np.intp)]
    return of, np.array(predicates, np.uint32), np.array(objects, np.uint32)


def _said_of_many(facts: GraphFacts, subjects: Ids) -> Columns:
    rows, predicates = facts.rows(facts.predicates.among(subjects, None))
    found = [(subjects[:0], subjects[:0], subjects[:0])]
    for predicate in predicates:
        index, objects = facts.relation(predicate).by_subjects(subjects)
        found.append((subjects[index], np.full(len(objects), predicate, np.uint32), objects))
    if rows is not None:
        index, at = rows.find({SUBJECT: subjects})
        found.append((subjects[index], rows.columns[-1][at], rows.columns[OBJECT][at]))
    return _one_after_the_other(found)


def _one_after_the_other(parts: Sequence[Columns]) -> Columns:
    s, p, o = map(np.concatenate, zip(*parts, strict=True))
    return s, p, o


_FORMS: dict[str, Callable[[Scope, Node], Result]] = {
    "SelectQuery": select,
    "AskQuery": ask,
    "ConstructQuery": construct,
    "DescribeQuery": describe,
}
