"""What was perhaps meant, where something else is expected than what stands there."""

from __future__ import annotations

import re
from typing import NamedTuple

from rdfinc.plugins.sparql.syntax.tokens import WRONG

_COMPARED = re.compile(r"[?$&=]")
_TERMS = ("a subject", "a property", "an object", "an IRI", "a variable or an IRI", "a pattern")
"""How it begins what is expected where names, texts and variables stand."""


class Unexpected(NamedTuple):
    """A token where something else is expected: its kind, how it is written, and the kinds of the
    tokens before and behind it."""

    expected: str
    kind: str
    written: str
    before: str
    behind: str


def hint(at: Unexpected) -> str:
    """A hint, or nothing."""
    return _of_sign(at) or _of_place(at) or _of_word(at)


def _of_sign(at: Unexpected) -> str:
    """What a sign is mostly meant to be."""
    if at.kind == "iri":
        return _of_iri(at.written)
    if at.kind == at.before == "=":
        return "equal is ="
    if at.kind == "<":
        return "an IRI that begins here has no end, or a space or quotes in it"
    if at.kind == "language" and at.written in ("@prefix", "@base"):
        return f"write {at.written[1:].upper()}, without @, and no dot behind it"
    if at.kind not in (WRONG, "?"):
        return ""
    return next((told for signs, told in _SIGNS.items() if at.written in signs), "")


def _of_iri(written: str) -> str:
    if written == "<>":
        return "unequal is !="
    is_compared = _COMPARED.search(written)
    return "an operator < has a space behind it, as this is an IRI" if is_compared else ""


_SIGNS = {
    "\"'": "a text that begins here has no end, or a wrong escape",
    "“”„«»‘’`": "quotes are \" or '",
    "&": "and is &&",
    "?$": "the name of a variable stands right behind it",
}


def _of_place(at: Unexpected) -> str:
    """What is mostly meant where something is expected."""
    if at.kind == "," and at.expected != "an object":
        return "what is listed here has no commas between"
    if at.expected == "the end" and at.kind in _CLAUSES:
        return f"the order is {', '.join(_CLAUSES.values())}"
    if at.expected.startswith(("SELECT", "an operation")) and at.kind == ".":
        return "declarations have no dot behind them"
    if at.expected == "EXISTS":
        return "not is ! before a condition"
    if at.expected.startswith("a pattern") and at.kind in ("NOT", "EXISTS"):
        return "conditions stand in FILTER"
    return ""


_CLAUSES = {
    "WHERE": "WHERE",
    "GROUP": "GROUP BY",
    "HAVING": "HAVING",
    "ORDER": "ORDER BY",
    "LIMIT": "LIMIT",
    "OFFSET": "OFFSET",
    "VALUES": "VALUES",
}


def _of_word(at: Unexpected) -> str:
    """What a word is mostly meant to be; names of one's own are no words of SPARQL."""
    if at.kind in _WORDS:
        return _WORDS[at.kind]
    word = at.written
    is_own = at.kind == word.upper() and at.kind != word and word.isidentifier()
    if not is_own or not at.expected.startswith((*_TERMS, "a variable", "an expression")):
        return ""
    if at.behind == "(":
        return f"SPARQL has no function {word}"
    if at.expected == "a variable":
        return f"a variable has a mark, ?{word}"
    if at.expected.startswith("an IRI"):
        return f"a name has a colon, :{word}"
    return f'a name has a colon, :{word}, a text quotes, "{word}", a variable a mark, ?{word}'


_WORDS = {
    "A": "a, for rdf:type, stands between subject and object only, and is small",
    "AND": "and is &&; what stands beside each other in a group holds together",
    "OR": "or is || between conditions, UNION between groups in braces",
    "UNION": "UNION stands between groups in braces: { … } UNION { … }",
    "LIKE": "texts are compared by CONTAINS, STRSTARTS, STRENDS and REGEX",
    "NULL": "BOUND(?x) tells whether ?x has a value",
    "INTO": "the graph stands in the braces: { GRAPH <…> { … } }",
}
"""Words of other languages, and those that stand elsewhere in SPARQL."""
