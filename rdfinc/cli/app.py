"""The commands and their options; what they do is in the modules beside this one."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

import rdfinc
from rdfinc.cli.arguments import Files, Json, Lenient, Profile, Rules
from rdfinc.cli.demo import Demo
from rdfinc.cli.files import loaded, require_writable, written
from rdfinc.cli.output import (
    answer_json,
    answer_text,
    as_json,
    loaded_text,
    proof_record,
    sizes_text,
)
from rdfinc.cli.progress import working
from rdfinc.cli.rules import rules
from rdfinc.cli.terms import term
from rdfinc.datalog.syntax import PREFIXES
from rdfinc.knowledge_base.extensions import extension

app = typer.Typer(
    help="A triple store whose inferred facts stay exact while you edit.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(rules, name="rules")


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
def materialise(
    files: Files,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write; its extension is its format.")
    ],
    what: Annotated[What, typer.Option(help="Which facts to write.")] = What.all,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    json: Json = False,
) -> None:
    """Derive everything that follows from files, and write it to a file."""
    require_writable(output)
    found = loaded(files, profile.value, not skip_malformed)
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
    dot: Annotated[bool, typer.Option("--dot", help="Print a graph for Graphviz.")] = False,
) -> None:
    """Show a shortest proof of a fact; status 1 if it does not follow."""
    kb = loaded(files, profile.value, not skip_malformed).kb
    for prefix in PREFIXES.keys() - kb.namespaces.keys():
        kb.bind(prefix, PREFIXES[prefix])
    fact = tuple(term(text, kb.namespaces) for text in (subject, predicate, object))
    with working("searching a proof"):
        proof = kb.explain(fact)
    if json:
        typer.echo(as_json(proof and proof_record(proof)))
    elif proof is not None:
        typer.echo(proof.to_dot().rstrip() if dot else str(proof))
    else:
        print(f"this does not follow: {' '.join(fact)}", file=sys.stderr)
    if proof is None:
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
