"""The commands and their options; what they do is in the modules beside this one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from enum import Enum
from itertools import islice
from json import dumps as _dumps
from os.path import exists
from pathlib import Path
from typing import Annotated

import typer

import rdfinc
from rdfinc.cli.annotations import github, sarif
from rdfinc.cli.arguments import (
    Engines,
    Files,
    Force,
    InputFormat,
    Json,
    Lenient,
    LoadEngine,
    OutputFormat,
    Profile,
    Quiet,
    Rules,
    Workers,
)
from rdfinc.cli.benchmarking import bench
from rdfinc.cli.check import Checked, checked
from rdfinc.cli.comparing import changes_text, differences, lines
from rdfinc.cli.console import complain, put
from rdfinc.cli.directories import backup, restore, verify
from rdfinc.cli.files import (
    STANDARD,
    bind_usual,
    closure_into_folder,
    into_folder,
    loaded,
    read,
    refuse_input,
    require_writable,
    written,
)
from rdfinc.cli.output import (
    as_json,
    loaded_text,
    proof_record,
    sizes_text,
)
from rdfinc.cli.progress import working
from rdfinc.cli.proof_page import proof_html
from rdfinc.cli.results import Results, put_answer
from rdfinc.cli.rules import rules
from rdfinc.cli.serving import serve
from rdfinc.cli.watching import WatchedFiles, change_text, changes
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.knowledge_base.explanations.proofs import Proof
from rdfinc.knowledge_base.explanations.short_names import term
from rdfinc.knowledge_base.explanations.violation_groups import PROVED
from rdfinc.knowledge_base.extensions import extension
from rdfinc.terms.io.sources import expand

app = typer.Typer(
    help="A triple store whose inferred facts stay exact while you edit.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.add_typer(rules, name="rules")
for command in (serve, verify, backup, restore, bench):
    app.command()(command)


class ProofFormat(str, Enum):
    text, dot, svg, turtle, html = "text", "dot", "svg", "turtle", "html"


class Findings(str, Enum):
    text, json, sarif, github = "text", "json", "sarif", "github"


class What(str, Enum):
    all, derived, explicit = "all", "derived", "explicit"


@app.callback(invoke_without_command=True)
def rdfinc_(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        put(rdfinc.__version__)
        raise typer.Exit


@app.command()
def demo(
    universities: Annotated[
        int, typer.Option(min=1, help="Size of the data: some 100 000 triples each.")
    ] = 1,
    json: Json = False,
) -> None:
    """Show what rdfinc does: derive, ask, delete, explain, change the schema; under a minute."""
    from rdfinc.cli.demo import Demo

    story = Demo(universities, say=_silent if json else put)
    story.tell()
    if json:
        put(as_json(story.record()))


def _silent(text: str) -> None:
    pass


@app.command()
def load(
    files: Files,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make.")],
    engine: Engines = LoadEngine.auto,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Load files into a folder that other commands and Spark SQL read at once: numbered terms, and
    facts by predicate, in Parquet. Needs `pip install "rdfinc\\[spark]"`.
    """
    record = into_folder(files, output, not skip_malformed, engine.value)
    put(as_json(record) if json else _IN_FOLDER.format(**record))


_IN_FOLDER = "{facts:,} facts of {terms:,} terms: {folder}, in {seconds:.1f} s"


@app.command()
def materialise(
    files: Files,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The file to write; its extension is its format. - is standard output. With "
            "--engine spark also a folder to make, without extension.",
        ),
    ],
    what: Annotated[What, typer.Option(help="Which facts to write to a file.")] = What.all,
    profile: Rules = Profile.owl2rl,
    engine: Engines = LoadEngine.auto,
    format: InputFormat = None,
    to: OutputFormat = None,
    force: Force = False,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Derive everything that follows from files, and write it to a file or to standard output.

    A folder is made on Spark all the way, for what is more than this machine's memory holds: other
    commands and Spark SQL read it at once. Contradictions are not looked for then. --engine spark
    needs `pip install "rdfinc\\[spark]"`.
    """
    if engine is LoadEngine.spark and not output.suffix:
        made = closure_into_folder(files, output, profile.value, not skip_malformed)
        put(as_json(made) if json else _IN_FOLDER.format(**made))
        return
    require_writable(output, files, force=force)
    found = loaded(files, profile.value, not skip_malformed, engine.value, format)
    seconds = written(found.kb, output, what.value, to)
    if str(output) != STANDARD:
        record = {"output": str(output), "what": what.value, "write_seconds": seconds}
        text = f"{loaded_text(found)}\n{what.value} facts: {output}"
        put(as_json({**found.record(), **record}) if json else text)


@app.command()
def convert(
    files: Files,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The file to write; its extension is its format."),
    ] = Path(STANDARD),
    format: InputFormat = None,
    to: OutputFormat = None,
    force: Force = False,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Write what files state in another format, as it is, to a file or to standard output."""
    require_writable(output, files, force=force)
    kb = read(files, "none", not skip_malformed, format=format).kb
    written(kb, output, "explicit", to)


@app.command()
def query(
    arguments: Annotated[
        list[str],
        typer.Argument(
            help="SPARQL, or the path of a .rq file (unless --query-file names one), and then RDF "
            "in any format (also .gz .bz2 .xz .zst), .dlog rules, quoted glob patterns, folders "
            "that `load` has made, and - for standard input.",
            metavar="QUERY FILES…",
        ),
    ],
    query_file: Annotated[
        str | None, typer.Option("--query-file", help="A file of any name with the query, or -.")
    ] = None,
    profile: Rules = Profile.owl2rl,
    results: Annotated[
        Results, typer.Option("--results", help="How to print the answer.")
    ] = Results.table,
    limit: Annotated[
        int | None, typer.Option("--limit", min=0, help="Rows to print at most.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", min=0, help="Seconds that the answer may take.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print how the answer is found, not the answer.")
    ] = False,
    format: InputFormat = None,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --results json.")] = False,
    quiet: Quiet = False,
) -> None:
    """Answer a SPARQL query over files and everything that follows from them.

    Prefixes that the files declare need no declaration in the query. Tables are for people: long
    terms are cut.
    """
    text, files = _text_and_files(arguments, query_file, "QUERY", (".rq", ".sparql"))
    sparql = extension("sparql")
    kb = loaded(files, profile.value, not skip_malformed, format=format).kb
    with working("answering"):
        limits = {} if timeout is None else {"timeout": timeout}
        result = sparql(kb, text, explain=explain, **limits)
    if explain:
        put(result)
        return
    put_answer(result, Results.json if json else results, limit, kb.namespaces)


def _text_and_files(
    arguments: list[str], file: str | None, name: str, suffixes: tuple[str, ...]
) -> tuple[str, list[str]]:
    """The text of a request and the files that it is about."""
    if file is None:
        first, *files = arguments
        if first.endswith(suffixes):
            text = _file_text(first)
        elif first == STANDARD or exists(first):
            raise typer.BadParameter(f"the {name} comes first, and then the files, such as {first}")
        else:
            text = first
    else:
        text, files = _file_text(file), arguments
    if not files:
        raise typer.BadParameter(f"after {name} come the files that it is about")
    return text, files


def _file_text(name: str) -> str:
    if name == STANDARD:
        return sys.stdin.read()
    try:
        return Path(name).read_text("utf-8")
    except FileNotFoundError:
        raise typer.BadParameter(f"there is no file {name!r}") from None
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{name} is no UTF-8: save it in that encoding") from None


@app.command()
def update(
    arguments: Annotated[
        list[str],
        typer.Argument(
            help="SPARQL Update, or the path of a .ru file (unless --request-file names one), and "
            "then the files that it changes.",
            metavar="REQUEST FILES…",
        ),
    ],
    request_file: Annotated[
        str | None, typer.Option("--request-file", help="A file of any name, or -.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; otherwise the one that is read."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing, only tell what would change.")
    ] = False,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Change files by SPARQL Update, and tell what that changes of all that is stated or follows.

    What is stated then is written: to the file that was read, if it is one, or to the output.
    """
    text, files = _text_and_files(arguments, request_file, "REQUEST", (".ru", ".rq", ".sparql"))
    there = expand(files)
    if output is None and not dry_run and len(there) != 1:
        raise typer.BadParameter("of several files name the --output, or ask for a --dry-run")
    target = output or there[0]
    if not dry_run:
        require_writable(target, files, force=True)
    kb = read(files, profile.value, not skip_malformed).kb
    bind_usual(kb)
    with working("updating"):
        delta = extension("sparql_update")(kb, text)
    added, removed = (lines(facts, kb.namespaces) for facts in (delta.added, delta.removed))
    if not dry_run:
        written(kb, target, "explicit")
    if json:
        put(as_json({"added": added, "removed": removed, "output": _named(target, dry_run)}))
    elif str(target) != STANDARD or dry_run:
        put(changes_text(added, removed))


def _named(target: Path, dry_run: bool) -> str | None:
    return None if dry_run else str(target)


@app.command()
def watch(
    files: Files,
    profile: Rules = Profile.owl2rl,
    seconds: Annotated[
        float, typer.Option("--every", min=0.05, help="Seconds between two looks at the files.")
    ] = 0.5,
    skip_malformed: Lenient = False,
    json: Annotated[bool, typer.Option("--json", help="Print a line of JSON each time.")] = False,
    quiet: Quiet = False,
) -> None:
    """Look at files again and again, and tell what each change of them changes of all that is
    stated or follows, until it is interrupted. A file that is malformed for a while stays as it
    was.
    """
    with working("reading and deriving what follows"):
        watched = WatchedFiles(files, profile.value, not skip_malformed)
    if not quiet:
        complain(f"{len(watched.kb):,} facts; waiting for changes, Ctrl-C ends it")
    for change in changes(watched, seconds, complain):
        put(_dumps(asdict(change)) if json else change_text(change))


@app.command()
def diff(
    old: Annotated[str, typer.Argument(help="A file.")],
    new: Annotated[str, typer.Argument(help="Another one.")],
    data: Annotated[
        list[str] | None,
        typer.Option("--data", help="A file that is added to both; may be repeated."),
    ] = None,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tell in what all that is stated in, or follows from, two files differs: what a change of an
    ontology does to data. Blank nodes are taken for one. Status 0 if in nothing, 1 if in something.
    """
    one, other = (
        read([file, *(data or ())], profile.value, not skip_malformed).kb for file in (old, new)
    )
    prefixes = {**PREFIXES, **one.namespaces, **other.namespaces}
    added, removed = differences(one, other, prefixes)
    if json:
        put(as_json({"added": added, "removed": removed}))
    else:
        put(changes_text(added, removed))
    if added or removed:
        raise typer.Exit(1)


@app.command()
def explain(
    subject: Annotated[str, typer.Argument(help="prefix:name, an IRI or _:label.")],
    predicate: Annotated[str, typer.Argument(help="The same, or `a`.")],
    object: Annotated[str, typer.Argument(help="The same, or a literal in N-Triples.")],
    files: Files,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    json: Json = False,
    format: Annotated[
        ProofFormat, typer.Option("--format", help="How to print it; turtle is PROV-O.")
    ] = ProofFormat.text,
    proofs: Annotated[
        int, typer.Option("--proofs", min=1, help="Proofs to show at most, as text or JSON.")
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A file: .txt, .dot, .svg, .ttl (PROV-O) or .html."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Show a shortest proof of a fact; if it does not follow, what it lacks, with status 1."""
    if output is not None:
        format = _format_of(output, files)
    if proofs > 1 and format is not ProofFormat.text:
        raise typer.BadParameter("several proofs are shown as text or JSON", param_hint="--proofs")
    kb = loaded(files, profile.value, not skip_malformed).kb
    bind_usual(kb)
    fact = tuple(term(text, kb.namespaces) for text in (subject, predicate, object))
    with working("searching a proof"):
        one = kb.explain(fact) if proofs == 1 else None
        found = [one] if one else [*islice(kb.explain(fact, all=True), proofs)]
    if json:
        records = [proof_record(proof) for proof in found]
        put(as_json(records if proofs > 1 else records[0] if records else None))
    elif found:
        text = "\n\n".join(_FORMATS[format](proof).rstrip() for proof in found)
        if output is None:
            put(text)
        else:
            output.write_text(f"{text}\n", "utf-8")
    else:
        complain(str(kb.why_not(fact)))
    if not found:
        raise typer.Exit(1)


def _format_of(output: Path, inputs: list[str]) -> ProofFormat:
    """How a proof is written to a file."""
    found = _BY_SUFFIX.get(output.suffix)
    if found is None:
        known = ", ".join(_BY_SUFFIX)
        raise typer.BadParameter(f"{output}: a proof is written as one of {known}")
    try:
        refuse_input(output, inputs, ": name another file")
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return found


_BY_SUFFIX = {
    ".txt": ProofFormat.text,
    ".dot": ProofFormat.dot,
    ".svg": ProofFormat.svg,
    ".ttl": ProofFormat.turtle,
    ".html": ProofFormat.html,
}
_FORMATS: dict[ProofFormat, Callable[[Proof], str]] = {
    ProofFormat.text: str,
    ProofFormat.dot: Proof.to_dot,
    ProofFormat.svg: Proof.to_svg,
    ProofFormat.turtle: Proof.to_turtle,
    ProofFormat.html: proof_html,
}


@app.command()
def check(
    files: Files,
    profile: Rules = Profile.owl2rl,
    format: InputFormat = None,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    every_axiom: Annotated[
        bool, typer.Option("--every-axiom", help="Fail if an axiom is not or not fully used, too.")
    ] = False,
    most: Annotated[
        int, typer.Option(min=0, help="Contradictions of a rule to prove at most.")
    ] = PROVED,
    results: Annotated[
        Findings, typer.Option("--results", help="How to print them: for people, or programs.")
    ] = Findings.text,
    json: Annotated[bool, typer.Option("--json", help="The same as --results json.")] = False,
    quiet: Quiet = False,
) -> None:
    """Check an ontology with its data: which axioms the rules use, which stated triples contradict
    each other, by which axioms, and where these stand. SARIF and GitHub's annotations are for CI.
    Status 0 if all is well, 1 if not, 2 if something cannot be read.
    """
    kb = read(files, profile.value, not skip_malformed, format=format).kb
    bind_usual(kb)
    with working("looking for contradictions"):
        found = checked(kb, most, expand(file for file in files if file != STANDARD))
        text = _FINDINGS[Findings.json if json else results](found)
    put(text)
    if found.violations or (every_axiom and found.gaps):
        raise typer.Exit(1)


_FINDINGS: dict[Findings, Callable[[Checked], str]] = {
    Findings.text: str,
    Findings.json: lambda found: as_json(found.record()),
    Findings.sarif: lambda found: as_json(sarif(found)),
    Findings.github: github,
}


@app.command()
def stats(
    files: Files,
    profile: Rules = Profile.owl2rl,
    format: InputFormat = None,
    skip_malformed: Lenient = False,
    workers: Workers = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count the facts, terms and bytes of files and everything that follows from them."""
    kb = loaded(files, profile.value, not skip_malformed, format=format).kb
    put(as_json(kb.stats()) if json else sizes_text(kb.stats(), kb.namespaces))
