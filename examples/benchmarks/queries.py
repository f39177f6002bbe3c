"""The 14 university queries over the closure, text parsed each time and all rows decoded, beside
pyoxigraph, rdflib, and oxrdflib where that is installed.

    python examples/benchmarks/queries.py
    python examples/benchmarks/queries.py --universities 1 5 10

All hold the same closure, computed by rdfinc and handed on; nobody keeps results. First every query
is asked after an update (a statement added, the one before taken back, which is not timed), then
again and again. rdflib's own memory store answers over one department, because it takes minutes for
a whole university, and is spared query 9, which takes it half a minute even then.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
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
NOTE = rdflib.URIRef("http://example.org/note")


@dataclass(frozen=True)
class Peer:
    """A library with the closure: `ask` gives a query's rows as terms of its own, `state` and
    `withdraw` change one statement."""

    ask: Callable[[str], list[Any]]
    state: Callable[[int], object]
    withdraw: Callable[[int], object]


def note(number: int) -> tuple[Any, Any, Any]:
    return rdflib.URIRef(f"http://example.org/note{number}"), NOTE, rdflib.Literal(number)


def in_rdflib(graph: rdflib.Graph) -> Peer:
    return Peer(
        lambda query: list(graph.query(query)),
        lambda number: graph.add(note(number)).commit(),
        lambda number: graph.remove(note(number)).commit(),
    )


def rdfinc_peer(kb: rdfinc.KnowledgeBase) -> Peer:
    return in_rdflib(rdflib.Graph(store=RdfincStore(kb)))


def oxigraph_peer(closure: Path) -> Peer:
    store = pyoxigraph.Store()
    store.bulk_load(path=closure)
    store.optimize()

    def quad(number: int) -> pyoxigraph.Quad:
        s, p, o = note(number)
        value = pyoxigraph.Literal(str(o))
        return pyoxigraph.Quad(pyoxigraph.NamedNode(s), pyoxigraph.NamedNode(p), value)

    return Peer(
        lambda query: [tuple(row) for row in store.query(query)],
        lambda number: store.add(quad(number)),
        lambda number: store.remove(quad(number)),
    )


def oxrdflib_peer(closure: Path) -> Peer:
    return in_rdflib(rdflib.Graph(store="Oxigraph").parse(closure, format="ox-nt"))


def rdflib_peer(closure: Path) -> Peer:
    return in_rdflib(rdflib.Graph().parse(closure, format="nt"))


def closure_of(inputs: Inputs) -> tuple[rdfinc.KnowledgeBase, Path]:
    kb = inputs.closed()
    path = inputs.data.with_name("closure.nt")
    kb.dump(path)
    return kb, path


def agree(peers: dict[str, Peer], query: str) -> int:
    """How many rows the query has, the same number for everyone."""
    counts = {name: len(peer.ask(query)) for name, peer in peers.items()}
    assert len(set(counts.values())) == 1, counts
    return next(iter(counts.values()))


def after_update(peer: Peer, query: str) -> Callable[[], str]:
    """Changes a statement and hands the query on."""
    numbers = itertools.count(1)

    def prepare() -> str:
        number = next(numbers)
        peer.withdraw(number - 1)
        peer.state(number)
        return query

    return prepare


def again(peer: Peer, query: str) -> Callable[[], str]:
    return lambda: query


Prepare = Callable[[Peer, str], Callable[[], str]]


def compare(
    peers: dict[str, Peer], queries: dict[str, str], prepare: Prepare, repetitions: int
) -> None:
    totals = [Timing(name) for name in peers]
    print(f"  {'':4}{'rows':>8}" + "".join(f"{name:>12}" for name in peers) + "   (medians)")
    for name, query in queries.items():
        timings = side_by_side(
            [Candidate(each, peer.ask, prepare(peer, query)) for each, peer in peers.items()],
            repetitions,
        )
        for total, timing in zip(totals, timings, strict=True):
            total.add(timing)
        shown = "".join(f"{duration(timing.median):>12}" for timing in timings)
        print(f"  {name:4}{agree(peers, query):>8,}{shown}   {ratio(timings[1], timings[0])}")
    print(f"all {len(queries)}:")
    show(totals)


def beside_oxigraph(kb: rdfinc.KnowledgeBase, path: Path, repetitions: int) -> None:
    peers = {"rdfinc": rdfinc_peer(kb), "pyoxigraph": oxigraph_peer(path)}
    if find_spec("oxrdflib"):
        peers["oxrdflib"] = oxrdflib_peer(path)
    for title, prepare in (("after an update", after_update), ("repeated", again)):
        print(f"{len(kb):,} facts, each query {title}")
        compare(peers, university.queries(), prepare, repetitions)


def beside_rdflib(kb: rdfinc.KnowledgeBase, path: Path, repetitions: int) -> None:
    print(f"{len(kb):,} facts, beside rdflib's memory store")
    peers = {"rdfinc": rdfinc_peer(kb), "rdflib": rdflib_peer(path)}
    queries = university.queries()
    fast = {name: text for name, text in queries.items() if name not in SLOW_IN_RDFLIB}
    compare(peers, fast, again, repetitions)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, nargs="+", default=[1], help="(1)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--rdflib-departments", type=int, default=1, help="(1), 0 for none")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        for universities in options.universities:
            inputs = Inputs(Path(folder), universities, options.departments)
            beside_oxigraph(*closure_of(inputs), options.repetitions)
        if options.rdflib_departments:
            inputs = Inputs(Path(folder), 1, options.rdflib_departments)
            beside_rdflib(*closure_of(inputs), options.repetitions)


if __name__ == "__main__":
    main()
