"""A rule text statement by statement, each with its place.

Every statement is read on its own, with the declarations before it. So a text with several mistakes
shows them all, and a program that edits the text knows the meaning of each part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from rdfinc.datalog.analysis.safety import check
from rdfinc.datalog.model import Rule
from rdfinc.datalog.syntax.rule_text import PREFIXES, parse_named
from rdfinc.datalog.syntax.rule_tokens import LineIndex, Span, spans
from rdfinc.errors import RuleError, UnsafeRuleError

if TYPE_CHECKING:
    from rdfinc.datalog.syntax.rule_reader import RuleReader


class Statement(Struct, frozen=True):
    """A rule with one head or several, or a declaration (no rules), or what cannot be used: `error`
    then says why.

    `name` and `meaning` are those in force for its rules, `prefixes` those known after it.
    """

    span: Span
    rules: tuple[Rule, ...]
    name: str
    meaning: str
    prefixes: Mapping[str, str]
    error: RuleError | None = None


def statements(text: str, prefixes: Mapping[str, str] = PREFIXES) -> list[Statement]:
    """The statements in order; their rules are safe."""
    from rdfinc.datalog.syntax.rule_reader import RuleReader

    reader = RuleReader(text, {**PREFIXES, **prefixes})
    return [_read(reader, text, span) for span in spans(text)]


def _read(reader: RuleReader, text: str, span: Span) -> Statement:
    reader.source = "\n" * (span.line - 1) + " " * (span.column - 1) + text[span.start : span.end]
    rules: tuple[Rule, ...] = ()
    error: RuleError | None = None
    try:
        rules = tuple(rule for _, _, rule in reader.read("start"))
        for rule in rules:
            check(rule)
    except RuleError as raised:
        rules, error = (), _placed(raised, text, span)
    prefixes = dict(reader.prefixes)
    return Statement(span, rules, reader.name, reader.meaning, prefixes, error)


def _placed(error: RuleError, text: str, span: Span) -> RuleError:
    """The error at its place in the whole text; that of an unsafe rule is its variable's."""
    if error.line:
        return error.at(text, error.line, error.column)
    found = None
    if isinstance(error, UnsafeRuleError):
        variable = re.compile(rf"[?$]{re.escape(error.variable)}\b")
        found = variable.search(text, span.start, span.end)
    return error.at(text, *LineIndex(text).of(found.start() if found else span.start))


def safe_rules(text: str, prefixes: Mapping[str, str] = PREFIXES) -> list[Rule]:
    """The rules of a text, all of them safe; raises RuleError with the place of the first fault."""
    try:
        rules = [rule for _, _, rule in parse_named(text, prefixes)]
        for rule in rules:
            check(rule)
    except RuleError as error:
        if error.line:
            raise
        placed = (each.error for each in statements(text, prefixes) if each.error)
        raise next(placed, error) from None
    return rules


_PREFIX = re.compile(r"^[^\S\n]*@?prefix\s+([^\s:]*):\s*<([^<>]*)>", re.IGNORECASE | re.MULTILINE)


def declared_prefixes(text: str) -> dict[str, str]:
    """The prefixes that a text declares, each at the beginning of a line."""
    return dict(_PREFIX.findall(text))
