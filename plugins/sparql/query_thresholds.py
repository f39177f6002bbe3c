"""Thresholds of SPARQL: sizes at which another way is taken, and bounds of time and memory.

They decide about time and memory, never about results. Each says its unit, unless it counts the
things in its name. A test puts others in force by `thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class QueryThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- chains

    few_comparisons: int = 4
    """Comparisons of a variable from which on they are one with a list."""

    # -- term_operators

    watched_rows: int = 1 << 13
    """Rows of an expression between two looks at the time."""

    texts_as_one: int = 1 << 6
    """Texts from which on a function of all of them as one takes less time than one by one."""

    # -- data_blocks

    least_block_text: int = 1 << 12
    """Characters of a request from which on its blocks are looked for."""

    # -- fact_relations

    facts_of_node: int = 1 << 12
    """Facts all of whose nodes are worked out in the time in which one node is looked up."""
    gathered_predicates: int = 1 << 7
    """Predicates whose facts about one node are found one by one."""
    few_asked_nodes: int = 16
    """Nodes whose predicates are looked up before they are joined, however few there are."""
    predicates_of_node: int = 8
    """Predicates that are joined in the time in which those of a node are looked up."""

    block_growth: int = 8
    """How many times more facts of a relation are read in one step than in the step before it."""

    # -- joins

    few_graphs: int = 4
    """Graphs that are looked at one after the other."""

    # -- ranges

    ordered_facts: int = 1 << 10
    """Facts of a predicate from which on its objects are put in the order of their values."""
    tried_values: int = 4
    """Values in which each of the first rows is looked for before all rows are found."""
    chosen_share: int = 4
    """An order is used where it leaves so many times fewer objects than there are facts."""

    # -- paths

    chained_steps: int = 1 << 6
    """Steps of a path of which each is followed from what all before it lead to."""

    searched_links: int = 1 << 9
    """Links that a search may take, however few pairs a relation has."""
    round_links: int = 64
    """Links that take as long as a round of a search without any."""
    followed_starts: int = 16
    """Nodes from which links are followed one by one in the time in which the closure of a relation
    is worked out."""
    path_starts: int = 1 << 10
    """Nodes that are followed at once, where they are all."""

    # -- join_order

    compared_patterns: int = 16
    """Patterns of which the next one to be joined is chosen."""
    led_to_share: int = 4
    """A pattern without a variable of the rows is joined if all pairs are so many times fewer."""
    sampled_solutions: int = 64
    """Rows that are looked up to tell how many solutions a pattern has for all rows."""
    fewest_solutions: int = 1 << 6
    """Solutions that are looked for at first where only some are asked for, at least."""
    first_solutions: int = 1 << 12
    """About as many solutions are looked for at first; fewer are not worth a step of their own."""

    # -- solutions

    solutions_block: int = 1 << 18
    """About as many rows are made in one step, so that memory stays bounded and LIMIT is quick."""
    narrow_rows: int = 16
    """Columns up to which it is so many; of wider rows it is as many cells."""

    # -- few_solutions

    few_rows: int = 16
    """Rows up to which they are joined one by one, each with a look-up of its own."""
    few_found: int = 64
    """Rows of a look-up up to which it is made for one row by itself."""

    # -- shapes

    longest_shape: int = 1 << 11
    """Characters of a text from which on no other is looked for that differs in constants only."""
    kept_shapes: int = 1 << 8
    """Shapes of texts whose algebra is kept."""
    noted_shapes: int = 1 << 10
    """Shapes that are noted when they are first met, so that the second text is."""

    # -- syntax

    deepest_nesting: int = 64
    """Brackets in each other from which on a text is refused: each takes some frames of the stack,
    of the reader and of what evaluates."""


QUERIES = QueryThresholds()
"""The thresholds in force."""
