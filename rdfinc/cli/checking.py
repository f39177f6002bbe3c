"""`rdfinc check`: contradictions and unused axioms of files, for people and for CI."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.exceptions import Exit

from rdfinc.cli import arguments as shared
from rdfinc.cli.annotations import github, sarif
from rdfinc.cli.check import Checked, checked
from rdfinc.cli.console import put
from rdfinc.cli.files import STANDARD, bind_usual, kept, read
from rdfinc.cli.output import as_json
from rdfinc.cli.progress import working
from rdfinc.knowledge_base.answers import Profile
from rdfinc.knowledge_base.explanations.violation_groups import PROVED
from rdfinc.terms.io.sources import expand

_FINDINGS: dict[str, Callable[[Checked], str]] = {
    "text": str,
    "json": lambda found: as_json(found.record()),
    "sarif": lambda found: as_json(sarif(found)),
    "github": github,
}


@click.command()
@shared.files
@shared.profile
@shared.input_format
@shared.lenient
@shared.workers
@click.option("--every-axiom", is_flag=True, help="Fail if an axiom is not or not fully used, too.")
@shared.number("--most", PROVED, "Contradictions of a rule to prove at most.", least=0)
@shared.choice("--results", [*_FINDINGS], "text", "How to print them: for people, or programs.")
@click.option("--json", is_flag=True, help="The same as --results json.")
@shared.quiet
def check(
    files: tuple[str, ...],
    profile: Profile,
    format: str | None,
    skip_malformed: bool,
    every_axiom: bool,
    most: int,
    results: str,
    json: bool,
) -> None:
    """Check an ontology with its data: which axioms the rules use, and which stated triples
    contradict each other. A contradiction is told with its axioms and their places. SARIF and
    GitHub's annotations are for CI. Status 0 if all is well, 1 if not, 2 if something cannot be
    read.
    """
    found = kept(files)
    kb = read(files, profile, not skip_malformed, format=format).kb if found is None else found
    bind_usual(kb)
    with working("looking for contradictions"):
        told = checked(kb, most, expand(file for file in files if file != STANDARD))
        text = _FINDINGS["json" if json else results](told)
    put(text)
    if told.violations or (every_axiom and told.gaps):
        raise Exit(1)
