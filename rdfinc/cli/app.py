"""The commands and their options; what they do is in the modules beside this one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

import rdfinc
from rdfinc.cli.arguments import Engines, Files, Json, Lenient, LoadEngine, Profile, Rules
from rdfinc.cli.check import checked
from rdfinc.cli.demo import Demo
from rdfinc.cli.files import (
    bind_usual,
    closure_into_folder,
    into_folder,
    loaded,
    read,
    require_writable,
    written,
)
from rdfinc.cli.output import (
    answer_json,
    answer_text,
    as_json,
    loaded_text,
    proof_record,
    sizes_text,
)
from rdfinc.cli.progress import working
from rdfinc.cli.proof_svg import proof_svg
from rdfinc.cli.rules import rules
from rdfinc.cli.terms import term
from rdfinc.knowledge_base.explanations.proofs import Proof
from rdfinc.knowledge_base.explanations.violation_groups import PROVED
from rdfinc.knowledge_base.extensions import extension

app = typer.Typer(
    help="A triple store whose inferred facts stay exact while you edit.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(rules, name="rules")


class ProofFormat(str, Enum):
    text, dot, svg, turtle = "text", "dot", "svg", "turtle"


class What(str, Enum):
    all, derived, explicit = "all", "derived", "explicit"


@app.callback(invoke_without_command=True)
def rdfinc_(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(rdfinc.__version__)
        raise typer.Exit


@app.command()
def demo(
    universities: Annotated[
        int, typer.Option(min=1, help="Size of the data: some 100 000 triples each.")
    ] = 1,
    json: Json = False,
) -> None:
    """Show what rdfinc does: derive, ask, delete, explain, change the schema; under a minute."""
    story = Demo(universities, say=_silent if json else typer.echo)
    story.tell()
    if json:
        typer.echo(as_json(story.record()))


def _silent(text: str) -> None:
    pass


@app.command()
def load(
    files: Files,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make.")],
    engine: Engines = LoadEngine.auto,
    skip_malformed: Lenient = False,
    json: Json = False,
) -> None:
    """Load files into a folder that other commands and Spark SQL read at once: numbered terms, and
    facts by predicate, in Parquet. Needs `pip install "rdfinc\\[spark]"`.
    """
    record = into_folder(files, output, not skip_malformed, engine.value)
    typer.echo(as_json(record) if json else _IN_FOLDER.format(**record))


_IN_FOLDER = "{facts:,} facts of {terms:,} terms: {folder}, in {seconds:.1f} s"


@app.command()
def materialise(
    files: Files,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The file to write; its extension is its format. With --engine spark also a "
            "folder to make, without extension.",
        ),
    ],
    what: Annotated[What, typer.Option(help="Which facts to write to a file.")] = What.all,
    profile: Rules = Profile.owl2rl,
    engine: Engines = LoadEngine.auto,
    skip_malformed: Lenient = False,
    json: Json = False,
) -> None:
    """Derive everything that follows from files, and write it to a file.

    A folder is made on Spark all the way, for what is more than this machine's memory holds: other
    commands and Spark SQL read it at once. Contradictions are not looked for then. --engine spark
    needs `pip install "rdfinc\\[spark]"`.
    """
    if engine is LoadEngine.spark and not output.suffix:
        made = closure_into_folder(files, output, profile.value, not skip_malformed)
        typer.echo(as_json(made) if json else _IN_FOLDER.format(**made))
        return
    require_writable(output)
    found = loaded(files, profile.value, not skip_malformed, engine.value)
    seconds = written(found.kb, output, what.value)
    record = {**found.record(), "output": str(output), "what": what.value, "write_seconds": seconds}
    typer.echo(as_json(record) if json else f"{loaded_text(found)}\n{what.value} facts: {output}")


@app.command()
def query(
    query: Annotated[str, typer.Argument(help="SPARQL, or the path of a .rq file.")],
    files: Files,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    json: Json = False,
) -> None:
    """Answer a SPARQL query over files and everything that follows from them.

    Prefixes that the files declare need no declaration in the query.
    """
    text = Path(query).read_text("utf-8") if query.endswith((".rq", ".sparql")) else query
    sparql = extension("sparql")
    kb = loaded(files, profile.value, not skip_malformed).kb
    with working("answering"):
        result = sparql(kb, text)
        answer = answer_json(result) if json else answer_text(result, kb.namespaces)
    typer.echo(answer)


@app.command()
def explain(
    subject: Annotated[str, typer.Argument(help="prefix:name, an IRI or _:label.")],
    predicate: Annotated[str, typer.Argument(help="The same, or `a`.")],
    object: Annotated[str, typer.Argument(help="The same, or a literal in N-Triples.")],
    files: Files,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    json: Json = False,
    format: Annotated[
        ProofFormat, typer.Option("--format", help="How to print it; turtle is PROV-O.")
    ] = ProofFormat.text,
    proofs: Annotated[
        int, typer.Option("--proofs", min=1, help="Proofs to show at most, as text or JSON.")
    ] = 1,
) -> None:
    """Show a shortest proof of a fact; if it does not follow, what it lacks, with status 1."""
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
        typer.echo(as_json(records if proofs > 1 else records[0] if records else None))
    elif found:
        typer.echo("\n\n".join(_FORMATS[format](proof).rstrip() for proof in found))
    else:
        print(kb.why_not(fact), file=sys.stderr)
    if not found:
        raise typer.Exit(1)


_FORMATS: dict[ProofFormat, Callable[[Proof], str]] = {
    ProofFormat.text: str,
    ProofFormat.dot: Proof.to_dot,
    ProofFormat.svg: proof_svg,
    ProofFormat.turtle: Proof.to_turtle,
}


@app.command()
def check(
    files: Files,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    every_axiom: Annotated[
        bool, typer.Option("--every-axiom", help="Fail if an axiom is not or not fully used, too.")
    ] = False,
    most: Annotated[
        int, typer.Option(min=0, help="Contradictions of a rule to prove at most.")
    ] = PROVED,
    json: Json = False,
) -> None:
    """Check an ontology with its data: which axioms the rules use, which stated triples contradict
    each other, by which axioms. Status 0 if all is well, 1 if not, 2 if something cannot be read.
    """
    kb = read(files, profile.value, not skip_malformed).kb
    bind_usual(kb)
    with working("looking for contradictions"):
        found = checked(kb, most)
    typer.echo(as_json(found.record()) if json else str(found))
    if found.violations or (every_axiom and found.gaps):
        raise typer.Exit(1)


@app.command()
def stats(
    files: Files,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    json: Json = False,
) -> None:
    """Count the facts, terms and bytes of files and everything that follows from them."""
    kb = loaded(files, profile.value, not skip_malformed).kb
    typer.echo(as_json(kb.stats()) if json else sizes_text(kb.stats(), kb.namespaces))
