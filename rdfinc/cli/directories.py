"""Commands about the directories that `rdfinc.open` makes."""

from __future__ import annotations

from pathlib import Path

import click
from click.exceptions import Exit

import rdfinc
from rdfinc.cli import arguments as shared
from rdfinc.cli.console import put
from rdfinc.cli.output import as_json
from rdfinc.durable import restore as restored
from rdfinc.durable import verify as problems_of
from rdfinc.durable.founding import holds_ours

MADE = "A directory that rdfinc.open or Graph.open made."
_to = click.argument("to", type=shared.PATH, metavar="TO", help="A missing or empty directory.")
_directory = click.argument("directory", type=shared.PATH, metavar="DIR", help=MADE)


@click.command()
@_directory
@click.option("--deep", is_flag=True, help="Derive the closure again and compare it.")
@shared.json
def verify(directory: Path, deep: bool, json: bool) -> None:
    """Check a directory: checksums, journal, order of tables. Status 1 if something is wrong."""
    problems = problems_of(directory, deep=deep)
    put(as_json({"directory": str(directory), "problems": problems}) if json else _told(problems))
    if problems:
        raise Exit(1)


def _told(problems: list[str]) -> str:
    return "\n".join(problems) if problems else "all is well"


@click.command()
@_directory
@_to
def backup(directory: Path, to: Path) -> None:
    """Write what a directory holds now to another one, which opens as it does."""
    if not (directory.is_dir() and holds_ours(directory)):
        raise FileNotFoundError(f"{directory}: no knowledge base is there")
    with rdfinc.open(directory, create=False) as kb:
        kb.backup(to)
        put(f"{len(kb):,} facts: {to}")


@click.command()
@click.argument("backup", type=shared.PATH, metavar="DIR", help=MADE)
@_to
def restore(backup: Path, to: Path) -> None:
    """Copy a backup to where it is to be used, after checking it."""
    restored(backup, to)
    put(f"restored: {to}")
