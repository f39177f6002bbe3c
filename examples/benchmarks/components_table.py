"""How fast a symmetric-transitive relation is kept as connected components, and in what memory.

    python examples/benchmarks/components_table.py
    python examples/benchmarks/components_table.py --clique 1000 --nodes 100000 --group 5

1. A clique, as large sets of places that are all related to one another: all its pairs are
   external facts, or only a random tree of them. One edge goes, a node's edges go, many go.
2. Small components, as aliases: everything from scratch, one edge goes, a quarter of them go.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from measure import REPETITIONS, Candidate, Timing, show, side_by_side

from rdfinc.tables import kernels
from rdfinc.tables.closure.components.component_table import Components
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.sorted_pairs import SortedPairs

SEED = 1


def clique(size: int) -> KeyArray:
    ids = np.arange(size)
    return kernels.pack(np.repeat(ids, size), np.tile(ids, size))


def tree(size: int) -> KeyArray:
    """Every node but the first is joined to an earlier one, any of them as likely."""
    nodes = np.arange(1, size)
    return np.sort(kernels.pack(nodes, np.random.default_rng(SEED).integers(0, nodes)))


def paths(nodes: int, group: int) -> KeyArray:
    """Paths of `group` nodes each, whose ids are anywhere."""
    ids = np.random.default_rng(SEED).permutation(nodes)
    one = np.flatnonzero(np.arange(nodes - 1) % group != group - 1)
    return np.sort(kernels.pack(ids[one], ids[one + 1]))


class Edges:
    """External facts and their components."""

    def __init__(self, keys: KeyArray) -> None:
        self.base = SortedPairs(keys)
        self.table = Components.of(self.base, diagonal=True)

    def both(self, keys: KeyArray) -> KeyArray:
        """The edges and those in the other direction that there are."""
        swapped = kernels.swap(keys)
        return kernels.unique(np.concatenate((keys, swapped[self.base.contains(swapped)])))

    def chosen(self, share: float) -> KeyArray:
        keys = self.base.keys
        return self.both(keys[np.random.default_rng(SEED).random(keys.size) < share])

    def of_node(self, node: int) -> KeyArray:
        keys = self.base.keys
        return keys[(kernels.high(keys) == node) | (kernels.low(keys) == node)]

    def without(self, name: str, gone: KeyArray) -> Candidate:
        left = Plain(self.base.missing(gone) if gone.size > 1000 else self.base)
        left.discard(gone)
        left.by_objects(kernels.high(gone[:1]))  # which builds the other order
        keys = gone.tolist() if gone.size < 100 else gone
        return Candidate(name, lambda _: self.table.after_edges(left, keys, []))


def candidates(edges: Edges) -> list[Candidate]:
    keys = edges.base.keys
    middle = keys.size // 2 + keys.size // 77
    of_node = edges.of_node(int(keys[middle] >> kernels.SHIFT))
    return [
        edges.without("an edge goes", edges.both(keys[middle : middle + 1])),
        edges.without("a node's edges go", of_node),
        edges.without("1 % of the edges go", edges.chosen(0.01)),
        edges.without("25 % of the edges go", edges.chosen(0.25)),
        Candidate("from scratch", lambda _: Components.of(edges.base, diagonal=True)),
    ]


def revisions(title: str, keys: KeyArray, repetitions: int) -> Edges:
    edges = Edges(keys)
    print(f"{title}: {keys.size:,} external facts, {len(edges.table):,} facts")
    show(side_by_side(candidates(edges), repetitions))
    return edges


def reads(edges: Edges, repetitions: int) -> None:
    table, keys = edges.table, edges.base.keys
    sample = keys[:: max(keys.size // 1000, 1)].tolist()
    one_by_one = repeated("has", lambda: [table.has(key) for key in sample], repetitions)
    show([one_by_one], len(sample), "facts")
    show([repeated("scan", table.scan, repetitions)], len(table), "facts")


def repeated(name: str, run: Callable[[], object], repetitions: int) -> Timing:
    [timing] = side_by_side([Candidate(name, lambda _: run())], repetitions)
    return timing


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clique", type=int, default=5000, help="its nodes (%(default)s)")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="in all (%(default)s)")
    parser.add_argument("--group", type=int, default=4, help="nodes of a component (%(default)s)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    revisions("a clique, all pairs", clique(options.clique), options.repetitions)
    revisions("a clique, a tree", tree(options.clique), options.repetitions)
    title = f"components of {options.group}"
    edges = revisions(title, paths(options.nodes, options.group), options.repetitions)
    reads(edges, options.repetitions)
    print(f"  {edges.table.nbytes() / options.nodes:.1f} bytes a node")


if __name__ == "__main__":
    main()
