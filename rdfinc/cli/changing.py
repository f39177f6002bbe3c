"""`rdfinc update`, `diff` and `watch`: what changes of files change of all that follows."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from pathlib import Path

import click
from click.exceptions import Exit
from msgspec.structs import asdict

from rdfinc.cli import arguments as shared
from rdfinc.cli.comparing import changes_text, differences, lines
from rdfinc.cli.console import complain, put
from rdfinc.cli.files import (
    STANDARD,
    bind_usual,
    loses_graphs,
    read,
    require_one_input,
    require_writable,
    written,
)
from rdfinc.cli.output import as_json
from rdfinc.cli.progress import is_silent, working
from rdfinc.cli.requests import naming, text_and_files
from rdfinc.cli.watched_files import WatchedFiles, change_text, changes
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import FileAccessError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.answers import Profile
from rdfinc.knowledge_base.extensions import extension
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.terms.io.rdf_patch import PATCH, Patch, is_patch, read_patch
from rdfinc.terms.io.sources import expand

UPDATES = ".ru", ".rq", ".sparql"
"""Extensions of files with SPARQL Update."""


@click.command()
@click.argument(
    "arguments",
    nargs=-1,
    required=True,
    metavar="REQUEST FILES…",
    help="SPARQL Update, or the path of a .ru file or an RDF Patch (.rdfp), unless --request-file "
    "names one; and then the files that it changes.",
)
@click.option("--request-file", help="A file of any name, or -, with either of them.")
@click.option(
    "--output",
    "-o",
    type=shared.PATH,
    help="The file to write; otherwise the one that is read.",
)
@click.option("--dry-run", is_flag=True, help="Write nothing, only tell what would change.")
@shared.profile
@shared.lenient
@shared.workers
@shared.json
@shared.quiet
def update(
    arguments: tuple[str, ...],
    request_file: str | None,
    output: Path | None,
    dry_run: bool,
    profile: Profile,
    skip_malformed: bool,
    json: bool,
) -> None:
    """Change files by SPARQL Update or RDF Patch, and tell what that changes of all that is stated
    or follows.

    What is stated then is written: to the file that was read, if it is one, or to the output.
    """
    text, files = text_and_files(arguments, request_file, "REQUEST", (*UPDATES, PATCH))
    target = output or _changed(files, dry_run)
    if not dry_run:
        require_writable(target, files, force=True)
        _require_apart(target, json)
    name = request_file or arguments[0]
    patch = read_patch(text, name) if name.endswith(PATCH) or is_patch(text) else None
    kb = read(files, profile, not skip_malformed).kb
    bind_usual(kb)
    with working("updating"), naming(text, name):
        delta = _updated(kb, text) if patch is None else _patched(kb, patch)
    added, removed = (lines(facts, kb.namespaces) for facts in (delta.added, delta.removed))
    if not dry_run:
        _require_room(kb, target)
        written(kb, target, "explicit")
    if json:
        put(as_json({"added": added, "removed": removed, "output": _named(target, dry_run)}))
    elif str(target) != STANDARD or dry_run:
        put(changes_text(added, removed))


def _changed(files: Sequence[str], dry_run: bool) -> Path:
    """The one file that is read, which is written, too; that of a dry run is never."""
    piped = [Path(STANDARD)] * (STANDARD in files)
    there = piped + expand(file for file in files if file != STANDARD)
    if len(there) != 1 and not dry_run:
        raise click.BadParameter("of several files name the --output, or ask for a --dry-run")
    return there[0]


def _require_apart(target: Path, json: bool) -> None:
    if json and str(target) == STANDARD:
        raise click.BadParameter(
            "what is stated then goes to standard output: name an --output, or ask for a --dry-run",
            param_hint="--json",
        )


def _require_room(kb: KnowledgeBase, target: Path) -> None:
    """Refuses a file without a place for the named graphs that there are now."""
    if loses_graphs(kb, target):
        raise click.BadParameter(
            f"{target} would lose which named graph states what: name a .trig or .nq as the"
            " --output; nothing is written",
            param_hint="--output",
        )


def _updated(kb: KnowledgeBase, text: str) -> Delta:
    """Carries out a request that reads no file."""
    try:
        delta: Delta = extension("sparql_update")(kb, text)
    except FileAccessError as error:
        raise click.BadParameter(
            f"{error.what} <{error.iri}> reads a file: name that among the FILES instead, with an"
            " --output"
        ) from None
    return delta


def _patched(kb: KnowledgeBase, patch: Patch) -> Delta:
    """Applies a patch to a knowledge base."""
    for prefix, iri in patch.prefixes.items():
        kb.namespaces.pop(prefix, None)
        if iri is not None:
            kb.bind(prefix, iri)
    return kb.update(delete=patch.delete, insert=patch.insert)


def _named(target: Path, dry_run: bool) -> str | None:
    return None if dry_run else str(target)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="OLD NEW", help="Two files.")
@click.option("--data", multiple=True, help="A file that is added to both; may be repeated.")
@shared.profile
@shared.lenient
@shared.workers
@shared.json
@shared.quiet
def diff(
    files: tuple[str, ...],
    data: tuple[str, ...],
    profile: Profile,
    skip_malformed: bool,
    json: bool,
) -> None:
    """Tell in what all that is stated in, or follows from, two files differs: what a change of an
    ontology does to data. Blank nodes are taken for one. Status 0 if in nothing, 1 if in something.
    """
    if len(files) != 2:
        raise click.BadParameter(
            f"OLD and NEW are two files, not {len(files)}; --data FILE adds one to both"
        )
    require_one_input([*files, *data])
    one, other = (read([file, *data], profile, not skip_malformed).kb for file in files)
    prefixes = {**PREFIXES, **one.namespaces, **other.namespaces}
    added, removed = differences(one, other, prefixes)
    if json:
        put(as_json({"added": added, "removed": removed}))
    else:
        put(changes_text(added, removed))
    if added or removed:
        raise Exit(1)


@click.command()
@shared.files
@shared.profile
@click.option(
    "--every",
    "seconds",
    type=shared.Seconds(min=0.05),
    default=0.5,
    show_default=True,
    help="Seconds between two looks at the files.",
)
@shared.lenient
@click.option("--json", is_flag=True, help="Print a line of JSON each time.")
@shared.quiet
def watch(
    files: tuple[str, ...], profile: Profile, seconds: float, skip_malformed: bool, json: bool
) -> None:
    """Look at files again and again, and tell what each change of them changes of all that is
    stated or follows, until it is interrupted. A file that is malformed for a while stays as it
    was.
    """
    if STANDARD in files:
        raise click.BadParameter(
            "standard input cannot be looked at again: name files", param_hint="FILES"
        )
    with working("reading and deriving what follows"):
        watched = WatchedFiles(files, profile, not skip_malformed)
    if not is_silent():
        complain(f"{len(watched.kb):,} facts; waiting for changes, Ctrl-C ends it")
    for change in changes(watched, seconds, complain):
        put(dumps(asdict(change)) if json else change_text(change))
