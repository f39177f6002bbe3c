"""Prefixes: the ones that are allowed, and what files declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyoxigraph as ox

from rdfinc.errors import TermError
from rdfinc.terms.grammar import PREFIX
from rdfinc.terms.io.xml.xml_terms import is_xml_name

_XML = "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"
"""Namespaces that no other prefix may stand for than XML's own."""


def binding(prefix: Any, iri: Any) -> tuple[str, str]:
    """The prefix and what it stands for, as text. Raises TermError for what is no prefix in Turtle,
    or no absolute IRI."""
    if not isinstance(prefix, str) or PREFIX.fullmatch(prefix) is None:
        raise TermError(
            f"{prefix!r} is no prefix: write a letter, then letters, digits, '-', '_' or '.', with"
            " no '.' last and no colon; '' is the empty prefix"
        )
    namespace = iri.value if isinstance(iri, ox.NamedNode) else str(iri)
    why = _fault(namespace)
    if why:
        raise TermError(
            f"the prefix {prefix!r} cannot stand for {iri!r} ({why}); give an absolute IRI such as"
            " 'http://example.org/', without < and >"
        )
    return str(prefix), namespace


def declared(
    prefixes: Mapping[str, str], syntax: ox.RdfFormat, terms: Iterable[bytes | None]
) -> dict[str, str]:
    """The prefixes that a file with some terms declares: valid ones with which an IRI among the
    terms begins. Left out are those that only rdflib tolerates, and those bound in advance and not
    used."""
    allowed = _is_for_xml if syntax == ox.RdfFormat.RDF_XML else _is_binding
    chosen = {prefix: iri for prefix, iri in dict(prefixes).items() if allowed(prefix, iri)}
    used = _beginning(set(chosen.values()), terms)
    return {prefix: iri for prefix, iri in chosen.items() if iri in used}


def meanings(files: Iterable[Mapping[str, str]]) -> dict[str, set[str]]:
    """What each prefix stands for in some files, by their declarations."""
    meant: dict[str, set[str]] = {}
    for prefixes in files:
        for prefix, iri in prefixes.items():
            meant.setdefault(prefix, set()).add(iri)
    return meant


def agreed(meant: Mapping[str, set[str]]) -> dict[str, str]:
    """The prefixes that stand for one thing in all files that declare them."""
    return {prefix: next(iter(iris)) for prefix, iris in meant.items() if len(iris) == 1}


def _beginning(namespaces: set[str], terms: Iterable[bytes | None]) -> set[str]:
    """Those of the namespaces with which an IRI, or the datatype of a literal, begins."""
    left = {f"<{iri}".encode(): iri for iri in namespaces}
    starts = tuple(left)
    for key in filter(None, terms):
        iri = key if key.startswith(b"<") else key.rpartition(b"^^")[2]
        if iri.startswith(starts):
            left = {start: name for start, name in left.items() if not iri.startswith(start)}
            starts = tuple(left)
    return namespaces - set(left.values())


def _is_binding(prefix: str, iri: str) -> bool:
    return PREFIX.fullmatch(prefix) is not None and not _fault(iri)


def _is_for_xml(prefix: str, iri: str) -> bool:
    reserved = prefix.lower().startswith("xml") or iri in _XML
    return not reserved and _is_binding(prefix, iri) and (not prefix or is_xml_name(prefix))


def _fault(iri: str) -> str:
    """Why a text is no absolute IRI; empty if it is one."""
    try:
        ox.NamedNode(iri)
    except ValueError as error:
        return str(error)
    return ""
