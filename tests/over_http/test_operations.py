"""Health, metrics, logs, and ends."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

import rdfinc
from over_http.places import PLACES, client, places
from over_http.serving import serving
from rdfinc.plugins.server.running import Listening


def values(text: str) -> dict[str, float]:
    """The samples of metrics."""
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def test_metrics_tell_what_was_done_and_what_there_is() -> None:
    kb = places()
    asked = client(kb, update=True)
    for _ in range(3):
        asked.ask("GET", "/sparql?query=ASK%7B%7D")
    asked.ask("GET", "/sparql?query=ASK")
    asked.ask("POST", "/sparql", data={"update": "INSERT DATA { :a :locatedIn :paris }"})
    got = asked.ask("GET", "/metrics")
    assert got.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    found = values(got.text)
    assert found["rdfinc_facts"] == len(kb)
    assert found["rdfinc_stated_facts"] == len(kb.explicit)
    assert found["rdfinc_violations"] == 0
    assert found['rdfinc_requests_total{kind="query",status="200"}'] == 3
    assert found['rdfinc_requests_total{kind="query",status="400"}'] == 1
    assert found['rdfinc_requests_total{kind="update",status="204"}'] == 1
    assert found['rdfinc_request_seconds_count{kind="query"}'] == 4
    assert found['rdfinc_request_seconds_bucket{kind="query",le="+Inf"}'] == 4
    assert found['rdfinc_request_seconds_sum{kind="query"}'] > 0
    assert "rdfinc_journal_number" not in found
    for line in got.text.splitlines():
        assert re.fullmatch(r'#.*|[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.e+]+', line), line


def test_the_journal_of_a_directory_is_counted(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path / "kept") as kb:
        asked = client(kb, update=True)
        numbers = []
        for text in ("INSERT DATA { <a:a> <a:b> <a:c> }", "INSERT DATA { <a:a> <a:b> <a:d> }"):
            asked.ask("POST", "/update", data={"update": text})
            numbers.append(values(asked.ask("GET", "/metrics").text)["rdfinc_journal_number"])
        assert numbers[1] == numbers[0] + 1
        assert asked.ask("GET", "/health").text == "ok\n"
    assert asked.ask("GET", "/health").status_code == 503


def test_health_needs_no_token_and_no_name() -> None:
    assert client(token="secret").ask("GET", "/health").status_code == 200
    assert client().ask("GET", "/health", {"Host": "10.0.0.7:7878"}).status_code == 200
    assert client(token="secret").ask("GET", "/metrics").status_code == 401


def test_a_line_for_each_request(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rdfinc.server.requests"):
        client().ask("GET", "/nothing%0Ahere?secret=1")
        client().ask("GET", "/sparql?query=ASK%7B%7D")
    first, second = (json.loads(record.message) for record in caplog.records[-2:])
    assert (first["path"], first["status"], first["kind"]) == ("/nothing\nhere", 404, "page")
    assert (second["method"], second["status"], second["kind"]) == ("GET", 200, "query")
    assert second["bytes"] == len('{"head": {}, "boolean": true}\n')


def started(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, and its address."""
    command = [sys.executable, "-m", "rdfinc", "serve", *arguments, "--port", "0", "-q"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    line = server.stderr.readline()
    if not line.startswith("http://127.0.0.1:"):
        server.kill()
        raise AssertionError(line + server.stderr.read())
    return server, line.split()[0]


def insert(address: str, number: int) -> None:
    update = f"INSERT DATA {{ <a:{number}> <a:p> <b:{number}> ; <a:q> <c:{number}> }}"
    with urlopen(f"{address}update", urlencode({"update": update}).encode(), timeout=20) as got:
        assert got.status == 204


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_what_was_acknowledged_is_there(how: signal.Signals, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    server, address = started("--path", str(kept), "--update", "--profile", "none")
    acknowledged: list[int] = []

    def client(first: int) -> None:
        number = first
        try:
            while True:
                insert(address, number)
                acknowledged.append(number)
                number += 2
        except (URLError, ConnectionError):
            pass

    clients = [threading.Thread(target=client, args=(first,)) for first in (0, 1)]
    for each in clients:
        each.start()
    while len(acknowledged) < 40 and server.poll() is None:
        time.sleep(0.01)
    os.kill(server.pid, how)
    for each in clients:
        each.join(30)
    _, told = server.communicate(timeout=30)
    assert "Traceback" not in told and '"path"' not in told
    assert server.returncode == (0 if how != signal.SIGKILL else -how)
    with rdfinc.open(kept, read_only=True) as kb:
        for number in acknowledged:
            assert (f"<a:{number}>", "<a:p>", f"<b:{number}>") in kb
        assert len(kb) % 2 == 0  # no half of an update


def test_a_server_that_only_reads_sees_what_another_process_writes(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path / "kept") as kb:
        kb.load(PLACES, format="turtle")
        server, address = started("--path", str(tmp_path / "kept"))
        question = f"{address}sparql?{urlencode({'query': 'ASK { :mona :locatedIn :europe }'})}"
        try:
            assert b"false" in urlopen(question, timeout=20).read()
            kb.load(b"@prefix : <http://example.org/> . :mona :locatedIn :louvre .", format="ttl")
            while b"false" in urlopen(question, timeout=20).read():
                time.sleep(0.01)
        finally:
            server.terminate()
            server.communicate(timeout=30)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no-such-file.ttl"], "no-such-file.ttl"),
        (["--host", "0.0.0.0", "--update"], "give a --token, or leave out --update"),
        (["--port", "70000"], "--port"),
        (["--path", "no-such-directory"], "no knowledge base is there to be read"),
    ],
)
def test_what_cannot_be_started_is_told(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "rdfinc", "serve", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1"])
def test_an_address_of_another_machine_is_told(host: str) -> None:
    with pytest.raises(OSError, match=rf"{host}:0: .+; --host is an address of this machine"):
        Listening(host, 0)


def test_an_address_that_is_taken_is_told() -> None:
    server, address = started()
    try:
        port = address.rstrip("/").rpartition(":")[2]
        command = [sys.executable, "-m", "rdfinc", "serve", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert "another --port may be free" in done.stderr
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_who_listens_hears_what_another_process_writes(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path / "data") as writer:
        writer.update(insert=[("<a:s>", "<a:p>", "<a:o>")])
        with (
            rdfinc.open(tmp_path / "data", read_only=True) as kb,
            serving(kb, follows=True) as address,
            urlopen(f"{address}/changes/stream", timeout=20) as events,
        ):
            assert events.readline() == b": listening\n"
            writer.update(insert=[("<a:new>", "<a:p>", "<a:o>")])
            told = next(line for line in events if line.startswith(b"data:"))
    assert b"a:new" in told
