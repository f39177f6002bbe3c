"""Completion of commands, options and their values in a shell."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import ShellComplete, get_completion_class, shell_complete

from rdfinc.cli.group import COMPLETING, NAME

_LOADED_BY = {"bash": ".bashrc", "zsh": ".zshrc"}


def completed(command: click.Command, instruction: str) -> int:
    """Tells a shell which words may follow; the exit status."""
    return shell_complete(command, {}, NAME, COMPLETING, instruction)


def script(command: click.Command) -> str:
    """What makes the current shell ask."""
    return _of_shell(command)[1].source()


def installed(command: click.Command) -> str:
    """Makes the current shell ask from its next start on; what was done, for people."""
    shell, completion = _of_shell(command)
    home = Path.home()
    if shell == "fish":
        file = home / ".config" / "fish" / "completions" / f"{NAME}.fish"
        _write(file, completion.source())
        return f"{file} is there; the next fish completes {NAME}"
    file, start = home / f".{NAME}-complete.{shell}", home / _LOADED_BY[shell]
    _write(file, completion.source())
    line = f'. "{file}"\n'
    before = start.read_text("utf-8") if start.exists() else ""
    if line not in before.splitlines(keepends=True):
        _write(start, before + "\n" * (before[-1:] not in ("", "\n")) + line)
    return f"{start} reads {file}; the next {shell} completes {NAME}"


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def _of_shell(command: click.Command) -> tuple[str, ShellComplete]:
    """The shell of the user; raises UsageError for one that cannot be told what may follow."""
    shell = Path(os.environ.get("SHELL", "")).name
    known = get_completion_class(shell)
    if known is None:
        raise click.UsageError(
            f"SHELL names {shell or 'nothing'}; words complete in bash, fish, zsh"
        )
    return shell, known(command, {}, NAME, COMPLETING)
