"""Thresholds of terms: sizes at which another way is taken, and bounds of time and memory.

They decide about time and memory, never about results. Each says its unit, unless it counts the
things in its name. A test puts others in force by `thresholds.put`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TermThresholds:
    """The thresholds, module by module."""

    # -- dictionary

    few_looked_up: int = 1000
    """Ids up to which each is looked up by itself."""

    # -- expression

    expression_rows: int = 1 << 14
    """Rows in one query, and rows whose answers are kept."""

    # -- documents

    document_block: int = 4000

    # -- lines

    line_block_bytes: int = 1 << 17

    # -- ntriples

    few_tokens: int = 1 << 20

    # -- statement_lines

    written_block: int = 1000

    # -- turtle_cuts

    cut_block_bytes: int = 1 << 19


TERMS = TermThresholds()
"""The thresholds in force."""
