"""Lists and mappings that notebooks show as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rdfinc.datalog.printing import term_text
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.knowledge_base.explanations.notebook import text_table
from rdfinc.owl.coverage.findings import Axiom


class Stats(dict[str, Any]):
    """The sizes that `KnowledgeBase.stats` tells."""

    def __init__(self, sizes: Mapping[str, Any], prefixes: Mapping[str, str]) -> None:
        super().__init__(sizes)
        self._prefixes = {**PREFIXES, **prefixes}

    def __reduce__(self) -> tuple[Any, ...]:
        return Stats, (dict(self), self._prefixes)

    def _repr_html_(self) -> str:
        """The sums, and the largest relations."""
        sums = [
            (name.replace("_", " "), f"{value:,}")
            for name, value in self.items()
            if isinstance(value, int)
        ]
        largest = sorted(self["relations"].items(), key=lambda each: (-each[1]["facts"], each[0]))
        counts = ("facts", "explicit", "bytes")
        rows = [
            (term_text(name, self._prefixes), *(f"{size[n]:,}" for n in counts), size["table"])
            for name, size in largest
        ]
        return text_table((), sums) + text_table(("relation", *counts, "table"), rows)


class Coverage(list[Axiom]):
    """The axioms that `KnowledgeBase.report` tells; `str` has a line for each."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        """Those that are not wholly used, before the others."""
        rows = sorted(self, key=lambda axiom: not axiom.reason)
        return text_table(
            ("axiom", "status", "reason"), [(a.text, a.status, a.reason) for a in rows]
        )
