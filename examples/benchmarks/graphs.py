"""Graphs whose closures are far larger than they are: data for transitive relations.

    python examples/benchmarks/graphs.py dag dag.nt
    python examples/benchmarks/graphs.py categories --scale 0.1 > categories.nt

At scale 1, with the pairs of the transitive closure, or of the symmetric-transitive one:

    dag          10 000 nodes,   100 000 edges,   22 947 107 pairs   a random acyclic graph
    ontology    100 000 nodes,   128 030 edges,    1 850 491 pairs   a class tree, several parents
    categories  628 261 nodes, 1 400 000 edges,  about 2.0 G pairs   a category system with cycles
    places       40 876 nodes,    47 363 edges,   41 085 732 pairs   components, sparsely linked
    cliques       2 940 nodes,   202 693 edges,      408 326 pairs   components, all pairs linked

`dag` and `places` have the shapes of DAG-R and of :relatedPlaces in Claros, from paper "Modular
Materialisation of Datalog Programs" (Hu, Motik and Horrocks, 2019); `categories` that of
skos:broader in DBpedia, 1 426 588 edges and 1 949 306 188 pairs in "Optimised Storage for Datalog
Reasoning" (Zhang, Hu, Nenov and Horrocks, 2024).

A graph is an array of distinct edges without loops, a row (tail, head) each, in no particular
order, over nodes numbered in no particular order. It is a function of sizes and seed alone (only
`RandomState.random_sample` is drawn from, which NumPy promises to keep).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

NAMESPACE = "http://example.org/graphs#"
SEED = 2

Numbers = npt.NDArray[np.int64]
Edges = npt.NDArray[np.int64]
Triple = tuple[str, str, str]

SIBLINGS = 3  # children of a class by its first superclass
SUPERCLASSES = 0.3, 0.1  # classes that have a second one, those that have a third
BROADER = 1.9  # categories above a category, on average
CATEGORIES = 1 / 1.8  # for each edge, a few too many, because some edges are drawn twice
CORE = 1 / 170  # of the categories are in one large cycle
MUTUAL = 1 / 2000  # of the edges between categories stand both ways


class Draw:
    """Random numbers that are the same everywhere."""

    def __init__(self, seed: int) -> None:
        self._sample = np.random.RandomState(seed).random_sample

    def part(self, count: int) -> npt.NDArray[np.float64]:
        """Numbers in [0, 1)."""
        return self._sample(count)

    def below(self, limits: Numbers, skew: float = 1.0) -> Numbers:
        """For each limit an integer from 0 up to it; the larger `skew`, the more small ones."""
        return (limits * self._sample(limits.size) ** skew).astype(np.int64)

    def order(self, count: int) -> Numbers:
        """0 to count - 1 in random order."""
        return np.argsort(self._sample(count), kind="stable")

    def shuffled(self, edges: Edges, nodes: int) -> Edges:
        """The same graph with other numbers for its nodes, and its edges in another order."""
        return self.order(nodes)[edges[self.order(len(edges))]]


def dag(nodes: int = 10_000, edges: int = 100_000, seed: int = SEED) -> Edges:
    """Random edges, each from the earlier to the later of two nodes in some order.

    Raises ValueError for more edges than half of all pairs.
    """
    if edges > nodes * (nodes - 1) // 4:
        raise ValueError(f"{edges} edges are more than half of all pairs of {nodes} nodes")
    draw = Draw(seed)
    found = np.empty((0, 2), np.int64)
    while len(found) < edges:
        drawn = draw.below(np.full(2 * edges, nodes)).reshape(edges, 2)
        found = distinct(np.concatenate([found, np.sort(drawn, axis=1)]))
    return draw.shuffled(found[:edges], nodes)


def ontology(nodes: int = 100_000, seed: int = SEED) -> Edges:
    """From each class but one to its superclasses: acyclic, about log₃ nodes deep.

    Classes with numbers close to each other have most superclasses in common, and superclasses
    of the same class are mostly close.
    """
    draw = Draw(seed)
    parts = []
    for share in (1.0, *SUPERCLASSES):
        classes = np.arange(1, nodes)
        some = classes[draw.part(classes.size) < share]
        away = (1 / (1 - draw.part(some.size))).astype(np.int64) - 1  # mostly 0, sometimes far
        parts.append(np.column_stack([some, np.maximum(some // SIBLINGS - away, 0)]))
    return draw.shuffled(distinct(np.concatenate(parts)), nodes)


def categories(edges: int = 1_400_000, seed: int = SEED) -> Edges:
    """From each category to broader ones: a few have most of the narrower ones, many have no
    broader one, and there are cycles, one of them (`core`) far larger than the others."""
    draw = Draw(seed)
    nodes = max(int(edges * CATEGORIES), 4)
    center = core(edges)
    inner = np.arange(1, center)
    upwards = np.column_stack([inner, draw.below(inner)])
    downwards = np.column_stack([draw.below(inner), inner])
    ordinary = np.arange(center, nodes)
    rate = np.log(BROADER / (1 + BROADER))
    counts = (np.log(1 - draw.part(ordinary.size)) / rate).astype(np.int64)
    narrower = np.repeat(ordinary, counts)
    outside = np.column_stack([narrower, draw.below(narrower, skew=3.0)])
    mutual = outside[(outside[:, 1] >= center) & (draw.part(len(outside)) < MUTUAL)]
    others = np.concatenate([mutual[:, ::-1], outside[draw.order(len(outside))]])
    return draw.shuffled(distinct(np.concatenate([upwards, downwards, others]))[:edges], nodes)


def core(edges: int) -> int:
    """How many of the categories are in the largest cycle."""
    return max(int(edges * CATEGORIES * CORE), 2)


def places(largest: int = 5_000, seed: int = SEED) -> Edges:
    """Components of `component_sizes(largest)` nodes, sparsely linked."""
    return linked(component_sizes(largest), seed)


def linked(sizes: Numbers, seed: int = SEED) -> Edges:
    """Components of these many nodes, each a random tree and, for every fourth node, one edge more,
    all turned either way."""
    draw = Draw(seed)
    first, position = members(sizes)
    later = np.flatnonzero(position)
    linking = np.concatenate([later, later[draw.part(later.size) < 0.25]])
    edges = np.column_stack([linking, first[linking] + draw.below(position[linking])])
    turned = draw.part(len(edges)) < 0.5
    edges[turned] = edges[turned, ::-1]
    return draw.shuffled(distinct(edges), first.size)


def cliques(largest: int = 500, seed: int = SEED) -> Edges:
    """Components of `component_sizes(largest)` nodes, one edge for each pair in a component."""
    draw = Draw(seed)
    first, position = members(component_sizes(largest))
    tails = np.repeat(np.arange(first.size), position)
    starts = np.cumsum(position) - position
    heads = np.repeat(first, position) + np.arange(tails.size) - np.repeat(starts, position)
    return draw.shuffled(np.column_stack([tails, heads]), first.size)


def component_sizes(largest: int) -> Numbers:
    """The largest has so many members, the k-th one a k-th of it, the smallest ones two."""
    return largest // np.arange(1, largest // 2 + 1)


def members(sizes: Numbers) -> tuple[Numbers, Numbers]:
    """For all nodes, component by component: the first node of its own, and how far it is away."""
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return first, np.arange(first.size) - first


def distinct(edges: Edges) -> Edges:
    """Without loops, and each edge where it first stands."""
    keys = edges[:, 0] << 32 | edges[:, 1]
    _, places = np.unique(keys, return_index=True)
    places.sort()
    found = edges[places]
    return found[found[:, 0] != found[:, 1]]


GRAPHS: dict[str, Callable[[float, int], Edges]] = {  # by name; made from a scale and a seed
    "dag": lambda scale, seed: dag(scaled(10_000, scale), scaled(100_000, scale), seed),
    "ontology": lambda scale, seed: ontology(scaled(100_000, scale), seed),
    "categories": lambda scale, seed: categories(scaled(1_400_000, scale), seed),
    "places": lambda scale, seed: places(scaled(5_000, scale), seed),
    "cliques": lambda scale, seed: cliques(scaled(500, scale), seed),
}


def scaled(size: int, scale: float) -> int:
    return max(round(size * scale), 1)


# -- as triples


def triples(edges: Edges, relation: str) -> Iterator[Triple]:
    """The edges as tuples of N-Triples terms, as `KnowledgeBase.update` takes them."""
    for tail, head in edges.tolist():
        yield node(tail), relation, node(head)


def node(number: int) -> str:
    return term(f"n{number}")


def term(name: str) -> str:
    return f"<{NAMESPACE}{name}>"


def ntriples(facts: Iterable[Triple]) -> str:
    return "".join([f"{s} {p} {o} .\n" for s, p, o in facts])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", choices=GRAPHS)
    parser.add_argument("file", nargs="?", help="standard output if left out")
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes above (1)")
    parser.add_argument("--relation", default=term("edge"), help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="(%(default)s)")
    options = parser.parse_args()
    edges = GRAPHS[options.graph](options.scale, options.seed)
    text = ntriples(triples(edges, options.relation))
    if options.file is None:
        sys.stdout.write(text)
    else:
        Path(options.file).write_text(text)


if __name__ == "__main__":
    main()
