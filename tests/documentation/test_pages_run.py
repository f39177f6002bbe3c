"""What README and the site show happens: their code is run, and prints what they say."""

from __future__ import annotations

import re
import shutil
import socket
from pathlib import Path

import pytest

from documentation.page_blocks import Block, blocks, is_as_told, name_of, pages, run
from rdfinc.cli.app import COMMANDS
from rdfinc.durable.durable_thresholds import DURABLE
from thresholds import put

NOT_RUN = {  # language: why no test runs its blocks
    "console": "they install packages, ask the network, or go on until they are interrupted",
    "ini": "a unit of systemd, which `tests/over_http/test_deployment.py` looks at",
    "py": "Spark, whose calls `tests/spark` makes, and programs of others: `examples/peers`, which"
    " `tests/examples` runs where they are installed",
    "yaml": "settings of programs that a test does not have: a CI service, Prometheus",
}
DATA = {"", "text", "turtle", "sparql", "datalog", "json", "xml", "ebnf"}
NEEDED = {  # page: what it imports or starts beside what is always there
    "how-to/ci.md": ("pytest",),
    "how-to/derived.md": ("pyarrow",),
    "how-to/serve.md": ("uvicorn", "SPARQLWrapper", "curl"),
    "how-to/tables.md": ("pandas", "polars", "pyarrow"),
}
PAGES = {name_of(page): page for page in pages()}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def every_block() -> list[Block]:
    return [block for page in PAGES.values() for block in blocks(page)]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_its_code_prints_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for needed in NEEDED.get(name, ()):
        if needed == "curl" and shutil.which("curl") is None:
            pytest.skip("curl is not there")
        elif needed != "curl":
            pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    put(monkeypatch, DURABLE, least_replay_seconds=1e6)  # no checkpoint but those that it asks for
    for block, printed in run(PAGES[name], tmp_path, free_port()):
        assert is_as_told(block.text, printed), f"{name}, line {block.line}:\n{printed}"


def test_every_block_is_run_or_there_is_a_reason() -> None:
    languages = {block.language for block in every_block() if block.title is None}
    assert languages <= {"python", "sh", *DATA, *NOT_RUN}
    assert set(NOT_RUN) <= languages, "and no reason without a block"
    assert NEEDED.keys() <= PAGES.keys()


def test_what_is_printed_is_compared() -> None:
    told = "a … c\nd\n"
    assert is_as_told(told, "a b c\nd\n")
    assert not is_as_told(told, "a b c\ne\n")
    assert not is_as_told(told, "a b c\n c\nd\n"), "within a line"


def test_all_commands_are_shown() -> None:
    shown = {
        command
        for block in every_block()
        if block.language in ("sh", "console")
        for command in re.findall(r"\brdfinc (\w+)", block.text)
    }
    assert COMMANDS.keys() <= shown
