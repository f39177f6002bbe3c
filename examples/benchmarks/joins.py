"""Joins with many intermediate rows and few answers: time beside pyoxigraph, and peak memory.

    python examples/benchmarks/joins.py
    python examples/benchmarks/joins.py --nodes 300 1000 3000 --repetitions 2

All of N nodes are joined with all of N others over one in the middle: N squared rows, of which an
aggregate, DISTINCT, a filter or LIMIT leaves little. The peak is what is allocated at once while
rdfinc answers (tracemalloc, in a run of its own), in all and for each intermediate row.
"""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable

import pyoxigraph
from measure import REPETITIONS, Candidate, megabytes, show, side_by_side

import rdfinc

NAME = "http://example.org/"
PREFIX = f"PREFIX : <{NAME}>"
JOIN = "?a :p ?hub . ?hub :q ?b . ?b :r ?c . ?c :s ?d"

QUERIES = {
    "count": f"SELECT (COUNT(*) AS ?n) {{ {JOIN} }}",
    "groups": f"SELECT ?d (COUNT(*) AS ?n) {{ {JOIN} }} GROUP BY ?d",
    "sum": f"SELECT ?c (SUM(?d) AS ?n) {{ {JOIN} }} GROUP BY ?c",
    "distinct": f"SELECT DISTINCT ?a ?d {{ {JOIN} }}",
    "comparison": f"SELECT (COUNT(*) AS ?n) {{ {JOIN} FILTER(STR(?a) < STR(?b)) }}",
    "first in order": f"SELECT ?a ?b {{ {JOIN} }} ORDER BY ?d ?b ?a LIMIT 10",
}


def triples(nodes: int) -> list[tuple[str, str, str]]:
    """N times N rows of `JOIN`."""
    hub = iri("hub")
    found = [(iri(f"a{i}"), iri("p"), hub) for i in range(nodes)]
    found += [(hub, iri("q"), iri(f"b{i}")) for i in range(nodes)]
    found += [(iri(f"b{i}"), iri("r"), iri(f"c{i % 10}")) for i in range(nodes)]
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    return found + [(iri(f"c{i}"), iri("s"), f'"{i % 3}"^^{integer}') for i in range(10)]


def iri(name: str) -> str:
    return f"<{NAME}{name}>"


def oxigraph(facts: list[tuple[str, str, str]]) -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    lines = "".join(f"{s} {p} {o} .\n" for s, p, o in facts)
    store.load(lines.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return store


def peak(work: Callable[[], object]) -> int:
    """The bytes that are allocated at once."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def compare(nodes: int, repetitions: int) -> None:
    facts = triples(nodes)
    kb, peer = rdfinc.KnowledgeBase(profile="none"), oxigraph(facts)
    kb.update(insert=facts)
    for name, text in QUERIES.items():
        query = f"{PREFIX} {text}"
        ours, theirs = len(list(kb.query(query))), len(list(peer.query(query)))
        assert ours == theirs, (name, ours, theirs)
        most = peak(lambda query=query: list(kb.query(query)))  # type: ignore[misc]
        each = most / nodes**2
        print(
            f"{name}: {nodes**2:,} rows, {ours:,} answers, {megabytes(most)} ({each:.1f} B a row)"
        )
        candidates = [
            Candidate("rdfinc", lambda _, query=query: list(kb.query(query))),  # type: ignore[misc]
            Candidate("pyoxigraph", lambda _, query=query: list(peer.query(query))),  # type: ignore[misc]
        ]
        show(side_by_side(candidates, repetitions))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, nargs="+", default=[1000], help="(1000)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    options = parser.parse_args()
    for nodes in options.nodes:
        compare(nodes, options.repetitions)


if __name__ == "__main__":
    main()
