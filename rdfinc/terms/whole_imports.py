"""Packages that are imported when they are first needed come in whole or not at all.

Python forgets a package whose import is broken off, as by an interrupt from the keyboard, but not
those of its modules that were complete by then. The next import finds them, runs none of them and
does not make them attributes of the package, so that it fails for the rest of the process.
"""

from __future__ import annotations

import sys
from types import TracebackType

PACKAGES = ("lark", "pyparsing", "rdflib")


class Whole:
    """`with WHOLE:` around an import; after an exception a package is there or nothing of it.

    What goes was seen by no module outside of its package: who imports one of its modules imports
    the package first.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            mend()


WHOLE = Whole()


def mend() -> None:
    """Forgets the modules of packages that are not there."""
    for name in list(sys.modules):
        package = name.partition(".")[0]
        if package in PACKAGES and package not in sys.modules:
            del sys.modules[name]
