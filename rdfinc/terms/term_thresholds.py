"""Thresholds of terms: sizes at which another way is taken, and bounds of time and memory.

They decide about time and memory, never about results. Each says its unit, unless it counts the
things in its name. A test puts others in force by `thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class TermThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- dictionary

    few_looked_up: int = 1000
    """Ids up to which each is looked up by itself."""
    distinct_block: int = 1 << 12
    """Distinct terms that are looked up and added at a time; a fifth quicker than 15 000."""

    # -- rdflib_terms

    remembered_nodes: int = 1 << 16
    """IRIs and blank nodes that were looked up and are kept at hand, at 100 bytes or so each."""

    # -- freezing

    terms_in_block: int = 1 << 15
    """Terms, by id, of a block. One new term writes its block again: 1 MB or so."""
    placed_entries: int = 1 << 18
    """Entries of a table of terms that are given their slots at a time."""
    many_thawed: int = 1 << 19
    """Terms that are not frozen from which on they are, which spares half of their memory and costs
    an update of new terms 5 µs; and of them one to so many `frozen_to_thawed` frozen ones."""
    frozen_to_thawed: int = 8

    # -- frozen_numbering

    kept_frozen_terms: int = 1 << 17
    """Frozen terms that were looked up and are kept at hand, at 200 bytes or so each."""
    kept_if_often: int = 4
    """How often a frozen term must be among those that are looked up together, some thousands, to
    be kept at hand."""

    # -- expression

    expression_rows: int = 1 << 14
    """Rows in one query, and rows whose answers are kept."""

    # -- parsing

    document_block: int = 4000
    """Statements of a document that are taken from the parser at a time."""

    # -- lines

    line_block_bytes: int = 1 << 17
    """Bytes of lines that are read at a time."""
    longest_line: int = 1 << 28
    """Bytes of a line, at most."""

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
