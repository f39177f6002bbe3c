"""What README.md shows happens: its Python is run, and prints what it says."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from rdfinc.cli.app import app

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


SHOWN_COMMANDS = {
    command
    for shell in re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    for command in re.findall(r"\brdfinc (\w+)", shell)
}


def blocks() -> Iterator[tuple[str, str, int]]:
    """(language, text, line where it begins) of the README's code."""
    for found in FENCE.finditer(README):
        yield found[1], found[2], README.count("\n", 0, found.start()) + 2


def test_the_tour_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    compared = 0
    for language, text, line in blocks():
        if language == "python":
            assert not printed, f"what the code before line {line} prints is not shown"
            stream = io.StringIO()
            with redirect_stdout(stream):
                exec(compile("\n" * (line - 1) + text, "README.md", "exec"), names)
            printed = stream.getvalue()
        elif language == "text":
            assert printed == text, f"README.md, line {line}"
            printed, compared = "", compared + 1
    assert compared >= 5


FILES = re.findall(r"\b((?:examples|tests|ontologies|plugins)/[\w./]+\w)", README)


@pytest.mark.parametrize("path", sorted(set(FILES)))
def test_the_files_it_names_exist(path: str) -> None:
    assert (ROOT / path).exists()


def test_the_two_commands_are_there() -> None:
    """`.ci/run` reads them from the same places."""
    for name in ("demo", "test"):
        assert re.search(rf"^<!-- command: {name} -->\n```sh\n.+\n```$", README, re.MULTILINE)


def test_the_commands_it_shows_are_all_that_exist() -> None:
    callbacks = [info.callback for info in app.registered_commands]
    commands = {callback.__name__ for callback in callbacks if callback}
    assert commands | {group.name for group in app.registered_groups} == SHOWN_COMMANDS
