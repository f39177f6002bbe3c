"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path

import click

from rdfinc.cli.files import read_by
from rdfinc.cli.progress import silence
from rdfinc.terms.io.formats import NAMES

FILES_HELP = (
    "RDF in any format (also .gz .bz2 .xz .zst), .dlog rules, quoted glob patterns, folders that "
    "`load` has made, and - for standard input."
)
PATH = click.Path(path_type=Path)

files = click.argument("files", nargs=-1, required=True, metavar="FILES…", help=FILES_HELP)
profile = click.option(
    "--profile",
    type=click.Choice(["none", "rdfs", "owl2rl"]),
    default="owl2rl",
    show_default=True,
    help="Whose axioms among the triples are rules.",
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
engine = click.option(
    "--engine",
    type=click.Choice(["auto", "local", "spark"]),
    default="auto",
    show_default=True,
    help="Who reads the files: this process, Spark, or whoever is done first.",
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
