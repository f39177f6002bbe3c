"""Single deletions and insertions in a closure, beside computing it again.

    python examples/benchmarks/updates.py
    python examples/benchmarks/updates.py --universities 10 --facts 1000

Facts are drawn from all stated facts, those of the ontology included. Each is deleted and put
back, through `KnowledgeBase.update` and through `Graph.remove` and `Graph.add` (with `commit`,
because a graph collects changes until the next read or commit), in turn; and all of them one after
the other in a `KnowledgeBase.stream`. In another stream, `passing`, they are said of new subjects,
of which each goes when all others came. The first round over all facts is shown apart.
"re-materialise" computes the closure again from loaded facts; owlrl can only do the same, and does
so for one department.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import measure
from closure import Inputs, expand
from measure import (
    REPETITIONS,
    Candidate,
    at_least_one,
    duration,
    quantiles,
    seconds,
    side_by_side,
)
from rdflib import Graph, URIRef
from rdflib.term import Node

import rdfinc
from rdfinc.plugins.rdflib_store import RdfincStore

Triple = tuple[Node, Node, Node]


class Way(ABC):
    """A way to keep a closure up to date: each update gives the seconds it took."""

    name: str

    @abstractmethod
    def delete(self, fact: Triple) -> float: ...

    @abstractmethod
    def insert(self, fact: Triple) -> float: ...


class ThroughUpdate(Way):
    def __init__(self, name: str, kb: rdfinc.KnowledgeBase) -> None:
        self.name, self._kb = name, kb

    def delete(self, fact: Triple) -> float:
        start = time.perf_counter()
        self._kb.update(delete=[fact])
        return time.perf_counter() - start

    def insert(self, fact: Triple) -> float:
        start = time.perf_counter()
        self._kb.update(insert=[fact])
        return time.perf_counter() - start


class ThroughGraph(Way):
    def __init__(self, name: str, kb: rdfinc.KnowledgeBase) -> None:
        self.name, self._graph = name, Graph(store=RdfincStore(kb))

    def delete(self, fact: Triple) -> float:
        start = time.perf_counter()
        self._graph.remove(fact)
        self._graph.commit()
        return time.perf_counter() - start

    def insert(self, fact: Triple) -> float:
        start = time.perf_counter()
        self._graph.add(fact)
        self._graph.commit()
        return time.perf_counter() - start


class Recomputed(Way):
    """The closure computed again from the stated facts: what it costs does not depend on which."""

    def __init__(self, candidate: Candidate) -> None:
        self.name, self._candidate = candidate.name, candidate

    def delete(self, fact: Triple) -> float:
        return seconds(self._candidate)

    def insert(self, fact: Triple) -> float:
        return seconds(self._candidate)


class Record:
    """The seconds of one kind of update in one way: by fact, one entry a round."""

    def __init__(self) -> None:
        self.by_fact: dict[Triple, list[float]] = defaultdict(list)

    def first(self) -> list[float]:
        return [runs[0] for runs in self.by_fact.values()]

    def repeated(self) -> list[float]:
        return [one for runs in self.by_fact.values() for one in runs[1:]]

    def by_predicate(self) -> dict[Node, list[float]]:
        grouped: dict[Node, list[float]] = defaultdict(list)
        for (_, predicate, _), runs in self.by_fact.items():
            grouped[predicate] += runs[1:]
        return grouped


Records = dict[str, Record]  # by way
Recorded = tuple[Records, Records]  # of deletions and insertions


def rounds(ways: Sequence[Way], facts: Sequence[Triple], repetitions: int) -> Recorded:
    """Every fact deleted and put back in every way, in turn; what the two took."""
    deletions: Records = {way.name: Record() for way in ways}
    insertions: Records = {way.name: Record() for way in ways}
    for _ in range(1 + repetitions):
        for fact in facts:
            for way in ways:
                deletions[way.name].by_fact[fact].append(way.delete(fact))
            for way in ways:
                insertions[way.name].by_fact[fact].append(way.insert(fact))
    return deletions, insertions


Update = tuple[list[Triple], list[Triple]]  # withdrawn, stated


def streamed(kb: rdfinc.KnowledgeBase, facts: Sequence[Triple], repetitions: int) -> Recorded:
    """Every fact deleted and put back in a stream, which nothing else comes between."""
    updates: list[Update] = []
    for fact in facts:
        updates += ([fact], []), ([], [fact])
    names = {fact: fact for fact in facts}
    return in_stream("kb.stream", kb, updates * (1 + repetitions), names)


def passing(kb: rdfinc.KnowledgeBase, facts: Sequence[Triple], repetitions: int) -> Recorded:
    """Every fact said of a new subject in each round, to be deleted in the next."""
    updates: list[Update] = []
    names: dict[Triple, Triple] = {}
    said: list[Triple] = []
    for number, (_, predicate, object_) in enumerate(facts * (2 + repetitions)):
        said.append((URIRef(f"http://example.org/passing/{number}"), predicate, object_))
        names[said[-1]] = facts[number % len(facts)]
        updates.append(([], said[-1:]))
        if number >= len(facts):
            updates.append(([said[number - len(facts)]], []))
    return in_stream("passing", kb, updates, names)


def in_stream(
    name: str,
    kb: rdfinc.KnowledgeBase,
    updates: Sequence[Update],
    names: Mapping[Triple, Triple],
) -> Recorded:
    """What each update of a stream took, under the `names` of its facts; deltas are held until the
    next one is there, as a loop does."""
    deletions, insertions = Record(), Record()
    start = time.perf_counter()
    for (deleted, inserted), _delta in zip(updates, kb.stream(updates), strict=True):
        took = time.perf_counter() - start
        for record, changed in ((deletions, deleted), (insertions, inserted)):
            for fact in changed:
                record.by_fact[names[fact]].append(took)
        start = time.perf_counter()
    return {name: deletions}, {name: insertions}


def show(kind: str, records: Records) -> None:
    width = max(map(len, records))
    head = ("first", "median", "quartiles", "", "95th", "worst")
    print(f"  {kind:{width}}" + "".join(f"{title:>11}" for title in head) + "  ratio")
    medians = {name: median(record.repeated()) for name, record in records.items()}
    reference = next(iter(medians.values()))
    for name, record in records.items():
        runs = record.repeated()
        low, middle, high = quantiles(runs, 4)
        late = quantiles(runs, 20)[-1]
        columns = (median(record.first()), middle, low, high, late, max(runs))
        shown = "".join(f"{duration(column):>11}" for column in columns)
        print(f"  {name:{width}}{shown}  {medians[name] / reference:,.1f}")


def show_predicates(deletion: Record, insertion: Record) -> None:
    """Slowest deletion first."""
    head = "".join(f"{title:>11}" for title in ("delete", "worst", "insert", "worst"))
    print(f"  {'in the stream, by predicate':28}{'updates':>8}{head}")
    inserted = insertion.by_predicate()
    for predicate, deleted in sorted(deletion.by_predicate().items(), key=lambda it: -max(it[1])):
        columns = [f(runs) for runs in (deleted, inserted[predicate]) for f in (median, max)]
        shown = "".join(f"{duration(column):>11}" for column in columns)
        print(f"  {local_name(predicate):28}{len(deleted):>8}{shown}")


def local_name(iri: Node) -> str:
    return str(iri).replace("#", "/").rsplit("/", 1)[-1]


def drawn(kb: rdfinc.KnowledgeBase, count: int, seed: int) -> list[Triple]:
    """Facts of the knowledge base, drawn from all stated ones."""
    stated = list(kb.explicit.triples((None, None, None)))
    return random.Random(seed).sample(stated, min(count, len(stated)))


def single_updates(inputs: Inputs, facts: int, repetitions: int, seed: int) -> None:
    kb = inputs.closed()
    print(f"{len(kb.explicit):,} stated facts, {len(kb):,} with the derived ones")
    sample = drawn(kb, facts, seed)
    ways = [ThroughUpdate("kb.update", kb), ThroughGraph("Graph.remove/add", inputs.closed())]
    deletions, insertions = rounds(ways, sample, repetitions)
    again = Recomputed(inputs.from_loaded("re-materialise"))
    stream, fleeting = streamed(kb, sample, repetitions), passing(kb, sample, repetitions)
    anew = rounds([again], sample[:1], repetitions)
    show("delete", deletions | stream[0] | fleeting[0] | anew[0])
    show("insert", insertions | stream[1] | fleeting[1] | anew[1])
    show_predicates(stream[0]["kb.stream"], stream[1]["kb.stream"])


def beside_owlrl(inputs: Inputs, repetitions: int, seed: int) -> None:
    kb = inputs.closed()
    [fact] = drawn(kb, 1, seed)

    def put_back() -> None:
        kb.update(insert=[fact])

    print(f"one deletion from {len(kb.explicit):,} stated facts, beside owlrl")
    candidates = [
        Candidate("kb.update", lambda _: kb.update(delete=[fact]), put_back),
        inputs.from_loaded("re-materialise"),
        Candidate("owlrl", expand, inputs.rdflib_graph),
    ]
    measure.show(side_by_side(candidates, repetitions))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=at_least_one, default=1, help="(1)")
    parser.add_argument("--departments", type=at_least_one, help="at most so many a university")
    parser.add_argument("--facts", type=at_least_one, default=1000, help="drawn (1000)")
    parser.add_argument("--owlrl-departments", type=int, default=1, help="(1), 0 for none")
    parser.add_argument(
        "--repetitions", type=at_least_one, default=REPETITIONS, help="(%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(Path(folder), options.universities, options.departments)
        single_updates(inputs, options.facts, options.repetitions, options.seed)
        if options.owlrl_departments:
            small = Inputs(Path(folder), 1, options.owlrl_departments)
            beside_owlrl(small, options.repetitions, options.seed)


if __name__ == "__main__":
    main()
