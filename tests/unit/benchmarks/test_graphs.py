"""Graphs for closures: the promised shapes, the same ones every time, and the estimates of them."""

from __future__ import annotations

import hashlib
from collections import Counter

import graphs
import numpy as np
import pytest
import reach

SMALL = {"dag": 0.01, "ontology": 0.005, "categories": 0.001, "places": 0.01, "cliques": 0.1}


def small(name: str, seed: int = graphs.SEED) -> graphs.Edges:
    return graphs.GRAPHS[name](SMALL[name], seed)


def closure(edges: graphs.Edges) -> set[tuple[int, int]]:
    """By definition."""
    after: dict[int, set[int]] = {int(tail): set() for tail in np.unique(edges)}
    for tail, head in edges.tolist():
        after[tail].add(head)
    while True:
        size = sum(map(len, after.values()))
        for reached in after.values():
            reached.update(*(after[node] for node in list(reached)))
        if size == sum(map(len, after.values())):
            return {(tail, head) for tail, heads in after.items() for head in heads}


def components(edges: graphs.Edges) -> Counter[int]:
    """How many components have so many nodes."""
    pairs = closure(reach.both_ways(edges))
    return Counter(len({b for a, b in pairs if a == node}) for node in np.unique(edges).tolist())


def test_the_small_graphs_are_all() -> None:
    assert set(SMALL) == set(graphs.GRAPHS)


@pytest.mark.parametrize("name", SMALL)
def test_edges_are_distinct_and_no_loops(name: str) -> None:
    edges = small(name)
    assert edges.shape == (len(edges), 2)
    assert len(np.unique(edges, axis=0)) == len(edges) > 10
    assert (edges[:, 0] != edges[:, 1]).all()


@pytest.mark.parametrize("name", SMALL)
def test_graphs_depend_on_the_seed_alone(name: str) -> None:
    assert np.array_equal(small(name), small(name))
    assert not np.array_equal(small(name)[:10], small(name, 7)[:10])


def test_graphs_are_the_same_everywhere() -> None:
    """A change of NumPy or of a generator that changes them makes old figures incomparable."""
    edges = np.concatenate([small(name) for name in sorted(SMALL)]).astype("<i8")
    assert hashlib.sha256(edges.tobytes()).hexdigest()[:16] == "f7a8dd3b94f4be0d"


@pytest.mark.parametrize("name", ["dag", "ontology"])
def test_acyclic(name: str) -> None:
    assert not any(one == other for one, other in closure(small(name)))


@pytest.mark.parametrize(("nodes", "edges"), [(1, 0), (2, 0), (5, 5), (100, 1000)])
def test_a_dag_has_as_many_edges_as_asked_for(nodes: int, edges: int) -> None:
    found = graphs.dag(nodes, edges)
    assert len(found) == edges
    assert not edges or found.max() < nodes


def test_a_dag_of_too_many_edges_is_refused() -> None:
    with pytest.raises(ValueError, match="6 edges are more than half of all pairs of 5 nodes"):
        graphs.dag(5, 6)


def test_an_ontology_has_one_root_and_some_classes_with_several_parents() -> None:
    edges = graphs.ontology(500)
    parents = Counter(edges[:, 0].tolist())
    assert len(parents) == 499
    assert set(parents.values()) == {1, 2, 3}
    assert np.unique(edges).tolist() == list(range(500))


def test_categories_have_one_large_cycle_and_few_others() -> None:
    edges = small("categories")
    pairs = closure(edges)
    cycles = Counter(
        frozenset(b for a, b in pairs if a == node and (b, a) in pairs)
        for node, other in pairs
        if node == other
    )
    sizes = sorted(map(len, set(cycles)), reverse=True)
    assert sizes[0] == graphs.core(len(edges)) == 4
    assert all(size < 4 for size in sizes[1:])


def test_categories_are_heavy_tailed() -> None:
    edges = graphs.categories(20_000)
    narrower = np.sort(np.bincount(edges[:, 1]))[::-1]
    assert len(edges) == 20_000
    assert narrower[0] > 20 * narrower[100] > 0
    assert narrower[:100].sum() > len(edges) / 5


def test_component_sizes_fall_as_one_by_their_rank() -> None:
    assert graphs.component_sizes(10).tolist() == [10, 5, 3, 2, 2]


@pytest.mark.parametrize("make", [graphs.places, graphs.cliques])
def test_components_are_connected_and_of_the_promised_sizes(make: type) -> None:
    sizes = Counter(graphs.component_sizes(20).tolist())
    assert components(make(20)) == {size: size * count for size, count in sizes.items()}


def test_places_are_sparse_and_cliques_have_all_pairs() -> None:
    sizes = graphs.component_sizes(100)
    trees, pairs = (sizes - 1).sum(), (sizes * (sizes - 1) // 2).sum()
    assert trees < len(graphs.places(100)) < 1.3 * trees
    assert len(graphs.cliques(100)) == pairs


def test_estimates_of_the_whole_are_exact() -> None:
    edges = small("dag")
    pairs = closure(edges)
    after, before = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    estimate = reach.estimate(edges, sample=10**6)
    assert estimate.pairs == len(pairs)
    assert estimate.instances == sum(count * after[node] for node, count in before.items())


def test_estimates_count_pairs_of_a_node_with_itself() -> None:
    edges = np.array([[0, 1], [1, 2], [2, 0], [2, 3]])
    assert reach.estimate(edges) == reach.Estimate(3 * 4, 3 * 3 * 4)


def test_estimates_of_a_sample_are_close() -> None:
    edges = graphs.places(300)
    pairs = int((graphs.component_sizes(300) ** 2).sum())
    assert reach.estimate(reach.both_ways(edges), 500).pairs == pytest.approx(pairs, rel=0.2)


def test_edges_as_triples() -> None:
    facts = list(graphs.triples(np.array([[3, 1]]), "<p>"))
    assert facts == [(graphs.node(3), "<p>", graphs.node(1))]
    assert graphs.ntriples(facts) == f"<{graphs.NAMESPACE}n3> <p> <{graphs.NAMESPACE}n1> .\n"
