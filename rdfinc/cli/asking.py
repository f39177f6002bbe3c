"""`rdfinc query`, `explain` and `stats`: questions about files and all that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import click
from click.exceptions import Exit

from rdfinc.cli import arguments as shared
from rdfinc.cli.console import complain, put
from rdfinc.cli.files import asked, bind_usual, require_other, write_text
from rdfinc.cli.output import as_json, proof_record, sizes_text
from rdfinc.cli.progress import working
from rdfinc.cli.requests import fact_and_files, naming, text_and_files
from rdfinc.cli.results import FORMS, put_answer, write_answer
from rdfinc.knowledge_base.answers import Profile
from rdfinc.knowledge_base.explanations.proofs import Proof
from rdfinc.knowledge_base.explanations.short_names import term
from rdfinc.knowledge_base.extensions import extension


@click.command()
@click.argument(
    "arguments",
    nargs=-1,
    required=True,
    metavar="QUERY FILES…",
    help="SPARQL, or the path of a .rq file (unless --query-file names one), and then "
    f"{shared.FILES_HELP}",
)
@click.option("--query-file", help="A file of any name with the query, or -.")
@shared.profile
@shared.choice("--results", FORMS, "table", "How to print the answer.")
@click.option("--limit", type=click.IntRange(min=0), help="Rows to print at most.")
@click.option("--timeout", type=shared.Seconds(min=0), help="Seconds that the answer may take.")
@click.option("--explain", is_flag=True, help="Print how the answer is found, not the answer.")
@shared.input_format
@shared.lenient
@shared.workers
@click.option("--json", is_flag=True, help="The same as --results json.")
@click.option(
    "--output",
    "-o",
    type=shared.PATH,
    help="A file: .csv, .tsv, .json, .xml or .txt for rows; .ttl, .jsonld or .rdf for a graph.",
)
@shared.quiet
def query(
    arguments: tuple[str, ...],
    query_file: str | None,
    profile: Profile,
    results: str,
    limit: int | None,
    timeout: float | None,
    explain: bool,
    format: str | None,
    skip_malformed: bool,
    json: bool,
    output: Path | None,
) -> None:
    """Answer a SPARQL query over files and everything that follows from them.

    Prefixes that the files declare need no declaration in the query. Tables are for people: long
    terms are cut.
    """
    text, files = text_and_files(arguments, query_file, "QUERY", (".rq", ".sparql"))
    if output is not None:
        if explain:
            raise click.BadParameter("--explain prints a plan: leave it out", param_hint="--output")
        _require_agreed(output, "json" if json else results, "table")
        require_other("--output", output, files)
    sparql = extension("sparql")
    kb = asked(files, profile, not skip_malformed, format)
    with working("answering"), naming(text, query_file or arguments[0]):
        limits = {} if timeout is None else {"timeout": timeout}
        result = sparql(kb, text, explain=explain, **limits)
    if explain:
        put(result)
        return
    if output is None:
        put_answer(result, "json" if json else results, limit, kb.namespaces)
    else:
        write_answer(result, output, limit, kb.namespaces)


def _page(proof: Proof) -> str:
    from rdfinc.cli.proof_page import proof_html

    return proof_html(proof)


_PROOFS: dict[str, Callable[[Proof], str]] = {
    "text": str,
    "dot": Proof.to_dot,
    "svg": Proof.to_svg,
    "turtle": Proof.to_turtle,
    "html": _page,
}
_BY_SUFFIX = {
    ".txt": "text", ".dot": "dot", ".svg": "svg", ".ttl": "turtle", ".html": "html"
}  # fmt: skip


@click.command()
@click.argument(
    "arguments",
    nargs=-1,
    required=True,
    metavar="SUBJECT PREDICATE OBJECT FILES…",
    help="prefix:name, an IRI or _:label; as predicate also `a`, as object also a literal in "
    "N-Triples; all three may be one argument, ':louvre :locatedIn :europe'. Then "
    f"{shared.FILES_HELP}",
)
@shared.profile
@shared.lenient
@shared.workers
@shared.json
@shared.choice("--format", [*_PROOFS], "text", "How to print it; turtle is PROV-O.")
@shared.number("--proofs", 1, "Proofs to show at most, as text or JSON.")
@click.option("--labels", is_flag=True, help="Call things by rdfs:label or skos:prefLabel.")
@click.option(
    "--output",
    "-o",
    type=shared.PATH,
    help="A file: .txt, .dot, .svg, .ttl (PROV-O) or .html.",
)
@shared.quiet
def explain(
    arguments: tuple[str, ...],
    profile: Profile,
    skip_malformed: bool,
    json: bool,
    format: str,
    proofs: int,
    labels: bool,
    output: Path | None,
) -> None:
    """Show a shortest proof of a fact; if it does not follow, what it lacks, with status 1."""
    words, files = fact_and_files(arguments)
    if output is not None:
        _require_agreed(output, "json" if json else format, "text", _BY_SUFFIX.get(output.suffix))
        format = _format_of(output, files)
    if proofs > 1 and format != "text":
        raise click.BadParameter("several proofs are shown as text or JSON", param_hint="--proofs")
    kb = asked(files, profile, not skip_malformed)
    bind_usual(kb)
    fact = tuple(term(text, kb.namespaces) for text in words)
    with working("searching a proof"):
        one = kb.explain(fact, labels=labels) if proofs == 1 else None
        found = [one] if one else [*islice(kb.explain(fact, all=True, labels=labels), proofs)]
    if json:
        records = [proof_record(proof) for proof in found]
        put(as_json(records if proofs > 1 else records[0] if records else None))
    elif found:
        text = "\n\n".join(_PROOFS[format](proof).rstrip() for proof in found)
        if output is None:
            put(text)
        else:
            write_text(output, f"{text}\n")
    else:
        complain(str(kb.why_not(fact, labels=labels)))
    if not found:
        raise Exit(1)


def _require_agreed(output: Path, asked: str, usual: str, told: str | None = None) -> None:
    """Refuses another format than the extension of a file tells."""
    if asked not in (usual, told) and not output.suffix[1:].startswith(asked):
        raise click.BadParameter(
            f"the extension of {output} tells how it is written, which is not {asked}: leave out"
            " one of the two",
            param_hint="--output",
        )


def _format_of(output: Path, inputs: Sequence[str]) -> str:
    """How a proof is written to a file."""
    found = _BY_SUFFIX.get(output.suffix)
    if found is None:
        known = ", ".join(_BY_SUFFIX)
        raise click.BadParameter(f"{output}: a proof is written as one of {known}")
    require_other("--output", output, inputs)
    return found


@click.command()
@shared.files
@shared.profile
@shared.input_format
@shared.lenient
@shared.workers
@shared.json
@shared.quiet
def stats(
    files: tuple[str, ...], profile: Profile, format: str | None, skip_malformed: bool, json: bool
) -> None:
    """Count the facts, terms and bytes of files and everything that follows from them."""
    kb = asked(files, profile, not skip_malformed, format)
    put(as_json(kb.stats()) if json else sizes_text(kb.stats(), kb.namespaces))
