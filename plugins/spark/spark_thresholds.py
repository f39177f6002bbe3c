"""Thresholds of Spark: sizes at which another way is taken.

They decide about time and memory, never about results. A test puts others in force by
`thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class SparkThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- alone

    read_here: int = 1 << 26
    """Bytes of files below which the driver reads them itself, in seconds."""
    closed_here: int = 2_000_000
    """Stated facts below which the driver closes them itself: in seconds and about a gigabyte,
    where each round of Spark takes a second however little there is to do."""
    memory_share: float = 0.6
    """Share of the memory left that the driver may need where Spark has no other machine."""
    text_of_a_byte: int = 2
    """Bytes of text that are read into one of memory (university data: 3)."""
    fact_bytes: int = 64
    """Bytes of memory that a stated fact takes while it is closed, its terms not counted."""

    # -- closure/fact_parts

    told_classes: int = 10_000
    """Classes of the facts of one part up to which rules are told apart by them."""
    listed_relations: int = 400
    """Predicates, or classes, up to which facts are chosen by a list of them."""
    held_facts: int = 1_000_000
    """Facts that the driver holds at most."""
    large_relation: int = 200_000
    """Facts of a predicate from which on the driver does not hold them."""

    # -- closure/run_state

    few_rows: int = 100_000
    """Rows up to which the driver itself writes a part."""

    # -- closure/facts_around

    facts_around: int = 2_000_000
    """Facts around a change up to which the driver works it out itself."""

    # -- closure/known_facts

    asked_here: int = 50_000_000
    """Facts of a closure, or terms, up to which the driver itself looks through them for few."""

    # -- closure/clause_matches

    few_values: int = 400
    """Values of a variable up to which facts are chosen by them before they are joined."""


SPARK = SparkThresholds()
"""The thresholds in force."""
