"""`rdfinc load`, `materialise` and `convert`: files made of files."""

from __future__ import annotations

from pathlib import Path

import click

from rdfinc.cli import arguments as shared
from rdfinc.cli.console import complain, put
from rdfinc.cli.files import (
    STANDARD,
    closure_into_folder,
    into_folder,
    loaded,
    loses_graphs,
    read,
    require_unnamed,
    require_writable,
    written,
)
from rdfinc.cli.output import as_json, loaded_text
from rdfinc.knowledge_base.answers import LoadEngine, Part, Profile

_IN_FOLDER = "{facts:,} facts of {terms:,} terms: {folder}, in {seconds:.1f} s"


@click.command()
@shared.files
@click.option("--output", "-o", type=shared.PATH, help="The folder to make.")
@shared.engine
@shared.lenient
@shared.workers
@shared.json
def load(
    files: tuple[str, ...],
    output: Path | None,
    engine: LoadEngine,
    skip_malformed: bool,
    json: bool,
) -> None:
    """Load files into a folder that other commands and Spark SQL read at once: numbered terms, and
    facts by predicate, in Parquet.

    It needs `pip install "rdfinc[spark]"`.
    """
    if output is None:
        raise click.BadParameter(
            "-o names the folder to make; other commands read files as they are, such as"
            " `rdfinc materialise`, which prints what they state and what follows"
        )
    record = into_folder(files, output, not skip_malformed, engine)
    put(as_json(record) if json else _IN_FOLDER.format(**record))


@click.command()
@shared.files
@click.option(
    "--output",
    "-o",
    type=shared.PATH,
    default=STANDARD,
    show_default=True,
    help="The file to write; its extension is its format. With --engine spark also a folder to "
    "make, without extension.",
)
@shared.choice("--what", ["all", "derived", "explicit"], "all", "Which facts to write to a file.")
@shared.profile
@shared.engine
@shared.input_format
@shared.output_format
@shared.force
@shared.lenient
@shared.workers
@shared.json
@shared.quiet
def materialise(
    files: tuple[str, ...],
    output: Path,
    what: Part,
    profile: Profile,
    engine: LoadEngine,
    format: str | None,
    to: str | None,
    force: bool,
    skip_malformed: bool,
    json: bool,
) -> None:
    """Derive everything that follows from files, and write it to a file or to standard output.

    A folder is made on Spark all the way, for what is more than this machine's memory holds: other
    commands and Spark SQL read it at once. Contradictions are not looked for then.

    --engine spark needs `pip install "rdfinc[spark]"`.
    """
    if engine == "spark" and str(output) != STANDARD and not output.suffix:
        made = closure_into_folder(files, output, profile, not skip_malformed)
        put(as_json(made) if json else _IN_FOLDER.format(**made))
        return
    require_writable(output, files, force=force)
    require_unnamed(to, output)
    found = loaded(files, profile, not skip_malformed, engine, format)
    seconds = written(found.kb, output, what, to)
    if str(output) != STANDARD:
        record = {"output": str(output), "what": what, "write_seconds": seconds}
        text = f"{loaded_text(found)}\n{what} facts: {output}"
        put(as_json({**found.record(), **record}) if json else text)


@click.command()
@shared.files
@click.option(
    "--output",
    "-o",
    type=shared.PATH,
    default=STANDARD,
    show_default=True,
    help="The file to write; its extension is its format.",
)
@shared.input_format
@shared.output_format
@shared.force
@shared.lenient
@shared.workers
@shared.quiet
def convert(
    files: tuple[str, ...],
    output: Path,
    format: str | None,
    to: str | None,
    force: bool,
    skip_malformed: bool,
) -> None:
    """Write what files state in another format, as it is, to a file or to standard output."""
    require_writable(output, files, force=force)
    require_unnamed(to, output)
    kb = read(files, "none", not skip_malformed, format=format).kb
    if loses_graphs(kb, output, to):
        complain("warning: which named graph states what is lost; TriG (.trig, --to trig) keeps it")
    if kb.program:
        complain("warning: rules are no triples, and left out")
    written(kb, output, "explicit", to)
