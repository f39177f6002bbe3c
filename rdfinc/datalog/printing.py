"""Rules -> text that parses back to equal rules (`rdfinc.datalog.syntax.rule_text`).

Blank nodes are the exception: rules translated from axioms may hold them, rule text may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rdfinc.datalog.model import (
    RDF_TYPE,
    TEXTS,
    Aggregate,
    Atom,
    Bind,
    BodyItem,
    Filter,
    Literal,
    NotExists,
    Program,
    Row,
    Rule,
    Skolem,
    Term,
    Value,
    Var,
)
from rdfinc.datalog.variables import local_variables, standardised_apart
from rdfinc.terms.grammar import escape
from rdfinc.terms.late_patterns import late

_XSD = r"\^\^<http://www\.w3\.org/2001/XMLSchema#"
_SHORT_LITERAL = (
    rf'"(?P<integer>\d+)"{_XSD}integer>'
    rf'|"(?P<decimal>\d*\.\d+)"{_XSD}decimal>'
    rf'|"(?P<double>(?:\d+\.\d*|\.\d+|\d+)[eE][+-]?\d+)"{_XSD}double>'
    rf'|"(?P<boolean>true|false)"{_XSD}boolean>'
)
_PIECE = late(rf'{_SHORT_LITERAL}|(?P<iri><[^\s<>]*>)|"(?:[^"\\]|\\.)*"')
_LOCAL_NAME = late(r"[^\W\d]\w*(?:-\w+)*", re.ASCII)
_RULE_NAME = late(r"[A-Za-z_](?:[\w.-]*[\w-])?")
_NONE: Mapping[str, str] = {}


def rule_text(rule: Rule, prefixes: Mapping[str, str] = _NONE) -> str:
    """`head :- body .` or `fact .` on one line, without the name; IRIs short where a prefix fits.

    Where an aggregate's variable has the name of a local one, local ones are renamed.
    """
    if any(map(_is_ambiguous, rule.body)):
        rule = standardised_apart(rule)
    head = "false" if rule.head is None else atom_text(rule.head, prefixes)
    if rule.is_fact:
        return f"{head} ."
    value = f" {_value_text(rule.value, prefixes)}" if rule.value else ""
    return f"{head} :- {_body_text(rule.body, prefixes)}{value} ."


def _is_ambiguous(item: BodyItem) -> bool:
    if isinstance(item, Aggregate) and not local_variables(item).isdisjoint(
        value.variable for value in item.values
    ):
        return True
    return isinstance(item, NotExists | Aggregate) and any(map(_is_ambiguous, item.body))


def _body_text(body: Iterable[BodyItem], prefixes: Mapping[str, str]) -> str:
    return ", ".join(item_text(item, prefixes) for item in body)


def program_text(program: Program, prefixes: Mapping[str, str] = _NONE) -> str:
    """A rule a line, after `@prefix` lines for the prefixes in use; names as `@rule` lines."""
    lines = list(_lines(program, prefixes))
    used = {found[1] for line in lines for found in _USED.finditer(line)}
    declared = [f"@prefix {p}: <{prefixes[p]}> ." for p in sorted(used & prefixes.keys())]
    return "".join(f"{line}\n" for line in declared + lines)


_USED = late(r'<[^\s<>]*>|"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.-])([\w.-]*):')


def _lines(program: Program, prefixes: Mapping[str, str]) -> Iterator[str]:
    name = ""
    for rule in program:
        if rule.name != name:
            name = rule.name
            yield naming_text(name)
        yield rule_text(rule, prefixes)


def naming_text(name: str, meaning: str = "") -> str:
    """The `@rule` line for the rules that follow; without a name it ends the name before it."""
    if not name and not meaning:
        return "@rule ."
    bare = name if _RULE_NAME.fullmatch(name) else f'"{escape(name)}"'
    return f'@rule {bare} "{escape(meaning)}" .' if meaning else f"@rule {bare} ."


def item_text(item: BodyItem, prefixes: Mapping[str, str] = _NONE) -> str:
    """One body item."""
    if isinstance(item, Literal):
        return ("" if item.positive else "NOT ") + atom_text(item.atom, prefixes)
    if isinstance(item, NotExists):
        variables = ", ".join(map(str, item.variables))
        quantified = f"EXISTS {variables} IN " if variables else ""
        return f"NOT {quantified}({_body_text(item.body, prefixes)})"
    if isinstance(item, Aggregate):
        group = f" ON {', '.join(map(str, item.group))}" if item.group else ""
        values = "".join(f" {_value_text(value, prefixes)}" for value in item.values)
        return f"AGGREGATE({_body_text(item.body, prefixes)}{group}{values})"
    if isinstance(item, Row | Skolem):
        return f"BIND({_tuple_text(item, prefixes)} AS {item.variable})"
    expression = _shortened(item.expression.text, prefixes)
    if isinstance(item, Filter):
        return f"FILTER({expression})"
    assert isinstance(item, Bind)
    return f"BIND({expression} AS {item.variable})"


def _tuple_text(item: Row | Skolem, prefixes: Mapping[str, str]) -> str:
    if isinstance(item, Row):
        return f"ROW({', '.join(map(str, item.members))})"
    arguments = (term_text(term, prefixes) for term in item.arguments)
    quoted = f'"{escape(item.name)}"'
    return f"SKOLEM({', '.join((quoted, *arguments))})"


def _value_text(value: Value, prefixes: Mapping[str, str]) -> str:
    expression = _shortened(value.expression.text, prefixes) if value.expression else "*"
    distinct = "DISTINCT " if value.distinct else ""
    return f"BIND {value.function}({distinct}{expression}) AS {value.variable}"


def atom_text(atom: Atom, prefixes: Mapping[str, str] = _NONE) -> str:
    """`[subject, predicate, object]`, with `a` for rdf:type."""
    subject, predicate, object_ = (term_text(term, prefixes) for term in atom.terms())
    return f"[{subject}, {'a' if atom.predicate == RDF_TYPE else predicate}, {object_}]"


def cut(text: str, letters: int) -> str:
    """A text, without its end if it has more letters."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


_CONTROL = late(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_SPACE = {"\n": "\\n", "\t": "\\t"}


def visible(text: str) -> str:
    """Text with visible codes for control characters, those of the direction of writing too; line
    ends and tabs stay."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04X}", text)


def in_line(text: str) -> str:
    """The same on one line, with codes for line ends and tabs, too."""
    return "".join(_SPACE.get(each, each) for each in visible(text))


def shortened(text: str, letters: int) -> str:
    """A text, without its middle if it has more letters."""
    end = letters // 4
    return text if len(text) <= letters else f"{text[: letters - end - 3]} … {text[-end:]}"


def term_text(term: Term, prefixes: Mapping[str, str] = _NONE) -> str:
    """A variable or constant as it stands in an atom."""
    return str(term) if isinstance(term, Var) else _shortened(term, prefixes)


def _shortened(text: str, prefixes: Mapping[str, str]) -> str:
    """Numbers and booleans without quotes, IRIs by prefix; texts in quotes stay."""

    def short(found: re.Match[str]) -> str:
        kind = found.lastgroup
        if kind is None:
            return found[0]
        return _short_iri(found[0], prefixes) if kind == "iri" else found[kind]

    return _PIECE.sub(short, text)


def _short_iri(iri: str, prefixes: Mapping[str, str]) -> str:
    fitting = [
        (-len(namespace), prefix)
        for prefix, namespace in prefixes.items()
        if iri.startswith(namespace, 1) and _LOCAL_NAME.fullmatch(iri[1 + len(namespace) : -1])
    ]
    if not fitting:
        return iri
    length, prefix = min(fitting)
    return f"{prefix}:{iri[1 - length : -1]}"


TEXTS.update({Atom: atom_text, Rule: rule_text, Program: program_text})
