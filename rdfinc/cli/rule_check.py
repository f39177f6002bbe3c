"""What is wrong or doubtful in rule files: everything at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from rdfinc.cli.rule_files import RuleFile, WrittenRule, program_of
from rdfinc.datalog.analysis.rule_hypergraph import Edge, EdgeKind, head_of, hypergraph, inputs
from rdfinc.datalog.printing import term_text
from rdfinc.datalog.relations import Relation, meeting, relation_text
from rdfinc.errors import BudgetExceededError, RuleError, UnstratifiableError
from rdfinc.knowledge_base import KnowledgeBase

Prefixes = Mapping[str, str]


class RuleFinding(Struct, frozen=True):
    """`message` says what is wrong at a place; line and column are 0 where there is none."""

    file: str
    line: int
    column: int
    message: str
    shown: str

    @classmethod
    def of(cls, error: RuleError) -> RuleFinding:
        return cls(error.file, error.line, error.column, error.reason, error.shown())

    def __str__(self) -> str:
        at = f", line {self.line}, column {self.column}" if self.line else ""
        return f"{self.file}{at}: {self.message}{self.shown}"

    def record(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "shown"}


def _about(written: WrittenRule, message: str) -> RuleFinding:
    """A finding about a whole rule."""
    span, file = written.statement.span, written.file
    return RuleFinding.of(
        RuleError(message).at(file.text, span.line, span.column).within(str(file.path))
    )


# -- errors


def unreadable(files: Sequence[RuleFile]) -> list[RuleFinding]:
    """Statements that do not parse, and unsafe rules."""
    return [RuleFinding.of(error) for file in files for error in file.errors()]


def unordered(
    rules: Sequence[WrittenRule], kb: KnowledgeBase, prefixes: Prefixes
) -> list[RuleFinding]:
    """Puts the rules in force; if that fails, because they have no strata or never end, what is to
    blame."""
    try:
        kb.add_rules(program_of(rules))
    except UnstratifiableError as error:
        cycle = [term_text(name, prefixes) for name in error.cycle]
        told = UnstratifiableError(cycle, error.barrier).reason
        return list(_blamed(rules, error, told, prefixes))
    except (RuleError, BudgetExceededError) as error:
        return [_about_all(rules, str(error))]
    return []


def _about_all(rules: Sequence[WrittenRule], message: str) -> RuleFinding:
    files = dict.fromkeys(str(written.file.path) for written in rules)
    return RuleFinding(" and ".join(files), 0, 0, message, "")


def _blamed(
    rules: Sequence[WrittenRule], error: UnstratifiableError, told: str, prefixes: Prefixes
) -> Iterator[RuleFinding]:
    graph = hypergraph(program_of(rules))
    node_of = graph.node_of()
    within = {node_of[r] for r in node_of if relation_text(r, {}) in error.cycle}
    if error.barrier.endswith("BIND computes"):
        computing = [w for w in rules if w.rule.binds() and node_of[head_of(w.rule)] in within]
        yield from (_about(written, told) for written in computing[:1])
        if computing:
            return
    for edge in graph.refused:
        text = told if node_of[edge.head] in within else _told(edge, prefixes)
        yield from (_about(rules[i], text) for i in edge.rules)
    if not graph.refused:
        yield _about_all(rules, told)


def _told(edge: Edge, prefixes: Prefixes) -> str:
    body, head = (relation_text(relation, prefixes) for relation in (edge.body, edge.head))
    verb = "negates" if edge.kind is EdgeKind.negative else "aggregates"
    return f"the rules cannot be put in order: this one {verb} {body}, which depends on {head}"


# -- warnings


def repeated(rules: Sequence[WrittenRule]) -> Iterator[RuleFinding]:
    """Rules that say what another of their file says."""
    for written in rules:
        for file, statement in written.again:
            if file is written.file:
                line = written.statement.span.line
                again = WrittenRule(written.rule, file, statement)
                yield _about(again, f"the same rule stands in line {line}")


def idle(
    rules: Sequence[WrittenRule], kb: KnowledgeBase, prefixes: Prefixes
) -> Iterator[RuleFinding]:
    """Rules that cannot fire over the facts of a closure, and negated relations that are always
    empty: nothing states them, and no rule that derives them can fire."""
    empty = _Emptiness(rules, kb)
    for written in rules:
        for relation, kind in inputs(written.rule):
            if not empty.is_empty(relation):
                continue
            why = f"{empty.why(relation)} {relation_text(relation, prefixes)}"
            if kind is EdgeKind.positive:
                yield _about(written, f"this rule can never fire: {why}")
            else:
                yield _about(written, f"what this rule {_VERBS[kind]} is always empty: {why}")


_VERBS = {EdgeKind.negative: "negates", EdgeKind.aggregate: "aggregates"}


class _Emptiness:
    """Which relations have no fact in the closure."""

    def __init__(self, rules: Sequence[WrittenRule], kb: KnowledgeBase) -> None:
        self._kb = kb
        self._heads = [head_of(written.rule) for written in rules]
        self._known: dict[Relation, bool] = {}

    def is_empty(self, relation: Relation) -> bool:
        if relation not in self._known:
            predicate, class_ = relation
            pattern = None, predicate, class_
            self._known[relation] = next(self._kb.triples(pattern), None) is None
        return self._known[relation]

    def why(self, relation: Relation) -> str:
        derived = any(head in meeting(relation, self._heads) for head in self._heads)
        return "no rule fires that derives" if derived else "nothing states or derives"
