"""N-Triples and Turtle through Spark, beside the local loader, pyoxigraph and rdflib.

    python examples/benchmarks/spark_loading.py
    python examples/benchmarks/spark_loading.py --universities 50 --cores 1 2 4

The same university data in both formats, one long file each. "spark rows" is
`spark.read.format("rdf")` with all terms handed to Spark (they are hashed there), "spark bulk load"
makes the folder of ids and Parquet; both on so many cores as `local[…]` says, in a session that is
warm. Beside them on one core: "rdfinc load" (`kb.load(engine="local")`), pyoxigraph's `bulk_load`,
and rdflib's `Graph.parse` of the first department only, because it takes a minute for more. Rates
are triples a second and core. The time until a session has answered is shown apart.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from loading import FORMATS, load, oxigraph_bulk_load, rdflib_parse, write_both
from measure import REPETITIONS, Candidate, Timing, duration, seconds, side_by_side
from pyspark.sql import SparkSession

from rdfinc.plugins.spark import register
from rdfinc.plugins.spark.load.bulk import bulk_load
from rdfinc.plugins.spark.session import spark_session

ROWS = "bit_xor(xxhash64(s, p, o, g))"


def rows(spark: SparkSession, path: Path, split: int) -> object:
    data = spark.read.format("rdf").option("splitBytes", str(split)).load(str(path))
    return data.selectExpr(ROWS).collect()


def run_on_spark(path: Path, cores: int, split: int, repetitions: int) -> Iterator[Timing]:
    """Each way through Spark, in a session of its own."""
    with session(cores) as spark, tempfile.TemporaryDirectory() as folder:
        numbers = itertools.count()
        ways: dict[str, Callable[[Path], object]] = {
            "spark rows": lambda path: rows(spark, path, split),
            "spark bulk load": lambda path: bulk_load(
                spark, [path], Path(folder, str(next(numbers))), split_bytes=split
            ),
        }
        candidates = [
            Candidate(f"{name}, local[{cores}]", way, lambda: path) for name, way in ways.items()
        ]
        yield from side_by_side(candidates, repetitions)


@contextmanager
def session(cores: int) -> Iterator[SparkSession]:
    start = time.perf_counter()
    with spark_session(f"local[{cores}]") as spark:
        register(spark)
        spark.range(1).collect()
        print(f"  local[{cores}] has answered after {duration(time.perf_counter() - start)}")
        yield spark


def show(timing: Timing, triples: int, cores: int) -> None:
    low, high = timing.quartiles
    print(
        f"  {timing.name:26} {duration(timing.first):>10} {duration(timing.median):>10}"
        f" {duration(low):>10} {duration(high):>10} {triples / timing.median / cores:>12,.0f}"
    )


def compare(path: Path, triples: int, options: argparse.Namespace) -> None:
    timings = []
    for cores in options.cores:
        found = run_on_spark(path, cores, options.split, options.repetitions)
        timings += [(timing, cores) for timing in found]
    alone = [
        Candidate("rdfinc load", load, lambda: path),
        Candidate("pyoxigraph bulk_load", oxigraph_bulk_load, lambda: path),
    ]
    timings += [(timing, 1) for timing in side_by_side(alone, options.repetitions)]
    print(f"  {'':26} {'first':>10} {'median':>10} {'quartiles':>21} triples/s/core")
    for timing, cores in timings:
        show(timing, triples, cores)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, default=10, help="(%(default)s)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2], help="(1 2)")
    parser.add_argument("--formats", nargs="+", default=[*FORMATS], help="(%(default)s)")
    parser.add_argument("--split", type=int, default=1 << 24, help="bytes a piece (%(default)s)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        files, triples, small_files, small = write_both(Path(folder), options)
        for suffix in options.formats:
            path, small_path = files[suffix], small_files[suffix]
            size = path.stat().st_size / 1e6
            print(f"{FORMATS[suffix].name}: {triples:,} triples, {size:,.0f} MB")
            compare(path, triples, options)
            taken = seconds(Candidate("", rdflib_parse, lambda path=small_path: path))
            print(f"  {'rdflib parse':26} {duration(taken):>54} {small / taken:>12,.0f}")


if __name__ == "__main__":
    main()
