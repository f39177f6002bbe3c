"""The rules of a program, each with its place in the hypergraph, and those of a profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from rdfinc.cli.output import table
from rdfinc.cli.rule_files import WrittenRule, kinds, program_of
from rdfinc.datalog.analysis.rule_hypergraph import EdgeKind, HyperNode, head_of, hypergraph, inputs
from rdfinc.datalog.model import Rule
from rdfinc.datalog.printing import rule_text
from rdfinc.datalog.relations import Relation, relation_text
from rdfinc.knowledge_base.answers import Profile
from rdfinc.owl.profiles.profile_rules import ProfileRule, profile_rules

Prefixes = Mapping[str, str]


def rules_text(rules: Sequence[WrittenRule], prefixes: Prefixes) -> str:
    """Every rule under its number, with what it is and reads on the line below."""
    width = len(str(len(rules)))
    lines: list[str] = []
    for number, (written, node) in enumerate(_placed(rules), 1):
        lines.append(f"{number:>{width}}  {rule_text(written.rule, prefixes)}")
        lines += (f"{'':{width}}  {line}" for line in _about(written, node, prefixes))
    return "\n".join(lines)


def rule_records(rules: Sequence[WrittenRule]) -> list[dict[str, Any]]:
    """The same for JSON; relations are IRIs in angle brackets."""
    return [
        {
            "number": number,
            "rule": rule_text(written.rule),
            "name": written.rule.name,
            "meaning": written.statement.meaning,
            "file": str(written.file.path),
            "line": written.statement.span.line,
            "kinds": kinds(written.rule),
            "head": relation_text(head_of(written.rule), {}),
            "stratum": node.stratum,
            "hyper_node": [relation_text(relation, {}) for relation in node.relations],
            **{kind.value: _names(written.rule, kind, {}) for kind in EdgeKind},
        }
        for number, (written, node) in enumerate(_placed(rules), 1)
    ]


def profile_text(profile: Profile) -> str:
    """A line for each rule of a profile: its name, what it means, whether it is on."""
    rows = [[rule.name, rule.meaning, _state(rule)] for rule in profile_rules(profile)]
    lines = table([["rule", "meaning", "on"], *rows])
    lines += ["", "off: only in force where a knowledge base is axiomatic"]
    return "\n".join(lines)


def profile_records(profile: Profile) -> list[dict[str, Any]]:
    """The same for JSON, with the rules as they stand in the profile's file."""
    return [asdict(rule) for rule in profile_rules(profile)]


def _state(rule: ProfileRule) -> str:
    return "on" if rule.on else "off"


def _placed(rules: Sequence[WrittenRule]) -> Iterator[tuple[WrittenRule, HyperNode]]:
    graph = hypergraph(program_of(rules))
    node_of: dict[Relation, HyperNode] = {
        relation: node for node in graph.nodes for relation in node.relations
    }
    return ((written, node_of[head_of(written.rule)]) for written in rules)


def _about(written: WrittenRule, node: HyperNode, prefixes: Prefixes) -> Iterator[str]:
    rule = written.rule
    name = f"{rule.name}: " if rule.name else ""
    relations = ", ".join(relation_text(relation, prefixes) for relation in node.relations)
    yield f"  {name}{', '.join(kinds(rule))}; {written.place}"
    yield f"  stratum {node.stratum}, hyper-node {{{relations}}}; {reading(rule, prefixes)}"


def reading(rule: Rule, prefixes: Prefixes) -> str:
    """`reads :A, :B; not :C; aggregates :D`."""
    words = {EdgeKind.positive: "reads", EdgeKind.negative: "not", EdgeKind.aggregate: "aggregates"}
    named = ((words[kind], _names(rule, kind, prefixes)) for kind in EdgeKind)
    return "; ".join(f"{word} {', '.join(names)}" for word, names in named if names) or (
        "reads nothing"
    )


def _names(rule: Rule, kind: EdgeKind, prefixes: Prefixes) -> list[str]:
    return [relation_text(relation, prefixes) for relation, how in inputs(rule) if how is kind]
