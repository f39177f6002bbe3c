"""A command that has commands."""

from __future__ import annotations

from collections.abc import Mapping
from os.path import isfile
from typing import Any, ClassVar

import click

from rdfinc.cli.console import put

NAME, COMPLETING = "rdfinc", "_RDFINC_COMPLETE"
"""The command, and the variable by which a shell asks what may follow."""

_WHOLE = 1000
"""Characters that the first sentence about a command may have."""


class Group(click.Group):
    """Shows its help, with status 2, where no command is named: commands in the order in which they
    are defined, each with its first sentence, whole."""

    other_words: ClassVar[Mapping[str, str]] = {}
    """What people call commands, with the names of these."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        word = args[0]
        is_told = word.startswith("-") or ctx.resilient_parsing
        if not is_told and self.get_command(ctx, word) is None:
            ctx.fail(f"No such command {word!r}{self._near(ctx, word)}")
        return super().resolve_command(ctx, args)

    def _near(self, ctx: click.Context, word: str) -> str:
        from difflib import get_close_matches

        if isfile(word):
            return f"; a command comes first: {ctx.command_path} check {word}"
        known = [*self.list_commands(ctx), *self.other_words]
        begun = [each for each in known if each.startswith(word)]
        close = begun[:1] or get_close_matches(word, known, 1)
        name = "".join(self.other_words.get(each, each) for each in close)
        command = self.get_command(ctx, name)
        return f"; there is {name}: {command.get_short_help_str(_WHOLE)}" if command else ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands]

    def invoke(self, ctx: click.Context) -> Any:
        found = super().invoke(ctx)
        if ctx.invoked_subcommand is None:
            put(ctx.get_help())
            ctx.exit(2)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, each.get_short_help_str(_WHOLE)) for name, each in commands if each]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
