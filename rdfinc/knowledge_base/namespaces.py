"""The prefixes of a knowledge base, looked up from either side."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any


def _dropping(change: Callable[..., Any]) -> Callable[..., Any]:
    """A method of `dict` that changes it, after which the inverse is made anew."""

    @wraps(change)
    def changing(self: Namespaces, /, *given: Any, **named: Any) -> Any:
        try:
            return change(self, *given, **named)
        finally:
            self._inverse = []

    return changing


class Namespaces(dict[str, str]):
    """Prefix -> the IRI that it stands for.

    `_inverse` holds at most one dict: IRI -> the first of its prefixes. Each change puts an empty
    list in its place, so that what another thread worked out meanwhile is put into the old one.
    """

    __slots__ = ("_inverse",)

    def __init__(self, *given: Any, **named: str) -> None:
        super().__init__(*given, **named)
        self._inverse: list[dict[str, str]] = []

    def prefix_of(self, namespace: str) -> str | None:
        """The first prefix that stands for an IRI. O(1), but O(prefixes) after a change."""
        inverse = self._inverse
        if not inverse:
            bindings = self.copy().items()
            inverse.append({str(iri): prefix for prefix, iri in reversed(bindings)})
        return inverse[0].get(str(namespace))

    __setitem__ = _dropping(dict.__setitem__)
    __delitem__ = _dropping(dict.__delitem__)
    __ior__ = _dropping(dict.__ior__)
    clear = _dropping(dict.clear)
    pop = _dropping(dict.pop)
    popitem = _dropping(dict.popitem)
    setdefault = _dropping(dict.setdefault)
    update = _dropping(dict.update)

    def __reduce__(self) -> Any:
        return Namespaces, (self.copy(),)
