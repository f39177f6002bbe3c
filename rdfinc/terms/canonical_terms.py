"""One N-Triples term, as someone wrote it -> its key, the canonical form."""

from __future__ import annotations

import re

import pyoxigraph as ox

from rdfinc.errors import TermError, UnsupportedError
from rdfinc.terms.grammar import SAFE, TOKEN

_PLACE = re.compile(r"^Parser error (?:at|between) .*?: ")


def canonical(text: str) -> bytes:
    """The key of the one term that `text` is in N-Triples.

    Raises TermError where it is none, UnsupportedError for what only RDF 1.2 has.
    """
    try:
        key = text.encode()
    except UnicodeEncodeError as error:
        raise TermError(f"{text!r} holds a surrogate, which no RDF term may: {error}") from error
    if text.isascii() and SAFE.fullmatch(key):
        return key
    return _key_by_parser(text)


def _key_by_parser(text: str) -> bytes:
    if "--" in text and '"@' in text:
        refuse_direction(text)
    if text.startswith("<<"):
        raise UnsupportedError("RDF 1.2 triple terms", text)
    if TOKEN.fullmatch(text) is None:
        raise TermError(f"{text!r} is no N-Triples term; {advice(text)}")
    try:
        (quad,) = ox.parse(f"<x:s> <x:p> {text} .", format=ox.RdfFormat.N_TRIPLES)
    except (SyntaxError, ValueError) as error:
        raise TermError(f"{text!r} is no N-Triples term: {reason(error)}") from error
    key = str(quad.object)
    if key[0] == "_" and key != text:
        raise TermError(f"{text!r} is no blank node: a label is made of letters, digits, _ - .")
    return key.encode()


def refuse_direction(text: str) -> None:
    """Raises UnsupportedError for a literal whose language tag has a base direction."""
    if re.search(r'"@[A-Za-z0-9-]+--[a-z]+$', text):
        raise UnsupportedError("literals with a base direction (RDF 1.2)", text)


def advice(text: str) -> str:
    """Advice on what the author of `text` may have meant."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$", text):
        return f"an IRI is written <{text}>"
    return 'write <http://…> for an IRI, _:label for a blank node, "…" for a literal'


def reason(error: BaseException) -> str:
    """pyoxigraph's message without the place, which is relative to the text it was given."""
    return _PLACE.sub("", str(error.args[0] if error.args else error), count=1)
