"""Arguments and options that several commands take."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from rdfinc.cli.files import read_by
from rdfinc.cli.progress import silence
from rdfinc.terms.io.formats import NAMES


class LoadEngine(str, Enum):
    auto, local, spark = "auto", "local", "spark"


class Profile(str, Enum):
    none, rdfs, owl2rl = "none", "rdfs", "owl2rl"


Files = Annotated[
    list[str],
    typer.Argument(
        help="RDF in any format (also .gz .bz2 .xz .zst), .dlog rules, quoted glob patterns, "
        "folders that `load` has made, and - for standard input.",
        metavar="FILES…",
    ),
]
Rules = Annotated[
    Profile,
    typer.Option("--profile", help="Whose axioms among the triples are rules."),
]
Lenient = Annotated[
    bool, typer.Option("--skip-malformed", help="Skip malformed statements instead of stopping.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        callback=read_by,
        help="Processes that read large files; otherwise as many as pay.",
    ),
]
Engines = Annotated[
    LoadEngine,
    typer.Option(
        "--engine", help="Who reads the files: this process, Spark, or whoever is done first."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--format", help=f"What standard input (-) is: {NAMES}; otherwise told by how it begins."
    ),
]
OutputFormat = Annotated[
    str | None,
    typer.Option(
        "--to", help=f"What is written to standard output (-): {NAMES}; Turtle if not told."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write the output over an input.")]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", callback=silence, help="Say nothing of what is under way."),
]
