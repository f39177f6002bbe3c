"""The container file and the unit of systemd name what there is, and what they start works; no
engine is needed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from click import Context

import rdfinc
from rdfinc.cli.app import app

ROOT = Path(__file__).parents[2]
SERVE = ROOT / "docs" / "how-to" / "serve.md"
INSTRUCTIONS = [
    tuple(line.split(maxsplit=1))
    for line in (ROOT / "Containerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    if line and not line.startswith("#")
]


def told(name: str) -> list[str]:
    """The arguments of all instructions of one name."""
    return [text for instruction, text in INSTRUCTIONS if instruction == name]


def started() -> list[str]:
    (entry,), (more,) = told("ENTRYPOINT"), told("CMD")
    return [*json.loads(entry), *json.loads(more)]


def settings() -> str:
    return (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_wheel_is_made_of_all_that_it_needs() -> None:
    copied = {name for text in told("COPY") for name in text.split()[:-1]}
    assert all((ROOT / name).exists() for name in copied)
    folders = re.search(r"^package-dir = \{(.*)\}$", settings(), re.MULTILINE)
    assert folders is not None
    assert set(re.findall(r'= "(\w+)"', folders[1])) <= copied
    assert {*re.findall(r'"(README\.md|LICENSE)"', settings())} <= copied
    assert {"pyproject.toml", "setup.py"} <= copied


def test_its_extra_and_its_python_are_those_of_the_package() -> None:
    (extra,) = (found for text in told("RUN") for found in re.findall(r"\.whl\)\[(\w+)\]", text))
    assert re.search(rf"^{extra} = \[", settings(), re.MULTILINE)
    lowest = re.search(r'requires-python = ">=3\.(\d+)"', settings())
    assert lowest is not None
    for image in told("FROM"):
        version = re.search(r"\bpython:3\.(\d+)-slim", image)
        assert version is not None and int(version[1]) >= int(lowest[1])


def test_it_starts_a_command_that_there_is_by_options_that_it_has() -> None:
    options = understood(started())
    assert told("EXPOSE") == [str(options["port"])]
    (volume,) = told("VOLUME")
    assert options["path"].parent == Path(volume)
    (user,) = told("USER")
    assert int(user) > 0 and f"--uid {user} " in " ".join(told("RUN"))
    assert f"install -d -o rdfinc {volume}" in " ".join(told("RUN"))


def understood(line: list[str]) -> dict[str, Any]:
    """What a command line says; raises UsageError for what is no option of its command."""
    name, command, *arguments = line
    assert Path(name).name == "rdfinc"
    found = app.get_command(Context(app), command)
    assert found is not None
    return dict(found.make_context(command, arguments).params)


def unit() -> str:
    page = SERVE.read_text("utf-8")
    return page.partition("```ini\n")[2].partition("```\n")[0]


def test_the_unit_starts_what_there_is(tmp_path: Path) -> None:
    line = re.search(r"^ExecStart=(.*)$", unit(), re.MULTILINE)
    assert line is not None
    options = understood(line[1].split())
    room = re.search(r"^ReadWritePaths=(.*)$", unit(), re.MULTILINE)
    assert room is not None and Path(room[1]) in options["path"].parents
    stop = re.search(r"^TimeoutStopSec=(\d+)$", unit(), re.MULTILINE)
    assert stop is not None and int(stop[1]) > options["timeout"] + 1


def test_systemd_has_nothing_to_say_of_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not there")
    file = tmp_path / "rdfinc.service"
    file.write_text(re.sub(r"^(ExecStart=)\S+", rf"\1{sys.executable}", unit(), flags=re.MULTILINE))
    done = subprocess.run(
        ["systemd-analyze", "verify", file], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def health() -> list[str]:
    (text,) = told("HEALTHCHECK")
    command = json.loads(text.partition("CMD ")[2])
    assert command[0] == "python"
    return [sys.executable, *command[1:]]


def test_what_it_starts_is_healthy_and_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    (volume,) = told("VOLUME")
    _, *command = [each.replace(volume, str(tmp_path)) for each in started()]
    asked = [each.replace("7878", port) for each in health()]
    assert subprocess.run(asked, capture_output=True, check=False).returncode == 1
    running = subprocess.Popen(
        [sys.executable, "-m", "rdfinc", *command, "--port", port],
        env={**os.environ, "RDFINC_TOKEN": "secret"},
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while subprocess.run(asked, capture_output=True, check=False).returncode:
            assert time.monotonic() < until and running.poll() is None
        update = urlencode({"update": "INSERT DATA { <a:a> <a:b> <a:c> }"}).encode()
        headers = {"Authorization": "Bearer secret"}
        with urlopen(Request(f"http://127.0.0.1:{port}/update", update, headers)) as got:
            assert got.status == 204
    finally:
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == 0
    with rdfinc.open(tmp_path / "kept", create=False) as kb:
        assert len(kb.explicit) == 1


def test_without_a_token_it_says_what_is_missing(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    _, *command = [each.replace("/data", str(tmp_path)) for each in started()]
    environment = {name: text for name, text in os.environ.items() if name != "RDFINC_TOKEN"}
    done = subprocess.run(
        [sys.executable, "-m", "rdfinc", *command, "--port", "0"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2 and "give a --token" in done.stderr
    assert not list(tmp_path.iterdir())
