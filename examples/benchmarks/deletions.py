"""Deleting more and more with every strategy: the experiments of Motik, Nenov, Piro and Horrocks,
*Incremental Update of Datalog Materialisation: the Backward/Forward Algorithm* (2015), table 2.

    python examples/benchmarks/deletions.py
    python examples/benchmarks/deletions.py university --universities 10 --plots .
    python examples/benchmarks/deletions.py cliques --places 200 --cliques 40

`university`: the university data under its ontology, which stays. `tutors`: the program of the
paper's table 1, after the upper bound of UOBM, where facts have many derivations. `cliques`: places
related by a symmetric and transitive relation, as in Claros with its hard rules; most places are
stated to be related to several others, some to one only, so a clique survives most deletions and
shrinks by some. With `--storage compact` the relation is kept as a closure.

Of the stated facts 1, 10 (our data are smaller than the paper's), 100, 5 000 and shares of the
equilibrium are deleted, each set holding the one before: the equilibrium is where
Backward/Forward comes to take as long as to materialise anew. Sizes above it are marked `>`.

Columns as in the paper: |D| and |C| are the facts overdeleted and checked, the others numbers of
rule instances. Each deletion is put back before the next one; times are of the processor in this
thread, medians of runs in turn after some in which plans are made and `auto` learns. All strategies
end with the same number of facts. The second table has the times of all strategies, and how many
times the best one's time `auto` takes, and how many times as many rule instances it looks at as the
one that looks at fewest; the last column is its first run's time.
"""

from __future__ import annotations

import argparse
import gc
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from pathlib import Path
from statistics import median
from typing import Any

from closure import Inputs
from graphs import SEED
from measure import at_least_one

import rdfinc

STRATEGIES = ("rematerialise", "dred", "dred-counting", "bf", "fbf", "auto")
SIZES = 1, 10, 100, 5000
SHARES = 0.25, 0.5, 0.75, 1.0
MOST = 1 / 2
"""The share of all stated facts up to which something is deleted."""

Fact = tuple[Any, Any, Any]

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


def tutors(people: int, town: int) -> Iterator[Fact]:
    rnd = random.Random(SEED)
    for number in range(1, people + 1):
        for _ in range(rnd.randint(1, 4)):
            yield node("p", number), node("tutor"), node("c", rnd.randint(1, people // 10 + 1))
    yield from related(rnd, people // 40, town, "hasSameHomeTownWith")


@dataclass(frozen=True)
class Data:
    """Facts to delete from, and a closed knowledge base that is maintained by a strategy."""

    facts: Callable[[], Sequence[Fact]]
    make: Callable[[str], rdfinc.KnowledgeBase]


def by_rules(rules: str, facts: Iterator[Fact], storage: str) -> Data:
    stated = list(dict.fromkeys(facts))

    def make(strategy: str) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase("none", storage=storage, maintenance=strategy)
        kb.add_rules(rules)
        kb.update(insert=stated)
        return kb

    return Data(lambda: stated, make)


def by_ontology(inputs: Inputs, storage: str) -> Data:
    def make(strategy: str) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase(storage=storage, maintenance=strategy)
        kb.load(inputs.ontology, inputs.data)
        return kb

    return Data(lambda: list(inputs.loaded().explicit), make)


@dataclass(frozen=True)
class Cost:
    """Of a deletion; `left` is the number of facts after it."""

    seconds: float
    counters: dict[str, int]
    left: int
    first: float = 0.0
    """Seconds of the first run."""

    @property
    def instances(self) -> int:
        return sum(self.counters[name] for name in INSTANCES)


INSTANCES = ("backward", "saturate", "propagate", "insertions", "dr2", "dr4", "dr5")

Bases = dict[str, rdfinc.KnowledgeBase]
"""By strategy."""


def deleted(kb: rdfinc.KnowledgeBase, facts: Sequence[Fact]) -> Cost:
    """The facts are put back."""
    gc.collect()
    start = time.thread_time()
    delta = kb.update(delete=facts)
    seconds = time.thread_time() - start
    counters, left = delta.report.counters, len(kb)
    del delta
    kb.update(insert=facts)
    return Cost(seconds, counters, left)


def costs(bases: Bases, facts: Sequence[Fact], repetitions: int, before: int) -> dict[str, Cost]:
    """By strategy, in turn after some runs before; the counters are of the last one."""
    runs = [{s: deleted(kb, facts) for s, kb in bases.items()} for _ in range(before + repetitions)]
    return {
        strategy: Cost(
            median(run[strategy].seconds for run in runs[before:]),
            last.counters,
            last.left,
            runs[0][strategy].seconds,
        )
        for strategy, last in runs[-1].items()
    }


def equilibrium(bases: Bases, order: Sequence[Fact], repetitions: int) -> int:
    """About how many facts Backward/Forward deletes in the time that materialising anew takes."""
    two = {strategy: bases[strategy] for strategy in ("rematerialise", "bf")}

    def is_over(size: int) -> bool:
        found = costs(two, order[:size], repetitions, before=1)
        return found["bf"].seconds >= found["rematerialise"].seconds

    low, high, most = 0, 1, int(MOST * len(order))
    while high < most and not is_over(high):
        low, high = high, 2 * high
    if high >= most:
        return most
    while high - low > max(1, low // 8):
        middle = (low + high) // 2
        low, high = (low, middle) if is_over(middle) else (middle, high)
    return low


# -- the tables

HEADS = (
    ("|E-|", "|I∖I'|"),
    ("remat. ms", "Fwd"),
    ("DRed ms", "|D|", "DR2", "DR4", "DR5"),
    ("B/F ms", "|C|", "Bwd", "Sat", "Del Prop"),
)
Points = dict[str, list[tuple[int, float]]]
"""The seconds of each strategy by size."""


def cells(size: str, gone: int, found: dict[str, Cost]) -> list[list[str]]:
    """A line of the paper's table."""

    def part(strategy: str, *names: str) -> list[str]:
        counters = found[strategy].counters
        return [milliseconds(found[strategy].seconds), *(short(counters[name]) for name in names)]

    return [
        [size, short(gone)],
        part("rematerialise", "insertions"),
        part("dred", "checked", "dr2", "dr4", "dr5"),
        part("bf", "checked", "backward", "saturate", "propagate"),
    ]


def told(middle: int, number: int) -> str:
    if not middle:
        return "no equilibrium: B/F takes longer for one fact"
    if middle >= int(MOST * number):
        return f"no equilibrium up to {middle:,}: B/F is faster"
    return f"equilibrium {middle:,}, {100 * middle / number:.1f} % of |E|"


def line(parts: Sequence[Sequence[str]], width: int = 10) -> str:
    return " |".join("".join(f"{cell:>{width}}" for cell in part) for part in parts)


def short(number: int) -> str:
    """As the paper writes it, but for small numbers."""
    if number < 10_000:
        return f"{number:,}"
    unit, letter = next(each for each in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if number >= each[0])
    return f"{number / unit:,.1f}{letter}"


def milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:,.1f}"


def table(name: str, data: Data, repetitions: int, before: int) -> Points:
    """Prints both."""
    bases = {strategy: data.make(strategy) for strategy in STRATEGIES}
    order, whole = sorted(data.facts()), len(bases["bf"])
    random.Random(SEED).shuffle(order)
    middle = equilibrium(bases, order, repetitions)
    print(f"{name}: |E| = {len(order):,}, |I| = {whole:,}, {told(middle, len(order))}")
    print(line(HEADS), flush=True)
    asked = {*SIZES, *(int(part * middle) for part in SHARES)}
    points: Points = {strategy: [] for strategy in STRATEGIES}
    summary = []
    for size in sorted(size for size in asked if 0 < size <= MOST * len(order)):
        found = costs(bases, order[:size], repetitions, before)
        assert len({each.left for each in found.values()}) == 1, "strategies agree"
        label = f"{'>' if size > middle else ''}{size:,}"
        print(line(cells(label, whole - found["bf"].left, found)), flush=True)
        best = min(each.seconds for each in found.values())
        fewest = min(each.instances for each in found.values())
        auto = found["auto"]
        ratios = f"{auto.seconds / best:.2f}", f"{auto.instances / max(fewest, 1):.2f}"
        times = [milliseconds(each.seconds) for each in found.values()]
        summary.append([[label], times, [*ratios, milliseconds(auto.first)]])
        for strategy, each in found.items():
            points[strategy].append((size, each.seconds))
    print("milliseconds")
    for parts in ((("|E-|",), STRATEGIES, ("× best", "× fewest", "first")), *summary):
        print(line(parts, 14), flush=True)
    return points


# -- a drawing

COLOURS = ("#888888", "#c0392b", "#e67e22", "#2c5fa8", "#27ae60", "#000000")
WIDTH, HEIGHT, MARGIN, LEGEND = 640, 400, 70, 120


def drawing(name: str, points: Points) -> str:
    """Time against deletion size, both by orders of magnitude, as SVG."""
    sizes, times = zip(*(point for line in points.values() for point in line), strict=True)
    across = Axis(sizes, MARGIN, WIDTH - MARGIN - LEGEND)
    up = Axis(times, HEIGHT - MARGIN, MARGIN / 2)
    lines = []
    for size in across.powers():
        x = across.at(size)
        lines.append(f'<line x1="{x}" x2="{x}" y1="{up.last}" y2="{up.first}" stroke="#dddddd"/>')
        lines.append(text(x, up.first + 16, "middle", f"{size:,.0f}"))
    for seconds in up.powers():
        y = up.at(seconds)
        lines.append(f'<line x1="{across.first}" x2="{across.last}" y1="{y}" y2="{y}" '
                     'stroke="#dddddd"/>')  # fmt: skip
        lines.append(text(across.first - 6, y + 4, "end", f"{1e3 * seconds:,.6g} ms"))
    lines.append(text(across.first, HEIGHT - 24, "start", f"{name}: facts deleted"))
    for row, (strategy, line) in enumerate(points.items()):
        path, colour = " ".join(f"{across.at(x)},{up.at(y)}" for x, y in line), COLOURS[row]
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(text(across.last + 8, up.last + 16 * row, "start", strategy, colour))
    body = "\n".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
        f' font-family="sans-serif" font-size="12">\n{body}\n</svg>\n'
    )


class Axis:
    """Places from `first` to `last` for values, powers of ten at both ends."""

    def __init__(self, values: Sequence[float], first: float, last: float) -> None:
        self.first, self.last = first, last
        self._low, self._high = floor(log10(min(values))), ceil(log10(max(values)))

    def powers(self) -> list[float]:
        return [10.0**power for power in range(self._low, self._high + 1)]

    def at(self, value: float) -> float:
        part = (log10(value) - self._low) / max(self._high - self._low, 1)
        return round(self.first + part * (self.last - self.first), 1)


def text(x: float, y: float, anchor: str, words: str, colour: str = "#000000") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="*", metavar="university|tutors|cliques", help="(all)")
    parser.add_argument("--universities", type=at_least_one, default=1, help="(%(default)s)")
    parser.add_argument("--departments", type=at_least_one, help="at most so many a university")
    parser.add_argument("--people", type=at_least_one, default=3000, help="(%(default)s)")
    parser.add_argument("--town", type=at_least_one, default=12, help="people in one (%(default)s)")
    parser.add_argument("--places", type=at_least_one, default=40, help="of a clique (%(default)s)")
    parser.add_argument("--cliques", type=at_least_one, default=10, help="(%(default)s)")
    parser.add_argument("--storage", default="plain", help="(%(default)s)")
    parser.add_argument("--repetitions", type=at_least_one, default=3, help="(%(default)s)")
    parser.add_argument("--learning", type=at_least_one, default=4,
                        help="runs before those that count (%(default)s)")  # fmt: skip
    parser.add_argument("--plots", type=Path, help="a folder for an SVG file of each of the data")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(Path(folder), options.universities, options.departments)
        places = related(random.Random(SEED), options.cliques, options.places, "related")
        all_data = {
            "university": by_ontology(inputs, options.storage),
            "tutors": by_rules(TUTORS, tutors(options.people, options.town), options.storage),
            "cliques": by_rules(CLIQUES, places, options.storage),
        }
        for name in options.data or all_data:
            points = table(name, all_data[name], options.repetitions, options.learning)
            if options.plots:
                (options.plots / f"{name}.svg").write_text(drawing(name, points), encoding="utf-8")


if __name__ == "__main__":
    main()
