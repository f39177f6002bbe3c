"""The four forms of queries: SELECT, ASK, CONSTRUCT, DESCRIBE."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from rdflib.namespace import RDF
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.query import Result
from rdflib.term import URIRef

from rdfinc.plugins.sparql.depth import in_no_long_chain
from rdfinc.plugins.sparql.fact_relations import OBJECT, SUBJECT, Facts
from rdfinc.plugins.sparql.results import Known, Selected, Triples
from rdfinc.plugins.sparql.scope import Scope
from rdfinc.plugins.sparql.solutions import Ids, Solutions
from rdfinc.plugins.sparql.templates import HERE, Filler, is_node
from rdfinc.terms.dictionary import BLANK, IRI


def answer(scope: Scope, query: CompValue) -> Result:
    return _FORMS[query.name](scope, query)


def _solutions(scope: Scope, part: CompValue) -> Iterator[Solutions]:
    return in_no_long_chain(scope.alone(part))


def select(scope: Scope, query: CompValue) -> Result:
    return Selected(scope, query, query.PV, _solutions(scope, query.p))


def ask(scope: Scope, query: CompValue) -> Result:
    result = Known("ASK")
    result.askAnswer = any(True for _ in _solutions(scope, query.p))
    return result


def construct(scope: Scope, query: CompValue) -> Result:
    """The template filled with every solution; its blank nodes are new ones for each."""
    template = query.p.p.triples if query.template is None else query.template
    filler = Filler([(*triple, HERE) for triple in template], scope.terms, new=True)
    for block in _solutions(scope, query.p):
        filler.fill(block)
    s, p, o, _ = filler.columns()
    kinds = scope.terms.kinds
    kept = is_node(kinds(s)) & (kinds(p) == IRI) & (o > 0)
    columns = [s, p, o] if kept.all() else [s[kept], p[kept], o[kept]]
    return Triples("CONSTRUCT", scope, columns)


def describe(scope: Scope, query: CompValue) -> Result:
    """The concise bounded descriptions of named resources and of those found by the pattern."""
    named = [scope.terms.number(term) for term in query.PV if isinstance(term, URIRef)]
    found = [np.array(named, np.uint32)]
    for block in _solutions(scope, query.p) if query.p is not None else ():
        found += block.columns.values()
    facts = described(scope, np.unique(np.concatenate(found)))
    columns = np.array(list(facts), np.uint32).reshape(-1, 3).T
    return Triples("DESCRIBE", scope, [*columns], list(scope.ctx.graph.store.namespaces()))


def described(scope: Scope, resources: Ids) -> Iterator[tuple[int, int, int]]:
    """The facts about resources, about blank nodes in these facts, and so on; with all facts of
    reifications of statements about them."""
    facts = scope.facts
    about = facts.relation(scope.terms.number(RDF.subject))
    seen = waiting = resources
    while waiting.size:
        reified = about.before(waiting)[1]
        said = list(_said(facts, np.unique(np.concatenate([waiting, reified]))))
        for s, p, o in said:
            yield from zip(s.tolist(), p.tolist(), o.tolist(), strict=True)
        subjects = [o[np.isin(s, waiting)] for s, _, o in said]
        objects = np.unique(np.concatenate([waiting[:0], *subjects]))
        waiting = np.setdiff1d(objects[scope.terms.kinds(objects) == BLANK], seen)
        seen = np.union1d(seen, waiting)


def _said(facts: Facts, subjects: Ids) -> Iterator[tuple[Ids, Ids, Ids]]:
    rows, predicates = facts.rows(facts.predicates.among(subjects, None))
    for predicate in predicates:
        index, objects = facts.relation(predicate).after(subjects)
        yield subjects[index], np.full(len(objects), predicate, np.uint32), objects
    if rows is not None:
        index, at = rows.find({SUBJECT: subjects})
        yield subjects[index], rows.columns[-1][at], rows.columns[OBJECT][at]


_FORMS: dict[str, Callable[[Scope, CompValue], Result]] = {
    "SelectQuery": select,
    "AskQuery": ask,
    "ConstructQuery": construct,
    "DescribeQuery": describe,
}
