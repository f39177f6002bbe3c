"""The four forms of queries: SELECT, ASK, CONSTRUCT, DESCRIBE."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rdflib.graph import Graph
from rdflib.namespace import RDF
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.query import Result
from rdflib.term import BNode, URIRef, Variable

from rdfinc.plugins.sparql.depth import in_no_long_chain
from rdfinc.plugins.sparql.fact_relations import Facts
from rdfinc.plugins.sparql.results import Selected
from rdfinc.plugins.sparql.scope import Scope
from rdfinc.plugins.sparql.solutions import Ids, Solutions
from rdfinc.terms.dictionary import BLANK


def answer(scope: Scope, query: CompValue) -> Result:
    return _FORMS[query.name](scope, query)


def _solutions(scope: Scope, part: CompValue) -> Iterator[Solutions]:
    return in_no_long_chain(scope.alone(part))


def select(scope: Scope, query: CompValue) -> Result:
    return Selected(scope, query, query.PV, _solutions(scope, query.p))


def ask(scope: Scope, query: CompValue) -> Result:
    result = Result("ASK")
    result.askAnswer = any(True for _ in _solutions(scope, query.p))
    return result


def construct(scope: Scope, query: CompValue) -> Result:
    """The template filled with every solution; its blank nodes are new ones for each."""
    template = query.p.p.triples if query.template is None else query.template
    result = Result("CONSTRUCT")
    result.graph = Graph()
    terms = [term for triple in template for term in triple]
    initial = {v: scope.terms.term(int(column[0])) for v, column in scope.unit.columns.items()}
    variables = [v for v in dict.fromkeys(terms) if isinstance(v, Variable) and v not in initial]
    for block in _solutions(scope, query.p):
        columns = [scope.terms.column(block.column(v)) for v in variables]
        rows = zip(*columns, strict=True) if columns else [()] * block.size
        for row in rows:
            values = {**initial, **dict(zip(variables, row, strict=True))}
            for triple in _filled(template, values):
                result.graph.add(triple)
    return result


def _filled(template: Any, values: dict[Any, Any]) -> Iterator[Any]:
    """The triples of a template that have a term in every place, and an IRI for a predicate."""
    blanks: defaultdict[Any, BNode] = defaultdict(BNode)

    def fill(term: Any) -> Any:
        return blanks[term] if isinstance(term, BNode) else values.get(term, term)

    for triple in template:
        s, p, o = map(fill, triple)
        if isinstance(s, URIRef | BNode) and isinstance(p, URIRef) and _is_term(o):
            yield s, p, o


def _is_term(term: Any) -> bool:
    return term is not None and not isinstance(term, Variable)


def describe(scope: Scope, query: CompValue) -> Result:
    """The concise bounded descriptions of named resources and of those found by the pattern."""
    result = Result("DESCRIBE")
    result.graph = Graph()
    for prefix, namespace in scope.ctx.graph.namespaces():
        result.graph.bind(prefix, namespace)
    named = [scope.terms.number(term) for term in query.PV if isinstance(term, URIRef)]
    found = [np.array(named, np.uint32)]
    for block in _solutions(scope, query.p) if query.p is not None else ():
        found += block.columns.values()
    for s, p, o in described(scope, np.unique(np.concatenate(found))):
        term = scope.terms.term
        result.graph.add((term(s), term(p), term(o)))
    return result


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
    for predicate in facts.predicates.among(subjects, None):
        index, objects = facts.relation(predicate).after(subjects)
        yield subjects[index], np.full(len(objects), predicate, np.uint32), objects


_FORMS: dict[str, Callable[[Scope, CompValue], Result]] = {
    "SelectQuery": select,
    "AskQuery": ask,
    "ConstructQuery": construct,
    "DescribeQuery": describe,
}
