"""Thresholds of the tables: sizes at which another way is taken, and bounds of time and memory.

They decide about time and memory, never about results. Each says its unit, unless it counts the
things in its name. A test puts others in force by `thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class TableThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- connected

    free_search_cost: int = 300
    """What searches may cost in the smallest component, in about microseconds."""
    search_step: int = 256
    """Nodes whose neighbours are read at once: few enough that a search soon sees that it is
    over."""
    edge_block: int = 1 << 21
    """Edges that are looked at together."""
    few_nodes_of_search: int = 4
    """Nodes up to which rows cost less than columns."""

    # -- disjoint_sets

    partition_overlay: int = 4096
    """Changes that wait beside the base before they are folded into it."""
    few_ids_of_partition: int = 8
    """Ids up to which one at a time costs less than a column."""
    few_changes_a_value: int = 16
    """Changes for each value asked for from which on values are looked up one by one."""

    # -- lost_edges

    many_lost_edges: int = 1024
    """Edges from which on it pays to look first where they are."""
    members_a_search: int = 128
    """Members that can be computed anew for what one search costs."""
    few_components: int = 64
    """Small components up to which each is looked at by itself."""
    wide_component: int = 64
    """Members from which on columns cost less than rows."""
    large_component: int = 1024
    """Members from which on a component is looked at by itself, however many components there
    are."""
    component_search_steps: int = 16
    """Steps of searches that are to reach a whole component: after more of them, what computes all
    components at once costs less."""
    parts_of_component: int = 1024
    """Parts into which a component is divided one by one."""

    # -- new_edges

    few_new_edges: int = 32
    """Edges up to which one after the other costs less than columns."""

    # -- adjacency

    few_nodes_of_layer: int = 32
    """Nodes below which one at a time costs less than an array."""

    # -- arena

    arena_growth: int = 2
    """An arena that is full grows by this fraction of itself."""

    # -- bit_rows

    bit_words_block: int = 1 << 21
    """Words that are put together at a time."""
    spare_bit_rows: int = 1 << 6
    """Rows that nobody reads any more which are always tolerated; also numbers to come."""
    bit_bytes_read: int = 1 << 18
    """Bytes of rows that are read at a time: what they are unpacked to stays in the cache."""
    bits_a_transposed_byte: int = 1 << 4
    """To read so many bits one by one costs as much as to transpose one byte, about."""

    # -- component_partition

    sparse_ids_a_node: int = 4
    """How many ids there may be for each node until the nodes are searched instead of indexed."""

    # -- interval_table

    rebuild_share: int = 4
    """A table is made anew when one in so many facts changed."""
    interval_pairs_block: int = 1 << 17
    """Pairs that are enumerated at a time."""
    components_an_id: int = 16
    """To look at an id costs as much as to look at so many components at once, about."""

    # -- labelling

    small_labelling: int = 1 << 8
    """So many components always have bit rows."""
    wide_labelling: int = 1 << 15
    """More components never have bit rows."""
    dense_bits_a_range: int = 100
    """Others have them if there is a range for so many bits; emptier rows take less memory as
    ranges, and the time to look for their bits is saved."""

    # -- oriented

    components_an_edge_question: int = 1 << 10
    """Components that could be handled while edges are looked up once."""

    # -- range_rows

    range_block: int = 1 << 20
    """Ranges that are put together at a time."""
    spare_ranges: int = 1 << 16
    """Ranges that nobody reads any more which are always tolerated."""
    outdated_share: int = 4
    """Holders are indexed anew when one range in so many is not in the index."""
    range_questions_block: int = 1 << 14
    """Questions that are answered at a time, in the cache."""
    few_ranges: int = 16
    """Ranges up to which one at a time costs less than an array."""

    # -- changed edges

    closing_edges: int = 1 << 11
    """So many new edges that may close cycles are looked at in pairs."""
    fresh_numbers: int = 1 << 10
    """Numbers that were not given when all were which are always tolerated."""

    # -- labelling: a sample of rows

    sampled_rows: int = 64
    """Rows that are looked at: one bit a row, in one word a node."""

    # -- expanded

    few_pairs_an_alias: int = 256
    """Pairs for each id that is equal to others up to which to look at all of them costs less than
    to look them up."""
    expanded_ids_block: int = 1 << 8
    """Ids of which rows and columns are counted at once."""
    expanded_pairs_block: int = 1 << 20
    """Pairs that are given at once, give or take those of one representative."""
    first_expanded_pairs: int = 1 << 10
    """Pairs of representatives that are expanded at first."""
    expanded_growth: int = 8
    """How many times more are expanded in one step than in the step before it."""
    single_expanded_ids: int = 8
    """Ids up to which rows and columns cost less one at a time."""

    # -- image

    image_pairs_block: int = 1 << 16
    """Pairs that are looked up at once."""
    few_image_pairs: int = 64
    """Pairs up to which to look up each costs less than to ask how many there are in a row."""

    # -- facts

    narrow_batch: int = 96
    """Where fact by fact and by columns cost about the same."""
    facts_taken_alone: int = 4
    """Facts of a relation up to which a queue gives out one at a time."""

    # -- sorted_pairs

    row_pair_by_pair: int = 8
    """Pairs up to which those of a row are read one by one; NumPy takes as long for so many."""

    # -- kernels

    plain_ids: int = 1 << 13
    """Ids that are Python's integers at a time."""
    few_compared_ids: int = 1 << 7
    """Ids whose least and largest are found as integers in the time that a call of NumPy takes."""
    many_ids: int = 1 << 12
    """From here on what is linear in the largest id is faster than what searches or compares, since
    ids are dense."""
    probes_block: int = 1 << 16
    """Keys that are searched at a time, in the cache."""
    few_beside_probes: int = 1 << 6
    """Sorted keys are searched for among the probes, if there are so many probes for each."""
    merged_share: int = 1 << 3
    """Keys for each one that is taken out of them up to which merging costs half of searching."""
    grouped_keys_block: int = 1 << 20
    """Keys that are grouped by their low half at a time."""

    # -- matches

    bit_matrix_block: int = 1 << 16
    """Words of bit rows that are worked on at a time: what a processor keeps near."""

    # -- pair_bits

    bits_a_pair: int = 8
    """Bits for each pair, whose keys have 64 or 128, up to which they are made."""
    sampled_pairs: int = 64
    """Pairs that are looked at before all are, to see how far apart ids lie."""
    bits_made_a_search: int = 8
    """Pairs that are made bits in the time of a search."""

    # -- plain_table

    plain_overlay: int = 4096
    """Changes that wait beside the base before they are folded into it."""
    plain_recent: int = 64
    """Changes up to which a fork copies them; more of them are shared."""

    # -- shared_rows: rows that are added

    remembered_rows: int = 1 << 12
    """Rows that are remembered as sets, if they are not longer than `short_row`, or found by what
    is in them."""
    short_row: int = 1 << 8
    """Classes up to which a row is remembered as a set."""

    # -- union_table

    first_union_individuals: int = 1 << 6
    """Individuals whose pairs are given at first,"""
    union_growth: int = 8
    """how many times more each next time,"""
    union_individuals_block: int = 1 << 17
    """and at most at once."""
    many_individuals: int = 1 << 9
    """Individuals from which on they are changed together,"""
    regrouped_pairs: int = 1 << 18
    """and as many pairs of them at a time, in the cache."""

    # -- id_groups

    few_slices: int = 256
    """Slices up to which one after the other costs less than an array of places."""
    counted_numbers_block: int = 1 << 17
    """Numbers of groups that are counted at a time."""
    groups_overlay: int = 4096
    """Ids that wait beside the base until they are folded into it."""
    groups_recent: int = 64
    """Ids that have moved up to which a fork copies them; more of them are shared."""

    # -- shared_rows

    remembered_holders: int = 1 << 8
    """Ids whose holders are remembered."""
    row_questions_block: int = 1 << 14
    """Questions that are answered at a time, in the cache."""

    # -- term_relations

    look_up_pairs: int = 50
    """Pairs that are gone through in the time of a look-up in one table."""
    noted_pairs: int = 1 << 23
    """Pairs up to which it is noted which relations a term has."""
    few_noted: int = 1 << 10
    """Pairs of a table up to which they are sorted with those of others."""
    noted_growth: int = 2
    """How many times as many terms and relations as at first are noted at most."""

    # -- views

    many_viewed_ids: int = 64
    """Ids above which one array costs less than a look at each."""


TABLES = TableThresholds()
"""The thresholds in force."""
