"""What `closures.py` asks of one closed relation, however it is kept: all ways in one process, in
turn, so that the machine is the same to each of them.

Nodes and pairs are drawn from the stated facts alone. The table is asked as rules ask it, by ids;
the views of the knowledge base and SPARQL as users do.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np
from closure_runs import Run
from rdflib import Graph

import rdfinc
from rdfinc.plugins.rdflib_store import RdfincStore

PAIRS = 100_000  # that are looked up at once
NODES = 1000  # that are joined at once
JOINS = 20

Questions = dict[str, Callable[[], object]]


def asked(
    run: Run, storages: Sequence[str], count: int, repetitions: int, most: int
) -> list[dict[str, float]]:
    """For each storage the median seconds of each question, as the processor counts them. What
    takes all pairs is left out if there are more than `most`."""
    bases = [replace(run, storage=storage).closed() for storage in storages]
    all_questions = [questions(run, kb, count, most) for kb in bases]
    found: list[dict[str, float]] = [{} for _ in storages]
    for name in all_questions[0]:
        times: list[list[float]] = [[] for _ in storages]
        for _ in range(1 + repetitions):
            for mine, some in zip(times, all_questions, strict=True):
                mine.append(spent(some[name]))
        for medians, mine in zip(found, times, strict=True):
            medians[name] = statistics.median(mine[1:])  # indexes are made when first asked for
    return found


def spent(ask: Callable[[], object]) -> float:
    """Seconds of this process, whatever others do meanwhile."""
    start = time.process_time()
    answer = ask()
    seconds = time.process_time() - start
    del answer  # freeing it is not part of the work
    return seconds


def questions(run: Run, kb: rdfinc.KnowledgeBase, count: int, most: int) -> Questions:
    draw = Random(2)
    sample = draw.choices(run.stated(), k=PAIRS)
    tails, heads = [s for s, _, _ in sample], [o for _, _, o in sample]
    half = PAIRS // 2
    heads[:half] = draw.sample(heads[:half], half)  # that many are likely not there
    ids = kb.dictionary.find_many([term.encode() for term in (run.relation, *tails, *heads)])
    relation, subjects, objects = ids[:1].item(), ids[1 : 1 + PAIRS], ids[1 + PAIRS :]
    reader = kb.reader()
    table, closure = reader.version.closure.get(relation), reader.closure
    keys = subjects.astype(np.uint64) << np.uint64(32) | objects
    few = slice(half - count // 2, half + count // 2)
    pairs, starts, ends = keys[few].tolist(), subjects[few].tolist(), objects[few].tolist()
    graph = Graph(store=RdfincStore(kb))
    between = "SELECT (COUNT(?y) AS ?n) WHERE {{ {0} {1} ?y . ?y {1} {2} }}"
    texts = [between.format(s, run.relation, o) for s, o in zip(tails[:JOINS], heads, strict=False)]
    every = f"SELECT (COUNT(?x) AS ?n) WHERE {{ ?x {run.relation} ?y FILTER(?x != ?y) }}"
    asks: Questions = {
        "pairs, one by one": lambda: [table.has(key) for key in pairs],
        "pairs, all at once": lambda: table.contains(keys),
        "objects, one by one": lambda: [table.objects(s) for s in starts],
        "subjects, one by one": lambda: [table.subjects(o) for o in ends],
        "objects of 1 000": lambda: table.by_subjects(subjects[:NODES]),
        "subjects of 1 000": lambda: table.by_objects(objects[:NODES]),
        "how many objects": lambda: [table.count(s, None) for s in starts],
        "how many subjects": lambda: [table.count(None, o) for o in ends],
        "how many pairs": lambda: closure.count(None, relation, None),
        "in a view": lambda: [list(closure.match(s, relation, None)) for s in starts],
        "between two, SPARQL": lambda: [list(graph.query(text)) for text in texts],
    }
    if len(table) <= most:
        asks["all pairs, SPARQL"] = lambda: list(graph.query(every))
        asks["all pairs, triples"] = lambda: sum(1 for _ in closure.match(None, relation, None))
    return asks
