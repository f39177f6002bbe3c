"""SPARQL for whoever has a knowledge base and no rdflib graph: the extensions `sparql`,
`sparql_prepare`, `sparql_update` and `sparql_watch`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rdflib import Dataset
from rdflib.namespace import NamespaceManager
from rdflib.query import Result

from rdfinc import DataSyntaxError, Delta, KnowledgeBase, UnsupportedError
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.plugins.rdflib_store import RdfincStore
from rdfinc.plugins.sparql import store_requests
from rdfinc.plugins.sparql.algebra.bindings import initial
from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra
from rdfinc.plugins.sparql.algebra.translate import query_of, read_as
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.depth import REFUSED_NESTING
from rdfinc.plugins.sparql.evaluation.scope import Memory
from rdfinc.plugins.sparql.syntax.sparql_error import SparqlSyntaxError
from rdfinc.plugins.sparql.syntax.tokens import Check
from rdfinc.plugins.sparql.updates.update_request import UNION
from rdfinc.terms.whole_imports import WHOLE

if TYPE_CHECKING:
    from rdfinc.plugins.sparql.watches.watched_query import WatchedQuery


_NONE: Mapping[Any, Any] = MappingProxyType({})
_FIRST = re.compile(r"Expected (?:SELECT|an operation).*, found '(\w+)'")
_WORDS = {
    "query": {"INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"},
    "request": {"SELECT", "CONSTRUCT", "ASK", "DESCRIBE"},
}
_OTHER = {
    "query": "an update: `rdfinc update` carries it out, or Graph.update in Python",
    "request": "a query: `rdfinc query` answers it, or kb.query in Python",
}
_UNKNOWN_PREFIX = re.compile(r"Unknown namespace prefix : (.*)")


def query(kb: KnowledgeBase, text: str, *, explain: bool = False, **limits: Any) -> Result | str:
    """The result of a SPARQL query over the closure of all graphs, or its plan; see
    `KnowledgeBase.query`.

    The prefixes of rule texts need no declaration here either. Raises DataSyntaxError; and
    UnsupportedError for the plan of what rdflib evaluates.
    """
    budget = Budget(**limits)
    _refuse_no_text(text)
    prefixes, union = _prefixes(kb), _union(kb)
    try:
        asked = store_requests.question(union.store, text, prefixes, {}, union, None, budget)
    except SparqlSyntaxError as error:
        raise _refused(error, prefixes, "query") from None
    except NotImplementedError as error:
        _refuse_plan(error, explain=explain)
        return union.query(text, initNs=prefixes, **limits)
    return asked.plan() if explain else asked.answer()


def _union(kb: KnowledgeBase) -> Dataset:
    """All graphs of a knowledge base, which keeps this."""
    found: Dataset | None = kb._doors.get("union")
    if found is None:
        found = kb._doors["union"] = Dataset(RdfincStore(kb), default_union=True)
        found.namespace_manager = NamespaceManager(found, bind_namespaces="none")
    return found


def _refuse_plan(error: NotImplementedError, *, explain: bool) -> None:
    if explain:
        raise UnsupportedError(f"the plan of what rdflib evaluates: {error}") from None


class PreparedQuery:
    """A SPARQL query over the closure of all graphs as it is whenever the query is asked. The text
    is read once, by the prefixes that there are then; what is compiled of it is kept.

    Variables may be bound by name, as by rdflib's `initBindings`: to terms of rdflib, or Python's
    values. They are bound everywhere, in sub-selects too.
    """

    def __init__(self, kb: KnowledgeBase, text: str, check: Check = bool) -> None:
        self._parsed = _parsed(kb, text, check)
        self._union, self._memory = _union(kb), Memory()

    def __call__(self, **bindings: Any) -> Result:
        """The result under some bindings. Raises as `query`."""
        return self.query(bindings)

    def query(
        self, bindings: Mapping[Any, Any] = _NONE, *, explain: bool = False, **limits: Any
    ) -> Any:
        """The result under some bindings, or its plan; within limits, as of `KnowledgeBase.query`.

        Raises as that, and TypeError for what binds to no term.
        """
        union, budget, memory = self._union, Budget(**limits), self._memory.compiled()
        try:
            asked = store_requests.question(
                union.store, self._parsed, {}, bindings, union, None, budget, memory
            )
        except SparqlSyntaxError as error:
            raise error.told("query") from None
        except NotImplementedError as error:
            _refuse_plan(error, explain=explain)
            with WHOLE:
                from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import rdflibs_query

            return union.query(
                rdflibs_query(self._parsed), initBindings=initial(bindings), **limits
            )
        return asked.plan() if explain else asked.answer()


def update(kb: KnowledgeBase, text: str) -> Delta:
    """The change of the closure by a SPARQL Update request, carried out as one step. The prefixes
    of rule texts need no declaration. Raises DataSyntaxError."""
    if not isinstance(text, str):
        raise TypeError(f"a request is a text in SPARQL Update, not {text!r}")
    prefixes = _prefixes(kb)
    before = kb.update()
    told = _Told(before)
    kb._turns.hear(told.hear)
    try:
        store_requests.update(RdfincStore(kb), text, prefixes, {}, UNION, Budget())
    except SparqlSyntaxError as error:
        raise _refused(error, prefixes, "request") from None
    return told.delta


class _Told:
    """The change since `delta`."""

    def __init__(self, delta: Delta) -> None:
        self.delta = delta

    def hear(self, delta: Delta) -> None:
        self.delta = self.delta.then(delta)


def watched(kb: KnowledgeBase, text: str) -> WatchedQuery:
    """A SELECT whose answers are kept up with. Raises DataSyntaxError, UnsupportedError."""
    with WHOLE:
        from rdfinc.plugins.sparql.watches.watched_query import WatchedQuery

    return WatchedQuery(kb, _parsed(kb, text, Budget().check))


def _parsed(kb: KnowledgeBase, text: Any, check: Check) -> QueryAlgebra:
    _refuse_no_text(text)
    prefixes = _prefixes(kb)
    try:
        with REFUSED_NESTING:
            return read_as(query_of, text, prefixes, None, check)
    except SparqlSyntaxError as error:
        raise _refused(error, prefixes, "query") from None


def _refuse_no_text(text: Any) -> None:
    if not isinstance(text, str):
        raise TypeError(f"a query is a text in SPARQL, not {text!r}")


def _prefixes(kb: KnowledgeBase) -> dict[str, str]:
    return {**PREFIXES, **kb.namespaces}


def _refused(wrong: SparqlSyntaxError, prefixes: Iterable[str], what: str) -> DataSyntaxError:
    unknown = _UNKNOWN_PREFIX.fullmatch(wrong.reason)
    if unknown:
        return wrong.told(what, _advice(unknown[1], prefixes))
    word = _FIRST.match(str(wrong))
    if word and word[1].upper() in _WORDS[what]:
        return wrong.told(what, f"this is no {what} but {_OTHER[what]}")
    return wrong.told(what)


def _advice(prefix: str, known: Iterable[str]) -> str:
    shown = ", ".join(f"{each}:" for each in sorted(known))
    return f"unknown prefix {prefix}: (known are {shown}); begin with PREFIX {prefix}: <…>"
