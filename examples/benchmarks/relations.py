"""Organs, processes, genes and their classes: data for the rule set `ontologies/relations.dlog`.

    python examples/benchmarks/relations.py 1000 relations.nt

Of each size there are so many classes, organs, processes and genes. Classes form a class tree with
several parents, organs and processes such trees of parts; organs lie in and develop from others,
the smaller processes follow and regulate each other, genes enable processes and are homologous in
families. Relations that rules derive from others are stated through these, in turn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
from graphs import (
    SEED,
    Draw,
    Edges,
    Numbers,
    Triple,
    component_sizes,
    distinct,
    linked,
    ntriples,
    ontology,
)

NAMESPACE = "http://example.org/relations#"

ORGAN_PART = ("part_of", "proper_part_of", "member_of")
PROCESS_PART = ("part_of", "starts", "ends")
NEIGHBOUR = ("continuous_with", "attached_to", "adjacent_to")
FOLLOWING = ("immediately_causes", "immediately_causes", "immediately_precedes")
REGULATION = (
    "negatively_regulates",
    "positively_regulates",
    "negatively_regulates",
    "directly_regulates",
)


def rules() -> str:
    """The text of the rule set."""
    return files("rdfinc.ontologies").joinpath("relations.dlog").read_text("utf-8")


def triples(size: int = 1000, seed: int = SEED) -> Iterator[Triple]:
    """The facts as tuples of N-Triples terms, as `KnowledgeBase.update` takes them."""
    yield from _stated(("is_a",), "class", "class", ontology(size, seed))
    yield from _organs(size, seed + 1)
    yield from _processes(size, seed + 2)
    yield from _genes(size, seed + 3)


def _organs(size: int, seed: int) -> Iterator[Triple]:
    draw = Draw(seed)
    parts = ontology(size, seed)
    everything = np.arange(size)
    yield from _stated(ORGAN_PART, "organ", "organ", parts)
    yield from _stated(("instance_of",), "organ", "class", _one_each(everything, size, draw))
    yield from _stated(("in_taxon",), "organ", "class", _one_each(roots(parts, size), size, draw))
    places = _one_each(some(_small(parts, size), 0.2, draw), size, draw)
    yield from _stated(("located_in", "contained_in"), "organ", "organ", distinct(places))
    neighbours = _one_each(some(everything, 0.1, draw), size, draw)
    yield from _stated(NEIGHBOUR, "organ", "organ", distinct(neighbours))
    earlier = _earlier(some(everything, 0.6, draw), draw)
    yield from _stated(("develops_from", "transformation_of"), "organ", "organ", earlier)


def _processes(size: int, seed: int) -> Iterator[Triple]:
    draw = Draw(seed)
    parts = ontology(size, seed)
    smallest, small = leaves(parts, size), _small(parts, size)
    yield from _stated(PROCESS_PART, "process", "process", parts)
    yield from _stated(("occurs_in",), "process", "organ", _one_each(small, size, draw))
    rows = _rows(parts, small)
    yield from _stated(FOLLOWING, "process", "process", rows)
    products = _one_each(some(smallest, 0.5, draw), size, draw)
    yield from _stated(("has_input", "has_output"), "process", "gene", products)
    tails = some(smallest, 0.5, draw)
    heads = smallest[draw.below(np.full(tails.size, smallest.size))]
    yield from _stated(REGULATION, "process", "process", distinct(np.column_stack([tails, heads])))


def _genes(size: int, seed: int) -> Iterator[Triple]:
    draw = Draw(seed)
    everything = np.arange(size)
    for relation, kind in (("enables", "process"), ("expressed_in", "organ")):
        yield from _stated((relation,), "gene", kind, _one_each(everything, size, draw))
    sizes = component_sizes(max(size // 20, 2))
    families = linked(sizes[sizes.cumsum() <= size], seed)
    yield from _stated(("homologous_to",), "gene", "gene", families)


def _stated(names: tuple[str, ...], one: str, other: str, edges: Edges) -> Iterator[Triple]:
    """An edge after the other, through the relations in turn."""
    for number, (tail, head) in enumerate(edges.tolist()):
        yield term(f"{one}{tail}"), term(names[number % len(names)]), term(f"{other}{head}")


def _one_each(tails: Numbers, size: int, draw: Draw) -> Edges:
    return np.column_stack([tails, draw.below(np.full(tails.size, size))])


def _earlier(nodes: Numbers, draw: Draw) -> Edges:
    """From each node to one with a smaller number, mostly a little smaller."""
    later = nodes[nodes > 0]
    return np.column_stack([later, later - 1 - draw.below(later, skew=8.0)])


def _small(parts: Edges, size: int) -> Numbers:
    """The nodes all of whose parts have none."""
    smallest = np.isin(parts[:, 0], leaves(parts, size))
    return leaves(parts[~smallest], size)


def _rows(parts: Edges, members: Numbers) -> Edges:
    """Those of the parts of every fifth whole, one after the other; of several wholes of a part
    one counts. (With all wholes, in the end all processes would precede each other.)"""
    tails, first = np.unique(parts[:, 0], return_index=True)
    firsts = np.column_stack([tails, parts[first, 1]])
    chosen = firsts[np.isin(tails, members) & (firsts[:, 1] % 5 == 0)]
    ordered = chosen[np.lexsort((chosen[:, 0], chosen[:, 1]))]
    together = ordered[1:, 1] == ordered[:-1, 1]
    return np.column_stack([ordered[:-1, 0], ordered[1:, 0]])[together]


def some(nodes: Numbers, share: float, draw: Draw) -> Numbers:
    return nodes[draw.part(nodes.size) < share]


def leaves(edges: Edges, size: int) -> Numbers:
    """The nodes without parts."""
    return np.setdiff1d(np.arange(size), edges[:, 1])


def roots(edges: Edges, size: int) -> Numbers:
    """The nodes that are no parts."""
    return np.setdiff1d(np.arange(size), edges[:, 0])


def term(name: str) -> str:
    return f"<{NAMESPACE}{name}>"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("size", type=int, nargs="?", default=1000, help="(%(default)s)")
    parser.add_argument("file", nargs="?", help="standard output if left out")
    parser.add_argument("--seed", type=int, default=SEED, help="(%(default)s)")
    options = parser.parse_args()
    text = ntriples(triples(options.size, options.seed))
    if options.file is None:
        sys.stdout.write(text)
    else:
        Path(options.file).write_text(text)


if __name__ == "__main__":
    main()
