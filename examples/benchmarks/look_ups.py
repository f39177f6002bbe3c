"""Look-ups and serialisation through rdflib's Graph, beside rdflib's Memory with the same facts.

    python examples/benchmarks/look_ups.py
    python examples/benchmarks/look_ups.py --departments 2 --look-ups 100

Both hold the closure of a university; the ratio is Memory's processor time over rdfinc's.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import rdflib
from measure import at_least_one

from rdfinc import university

ROUNDS = 5


def graphs(departments: int | None) -> tuple[rdflib.Graph, rdflib.Graph]:
    """The closure in rdfinc, and in Memory."""
    ours, memory = rdflib.Graph(store="rdfinc"), rdflib.Graph()
    kb = ours.store.kb  # type: ignore[attr-defined]
    kb.load(university.ontology().encode(), format="turtle")
    kb.load(b"".join(university.blocks(1, departments=departments)), format="nt")
    for triple in ours:
        memory.add(triple)
    return ours, memory


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
    ours, memory = graphs(options.departments)
    facts = random.Random(1).sample(sorted(memory), options.look_ups)
    print(f"{len(ours):,} facts, {options.look_ups:,} look-ups of each kind")
    for name, ask in questions(facts).items():
        rounds = 1 if "serialize" in name else ROUNDS
        times = [(seconds(ask, ours), seconds(ask, memory)) for _ in range(rounds)]
        assert all(mine[1] == other[1] for mine, other in times) or "serialize" in name
        mine, other = (min(pair[side][0] for pair in times) for side in (0, 1))
        print(
            f"{name:24} {mine * 1e3:8.1f} ms   Memory {other * 1e3:8.1f} ms   {other / mine:5.2f}"
        )


if __name__ == "__main__":
    main()
