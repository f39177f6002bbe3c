"""Regular expressions that are compiled when they are first used: most processes use few."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub")


class LatePattern:
    """What `re.compile` gives, once it is asked to match."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern of a text; one that is wrong raises at its first use."""
    return cast("re.Pattern[AnyStr]", LatePattern(pattern, flags))
