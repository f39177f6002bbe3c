"""The `rdfinc` command: its commands, imported when they are named, and completion."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click
from click.exceptions import Exit

import rdfinc
from rdfinc.cli.console import complain, put
from rdfinc.cli.group import COMPLETING, NAME, Group

COMMANDS = {
    "load": "converting",
    "materialise": "converting",
    "convert": "converting",
    "query": "asking",
    "explain": "asking",
    "stats": "asking",
    "check": "checking",
    "update": "changing",
    "diff": "changing",
    "watch": "changing",
    "rules": "rules",
    "serve": "serving",
    "verify": "directories",
    "backup": "directories",
    "restore": "directories",
    "bench": "benchmarking",
    "demo": "demo",
}
"""The modules of the commands, in the order of the help."""


_OTHER_WORDS = {
    "save": "convert", "export": "convert", "insert": "update", "delete": "update",
    "infer": "materialise", "reason": "materialise", "expand": "materialise",
    "derive": "materialise", "why": "explain", "prove": "explain", "sparql": "query",
    "select": "query", "count": "stats", "info": "stats", "validate": "check", "lint": "check",
    "server": "serve",
}  # fmt: skip
"""Words of other programs for what a command does."""


class _Commands(Group):
    other_words = _OTHER_WORDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"rdfinc.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command


def _version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        put(rdfinc.__version__)
        context.exit()


def _install(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        from rdfinc.cli.completion import installed

        put(installed(app))
        context.exit()


def _show(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        from rdfinc.cli.completion import script

        put(script(app))
        context.exit()


def _first(name: str, callback: Callable[..., None], help: str) -> Callable[..., Any]:
    """An option that is followed instead of a command."""
    return click.option(
        name, is_flag=True, is_eager=True, expose_value=False, callback=callback, help=help
    )


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@_first("--version", _version, "Print the version.")
@_first("--install-completion", _install, "Install completion for the current shell.")
@_first("--show-completion", _show, "Print what completes words in the current shell.")
def app() -> None:
    """A triple store whose inferred facts stay exact while you edit."""


def run(arguments: Sequence[str]) -> int:
    """Runs a command line; its exit status. Raises ClickException for what it says wrongly."""
    asked = os.environ.get(COMPLETING)
    if asked is not None:
        from rdfinc.cli.completion import completed

        return completed(app, asked)
    try:
        with warnings.catch_warnings(), app.make_context(NAME, [*arguments]) as context:
            warnings.showwarning = _warn
            app.invoke(context)
    except Exit as end:
        return end.exit_code
    return 0


def _warn(message: Warning | str, *place: Any, **more: Any) -> None:
    """Tells a warning without its place in a program."""
    complain(f"warning: {message}")
