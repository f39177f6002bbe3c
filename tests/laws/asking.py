"""One query asked of three: our evaluator, rdflib's over its memory store, and Oxigraph; and which
of their differences are known faults of the others, or left open by the standard."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox
import pytest
from rdflib import Dataset
from rdflib.plugins.sparql.sparql import SPARQLError

from laws.random_queries import (
    GRAPHS,
    Quad,
    RandomQuery,
    random_group,
    random_quads,
    random_query,
    shared_quads,
)
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.plugins.rdflib_store import RdfincStore
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.terms.builtins.numeric import is_number
from rdfinc.terms.builtins.values import Other, key_of, value_of
from rdfinc.terms.canonical_terms import canonical
from rdfinc.terms.io.convert import key_of as key_of_term
from rdfinc.terms.oxigraph_terms import to_oxigraph
from rdfinc.terms.rdflib_terms import to_rdflib
from thresholds import put

Answer = Counter[Any]

SETS_IN_RDFLIB = {"nested", "union", "values", "graph", "zero", "exists"}
"""rdflib's joins drop equal solutions of their right side, and its paths find a node twice that
reaches itself by no step and by several."""

UNLIKE_IN_RDFLIB = {
    "logic": "an operand of && and || that is an error makes the whole an error",
    "kind": "isLITERAL and the like of an error are false",
    "truth": "dates and NaN are true, an ill-typed boolean is false",
    "comparison": "a literal of an unknown datatype is unequal to others",
    "order": "any two literals can be compared, and IN compares terms",
    "select": "variables of a sub-select that it does not show are joined with those outside",
    "arithmetic": "the product of two integers is a decimal, 1e0/0 an error",
    "group": "GROUP BY over nothing has a group; unbound values and errors are passed over, raise, "
    "or become texts; MIN and MAX of an IRI are literals",
    "zero and any predicate": "a path of length zero leads from what another pattern binds to "
    "itself, whether it is in the graph or not",
    "zero and values": "or VALUES does",
    "zero and graph": "that is in another graph, too",
    "missing graph": "what needs no statement is found in a graph that there is not",
    "optional and values": "an OPTIONAL that asks for a literal as a subject takes its row away",
    "exists and nested": "EXISTS in a group sees what is bound outside of the group",
    "exists in a branch": "or in a branch of a UNION",
    "exists within a graph": "or in a group of GRAPH",
    "exists and filters alone": "or in a part of filters alone",
    "optional and union": "so does an OPTIONAL that a part of a UNION begins with",
    "optional and nested": "or a group",
    "optional and graph": "or a group of GRAPH",
    "constant condition": "a filter whose condition is a literal that is false is none",
    "exists anywhere": "EXISTS is known in WHERE only, and what it sees is less",
    "excluded backwards": "what is excluded backwards is dropped",
    "unusual number": "numbers are rewritten as Python writes them",
    "inner minus": "MINUS in a group within another sees what is bound outside of that",
    "minus and bind": "BIND to the right of MINUS sees what is bound outside of the group",
    "minus nothing": "MINUS { } within OPTIONAL takes all rows away",
}
FAULTS_OF_RDFLIB = (SPARQLError, AttributeError, TypeError, AssertionError)
"""What its evaluator raises where an expression is an error, or a predicate no IRI."""

ALIKE_IN_OXIGRAPH = "either"
"""Oxigraph counts the ways that `|`, or a negated property set, gives from one node to another as
one where it knows both."""

UNLIKE_IN_OXIGRAPH = [
    {"count distinct rows", "path"},
    {"exists", "nested"},
    {"exists", "graph"},
    {"exists in a branch"},
    {"end compared"},
    {"missing graph", "values"},
    {"missing graph", "group"},
    {"compared with itself"},
    {"graph", "select", "group"},
    {"all graphs over minus"},
    {"a part within all graphs"},
    {"exists over minus"},
]
"""In COUNT(DISTINCT *), Oxigraph tells the nodes apart that a path leads over; an EXISTS in a
group, or a branch of a UNION, sees what is bound outside of that; an end of a path is compared as a
term, though it may be a literal; VALUES and groups have rows in a graph that there is not; what no
order is defined of is not less than itself, where that is an error; groups of a sub-select are of
no graph; MINUS in `GRAPH ?g` counts ?g among the variables of both sides; GRAPH, VALUES and SELECT
in `GRAPH ?g` are found once, with no value of ?g, and not once in every graph; and MINUS in EXISTS
counts what is bound outside, which the standard has replaced by values, among the variables of both
sides."""


@dataclass
class Triplet:
    """The same statements three times."""

    ours: Dataset
    memory: Dataset
    oxigraph: ox.Store


def triplet(chance: random.Random, given: list[Quad] | None = None) -> Triplet:
    three = Triplet(Dataset(RdfincStore(profile="none")), Dataset(), ox.Store())
    quads = [
        tuple(None if text is None else turtle_key(text) for text in quad)
        for quad in given or random_quads(chance)
    ]
    three.ours.store.kb.update(
        insert=[tuple(key.decode() for key in quad if key is not None) for quad in quads]
    )
    for *triple, graph in quads:
        name = None if graph is None else to_oxigraph(graph)
        three.oxigraph.add(ox.Quad(*map(to_oxigraph, triple), name))
        memory = three.memory.graph(to_rdflib(graph)) if graph else three.memory.default_graph
        memory.add(tuple(map(to_rdflib, triple)))
    return three


def turtle_key(text: str) -> bytes:
    """The key of a term in Turtle's short forms."""
    if text[0] in "<_":
        return canonical(text)
    (quad,) = ox.parse(f"<x:s> <x:p> {text} .", format=ox.RdfFormat.TURTLE)
    return str(quad.object).encode()


def check_queries(seeds: range, each: int = 3) -> Counter[str]:
    """Asserts that all agree; returns how many answers were compared, and how many had rows."""
    met: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        three = triplet(chance)
        with blocks_of(chance.choice([1 << 18, 1 << 18, 7])), few_rows(seed % 3 * 8):
            for _ in range(each):
                query = random_query(chance)
                agree(query, three, met, f"seed {seed}: {query.text}")
    return met


def check_graphs(seeds: range, each: int = 5) -> Counter[str]:
    """Asserts that a part in all graphs, or in those that FROM NAMED chooses, has the solutions
    that it has in each of them (SPARQL 1.1, 18.6)."""
    met: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        ours = triplet(chance, random_quads(chance) + shared_quads(chance)).ours
        with blocks_of(chance.choice([1 << 18, 1 << 18, 7])), few_graphs(chance.choice([0, 4])):
            for _ in range(each):
                part = random_group(chance)
                chosen = chance.choice(["", "".join(f"FROM NAMED {g} " for g in GRAPHS[1:])])
                where = f"seed {seed}: SELECT * {chosen}{{ GRAPH ?g {part} }}"
                found = _answer(ours, where.partition(": ")[2])
                expected: Answer = Counter()
                for name in GRAPHS[1:] if chosen else GRAPHS:
                    expected += _in_graph(ours, name, f"SELECT * {chosen}{{ GRAPH {name} {part} }}")
                assert found == expected, f"{where}\n  {found - expected}\n  {expected - found}"
                met["asked"] += 1
                met["rows"] += bool(found)
    return met


@contextmanager
def few_rows(number: int) -> Iterator[None]:
    """How many rows are joined one by one at most."""
    with pytest.MonkeyPatch.context() as patch:
        put(patch, QUERIES, few_rows=min(QUERIES.few_rows, number))
        yield


@contextmanager
def few_graphs(number: int) -> Iterator[None]:
    """How many graphs that are named are looked at one after the other."""
    with pytest.MonkeyPatch.context() as patch:
        put(patch, QUERIES, few_graphs=number)
        yield


def _answer(ours: Dataset, text: str) -> Answer:
    result = ours.query(text)
    return _rows({str(v) for v in result.vars}, result.bindings)


def _in_graph(ours: Dataset, name: str, text: str) -> Answer:
    """The rows that name no other graph, with its name."""
    own = ("g", shown("g", name.encode()))
    found: Answer = Counter()
    for row, times in _answer(ours, text).items():
        if own in row or "g" not in dict(row):
            found[row | {own}] += times
    return found


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    """Cuts the work into blocks of about so many rows, and calls a few of them many."""
    is_small = size < QUERIES.solutions_block
    with pytest.MonkeyPatch.context() as patch:
        put(
            patch,
            QUERIES,
            solutions_block=size,
            first_solutions=min(QUERIES.first_solutions, size // 3),
            compared_patterns=min(QUERIES.compared_patterns, size // 3),
            sampled_solutions=min(QUERIES.sampled_solutions, size // 3),
            searched_links=min(QUERIES.searched_links, size // 3),
            followed_starts=min(QUERIES.followed_starts, size // 3),
            path_starts=min(QUERIES.path_starts, size // 3),
            facts_of_node=min(QUERIES.facts_of_node, size),
            few_asked_nodes=min(QUERIES.few_asked_nodes, size // 3),
            few_rows=min(QUERIES.few_rows, size // 3),
            few_found=min(QUERIES.few_found, size // 3),
            gathered_predicates=min(QUERIES.gathered_predicates, size // 3),
            ordered_facts=0 if is_small else QUERIES.ordered_facts,
            chosen_share=0 if is_small else QUERIES.chosen_share,
        )
        put(
            patch,
            KNOWLEDGE,
            few_predicates=min(KNOWLEDGE.few_predicates, size // 3),
            rare_pairs=min(KNOWLEDGE.rare_pairs, size),
            asked_before_order=0 if is_small else KNOWLEDGE.asked_before_order,
        )
        yield


def agree(query: RandomQuery, three: Triplet, met: Counter[str], where: str) -> None:
    result = three.ours.query(query.text)
    found = {str(v) for v in result.vars}
    mine = _rows(found, result.bindings)
    assert "(rdflib)" not in result.plan(), where
    met["asked"] += 1
    met["rows"] += bool(mine)
    compare(mine, _of_oxigraph(three.oxigraph, query.text), query, _meets_oxigraph, where)
    if not UNLIKE_IN_RDFLIB.keys() & query.features:
        try:
            theirs = _rows(found, three.memory.query(query.text).bindings)
        except FAULTS_OF_RDFLIB:
            return
        met["rdflib"] += 1
        compare(mine, theirs, query, _meets_rdflib, where)


Meets = Callable[[Answer, Answer, RandomQuery], bool]


def compare(mine: Answer, theirs: Answer, query: RandomQuery, meets: Meets, where: str) -> None:
    assert meets(mine, theirs, query), (
        f"{where}\n  only ours: {mine - theirs}\n  only theirs: {theirs - mine}"
    )


def _meets_oxigraph(mine: Answer, theirs: Answer, query: RandomQuery) -> bool:
    if any(query.features >= together for together in UNLIKE_IN_OXIGRAPH):
        return True
    if ALIKE_IN_OXIGRAPH not in query.features:
        return mine == theirs
    return "group" in query.features or mine.keys() == theirs.keys()


def _meets_rdflib(mine: Answer, theirs: Answer, query: RandomQuery) -> bool:
    return mine == theirs if not SETS_IN_RDFLIB & query.features else mine.keys() == theirs.keys()


def _rows(variables: set[str], bindings: Any) -> Answer:
    rows = ({str(v): key_of_term(t) for v, t in row.items() if t is not None} for row in bindings)
    return Counter(
        frozenset((v, shown(v, key)) for v, key in row.items() if v in variables) for row in rows
    )


def _of_oxigraph(store: ox.Store, text: str) -> Answer:
    found: Any = store.query(text)
    names = [variable.value for variable in found.variables]
    return Counter(
        frozenset(
            (name, shown(name, str(term).encode()))
            for name, term in zip(names, row, strict=True)
            if term is not None
        )
        for row in found
    )


def shown(name: str, key: bytes) -> Any:
    """A term by its value. What SAMPLE picks is open, and so is the order of GROUP_CONCAT and the
    least of numbers that are equal; Oxigraph's STR of a number has a form of its own."""
    value = value_of(key)
    if name.startswith("any"):
        return True
    if name.startswith("text"):
        return frozenset(map(_word, value.split(" ")))
    if name.startswith("least") and is_number(value):
        return float(value)
    return key if isinstance(value, Other) else key_of(value)


def _word(text: str) -> str:
    try:
        return str(float(text))
    except ValueError:
        return text
