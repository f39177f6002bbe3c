"""`rdfinc rules`: what can be done with files of rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit

from rdfinc.cli import arguments as shared
from rdfinc.cli.console import put
from rdfinc.cli.files import loaded
from rdfinc.cli.group import Group
from rdfinc.cli.output import as_json, table
from rdfinc.cli.peer_comparison import HEADER, PeerComparison, derived_again
from rdfinc.cli.progress import working
from rdfinc.cli.rule_check import RuleFinding, idle, repeated, unordered, unreadable
from rdfinc.cli.rule_edit import (
    Forms,
    asked_to_add,
    asked_to_remove,
    forms_of,
    with_rules,
    without_rules,
)
from rdfinc.cli.rule_files import (
    RuleFile,
    known_prefixes,
    program_of,
    rule_files,
    sound_rule_files,
    written_rules,
)
from rdfinc.cli.rule_list import profile_records, profile_text, rule_records, rules_text
from rdfinc.datalog.analysis.rule_hypergraph import hypergraph
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.drawing.hypergraph_svg import graph_svg
from rdfinc.datalog.drawing.hypergraph_text import graph_dot, graph_text
from rdfinc.datalog.printing import rule_text, term_text
from rdfinc.datalog.syntax.rule_file import SUFFIX
from rdfinc.datalog.syntax.rule_statements import statements
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.answers import Profile
from rdfinc.knowledge_base.streams.delta import Delta, Facts
from rdfinc.terms.io.sources import expand
from rdfinc.terms.io.writing import replacing

SHOWN = 5
_FORMATS = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".txt": "text", "": "text"}

_rule_files = click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILES…",
    help="Rule files (.dlog), quoted glob patterns.",
)
_one_file = click.argument(
    "file", type=shared.PATH, metavar="RULEFILE", help="The rule file to edit."
)
_data = click.option(
    "--data",
    multiple=True,
    help="RDF over which to show what changes; may be repeated.",
)


@click.group(cls=Group, invoke_without_command=True)
@click.option(
    "--profile",
    type=click.Choice(["owl2rl", "rdfs"]),
    help="Show the rules of a profile, and which of them are on.",
)
@shared.json
@click.pass_context
def rules(context: click.Context, profile: Profile | None, json: bool) -> None:
    """List, check, draw and edit files of rules; show those of a profile."""
    if profile is not None and context.invoked_subcommand is None:
        put(as_json(profile_records(profile)) if json else profile_text(profile))
        context.exit()
    if profile is not None or json:
        raise click.BadParameter("--profile and --json stand alone, or after a command")


@rules.command("list")
@_rule_files
@shared.json
def list_(files: tuple[str, ...], json: bool) -> None:
    """Show the rules under their numbers, with their strata and hyper-nodes and what they read."""
    texts = sound_rule_files(files)
    found = written_rules(texts)
    put(as_json(rule_records(found)) if json else rules_text(found, known_prefixes(texts)))


@rules.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILES…",
    help="Rule files (.dlog), and RDF if any.",
)
@shared.profile
@shared.lenient
@shared.json
def check(files: tuple[str, ...], profile: Profile, skip_malformed: bool, json: bool) -> None:
    """Find every error in rules; with data also rules that can never fire. Status 1 if any error.

    An error is a statement that does not parse, an unsafe rule, or a negation, aggregate or
    computed value that depends on itself.
    """
    paths = expand(files)
    written = [path for path in paths if path.suffix == SUFFIX]
    if not written:
        raise click.BadParameter(f"none of them is a file of rules ({SUFFIX})", param_hint="FILES")
    data = [str(path) for path in paths if path.suffix != SUFFIX]
    kb = _knowledge(data, profile, skip_malformed)
    texts = rule_files(written, kb.namespaces)
    prefixes, found = known_prefixes(texts), written_rules(texts)
    errors, warnings = unreadable(texts), list(repeated(found))
    errors += unordered(found, kb, prefixes)
    if data and not errors:
        warnings += idle(found, kb, prefixes)
    if json:
        put(as_json(_check_record(paths, len(found), errors, warnings)))
    else:
        _tell_findings(len(texts), len(found), errors, warnings)
    if errors:
        raise Exit(1)


def _check_record(
    paths: Sequence[Path],
    count: int,
    errors: Sequence[RuleFinding],
    warnings: Sequence[RuleFinding],
) -> dict[str, Any]:
    return {
        "files": [str(path) for path in paths],
        "rules": count,
        "errors": [finding.record() for finding in errors],
        "warnings": [finding.record() for finding in warnings],
    }


def _tell_findings(
    files: int, count: int, errors: Sequence[RuleFinding], warnings: Sequence[RuleFinding]
) -> None:
    for kind, findings in (("error", errors), ("warning", warnings)):
        for finding in findings:
            put(f"{kind}: {finding}")
    counts = [(files, "rule file"), (count, "rule")]
    counts += [(len(errors), "error"), (len(warnings), "warning")]
    counted = ", ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts)
    put(counted)


@rules.command()
@_one_file
@click.argument(
    "new",
    nargs=-1,
    required=True,
    metavar="NEW…",
    help="Rule texts, or paths of .dlog files.",
)
@_data
@shared.profile
@shared.lenient
@shared.json
def add(
    file: Path,
    new: tuple[str, ...],
    data: tuple[str, ...],
    profile: Profile,
    skip_malformed: bool,
    json: bool,
) -> None:
    """Put rules at the end of a rule file; those that it holds already are left out.

    Rule texts may use the file's prefixes. What is unsafe or cannot be put in order is refused,
    and then the file stays as it is.
    """
    source = RuleFile.read(file).require_sound()
    asked = asked_to_add(source, new)
    text, added = with_rules(source, asked)
    kb = _with_rules_of(source, data, profile, skip_malformed)
    delta = kb.add_rules(added.values())
    _save(source, text, added)
    already = len(forms_of(rule for _, each in asked for rule in each.rules)) - len(added)
    _tell_edit(source, "added", added, kb if data else None, delta, json, already)


@rules.command()
@_one_file
@click.argument(
    "which",
    nargs=-1,
    required=True,
    metavar="RULE…",
    help="Numbers as in `list`, names, or rule texts.",
)
@_data
@shared.profile
@shared.lenient
@shared.json
def remove(
    file: Path,
    which: tuple[str, ...],
    data: tuple[str, ...],
    profile: Profile,
    skip_malformed: bool,
    json: bool,
) -> None:
    """Take rules out of a rule file; comments and the other rules stay as they stand.

    Rule texts are found up to variable names and body order.
    """
    source = RuleFile.read(file).require_sound()
    gone = asked_to_remove(source, which)
    text = without_rules(source, gone)
    kb = _with_rules_of(source, data, profile, skip_malformed)
    delta = kb.remove_rules(gone.values())
    _save(source, text, gone)
    _tell_edit(source, "removed", gone, kb if data else None, delta, json, 0)


def _knowledge(data: Sequence[str], profile: Profile, skip_malformed: bool) -> KnowledgeBase:
    if not data:
        return KnowledgeBase(profile=profile)
    return loaded(data, profile, not skip_malformed).kb


def _with_rules_of(
    file: RuleFile, data: Sequence[str], profile: Profile, skip_malformed: bool
) -> KnowledgeBase:
    """The data's closure, without or with data, under the rules that the file holds."""
    kb = _knowledge(data, profile, skip_malformed)
    with working(f"deriving what follows by {file.path}"):
        kb.add_rules(program_of(written_rules([file])))
    for prefix, iri in file.prefixes.items():
        kb.namespaces.setdefault(prefix, iri)
    return kb


def _save(file: RuleFile, text: str, changed: Forms) -> None:
    """Writes the edited file at once or not at all, if it differs by these rules only."""
    before, after = (
        {canonical(rule) for each in statements(version) for rule in each.rules}
        for version in (file.text, text)
    )
    assert before ^ after == changed.keys()
    if changed:
        with replacing(file.path.resolve()) as stream:
            stream.write(text.encode())


def _tell_edit(
    file: RuleFile,
    done: str,
    changed: Forms,
    kb: KnowledgeBase | None,
    delta: Delta,
    json: bool,
    already: int,
) -> None:
    comparison = None if kb is None else _compared(f"rules {done}", kb, delta)
    if json:
        put(as_json(_edit_record(file, done, changed, comparison)))
        return
    if changed:
        put(f"{done}: {file.path}")
    for rule in changed.values():
        put(f"  {rule_text(rule, file.prefixes)}")
    if already:
        put(f"{already} there already, up to variable names and body order")
    if kb is not None and comparison is not None:
        _tell_delta(kb, delta, comparison)


def _compared(what: str, kb: KnowledgeBase, delta: Delta) -> PeerComparison:
    with working("deriving everything again, to compare"):
        again, same = derived_again(kb)
    came, went = len(delta.added), len(delta.removed)
    return PeerComparison(what, came, went, delta.report.seconds, again, same)


def _edit_record(
    file: RuleFile, done: str, changed: Forms, comparison: PeerComparison | None
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "file": str(file.path),
        done: [rule_text(rule) for rule in changed.values()],
    }
    if comparison is not None:
        record["facts"] = {
            "came": comparison.added,
            "went": comparison.removed,
            "seconds": comparison.seconds,
            "again_seconds": comparison.again_seconds,
            "same": comparison.same,
        }
    return record


def _tell_delta(kb: KnowledgeBase, delta: Delta, comparison: PeerComparison) -> None:
    for line in table([HEADER, comparison.row()]):
        put(line)
    verdict = "the same" if comparison.same else "NOT THE SAME, which is a bug: please report it"
    put(f"the facts of both ways, compared one by one: {verdict}")
    _tell_facts("+", delta.added, kb)
    _tell_facts("-", delta.removed, kb)


def _tell_facts(sign: str, facts: Facts, kb: KnowledgeBase) -> None:
    for fact in sorted(facts)[:SHOWN]:
        put(f"{sign} {' '.join(term_text(t.n3(), kb.namespaces) for t in fact)}")
    if len(facts) > SHOWN:
        put(f"{sign} … and {len(facts) - SHOWN:,} more")


@rules.command()
@_rule_files
@click.option(
    "--format",
    type=click.Choice(["text", "dot", "svg"]),
    help="By default that of the output, or text.",
)
@click.option("--output", "-o", type=shared.PATH, help="The file to write: .svg, .dot, .txt.")
def draw(files: tuple[str, ...], format: str | None, output: Path | None) -> None:
    """Draw what depends on what: strata from bottom to top, relations that depend on each other
    together, negated and aggregated relations marked.
    """
    chosen = format or _format_of(output)
    texts = sound_rule_files(files)
    prefixes, program = known_prefixes(texts), program_of(written_rules(texts))
    graph = hypergraph(program)
    if chosen == "svg":
        drawing = graph_svg(graph, program, prefixes)
    else:
        drawing = (graph_dot if chosen == "dot" else graph_text)(graph, prefixes)
    if output is None:
        put(drawing)
        return
    with replacing(output) as stream:
        stream.write(f"{drawing}\n".encode())


def _format_of(output: Path | None) -> str:
    extension = output.suffix.lower() if output else ""
    if extension not in _FORMATS:
        known = " ".join(filter(None, _FORMATS))
        raise click.BadParameter(
            f"{output}: drawings are {known}; with --format they go into a file of any name",
            param_hint="--output",
        )
    return _FORMATS[extension]
