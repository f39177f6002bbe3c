"""Who calls the store, where rdflib leaves no other way to tell."""

from __future__ import annotations

import sys

_CLEARING_PARSERS = ("rdflib.plugins.parsers.nquads", "rdflib.plugins.parsers.hext")


def is_parser_clearing() -> bool:
    """Whether a parser called Dataset.remove_graph, which called who asks.

    rdflib's parsers for N-Quads and Hextuples make a Dataset of the store they read into, and
    remove its default graph, which they take for unused; it may hold what was there before.
    """
    frame = sys._getframe(3)
    return frame.f_globals.get("__name__") in _CLEARING_PARSERS
