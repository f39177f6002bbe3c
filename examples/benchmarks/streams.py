"""Streams of updates with and without a look at the next one: the tests of Illich and Glimm,
*Backward/Forward with Marking for Update Streams*, with their figures beside ours.

    python examples/benchmarks/streams.py
    python examples/benchmarks/streams.py seq --sizes 10 80 --seeds 1

`trans`: paths in a graph of 20 nodes, where a path has many derivations. `seq`: edges renamed four
times, in a graph of 100 nodes. A stream is of 50 updates; the first adds 100 edges, each other one
deletes and adds as many as its size says, chosen as by the authors' generator (`updates`); with
`--fleeting` it deletes what the one before has added. Figures are means over the seeds, as there.

`map`: which ways are connected around a vehicle that drives through a made-up city (`map_track`),
three tracks of as many updates as the paper's real ones.

`deletions` are the rule instances whose head was neither waiting nor checked (the paper's program
leaves out heads that are delayed); `backward` and `forward` those of the search for proofs, all
that are looked at (the paper counts only those that make a difference); `insertions` are derived
facts that come in once those to be deleted have gone; `marks` the stated facts known to go with
the next update, and the heads of instances that use them (in the paper's program for `seq`, of all
that ever did). Facts are taken one at a time, as the paper does, unless `--batches`. Seconds are of
the processor, theirs and ours: only the reductions compare. With `--grid` all strategies are
compared, without and with look-ahead; `auto`, which makes no marks, is beside the best of the
others, at worst over the seeds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import mean, median

import map_track
from measure import at_least_one
from msgspec.structs import force_setattr
from rdflib import URIRef

import rdfinc
from rdfinc.tables.table_thresholds import TABLES

TRACKS = 55, 83, 114
PREFIX = "@prefix : <http://example.org/> .\n"
PROGRAMS = {
    "trans": PREFIX + "[?x, :path, ?y] :- [?x, :edge, ?y] ."
    "[?x, :path, ?z] :- [?x, :edge, ?y], [?y, :path, ?z] .",
    "seq": PREFIX + "[?x, :edge1, ?y] :- [?x, :edge, ?y] ."
    + "".join(f"[?x, :edge{i + 1}, ?y] :- [?x, :edge{i}, ?y] ." for i in (1, 2, 3)),
    "map": map_track.RULES,
}  # fmt: skip
NODES = {"trans": 20, "seq": 100}
UPDATES, FIRST = 50, 100
INSTANCES = ("backward", "saturate", "propagate", "insertions", "dr2", "dr4", "dr5")
STATED = {URIRef(f"http://example.org/{name}") for name in ("edge", "from", "to", "way")}
SIZES = range(10, 81, 10)

Pair = tuple[int, int]
Edge = tuple[str, str, str]
Update = tuple[list[Edge], list[Edge]]


@dataclass(frozen=True)
class Row:
    """One line of the paper's tables 1 and 2: (old, new) where they differ."""

    seconds: tuple[float, float]
    deletions: tuple[float, float]
    backward: tuple[float, float]
    forward: tuple[float, float]
    insertions: float
    marks: tuple[float, float]

    def shown(self) -> str:
        old, new = self.seconds
        cells = [f"{old:.2f}", f"{new:.2f}", f"{100 * (1 - new / old):.1f}"]
        for before, after in (self.deletions, self.backward, self.forward):
            cells += [f"{before:,.0f}", f"{after:,.0f}"]
        cells += [f"{self.insertions:,.0f}", *(f"{number:,.0f}" for number in self.marks)]
        return "".join(f"{cell:>9}" for cell in cells)


PAPER = {
    "trans": [
        Row((42.48, 39.17), (1603, 447), (11253, 14447), (18777, 19001), 545, (480, 991)),
        Row((38.55, 35.68), (3046, 594), (10468, 13199), (15373, 15516), 2912, (960, 2277)),
        Row((38.64, 35.57), (5146, 1100), (10206, 11856), (11154, 11224), 7288, (1399, 4153)),
        Row((41.35, 40.17), (4755, 682), (10834, 13036), (12560, 12612), 6575, (1816, 4069)),
        Row((43.60, 45.09), (3778, 360), (11514, 14441), (15060, 15096), 4570, (2215, 3660)),
        Row((45.78, 48.51), (3227, 213), (11842, 15254), (16518, 16547), 3327, (2604, 3428)),
        Row((48.34, 52.76), (2724, 161), (11919, 16054), (17780, 17796), 2158, (2973, 3085)),
        Row((50.04, 55.76), (2584, 126), (11863, 16323), (18169, 18183), 1782, (3293, 3078)),
    ],
    "seq": [
        Row((10.32, 8.73), (1960, 1480), (0, 0), (0, 0), 2360, (480, 480)),
        Row((18.69, 15.68), (3920, 2960), (0, 0), (0, 0), 4317, (960, 960)),
        Row((28.59, 23.33), (5880, 4440), (0, 0), (0, 0), 6265, (1440, 1440)),
        Row((43.14, 34.60), (7827, 5910), (0, 0), (0, 0), 8228, (1917, 1917)),
        Row((64.62, 52.67), (9709, 7332), (0, 0), (0, 0), 10173, (2377, 2377)),
        Row((107.12, 85.82), (11588, 8744), (0, 0), (0, 0), 12129, (2844, 2844)),
        Row((152.29, 120.46), (13457, 10147), (0, 0), (0, 0), 14069, (3311, 3311)),
        Row((220.44, 177.29), (15283, 11516), (0, 0), (0, 0), 16005, (3767, 3767)),
    ],
    "map": [
        Row((114.58, 106.22), (859, 754), (4329, 4400), (3299, 3299), 4638, (910, 70)),
        Row((20.57, 20.29), (684, 544), (2697, 2733), (2317, 2317), 2653, (1208, 119)),
        Row((10.46, 10.24), (558, 400), (1484, 1479), (1206, 1206), 1704, (1017, 137)),
    ],
}


def updates(nodes: int, size: int, seed: int, *, fleeting: bool) -> Iterator[Update]:
    """Edges drawn without preference among those that are not there, to be added. To be deleted, if
    not `fleeting`, those that are there by the places of a hash table, each as a coin says, until
    they are enough: so in one part of the graph, and some of them several times."""
    rnd = random.Random(seed)
    pairs = [(a, b) for a in range(nodes) for b in range(nodes)]
    present: dict[Pair, None] = {}
    for number in range(UPDATES):
        absent = [pair for pair in pairs if pair not in present]
        new = dict.fromkeys(rnd.choices(absent, k=size if number else FIRST))
        order = reversed(present) if fleeting else sorted(present, key=_place)
        chosen = (pair for pair in order if fleeting or rnd.random() < 0.5)
        gone = dict.fromkeys(islice(chosen, size if number else 0))
        present = {pair: None for pair in present if pair not in gone} | new
        yield list(map(_edge, gone)), list(map(_edge, new))


def _place(pair: Pair) -> int:
    """That of an edge in a Java HashSet of 97 to 192 texts."""
    code = 0
    for letter in f"[edge, {pair[0]}, {pair[1]}]":
        code = (31 * code + ord(letter)) & 0xFFFFFFFF
    return (code ^ code >> 16) & 255


def _edge(pair: Pair) -> Edge:
    a, b = (f"<http://example.org/{node}>" for node in pair)
    return a, "<http://example.org/edge>", b


@dataclass(frozen=True)
class Run:
    each: list[float]
    """The seconds of each update."""
    counters: Counter[str]

    @property
    def seconds(self) -> float:
        return sum(self.each)


def run(program: str, stream: Sequence[Update], maintenance: str, *, lookahead: bool) -> Run:
    """The first update is complete before the next is looked at."""
    kb = knowledge_base(program, maintenance)
    total: Counter[str] = Counter()
    kb.update(stream[0][1])
    stream_of_deltas = kb.stream(stream[1:], lookahead=lookahead)
    each = []
    for _ in stream[1:]:
        start = time.thread_time()
        delta = next(stream_of_deltas)
        each.append(time.thread_time() - start)
        total.update(delta.report.counters)
    return Run(each, total)


def knowledge_base(program: str, maintenance: str) -> rdfinc.KnowledgeBase:
    kb = rdfinc.KnowledgeBase("none", storage="plain", maintenance=maintenance)
    kb.add_rules(PROGRAMS[program])
    return kb


def inserted(program: str, stream: Sequence[Update]) -> int:
    """How many derived facts come in when all deletions of an update are done first."""
    kb, number = knowledge_base(program, "auto"), 0
    for gone, new in stream:
        kb.update(delete=gone)
        number += sum(fact[1] not in STATED for fact in kb.update(insert=new).added)
    return number


def measured(
    program: str, streams: Sequence[Sequence[Update]], options: argparse.Namespace
) -> tuple[Row, list[int]]:
    """Means over the streams, of each the median time of runs in turn; and how many deletions fewer
    a look ahead makes of each stream."""
    rows = []
    for stream in streams:
        runs: list[list[Run]] = [[], []]
        for _ in range(1 + options.repetitions):
            for kind, lookahead in enumerate((False, True)):
                runs[kind].append(run(program, stream, options.maintenance, lookahead=lookahead))
        old, new = (each[-1].counters for each in runs)
        times = [median(one.seconds for one in each[1:]) for each in runs]
        pairs = [(old[name], new[name]) for name in ("doubted", "backward", "saturate")]
        marks = new["marks_explicit"], new["marks_implicit"]
        facts_in = inserted(program, stream)
        rows.append([*times, *(n for pair in pairs for n in pair), facts_in, *marks])
    means = [mean(column) for column in zip(*rows, strict=True)]
    row = Row(
        (means[0], means[1]), (means[2], means[3]), (means[4], means[5]), (means[6], means[7]),
        means[8], (means[9], means[10]),
    )  # fmt: skip
    return row, [int(row[2] - row[3]) for row in rows]


def cases(program: str, options: argparse.Namespace) -> Iterator[tuple[int, list[list[Update]]]]:
    """(size, or number of updates of a track; the streams)."""
    if program == "map":
        for seed, number in enumerate(TRACKS):
            yield number, [list(map_track.updates(number, seed))]
        return
    for size in options.sizes:
        streams = (
            updates(NODES[program], size, seed, fleeting=options.fleeting)
            for seed in range(options.seeds)
        )
        yield size, list(map(list, streams))


def table(program: str, options: argparse.Namespace) -> None:
    print(f"P_{program}")
    heads = ["seconds", "ahead", "% less", "deletions", "ahead", "backward", "ahead", "forward",
             "ahead", "insertions", "marks", "implicit"]  # fmt: skip
    print(f"  {'size':>4} {'':5}" + "".join(f"{head[:8]:>9}" for head in heads))
    sizes = TRACKS if program == "map" else SIZES
    fewer = []
    for size, streams in cases(program, options):
        row, differences = measured(program, streams, options)
        fewer += differences
        print(f"  {size:>4} ours {row.shown()}", flush=True)
        if size in sizes:
            print(f"  {'':4} paper{PAPER[program][sizes.index(size)].shown()}")
    print(f"  deletions fewer with a look ahead: {min(fewer):,} to {max(fewer):,} of a stream")


OTHERS = "bf", "fbf", "dred", "dred-counting", "rematerialise"
RUNS = ("auto", False), *((strategy, ahead) for ahead in (False, True) for strategy in OTHERS)
"""(strategy, with look-ahead)."""


def grid(program: str, options: argparse.Namespace) -> None:
    """Every strategy: the medians of an update's time, and rule instances."""
    print(f"P_{program}: milliseconds of an update (thousands of instances in all), means of seeds")
    heads = "".join(f"{strategy:>17}" for strategy in ("auto", *OTHERS))
    print(f"  {'size':>4}{heads}   auto: worst time, instances of the fastest, of the fewest")
    for size, streams in cases(program, options):
        points = [point(program, stream, options) for stream in streams]
        cells = [f"{_mean(each, points):>17}" for each in RUNS]
        worst = (f"{max(ratios):>11.2f}" for ratios in zip(*map(compared, points), strict=True))
        print(f"  {size:>4}{''.join(cells[:6])} {''.join(worst)}")
        print(f"  {'':>4}{'ahead':>17}{''.join(cells[6:])}", flush=True)


Point = dict[tuple[str, bool], tuple[float, int]]
"""The seconds and rule instances of each of RUNS."""


def point(program: str, stream: Sequence[Update], options: argparse.Namespace) -> Point:
    """The least of the medians of some runs in turn after a first one."""
    runs = [
        {(s, ahead): run(program, stream, s, lookahead=ahead) for s, ahead in RUNS}
        for _ in range(1 + options.repetitions)
    ]
    return {
        each: (
            min(median(done[each].each) for done in runs[1:]),
            sum(last.counters[name] for name in INSTANCES),
        )
        for each, last in runs[-1].items()
    }


def compared(point: Point) -> tuple[float, float, float]:
    """How many times the best one's time `auto` takes, and how many times as many instances it
    looks at as the fastest other strategy and as the one that looks at fewest."""
    (seconds, instances), *others = (point[each] for each in RUNS)
    fastest, fewest = min(others), min(number for _, number in others)
    return seconds / fastest[0], instances / fastest[1], instances / fewest


def _mean(each: tuple[str, bool], points: Sequence[Point]) -> str:
    seconds, instances = zip(*(point[each] for point in points), strict=True)
    return f"{1e3 * mean(seconds):.2f} ({mean(instances) / 1e3:,.0f})"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="trans|seq|map", help="(all)")
    parser.add_argument(
        "--sizes", type=at_least_one, nargs="+", default=list(SIZES), help="(10 20 … 80)"
    )
    parser.add_argument("--seeds", type=at_least_one, default=3, help="(%(default)s)")
    parser.add_argument("--repetitions", type=at_least_one, default=2, help="(%(default)s)")
    parser.add_argument("--maintenance", default="bf", help="(%(default)s)")
    parser.add_argument("--grid", action="store_true", help="all strategies side by side")
    parser.add_argument("--fleeting", action="store_true", help="deletes what came last")
    parser.add_argument("--batches", action="store_true", help="many facts at once")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    if not options.batches:
        for name in ("narrow_batch", "facts_taken_alone"):
            force_setattr(TABLES, name, 10**9)
    for program in options.programs or PROGRAMS:
        (grid if options.grid else table)(program, options)


if __name__ == "__main__":
    main()
