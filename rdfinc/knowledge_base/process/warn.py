"""Warnings that point at the line of whoever called, however deep inside they are noticed."""

from __future__ import annotations

import sys
import warnings

from rdfinc.errors import RdfincWarning

_INSIDE = ("rdfinc", "rdflib")


def warn(text: str) -> None:
    """Warns at the innermost frame that is neither rdfinc's nor rdflib's."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] in _INSIDE:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, RdfincWarning, stacklevel=level)
