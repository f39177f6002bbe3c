"""The command that measures rdfinc beside the libraries that are installed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from os.path import relpath
from pathlib import Path
from typing import Any

import click

from rdfinc import university
from rdfinc.cli import arguments as shared
from rdfinc.cli.console import put
from rdfinc.cli.files import STANDARD, blaming, read, require_known, require_other
from rdfinc.cli.output import as_json
from rdfinc.cli.progress import steps, working
from rdfinc.datalog.syntax.rule_file import is_rule_file
from rdfinc.errors import DataSyntaxError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.answers import Profile
from rdfinc.knowledge_base.extensions import extension
from rdfinc.terms.io.sources import expand


@click.command()
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILES…]",
    help="RDF and .dlog rules, as for `query`; made-up universities if left out.",
)
@shared.number("--universities", 1, "How many are made up.")
@shared.number("--departments", 2, "Of each, at most; some 6 700 triples each.")
@click.option(
    "--query",
    type=shared.PATH,
    multiple=True,
    help="A .rq file to ask as well; may be repeated.",
)
@shared.profile
@shared.number("--changes", 20, "Triples to take out and put back.", least=0)
@shared.number("--repetitions", 3, "How often all is measured.")
@click.option(
    "--timeout",
    type=shared.Seconds(min=1),
    default=60.0,
    show_default=True,
    help="Seconds that a process may take.",
)
@click.option("--output", "-o", type=shared.PATH, help="A Markdown file for the report.")
@click.option(
    "--plot",
    type=shared.PATH,
    help='A picture, such as bench.png. Needs `pip install "rdfinc[bench]"`.',
)
@shared.lenient
@shared.json
@shared.quiet
def bench(
    files: tuple[str, ...],
    universities: int,
    departments: int,
    query: tuple[Path, ...],
    profile: Profile,
    changes: int,
    repetitions: int,
    timeout: float,
    output: Path | None,
    plot: Path | None,
    skip_malformed: bool,
    json: bool,
) -> None:
    """Measure rdfinc on files, beside owlrl, reasonable, clingo, nemo, DuckDB, pyoxigraph, oxrdflib
    and rdflib, as far as they are installed: closures, memory, changes, queries, and whether all
    derive the same.
    """
    named, asked = [*files], _texts(query)
    require_known(named)
    for option, file in (("--output", output), ("--plot", plot)):
        if file is not None:
            require_other(option, file, named)
    drawing = _drawing(plot)
    with tempfile.TemporaryDirectory() as folder:
        if not named:
            asked = {**university.queries(), **asked}
            named = _made_up(Path(folder), universities, departments)
        rules = [path for path in expand(f for f in named if f != STANDARD) if is_rule_file(path)]
        data = Path(folder, "data.nt")
        _write_triples(named, data, not skip_malformed)
        task = extension("bench")(
            what=", ".join(Path(name).name for name in named),
            data=data,
            rules=rules,
            profile=profile,
            timeout=timeout,
            repetitions=repetitions,
            changes=changes,
        )
        with steps() as say:
            found = task.compared(asked, say)
    if drawing is not None:
        drawing.draw(found)
    report = extension("bench_report")
    if output is not None:
        picture = None if plot is None else relpath(plot, output.parent)
        output.write_text(report(found, picture), "utf-8")
    if json:
        put(as_json(found.record()))
    elif output is None:
        put(report(found))


def _texts(files: Sequence[Path]) -> dict[str, str]:
    """The queries in files, by the names of these; by their paths where names are equal."""
    prepare, nothing = extension("sparql_prepare"), KnowledgeBase("none")
    found = {}
    for file in files:
        try:
            name = str(file) if file.stem in found else file.stem
            found[name] = file.read_text("utf-8")
            prepare(nothing, found[name])
        except (DataSyntaxError, OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise click.BadParameter(f"{file}: {why}", param_hint="--query") from None
    return found


def _drawing(file: Path | None) -> Any:
    """What draws a picture, if one is wanted."""
    if file is None:
        return None
    make = extension("bench_plot")
    with blaming("--plot"):
        return make(file)


def _made_up(folder: Path, universities: int, departments: int) -> list[str]:
    """An ontology and data for it, in files."""
    ontology, data = folder / "university.ttl", folder / "universities.nt"
    ontology.write_text(university.ontology(), "utf-8")
    with working("making data"), data.open("wb") as out:
        out.writelines(university.blocks(universities, departments=departments))
    return [str(ontology), str(data)]


def _write_triples(files: list[str], data: Path, strict: bool) -> None:
    """The triples of files, of all graphs together, as N-Triples."""
    with_triples = [file for file in files if file == STANDARD or not is_rule_file(Path(file))]
    if not with_triples:
        raise click.BadParameter("there are only rules; name a file of triples too")
    read(with_triples, "none", strict).kb.dump(data, what="explicit")
