"""Scripts run as users run them, each in a process of its own. It is forked from one that has what
most scripts import for most of a second, and nothing that another script left behind."""

from __future__ import annotations

import gc
import io
import os
import runpy
import sys
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

IMPORTED = ("lark", "msgspec", "numpy", "pyoxigraph", "rdflib.plugins.sparql")
"""Packages of others; what a script imports of rdfinc is imported anew."""

_FORKED = get_context("forkserver" if os.name == "posix" else "spawn")
_FORKED.set_forkserver_preload(IMPORTED)


def run(script: Path, *arguments: str) -> str:
    """What a script prints; raises AssertionError with its errors if it fails."""
    with TemporaryDirectory() as folder:
        out, errors = Path(folder, "out"), Path(folder, "errors")
        process = _FORKED.Process(target=_run, args=(script, arguments, out, errors))
        process.start()
        process.join()
        assert process.exitcode == 0, errors.read_text("utf-8")
        return out.read_text("utf-8")


def _run(script: Path, arguments: tuple[str, ...], out: Path, errors: Path) -> None:
    """The script as the main module, as `python SCRIPT ARGUMENTS > OUT 2> ERRORS` has it. Where it
    looks for garbage, it passes over what was there before."""
    gc.freeze()
    sys.stdout, sys.stderr = _instead_of(1, out), _instead_of(2, errors)
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.parent))
    runpy.run_path(str(script), run_name="__main__")


def _instead_of(descriptor: int, file: Path) -> io.TextIOBase:
    """A stream into a file that takes the place of an open one, for processes begun later, too."""
    with file.open("wb") as opened:
        os.dup2(opened.fileno(), descriptor)
    return open(descriptor, "w", encoding="utf-8", closefd=False)
