"""Deleting more and more with every strategy: the experiments of Motik, Nenov, Piro and Horrocks,
*Incremental Update of Datalog Materialisation: the Backward/Forward Algorithm* (2015), table 2.

    python examples/benchmarks/deletions.py
    python examples/benchmarks/deletions.py cliques --places 200 --plot cliques.svg

`university`: the university data under its ontology. `tutors`: the program of the paper's table 1,
after the upper bound of UOBM, where facts have many derivations. `cliques`: places related by a
symmetric and transitive relation, as in Claros with its hard rules; most places are stated to be
related to several others, some to one only, so a clique survives most deletions and shrinks by
some. With `--storage compact` the relation is kept as a closure.

Of the stated facts 1, 10 (our data are smaller than the paper's), 100, 5 000 and shares of the
equilibrium are deleted, each set holding the one before: the equilibrium is where
Backward/Forward takes as long as to materialise anew. Times are of the processor, each the median
of runs in turn; counters are rule instances, as in the paper: `facts` are those checked; then
backward, saturate, propagate of B/F, and DR2, DR4, DR5 of DRed. All strategies end with the same
number of facts.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from closure import Inputs
from graphs import SEED

import rdfinc

STRATEGIES = ("rematerialise", "dred", "dred-counting", "bf", "fbf", "auto")
SHARES = 0.25, 0.5, 0.75, 1.0
MOST = 1 / 2
"""The share of all stated facts up to which the equilibrium is looked for."""

Fact = tuple[Any, Any, Any]
Make = Callable[[str], rdfinc.KnowledgeBase]
"""A closed knowledge base that is maintained by a strategy."""

TUTORS = """@prefix : <http://example.org/> .
:TA[?x] :- :Person[?x], :tutor[?x, ?y], :Course[?y] .
:Person[?x] :- :TA[?x] .
:Person[?x] :- :tutor[?x, ?y] .
:Course[?y] :- :tutor[?x, ?y] .
:hasSameHomeTownWith[?y, ?x] :- :hasSameHomeTownWith[?x, ?y] .
:hasSameHomeTownWith[?x, ?z] :- :hasSameHomeTownWith[?x, ?y], :hasSameHomeTownWith[?y, ?z] .
:Neighbour[?y] :- :hasSameHomeTownWith[?x, ?y], :TA[?x] .
"""
CLIQUES = """@prefix : <http://example.org/> .
:related[?y, ?x] :- :related[?x, ?y] .
:related[?x, ?z] :- :related[?x, ?y], :related[?y, ?z] .
"""


def node(name: str, number: int = 0) -> str:
    return f"<http://example.org/{name}{number or ''}>"


def related(rnd: random.Random, cliques: int, size: int, relation: str) -> Iterator[Fact]:
    """Cliques, each a ring with chords but for a few nodes that hang on it by one edge."""
    for clique in range(cliques):
        nodes = [node(f"n{clique}-", i + 1) for i in range(size)]
        ring, loose = nodes[: -max(1, size // 10)], nodes[-max(1, size // 10) :]
        for i, one in enumerate(ring):
            yield one, node(relation), ring[(i + 1) % len(ring)]
            for other in rnd.sample(ring, min(2, len(ring))):
                yield one, node(relation), other
        for one in loose:
            yield one, node(relation), rnd.choice(ring)


def tutors(people: int, towns: int) -> Iterator[Fact]:
    rnd = random.Random(SEED)
    for number in range(1, people + 1):
        for _ in range(rnd.randint(1, 4)):
            yield node("p", number), node("tutor"), node("c", rnd.randint(1, people // 10 + 1))
    yield from related(rnd, towns, 12, "hasSameHomeTownWith")


def by_rules(rules: str, facts: Sequence[Fact], storage: str) -> Make:
    def make(strategy: str) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase("none", storage=storage, maintenance=strategy)
        kb.add_rules(rules)
        kb.update(insert=facts)
        return kb

    return make


def by_ontology(inputs: Inputs, storage: str) -> Make:
    def make(strategy: str) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase(storage=storage, maintenance=strategy)
        kb.load(inputs.ontology, inputs.data)
        return kb

    return make


@dataclass(frozen=True)
class Cost:
    seconds: float
    counters: dict[str, int]
    left: int


def cost(kb: rdfinc.KnowledgeBase, facts: Sequence[Fact], repetitions: int) -> Cost:
    """Each run deletes from an equal copy."""
    times = []
    for _ in range(repetitions):
        copy = kb.copy()
        start = time.process_time()
        delta = copy.update(delete=facts)
        times.append(time.process_time() - start)
    return Cost(median(times), delta.report.counters, len(copy))


def equilibrium(bases: dict[str, rdfinc.KnowledgeBase], order: Sequence[Fact]) -> int:
    """About how many facts Backward/Forward deletes in the time that materialising anew takes."""
    size = 16
    while size < MOST * len(order):
        anew, checked = (cost(bases[s], order[:size], 1).seconds for s in ("rematerialise", "bf"))
        if checked >= anew:
            return size
        size *= 2
    return int(MOST * len(order))


COUNTERS = ("backward", "saturate", "propagate", "dr2", "dr4", "dr5")


def table(name: str, make: Make, options: argparse.Namespace) -> dict[str, list[tuple[int, float]]]:
    """Prints one; returns the seconds of each strategy by size."""
    bases = {strategy: make(strategy) for strategy in STRATEGIES}
    explicit = [fact for fact in bases["bf"].explicit if "univ-bench.owl#" not in str(fact[0])]
    random.Random(SEED).shuffle(explicit)
    middle = equilibrium(bases, explicit)
    sizes = {min(size, middle) for size in (1, 10, 100, 5000)} | {
        int(share * middle) for share in SHARES
    }
    whole = len(bases["bf"])
    print(f"{name}: {len(explicit):,} stated, {whole:,} in all, equilibrium near {middle:,}")
    heads = "".join(f"{head:>11}" for head in ("ms", "of best", "facts", *COUNTERS))
    points: dict[str, list[tuple[int, float]]] = {strategy: [] for strategy in STRATEGIES}
    for size in sorted(sizes):
        costs = {s: cost(bases[s], explicit[:size], options.repetitions) for s in STRATEGIES}
        assert len({each.left for each in costs.values()}) == 1, "strategies agree"
        gone = whole - costs["bf"].left
        print(f"  {size:,} deleted, {gone:,} facts gone\n  {'':14}{heads}")
        best = min(each.seconds for each in costs.values())
        for strategy, each in costs.items():
            points[strategy].append((size, each.seconds))
            numbers = [each.counters["checked"], *(each.counters[c] for c in COUNTERS)]
            cells = [f"{1e3 * each.seconds:,.1f}", f"{each.seconds / best:.1f}"]
            shown = "".join(f"{cell:>11}" for cell in [*cells, *(f"{n:,}" for n in numbers)])
            print(f"  {strategy:14}{shown}", flush=True)
    return points


# -- a drawing

COLOURS = ("#888888", "#c0392b", "#e67e22", "#2c5fa8", "#27ae60", "#000000")
WIDTH, HEIGHT, MARGIN = 640, 400, 60


def drawing(name: str, points: dict[str, list[tuple[int, float]]]) -> str:
    """Time against deletion size, both by orders of magnitude, as SVG."""
    from math import log10

    places = [(log10(x), log10(max(y, 1e-5))) for line in points.values() for x, y in line]
    (left, right), (low, high) = ((min(c), max(c)) for c in zip(*places, strict=True))

    def at(x: float, y: float) -> str:
        across = (log10(x) - left) / max(right - left, 1e-9)
        up = (log10(max(y, 1e-5)) - low) / max(high - low, 1e-9)
        return (f"{MARGIN + across * (WIDTH - 2 * MARGIN):.1f},"
                f"{HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN):.1f}")  # fmt: skip

    lines = []
    for row, (strategy, line) in enumerate(points.items()):
        path, colour = " ".join(at(x, y) for x, y in line), COLOURS[row]
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        text = f'x="{MARGIN + 8}" y="{MARGIN + 14 * row}" fill="{colour}"'
        lines.append(f"<text {text}>{strategy}</text>")
    foot = f"{name}: {10**left:,.0f} to {10**right:,.0f} facts deleted, "
    foot += f"{1e3 * 10**low:,.2f} to {1e3 * 10**high:,.0f} ms"
    lines.append(f'<text x="{MARGIN}" y="{HEIGHT - MARGIN / 2}">{foot}</text>')
    body = "\n".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
        f' font-family="sans-serif" font-size="12">\n{body}\n</svg>\n'
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="*", metavar="university|tutors|cliques", help="(all)")
    parser.add_argument("--departments", type=int, default=3, help="(%(default)s)")
    parser.add_argument("--people", type=int, default=3000, help="(%(default)s)")
    parser.add_argument("--places", type=int, default=40, help="of a clique (%(default)s)")
    parser.add_argument("--cliques", type=int, default=10, help="(%(default)s)")
    parser.add_argument("--storage", default="plain", help="(%(default)s)")
    parser.add_argument("--repetitions", type=int, default=3, help="(%(default)s)")
    parser.add_argument("--plot", help="an SVG file for the last of the data")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(Path(folder), 1, options.departments)
        towns = options.people // 40
        cliques = list(related(random.Random(SEED), options.cliques, options.places, "related"))
        makers = {
            "university": by_ontology(inputs, options.storage),
            "tutors": by_rules(TUTORS, list(tutors(options.people, towns)), options.storage),
            "cliques": by_rules(CLIQUES, cliques, options.storage),
        }
        for name in options.data or makers:
            points = table(name, makers[name], options)
            if options.plot:
                Path(options.plot).write_text(drawing(name, points), encoding="utf-8")


if __name__ == "__main__":
    main()
