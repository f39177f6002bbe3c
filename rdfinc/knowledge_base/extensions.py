"""Adapters that the engine does not know, found by name."""

from __future__ import annotations

from functools import cache
from typing import Any

from rdfinc.errors import UnsupportedError
from rdfinc.terms.whole_imports import WHOLE

GROUP = "rdfinc.extensions"
EXTRAS = {"serve": "server", "bench_plot": "bench"}
"""The extra of the package that an extension needs, if that is not Spark's."""


@cache
def extension(name: str) -> Any:
    """What an installed package registered under `name`. Raises UnsupportedError where there is
    none, or where it needs what is not installed. The first look takes a millisecond."""
    from importlib.metadata import entry_points  # it reads e-mail, and much else, on its way

    for entry in entry_points(group=GROUP, name=name):
        try:
            with WHOLE:
                return entry.load()
        except ModuleNotFoundError as error:
            extra = EXTRAS.get(name, "spark")
            what = f"{name!r} without {error.name}; run `pip install rdfinc[{extra}]`"
            raise UnsupportedError(what) from None
    raise UnsupportedError(f"{name!r}, for which no package is installed; install rdfinc again")
