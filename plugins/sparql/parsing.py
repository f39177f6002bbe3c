"""Texts in SPARQL -> trees of their parts, one text at a time.

The grammar is a copy of rdflib's that keeps numbers as they are written, and the predicates that a
negated property set excludes backwards. pyparsing finds out how many arguments a function takes by
calling it, when it is first called, and threads that find out at once may find out wrong for good.
"""

from __future__ import annotations

import os
import re
import threading
from copy import deepcopy
from functools import partial
from typing import Any

from pyparsing import Opt, Suppress
from rdflib.namespace import XSD
from rdflib.plugins.sparql import parser
from rdflib.plugins.sparql.parserutils import Comp, Param
from rdflib.term import Literal, URIRef

from rdfinc.errors import DataSyntaxError

_ESCAPE = re.compile(r"\\\\|\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_LOCK = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )
_NOTHING = Opt("").defaultValue
_COPIES: dict[int, Any] = {id(_NOTHING): _NOTHING}  # it stands for itself
_QUERY, _UPDATE = deepcopy((parser.QueryUnit, parser.UpdateUnit), _COPIES)


def query_tree(text: str) -> Any:
    """The tree of a query, `unescaped` already. Raises ParseException; DataSyntaxError if it is
    nested too deeply."""
    return _tree(_QUERY, text)


def update_tree(text: str) -> Any:
    """The tree of an update request, `unescaped` already. Raises as `query_tree`."""
    return _tree(_UPDATE, text)[0]


def _tree(grammar: Any, text: str) -> Any:
    try:
        with _LOCK:
            return grammar.parse_string(text, parse_all=True)
    except RecursionError:
        why = "brackets or operators are nested too deeply; write it with fewer of them"
        raise DataSyntaxError("SPARQL", None, "", why) from None


def unescaped(text: str) -> str:
    r"""A text with characters for `\uXXXX` and `\UXXXXXXXX` wherever they stand (SPARQL 1.1, 19.2),
    but for those whose backslash is escaped."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    number = int(digits, 16) if digits else 0
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
