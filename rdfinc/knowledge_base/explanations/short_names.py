"""Terms as people type them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rdfinc.datalog.model import RDF_TYPE
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import TermError
from rdfinc.owl.vocabulary import XSD


def term(text: str, namespaces: Mapping[str, str]) -> str:
    """N-Triples for `a`, `prefix:name`, a bare IRI, or what is N-Triples already.

    Raises TermError.
    """
    if text == "a":
        return RDF_TYPE
    if text.startswith(("<", '"', "_:")):
        return text
    if (iri := _by_prefix(text, namespaces)) is not None:
        return iri
    prefix, _, name = text.partition(":")
    if name.startswith("//") or prefix == "urn":
        return f"<{text}>"
    if name:
        from difflib import get_close_matches

        known = sorted({*PREFIXES, *namespaces} - {""})
        near = "".join(f"; did you mean {each}:?" for each in get_close_matches(prefix, known, 1))
        raise TermError(f"{text!r}: no prefix {prefix}: is known{near or _ADVICE}")
    prefixes = ", ".join(f"{each}:" for each in sorted({*PREFIXES, *namespaces}))
    raise TermError(
        f"{text!r} is no term; write prefix:name, an IRI, _:label or '\"text\"'"
        f" (known prefixes: {prefixes})"
    )


_ADVICE = "; those of files that are read are, and those of kb.bind: or write the whole IRI"


def named(value: Any, namespaces: Mapping[str, str]) -> Any:
    """A term for what is written in Python in short: a text by prefix, a number, a truth value; a
    term as it is. Raises TermError."""
    return term(value, namespaces) if type(value) is str else _literal(value)


def _literal(value: Any) -> Any:
    """N-Triples for a number or a truth value of Python's; anything else as it is."""
    if type(value) is bool:
        return f'"{str(value).lower()}"^^<{XSD}boolean>'
    if type(value) is int:
        return f'"{value}"^^<{XSD}integer>'
    if type(value) is float:
        return f'"{_SPECIAL.get(str(value), value)}"^^<{XSD}double>'
    return value


_SPECIAL = {"inf": "INF", "-inf": "-INF", "nan": "NaN"}


def by_prefix(fact: Any, namespaces: Mapping[str, str]) -> Any:
    """A fact or a pattern with the IRIs for its texts `a` and `prefix:name` of known prefixes, and
    literals for numbers and truth values; anything else as it is, for others to judge."""
    if type(fact) is not tuple:
        return fact
    return tuple(_expanded(term, namespaces) for term in fact)


def _expanded(text: Any, namespaces: Mapping[str, str]) -> Any:
    if type(text) is not str:
        return _literal(text)
    if text.startswith(("<", '"', "_")):
        return text
    iri = RDF_TYPE if text == "a" else _by_prefix(text, namespaces)
    return text if iri is None else iri


def _by_prefix(text: str, namespaces: Mapping[str, str]) -> str | None:
    """The IRI for `prefix:name`, None unless the prefix is known."""
    prefix, colon, name = text.partition(":")
    namespace = namespaces.get(prefix, PREFIXES.get(prefix))
    return f"<{namespace}{name}>" if colon and namespace is not None else None
