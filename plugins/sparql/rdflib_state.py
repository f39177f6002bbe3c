"""What users have set, or made, by `rdflib.plugins.sparql`, which nobody need have imported."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import entry_points
from typing import Any

EVALUATOR = "rdfinc.plugins.sparql.for_rdflib.evaluator:evaluate"
GROUP = "rdf.plugins.sparqleval"
_PACKAGE = "rdflib.plugins.sparql"


def is_alone() -> bool:
    """Whether no one else wants to be asked for every part of a query."""
    package = sys.modules.get(_PACKAGE)
    if package is None:
        return _is_installed_alone()
    evaluators: dict[str, Any] = getattr(package, "CUSTOM_EVALS", {})
    return all(_place(evaluator) == EVALUATOR for evaluator in evaluators.values())


@cache
def _is_installed_alone() -> bool:
    return all(point.value == EVALUATOR for point in entry_points(group=GROUP))


def _place(evaluator: Any) -> str:
    return f"{getattr(evaluator, '__module__', '')}:{getattr(evaluator, '__qualname__', '')}"


def default_is_union() -> bool:
    """Whether patterns outside of GRAPH read all graphs of a dataset."""
    return bool(getattr(sys.modules.get(_PACKAGE), "SPARQL_DEFAULT_GRAPH_UNION", True))


def is_prepared(request: Any, kind: str) -> bool:
    """Whether rdflib has parsed it as a request of that kind, "Query" or "Update"."""
    requests = sys.modules.get(f"{_PACKAGE}.sparql")
    return requests is not None and isinstance(request, getattr(requests, kind))
