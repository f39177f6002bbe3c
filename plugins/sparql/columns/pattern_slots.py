"""What stands in the patterns of a query, by ids."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from rdflib.term import BNode, Variable

from rdfinc.plugins.sparql.columns.query_terms import LOCAL, Terms
from rdfinc.plugins.sparql.syntax.trees import Parameter
from rdfinc.terms.leases import Lease

_OPEN = Variable, BNode


class KnownSlots:
    """What `PatternSlots` has for terms of one algebra, these told apart by identity, for whom a
    dictionary knew an id while its lease was one and the same."""

    def __init__(self) -> None:
        self._found: tuple[weakref.ref[Lease] | None, dict[int, Any]] = None, {}

    def under(self, lease: Lease) -> dict[int, Any]:
        """What is known under a lease; to be added to."""
        known, found = self._found
        if known is None or known() is not lease:
            found = {}
            self._found = weakref.ref(lease), found
        return found


class PatternSlots:
    """The ids of terms of an algebra, with `constants` for its parameters; variables and blank
    nodes stay what they are. A term has the same id as long as there is the query."""

    __slots__ = ("_constants", "_found", "_kept", "_terms")

    def __init__(self, terms: Terms, constants: Sequence[Any], known: KnownSlots) -> None:
        self._terms, self._constants = terms, constants
        self._kept = known.under(terms.lease)
        self._found = self._kept.copy()

    def of(self, term: Any) -> Any:
        """That of a term that stands in the algebra."""
        found = self._found.get(id(term))
        return self._new(term) if found is None else found

    def _new(self, term: Any) -> Any:
        if isinstance(term, Parameter):
            found = self._terms.number(self._constants[term.number])
        elif isinstance(term, _OPEN):
            found = self._kept[id(term)] = term
        else:
            found = self._terms.number(term)
            if found < LOCAL:
                self._kept[id(term)] = found
        self._found[id(term)] = found
        return found
