"""The interval table by itself: closures of large graphs, their memory, revisions and reading.

    python examples/benchmarks/interval_table.py
    python examples/benchmarks/interval_table.py --graphs random categories --steps 100

Graphs: *random*, 100,000 edges between 10,000 nodes, without cycles; *local*, 250,000 edges
between 100,000 nodes, most of them to a node not far above; *categories*, 1.4 million edges from
child to parent between 700,000 nodes, few parents having most children, with cycles among the
most general. Facts are deleted and inserted again, each time from and to the whole graph: a
thousand at a time, and one at a time. Times of single changes are the median, the 95th percentile
and the longest.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from measure import Candidate, duration, seconds, show, side_by_side
from numpy.typing import NDArray

from rdfinc.tables.closure.intervals.interval_table import Interval
from rdfinc.tables.sorted_pairs import SortedPairs

Keys = NDArray[np.uint64]
SHIFT = np.uint64(32)
MANY = 1000


def keys(subjects: NDArray[np.int64], objects: NDArray[np.int64]) -> Keys:
    return np.unique(subjects.astype(np.uint64) << SHIFT | objects.astype(np.uint64))


def random_graph(rng: np.random.Generator) -> Keys:
    ends = np.sort(rng.integers(1, 10_001, (2, 110_000)), axis=0)
    found = keys(*ends[:, ends[0] != ends[1]])
    return np.sort(rng.permutation(found)[:100_000])


def local_graph(rng: np.random.Generator) -> Keys:
    nodes = 100_000
    child = np.concatenate((np.arange(2, nodes + 1), rng.integers(2, nodes + 1, 150_000)))
    step = np.minimum(rng.pareto(1.0, child.size) * 200 + 1, child - 1).astype(np.int64)
    return keys(child, child - step)


def categories(rng: np.random.Generator) -> Keys:
    nodes = 700_000
    child = np.concatenate((np.arange(2, nodes + 1), rng.integers(2, nodes + 1, 692_000)))
    parent = (rng.random(child.size) ** 3 * (child - 1)).astype(np.int64) + 1
    general = rng.integers(1, 5000, 9000)
    special = general + 1 + (rng.pareto(1.0, general.size) * 20).astype(np.int64)
    name = np.append(0, rng.permutation(nodes) + 1)
    child = np.concatenate((child, general))
    parent = np.concatenate((parent, np.minimum(special, nodes)))
    return keys(name[child], name[parent])


GRAPHS: dict[str, Callable[[np.random.Generator], Keys]] = {
    "random": random_graph,
    "local": local_graph,
    "categories": categories,
}


def facts(held: Keys) -> SortedPairs:
    """The external facts, in both orders."""
    table = SortedPairs(held)
    assert table.swapped.size == held.size
    return table


def closed(external: SortedPairs) -> Interval:
    return Interval.of(external, diagonal=True)


def closures(name: str, external: SortedPairs, repetitions: int) -> Interval:
    table = closed(external)
    bytes_ = f"{table.nbytes() / 1e6:.1f} MB beside the facts"
    print(f"{name}: {len(external):,} edges, {len(table):,} pairs, {bytes_}")
    show(side_by_side([Candidate("closure", lambda _: closed(external))], repetitions))
    return table


def in_one(
    table: Interval, external: SortedPairs, rng: np.random.Generator, repetitions: int
) -> None:
    gone = np.sort(rng.permutation(external.keys)[:MANY])
    rest = facts(np.setdiff1d(external.keys, gone))
    less = table.after_edges(rest, gone, [])
    candidates = [
        Candidate("1,000 deletions", lambda _: table.after_edges(rest, gone, [])),
        Candidate("1,000 insertions", lambda _: less.after_edges(external, [], gone)),
        Candidate("what they delete", lambda _: table.beyond(less)),
    ]
    show(side_by_side(candidates, repetitions))


def one_by_one(
    table: Interval, external: SortedPairs, rng: np.random.Generator, steps: int
) -> None:
    """Each version is revised from the one before."""
    times: dict[str, list[float]] = {"deletion": [], "insertion": []}
    for key in rng.permutation(external.keys)[:steps].tolist():
        rest = facts(np.setdiff1d(external.keys, [np.uint64(key)]))
        taken, table = timed(table, rest, [key], [])
        times["deletion"].append(taken)
        taken, table = timed(table, external, [], [key])
        times["insertion"].append(taken)
    for name, found in times.items():
        middle, high = np.percentile(found, (50, 95))
        shown = " ".join(f"{duration(t):>10}" for t in (middle, high, max(found)))
        print(f"  one {name:12} {shown}")


def timed(
    table: Interval, external: SortedPairs, gone: list[int], new: list[int]
) -> tuple[float, Interval]:
    """(seconds, the revised table)."""
    found: list[Interval] = []
    taken = seconds(Candidate("", lambda _: found.append(table.after_edges(external, gone, new))))
    return taken, found[0]


def reading(table: Interval, external: SortedPairs, rng: np.random.Generator) -> None:
    ends = (external.keys >> SHIFT, external.keys & np.uint64(0xFFFFFFFF))
    probes = [rng.choice(end, 20_000) for end in ends]
    asked = (probes[0] << SHIFT | probes[1]).tolist()
    for name, work, run in questions(table, probes, asked):
        taken = seconds(Candidate(name, lambda _, run=run: run()))
        print(f"  {name:14} {work / taken:>14,.0f}/s")


def questions(
    table: Interval, probes: list[Keys], asked: list[int]
) -> Iterator[tuple[str, int, Callable[[], object]]]:
    """(name, how many answers, what gives them)."""
    yield "has", len(asked), lambda: [table.has(key) for key in asked]
    for name, join, probe in (
        ("by_subjects", table.by_subjects, probes[0]),
        ("by_objects", table.by_objects, probes[1]),
    ):
        some = probe[:500].astype(np.uint32)
        yield name, join(some)[0].size, lambda join=join, some=some: join(some)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphs", nargs="+", choices=list(GRAPHS), default=list(GRAPHS))
    parser.add_argument("--steps", type=int, default=100, help="single changes (%(default)s)")
    parser.add_argument("--repetitions", type=int, default=5, help="(%(default)s)")
    options = parser.parse_args()
    for name in options.graphs:
        rng = np.random.default_rng(1)
        external = facts(GRAPHS[name](rng))
        table = closures(name, external, options.repetitions)
        in_one(table, external, rng, options.repetitions)
        one_by_one(table, external, rng, options.steps)
        reading(table, external, rng)


if __name__ == "__main__":
    main()
