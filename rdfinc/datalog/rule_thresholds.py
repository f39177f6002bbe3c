"""Thresholds of the analysis of rules: where another way is taken, and bounds.

They decide about time and memory, never about results. Each says its unit, unless it counts the
things in its name. A test puts others in force by `thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class RuleThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- safety

    longest_body: int = 128
    """Items of a body, at most: so many atoms take a second and a gigabyte."""

    # -- modules

    few_members: int = 8
    """Members up to which to compare with each costs less than to search."""

    # -- relation_hypergraph

    hyper_nodes: int = 48
    """Derived relations up to which each hyper-node is a stratum of its own: a stratum costs every
    update some microseconds."""
    few_rows: int = 1000
    """Rows up to which a Python set is the quicker way to the different relations in them."""

    # -- rule_text

    many_rules: int = 20
    """Rules and facts of a text from which on it is worth a look which of them have one shape."""


RULES = RuleThresholds()
"""The thresholds in force."""
