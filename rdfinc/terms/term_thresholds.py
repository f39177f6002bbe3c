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
    distinct_block: int = 1 << 12
    """Distinct terms that are looked up and added at a time; a fifth quicker than 15 000."""

    # -- rdflib_terms

    remembered_nodes: int = 1 << 16
    """IRIs and blank nodes that were looked up and are kept at hand, at 100 bytes or so each."""

    # -- frozen_numbering

    kept_frozen_terms: int = 1 << 20
    """Frozen terms that were looked up and are kept at hand, at 200 bytes or so each."""

    # -- expression

    expression_rows: int = 1 << 14
    """Rows in one query, and rows whose answers are kept."""

    # -- parsing

    document_block: int = 4000
    """Statements of a document that are taken from the parser at a time."""

    # -- lines

    line_block_bytes: int = 1 << 17
    """Bytes of lines that are read at a time."""

    # -- ntriples

    few_tokens: int = 1 << 20
    """Odd tokens of N-Triples up to which their ids are remembered."""

    # -- statement_lines

    written_block: int = 1000
    """Lines that are written at a time."""

    # -- turtle_cuts

    cut_block_bytes: int = 1 << 19
    """Bytes of Turtle that are read at a time to find places to cut."""

    # -- shares

    line_share_bytes: int = 1 << 23
    """Bytes of N-Triples or N-Quads that a worker reads at a time."""
    document_share_bytes: int = 1 << 21
    """The same of Turtle or TriG."""

    # -- together

    bytes_a_worker: int = 64 << 20
    """Bytes of N-Triples for each worker process; with less, to start one takes as long."""
    document_bytes: int = 5
    """Bytes of N-Triples that are read in the time of one byte of another syntax."""
    packed_bytes: int = 12
    """Bytes that are packed into one."""


TERMS = TermThresholds()
"""The thresholds in force."""
