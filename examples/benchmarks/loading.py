"""N-Triples and Turtle into memory, beside pyoxigraph and rdflib.

    python examples/benchmarks/loading.py
    python examples/benchmarks/loading.py --universities 10

The same university data in both formats. "rdfinc ids" reads and encodes only, as pyoxigraph's
"parse" does with its own terms; "rdfinc load" also builds the store, as "bulk_load" and rdflib's
`Graph.parse` do. rdflib reads the first department only, because it takes a minute for more.

    python examples/benchmarks/loading.py --universities 100 --repetitions 2 --workers 1 2

The load by one process and by others, with their processor time: a busy machine changes the wall
time only. "bound" is how much faster than one process so many processors can be at most: the
processor time divided among them, or what this process does for all of them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph
import rdflib
from measure import REPETITIONS, Candidate, duration, show, side_by_side

import rdfinc
from rdfinc import university
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.reading import read

FORMATS = {"nt": pyoxigraph.RdfFormat.N_TRIPLES, "ttl": pyoxigraph.RdfFormat.TURTLE}


def write_data(
    folder: Path, universities: int, departments: int | None
) -> tuple[dict[str, Path], int]:
    """The file of each format, and how many triples are in one."""
    lines, turtle = folder / f"data{universities}.nt", folder / f"data{universities}.ttl"
    with lines.open("wb") as out:
        count = 0
        for block in university.blocks(universities, departments=departments):
            count += block.count(b"\n")
            out.write(block)
    pyoxigraph.serialize(pyoxigraph.parse(path=lines), turtle, prefixes={"u": university.NAMESPACE})
    return {"nt": lines, "ttl": turtle}, count


def ids(path: Path) -> object:
    dictionary = Dictionary()
    return read(str(path), dictionary), dictionary


def load(path: Path, workers: int = 1) -> object:
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.load(path, workers=workers)
    return kb


def oxigraph_parse(path: Path) -> None:
    deque(pyoxigraph.parse(path=path), maxlen=0)


def oxigraph_bulk_load(path: Path) -> object:
    store = pyoxigraph.Store()
    store.bulk_load(path=path)
    return store


def rdflib_parse(path: Path) -> object:
    return rdflib.Graph().parse(path, format={".nt": "nt", ".ttl": "turtle"}[path.suffix])


def on(path: Path, name: str, run: Callable[[Path], object]) -> Candidate:
    return Candidate(name, run, lambda: path)


def compare(path: Path, triples: int, repetitions: int) -> None:
    candidates = [
        on(path, "rdfinc ids", ids),
        on(path, "rdfinc load", load),
        on(path, "pyoxigraph parse", oxigraph_parse),
        on(path, "pyoxigraph bulk_load", oxigraph_bulk_load),
    ]
    show(side_by_side(candidates, repetitions), triples, "triples")


def compare_with_rdflib(path: Path, triples: int, repetitions: int) -> None:
    candidates = [on(path, "rdfinc load", load), on(path, "rdflib parse", rdflib_parse)]
    show(side_by_side(candidates, repetitions), triples, "triples")


@dataclass(frozen=True)
class Cost:
    """The seconds of one load: by the clock, and those of processors here and in workers."""

    wall: float
    here: float
    workers: float

    @classmethod
    def of(cls, path: Path, workers: int) -> Cost:
        before, start = os.times(), time.perf_counter()
        kb = load(path, workers)
        wall, after = time.perf_counter() - start, os.times()
        del kb
        here = after.user + after.system - before.user - before.system
        there = after.children_user + after.children_system
        return cls(wall, here, there - before.children_user - before.children_system)

    def bound(self, alone: Cost, processors: int) -> float:
        """How much faster than `alone` this can be at most on so many processors."""
        return alone.here / max(self.here, (self.here + self.workers) / processors)


def compare_workers(path: Path, counts: list[int], repetitions: int) -> None:
    runs = [[Cost.of(path, count) for count in counts] for _ in range(1 + repetitions)][1:]
    best = [min(costs, key=lambda cost: cost.wall) for costs in zip(*runs, strict=True)]
    alone = best[0]
    print("  workers       wall       here    workers   ratio   bound on 2, 8, 32 processors")
    for count, cost in zip(counts, best, strict=True):
        seconds = "".join(f" {duration(each):>10}" for each in (cost.wall, cost.here, cost.workers))
        bounds = ", ".join(f"{cost.bound(alone, processors):.2f}" for processors in (2, 8, 32))
        told = bounds if count > 1 else ""
        print(f"  {count:>7}{seconds}   {alone.wall / cost.wall:>5.2f}   {told}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, default=1, help="(1)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--workers", type=int, nargs="*", help="processes to compare, 1 first")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def write_both(
    folder: Path, options: argparse.Namespace
) -> tuple[dict[str, Path], int, dict[str, Path], int]:
    """The data asked for, and a department for what is slow: files by suffix, and triples."""
    (folder / "small").mkdir()
    large = write_data(folder, options.universities, options.departments)
    return *large, *write_data(folder / "small", 1, 1)


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        files, triples, small_files, small = write_both(Path(folder), options)
        for suffix, path in files.items():
            print(f"{FORMATS[suffix].name}: {triples:,} triples")
            if options.workers:
                compare_workers(path, options.workers, options.repetitions)
                continue
            compare(path, triples, options.repetitions)
            print(f"{FORMATS[suffix].name}: {small:,} triples, beside rdflib")
            compare_with_rdflib(small_files[suffix], small, options.repetitions)


if __name__ == "__main__":
    main()
