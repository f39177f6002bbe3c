"""SWRL rules as text that people write and read.

    @prefix : <http://example.org/> .
    Person(?x) ^ hasAge(?x, ?a) ^ swrlb:greaterThan(?a, 17) -> Adult(?x)
    hasParent(?x, ?y) ^ differentFrom(?y, :eve) -> hasChild(?y, ?x) ^ Parent(?y)
    Adult(?x) ^ Child(?x) -> false

A name without prefix is one of the empty prefix. Rules follow each other, with a full stop
between them or not. `{"a", "b"}(?v)` is an enumeration, `xsd:int(?v)` a datatype, `owl:sameAs`
and `owl:differentFrom` are properties like others, while `sameAs` and `differentFrom` mean what
they mean in SWRL (see `swrl_rules`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from rdfinc.datalog.functions import (
    EQUAL,
    IN_DATATYPE,
    LIST_ATOMS,
    SOLUTION,
    UNKNOWN,
    WANTED,
    called,
)
from rdfinc.datalog.model import (
    RDF_TYPE,
    Atom,
    Bind,
    BodyItem,
    Filter,
    Literal,
    Program,
    Rule,
    Term,
    Var,
)
from rdfinc.datalog.printing import item_text, term_text
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import UnsupportedError
from rdfinc.owl.swrl.swrl_binding import EMPTY, NIL
from rdfinc.owl.swrl.swrl_rules import is_builtin, is_datatype

_ARROW = re.compile(
    r"""\"{3}.*?\"{3}|'{3}.*?'{3}|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|["'].*|<[^\s<>"{}|^`\\]*>|\#[^\n]*
    |(?P<swrl>->)|(?P<rule>:-)""",
    re.VERBOSE | re.DOTALL,
)
"""The arrows of the two languages, and where an arrow means nothing."""


def is_swrl(text: str) -> bool:
    """Whether a text of rules is SWRL's: its first rule has the arrow `->`, not `:-`."""
    arrows = (found.lastgroup for found in _ARROW.finditer(text) if found.lastgroup)
    return next(arrows, None) == "swrl"


def parse_swrl(
    text: str, prefixes: Mapping[str, str] = PREFIXES, *, unique_names: bool = False
) -> Program:
    """The rules of a text, translated; whether differentFrom holds between names that are not known
    to be the same, as `KnowledgeBase(unique_names=True)` reads the rules among its triples.

    Raises RuleSyntaxError with the place, UnsupportedError, UnsafeRuleError.
    """
    from rdfinc.owl.swrl.swrl_reader import read_swrl_text

    rules = read_swrl_text(text, {**PREFIXES, **prefixes}, unique_names=unique_names)
    return Program(tuple(dict.fromkeys(rules)))


def swrl_text(rule: Rule, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """The rule on one line, without its name; `parse_swrl` reads it back.

    Raises UnsupportedError for what SWRL cannot say.
    """
    return _Writer(rule, prefixes).text()


_TOKEN = r'(?:\?\w+|<[^\s<>]*>|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^\s<>]*>)?)'
_TERM = re.compile(_TOKEN, re.DOTALL)
_TERMS = rf"{_TOKEN}(?:, {_TOKEN})*"
_CALL = re.compile(rf"(<[^\s<>]*>)\(({_TERMS})\)", re.DOTALL)
_RESULT = re.compile(rf"{re.escape(EQUAL)}\(({_TOKEN}), (<[^\s<>]*>)\(({_TERMS})\)\)", re.DOTALL)
_MEMBER = re.compile(rf"({_TOKEN}) IN \(({_TERMS})\)", re.DOTALL)
_EMPTY = re.compile(rf"sameTerm\(({_TOKEN}), {re.escape(NIL)}\)", re.DOTALL)
_WORDS = {"sameAs", "differentFrom", "true", "false", "PREFIX", "BASE", "prefix", "base"}
_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*", re.ASCII)


def _gives(iri: str) -> bool | None:
    """Whether a built-in gives a value, or is a relation; None for an unknown one."""
    builtin = called(iri)
    return None if builtin is None else builtin.gives


def _asked(item: BodyItem) -> tuple[str, list[str]]:
    """The built-in of an item that compares its value with a term, and its arguments."""
    found = _RESULT.fullmatch(item.expression.text) if isinstance(item, Filter) else None
    return ("", []) if found is None else (found[2], [found[1], *_TERM.findall(found[3])])


def _agree(solved: Sequence[str], asked: Sequence[str], variable: str) -> bool:
    """Whether arguments read backwards for a variable are those of a built-in that is asked."""
    pairs = list(zip(solved, asked, strict=False))
    return len(solved) == len(asked) and all(
        one == UNKNOWN or other == (variable if one == WANTED else one) for one, other in pairs
    )


class _Writer:
    def __init__(self, rule: Rule, prefixes: Mapping[str, str]) -> None:
        self.rule, self.prefixes = rule, prefixes

    def text(self) -> str:
        head = "false" if self.rule.head is None else self.atom(self.rule.head)
        items = (item for item in self.rule.body if not self.is_told_later(item))
        return f"{' ^ '.join(map(self.item, items))} -> {head}"

    def is_told_later(self, item: BodyItem) -> bool:
        """Whether an item reads a built-in backwards that the rule asks as well."""
        found = _CALL.fullmatch(item.expression.text) if isinstance(item, Bind) else None
        if found is None or found[1] != SOLUTION or not isinstance(item, Bind):
            return False
        iri, *solved = _TERM.findall(found[2])
        asked = (_asked(other) for other in self.rule.body)
        return any(
            other == iri and _agree(solved, terms, str(item.variable)) for other, terms in asked
        )

    def refuse(self, what: str) -> NoReturn:
        raise UnsupportedError(f"{what} in SWRL", str(self.rule))

    def item(self, item: BodyItem) -> str:
        match item:
            case Literal(atom, True):
                return self.atom(atom)
            case Filter(expression):
                return self.filter(expression.text)
            case Bind(expression, variable):
                return self.bind(expression.text, variable)
        self.refuse(item_text(item))

    def atom(self, atom: Atom) -> str:
        subject, predicate, object_ = atom.terms()
        if isinstance(predicate, Var):
            self.refuse(f"the variable predicate {predicate}")
        if predicate in LIST_ATOMS:
            return self.applied(predicate, object_, subject)
        if predicate != RDF_TYPE:
            return self.applied(predicate, subject, object_)
        if isinstance(object_, Var):
            self.refuse(f"the variable class {object_}")
        if is_datatype(object_) or is_builtin(object_):
            return self.applied(RDF_TYPE, subject, object_)
        return self.applied(object_, subject)

    def filter(self, text: str) -> str:
        if found := _RESULT.fullmatch(text):
            if _gives(found[2]) is True:
                return self.applied(found[2], found[1], *_TERM.findall(found[3]))
        elif found := _CALL.fullmatch(text):
            arguments = _TERM.findall(found[2])
            if found[1] == IN_DATATYPE:
                return self.applied(arguments[1], arguments[0])
            if _gives(found[1]) is False:
                return self.applied(found[1], *arguments)
        elif found := _EMPTY.fullmatch(text):
            return self.applied(EMPTY, found[1])
        elif found := _MEMBER.fullmatch(text):
            values = ", ".join(map(self.term, _TERM.findall(found[2])))
            return f"{{{values}}}({self.term(found[1])})"
        self.refuse(f"FILTER({text})")

    def bind(self, text: str, variable: Var) -> str:
        if _TERM.fullmatch(text):
            return self.applied(EQUAL, variable, text)
        found = _CALL.fullmatch(text)
        if found and found[1] != SOLUTION and _gives(found[1]) is True:
            return self.applied(found[1], variable, *_TERM.findall(found[2]))
        self.refuse(f"BIND({text} AS {variable})")

    def applied(self, iri: str, *arguments: Term) -> str:
        return f"{self.term(iri)}({', '.join(map(self.term, arguments))})"

    def term(self, term: Term) -> str:
        """Names of the empty prefix without a colon, where they are not words of the language."""
        if isinstance(term, str) and term.startswith("_"):
            self.refuse(f"the blank node {term}")
        written = term_text(term, self.prefixes)
        name = written.removeprefix(":")
        bare = name != written and _NAME.fullmatch(name) and name not in _WORDS
        return name if bare else written
