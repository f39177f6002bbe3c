"""A command that has commands."""

from __future__ import annotations

from typing import Any

import click

from rdfinc.cli.console import put

NAME, COMPLETING = "rdfinc", "_RDFINC_COMPLETE"
"""The command, and the variable by which a shell asks what may follow."""

_WHOLE = 1000
"""Characters that the first sentence about a command may have."""


class Group(click.Group):
    """Shows its help, with status 2, where no command is named: commands in the order in which they
    are defined, each with its first sentence, whole."""

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
