"""The command line, run in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rdfinc.cli import main

ZOO = """
@prefix : <http://example.org/zoo#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Cat rdfs:subClassOf :Animal .
:tom a :Cat ; :name "Tom" ; :age 7 .
:eats rdfs:range :Animal .
:tom :eats :jerry .
"""


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit status and what it wrote."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`run("stats", "a.ttl")` is `rdfinc stats a.ttl`; an unforeseen exception comes through."""
    monkeypatch.setenv("COLUMNS", "200")  # messages on one line

    def command(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["rdfinc", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        written = capsys.readouterr()
        return Ran(int(stopped.value.code or 0), written.out, written.err)

    return command


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    path = tmp_path / "zoo.ttl"
    path.write_text(ZOO)
    return path
