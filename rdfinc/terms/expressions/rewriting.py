"""SPARQL expressions rewritten so that an engine that keeps values, not terms, answers exactly.

Oxigraph computes with values: `"01"^^xsd:integer` becomes 1, `"5"^^xsd:byte` an xsd:integer.
Identity is RDF 1.1's here, lexical forms are kept, so whatever looks at the term itself is taken
out of the engine's hands:

* STR and DATATYPE of a variable or constant, and sameTerm of two, read *observations*: further
  columns that are computed from the term's key;
* a variable or constant that may be the result is replaced by a *marker* IRI, which stands for
  the term; a literal made by STRDT is returned in a form that keeps its lexical form.

Patterns are XPath's, which the engine's are not: REGEX and REPLACE become calls of
`pattern_functions`.

Observations and markers reach through parentheses, IF and COALESCE.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import pyoxigraph as ox
from msgspec import Struct, field

from rdfinc.terms.grammar import escape, literal_parts
from rdfinc.terms.late_patterns import late

_TOKEN = late(
    r'<[^\s<>]*>|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^\s<>]*>)?|\?\w+|\w+|\s+|\|\||&&'
    r"|[!<>]=|.",
    re.DOTALL,
)
_SIMPLE = late(r'<[^\s<>]*>|".*|\?\w+', re.DOTALL)
_CALLED = late(r"<[^\s<>]*>|[A-Za-z]\w*")

RESERVED = "urn:rdfinc:aux:value:"
TYPED = f"<{RESERVED}typed>"
"""Datatype of `"DATATYPE LEXICAL"`: the literal that STRDT made."""


_PATTERN_FUNCTIONS = "REGEX", "REPLACE"

TERM, CANONICAL = "TERM", "CANONICAL"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"


class Call(Struct, frozen=True):
    """`name(arguments)`; a parenthesis has an empty name."""

    name: str
    arguments: list[Part]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(text_of, self.arguments))})"


Item = str | Call
Part = list[Item]
"""Part of an expression: tokens and calls, one after the other."""

Change = Callable[[Any], Part]


def tokens(text: str) -> list[str]:
    """Terms, variables, names, operators and space, one after the other."""
    return _TOKEN.findall(text)


def text_of(part: Part) -> str:
    """The part as text again."""
    return "".join(map(str, part))


def parse(text: str, numbers: Mapping[str, str] = MappingProxyType({})) -> Part:
    """Only the nesting of calls; operators stay tokens. Variables are renamed as told."""
    parts, _ = _parts([numbers.get(token, token) for token in tokens(text)], 0)
    assert len(parts) == 1, text
    return parts[0]


def _parts(found: list[str], at: int) -> tuple[list[Part], int]:
    """The comma-separated parts up to a closing parenthesis, and where that stands."""
    parts: list[Part] = [[]]
    while at < len(found) and found[at] != ")":
        token = found[at]
        if token == ",":
            parts.append([])
        elif token == "(":
            arguments, at = _parts(found, at + 1)
            parts[-1].append(Call(_called(parts[-1]), arguments))
        else:
            parts[-1].append(token)
        at += 1
    return [_stripped(part) for part in parts], at


def _called(before: Part) -> str:
    """Takes the function's name off the tokens before a parenthesis."""
    while before and isinstance(before[-1], str) and before[-1].isspace():
        before.pop()
    if before and isinstance(before[-1], str) and _CALLED.fullmatch(before[-1]):
        if before[-1].upper() != "IN":
            return str(before.pop())
        before.append(" ")
    return ""


def _stripped(part: Part) -> Part:
    start, end = 0, len(part)
    while start < end and str(part[start]).isspace():
        start += 1
    while start < end and str(part[end - 1]).isspace():
        end -= 1
    return part[start:end]


def _simple(part: Part) -> str:
    """The variable or constant of which the part consists; empty if it is more than that."""
    token = part[0] if len(part) == 1 else ""
    return token if isinstance(token, str) and _SIMPLE.fullmatch(token) else ""


def is_simple(part: Part) -> bool:
    return _simple(part) != ""


class Rewriting(Struct):
    """Texts for the engine; what they need to be given, and what their markers stand for.

    Variable number i of the expression is `?v{i}` for the engine. `observations` names the extra
    variables by (what is observed, of which variable), `results` are the terms that markers
    stand for, as written.
    """

    names: Sequence[str]
    observations: dict[tuple[str, str], str] = field(default_factory=dict)
    results: list[str] = field(default_factory=list)

    def condition(self, text: str) -> str:
        """The text for an effective boolean value."""
        return text_of(self.inner(self.parsed(text)))

    def value(self, text: str) -> str:
        """The text for a value."""
        return text_of(self.through(self.parsed(text), self.marker, self.made))

    def parsed(self, text: str) -> Part:
        return parse(text, {f"?{name}": f"?v{i}" for i, name in enumerate(self.names)})

    # -- where only the value counts

    def inner(self, part: Part) -> Part:
        return [self.call(item) if isinstance(item, Call) else item for item in part]

    def call(self, call: Call) -> Item:
        name, arguments = call.name.upper(), call.arguments
        if name in ("STR", "DATATYPE") and len(arguments) == 1:
            return Call("", [self.observed(name, arguments[0])])
        if name == "SAMETERM" and len(arguments) == 2:
            return Call("", [self.same(*arguments)])
        called = pattern_function(name) if name in _PATTERN_FUNCTIONS else call.name
        return Call(called, [self.inner(part) for part in arguments])

    def observed(self, what: str, part: Part) -> Part:
        return self.through(
            part,
            lambda simple: [self.observation(what, simple)],
            lambda other: [Call(what, [self.inner(other)])],
        )

    def observation(self, what: str, simple: str) -> str:
        if simple[0] != "?":
            return observe(what, simple.encode()) or "(1 / 0)"
        return self.observations.setdefault((what, simple), f"?o{len(self.observations)}")

    def same(self, left: Part, right: Part) -> Part:
        """sameTerm, whatever the operands may stand for."""
        return self.through(
            left,
            lambda known: self.through(
                right,
                lambda simple: [self.same_simple(known, simple)],
                lambda computed: [self.same_computed(known, computed)],
            ),
            lambda computed: self.through(
                right,
                lambda simple: [self.same_computed(simple, computed)],
                lambda other: [Call("sameTerm", [self.inner(computed), self.inner(other)])],
            ),
        )

    def same_simple(self, left: str, right: str) -> str:
        return f"({self.observation(TERM, left)} = {self.observation(TERM, right)})"

    def same_computed(self, simple: str, computed: Part) -> str:
        """What is computed is canonical, so nothing else can be the same term."""
        same = Call("sameTerm", [[simple], self.inner(computed)])
        return f"({same} && {self.observation(CANONICAL, simple)})"

    def through(self, part: Part, simple: Change, other: Change) -> Part:
        """The part with each operand that it may stand for changed."""
        if operand := _simple(part):
            return simple(operand)
        only = part[0] if len(part) == 1 else None
        if isinstance(only, Call):
            name, arguments = only.name.upper(), only.arguments
            if name == "" and len(arguments) == 1:
                return [Call("", [self.through(arguments[0], simple, other)])]
            if name == "IF" and len(arguments) == 3:
                branches = [self.through(branch, simple, other) for branch in arguments[1:]]
                return [Call("IF", [self.inner(arguments[0]), *branches])]
            if name == "COALESCE":
                return self.first(arguments, simple, other)
        return other(part)

    def first(self, parts: list[Part], simple: Change, other: Change) -> Part:
        """COALESCE as nested IFs: the first part that has a value decides."""
        done = self.through(parts[0], simple, other)
        if len(parts) == 1 or _simple(parts[0]):
            return done
        value = text_of(self.inner(parts[0]))
        exists = f'COALESCE(STR(isLiteral({value})), "error") != "error"'
        return [Call("IF", [[exists], done, self.first(parts[1:], simple, other)])]

    # -- where the term itself comes out

    def marker(self, simple: str) -> Part:
        if simple not in self.results:
            self.results.append(simple)
        return [f"<{RESERVED}{self.results.index(simple)}>"]

    def made(self, part: Part) -> Part:
        only = part[0] if len(part) == 1 else None
        if isinstance(only, Call) and only.name.upper() == "STRDT" and len(only.arguments) == 2:
            lexical, datatype = (text_of(self.inner(argument)) for argument in only.arguments)
            kept = f"STR(STRDT({lexical}, {TYPED}))"  # an error unless it is a plain string
            other = f"isIRI({datatype}) && {datatype} != <{_LANG_STRING}>"
            named = f"STR(IF({other}, {datatype}, 1 / 0))"
            return [f'STRDT(CONCAT({named}, " ", {kept}), {TYPED})']
        return self.inner(part)


def pattern_function(name: str) -> str:
    """The IRI by which the engine calls the functions of patterns."""
    return f"<{RESERVED}{name}>"


def observe(what: str, key: bytes) -> str:
    """STR, DATATYPE, TERM or CANONICAL of a term, as text; empty where it has none."""
    return _OBSERVERS[what](key)


def _str(key: bytes) -> str:
    if key[:1] == b"_":
        return ""
    lexical = literal_parts(key)[0] if key[:1] == b'"' else key[1:-1].decode()
    return f'"{escape(lexical)}"'


def _datatype(key: bytes) -> str:
    if key[:1] != b'"':
        return ""
    _, tag, datatype = literal_parts(key)
    return f"<{datatype or (_LANG_STRING if tag else _STRING)}>"


def _term(key: bytes) -> str:
    return f'"{escape(key.decode())}"'


def _canonical(key: bytes) -> str:
    """Would the engine, computing this value, write this term?"""
    return "true" if key[:1] != b'"' or normal_form(key) == key else "false"


@lru_cache(maxsize=4096)
def normal_form(literal: bytes) -> bytes:
    """The literal that Oxigraph makes of this one."""
    query = f"SELECT (COALESCE({literal.decode()}) AS ?r) {{}}"
    try:
        solutions: Any = ox.Store().query(query)
    except SyntaxError:
        return literal
    return str(next(solutions)[0]).encode()


_OBSERVERS: Mapping[str, Callable[[bytes], str]] = {
    "STR": _str,
    "DATATYPE": _datatype,
    TERM: _term,
    CANONICAL: _canonical,
}
