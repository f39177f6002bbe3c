"""Parts that combine the solutions of other parts: joins, OPTIONAL, UNION, MINUS, GRAPH, VALUES."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import inf
from typing import Any

import numpy as np
from rdflib.paths import Path
from rdflib.term import BNode, Identifier, URIRef, Variable

from rdfinc.plugins.sparql.algebra.part_variables import given
from rdfinc.plugins.sparql.columns.solutions import (
    NONE,
    Ids,
    Solutions,
    concatenated,
    join,
    matched,
    partitioned,
    shared,
)
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.join_order import Joined, Test, solve
from rdfinc.plugins.sparql.facts.named_facts import GraphOf, NamedFacts, NamedPattern
from rdfinc.plugins.sparql.facts.named_paths import PathInGraphs, Walk
from rdfinc.plugins.sparql.facts.paths import relation
from rdfinc.plugins.sparql.facts.patterns import FactPattern
from rdfinc.plugins.sparql.facts.ranges import chosen
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.trace import PatternTrace
from rdfinc.tables.kernels import Mask


def basic(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """A basic graph pattern. Its blank nodes are variables that nobody else can name."""
    matches = scope.trace.matches(part)
    patterns = [pattern(scope, match.triple, match) for match in matches]
    tests: list[Test] = []
    handed = scope.memory.tests.get(id(part))
    if handed is not None:
        tests = [Test(e.reads, partial(scope.holds, e)) for e in handed.values()]
        compared = [e.comparison for e in handed.values() if e.comparison is not None]
        patterns += chosen(part, patterns, compared, scope.terms, scope.trace)
    return solve(patterns, tests, seed, scope.memory.wanted.get(id(part)))


def pattern(scope: Scope, triple: Sequence[Any], match: PatternTrace | None = None) -> Joined:
    """A triple pattern over the active graph."""
    s, p, o = scope.slot(triple[0]), triple[1], scope.slot(triple[2])
    facts = scope.facts
    if match is None:
        match = PatternTrace(triple)
    if isinstance(facts, GraphFacts):
        if isinstance(p, URIRef):
            return FactPattern(s, facts.relation(scope.slot(p)), o, None, match)
        if isinstance(p, Identifier):
            return _with_open_predicate(scope, facts, (s, p, o), match)
    ends = [end for slot in (s, o) if (end := _known(scope, slot)) is not None]
    if isinstance(facts, NamedFacts):
        return _in_graphs(scope, facts, (s, p, o), ends, match)
    return FactPattern(s, relation(p, facts, scope.terms, ends), o, None, match)


def _with_open_predicate(
    scope: Scope, facts: GraphFacts, triple: Sequence[Any], match: PatternTrace
) -> Joined:
    """A triple pattern with a variable for its predicate."""
    s, p, o = triple
    known = _known(scope, p)
    if known is not None:
        return FactPattern(s, facts.relation(known), o, None, match)
    given = [slot if (id := _known(scope, slot)) is None else id for slot in (s, o)]
    return FactPattern(given[0], p, given[1], facts, match)


def _in_graphs(
    scope: Scope, facts: NamedFacts, triple: Sequence[Any], ends: Sequence[int], match: PatternTrace
) -> Joined:
    """A triple pattern over named graphs."""
    s, p, o = triple
    if isinstance(p, Path):
        return PathInGraphs(s, Walk(p, facts, scope.terms, ends), o, match)
    return NamedPattern(s, scope.slot(p), o, facts, match)


def _known(scope: Scope, slot: Any) -> int | None:
    """The id that a slot has from the outset."""
    if isinstance(slot, int):
        return slot
    known = scope.unit.columns
    return int(known[slot][0]) if slot in known else None


def joined(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """Nested joins as one. A test that a filter has handed down is made as soon as no part that is
    left may bind one of its variables: what is joined then gives them the values that they have at
    the end, or leaves them unbound as there (18.5: Filter(F, Join(A, B)) is Join(Filter(F, A), B)
    where B binds no variable of F in any solution)."""
    tests = [*scope.memory.tests.get(id(part), {}).values()]
    return _each(scope, _in_turn(scope, _operands(part), seed), seed, tests)


def _each(
    scope: Scope, parts: Sequence[Node], seed: Solutions, tests: Sequence[QueryExpression]
) -> Iterator[Solutions]:
    if not parts:
        yield seed
        return
    first, others = parts[0], parts[1:]
    bound_later = frozenset().union(*map(scope.variables.possible, others))
    due = [test for test in tests if test.reads.isdisjoint(bound_later)]
    later = [test for test in tests if not test.reads.isdisjoint(bound_later)]
    for block in scope.solve(first, seed):
        rows = block
        for test in due:
            rows = rows.where(scope.holds(test, rows))
        if rows.size:
            yield from _each(scope, others, rows, later)


def _operands(part: Node) -> list[Node]:
    if part.name != "Join":
        return [part]
    return _operands(part.p1) + _operands(part.p2)


def _in_turn(scope: Scope, parts: Sequence[Node], seed: Solutions) -> list[Node]:
    """The order in which parts are joined: VALUES first, then sub-selects, then of those that have
    a variable of the ones before, or else of all, the one that begins with the fewest
    solutions."""
    given = sorted((each for each in parts if each.name == "ToMultiSet"), key=_is_select)
    others = [each for each in parts if each.name != "ToMultiSet"]
    if len(others) < 2:
        return [*given, *others]
    possible, sizes = (
        scope.variables.possible,
        {id(each): _expected(scope, each) for each in others},
    )
    known = set(seed.columns).union(*map(possible, given))
    while others:
        near = [each for each in others if not known.isdisjoint(possible(each))] or others
        chosen = min(near, key=lambda each: sizes[id(each)])
        others = [each for each in others if each is not chosen]
        given.append(chosen)
        known |= possible(chosen)
    return given


def _expected(scope: Scope, part: Node) -> float:
    """About how many solutions of a pattern a part begins with; infinite where nothing tells."""
    if part.name == "BGP":
        return min((pattern(scope, triple).count() for triple in part.triples), default=1)
    if part.name in ("LeftJoin", "Minus"):
        return _expected(scope, part.p1)
    if part.name in ("Filter", "Extend"):
        return _expected(scope, part.p)
    if part.name not in ("Join", "Union"):
        return inf
    both = _expected(scope, part.p1), _expected(scope, part.p2)
    return sum(both) if part.name == "Union" else min(both)


def optional(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """The left rows with their matches, and those without a match alone."""
    asked = scope.variables.possible(part.p2) | scope.expression(part.expr).outer
    if not scope.is_seen(asked, seed, scope.variables.certain(part.p1)):
        yield from scope.uncorrelated(part, seed)
        return
    for rows in scope.placed(scope.solve(part.p1, seed)):
        yield from perhaps(scope, part, rows)


def perhaps(scope: Scope, part: Node, rows: Solutions) -> Iterator[Solutions]:
    """Left rows of an OPTIONAL with what they match, if anything."""
    if rows.size == 1:
        is_found = False
        for some in _optional_rows(scope, part, rows):
            is_found |= some.size > 0
            yield some
        if not is_found:
            yield rows
        return
    number, found = object(), np.zeros(rows.size, np.bool_)
    for some in _optional_rows(scope, part, rows.numbered(number)):
        found[some.columns[number] - 1] = True
        yield some.without(number)
    yield rows.where(~found)


def _optional_rows(scope: Scope, part: Node, rows: Solutions) -> Iterator[Solutions]:
    """Left rows of an OPTIONAL joined with its pattern, where its condition holds."""
    condition, blocks = scope.expression(part.expr), scope.solve(part.p2, rows)
    if condition.is_tautology:
        return blocks
    return (block.where(scope.holds(condition, block)) for block in blocks)


def union(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    yield from scope.solve(part.p1, seed)
    yield from scope.solve(part.p2, seed)


def minus(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """The left rows that no compatible right one shares a variable with."""
    if not scope.is_seen(scope.variables.possible(part.p2), seed, scope.variables.certain(part.p1)):
        yield from scope.uncorrelated(part, seed)
        return
    right = _subtracted(scope, part.p2, seed)
    possible = scope.variables.possible
    variables = (possible(part.p1) | seed.columns.keys()) & possible(part.p2)
    variables |= scope.unit.columns.keys()
    right = right.only([v for v in right.columns if v in variables or _is_number(v)])
    for rows in scope.placed(scope.solve(part.p1, seed)):
        yield rows.where(~meets(rows, right))


def _subtracted(scope: Scope, part: Node, seed: Solutions) -> Solutions:
    """All solutions of the right side of MINUS: by itself, or in the pattern of an EXISTS for the
    values that it is asked about."""
    if not scope.outer or seed is scope.unit:
        return scope.once(part)
    return concatenated([NONE, *(scope.budget.keep(block) for block in scope.solve(part, seed))])


def _is_number(column: Any) -> bool:
    """Whether a column tells rows or graphs apart, and is no variable."""
    return isinstance(column, GraphOf) or not isinstance(column, Variable | BNode)


def meets(rows: Solutions, right: Solutions) -> Mask:
    """For each row whether a right one is compatible and shares a variable with it."""
    found, number = np.zeros(rows.size, np.bool_), object()
    relevant = rows.only([v for v in rows.columns if v in right.columns]).numbered(number)
    for some in partitioned(relevant, right.columns):
        for others in partitioned(right, some.columns):
            variables = shared(some, others)
            if not all(map(_is_number, variables)):
                found[some.columns[number][matched(some, others, variables)] - 1] = True
    return found


def graph(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """A part in the graph that the query names, or in all graphs there are."""
    name = part.term
    known = None if not isinstance(name, Variable) else _known(scope, name)
    name = name if known is None else scope.terms.term(known)
    if not isinstance(name, Variable):
        yield from _in_one(scope, part, name, seed)
    elif scope.graphs.stated is None:
        yield from _in_each(scope, part, scope.graphs.names(), seed)
    else:
        yield from _in_all(scope, part, scope.graphs.stated.of_clause(part), seed)


def _in_all(scope: Scope, part: Node, stated: NamedFacts, seed: Solutions) -> Iterator[Solutions]:
    """A part in all named graphs at once, or in those few that the seed names."""
    inside, name, graph = scope.inside(stated), part.term, stated.graph
    for rows in partitioned(seed, [name]):
        given = np.unique(rows.columns[name]) if name in rows.columns else None
        if given is not None and given.size <= QUERIES.few_graphs:
            yield from _in_each(scope, part, stated.names(given, scope.terms), rows)
            continue
        starts = [rows]
        if given is not None:
            named = rows.with_columns({graph: rows.columns[name]})
            starts = list(join(named, stated.everywhere(scope.terms)))
        for start in starts:
            for found in inside.placed(inside.solve(part.p, start)):
                yield _named(found, name, found.columns[graph]).without(graph)


def _in_each(
    scope: Scope, part: Node, names: Iterable[Any], seed: Solutions
) -> Iterator[Solutions]:
    """A part in one named graph after the other."""
    for each in names:
        id = scope.terms.number(each)
        for found in _in_one(scope, part, each, _compatible(seed, part.term, id)):
            yield _named(found, part.term, np.full(found.size, id, np.uint32))


def _named(rows: Solutions, name: Any, graphs: Ids) -> Solutions:
    """The rows, found each in a graph, that name no other, with its name."""
    told = rows.column(name)
    return rows.with_columns({name: graphs}).where((told == 0) | (told == graphs))


def _compatible(rows: Solutions, variable: Any, id: int) -> Solutions:
    """The rows in which a variable may have that value."""
    told = rows.columns.get(variable)
    return rows if told is None else rows.where((told == 0) | (told == id))


def _in_one(scope: Scope, part: Node, name: Any, seed: Solutions) -> Iterator[Solutions]:
    """A part in a named graph; nothing where there is none."""
    facts = scope.graphs.named(name)
    if facts is not None:
        yield from scope.inside(facts).solve(part.p, seed)


def _is_select(part: Node) -> bool:
    return not _is_values(part)


def _is_values(part: Node) -> bool:
    return not isinstance(part.p, Node) or part.p.name == "values"


def multiset(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """VALUES, or a sub-select."""
    if not _is_values(part):
        return scope.solve(part.p, seed)
    variables, rows = given(part.p) if isinstance(part.p, Node) else ((), ())
    columns = zip(variables, zip(*rows, strict=True), strict=False)  # none where there are no rows
    return join(seed, Solutions(len(rows), {v: scope.terms.numbers(c) for v, c in columns}))


OPERATORS = {
    "BGP": basic,
    "Join": joined,
    "LeftJoin": optional,
    "Union": union,
    "Minus": minus,
    "Graph": graph,
    "ToMultiSet": multiset,
}
