"""Small queries over HTTP from several clients, while another client changes the data.

    python examples/benchmarks/server.py
    python examples/benchmarks/server.py --clients 1 8 64 --seconds 60
    python examples/benchmarks/server.py --clients 8 64 --rate 500 --seconds 300 --rounds 6 \
        --only rdfinc --core 1

`rdfinc serve` runs in a process of its own over the data of a university, and each client in
another, with one connection. Where Oxigraph's server is installed (`pip install oxigraph`), it is
asked the same in turn; it derives nothing, so it is given the closure, and updates state what
follows as well. Three queries of four are about the university. The fourth reads what
the writer states, 50 times a second: a number, and a second one that has to fit to it; both are
also derived under another name. An answer in which they do not fit, or do not stand alone, is torn.

A line is one number of clients and one server: queries a second, as many as there are answers or as
`--rate` asks for; the time from when one was due to its answer, its median and what 95 of 100 stay
below; the same of updates; processor time of the server for each query, updates included; its
memory at the beginning and at the end; answers that were torn, and errors.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import count, product
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from measure import at_least_one, duration, megabytes, quantiles

from rdfinc import KnowledgeBase, university

EX = "http://example.org/benchmark#"
UPDATES = 50
"""Updates a second."""

START = 2.0
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
    "PREFIX u: <{0}> ASK {{ ?x a u:Student ; u:takes ?c }}",
    "PREFIX u: <{0}> SELECT ?p ?o {{ <{1}> ?p ?o }}",
)
SERVERS = "rdfinc", "oxigraph"
TICKS = os.sysconf("SC_CLK_TCK")


class Told(NamedTuple):
    """What a client has seen: the seconds of each answer, torn answers, errors."""

    seconds: list[float]
    torn: int
    errors: int


class Server(NamedTuple):
    """A running server: its process, its port, where it takes queries and updates, and whether it
    derives anything."""

    name: str
    pid: int
    port: int
    queries: str
    updates: str
    derives: bool


class Client:
    """One connection to a server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        self._connection.connect()
        # a head and a body are two packets, the second of which would wait for 40 ms
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, query: str) -> tuple[int, bytes]:
        """The status and the body of an answer to a query."""
        return self._post(self._server.queries, {"query": query})

    def state(self, number: int) -> int:
        """The status of an answer to an update."""
        text = update(number, derives=self._server.derives)
        return self._post(self._server.updates, {"update": text})[0]

    def _post(self, path: str, form: dict[str, str]) -> tuple[int, bytes]:
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/sparql-results+json",
        }
        self._connection.request("POST", path, urlencode(form), headers)
        got = self._connection.getresponse()
        return got.status, got.read()


def reader(server: Server, begin: float, until: float, pace: float) -> Told:
    """Asks one query after the other, each `pace` seconds after the one before if there is time."""
    time.sleep(max(0.0, begin - time.time()))
    client, seconds, torn, errors = Client(server), list[float](), 0, 0
    subject = f"{university.NAMESPACE}FullProfessor"
    queries = [BOTH, *(q.format(university.NAMESPACE, subject) for q in QUERIES[1:])]
    for number in count():
        due = max(begin + number * pace, time.time() if not pace else 0.0)
        if max(due, time.time()) > until:
            return Told(seconds, torn, errors)
        time.sleep(max(0.0, due - time.time()))
        status, body = client.ask(queries[number % len(queries)])
        seconds.append(time.time() - due)
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


def writer(server: Server, begin: float, until: float) -> Told:
    client, seconds, errors = Client(server), list[float](), 0
    for number in count():
        due = begin + number / UPDATES
        if due > until:
            return Told(seconds, 0, errors)
        time.sleep(max(0.0, due - time.time()))
        asked = time.perf_counter()
        status = client.state(number)
        seconds.append(time.perf_counter() - asked)
        errors += status != 204
    raise AssertionError


def update(number: int, *, derives: bool) -> str:
    """The number and one that fits to it take the place of others, with what follows from them if
    nobody derives it."""
    new = {"value": number, "check": 7 * number}
    new |= {} if derives else {"shown": number, "checked": 7 * number}
    stated = " ; ".join(f"<{EX}{name}> {value}" for name, value in new.items())
    there = " ; ".join(f"<{EX}{name}> ?{name}" for name in new)
    return (
        f"DELETE {{ <{EX}c> {there} }} INSERT {{ <{EX}c> {stated} }} "
        f"WHERE {{ OPTIONAL {{ <{EX}c> {there} }} }}"
    )


@contextmanager
def rdfinc_server(within: list[str], files: list[Path]) -> Iterator[Server]:
    options = ["--update", "--port", "0", "-q", *map(str, files)]
    command = [*within, sys.executable, "-m", "rdfinc", "serve", *options]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    try:
        line = next(line for line in running.stderr if line.startswith("http://"))
        port = int(line.split()[0].rstrip("/").rpartition(":")[2])
        yield Server("rdfinc", running.pid, port, "/sparql", "/update", derives=True)
    finally:
        running.terminate()
        running.communicate(timeout=60)


@contextmanager
def oxigraph_server(within: list[str], program: str, files: list[Path]) -> Iterator[Server]:
    """Oxigraph's, in memory, with the closure of the files."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [*within, program, "serve", "--bind", f"127.0.0.1:{port}"]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        server = Server("oxigraph", running.pid, port, "/query", "/update", derives=False)
        while not is_up(port):
            time.sleep(0.05)
        closure = files[0].with_name("closure.nt")
        kb = KnowledgeBase()
        kb.load(*files)
        kb.dump(closure)
        connection = HTTPConnection("127.0.0.1", port)
        headers = {"Content-Type": "application/n-triples"}
        connection.request("POST", "/store?default", closure.read_bytes(), headers)
        assert connection.getresponse().status in (201, 204)
        yield server
    finally:
        running.terminate()
        running.wait(60)


def is_up(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def row(server: Server, clients: int, seconds: float, rate: float) -> str:
    Client(server).state(0)
    pid = server.pid
    before, size = processor_seconds(pid), memory(pid)
    begin = time.time() + START
    span = begin, begin + seconds
    with get_context("fork").Pool(clients + 1) as pool:
        writing = pool.apply_async(writer, (server, *span))
        pace = clients / rate if rate else 0.0
        starts = [begin + pace * number / clients for number in range(clients)]
        reading = [pool.apply_async(reader, (server, at, span[1], pace)) for at in starts]
        told, written = [each.get() for each in reading], writing.get()
    used = processor_seconds(pid) - before
    answers = [each for one in told for each in one.seconds]
    errors = written.errors + sum(one.errors for one in told)
    return (
        f"{server.name:10}{clients:>7}{len(answers) / seconds:>11,.0f}{times(answers):>22}"
        f"{times(written.seconds):>22}{duration(used / len(answers)):>12}"
        f"{megabytes(size):>10}{megabytes(memory(pid)):>9}"
        f"{sum(one.torn for one in told):>6}{errors:>8}"
    )


def times(seconds: list[float]) -> str:
    cuts = quantiles(seconds, 20)
    return f"{duration(cuts[9])} {duration(cuts[18]):>9}"


def main(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("schema.ttl", "own.nt", "data.nt")]
        files[0].write_text(university.ontology(), encoding="utf-8")
        files[1].write_text(SCHEMA, encoding="utf-8")
        files[2].write_bytes(b"".join(university.blocks(departments=options.departments)))
        with ExitStack() as running:
            servers = []
            within = [] if options.core is None else ["taskset", "-c", options.core]
            if "rdfinc" in options.only:
                servers.append(running.enter_context(rdfinc_server(within, files)))
            folders = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            program = shutil.which("oxigraph", path=folders)
            if program and "oxigraph" in options.only:
                servers.append(running.enter_context(oxigraph_server(within, program, files)))
            print(f"{'':10}{'clients':>7}{'queries/s':>11}{'answer p50, p95':>22}"
                  f"{'update p50, p95':>22}{'processor':>12}{'memory':>19}{'torn':>6}"
                  f"{'errors':>8}")  # fmt: skip
            for _, number, server in product(range(options.rounds), options.clients, servers):
                print(row(server, number, options.seconds, options.rate), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=at_least_one, nargs="+", default=[1, 8])
    parser.add_argument("--seconds", type=at_least_one, default=60)
    parser.add_argument("--departments", type=at_least_one, default=15)
    parser.add_argument("--rate", type=float, default=0.0, help="queries a second that are asked")
    parser.add_argument("--rounds", type=at_least_one, default=1)
    parser.add_argument("--only", nargs="+", default=SERVERS, choices=SERVERS)
    parser.add_argument("--core", help="the processor that servers are kept to")
    main(parser.parse_args())
