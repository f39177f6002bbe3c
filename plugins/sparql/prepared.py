"""Requests that rdflib has prepared, by the store's own algebra.

rdflib keeps the text that it was given beside its translation. The text is translated again, once
for each request while that is there; what has no text is taken as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from rdflib.plugins.sparql.sparql import Query, Update

from rdfinc.plugins.sparql.algebra import query_of, update_of
from rdfinc.plugins.sparql.syntax.escapes import unescaped
from rdfinc.plugins.sparql.syntax.tokens import Check

Prefixes = Mapping[str, Any]
Request = TypeVar("Request", Query, Update)
_QUERIES: WeakKeyDictionary[Query, Query] = WeakKeyDictionary()
_UPDATES: WeakKeyDictionary[Update, Update] = WeakKeyDictionary()


def own_query(prepared: Query, check: Check) -> Query:
    """The algebra of a query. Raises as `query_of`."""
    return _own(prepared, _QUERIES, partial(_query, check))


def own_update(prepared: Update, check: Check) -> Update:
    """The algebra of an update request. Raises as `query_of`."""
    return _own(prepared, _UPDATES, partial(_update, check))


def _own(
    prepared: Request,
    known: WeakKeyDictionary[Request, Request],
    translate: Callable[[str, Prefixes, str | None], Request],
) -> Request:
    found = known.get(prepared)
    if found is None:
        text = getattr(prepared, "_original_args", None)
        found = prepared if text is None else translate(*text)
        if found is not prepared:
            known[prepared] = found
    return found


def _query(check: Check, text: str, prefixes: Prefixes, base: str | None) -> Query:
    with unescaped(text) as plain:
        return query_of(plain, prefixes, base, check)


def _update(check: Check, text: str, prefixes: Prefixes, base: str | None) -> Update:
    with unescaped(text) as plain:
        return update_of(plain, prefixes, base, check)
