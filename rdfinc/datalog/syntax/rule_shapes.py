"""Rules of one shape are read once: those that differ in the IRIs of their atoms only.

A shape is the text of a statement with a mark for each such IRI. The second rule of a shape is read
with places in their stead; it and all others are that one with their own IRIs at the places. What
stands in brackets `( )` belongs to the shape, as FILTER and the like make more of IRIs than terms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from rdfinc.datalog.model import Atom, BodyItem, Literal, NotExists, Rule, Term
from rdfinc.datalog.syntax.rule_reader import Named, RuleReader
from rdfinc.datalog.syntax.rule_tokens import TOKEN, Span, spans

MARK = "\0"
"""Stands for an IRI in a shape; no rule text has it."""
PLACE = "urn:rdfinc:place:"
"""What IRIs of places begin with."""

_NAME = re.compile(r"(?:[^\W\d_][\w-]*)?:\w[\w-]*")
_DECLARATION = re.compile(r"@?(?:prefix|base)\b", re.IGNORECASE)
_NAMING = "@rule"


class StatementShape(NamedTuple):
    """A statement: its text with marks, and the IRIs at the marks as they are written."""

    text: str
    iris: tuple[str, ...]

    @classmethod
    def of(cls, text: str, span: Span) -> StatementShape:
        parts, iris, depth, before = list[str](), list[str](), 0, ""
        for token in TOKEN.finditer(text, span.start, span.end):
            word, kind = token[0], token.lastgroup
            if kind == "space":
                parts.append(" ")
                continue
            depth += (word == "(") - (word == ")")
            is_term = not depth and before != "^" and (kind == "iri" or _NAME.fullmatch(word))
            parts.append(MARK if is_term else word)
            iris += [word] if is_term else []
            before = word
        return cls("".join(parts), tuple(iris))

    def with_places(self) -> str:
        """The statement with places instead of IRIs."""
        first, *parts = self.text.split(MARK)
        return first + "".join(_place(i) + part for i, part in enumerate(parts))


def read_by_shape(text: str, prefixes: Mapping[str, str]) -> list[Named]:
    """The rules of a text without MARK and PLACE. Linear; 50 µs for a rule of a known shape, half a
    millisecond for another. What it raises does not tell the place in the text."""
    reader = _ShapeReader(prefixes)
    return [named for span in spans(text) for named in reader.read_statement(text, span)]


class _ShapeReader:
    """Reads one statement after the other; `_shapes` has the rules with places of each shape, None
    for a shape that was met once."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._reader = RuleReader("", prefixes)
        self._shapes: dict[str, list[Named] | None] = {}

    def read_statement(self, text: str, span: Span) -> list[Named]:
        shape, statement = StatementShape.of(text, span), text[span.start : span.end]
        if _DECLARATION.match(shape.text):
            self._shapes.clear()  # names in brackets mean something else now
            return self._read(statement)
        if shape.text not in self._shapes or shape.text.startswith(_NAMING):
            self._shapes[shape.text] = None
            return self._read(statement)
        rules = self._shapes[shape.text]
        if rules is None:
            rules = self._shapes[shape.text] = self._read(shape.with_places())
        return self._filled(rules, shape.iris)

    def _read(self, statement: str) -> list[Named]:
        self._reader.source = statement
        found: list[Named] = self._reader.read("start")
        return found

    def _filled(self, rules: list[Named], iris: tuple[str, ...]) -> list[Named]:
        reader = self._reader
        terms = {_place(i): reader.written_iri(iri) for i, iri in enumerate(iris)}
        name, meaning = reader.name, reader.meaning
        return [(name, meaning, _with(rule, terms, name, meaning)) for _, _, rule in rules]


def _place(i: int) -> str:
    return f"<{PLACE}{i}>"


def _with(rule: Rule, terms: Mapping[str, str], name: str, meaning: str) -> Rule:
    def term(value: Term) -> Term:
        return terms.get(value, value) if isinstance(value, str) else value

    def atom(value: Atom) -> Atom:
        return Atom(term(value.subject), term(value.predicate), term(value.object))

    def item(value: BodyItem) -> BodyItem:
        if isinstance(value, NotExists):
            return NotExists(value.variables, tuple(map(item, value.body)))
        return Literal(atom(value.atom), value.positive) if isinstance(value, Literal) else value

    return Rule(rule.head and atom(rule.head), tuple(map(item, rule.body)), name, meaning=meaning)
