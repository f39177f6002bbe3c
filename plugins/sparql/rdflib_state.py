"""What users have set, or made, by `rdflib.plugins.sparql`, which nobody need have imported."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

_EVALUATOR = "rdfinc.plugins.sparql.for_rdflib.evaluator"
_GROUP = "rdf.plugins.sparqleval"
_PACKAGE = "rdflib.plugins.sparql"


def is_alone() -> bool:
    """Whether no one else wants to be asked for every part of a query."""
    package = sys.modules.get(_PACKAGE)
    if package is None or _is_being_imported(package):
        return _is_installed_alone()
    own = getattr(sys.modules.get(_EVALUATOR), "evaluate", None)
    return all(evaluator is own for evaluator in package.CUSTOM_EVALS.values())


def _is_being_imported(module: ModuleType) -> bool:
    return getattr(module.__spec__, "_initializing", False)


@cache
def _is_installed_alone() -> bool:
    return all(point.value == f"{_EVALUATOR}:evaluate" for point in entry_points(group=_GROUP))


def default_is_union() -> bool:
    """Whether patterns outside of GRAPH read all graphs of a dataset."""
    return bool(getattr(sys.modules.get(_PACKAGE), "SPARQL_DEFAULT_GRAPH_UNION", True))


def is_prepared(request: Any, kind: str) -> bool:
    """Whether rdflib has parsed it as a request of that kind, "Query" or "Update"."""
    requests = sys.modules.get(f"{_PACKAGE}.sparql")
    return isinstance(request, getattr(requests, kind, ()))
