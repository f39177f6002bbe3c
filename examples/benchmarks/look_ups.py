"""Look-ups and serialisation through rdflib's Graph, beside rdflib's Memory with the same facts.

    python examples/benchmarks/look_ups.py
    python examples/benchmarks/look_ups.py --departments 2 --look-ups 100

All hold the closure of a university: `rdfinc.Graph()`, `rdflib.Graph(store="rdfinc")` and
`rdflib.Graph()`. Processor time of a look-up, or of all facts; how much quicker than Memory's it
is stands in brackets.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import rdflib
from measure import at_least_one

import rdfinc
from rdfinc import university

ROUNDS, ROUNDS_OF_ALL = 5, 3


def graphs(departments: int | None) -> tuple[rdflib.Graph, rdflib.Graph, rdflib.Graph]:
    """The closure in rdfinc, twice, and in Memory."""
    ours, memory = rdfinc.Graph(), rdflib.Graph()
    ours.kb.load(university.ontology().encode(), format="turtle")
    ours.kb.load(b"".join(university.blocks(1, departments=departments)), format="nt")
    for triple in ours:
        memory.add(triple)
    return ours, rdflib.Graph(ours.store, ours.identifier), memory


def questions(facts: list[Any]) -> dict[str, Callable[[rdflib.Graph], int]]:
    """What is asked of a graph, about some of its facts."""

    def each(ask: Callable[[rdflib.Graph, Any, Any, Any], int]) -> Callable[[rdflib.Graph], int]:
        return lambda graph: sum(ask(graph, s, p, o) for s, p, o in facts)

    def size(found: Any) -> int:
        return sum(1 for _ in found)

    return {
        "value(s, p)": each(lambda g, s, p, o: g.value(s, p) is not None),
        "objects(s, p)": each(lambda g, s, p, o: size(g.objects(s, p))),
        "subjects(p, o)": each(
            lambda g, s, p, o: size(g.subjects(p, o)) if p != rdflib.RDF.type else 0
        ),
        "in": each(lambda g, s, p, o: (s, p, o) in g),
        "predicate_objects(s)": each(lambda g, s, p, o: size(g.predicate_objects(s))),
        "subject_predicates(o)": each(
            lambda g, s, p, o: size(g.subject_predicates(o)) if p != rdflib.RDF.type else 0
        ),
        "all triples": size,
        "serialize(nt)": lambda g: len(g.serialize(format="nt")),
        "serialize(turtle)": lambda g: len(g.serialize(format="turtle")),
    }


def seconds(ask: Callable[[rdflib.Graph], int], graph: rdflib.Graph) -> tuple[float, int]:
    start = time.process_time()
    found = ask(graph)
    return time.process_time() - start, found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--departments", type=at_least_one, help="of the university; all of them")
    parser.add_argument("--look-ups", type=at_least_one, default=2000, help="(%(default)s)")
    options = parser.parse_args()
    asked = graphs(options.departments)
    memory = asked[-1]
    facts = random.Random(1).sample(sorted(memory), options.look_ups)
    print(f"{len(memory):,} facts, {options.look_ups:,} look-ups of each kind")
    print(f"{'':24} {'rdfinc.Graph':>20} {'store=rdfinc':>22} {'Memory':>14}")
    for name, ask in questions(facts).items():
        is_of_all = "(s" not in name and "o)" not in name and name != "in"
        rounds = range(ROUNDS_OF_ALL if is_of_all else ROUNDS)
        times = [[seconds(ask, graph) for graph in asked] for _ in rounds]
        assert "serialize" in name or all(len({n for _, n in each}) == 1 for each in times)
        best = [min(each[place][0] for each in times) for place in range(len(asked))]
        unit, scale = ("ms", 1e3) if is_of_all else ("µs", 1e6 / len(facts))
        ours = [f"{each * scale:10.1f} {unit} ({best[-1] / each:4.2f})" for each in best[:-1]]
        print(f"{name:24} {'  '.join(ours)}   {best[-1] * scale:8.1f} {unit}")


if __name__ == "__main__":
    main()
