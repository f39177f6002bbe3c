"""The names that the editor completes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from rdfinc.datalog.printing import term_text
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.plugins.server.pages.elements import Prefixes
from rdfinc.terms.dictionary import Dictionary

MOST = 1000
"""Properties that are told, and classes."""

_TYPE = b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_CLASSES = (
    b"<http://www.w3.org/2002/07/owl#Class>",
    b"<http://www.w3.org/2000/01/rdf-schema#Class>",
)


def known(reader: Reader, dictionary: Dictionary, prefixes: Prefixes) -> list[str]:
    """Prefixes with their colon, properties that have facts, and classes that are declared or have
    members, as they are written. O(properties + memberships)."""
    ids = chain(
        islice(reader.closure.predicates(), MOST), islice(_classes(reader, dictionary), MOST)
    )
    keys = (dictionary.decode(id) for id in ids)
    names = {term_text(key.decode(), prefixes) for key in keys if key.startswith(b"<")}
    return [*sorted(f"{prefix}:" for prefix in prefixes), *sorted(names)]


def _classes(reader: Reader, dictionary: Dictionary) -> Iterator[int]:
    """Those that are declared first."""
    type_ = dictionary.find(_TYPE)
    if type_ is None:
        return
    for kind in map(dictionary.find, _CLASSES):
        if kind is not None:
            yield from (s for s, _, _ in reader.closure.match(p=type_, o=kind))
    yield from reader.version.closure.get(type_).all_objects().tolist()
