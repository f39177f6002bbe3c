"""Small queries over HTTP from several clients, while another client changes the data.

    python examples/benchmarks/server.py
    python examples/benchmarks/server.py --clients 1 8 64 --seconds 60
    python examples/benchmarks/server.py --clients 8 --seconds 3600

`rdfinc serve` runs in a process of its own over the data of a university, and each client in
another, with one connection. Three queries of four are about the university. The fourth reads what
the writer states, 50 times a second: a number, and a second one that has to fit to it; both are
also derived under another name. An answer in which they do not fit, or do not stand alone, is torn.

A line is one number of clients: queries a second; the time to an answer, its median and what 95 of
100 stay below; the same of updates; processor time of the server for each query, updates included;
its memory at the beginning and at the end; answers that were torn, and errors.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from measure import at_least_one, duration, megabytes, quantiles

from rdfinc import university

EX = "http://example.org/benchmark#"
RATE = 50
"""Updates a second."""

START = 5.0
"""Seconds in which the clients' processes begin."""

SCHEMA = f"""
<{EX}value> <http://www.w3.org/2000/01/rdf-schema#subPropertyOf> <{EX}shown> .
<{EX}check> <http://www.w3.org/2000/01/rdf-schema#subPropertyOf> <{EX}checked> .
"""
BOTH = f"""SELECT ?v ?w ?x ?y {{ <{EX}c> <{EX}value> ?v ; <{EX}check> ?w ; <{EX}shown> ?x ;
    <{EX}checked> ?y }}"""
QUERIES = (
    BOTH,
    "PREFIX u: <{0}> SELECT ?x ?y {{ ?x a u:FullProfessor ; u:name ?y }} LIMIT 20",
    "PREFIX u: <{0}> ASK {{ ?x a u:Student ; u:takesCourse ?c }}",
    "PREFIX u: <{0}> SELECT ?p ?o {{ <{1}> ?p ?o }}",
)
TICKS = os.sysconf("SC_CLK_TCK")


class Told(NamedTuple):
    """What a client has seen: the seconds of each answer, torn answers, errors."""

    seconds: list[float]
    torn: int
    errors: int


class Client:
    """One connection to the server."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.connect()
        # a head and a body are two packets, the second of which would wait for 40 ms
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, **sent: str) -> tuple[int, bytes]:
        """The status and the body of an answer to a form."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        self._connection.request("POST", "/sparql", urlencode(sent), headers)
        got = self._connection.getresponse()
        return got.status, got.read()


def reader(port: int, begin: float, until: float) -> Told:
    time.sleep(max(0.0, begin - time.time()))
    client, seconds, torn, errors = Client(port), list[float](), 0, 0
    subject = f"{university.NAMESPACE}FullProfessor"
    queries = [BOTH, *(q.format(university.NAMESPACE, subject) for q in QUERIES[1:])]
    for number in count():
        start = time.perf_counter()
        if time.time() > until:
            return Told(seconds, torn, errors)
        status, body = client.ask(query=queries[number % len(queries)])
        seconds.append(time.perf_counter() - start)
        errors += status != 200
        if status == 200 and number % len(queries) == 0:
            torn += not fits(json.loads(body)["results"]["bindings"])
    raise AssertionError


def fits(rows: list[dict[str, dict[str, str]]]) -> bool:
    """Whether the numbers of one update stand there, and nothing else."""
    if len(rows) != 1:
        return False
    v, w, x, y = (int(rows[0][name]["value"]) for name in "vwxy")
    return v == x and w == y == 7 * v


def writer(port: int, begin: float, until: float) -> Told:
    client, seconds, errors = Client(port), list[float](), 0
    for number in count():
        due = begin + number / RATE
        if due > until:
            return Told(seconds, 0, errors)
        time.sleep(max(0.0, due - time.time()))
        asked = time.perf_counter()
        status, _ = client.ask(update=state(number))
        seconds.append(time.perf_counter() - asked)
        errors += status != 204
    raise AssertionError


def state(number: int) -> str:
    return (
        f"DELETE {{ <{EX}c> <{EX}value> ?v ; <{EX}check> ?w }} "
        f"INSERT {{ <{EX}c> <{EX}value> {number} ; <{EX}check> {7 * number} }} "
        f"WHERE {{ OPTIONAL {{ <{EX}c> <{EX}value> ?v ; <{EX}check> ?w }} }}"
    )


@contextmanager
def server(files: list[Path]) -> Iterator[tuple[int, int]]:
    """Its process and its port."""
    command = [sys.executable, "-m", "rdfinc", "serve", "--update", "--port", "0", "-q"]
    running = subprocess.Popen([*command, *map(str, files)], stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    try:
        line = next(line for line in running.stderr if line.startswith("http://"))
        yield running.pid, int(line.split()[0].rstrip("/").rpartition(":")[2])
    finally:
        running.terminate()
        running.communicate(timeout=60)


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def row(pid: int, port: int, clients: int, seconds: float) -> str:
    Client(port).ask(update=state(0))
    before, size = processor_seconds(pid), memory(pid)
    begin = time.time() + START
    span = begin, begin + seconds
    with get_context("fork").Pool(clients + 1) as pool:
        writing = pool.apply_async(writer, (port, *span))
        reading = [pool.apply_async(reader, (port, *span)) for _ in range(clients)]
        told, written = [each.get() for each in reading], writing.get()
    used = processor_seconds(pid) - before
    answers = [each for one in told for each in one.seconds]
    errors = written.errors + sum(one.errors for one in told)
    return (
        f"{clients:>7}{len(answers) / seconds:>11,.0f}{times(answers):>22}"
        f"{times(written.seconds):>22}{duration(used / len(answers)):>12}"
        f"{megabytes(size):>10}{megabytes(memory(pid)):>9}"
        f"{sum(one.torn for one in told):>6}{errors:>8}"
    )


def times(seconds: list[float]) -> str:
    cuts = quantiles(seconds, 20)
    return f"{duration(cuts[9])} {duration(cuts[18]):>9}"


def main(clients: list[int], seconds: int, departments: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("schema.ttl", "own.nt", "data.nt")]
        files[0].write_text(university.ontology(), encoding="utf-8")
        files[1].write_text(SCHEMA, encoding="utf-8")
        files[2].write_bytes(b"".join(university.blocks(departments=departments)))
        with server(files) as (pid, port):
            print(f"{'clients':>7}{'queries/s':>11}{'answer p50, p95':>22}{'update p50, p95':>22}"
                  f"{'processor':>12}{'memory':>19}{'torn':>6}{'errors':>8}")  # fmt: skip
            for number in clients:
                print(row(pid, port, number, seconds), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=at_least_one, nargs="+", default=[1, 8])
    parser.add_argument("--seconds", type=at_least_one, default=60)
    parser.add_argument("--departments", type=at_least_one, default=15)
    options = parser.parse_args()
    main(options.clients, options.seconds, options.departments)
