"""Texts in SPARQL -> trees of their parts, one text at a time.

The grammar is a copy of rdflib's that keeps numbers as they are written, and the predicates that a
negated property set excludes backwards. pyparsing finds out how many arguments a function takes by
calling it, when it is first called, and threads that find out at once may find out wrong for good.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyparsing import Opt, Suppress
from rdflib.namespace import XSD
from rdflib.plugins.sparql import parser
from rdflib.plugins.sparql.parserutils import Comp, Param
from rdflib.term import Literal, URIRef

from rdfinc.errors import DataSyntaxError
from rdfinc.plugins.sparql.query_thresholds import QUERIES

_ESCAPE = re.compile(r"\\\\|\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")

_LOCK = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )
_NOTHING = Opt("").defaultValue
_COPIES: dict[int, Any] = {id(_NOTHING): _NOTHING}  # it stands for itself
_QUERY, _UPDATE = deepcopy((parser.QueryUnit, parser.UpdateUnit), _COPIES)


Check = Callable[[], object]
"""Raises where a request is to be stopped."""


def _no_limit() -> None:
    pass


def query_tree(text: str, check: Check = _no_limit) -> Any:
    """The tree of a query, `unescaped` already. Raises ParseException; DataSyntaxError if it is
    nested too deeply; what `check` raises, which is asked wherever an IRI or a variable may stand,
    about once in a millisecond."""
    return _tree(_QUERY, text, check)


def update_tree(text: str, check: Check = _no_limit) -> Any:
    """The tree of an update request, `unescaped` already. Raises as `query_tree`."""
    return _tree(_UPDATE, text, check)[0]


def _tree(grammar: Any, text: str, check: Check) -> Any:
    try:
        with _alone(check):
            return grammar.parse_string(text, parse_all=True)
    except RecursionError:
        why = "brackets or operators are nested too deeply; write it with fewer of them"
        raise DataSyntaxError("SPARQL", None, "", why) from None


@contextmanager
def _alone(check: Check) -> Iterator[None]:
    """One text after the other."""
    while not _LOCK.acquire(timeout=QUERIES.grammar_pause):
        check()
    try:
        _WATCHED.check = check
        yield
    finally:
        _WATCHED.check = _no_limit
        _LOCK.release()


@dataclass
class _Watched:
    """The text that is read now."""

    check: Check = _no_limit


_WATCHED = _Watched()


def _watch(element: Any) -> None:
    """Asks, wherever an element of the grammar may stand, whether to go on."""
    skip = element.preParse

    def checked(text: str, place: int) -> int:
        _WATCHED.check()
        found: int = skip(text, place)
        return found

    element.preParse = checked


def unescaped(text: str) -> str:
    r"""A text with characters for `\uXXXX` and `\UXXXXXXXX` wherever they stand (SPARQL 1.1, 19.2),
    but for those whose backslash is escaped. Raises DataSyntaxError for surrogates."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    number = int(digits, 16) if digits else 0
    if 0xD800 <= number <= 0xDFFF:
        raise DataSyntaxError("SPARQL", None, "", f"{escape[0]} is no character")
    return chr(number) if digits and number <= 0x10FFFF else escape[0]


def _keep_numbers(kind: str, datatype: URIRef) -> None:
    """Has numbers of a kind be literals as they are written."""

    def written(sign: str, tokens: Any) -> Literal:
        return Literal(sign + tokens[0], datatype=datatype, normalize=False)

    _copy(kind).set_parse_action(partial(written, ""))
    for sign, name in (("+", f"{kind}_POSITIVE"), ("-", f"{kind}_NEGATIVE")):
        signed = _copy(name)
        signed.exprs[1].set_parse_action(partial(written, ""))
        signed.set_parse_action(partial(written, sign))


def _keep_inverses() -> None:
    for part in _copy("PathOneInPropertySet").exprs:
        if isinstance(part, Comp) and part.name == "InversePath":
            part.expr = Suppress("^") + Param("part", _copy("iri") | _copy("A"))


def _copy(name: str) -> Any:
    return _COPIES[id(getattr(parser, name))]


_keep_numbers("INTEGER", XSD.integer)
_keep_numbers("DECIMAL", XSD.decimal)
_keep_numbers("DOUBLE", XSD.double)
_keep_inverses()
for _name in ("IRIREF", "VAR1"):
    _watch(_copy(_name))
