"""Knowledge bases on disk: how soon they open, what a commit costs, beside memory and Oxigraph.

    python examples/benchmarks/on_disk.py
    python examples/benchmarks/on_disk.py --universities 8 --commits 500
    python examples/benchmarks/on_disk.py --universities 100 --queries 5

The data of some universities are loaded with their ontology into a directory, which is then opened
in processes of their own: shown are the times until it is open, of the first query and of the first
update after that, with the resident memory at each point beyond that of the imports. Then facts are
added one at a time, each a commit of its own: on disk at once ("commit"), in groups ("interval"),
in memory, and in an Oxigraph store on the same disk; and so are batches of 10 000 facts. What one
fsync takes here is printed first. Oxigraph keeps what is stated, without a closure. Before that,
facts are added by a thread while checkpoints of the data are written: shown are the longest time
and the median that one waits, beside those when none is written, with the bytes that a checkpoint
writes for each byte of the journal, and the memory that it takes.

With `--queries` the 14 university queries are asked as well, all rows as terms: over the directory
as it is opened, over the same loaded into memory, and over an Oxigraph store on disk that holds the
closure, each in a process of its own: once, and then as often as is said. Shown are the medians of
these, and the resident memory beyond that of the imports when it is open, when all was asked once,
and in the end.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import pyoxigraph as ox
from measure import at_least_one, duration, megabytes, process

import rdfinc
from rdfinc import KnowledgeBase, university

ONTOLOGY = Path(__file__).parents[2] / "ontologies" / "university.ttl"
EX = "http://example.org/"
BATCH, BATCHES = 10_000, 5

OPEN = """
import json, sys, time
import rdfinc, rdfinc.durable, rdfinc.plugins.sparql_door
list(rdfinc.KnowledgeBase().query("SELECT ?x { ?x a <http://example.org/Nothing> }"))

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

found, start, before = {}, time.perf_counter(), resident()

def note(name):
    found[name] = time.perf_counter() - start, resident() - before

kb = rdfinc.open(sys.argv[1])
note("open")
start = time.perf_counter()
found["rows"] = len(list(kb.query(sys.argv[2])))
note("query")
fact = "<http://example.org/new>", "<http://example.org/p>", '"1"'
for name in ("first update", "update"):
    start = time.perf_counter()
    kb.update(insert=[fact])
    note(name)
    kb.update(delete=[fact])
kb.close()
print(json.dumps(found))
"""

QUERIES = """
import json, statistics, sys, time
from pathlib import Path
import pyoxigraph, rdfinc, rdfinc.durable, rdfinc.plugins.sparql_door
from rdfinc import KnowledgeBase, university

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

def in_memory(*files):
    kb = KnowledgeBase()
    kb.load(*map(Path, files))
    len(kb)
    return kb

list(KnowledgeBase().query("SELECT ?x { ?x a <http://example.org/Nothing> }"))
begin = {"disk": rdfinc.open, "memory": in_memory, "Oxigraph": pyoxigraph.Store}[sys.argv[1]]
start, before, found = time.perf_counter(), resident(), {}
rounds, *given = sys.argv[2:]
base = begin(*given)
found["seconds"], found["memory"] = time.perf_counter() - start, [resident() - before]
taken = {name: [] for name in university.queries()}
for number in range(1 + int(rounds)):
    for name, query in university.queries().items():
        start = time.perf_counter()
        rows = sum(1 for _ in base.query(query))
        taken[name].append((time.perf_counter() - start, rows))
    if number in (0, int(rounds)):
        found["memory"].append(resident() - before)
found["queries"] = {
    name: (times[0][0], statistics.median(seconds for seconds, _ in times[1:]), times[0][1])
    for name, times in taken.items()
}
print(json.dumps(found))
"""


def filled(place: Path, data: Path) -> dict[str, Any]:
    """Loads data into a directory; what that took."""
    start = time.perf_counter()
    kb = rdfinc.open(place / "rdfinc")
    kb.load(ONTOLOGY, data)
    found: dict[str, Any] = {"load": time.perf_counter() - start, "facts": len(kb)}
    found["stated"], found["terms"] = len(kb.explicit), len(kb.dictionary)
    start = time.perf_counter()
    kb.close()
    found["checkpoint"] = time.perf_counter() - start
    found["bytes"] = sum(file.stat().st_size for file in (place / "rdfinc").iterdir())
    return found


def oxigraph(place: Path, data: Path) -> tuple[float, float]:
    """The seconds to load data into an Oxigraph store, and to open that."""
    start = time.perf_counter()
    store = ox.Store(str(place / "oxigraph"))
    store.bulk_load(path=str(data), format=ox.RdfFormat.N_TRIPLES)
    del store
    loaded = time.perf_counter()
    ox.Store(str(place / "oxigraph"))
    return loaded - start, time.perf_counter() - loaded


def fsync_seconds(place: Path, times: int = 50) -> float:
    with (place / "probe").open("wb") as file:
        taken = []
        for _ in range(times):
            file.write(b"x" * 200)
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    return median(taken)


def facts(first: int, count: int) -> list[tuple[str, str, str]]:
    return [(f"<{EX}n{n}>", f"<{EX}p>", f'"{n}"') for n in range(first, first + count)]


def commits(kb: KnowledgeBase, number: int) -> tuple[float, float]:
    """Seconds for one commit of a fact, on average, and the median for one of many facts."""
    kb.update(insert=facts(0, 1))
    start = time.perf_counter()
    for fact in facts(1, number):
        kb.update(insert=[fact])
    single = (time.perf_counter() - start) / number
    taken = []
    for first in range(10**6, (1 + BATCHES) * 10**6, 10**6):
        batch = facts(first, BATCH)
        start = time.perf_counter()
        kb.update(insert=batch)
        taken.append(time.perf_counter() - start)
    return single, median(taken)


def oxigraph_commits(place: Path, number: int) -> tuple[float, float]:
    store = ox.Store(str(place))

    def quads(first: int, count: int) -> list[ox.Quad]:
        return [
            ox.Quad(ox.NamedNode(s[1:-1]), ox.NamedNode(p[1:-1]), ox.Literal(o[1:-1]))
            for s, p, o in facts(first, count)
        ]

    store.extend(quads(0, 1))
    start = time.perf_counter()
    for quad in quads(1, number):
        store.add(quad)
    single = (time.perf_counter() - start) / number
    taken = []
    for first in range(10**6, (1 + BATCHES) * 10**6, 10**6):
        batch = quads(first, BATCH)
        start = time.perf_counter()
        store.extend(batch)
        taken.append(time.perf_counter() - start)
    return single, median(taken)


def waits(kb: KnowledgeBase, first: int, is_over: threading.Event) -> list[float]:
    """Seconds that each update takes, one after the other until it is over."""
    taken = []
    for number in count(first):
        if is_over.is_set():
            return taken
        (fact,) = facts(number, 1)
        start = time.perf_counter()
        kb.update(insert=[fact])
        taken.append(time.perf_counter() - start)
        time.sleep(0.001)
    return taken


def show_checkpoints(place: Path, times: int = 5) -> None:
    kb = rdfinc.open(place)
    told: dict[str, list[float]] = {"none": [], "a checkpoint": []}
    written, peaks = [], []
    with ThreadPoolExecutor(1) as pool:
        for first in range(10**8, 10**8 + 2 * times * 10**6, 10**6):
            name = "none" if first // 10**6 % 2 else "a checkpoint"
            is_over = threading.Event()
            committed = sum(file.stat().st_size for file in place.glob("journal-*"))
            updates, before = pool.submit(waits, kb, first, is_over), resident()
            if name == "none":
                time.sleep(0.5)
            else:
                kb.checkpoint()
                peaks.append(resident() - before)
                newest = max(place.glob("segment-*"), key=lambda file: file.stat().st_mtime)
                written.append(newest.stat().st_size / committed)
            is_over.set()
            told[name] += updates.result()
    for name, taken in told.items():
        print(
            f"  beside {name:12} an update takes {duration(median(taken))}, at most"
            f" {duration(max(taken))} ({len(taken)} updates)"
        )
    print(
        f"  a checkpoint writes {median(written):.0f} bytes for each of the journal, and takes"
        f" {megabytes(max(peaks))} of memory"
    )
    kb.close()


def resident() -> int:
    """The resident memory of this process, in bytes."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


def show_opening(place: Path, universities: int, departments: int | None) -> None:
    data = place / "data.nt"
    with data.open("wb") as file:
        file.writelines(university.blocks(universities, departments=departments))
    found = filled(place, data)
    loading, opening = oxigraph(place, data)
    print(
        f"{universities} universities, {found['stated']:,} stated, {found['facts']:,} facts,"
        f" {found['terms']:,} terms: loaded in {duration(found['load'])} (Oxigraph"
        f" {duration(loading)}), checkpoint in {duration(found['checkpoint'])},"
        f" {megabytes(found['bytes'])} on disk"
    )
    query = f"SELECT ?x {{ ?x a <{university.NAMESPACE}Chair> }}"
    runs = [
        json.loads(process(OPEN, place / "rdfinc", query).output.split("\n")[0]) for _ in range(3)
    ]
    for name in ("open", "query", "first update", "update"):
        seconds = median(run[name][0] for run in runs)
        memory = median(run[name][1] for run in runs)
        print(f"  {name:14} {duration(seconds):>10}   {megabytes(memory):>8} more than imports")
    print(f"  Oxigraph opens in {duration(opening)}")
    show_checkpoints(place / "rdfinc")


def store_closure(place: Path) -> None:
    """Puts the closure of a directory into an Oxigraph store beside it."""
    with rdfinc.open(place / "rdfinc", read_only=True) as kb:
        kb.dump(place / "closure.nt")
    store = ox.Store(str(place / "closure"))
    store.bulk_load(path=str(place / "closure.nt"), format=ox.RdfFormat.N_TRIPLES)
    store.optimize()


def asked(place: Path, rounds: int) -> dict[str, Any]:
    """What `QUERIES` tells of what `show_opening` has left, each in a process of its own."""
    store_closure(place)
    inputs = {
        "disk": [place / "rdfinc"],
        "memory": [ONTOLOGY, place / "data.nt"],
        "Oxigraph": [place / "closure"],
    }
    done = {name: process(QUERIES, name, rounds, *given) for name, given in inputs.items()}
    return {name: json.loads(each.output) for name, each in done.items()}


def show_queries(place: Path, rounds: int) -> None:
    runs = asked(place, rounds)
    print(f"  {'':6}{'rows':>10}" + "".join(f"{name:>12}" for name in runs) + "   (medians)")
    for name in university.queries():
        found = [run["queries"][name] for run in runs.values()]
        assert len({rows for *_, rows in found}) == 1, (name, found)
        show_row(f"{name:6}{found[0][2]:>10,}", (duration(middle) for _, middle, _ in found))
    for number, what in enumerate(("all, first time", "all, medians")):
        taken = ([each[number] for each in run["queries"].values()] for run in runs.values())
        show_row(what, (duration(sum(each)) for each in taken))
    show_row("open or load", (duration(run["seconds"]) for run in runs.values()))
    for number, what in enumerate(("memory then", "all asked once", "in the end")):
        show_row(what, (megabytes(run["memory"][number]) for run in runs.values()))


def show_row(what: str, values: Iterable[str]) -> None:
    print(f"  {what:16}" + "".join(f"{value:>12}" for value in values))


def show_commits(place: Path, number: int) -> None:
    print(f"one fsync here: {duration(fsync_seconds(place))}")
    print(f"  {'':10} {'one fact':>10} {'a second':>9} {f'{BATCH:,} facts':>14}")
    bases = {"memory": KnowledgeBase()} | {
        name: rdfinc.open(place / name, durability=name) for name in ("interval", "commit")
    }
    rows = {name: commits(kb, number) for name, kb in bases.items()}
    rows["Oxigraph"] = oxigraph_commits(place / "commits", number)
    for name, (single, batch) in rows.items():
        print(f"  {name:10} {duration(single):>10} {1 / single:>9,.0f} {duration(batch):>14}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=at_least_one, nargs="+", default=[1, 8])
    parser.add_argument("--departments", type=at_least_one, help="at most so many a university")
    parser.add_argument("--commits", type=at_least_one, default=300)
    parser.add_argument("--queries", type=at_least_one, help="how often to ask the 14 queries")
    options = parser.parse_args()
    for universities in options.universities:
        with tempfile.TemporaryDirectory() as place:
            show_opening(Path(place), universities, options.departments)
            if options.queries:
                show_queries(Path(place), options.queries)
    with tempfile.TemporaryDirectory() as place:
        show_commits(Path(place), options.commits)


if __name__ == "__main__":
    main()
