"""Laws: without rules, the store does what rdflib's Memory does, in any order of operations."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import BNode, Dataset, Graph, Literal, URIRef, Variable
from rdflib_store.names import default_graph

from rdfinc.plugins import RdfincStore
from rdfinc.plugins.sparql.columns import solutions
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

NODES = [URIRef(f"x:n{i}") for i in range(4)] + [BNode("b")]
PREDICATES = [URIRef(f"x:p{i}") for i in range(3)]
OBJECTS = [*NODES, *PREDICATES[:1], Literal("a"), Literal(1)]
NAMES = [URIRef("x:g1"), URIRef("x:g2"), None]

triples = st.tuples(st.sampled_from(NODES), st.sampled_from(PREDICATES), st.sampled_from(OBJECTS))
some = st.none()
wild = st.tuples(
    some | st.sampled_from(NODES),
    some | st.sampled_from(PREDICATES),
    some | st.sampled_from(OBJECTS),
)
quads = st.tuples(triples, st.sampled_from(NAMES))

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

# -- operations

operations = st.lists(
    st.one_of(
        st.tuples(st.just("add"), quads),
        st.tuples(st.just("remove"), st.tuples(triples | wild, st.sampled_from(NAMES))),
        st.tuples(st.just("remove everywhere"), triples | wild),
        st.tuples(st.just("set"), quads),
        st.tuples(st.just("read"), st.none()),
    ),
    max_size=40,
)


def graph_of(dataset: Dataset, name: URIRef | None) -> Graph:
    return default_graph(dataset) if name is None else dataset.graph(name)


def apply(dataset: Dataset, operation: str, argument: Any) -> Any:
    if operation == "read":
        return set(dataset), len(dataset)
    if operation == "remove everywhere":
        dataset.remove(argument)
    else:
        triple, name = argument
        getattr(graph_of(dataset, name), operation)(triple)
    return None


@settings(max_examples=150)
@given(operations)
def test_any_order_of_operations(steps: list[tuple[str, Any]]) -> None:
    ours, memory = Dataset(RdfincStore(profile="none")), Dataset()
    for step in steps:
        assert apply(ours, *step) == apply(memory, *step)
    assert set(ours) == set(memory)
    for name in NAMES:
        assert set(graph_of(ours, name)) == set(graph_of(memory, name))


@settings(max_examples=80)
@given(operations, operations)
def test_rollback_takes_everything_back(
    kept: list[tuple[str, Any]], undone: list[tuple[str, Any]]
) -> None:
    ours = Dataset(RdfincStore(profile="none"))
    for step in kept:
        apply(ours, *step)
    ours.commit()
    before = set(ours)
    for step in undone:
        apply(ours, *step)
    ours.rollback()
    assert set(ours) == before
    assert set(ours.store.kb.explicit) == {quad[:3] for quad in before}


# -- basic graph patterns

VARIABLES = [Variable(name) for name in "xyz"]
ANONYMOUS = BNode("q")
slots = [
    st.sampled_from([*VARIABLES, *VARIABLES, *known])
    for known in ([ANONYMOUS, *NODES[:4]], PREDICATES, [ANONYMOUS, *NODES[:4], *OBJECTS[5:]])
]
data = st.lists(quads, max_size=25)
bgps = st.lists(st.tuples(*slots), min_size=1, max_size=4)
contexts = st.sampled_from(["default", "union", "g1", "GRAPH ?g", "GRAPH <x:g1>", "GRAPH <x:g9>"])
bindings = st.dictionaries(st.sampled_from(["x", "y", "g"]), st.sampled_from(OBJECTS), max_size=1)


TEMPLATES = [
    "{0}",
    "{0} OPTIONAL {{ {1} }}",
    "{0} FILTER EXISTS {{ {1} }}",
    "{0} FILTER NOT EXISTS {{ {1} }}",
    "{0} MINUS {{ {1} }}",
    "{{ {0} }} UNION {{ {1} }}",
    "{{ SELECT * {{ {0} }} }} {{ {1} }}",
    "{0} . ?x <x:p0>|<x:p1>* ?y",
]


def text(bgp: list[tuple[Any, ...]]) -> str:
    return " . ".join(" ".join(term.n3() for term in pattern) for pattern in bgp)


def asked(dataset: Dataset, context: str, where: str, initial: Any) -> Counter:
    target = Dataset(dataset.store, default_union=context != "default")
    if context == "g1":
        target = dataset.graph(URIRef("x:g1"))
    elif context.startswith("GRAPH"):
        where = f"{context} {{ {where} }}"
    query = f"SELECT * {{ {where} }}"
    solutions = (row.asdict().items() for row in target.query(query, initBindings=initial))
    return Counter(frozenset(one) for one in solutions if one)  # rdflib shows none that is empty


@settings(max_examples=150)
@given(
    data,
    bgps,
    bgps,
    st.sampled_from(TEMPLATES),
    contexts,
    bindings,
    st.sampled_from([(1, 3), (16, 1 << 18)]),
)
def test_queries(
    stated: list[Any],
    one: list[Any],
    two: list[Any],
    template: str,
    context: str,
    initial: Any,
    limits: tuple[int, int],
) -> None:
    """`limits`: how many rows are looked at to find an order, and how many a block has."""
    ours, memory = Dataset(RdfincStore(profile="none")), Dataset()
    for triple, name in stated:
        for dataset in (ours, memory):
            graph_of(dataset, name).add(triple)
    where = template.format(text(one), text(two).replace("_:q", "_:r"))
    with pytest.MonkeyPatch.context() as patch:
        put(
            patch,
            QUERIES,
            sampled_solutions=limits[0],
            first_solutions=limits[1] // 2,
            solutions_block=limits[1],
        )
        found = asked(ours, context, where, initial)
    assert found == asked(memory, context, where, initial)


def test_blocks_are_bounded() -> None:
    """A join hands out about BLOCK rows at a time, whatever it has in total."""
    left = solutions.Solutions(2000, {"x": np.zeros(2000, np.uint32)})
    right = solutions.Solutions(1000, {"x": np.zeros(1000, np.uint32)})
    sizes = [block.size for block in solutions.join(left, right)]
    assert sum(sizes) == 2_000_000
    assert max(sizes) <= QUERIES.solutions_block
