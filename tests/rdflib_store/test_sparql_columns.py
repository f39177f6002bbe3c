"""The columns below SPARQL: joins, patterns in parts, paths over plain pairs, conditions by ids."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest
from rdflib import Graph, Literal, URIRef, Variable
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID
from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath
from rdflib.plugins.sparql import prepareQuery
from rdflib_store.row_by_row import corrected, effective, equal, less, literal

from rdfinc import KnowledgeBase
from rdfinc.plugins.rdflib_store import RdfincStore
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import ours
from rdfinc.plugins.sparql.by_rdflib.rdflib_solutions import SolutionRow, rdflibs_context
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.query_terms import LOCAL
from rdfinc.plugins.sparql.columns.solutions import (
    Solutions,
    concatenated,
    first_rows,
    join,
    matched,
    partitioned,
)
from rdfinc.plugins.sparql.evaluation.evaluate import terms_of
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.facts import join_order, paths
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.prologue import Declared
from thresholds import put


def solutions(variables: str, *rows: tuple[int, ...]) -> Solutions:
    columns = zip(*rows, strict=True) if rows else [()] * len(variables)
    return Solutions(
        len(rows), {v: np.array(c, np.uint32) for v, c in zip(variables, columns, strict=True)}
    )


def mappings(found: Solutions) -> list[dict[str, int]]:
    rows = [{} for _ in range(found.size)]
    for v, column in found.columns.items():
        for row, id in zip(rows, column.tolist(), strict=True):
            if id:
                row[v] = id
    return rows


def multiset(rows: list[dict[str, int]]) -> Counter:
    return Counter(frozenset(row.items()) for row in rows)


def random_solutions(chance: random.Random, variables: str) -> Solutions:
    size = chance.randint(0, 12)
    rows = [tuple(chance.choice((0, 1, 1, 2, 2)) for _ in variables) for _ in range(size)]
    return solutions(variables, *rows)


@pytest.mark.parametrize("seed", range(40))
def test_join_is_of_all_compatible_mappings(seed: int) -> None:
    chance = random.Random(seed)
    left, right = random_solutions(chance, "abcd"), random_solutions(chance, "bcde")
    expected = [
        {**one, **other}
        for one, other in itertools.product(mappings(left), mappings(right))
        if all(one[v] == other[v] for v in one.keys() & other.keys())
    ]
    found = [row for block in join(left, right) for row in mappings(block)]
    assert multiset(found) == multiset(expected)


def test_partitions_bind_a_variable_everywhere_or_nowhere() -> None:
    given = solutions("ab", (1, 0), (0, 0), (2, 3), (0, 4))
    parts = list(partitioned(given, "ab"))
    assert len(parts) == 4
    assert all(column.all() for part in parts for column in part.columns.values())
    assert multiset(mappings(given)) == multiset([row for p in parts for row in mappings(p)])


def test_rows_are_told_apart() -> None:
    given = solutions("abc", (1, 2, 3), (1, 2, 0), (1, 2, 3), (0, 0, 0), (1, 2, 0))
    assert first_rows(given).tolist() == [0, 1, 3]
    assert first_rows(Solutions(4)).tolist() == [0]
    assert first_rows(Solutions(0)).tolist() == []
    other = solutions("ab", (1, 2), (7, 7))
    assert matched(given, other, ["a", "b"]).tolist() == [True, True, True, False, True]


def test_blocks_come_together() -> None:
    together = concatenated([solutions("a", (1,), (2,)), solutions("b", (3,)), Solutions(1)])
    assert mappings(together) == [{"a": 1}, {"a": 2}, {"b": 3}, {}]


@pytest.mark.parametrize("size", [0, 1, 5, 100, 1000])
@pytest.mark.parametrize("expected", [0, 1, 6, 40, 1e9])
def test_parts_are_the_rows_in_order(
    size: int, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, solutions_block=32)
    rows = Solutions(size, {"a": np.arange(size, dtype=np.uint32)})
    parts = [part.columns["a"].tolist() for part in join_order._in_parts(rows, expected, 4)]
    assert list(itertools.chain(*parts)) == list(range(size))
    assert all(parts)


# -- paths

P, Q = URIRef("x:p"), URIRef("x:q")


@pytest.fixture(scope="module")
def graph() -> RdfincStore:
    chance = random.Random(7)
    kb = KnowledgeBase(profile="none")
    nodes = [f"<x:{i}>" for i in range(12)]
    kb.update(insert=[(chance.choice(nodes), f"<{p}>", chance.choice(nodes)) for p in (P, Q) * 9])
    return RdfincStore(kb)


def pairs_by_definition(store: RdfincStore, path: object) -> Counter:
    """Multisets of pairs, straight from the standard (SPARQL 1.1, 18.4)."""
    if isinstance(path, URIRef):
        return Counter((s, o) for s, _, o in store.kb.triples((None, path, None)))
    if isinstance(path, InvPath):
        return Counter({(o, s): n for (s, o), n in pairs_by_definition(store, path.arg).items()})
    if isinstance(path, AlternativePath):
        return sum((pairs_by_definition(store, arg) for arg in path.args), Counter())
    if isinstance(path, SequencePath):
        first, *others = (pairs_by_definition(store, arg) for arg in path.args)
        for second in others:
            chained = Counter()
            for ((s, m), k), ((n, o), h) in itertools.product(first.items(), second.items()):
                if m == n:
                    chained[s, o] += k * h
            first = chained
        return first
    assert isinstance(path, MulPath)
    found = set(pairs_by_definition(store, path.path))
    while path.mod != "?":
        more = {(s, o) for (s, m), (n, o) in itertools.product(found, found) if m == n} - found
        if not more:
            break
        found |= more
    if path.mod != "+":
        found |= {(n, n) for s, _, o in store.kb for n in (s, o)}
    return Counter(found)


PATHS = [
    P,
    InvPath(P),
    SequencePath(P, Q),
    SequencePath(P, P, InvPath(Q)),
    AlternativePath(P, Q, P),
    MulPath(P, "+"),
    MulPath(P, "*"),
    MulPath(P, "?"),
    MulPath(SequencePath(P, Q), "+"),
    MulPath(AlternativePath(P, InvPath(Q)), "*"),
    MulPath(MulPath(P, "?"), "+"),
    SequencePath(MulPath(P, "*"), Q),
]


@pytest.mark.parametrize("followed", [0, 1 << 12])
@pytest.mark.parametrize("links", [0, 1 << 12])
@pytest.mark.parametrize("path", PATHS, ids=str)
def test_every_way_of_reading_a_path(
    path: object, links: int, followed: int, graph: RdfincStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, searched_links=links, round_links=1, followed_starts=followed)
    terms = terms_of(graph.kb)
    relation = paths.relation(path, GraphFacts.closure(graph.reader()), terms, [])
    expected = pairs_by_definition(graph, path)
    nodes = sorted({n for s, _, o in graph.kb for n in (s, o)})
    ids = terms.numbers([*nodes, *nodes[:3], Literal("nowhere")])

    def shown(ones: list[int], others: list[int]) -> Counter:
        return Counter(zip(map(terms.term, ones), map(terms.term, others), strict=True))

    repeated = Counter({k: n for k, n in expected.items() if k[0] in nodes[:3]})
    index, found = relation.by_subjects(ids)
    assert shown(ids[index].tolist(), found.tolist()) == expected + repeated
    repeated = Counter({k: n for k, n in expected.items() if k[1] in nodes[:3]})
    index, found = relation.by_objects(ids)
    assert shown(found.tolist(), ids[index].tolist()) == expected + repeated
    all_pairs = [shown(s.tolist(), o.tolist()) for s, o in relation.pairs()]
    assert sum(all_pairs, Counter()) == expected
    once = terms.numbers([*nodes, Literal("nowhere")])
    subjects, objects = np.repeat(once, len(once)), np.tile(once, len(once))
    kept = relation.between(subjects, objects)
    assert shown(subjects[kept].tolist(), objects[kept].tolist()) == expected


@pytest.mark.parametrize("followed", [0, 1 << 12])
@pytest.mark.parametrize("links", [0, 1 << 12])
def test_the_ends_of_a_path_need_not_be_in_the_graph(
    links: int, followed: int, graph: RdfincStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, searched_links=links, round_links=1, followed_starts=followed)
    terms = terms_of(graph.kb)
    ends = terms.numbers([Literal("here"), Literal("there")])
    asked = terms.numbers([URIRef("x:3"), Literal("here"), Literal("nowhere")])
    for path in (MulPath(P, "*"), MulPath(P, "?"), MulPath(MulPath(P, "?"), "+")):
        relation = paths.relation(path, GraphFacts.closure(graph.reader()), terms, ends.tolist())
        for found in (relation.by_subjects(asked), relation.by_objects(asked)):
            others = [(i, id) for i, id in zip(*found, strict=True) if i > 0]
            assert others == [(1, ends[0])]
        assert relation.between(ends, ends).tolist() == [0, 1]
        blocks = [set(zip(s.tolist(), o.tolist(), strict=True)) for s, o in relation.pairs()]
        assert {(id, id) for id in ends.tolist()} <= set().union(*blocks)


@pytest.mark.parametrize("storage", ["plain", "compact"])
def test_a_path_over_a_transitive_property(storage: str) -> None:
    kb = KnowledgeBase(storage=storage)
    chain = [(f"<x:{i}>", "<x:p>", f"<x:{(i + 1) % 30}>") for i in range(25)]
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    kb.update(
        insert=[*chain, ("<x:p>", kind, "<http://www.w3.org/2002/07/owl#TransitiveProperty>")]
    )
    terms = terms_of(kb)
    facts = GraphFacts.closure(kb.reader())
    closure = paths.relation(MulPath(P, "+"), facts, terms, [])
    assert isinstance(closure, paths.PathClosure) == (storage == "plain")
    blocks = [zip(s.tolist(), o.tolist(), strict=True) for s, o in closure.pairs()]
    found = Counter(itertools.chain(*blocks))
    ids = {name: terms.number(URIRef(name)) for name in ("x:0", "x:25", "x:3")}
    assert len(found) == 25 * 26 // 2
    assert found[ids["x:0"], ids["x:25"]] == 1
    stated = GraphFacts.explicit(kb.reader()).relation(terms.number(P))
    assert isinstance(paths.PathClosure.of(stated, facts.check), paths.PathClosure)


# -- terms, values and conditions


def test_terms_that_only_a_query_knows() -> None:
    store = RdfincStore(KnowledgeBase(profile="none"))
    store.kb.update(insert=[("<x:a>", "<x:p>", '"1"')])
    terms = terms_of(store.kb)
    new = terms.number(Literal("new"))
    assert new == LOCAL == terms.number(Literal("new"))
    assert terms.number(URIRef("x:a")) < LOCAL
    assert terms.column(np.array([new, 0], np.uint32)) == [Literal("new"), None]
    store.kb.update(insert=[("<x:a>", "<x:p>", '"new"')])
    assert terms.number(Literal("new")) == new, "one id for one query"
    assert terms.number_or_none(None) == 0
    assert len(terms.kinds(np.array([new, 0, 1], np.uint32))) == 3


VALUES = [
    URIRef("x:a"),
    URIRef("x:b"),
    Literal("a"),
    Literal(""),
    Literal("a", lang="en"),
    Literal("a", lang="fr"),
    *map(Literal, (0, 1, 2, 1.0, 2.5, True, False, Decimal("1.1"), 1 << 60)),
    Literal("01", datatype=URIRef("http://www.w3.org/2001/XMLSchema#integer"), normalize=False),
    Literal("x", datatype=URIRef("http://www.w3.org/2001/XMLSchema#integer")),
    Literal("1.1", datatype=URIRef("http://www.w3.org/2001/XMLSchema#float")),
    Literal("NaN", datatype=URIRef("http://www.w3.org/2001/XMLSchema#double")),
    Literal("a", datatype=URIRef("x:t")),
    Literal("2020-01-01", datatype=URIRef("http://www.w3.org/2001/XMLSchema#date")),
    None,
]
CONDITIONS = [
    "?a = ?b",
    "?a != ?b",
    "?a < ?b",
    "?a >= ?b",
    "sameTerm(?a, ?b)",
    "?a = 1",
    '"a" = ?a',
    "?a > 1.1",
    "!(?a = ?b)",
    "?a = ?b || ?a < ?b",
    "?a = ?b && ?a <= ?b",
    "BOUND(?a) && !BOUND(?b)",
    "!(?a || ?b)",
    "?c = ?a || true",
    "STR(?a) < STR(?b)",
    "STR(?a) = ?b",
    "STR(?a) >= LANG(?b)",
    "?a + 1 <= ?b",
    "?a = DATATYPE(?b) || ABS(?a) > -?b",
    "!(UCASE(?a) != UCASE(?b))",
    "COALESCE(?a, 1) <= ?b",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions_by_columns_hold_as_they_do_row_by_row(text: str) -> None:
    store = RdfincStore(KnowledgeBase(profile="none"))
    terms = terms_of(store.kb)
    query = ours(prepareQuery(f"SELECT * {{ FILTER({text}) }}").algebra)
    (filter_,) = (part for part in _parts(query) if part.name == "Filter")
    expression = QueryExpression(filter_.expr)
    values = list(itertools.product(VALUES, VALUES))
    a, b = Variable("a"), Variable("b")
    columns = zip((a, b), zip(*values, strict=True), strict=True)
    rows = Solutions(len(values), {v: terms.numbers(column) for v, column in columns})
    context = QueryContext(Graph(), {}, Declared({}))
    ctx = rdflibs_context(context)
    expected = []
    for one, other in values:
        row = SolutionRow(ctx, {v: t for v, t in ((a, one), (b, other)) if t is not None})
        try:
            expected.append(effective(corrected(filter_.expr).eval(row)))
        except Exception:
            expected.append(False)
    query = SimpleNamespace(terms=terms, ctx=context, budget=Budget())
    assert expression.holds(rows, query).tolist() == expected
    assert any(expected) or "&& ?a <=" not in text


def _parts(part):
    yield part
    for child in dict.values(part):
        if hasattr(child, "name"):
            yield from _parts(child)


def test_values_have_the_order_and_truth_of_the_standard() -> None:
    assert effective(Literal("a", lang="en"))
    assert not effective(Literal("x", datatype=URIRef("http://www.w3.org/2001/XMLSchema#boolean")))
    assert equal(Literal(1), Literal(1.0))
    assert less(Literal(False), Literal(True))
    assert literal(6).n3() == '"6"^^<http://www.w3.org/2001/XMLSchema#integer>'
    for one, other in [(Literal(1), Literal("a")), (URIRef("x:a"), URIRef("x:b"))]:
        with pytest.raises(Exception, match=r"order|known"):
            less(one, other)


@pytest.mark.parametrize("compared", [1, 2, 16])
@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_patterns_changes_no_answer(
    seed: int, compared: int, graph: RdfincStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, compared_patterns=compared, sampled_solutions=2)
    chance = random.Random(seed)
    ends = [*(f"?v{i}" for i in range(4)), "<x:1>"]
    triples = [
        f"{chance.choice(ends)} <{chance.choice([P, Q])}> {chance.choice(ends)} ." for _ in range(4)
    ]

    default = Graph(graph, DATASET_DEFAULT_GRAPH_ID)

    def answer(some: list[str]) -> Counter:
        found = default.query(f"SELECT * {{ {' '.join(some)} }}")
        return Counter(frozenset(row.items()) for row in found.bindings)

    memory = Graph()
    memory += default
    assert len(memory) == len(graph.kb)
    expected = memory.query(f"SELECT * {{ {' '.join(triples)} }}")
    found = Counter(frozenset(row.items()) for row in expected.bindings)
    assert answer(triples) == answer(triples[::-1]) == found
