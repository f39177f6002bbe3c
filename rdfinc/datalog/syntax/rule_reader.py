"""Parse trees of `rules.lark` -> rules. The one module that needs lark; see `syntax`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, NoReturn

import pyoxigraph as ox
from lark import Lark, Token, Transformer, Tree, UnexpectedInput, v_args
from lark.exceptions import VisitError
from lark.tree import Meta

from rdfinc.datalog.functions import aggregate_name, check_cast, function_name
from rdfinc.datalog.model import (
    RDF_TYPE,
    Aggregate,
    Atom,
    Bind,
    BodyItem,
    Expression,
    Filter,
    Literal,
    NotExists,
    Rule,
    Skolem,
    Term,
    Value,
    Var,
)
from rdfinc.datalog.syntax.diagnosis import diagnose
from rdfinc.datalog.variables import body_variables, variables_in
from rdfinc.errors import RuleSyntaxError, TermError, UnsupportedError
from rdfinc.terms.canonical_terms import canonical
from rdfinc.terms.grammar import LONGEST, NESTED, escape, unescape

_XSD = "http://www.w3.org/2001/XMLSchema#"
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPES |= {'"': '"', "'": "'", "\\": "\\"}
_HEXADECIMAL = re.compile("[0-9A-Fa-f]+")
_PLAIN = re.compile(r'"(?:[^"\\]|\\.)*"')
_TERM = re.compile(rf"\?\w+|<[^\s<>]*>|{_PLAIN.pattern}(?:@[\w-]+|\^\^<[^\s<>]*>)?")
_OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(7)

_CHAINS = {"or_": 1, "and_": 1, "arithmetic": 2, "scaling": 2}
"""The nodes that join many operands, and the number of their children for each operand."""
_NESTING = {"compare", "in_", "not_in", "not_", "sign", "call", "cast"}
_NESTING |= {*_CHAINS, "conjunction_negated", "absence", "aggregate"}
_DIVIDE = "divide it among several rules, or give parts of it names by BIND"

Place = Token | Meta


class Text(NamedTuple):
    """Part of an expression: its text and how tightly its outermost operator binds."""

    text: str
    level: int

    def at(self, level: int) -> str:
        """The text of an operand, in brackets unless it binds at least so tightly."""
        return self.text if self.level >= level else f"({self.text})"


class SkolemCall(NamedTuple):
    """`SKOLEM("name", …)`, which may stand only as the whole of a BIND."""

    place: Token
    name: str
    arguments: tuple[Term, ...]


class Head(NamedTuple):
    """The left side of `:-`."""

    atoms: tuple[Atom | None, ...]


Body = tuple[BodyItem, ...]
Named = tuple[str, str, Rule]


def read_rules(text: str, prefixes: Mapping[str, str]) -> list[Named]:
    """See `syntax.parse_named`; `prefixes` are all those known beforehand."""
    return RuleReader(text, prefixes).read("start")  # type: ignore[no-any-return]


def read_expression(text: str, prefixes: Mapping[str, str]) -> Expression:
    """See `syntax.parse_expression`."""
    return _expression(RuleReader(text, prefixes).read("expression"))


@cache
def _grammar() -> Lark:
    return Lark.open(
        "rules.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="contextual",
        start=["start", "expression"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _expression(parsed: Any) -> Expression:
    text = _text(parsed).text
    return Expression(text, variables_in(text))


def _text(operand: Any) -> Text:
    if isinstance(operand, SkolemCall):
        raise _unsupported("SKOLEM within an expression; give it a BIND of its own", operand.place)
    return operand if isinstance(operand, Text) else Text(str(operand), _PRIMARY)


class TokenReader(Transformer[Token, Any]):
    """Reads tokens: what lark calls without ado, as it is no method for a rule of the grammar."""

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        super().__init__()
        self.source = text
        self.prefixes = dict(prefixes)
        self.base_iri: str | None = None
        self.name = self.meaning = ""

    def refuse(self, place: Place, reason: str) -> NoReturn:
        raise RuleSyntaxError(reason, self.source, place.line or 1, place.column or 1)

    def named_by(self, token: Token) -> str:
        """The term for the token of an IRI or a short name."""
        return f"<{self.resolved(token) if token[0] == '<' else self.expanded(token)}>"

    def written_iri(self, text: str) -> str:
        """The term for an IRI or a short name by itself."""
        return self.named_by(Token("IRI", text))

    def resolved(self, token: Token) -> str:
        written = self.unescaped(token, token[1:-1])
        try:
            if self.base_iri is None:
                return ox.NamedNode(written).value
            (quad,) = ox.parse(
                f"<{written}> <x:p> <x:o> .", format=ox.RdfFormat.TURTLE, base_iri=self.base_iri
            )
        except (ValueError, SyntaxError):
            self.refuse(token, f"{token} is no absolute IRI{self.hint(written)}")
        return str(quad.subject)[1:-1]

    def hint(self, written: str) -> str:
        if ":" in written or self.base_iri:
            return ""
        return "; write it in full, or give a base with `@base <http://…> .`"

    def expanded(self, token: Token) -> str:
        prefix, local = token.split(":", 1)
        if prefix not in self.prefixes:
            self.refuse(
                token, f"the prefix `{prefix}:` is not known; declare it: @prefix {prefix}: <…> ."
            )
        return self.prefixes[prefix] + local.replace("\\", "")

    def unescaped(self, token: Token, written: str) -> str:
        pieces = written.split("\\")
        text, rest = pieces[0], iter(pieces[1:])
        for piece in rest:
            if piece == "":  # two backslashes: the next piece is plain text
                text += "\\" + next(rest, "")
            else:
                text += self.escaped(token, piece)
        return text

    def escaped(self, token: Token, piece: str) -> str:
        """`piece` is what follows a backslash."""
        length = {"u": 4, "U": 8}.get(piece[0])
        if length is None:
            if piece[0] not in _ESCAPES:
                self.refuse(token, f"\\{piece[0]} is no escape; a backslash itself is written \\\\")
            return _ESCAPES[piece[0]] + piece[1:]
        digits = piece[1 : 1 + length]
        if len(digits) < length or not _HEXADECIMAL.fullmatch(digits):
            self.refuse(token, f"\\{piece[0]} is followed by {length} hexadecimal digits")
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            self.refuse(token, f"\\{piece[0]}{digits} is no character")
        return chr(code) + piece[1 + length :]


@v_args(inline=True)
class RuleReader(TokenReader):
    """Visits statements in the order of the text, so declarations hold for what follows."""

    def read(self, start: str) -> Any:
        try:
            return self.transform(self.bounded(self.parsed(start)))
        except VisitError as error:
            raise self.shown(error.orig_exc) from None

    def parsed(self, start: str) -> Tree[Token]:
        try:
            return _grammar().parse(self.source, start=start)
        except UnexpectedInput as error:
            raise diagnose(error, self.source) from None

    def bounded(self, tree: Tree[Token]) -> Tree[Token]:
        """A tree whose expressions and bodies are as deep and as long as can be evaluated."""
        waiting = [(tree, 0)]
        while waiting:
            node, depth = waiting.pop()
            if depth > NESTED:
                self.refuse(node.meta, f"this is nested more than {NESTED} deep; {_DIVIDE}")
            if node.data in _CHAINS and len(node.children) > LONGEST * _CHAINS[node.data]:
                self.refuse(node.meta, f"these are more than {LONGEST} operands; {_DIVIDE}")
            inner = depth + (node.data in _NESTING)
            waiting += [(child, inner) for child in node.children if isinstance(child, Tree)]
        return tree

    def shown(self, error: Exception) -> Exception:
        """An error that knows its place by itself, but not the text."""
        if isinstance(error, UnsupportedError):
            return error.at(self.source, error.line, error.column)
        return error

    # -- statements

    def start(self, *statements: list[Named] | None) -> list[Named]:
        return [rule for rules in statements if rules for rule in rules]

    def prefix(self, name: Token, iri: Token) -> None:
        if not name.endswith(":") or name.count(":") > 1:
            self.refuse(name, f"a prefix ends with its colon, as in `{name.split(':')[0]}:`")
        self.prefixes[name[:-1]] = self.resolved(iri)

    def base(self, iri: Token) -> None:
        self.base_iri = self.resolved(iri)

    def naming(self, name: Token | None, meaning: Token | None) -> None:
        self.name = self.label(name)
        self.meaning = self.label(meaning)

    def label(self, token: Token | None) -> str:
        if token is None:
            return ""
        return self.string(token) if token.type == "STRING" else str(token)

    def rule(self, heads: Head, body: tuple[BodyItem, ...]) -> list[Named]:
        name, meaning = self.name, self.meaning
        rules = (Rule(head, body, name, meaning=meaning) for head in heads.atoms)
        return [(name, meaning, rule) for rule in rules]

    def fact(self, heads: Head) -> list[Named]:
        return self.rule(heads, ())

    def heads(self, *atoms: Atom | Token) -> Head:
        return Head(tuple(atom if isinstance(atom, Atom) else None for atom in atoms))

    def body(self, *items: BodyItem) -> tuple[BodyItem, ...]:
        return items

    # -- body items

    def literal(self, atom: Atom) -> Literal:
        return Literal(atom)

    def filter(self, condition: Any) -> Filter:
        return Filter(_expression(condition))

    def bind(self, value: Any, variable: Token) -> Bind | Skolem:
        if isinstance(value, SkolemCall):
            return Skolem(value.name, value.arguments, self.variable(variable))
        return Bind(_expression(value), self.variable(variable))

    def negation(self, word: Token, atom: Atom) -> Literal:
        return Literal(atom, positive=False)

    def conjunction_negated(self, word: Token, body: Body) -> NotExists:
        return NotExists((), body)

    def absence(
        self, word: Token, exists: Token, variables: tuple[Var, ...], body: Atom | Body
    ) -> NotExists:
        return NotExists(variables, (Literal(body),) if isinstance(body, Atom) else body)

    def aggregate(
        self, word: Token, body: Body, group: tuple[Var, ...] | None, *values: Value
    ) -> Aggregate:
        found = Aggregate(body, group or (), values)
        for value in values:
            if value.variable in body_variables(body):
                self.refuse(
                    word,
                    f"{value.variable} is the aggregate's value, so the body within it cannot use "
                    "it: choose another name",
                )
        return found

    def value(self, name: Token, distinct: Token | None, operand: Any, variable: Token) -> Value:
        try:
            function = aggregate_name(name)
        except ValueError as error:
            self.refuse(name, str(error))
        everything = isinstance(operand, Token) and operand.type == "STAR"
        if everything and (function != "COUNT" or distinct):
            self.refuse(name, f"{function} needs an expression; only COUNT(*) counts all solutions")
        expression = None if everything else _expression(operand)
        return Value(function, expression, distinct is not None, self.variable(variable))

    def vars(self, *tokens: Token) -> tuple[Var, ...]:
        return tuple(dict.fromkeys(map(self.variable, tokens)))

    # -- atoms

    @v_args(meta=True, inline=True)
    def bracketed(self, place: Meta, *terms: Term) -> Atom:
        if len(terms) != 3:
            self.refuse(
                place,
                f"an atom in brackets is [subject, predicate, object], not {len(terms)} terms",
            )
        return self.checked(place, Atom(*terms))

    @v_args(meta=True, inline=True)
    def named(self, place: Meta, relation: str, *terms: Term) -> Atom:
        if len(terms) == 1:
            return self.checked(place, Atom(terms[0], RDF_TYPE, relation))
        if len(terms) == 2:
            return self.checked(place, Atom(terms[0], relation, terms[1]))
        self.refuse(place, _as_node(relation, terms))

    def checked(self, place: Place, atom: Atom) -> Atom:
        if isinstance(atom.predicate, str) and not atom.predicate.startswith("<"):
            self.refuse(place, f"a predicate is an IRI or a variable, not {atom.predicate}")
        if isinstance(atom.subject, str) and atom.subject.startswith('"'):
            self.refuse(place, f"a subject is an IRI or a variable, not {atom.subject}")
        return atom

    # -- terms

    def variable(self, token: Token) -> Var:
        return Var(token[1:])

    def type(self, token: Token) -> str:
        return RDF_TYPE

    def blank(self, token: Token) -> NoReturn:
        self.refuse(
            token,
            f"a rule cannot name the blank node {token}: write a variable if it stands for "
            "anything, an IRI if for one thing",
        )

    def iri(self, token: Token) -> str:
        return self.named_by(token)

    def plain(self, token: Token) -> str:
        return f'"{escape(self.string(token))}"'

    def tagged(self, token: Token, tag: Token) -> str:
        return self.constant(token, self.plain(token) + tag)

    def typed(self, token: Token, datatype: str) -> str:
        return self.constant(token, f"{self.plain(token)}^^{datatype}")

    def boolean(self, token: Token) -> str:
        return f'"{token}"^^<{_XSD}boolean>'

    def number(self, token: Token) -> str:
        kind = "double" if "e" in token.lower() else "decimal" if "." in token else "integer"
        return f'"{token}"^^<{_XSD}{kind}>'

    signed = number

    def constant(self, place: Token, text: str) -> str:
        try:
            return canonical(text).decode()
        except TermError as error:
            self.refuse(place, str(error))

    def string(self, token: Token) -> str:
        quotes = 3 if token[:3] in ('"""', "'''") and len(token) >= 6 else 1
        return self.unescaped(token, token[quotes:-quotes])

    # -- expressions

    def chain(self, level: int, first: Any, *rest: Any) -> Text:
        """Operators, in `rest` before their right operands, that group to the left."""
        texts = [_text(first).at(level)]
        for operator, operand in zip(rest[::2], rest[1::2], strict=True):
            texts += [operator, _text(operand).at(level + 1)]
        return Text(" ".join(texts), level)

    def or_(self, *operands: Any) -> Text:
        return Text(" || ".join(_text(operand).at(_OR + 1) for operand in operands), _OR)

    def and_(self, *operands: Any) -> Text:
        return Text(" && ".join(_text(operand).at(_AND + 1) for operand in operands), _AND)

    def compare(self, left: Any, operator: Token, right: Any) -> Text:
        return Text(f"{_text(left).at(_SUM)} {operator} {_text(right).at(_SUM)}", _RELATION)

    def arithmetic(self, *parts: Any) -> Text:
        return self.chain(_SUM, *parts)

    def scaling(self, *parts: Any) -> Text:
        return self.chain(_PRODUCT, *parts)

    def list(self, *members: Any) -> tuple[str, ...]:
        return tuple(_text(member).text for member in members if member is not None)

    def in_(self, left: Any, members: tuple[str, ...]) -> Text:
        return Text(f"{_text(left).at(_SUM)} IN ({', '.join(members)})", _RELATION)

    def not_in(self, left: Any, word: Token, members: tuple[str, ...]) -> Text:
        return Text(f"{_text(left).at(_SUM)} NOT IN ({', '.join(members)})", _RELATION)

    def not_(self, operand: Any) -> Text:
        return Text("!" + _text(operand).at(_PRIMARY), _UNARY)

    def sign(self, sign: Token, operand: Any) -> Text:
        return Text(sign + _text(operand).at(_PRIMARY), _UNARY)

    def call(self, name: Token, arguments: tuple[str, ...]) -> Text | SkolemCall:
        if name.upper() == "SKOLEM":
            return self.skolem(name, *arguments)
        try:
            spelling = function_name(name, len(arguments))
        except ValueError as error:
            self.reject(name, error)
        if spelling == "BOUND" and not arguments[0].startswith("?"):
            self.refuse(name, "BOUND takes a variable")
        return Text(f"{spelling}({', '.join(arguments)})", _PRIMARY)

    def skolem(self, place: Token, name: str = "", *arguments: str) -> SkolemCall:
        if not _PLAIN.fullmatch(name):
            self.refuse(place, 'SKOLEM takes a name in quotes first, as in SKOLEM("part", ?x)')
        for argument in arguments:
            if not _TERM.fullmatch(argument):
                self.refuse(place, f"SKOLEM takes variables and constants, not {argument}")
        terms = (Var(text[1:]) if text[0] == "?" else text for text in arguments)
        return SkolemCall(place, unescape(name[1:-1]), tuple(terms))

    @v_args(meta=True, inline=True)
    def cast(self, place: Meta, iri: str, arguments: tuple[str, ...]) -> Text:
        try:
            check_cast(iri, len(arguments))
        except ValueError as error:
            self.reject(place, error)
        return Text(f"{iri}({', '.join(arguments)})", _PRIMARY)

    def reject(self, place: Place, error: ValueError) -> NoReturn:
        """Raises the error with its place; an UnsupportedError keeps its kind."""
        if isinstance(error, UnsupportedError):
            raise _unsupported(error.construct, place) from None
        self.refuse(place, str(error))

    def exists(self, *words: Token | None) -> NoReturn:
        raise _unsupported("EXISTS in an expression", next(filter(None, words)))


def _unsupported(construct: str, place: Place) -> UnsupportedError:
    line, column = place.line or 1, place.column or 1
    return UnsupportedError(construct, f"line {line}, column {column}").at("", line, column)


def _as_node(relation: str, terms: tuple[Term, ...]) -> str:
    parts = ", ".join(f"[?n, {relation[:-1]}-{i}>, {term}]" for i, term in enumerate(terms, 1))
    return (
        f"atoms are unary or binary, this one has {len(terms)} terms; "
        f"let a node stand for the tuple: {parts}"
    )
