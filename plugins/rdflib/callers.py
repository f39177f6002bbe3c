"""The callers of the store, looked at if rdflib leaves no other way to learn of them.

rdflib hands a store bare graphs and names. Only local variables of rdflib's methods tell four
things: the Dataset that is made over the store or whose default graph is meant, whether a blank
node names a graph of a document, and the processor of a query.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

from rdflib.graph import ConjunctiveGraph, Graph

from rdfinc.plugins.rdflib.rdflib_versions import default_of

_CLEARING_PARSERS = ("rdflib.plugins.parsers.nquads", "rdflib.plugins.parsers.hext")
_NEAR = 8
_FOR_THEMSELVES = ("rdflib.", "rdfinc.plugins.rdflib.", "rdfinc.plugins.sparql.")


def is_parser_clearing() -> bool:
    """Whether the store was called by Dataset.remove_graph, and that by a parser.

    rdflib's parsers for N-Quads and Hextuples make a Dataset of the store they read into, and
    remove its default graph, which they take for unused; it may hold what was there before.
    """
    frame = _caller(3)
    return frame is not None and frame.f_globals.get("__name__") in _CLEARING_PARSERS


def calling_dataset() -> ConjunctiveGraph | None:
    """The Dataset or ConjunctiveGraph whose method called the store, if there is one."""
    caller = _locals(2).get("self")
    return caller if isinstance(caller, ConjunctiveGraph) else None


def dataset_being_made() -> ConjunctiveGraph | None:
    """The Dataset or ConjunctiveGraph that looks at an attribute of the store as it is made, unless
    that is for a method of some graph, such as `parse` or `update`, or for a parser itself."""
    frame = _caller(2)
    made = None if frame is None else frame.f_locals.get("self")
    if not isinstance(made, ConjunctiveGraph):
        return None
    while frame and frame.f_code.co_name == "__init__" and frame.f_locals.get("self") is made:
        frame = frame.f_back
    for _ in range(_NEAR):
        if frame is None:
            break
        if frame.f_globals.get("__name__", "").startswith(_FOR_THEMSELVES):
            return None
        frame = frame.f_back
    return made


def asking_graph() -> Graph | None:
    """The graph whose method `query` called the store for SPARQL and its usual result."""
    asked = _locals(2)
    graph, usual = asked.get("self"), ("sparql", "sparql")
    if isinstance(graph, Graph) and (asked.get("processor"), asked.get("result")) == usual:
        return graph
    return None


def is_for_another_processor() -> bool:
    """Whether a method `update` called the store for another processor than SPARQL's."""
    return _locals(2).get("processor", "sparql") != "sparql"


def _locals(depth: int) -> Mapping[str, Any]:
    """The local variables of a caller of the function that asks."""
    frame = _caller(depth + 1)
    return {} if frame is None else frame.f_locals


def _caller(depth: int) -> FrameType | None:
    """The frame so many calls above the function that asks, None if there are fewer."""
    frame: FrameType | None = sys._getframe(1)
    for _ in range(depth):
        frame = None if frame is None else frame.f_back
    return frame


def is_graph_of_document(graph: Graph) -> bool:
    """Whether a TriG parser is adding to `graph` what its document states in a graph of its own."""
    sink = _sink(sys._getframe(1), _NEAR)
    return isinstance(sink, ConjunctiveGraph) and default_of(sink) != graph


def _sink(frame: FrameType | None, depth: int) -> Any:
    """The graph that a parser of the Notation3 family, a few frames up, reads into."""
    for _ in range(depth):
        if frame is None:
            return None
        if frame.f_code.co_name == "makeStatement":
            return getattr(frame.f_locals.get("self"), "graph", None)
        frame = frame.f_back
    return None
