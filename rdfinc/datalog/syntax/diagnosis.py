"""Errors of lark -> a RuleSyntaxError in plain words."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import NamedTuple

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rdfinc.errors import RuleSyntaxError


class _Sort(NamedTuple):
    """Where a text could go on with all of `mark`, the `members` together are called `words`."""

    mark: Set[str]
    members: Set[str]
    words: str


_ATOM = {"LSQB", "IRIREF", "PNAME"}
_OPERAND = {"VAR", "IRIREF", "PNAME", "STRING", "NUMBER", "BOOLEAN", "BLANK", "FUNCTION", "LPAR"}
_OPERAND |= {"EXISTS", "NOT"}
_SWRL_ATOM = {"SAME_AS", "DIFFERENT_FROM", "NAME", "IRIREF", "PNAME", "LBRACE"}
_TERM = {"VAR", "IRIREF", "PNAME", "STRING", "NUMBER", "BOOLEAN", "BLANK", "A", "SIGNED"}
_DECLARATION = {"_AT_PREFIX", "_AT_BASE", "_AT_RULE", "_PREFIX", "_BASE"}
_SORTS = (
    _Sort(
        {"_AT_PREFIX", "SAME_AS"},
        _SWRL_ATOM | _DECLARATION | {"$END"},
        "a rule (body -> head) or a declaration such as @prefix",
    ),
    _Sort({"SAME_AS"}, _SWRL_ATOM, "an atom such as :Person(?x) or :hasParent(?x, ?y)"),
    _Sort({"VAR", "SIGNED", "NAME"}, _TERM | {"NAME"}, "a term: a variable, an IRI or a literal"),
    _Sort(
        {"_AT_PREFIX"},
        _ATOM | _DECLARATION | {"FALSE_HEAD", "$END"},
        "a rule such as [?y, :q, ?x] :- [?x, :p, ?y] . or a declaration such as @prefix",
    ),
    _Sort(
        {"_FILTER"},
        _ATOM | {"_FILTER", "_BIND", "NOT", "AGGREGATE"},
        "an atom such as [?x, :p, ?y] or :C[?x], a FILTER or a BIND",
    ),
    _Sort({"FUNCTION", "BOOLEAN"}, _OPERAND | {"BANG", "ADDITION"}, "an expression"),
    _Sort({"VAR", "SIGNED"}, _TERM, "a term: a variable, an IRI or a literal"),
    _Sort({"SIGNED"}, {"STRING", "NUMBER", "BOOLEAN", "SIGNED"}, "a literal"),
    _Sort({"IRIREF", "PNAME", "NAME"}, {"IRIREF", "PNAME", "NAME"}, "an IRI"),
    _Sort(
        {"COMPARISON"},
        {"COMPARISON", "ADDITION", "MULTIPLICATION", "NOT", "_IN", "_AND", "_OR"},
        "an operator",
    ),
    _Sort({"LSQB", "IRIREF"}, _ATOM, "an atom such as [?x, :p, ?y] or :C[?x]"),
    _Sort({"IRIREF", "PNAME"}, {"IRIREF", "PNAME"}, "an IRI"),
)
_WORDS = {
    "VAR": "a variable such as ?x",
    "PNAME": "a prefix such as ex:",
    "IRIREF": "an IRI in angle brackets",
    "RULE_NAME": "the rule's name",
    "STRING": "a text in quotes",
    "ADDITION": "+ or -",
    "MULTIPLICATION": "* or /",
    "_AND": "&&",
    "_OR": "||",
    "_IN": "IN",
    "_AS": "AS and a variable",
    "_CONJUNCTION": "`^` and another atom",
    "_ARROW": "`->` and the head (atoms are joined by `^`)",
    "FALSE": "false",
    "NAME": "a name",
    "_IMPLIES": "`:-` and the body",
    "COMMA": "a comma",
    "RSQB": "a closing bracket `]`",
    "LSQB": "an opening bracket `[`",
    "RPAR": "a closing parenthesis `)`",
    "LPAR": "an opening parenthesis `(`",
    "GROUP": "a group in braces",
    "EXISTS": "EXISTS",
    "FUNCTION": "a function and its argument in parentheses",
    "_ON": "ON",
    "_BIND": "BIND",
    "RBRACE": "a closing brace `}`",
    "DOT": "a full stop",
    "$END": "the end",
}
_BROKEN = {
    '"': "this text has no closing quote on its line",
    "'": "this text has no closing quote on its line",
    "?": "this is no variable: a name of letters, digits and _ follows the question mark",
    "$": "this is no variable: a name of letters, digits and _ follows the dollar sign",
    "@": "no language tag follows the @",
    "&": "`and` is written &&",
    "|": "`or` is written ||",
}

_IMPLIES = ":-"
_HEADLESS = re.compile(r"(^|[\s.]):$")
_NO_HEAD = "there is no head before `:-`; what must not hold has the head `false`: false :- … ."


def diagnose(error: UnexpectedInput, text: str) -> RuleSyntaxError:
    """The error for a place: the text there, and the texts expected there."""
    if isinstance(error, UnexpectedToken):
        found, accepted = str(error.token), error.accepts or error.expected
    else:
        assert isinstance(error, UnexpectedCharacters)
        found, accepted = text[error.pos_in_stream or 0], error.allowed or set()
    if found == "-" and _HEADLESS.search(text[: error.pos_in_stream or 0]):
        return RuleSyntaxError(_NO_HEAD, text, error.line, error.column - 1)
    if found == ":" and text.startswith(_IMPLIES, error.pos_in_stream or 0):
        found = _IMPLIES  # read as a prefix without a name
    return RuleSyntaxError(
        f"{_seen(found, accepted)}; expected {_expected(accepted)}", text, *_place(error, text)
    )


def _seen(found: str, accepted: Set[str]) -> str:
    if found == "<" and "IRIREF" in accepted:
        return "this is no IRI: it has no `>`, or a character that no IRI may have"
    if found in _BROKEN:
        return _BROKEN[found]
    return f"`{found}` cannot stand here" if found else "the text ends too early"


def _expected(accepted: Set[str]) -> str:
    words = []
    for sort in _SORTS:
        if sort.mark <= accepted:
            words.append(sort.words)
            accepted = accepted - sort.members
    words += [_WORDS[name] for name in _WORDS if name in accepted]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _place(error: UnexpectedInput, text: str) -> tuple[int, int]:
    """Line and column, of the end of the text if it ends too early."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        lines = text.rstrip().splitlines() or [""]
        return len(lines), len(lines[-1]) + 1
    return error.line, error.column
