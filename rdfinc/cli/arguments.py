"""Arguments and options that several commands take."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from rdfinc.cli.files import read_by
from rdfinc.cli.progress import silence
from rdfinc.terms.io.formats import NAMES

FILES_HELP = (
    "RDF in any format (also .gz .bz2 .xz .zst), .dlog rules, quoted glob patterns, folders that "
    "`load` has made, and - for standard input; to ask, also a directory of rdfinc.open alone."
)
PATH = click.Path(path_type=Path)


def number(name: str, default: int, help: str, least: int = 1) -> Callable[..., Any]:
    """An option with a whole number."""
    return click.option(
        name, type=click.IntRange(min=least), default=default, show_default=True, help=help
    )


class Seconds(click.FloatRange):
    """A time from some seconds up; one without an end is none."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return seconds


def choice(name: str, words: Sequence[str], default: str, help: str) -> Callable[..., Any]:
    """An option with one of some words."""
    return click.option(
        name, type=click.Choice(words), default=default, show_default=True, help=help
    )


files = click.argument("files", nargs=-1, required=True, metavar="FILES…", help=FILES_HELP)
profile = choice(
    "--profile",
    ["none", "rdfs", "owl2rl"],
    "owl2rl",
    "Whose axioms among the triples are rules.",
)
lenient = click.option(
    "--skip-malformed", is_flag=True, help="Skip malformed statements instead of stopping."
)
workers = click.option(
    "--workers",
    type=click.IntRange(min=1),
    expose_value=False,
    callback=lambda context, option, number: read_by(number),
    help="Processes that read large files; otherwise as many as pay.",
)
engine = choice(
    "--engine",
    ["auto", "local", "spark"],
    "auto",
    "Who reads the files: this process, Spark, or whoever is done first.",
)
json = click.option("--json", is_flag=True, help="Print JSON.")
input_format = click.option(
    "--format", help=f"What standard input (-) is: {NAMES}; otherwise told by how it begins."
)
output_format = click.option(
    "--to", help=f"What is written to standard output (-): {NAMES}; Turtle if not told."
)
force = click.option("--force", is_flag=True, help="Write the output over an input.")
quiet = click.option(
    "--quiet",
    "-q",
    is_flag=True,
    expose_value=False,
    callback=lambda context, option, asked: silence(asked),
    help="Say nothing of what is under way.",
)
