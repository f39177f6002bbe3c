"""Names that are right but for capitals: `:locatedin`, where facts have `:locatedIn`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rdfinc.datalog.printing import term_text
from rdfinc.knowledge_base.versions.fact_views import View
from rdfinc.terms.dictionary import Dictionary


def near_names(
    terms: Iterable[bytes], closure: View, dictionary: Dictionary, prefixes: Mapping[str, str]
) -> tuple[str, ...]:
    """For each IRI that no fact has, what may be meant. O(all terms) if there is one."""

    def short(term: bytes) -> str:
        return term_text(term.decode(), prefixes)

    return tuple(
        f"no fact has {short(term)}; did you mean {short(near)}?"
        for term in terms
        for near in alike(term, closure, dictionary)
    )


def alike(term: bytes, closure: View, dictionary: Dictionary) -> Iterator[bytes]:
    """The IRIs that some fact has, and that are the same but for capitals; of a term that is no IRI
    or that some fact has, none. O(all terms) if this is neither."""
    if term[:1] != b"<" or _occurs(term, closure, dictionary):
        return
    length, folded = len(term), term.lower()
    for other in dictionary:
        is_alike = len(other) == length and other != term and other.lower() == folded
        if is_alike and _occurs(other, closure, dictionary):
            yield other


def _occurs(term: bytes, closure: View, dictionary: Dictionary) -> bool:
    id = dictionary.find(term)
    if id is None:
        return False
    places = ((id, None, None), (None, id, None), (None, None, id))
    return any(next(iter(closure.match(*place)), None) is not None for place in places)
