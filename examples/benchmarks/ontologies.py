"""One fact or axiom of an ontology out and in again.

    python examples/benchmarks/ontologies.py brick.ttl.gz building.ttl.gz
    python examples/benchmarks/ontologies.py ro.owl.gz --drawn 200 --slowest 5

The files are loaded into one knowledge base. Stated triples are drawn by a fixed seed, facts and
axioms apart: axioms are triples with a predicate of RDF, RDFS or OWL, but for what an individual is
a member of. Each is deleted by `kb.update` and inserted again. Times are of the processor: the
median, what 95 of 100 stay below, and the longest; the slowest are told with their triples, and
with the facts that they take along.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from measure import at_least_one, duration, megabytes, quantiles
from schemas import Triple, cost, is_axiom, resident, stated_triples

import rdfinc


class Turn(NamedTuple):
    """The seconds that a triple takes out and in, and how many facts it takes along."""

    triple: Triple
    out: float
    back: float
    facts: int


def turn(kb: rdfinc.KnowledgeBase, triple: Triple) -> Turn:
    start = len(kb)
    out = cost(lambda: kb.update(delete=[triple]))
    facts = start - len(kb)
    return Turn(triple, out, cost(lambda: kb.update(insert=[triple])), facts)


def loaded(files: Sequence[str]) -> rdfinc.KnowledgeBase:
    """A knowledge base of the files; says what loading costs. Imports are not counted."""
    rdfinc.KnowledgeBase().load(b"<x:s> <x:p> <x:o> .", format="ntriples")
    before, kb = resident(), rdfinc.KnowledgeBase()
    seconds = cost(lambda: [kb.load(file) for file in files])
    print(
        f"{len(kb.explicit):,} stated, {len(kb):,} facts: loaded in {duration(seconds)},"
        f" {megabytes(resident() - before)}"
    )
    return kb


def told(name: str, turns: Sequence[Turn], slowest: int) -> None:
    for way, times in (("out", [t.out for t in turns]), ("in", [t.back for t in turns])):
        usual, most = median(times), quantiles(times, 20)[-1]
        print(
            f"{name:6} {way:3}  {duration(usual):>9} {duration(most):>9} {duration(max(times)):>9}"
        )
    for each in sorted(turns, key=lambda turn: -max(turn.out, turn.back))[:slowest]:
        print(
            f"  {duration(each.out):>9} {duration(each.back):>9}  {' '.join(each.triple)}"
            f"  ({each.facts:,} facts)"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+")
    parser.add_argument("--drawn", type=at_least_one, default=60, help="triples of each kind (60)")
    parser.add_argument("--slowest", type=int, default=3, help="that are told (3)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    kb = loaded(args.files)
    stated = stated_triples(kb)
    chance = random.Random(args.seed)
    print(f"{'':12} {'median':>9} {'95 %':>9} {'longest':>9}")
    for name, chosen in (
        ("fact", [fact for fact in stated if not is_axiom(fact)]),
        ("axiom", [fact for fact in stated if is_axiom(fact)]),
    ):
        drawn = chance.sample(chosen, min(args.drawn, len(chosen)))
        told(name, [turn(kb, triple) for triple in drawn], args.slowest)


if __name__ == "__main__":
    main()
