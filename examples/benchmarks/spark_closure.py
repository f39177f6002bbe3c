"""University data from nothing to answers, by a knowledge base and by Spark: generate and load,
materialise, query.

    python examples/benchmarks/spark_closure.py
    python examples/benchmarks/spark_closure.py --universities 100 --memory 6g
    python examples/benchmarks/spark_closure.py --universities 1000 --engines local
    python examples/benchmarks/spark_closure.py --universities 20 --gone 1000 --engines spark
    python examples/benchmarks/spark_closure.py --universities 100 --by-tasks --memory 6g
    python examples/benchmarks/spark_closure.py --opened closed

The data are made while they are read, never on disk as text. A knowledge base takes in the data of
some universities at a time and keeps the closure. Spark's tasks make the data of some universities
each, and a folder of ids and Parquet of them; then the folder of the closure is made, and Spark
counts it by predicate; some of the statements may go again. Where Spark has this machine only, the
driver makes the folders, as far as memory goes; unless all is done `--by-tasks`. The closure is
opened in a process of its own, which makes a knowledge base of it, opened again, and answers the 14
queries. For each phase the wall time is shown, the time that processors have worked, and the peak
memory of the driver, the JVM and its workers together (what they share counts once, where Linux
tells); the JVM stays when its phases are over. Facts and answers must be the same.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE

import pyarrow as pa
import pyoxigraph as ox
from measure import duration
from msgspec.structs import force_setattr
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.plugins.spark import bulk_load_lines, materialise, retract
from rdfinc.plugins.spark.load.layout import DICTIONARY, FACTS
from rdfinc.plugins.spark.session import spark_session
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.terms.io.compression import Blocks
from rdfinc.university import blocks, ontology, queries


def started(process: int) -> Iterator[int]:
    """A process and all that it has started, where Linux tells."""
    yield process
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                yield from started(child)


def worked() -> float:
    """The seconds that processors have worked for this process and all that it has started."""
    total = 0
    for process in started(os.getpid()):
        with suppress(OSError):
            numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, numbers[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


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


UNIVERSITIES = 4
"""How many universities one task makes."""

PART = 50
"""How many universities a knowledge base loads at once."""


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Prints how long the block takes, how long processors work for it, and the most memory that is
    seen meanwhile."""
    done, seen = threading.Event(), [0]

    def watch() -> None:
        while not done.wait(1):
            seen.append(memory(os.getpid()))

    watcher = threading.Thread(target=watch)
    start, before = time.perf_counter(), worked()
    watcher.start()
    try:
        yield
    finally:
        taken = time.perf_counter() - start
        seen.append(memory(os.getpid()))
        done.set()
        watcher.join()
        work = duration(worked() - before)
        most = f"{max(seen) / 1e6:,.0f} MB"
        print(f"  {name:24} {duration(taken):>10} {work:>10} {most:>10}", flush=True)


class Shuffled:
    """What Spark's tasks hand to each other."""

    def __init__(self, spark: SparkSession) -> None:
        self._executors = spark.sparkContext._jsc.sc().statusStore().executorList
        self._told = 0

    def more(self) -> str:
        """How much it was since the last time."""
        executors = self._executors(False)
        each = [executors.apply(i).totalShuffleWrite() for i in range(executors.size())]
        before, self._told = self._told, sum(each)
        return f"{(self._told - before) / 1e6:,.1f} MB shuffled"


def load(spark: SparkSession, folder: Path, options: argparse.Namespace) -> int:
    """Each task makes the data of some universities."""

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column("id").to_pylist():
                made = blocks(number + 1, departments=options.departments, first=number)
                yield from (pa.record_batch({"lines": [block]}) for block in made)

    parts = -(-options.universities // UNIVERSITIES)
    numbers = spark.range(0, options.universities, numPartitions=parts)
    triples = ox.parse(ontology().encode(), format=ox.RdfFormat.TURTLE)
    text = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
    axioms = spark.createDataFrame([(text,)], "lines BINARY")
    data = axioms.unionByName(numbers.mapInArrow(rows, "lines BINARY"))
    return bulk_load_lines(data, folder).facts


def statements(spark: SparkSession, folder: Path, number: int) -> DataFrame:
    """So many of the statements in a folder, the same whenever it is made."""
    terms = spark.read.parquet(str(folder / DICTIONARY))
    facts = spark.read.parquet(str(folder / FACTS)).orderBy(F.xxhash64(*"spo")).limit(number)
    for end in "spo":
        named = terms.select(F.col("id").alias(end), F.col("term").alias(f"{end} term"))
        facts = facts.join(named, end)
    line = F.concat_ws(" ", *(f"{end} term" for end in "spo"), F.lit(".\n"))
    return facts.select(line.cast("binary").alias("lines"))


def query(kb: KnowledgeBase) -> int:
    """How many answers the queries have."""
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
    parser.add_argument("--engines", nargs="+", default=["local", "spark"], help="(both)")
    parser.add_argument("--gone", type=int, default=0, help="delete so many statements again")
    parser.add_argument("--place", help="for folders; a temporary one by default")
    parser.add_argument("--opened", type=Path, help="only open this folder of a closure")
    parser.add_argument("--by-tasks", action="store_true", help="the driver does nothing itself")
    parser.add_argument("--rounds", action="store_true", help="show each round")
    return parser.parse_args()


def on_spark(folder: Path, closure: Path, options: argparse.Namespace) -> tuple[int, int]:
    """How many facts the closure has, and answers there are."""
    if options.by_tasks:
        for threshold in ("read_here", "closed_here", "memory_share"):
            force_setattr(SPARK, threshold, 0)
    settings = {"spark.driver.memory": options.memory}
    with spark_session(options.master, **settings) as spark:
        with phase("first answer of Spark"):
            spark.range(1).collect()
        shuffled = Shuffled(spark)
        with phase("generate and load"):
            stated = load(spark, folder, options)
        print(f"  {shuffled.more()}")

        def say(text: str) -> None:
            """Each round is told when it is over."""
            if options.rounds:
                print(f"    {text}; since the last line {shuffled.more()}", flush=True)

        with phase("materialise"):
            facts = materialise(spark, folder, closure, say=say).facts
        print(f"  {shuffled.more()}")
        with phase("count in Spark SQL"):
            count(spark, closure)
        if options.gone:
            batch, less = folder.with_name("batch"), folder.with_name("less")
            with phase("load what goes"):
                bulk_load_lines(statements(spark, folder, options.gone), batch)
            with phase(f"{options.gone} statements go"):
                retract(spark, closure, batch, less, say=say)
    for name, made in ("loaded", folder), ("closure", closure):
        size = sum(file.stat().st_size for file in made.rglob("*") if file.is_file())
        print(f"  {name}: {size / 1e6:,.0f} MB, {size / stated:.1f} bytes a triple")
    command = [sys.executable, __file__, "--opened", closure]
    told = subprocess.run(command, check=True, stdout=PIPE).stdout.decode()
    *phases, counts = told.splitlines()
    print(*phases, sep="\n")
    opened_facts, answers = (int(word.replace(",", "")) for word in counts.split()[::2])
    assert opened_facts == facts
    return facts, answers


def opened(closure: Path) -> tuple[int, int]:
    """The same of a closure that is opened, in a process without Spark."""
    with phase("open the closure"):
        rdfinc.open(closure).close()
    with phase("open it again"):
        kb = rdfinc.open(closure)
    with kb, phase("query"):
        return len(kb), query(kb)


def alone(options: argparse.Namespace) -> tuple[int, int]:
    """The same by a knowledge base, which derives what follows from each part as it comes."""
    kb = KnowledgeBase()
    with phase("load and close"):
        kb.load(ontology().encode(), format="ttl")
        for first in range(0, options.universities, PART):
            last = min(first + PART, options.universities)
            made = blocks(last, departments=options.departments, first=first)
            kb.load(io.BufferedReader(Blocks(made), 1 << 20), format="nt")
            if options.rounds:
                print(f"{last} universities: {len(kb):,} facts", flush=True)
    sizes = kb.stats()
    print(f"  {sizes['explicit']:,} stated, {sizes['derived']:,} derived")
    print(f"  {sizes['bytes'] / sizes['explicit']:.1f} bytes a stated triple, terms included")
    with phase("query"):
        return len(kb), query(kb)


def main() -> None:
    options = arguments()
    if options.opened:
        print("  {:,} facts, {:,} answers".format(*opened(options.opened)))
        return
    found = []
    if "local" in options.engines:
        print("a knowledge base")
        found.append(alone(options))
        gc.collect()
    if "spark" in options.engines:
        print("Spark")
        with tempfile.TemporaryDirectory(dir=options.place) as place:
            found.append(on_spark(Path(place, "data"), Path(place, "closure"), options))
    print("  {:,} facts, {:,} answers".format(*found[-1]))
    assert len(set(found)) == 1, found


if __name__ == "__main__":
    main()
