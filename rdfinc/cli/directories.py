"""Commands about the directories that `rdfinc.open` makes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import rdfinc
from rdfinc.cli.arguments import Json
from rdfinc.cli.console import put
from rdfinc.cli.output import as_json
from rdfinc.durable import restore as restored
from rdfinc.durable import verify as problems_of

Kept = Annotated[
    Path, typer.Argument(help="A directory that rdfinc.open or Graph.open made.", metavar="DIR")
]


def verify(
    directory: Kept,
    deep: Annotated[
        bool, typer.Option("--deep", help="Derive the closure again and compare it.")
    ] = False,
    json: Json = False,
) -> None:
    """Check a directory: checksums, journal, order of tables. Status 1 if something is wrong."""
    problems = problems_of(directory, deep=deep)
    put(as_json({"directory": str(directory), "problems": problems}) if json else _told(problems))
    if problems:
        raise typer.Exit(1)


def _told(problems: list[str]) -> str:
    return "\n".join(problems) if problems else "all is well"


def backup(
    directory: Kept,
    to: Annotated[Path, typer.Argument(help="A missing or empty directory.", metavar="TO")],
) -> None:
    """Write what a directory holds now to another one, which opens as it does."""
    with rdfinc.open(directory, create=False) as kb:
        kb.backup(to)
        put(f"{len(kb):,} facts: {to}")


def restore(
    backup: Kept,
    to: Annotated[Path, typer.Argument(help="A missing or empty directory.", metavar="TO")],
) -> None:
    """Copy a backup to where it is to be used, after checking it."""
    restored(backup, to)
    put(f"restored: {to}")
