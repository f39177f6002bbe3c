"""Requests that rdflib has prepared, by the store's own algebra.

rdflib keeps the text that it was given beside its translation. The text is translated again, once
for each request while that is there; what has no text is taken as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from rdflib.plugins.sparql.sparql import Query, Update

from rdfinc.plugins.sparql.algebra.translate import query_of, update_of
from rdfinc.plugins.sparql.syntax.escapes import unescaped
from rdfinc.plugins.sparql.syntax.tokens import Check

Request = TypeVar("Request", Query, Update)
_KNOWN: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


def own_query(prepared: Query, check: Check) -> Query:
    """The algebra of a query. Raises as `query_of`."""
    return _own(prepared, query_of, check)


def own_update(prepared: Update, check: Check) -> Update:
    """The algebra of an update request. Raises as `query_of`."""
    return _own(prepared, update_of, check)


def _own(prepared: Request, translate: Callable[..., Request], check: Check) -> Request:
    given = getattr(prepared, "_original_args", None)
    if given is None:
        return prepared
    if prepared not in _KNOWN:
        text, prefixes, base = given
        with unescaped(text) as plain:
            _KNOWN[prepared] = translate(plain, prefixes, base, check)
    found: Request = _KNOWN[prepared]
    return found
