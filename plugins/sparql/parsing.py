"""Texts in SPARQL -> trees of their parts, one text at a time.

pyparsing finds out how many arguments a function takes by calling it, when it is first called, and
threads that find out at once may find out wrong for good.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from rdflib.plugins.sparql.parser import parseQuery, parseUpdate

_LOCK = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


def query_tree(text: str) -> Any:
    """The tree of a query. Raises ParseException."""
    with _LOCK:
        return parseQuery(text)


def update_tree(text: str) -> Any:
    """The tree of an update request. Raises ParseException."""
    with _LOCK:
        return parseUpdate(text)
