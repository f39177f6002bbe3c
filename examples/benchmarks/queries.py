"""The 14 university queries over the closure, rows decoded, beside pyoxigraph and rdflib.

    python examples/benchmarks/queries.py
    python examples/benchmarks/queries.py --universities 5

All three hold the same closure, computed by rdfinc and handed on; nobody keeps results. rdflib's
own memory store answers over one department, because it takes minutes for a whole university,
and is spared query 9, which takes it half a minute even then.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyoxigraph
import rdflib
from closure import Inputs
from measure import REPETITIONS, Candidate, Timing, duration, ratio, show, side_by_side

import rdfinc
from rdfinc import university
from rdfinc.plugins.rdflib_store import RdfincStore

SLOW_IN_RDFLIB = {"q09"}

Ask = Callable[[str], list[Any]]  # a query's rows, as terms of the library's own


def ask_rdfinc(kb: rdfinc.KnowledgeBase) -> Ask:
    graph = rdflib.Graph(store=RdfincStore(kb))
    return lambda query: list(graph.query(query))


def ask_oxigraph(closure: Path) -> Ask:
    store = pyoxigraph.Store()
    store.bulk_load(path=closure)
    store.optimize()
    return lambda query: [tuple(row) for row in store.query(query)]


def ask_rdflib(closure: Path) -> Ask:
    graph = rdflib.Graph().parse(closure, format="nt")
    return lambda query: list(graph.query(query))


def closure_of(inputs: Inputs) -> tuple[rdfinc.KnowledgeBase, Path]:
    kb = inputs.closed()
    path = inputs.data.with_name("closure.nt")
    kb.dump(path)
    return kb, path


def agree(peers: dict[str, Ask], query: str) -> int:
    """How many rows the query has, the same number for everyone."""
    counts = {name: len(ask(query)) for name, ask in peers.items()}
    assert len(set(counts.values())) == 1, counts
    return next(iter(counts.values()))


def compare(peers: dict[str, Ask], queries: dict[str, str], repetitions: int) -> None:
    totals = [Timing(name) for name in peers]
    print(f"  {'':4}{'rows':>8}" + "".join(f"{name:>12}" for name in peers) + "   (medians)")
    for name, query in queries.items():
        timings = side_by_side(
            [Candidate(peer, ask, lambda query=query: query) for peer, ask in peers.items()],
            repetitions,
        )
        for total, timing in zip(totals, timings, strict=True):
            total.add(timing)
        shown = "".join(f"{duration(timing.median):>12}" for timing in timings)
        print(f"  {name:4}{agree(peers, query):>8,}{shown}   {ratio(timings[1], timings[0])}")
    print(f"all {len(queries)}:")
    show(totals)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, default=1, help="(1)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--rdflib-departments", type=int, default=1, help="(1), 0 for none")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        kb, path = closure_of(Inputs(Path(folder), options.universities, options.departments))
        print(f"{len(kb):,} facts")
        queries = university.queries()
        peers = {"rdfinc": ask_rdfinc(kb), "pyoxigraph": ask_oxigraph(path)}
        compare(peers, queries, options.repetitions)
        if options.rdflib_departments:
            kb, path = closure_of(Inputs(Path(folder), 1, options.rdflib_departments))
            print(f"{len(kb):,} facts, beside rdflib's memory store")
            peers = {"rdfinc": ask_rdfinc(kb), "rdflib": ask_rdflib(path)}
            fast = {name: text for name, text in queries.items() if name not in SLOW_IN_RDFLIB}
            compare(peers, fast, options.repetitions)


if __name__ == "__main__":
    main()
