"""Clients that send or take too much, too slowly or not at all, and questions that are too hard."""

from __future__ import annotations

import logging
import resource
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

import rdfinc
from over_http.places import EX, client, places
from over_http.serving import serving
from rdfinc.plugins.server import running
from rdfinc.plugins.server.served import Served

QUERY = {"Content-Type": "application/sparql-query"}
HARD = "SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(9)) + " }"
LARGE = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
PATIENCE = 0.3
TURTLE = {"Content-Type": "text/turtle"}


def test_a_question_that_takes_too_long() -> None:
    got = client(timeout=0.2).ask("GET", "/sparql", params={"query": HARD})
    assert got.status_code == 503
    assert got.text.startswith("query stopped: timeout=0.2 is exceeded")


def test_an_answer_that_is_too_large() -> None:
    got = client(max_memory=10_000).ask("GET", "/sparql", params={"query": LARGE})
    assert got.status_code == 503
    assert got.text.startswith("query stopped: max_memory=10,000 is exceeded")


def test_a_graph_that_is_too_large() -> None:
    kb = places()
    kb.update(insert=[(f"<a:{i}>", "<a:p>", f"<b:{i}>") for i in range(1000)])
    got = client(kb, max_memory=10_000).ask("GET", "/graphs?default")
    assert got.status_code == 503


def test_an_answer_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    kb = places()
    asked = client(kb)

    def has_none(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Served, "query", has_none)
    got = asked.ask("GET", "/sparql", params={"query": "ASK { ?a ?b ?c }"})
    assert (got.status_code, got.text) == (
        503,
        "there is not enough memory for it; nothing was changed\n",
    )


def test_where_of_an_update_has_the_same_bounds() -> None:
    kb = places()
    text = HARD.replace("SELECT (COUNT(*) AS ?n)", f"INSERT {{ <{EX}x> <{EX}y> <{EX}z> }} WHERE")
    got = client(kb, update=True, timeout=0.2).ask("POST", "/update", data={"update": text})
    assert got.status_code == 503
    assert set(kb) == set(places())


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("POST", "/update", {"data": {"update": "INSERT DATA { <a:x> <a:n> 1 }"}}),
        ("PUT", "/graphs/n", {"content": "<a:x> <a:n> 1 .", "headers": TURTLE}),
    ],
)
def test_an_update_that_takes_too_long(method: str, path: str, sent: dict[str, Any]) -> None:
    kb = rdfinc.KnowledgeBase()
    for kind in "abc":  # ends only where Skolem terms do, some billions of terms later
        kb.add_rules(f'[?x, <a:n>, ?m] :- [?x, <a:n>, ?n], BIND(SKOLEM("{kind}", ?n) AS ?m) .')
    asked = client(kb, update=True, timeout=1)
    got = asked.ask(method, path, **sent)
    assert got.status_code == 503
    assert got.text.startswith("update rolled back: timeout=")
    assert len(kb) == 0
    assert asked.ask("GET", "/graphs/n").status_code == 404
    assert asked.ask("GET", "/sparql?query=ASK%7B%7D").status_code == 200


def test_a_question_during_a_long_update() -> None:
    kb = places()
    asked = client(kb, timeout=0.2)
    held, go = threading.Event(), threading.Event()

    def hold() -> None:
        with kb._lock:
            held.set()
            go.wait(20)

    threading.Thread(target=hold).start()
    held.wait(20)
    try:
        got = asked.ask("GET", "/sparql", params={"query": "ASK {}"})
    finally:
        go.set()
    assert got.status_code == 503
    assert "while an update is made" in got.text


def test_a_body_that_is_too_long() -> None:
    asked = client(max_body=100)
    got = asked.ask("POST", "/sparql", QUERY, content=b"ASK {} #" + b"x" * 100)
    assert got.status_code == 413
    assert got.text.startswith("the body is longer than max_body=100 bytes allow")

    async def unending() -> Iterator[bytes]:
        while True:
            yield b"#" * 50

    got = asked.ask("POST", "/sparql", QUERY, content=unending())
    assert got.status_code == 413


# -- over sockets


def connected(address: str) -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    made = socket.create_connection((host, int(port)), timeout=10)
    return made


def received(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def answers(address: str) -> bool:
    with urlopen(f"{address}/sparql?query=ASK%7B%7D", timeout=10) as got:
        return bool(got.status == 200)


def test_a_body_that_does_not_arrive() -> None:
    with serving(places(), timeout=PATIENCE) as address, connected(address) as slow:
        slow.sendall(
            b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
            b"Content-Type: application/sparql-query\r\n\r\nASK"
        )
        head, _, told = received(slow).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408")
        assert told == b"the body did not arrive within timeout=0.3 s\n"
        assert answers(address)


@pytest.mark.parametrize("length", ["Content-Length: 9", "Transfer-Encoding: chunked"])
def test_a_body_that_breaks_off(length: str, caplog: pytest.LogCaptureFixture) -> None:
    """It is no fault of the server."""
    caplog.set_level(logging.INFO)
    with serving(places()) as address:
        with connected(address) as asking:
            head = f"POST /sparql HTTP/1.1\r\nHost: {address[7:]}\r\n{length}\r\n"
            asking.sendall(f"{head}Content-Type: application/sparql-query\r\n\r\nzz\r\n".encode())
            asking.shutdown(socket.SHUT_WR)
            received(asking)
        assert urlopen(f"{address}/health").status == 200
    assert '"path": "/sparql"' in caplog.text
    assert "an answer failed" not in caplog.text and '"status": 500' not in caplog.text


def test_no_server_where_a_process_may_open_few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (100, 100))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: None)
    with pytest.raises(OSError, match="may have 100 files open here"):
        running._room(1000)


def test_a_request_of_the_whole_server_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with serving(places()) as address, connected(address) as asking:
        asking.sendall(b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert received(asking).startswith(b"HTTP/1.1 4")
    assert '"path": "*"' in caplog.text and "Traceback" not in caplog.text


def test_a_head_that_does_not_arrive() -> None:
    with serving(places(), patience=PATIENCE) as address, connected(address) as slow:
        slow.sendall(b"GET /sparql HT")
        assert received(slow) == b""
        assert answers(address)


@pytest.mark.parametrize("part", [b"GET /" + b"x" * 1000, b"GET / HTTP/1.1\r\nX: " + b"x" * 1000])
def test_a_head_without_end(part: bytes) -> None:
    with serving(places()) as address, connected(address) as endless:
        endless.sendall(part)
        told = b""
        try:
            for _ in range(1000):
                endless.sendall(b"x" * 1000)
        except ConnectionError:
            told = b"ended"
        assert told or received(endless).startswith(b"HTTP/1.1 431")
        assert answers(address)


def test_more_connections_than_there_may_be() -> None:
    with serving(places(), connections=10) as address:
        idle = [connected(address) for _ in range(30)]
        assert answers(address)
        for each in idle[:20]:
            assert received(each) == b""  # those that waited for longest
        for each in idle:
            each.close()


def test_more_connections_than_there_may_be_that_are_answered() -> None:
    with serving(places(), connections=2, listeners=5) as address:
        streams = [urlopen(f"{address}/changes/stream", timeout=10) for _ in range(2)]
        with connected(address) as one_more:
            assert received(one_more).startswith(b"HTTP/1.1 503")
        for each in streams:
            each.close()


def test_connections_that_are_left_alone_end() -> None:
    with serving(places(), patience=PATIENCE) as address, connected(address) as idle:
        assert received(idle) == b""


def long_texts() -> rdfinc.KnowledgeBase:
    """One resource that takes 20 MB to describe."""
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.update(insert=[("<a:s>", "<a:p>", f'"{i} {"x" * 10_000}"') for i in range(2000)])
    return kb


def test_who_takes_an_answer_slowly_gets_all_of_it() -> None:
    with serving(long_texts(), patience=PATIENCE) as address:
        with urlopen(f"{address}/sparql?query=DESCRIBE%20%3Ca:s%3E", timeout=10) as got:
            size = 0
            while part := got.read(1 << 18):
                size += len(part)
                time.sleep(0.02)
        assert size == int(got.headers["Content-Length"]) > 20_000_000


def test_who_takes_little_at_a_time_is_not_left() -> None:
    with serving(long_texts(), patience=PATIENCE) as address, connected(address) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 15)
        slow.sendall(b"GET /sparql?query=DESCRIBE%20%3Ca:s%3E HTTP/1.1\r\nHost: localhost\r\n\r\n")
        end = time.monotonic() + 5 * PATIENCE
        while time.monotonic() < end:
            assert slow.recv(1 << 16)
            time.sleep(PATIENCE / 16)


def test_who_takes_the_end_of_an_answer_slowly_gets_all_of_it() -> None:
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.update(insert=[("<a:s>", "<a:p>", f'"{"x" * 300_000}"')])
    with serving(kb, patience=PATIENCE) as address, connected(address) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        slow.sendall(b"GET /sparql?query=DESCRIBE%20%3Ca:s%3E HTTP/1.1\r\nHost: localhost\r\n\r\n")
        size = 0
        while part := slow.recv(1 << 13):
            size += len(part)
            time.sleep(PATIENCE / 8)
    assert size > 300_000


def test_who_takes_nothing_of_an_answer_is_left() -> None:
    kb = long_texts()
    with serving(kb, patience=PATIENCE) as address, connected(address) as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.sendall(b"GET /sparql?query=DESCRIBE%20%3Ca:s%3E HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(PATIENCE + 1)
        with pytest.raises(ConnectionResetError):
            while stuck.recv(1 << 16):
                pass
        assert answers(address)


def test_who_has_left_is_not_worked_for() -> None:
    kb = places()
    with serving(kb, timeout=60, threads=1) as address:
        with connected(address) as leaving:
            asked = HARD.replace(" ", "%20").replace("{", "%7B").replace("}", "%7D")
            request = f"GET /sparql?query={asked} HTTP/1.1\r\nHost: localhost\r\n\r\n"
            leaving.sendall(request.encode())
            time.sleep(0.2)
        assert answers(address)


# -- what is done at once


def test_what_is_brief_is_done_at_once_and_the_rest_elsewhere() -> None:
    from rdfinc.plugins.server.brief_work import BriefWork
    from rdfinc.plugins.sparql.columns.budget import Budget

    def endless(budget: Budget) -> None:
        while True:
            budget.check()

    brief, budget = BriefWork(), Budget(timeout=30)
    assert brief.done(budget, lambda within: "found") == "found"
    assert brief.done(budget, endless) is None
    assert brief.done(budget, lambda within: "found") is None  # others come first for a while
    time.sleep(0.2)
    assert brief.done(budget, lambda within: "found") == "found"


def test_bounds_but_for_that_of_time_hold_for_what_is_brief() -> None:
    from rdfinc.plugins.server.brief_work import BriefWork
    from rdfinc.plugins.sparql.columns.budget import Budget

    def large(budget: Budget) -> None:
        budget.hold(1000)

    with pytest.raises(rdfinc.BudgetExceededError, match="max_memory=10"):
        BriefWork().done(Budget(max_memory=10), large)


def test_what_waits_for_long_is_not_brief() -> None:
    from rdfinc.plugins.server.brief_work import LONGEST, BriefWork
    from rdfinc.plugins.sparql.columns.budget import Budget

    def waiting(budget: Budget) -> str:
        time.sleep(LONGEST)
        budget.check()
        return "found"

    assert BriefWork().done(Budget(timeout=30), waiting) is None


def test_small_questions_are_answered_by_the_thread_that_is_asked() -> None:
    kb, threads = places(), set[str]()
    reader = kb.reader

    def noting() -> Any:
        threads.add(threading.current_thread().name)
        return reader()

    kb.reader = noting  # type: ignore[method-assign]
    asked = client(kb)
    assert asked.ask("GET", "/sparql", params={"query": "ASK {}"}).status_code == 200
    assert threads == {threading.current_thread().name}
    remote = client(kb, remote=True)
    threads.clear()
    assert remote.ask("GET", "/sparql", params={"query": "ASK {}"}).status_code == 200
    assert threading.current_thread().name not in threads  # it may have to wait


def test_hard_questions_keep_nobody_waiting() -> None:
    hard = f"/sparql?query={quote(HARD)}"
    with serving(places(), timeout=3, threads=2) as address:
        asking = [threading.Thread(target=status, args=(address + hard,)) for _ in range(4)]
        for each in asking:
            each.start()
        answered = 0
        while any(each.is_alive() for each in asking):
            assert answers(address)
            answered += 1
        assert answered > 10


def status(url: str) -> int:
    try:
        with urlopen(url, timeout=20) as got:
            return int(got.status)
    except HTTPError as error:
        return error.code
