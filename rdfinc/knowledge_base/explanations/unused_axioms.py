"""The axioms that the rules do not use, left until somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples

if TYPE_CHECKING:
    from rdfinc.knowledge_base.explanations.axioms import Axioms
    from rdfinc.knowledge_base.explanations.unknown_terms import UnknownTerms

AxiomTelling = Callable[[], "Axioms | UnknownTerms"]
"""Gives what tells them, which takes longer to import than small data to load."""


class UnusedAxioms:
    """The unused axioms of one version, told when they are first asked for; by `UnknownTerms`, the
    triples with unknown terms alone."""

    def __init__(
        self, axioms: AxiomTelling, stated: StatedTriples, namespaces: Mapping[str, str]
    ) -> None:
        self._untold: tuple[AxiomTelling, StatedTriples, Mapping[str, str]] | None
        self._untold = axioms, stated, dict(namespaces)
        self._told: tuple[str, ...] = ()

    def __call__(self) -> tuple[str, ...]:
        untold = self._untold
        if untold is not None:
            axioms, stated, namespaces = untold
            self._told = axioms().unused(stated, namespaces)
            self._untold = None
        return self._told

    def __getstate__(self) -> dict[str, object]:
        """They are told before they are pickled."""
        return {"_told": self(), "_untold": None}
