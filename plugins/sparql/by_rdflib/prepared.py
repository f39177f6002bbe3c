"""Requests that rdflib has prepared, in the store's own algebra.

rdflib keeps the text that it was given beside its translation. The text is translated again, once
for each request while that is there; of what has no text the translation is taken, as it is then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra, UpdateAlgebra
from rdfinc.plugins.sparql.algebra.translate import query_of, read_as, update_of
from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import ours
from rdfinc.plugins.sparql.syntax.tokens import Check

Request = TypeVar("Request", QueryAlgebra, UpdateAlgebra)
_KNOWN: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


def own_query(prepared: Any, check: Check) -> QueryAlgebra:
    """A query of rdflib in our algebra. Raises as `query_of`."""
    return _own(prepared, QueryAlgebra, query_of, check)


def own_update(prepared: Any, check: Check) -> UpdateAlgebra:
    """An update request of rdflib in our algebra. Raises as `query_of`."""
    return _own(prepared, UpdateAlgebra, update_of, check)


def _own(
    prepared: Any, kind: type[Request], translate: Callable[..., Request], check: Check
) -> Request:
    given = getattr(prepared, "_original_args", None)
    if given is None:
        return kind(prepared.prologue, ours(prepared.algebra))
    if prepared not in _KNOWN:
        text, prefixes, base = given
        _KNOWN[prepared] = read_as(translate, text, prefixes, base, check)
    found: Request = _KNOWN[prepared]
    return found
