"""What `closures.py` measures of one knowledge base, each run in a process of its own.

The facts come from a file of N-Triples; rules or an ontology from another one are added to them.
What is drawn is a function of the facts alone, so the same for each way of storing the closure.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from rdflib import Graph

import rdfinc
from rdfinc.plugins.rdflib_store import RdfincStore

SMALL, LARGE = 0.01, 0.25  # of the stated facts; a small update has at most SMALL_MOST
SMALL_MOST = 1000
JOINS = 20

Fact = tuple[str, str, str]
Times = dict[str, list[float]]


@dataclass(frozen=True)
class Run:
    """A knowledge base to be: `relation` is the closed one, an N-Triples term."""

    storage: str
    profile: str
    facts: Path
    rules: Path
    relation: str

    def loaded(self) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase(profile=self.profile, storage=self.storage)
        kb.load(self.facts)
        return kb

    def closed(self) -> rdfinc.KnowledgeBase:
        kb = self.loaded()
        kb.load(self.rules)
        return kb

    def stated(self) -> list[Fact]:
        words = (line[:-2].split(" ") for line in self.facts.read_text().splitlines())
        return [(s, p, o) for s, p, o in words]


def materialised(run: Run) -> dict[str, Any]:
    """Everything derived from the loaded facts: seconds, sizes and memory."""
    kb = run.loaded()
    gc.collect()
    before = resident()
    seconds = timed(lambda: kb.load(run.rules))
    gc.collect()
    size = kb.stats()
    return {"seconds": [seconds], "facts": size["facts"], "own": size["bytes_facts"],
            "static": resident() - before}  # fmt: skip


def maintained(run: Run, singles: int, repetitions: int) -> Times:
    """Facts deleted and put back: one by one, a few, many. What comes back is what was there."""
    kb, stated, draw = run.closed(), run.stated(), Random(1)
    few = max(min(int(len(stated) * SMALL), SMALL_MOST), 1)
    times: Times = {}
    for fact in draw.sample(stated, min(singles, len(stated))):
        there_and_back(kb, [fact], "one", times)
    for _ in range(repetitions):
        there_and_back(kb, draw.sample(stated, few), "few", times)
    there_and_back(kb, draw.sample(stated, max(int(len(stated) * LARGE), 1)), "many", times)
    return times


def there_and_back(kb: rdfinc.KnowledgeBase, facts: list[Fact], name: str, times: Times) -> None:
    size = len(kb)
    times.setdefault(f"delete {name}", []).append(timed(lambda: kb.update(delete=facts)))
    times.setdefault(f"insert {name}", []).append(timed(lambda: kb.update(insert=facts)))
    if len(kb) != size:
        raise SystemExit(
            f"{len(kb)} facts after {len(facts)} were deleted and put back, not {size}"
        )


def queried(run: Run, count: int) -> Times:
    """Questions to the closed relation, by ids, and joins of it with itself, in SPARQL."""
    kb, draw = run.closed(), Random(2)
    sample = draw.choices(run.stated(), k=count)
    tails, heads = [s for s, _, _ in sample], [o for _, _, o in sample]
    draw.shuffle(heads)
    find, closure = kb.dictionary.find, kb.reader().closure
    relation = find(run.relation.encode())
    assert relation is not None
    pairs = [(find(s.encode()), find(o.encode())) for s, o in zip(tails, heads, strict=True)]
    graph = Graph(store=RdfincStore(kb))
    between = "SELECT (COUNT(?y) AS ?n) WHERE {{ {0} {1} ?y . ?y {1} {2} }}"
    texts = [
        between.format(s, run.relation, o) for s, o in list(zip(tails, heads, strict=True))[:JOINS]
    ]
    return {
        "is a pair there": each(lambda pair: (pair[0], relation, pair[1]) in closure, pairs),
        "objects of a node": each(lambda pair: closure.columns(pair[0], relation, None), pairs),
        "subjects of a node": each(lambda pair: closure.columns(None, relation, pair[1]), pairs),
        "how many pairs": each(lambda _: closure.count(None, relation, None), range(3)),
        "nodes between two": each(lambda text: list(graph.query(text)), texts),
    }


def each(ask: Callable[[Any], object], questions: Iterable[Any]) -> list[float]:
    return [timed(lambda question=question: ask(question)) for question in questions]


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    result = action()
    elapsed = time.perf_counter() - start
    del result  # freeing it is not part of the work
    return elapsed


def resident() -> int:
    """The bytes of memory in use by this process; where nobody tells, the most there were."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak * (1 if sys.platform == "darwin" else 1024)
