"""Thresholds of the translation of OWL, which decide about time and memory only. A test puts others
in force by `thresholds.put`."""

from __future__ import annotations

from msgspec import Struct


class OwlThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- list_axioms

    long_list: int = 10
    """Items of an `owl:intersectionOf`, `owl:propertyChainAxiom` or `owl:hasKey` up to which the
    list is one rule. A rule of n atoms has n plans of n steps; part by part, a list has auxiliary
    facts for each individual that belongs to some of its last items."""

    few_entries: int = 50
    """Members of an `owl:AllDisjointClasses` up to which it is all their pairs, in 10 µs each. Of a
    longer one each individual is told the positions of its classes, and of all such lists these are
    compared with each other."""

    # -- by_value

    differing_ways: int = 4
    """Ways in which occurrences of variables differ or not up to which each is one rule; a filter
    in place of many rules looks at all pairs of two atoms."""


LISTS = OwlThresholds()
"""The thresholds in force."""
