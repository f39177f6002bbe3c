"""How much there is of what, and how it is kept."""

from __future__ import annotations

from html import escape

from rdfinc import KnowledgeBase
from rdfinc.plugins.server.pages.elements import Prefixes, table, term

SHOWN = 500
"""Relations that a page shows."""


def told(kb: KnowledgeBase, prefixes: Prefixes) -> str:
    """Totals, then relations, the largest first."""
    stats = kb.stats()
    totals = "".join(
        f"<dt>{escape(name.replace('_', ' '))}</dt><dd>{value:,}</dd>"
        for name, value in stats.items()
        if isinstance(value, int)
    )
    largest = sorted(stats["relations"].items(), key=lambda each: (-each[1]["facts"], each[0]))
    rows = [
        (
            term(name.encode(), prefixes),
            *(f"{size[count]:,}" for count in ("facts", "explicit", "bytes")),
            escape(size["table"]),
        )
        for name, size in largest[:SHOWN]
    ]
    header = ("relation", "facts", "stated", "bytes", "table")
    return f"<dl>{totals}</dl>{table(f'{len(largest):,} relations', header, rows)}"
