"""Single deletions and insertions in a closure, beside computing it again.

    python examples/benchmarks/updates.py
    python examples/benchmarks/updates.py --universities 10 --facts 1000

Facts are drawn from all stated facts, those of the ontology included. Each is deleted and put
back, through `KnowledgeBase.update` and through `Graph.remove` and `Graph.add` (with `commit`,
because a graph collects changes until the next read or commit), in turn. The first round over all
facts is shown apart. "re-materialise" does some of the same updates by computing the closure
again. owlrl can only compute it again, and does so for a few departments.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from closure import Inputs, expand
from measure import REPETITIONS, duration
from rdflib import Graph
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


class ThroughOwlrl(Way):
    """The closure of what is stated after the update; putting that into a graph is not timed."""

    def __init__(self, name: str, stated: Iterable[Triple]) -> None:
        self.name, self._stated = name, dict.fromkeys(stated)

    def delete(self, fact: Triple) -> float:
        del self._stated[fact]
        return self._expand()

    def insert(self, fact: Triple) -> float:
        self._stated[fact] = None
        return self._expand()

    def _expand(self) -> float:
        graph = Graph()
        graph.addN((s, p, o, graph) for s, p, o in self._stated)
        start = time.perf_counter()
        expand(graph)
        return time.perf_counter() - start


class Record:
    """The seconds of one kind of update in one way: by fact, one entry a round."""

    def __init__(self) -> None:
        self.by_fact: dict[Triple, list[float]] = defaultdict(list)

    def first(self) -> list[float]:
        return [seconds[0] for seconds in self.by_fact.values()]

    def repeated(self) -> list[float]:
        return [s for seconds in self.by_fact.values() for s in seconds[1:]]

    def by_predicate(self) -> dict[Node, list[float]]:
        grouped: dict[Node, list[float]] = defaultdict(list)
        for (_, predicate, _), seconds in self.by_fact.items():
            grouped[predicate] += seconds[1:]
        return grouped


Records = dict[str, Record]  # by way


def rounds(ways: Sequence[Way], facts: Sequence[Triple], repetitions: int) -> tuple[Records, Records]:
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


def show(kind: str, records: Records) -> None:
    width = max(map(len, records))
    head = ("first", "median", "quartiles", "", "95th", "worst")
    print(f"  {kind:{width}}" + "".join(f"{title:>11}" for title in head) + "  ratio")
    medians = {name: statistics.median(record.repeated()) for name, record in records.items()}
    reference = next(iter(medians.values()))
    for name, record in records.items():
        seconds = record.repeated()
        low, middle, high = statistics.quantiles(seconds, n=4, method="inclusive")
        late = statistics.quantiles(seconds, n=20, method="inclusive")[-1]
        columns = (statistics.median(record.first()), middle, low, high, late, max(seconds))
        shown = "".join(f"{duration(column):>11}" for column in columns)
        print(f"  {name:{width}}{shown}  {medians[name] / reference:,.1f}")


def show_predicates(deletion: Record, insertion: Record) -> None:
    print(f"  {'by predicate':28}{'updates':>8}{'delete':>11}{'worst':>11}{'insert':>11}{'worst':>11}")
    inserted = insertion.by_predicate()
    slowest = sorted(deletion.by_predicate().items(), key=lambda item: -max(item[1]))
    for predicate, deleted in slowest:
        columns = [f(seconds) for seconds in (deleted, inserted[predicate]) for f in (statistics.median, max)]
        shown = "".join(f"{duration(column):>11}" for column in columns)
        print(f"  {local_name(predicate):28}{len(deleted):>8}{shown}")


def local_name(iri: Node) -> str:
    return str(iri).replace("#", "/").rsplit("/", 1)[-1]


def drawn(kb: rdfinc.KnowledgeBase, count: int, seed: int) -> list[Triple]:
    """Facts of the knowledge base, drawn from all stated ones."""
    stated = list(kb.explicit.triples((None, None, None)))
    return random.Random(seed).sample(stated, min(count, len(stated)))


def side_by_side(inputs: Inputs, facts: int, again: int, repetitions: int, seed: int) -> None:
    kb = inputs.closed()
    print(f"{len(kb.explicit):,} stated facts, {len(kb):,} with the derived ones")
    sample = drawn(kb, facts, seed)
    ways = [ThroughUpdate("kb.update", kb), ThroughGraph("Graph.remove/add", inputs.closed())]
    deletions, insertions = rounds(ways, sample, repetitions)
    if again:
        anew = ThroughUpdate("re-materialise", inputs.closed(maintenance="rematerialise"))
        for records, more in zip((deletions, insertions), rounds([anew], sample[:again], repetitions), strict=True):
            records.update(more)
    show("delete", deletions)
    show("insert", insertions)
    show_predicates(deletions["kb.update"], insertions["kb.update"])


def beside_owlrl(inputs: Inputs, repetitions: int, seed: int) -> None:
    kb = inputs.closed()
    stated = list(kb.explicit.triples((None, None, None)))
    print(f"{len(stated):,} stated facts, beside owlrl: one fact, deleted and put back")
    ways = [ThroughUpdate("kb.update", kb), ThroughOwlrl("owlrl", stated)]
    deletions, insertions = rounds(ways, drawn(kb, 1, seed), repetitions)
    show("delete", deletions)
    show("insert", insertions)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, default=1, help="(1)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--facts", type=int, default=1000, help="how many are drawn (1000)")
    parser.add_argument("--again", type=int, default=2, help="how many re-materialise (2)")
    parser.add_argument("--owlrl-departments", type=int, default=1, help="(1), 0 for none")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(Path(folder), options.universities, options.departments)
        side_by_side(inputs, options.facts, options.again, options.repetitions, options.seed)
        if options.owlrl_departments:
            small = Inputs(Path(folder), 1, options.owlrl_departments)
            beside_owlrl(small, options.repetitions, options.seed)


if __name__ == "__main__":
    main()
