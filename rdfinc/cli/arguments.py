"""Arguments and options that several commands take."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class LoadEngine(str, Enum):
    auto, local, spark = "auto", "local", "spark"


class Profile(str, Enum):
    none, rdfs, owl2rl = "none", "rdfs", "owl2rl"


Files = Annotated[
    list[str],
    typer.Argument(
        help="RDF in any format (also .gz), .dlog rules, quoted glob patterns, and folders that "
        "`load` has made.",
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
Engines = Annotated[
    LoadEngine,
    typer.Option(
        "--engine", help="Who reads the files: this process, Spark, or whoever is done first."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
