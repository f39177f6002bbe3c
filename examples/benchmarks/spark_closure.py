"""University data from nothing to answers by Spark: generate and load, materialise, query.

    python examples/benchmarks/spark_closure.py
    python examples/benchmarks/spark_closure.py --universities 100 --memory 6g

The data go straight into a folder of ids and Parquet, never on disk as text; Spark makes the folder
of the closure. Then a knowledge base loads that closure and answers the 14 queries, and Spark SQL
counts it by predicate. For each phase the wall time is shown, and the peak memory of the driver,
the JVM and its workers together (what they share counts once, where Linux tells). With `--local`
the same closure is made by a knowledge base afterwards, and the facts are compared.
"""

from __future__ import annotations

import argparse
import io
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from measure import duration
from pyspark.sql import SparkSession

from rdfinc import KnowledgeBase
from rdfinc.plugins.spark import materialise
from rdfinc.plugins.spark.layout import FACTS, write_folder
from rdfinc.plugins.spark.session import spark_session
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.reading import read
from rdfinc.university import blocks, ontology, queries


class Stream(io.RawIOBase):
    """The university data as N-Triples, made while they are read."""

    def __init__(self, universities: int, departments: int | None) -> None:
        self._blocks = blocks(universities, departments=departments)
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._left = memoryview(block)
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


def memory(process: int, starter: bytes = b"") -> int:
    """The bytes that a process and all that it has started hold, where Linux tells. A JVM that
    another one has just forked holds nothing of its own."""
    total = 0
    try:
        program = Path(f"/proc/{process}/cmdline").read_bytes()
        if b"java" in program and program == starter:
            return 0
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total = 1024 * int(line.split()[1])
        for thread in Path(f"/proc/{process}/task").iterdir():
            children = map(int, (thread / "children").read_text().split())
            total += sum(memory(child, program) for child in children)
    except (OSError, ValueError):
        pass
    return total


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Prints how long the block takes, and the most memory that is seen meanwhile."""
    done, seen = threading.Event(), [0]

    def watch() -> None:
        while not done.wait(0.3):
            seen.append(memory(os.getpid()))

    watcher = threading.Thread(target=watch)
    start = time.perf_counter()
    watcher.start()
    try:
        yield
    finally:
        taken = time.perf_counter() - start
        done.set()
        watcher.join()
        print(f"  {name:24} {duration(taken):>10} {max(seen) / 1e6:>8,.0f} MB", flush=True)


def load(folder: Path, options: argparse.Namespace) -> int:
    dictionary = Dictionary()
    data = io.BufferedReader(Stream(options.universities, options.departments), 1 << 20)
    axioms = read(ontology().encode(), dictionary, format="ttl")
    manifest = write_folder(folder, [axioms, read(data, dictionary, format="nt")], dictionary)
    return manifest.facts


def query(closure: Path) -> int:
    """How many answers the queries have."""
    kb = KnowledgeBase(profile="none")
    kb.load(closure)
    return sum(len(list(kb.query(text))) for text in queries().values())


def count(spark: SparkSession, closure: Path) -> int:
    spark.read.parquet(str(closure / FACTS)).createOrReplaceTempView("facts")
    counted = "SELECT p, derived, count(*) FROM facts GROUP BY p, derived"
    return len(spark.sql(counted).collect())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--master", default="local[*]", help="(%(default)s)")
    parser.add_argument("--memory", default="4g", help="of the JVM (%(default)s)")
    parser.add_argument("--local", action="store_true", help="compare with a knowledge base")
    parser.add_argument("--rounds", action="store_true", help="show each round")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as place:
        folder, closure = Path(place, "data"), Path(place, "closure")
        with phase("generate and load"):
            stated = load(folder, options)
        settings = {"spark.driver.memory": options.memory}
        with spark_session(options.master, **settings) as spark:
            with phase("first answer of Spark"):
                spark.range(1).collect()
            say = print if options.rounds else lambda text: None
            with phase("materialise"):
                facts = materialise(spark, folder, closure, say=say).facts
            print(f"  {stated:,} stated, {facts - stated:,} derived")
            with phase("count in Spark SQL"):
                count(spark, closure)
        with phase("load closure and query"):
            answers = query(closure)
        print(f"  {answers:,} answers")
        if options.local:
            kb = KnowledgeBase()
            with phase("knowledge base alone"):
                kb.load(folder)
            assert len(kb) == facts, (len(kb), facts)


if __name__ == "__main__":
    main()
