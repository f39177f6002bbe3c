"""The code of a page in Markdown, run in order in an empty directory beside `ontologies`.

A block with a title is a file; `python` and `sh` blocks are run; a `text` block is what the block
before it prints, where `…` stands for what differs from run to run.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from rdfinc.cli import main

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs"
FENCE = re.compile(
    r'^(?P<mark><!-- command: \w+ -->\n)?```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?\n'
    r"(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


STATUS = ' || echo "status $?"'
"""The end of a command whose status, if it is not 0, is shown."""


class Block(NamedTuple):
    """A block of a page: its language, "" for a picture, the file that it is, if it is one, its
    text, the line where this begins, and whether `.ci/run` is who runs it."""

    language: str
    title: str | None
    text: str
    line: int
    is_marked: bool


def pages() -> list[Path]:
    """README and all pages of the site."""
    return [ROOT / "README.md", *sorted(SITE.rglob("*.md"))]


def name_of(page: Path) -> str:
    """A page as tests name it."""
    return page.relative_to(ROOT if page.name == "README.md" else SITE).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page, in order."""
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start("text")) + 1
        yield Block(found["language"], found["title"], found["text"], line, bool(found["mark"]))


def run(page: Path, place: Path, port: int) -> Iterator[tuple[Block, str]]:
    """Each `text` block of a page beside what was printed; raises AssertionError for what is
    printed and not shown. `place` is the working directory, and `port` stands for 7878."""
    shutil.copytree(ROOT / "ontologies", place / "ontologies")
    names: dict[str, object] = {"__name__": "__main__"}
    printed, is_python = "", False
    for block in blocks(page):
        text = block.text.replace("7878", str(port))
        if block.title is not None:
            (place / block.title).parent.mkdir(parents=True, exist_ok=True)
            (place / block.title).write_text(text, "utf-8")
        elif block.language == "text":
            yield block, printed.replace(str(port), "7878")
            printed = ""
        elif block.language == "python" or (block.language == "sh" and not block.is_marked):
            assert not (printed and is_python), f"what is printed before line {block.line}"
            is_python = block.language == "python"
            where = f"{name_of(page)}, line {block.line}"
            printed = _python(text, block.line, where, names) if is_python else _shell(text, where)
    assert not (printed and is_python), f"what the end of {name_of(page)} prints"


def is_as_told(told: str, printed: str) -> bool:
    """Whether a `text` block is what was printed."""
    lines = re.escape(told).split("…")
    return re.fullmatch("[^\n]*".join(lines), printed) is not None


def _python(text: str, line: int, where: str, names: dict[str, object]) -> str:
    with redirect_stdout(io.StringIO()) as stream:
        exec(compile("\n" * (line - 1) + text, where, "exec", dont_inherit=True), names)
    return stream.getvalue()


def _shell(text: str, where: str) -> str:
    """What commands print. Those of rdfinc alone are run in this process, which is quicker."""
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    if all(_is_ours(line.removesuffix(STATUS)) for line in lines):
        return "".join(_command(line, where) for line in lines)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-e", "-c", text],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
        timeout=60,
    )
    assert done.returncode == 0, f"{where}: {done.stderr}"
    return done.stdout


def _is_ours(line: str) -> bool:
    """Whether a line is a command of rdfinc that needs no shell."""
    words = list(shlex.shlex(line, posix=True, punctuation_chars=True))
    return words[0] == "rdfinc" and not any(set(word) <= set("();<>|&") for word in words)


def _command(line: str, where: str) -> str:
    out, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(errors):
        patch.setattr(sys, "argv", shlex.split(line.removesuffix(STATUS)))
        with pytest.raises(SystemExit) as stopped:
            main()
    status = stopped.value.code or 0
    assert not status or line.endswith(STATUS), f"{where}: {errors.getvalue()}"
    out.flush()
    written = out.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]
    return f"{written}status {status}\n" if status else str(written)
