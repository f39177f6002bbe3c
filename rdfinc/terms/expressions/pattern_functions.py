"""REGEX and REPLACE in expressions of rules: what they are in queries.

The engine has patterns and replacements of its own kind: to it `$1b` is a group of that name, where
XPath means the first group and a letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pyoxigraph as ox

from rdfinc.errors import BudgetExceededError
from rdfinc.terms.builtins.values import XSD, NoValue
from rdfinc.terms.expressions.regular import quick_search, search, substitute
from rdfinc.terms.expressions.rewriting import pattern_function

_STRING = ox.NamedNode(f"{XSD}string")
_NO_VALUE = NoValue, BudgetExceededError, re.error


def functions(text: str) -> dict[ox.NamedNode, Callable[..., ox.Literal | None]]:
    """Those that a query calls, as its engine calls them."""
    called = {pattern_function(name): function for name, function in _FUNCTIONS.items()}
    return {ox.NamedNode(iri[1:-1]): called[iri] for iri in called if iri in text}


def _matches(text: Any, pattern: Any, *flags: Any) -> ox.Literal | None:
    """Whether a part of a text matches. No value for what is no text, nor where the pattern is none
    or might take for ever."""
    try:
        letters, given, where = "".join(map(_text, flags)), _text(pattern), _text(text)
        quick, longest, _ = quick_search(given, letters)
        if len(where) <= longest:
            return ox.Literal(quick(where) is not None)
        return ox.Literal(search(given, where, letters))
    except _NO_VALUE:
        return None


def _replaced(text: Any, pattern: Any, by: Any, *flags: Any) -> ox.Literal | None:
    """The text with something for each match, in its language."""
    try:
        made = substitute(_text(pattern), _text(by), _text(text), "".join(map(_text, flags)))
    except _NO_VALUE:
        return None
    return ox.Literal(made, language=text.language)


def _text(term: Any) -> str:
    """The text of a literal; raises NoValue for another term."""
    if not isinstance(term, ox.Literal) or not (term.language or term.datatype == _STRING):
        raise NoValue
    return term.value


_FUNCTIONS = {"REGEX": _matches, "REPLACE": _replaced}
