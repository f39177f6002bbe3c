"""Thresholds of the knowledge base: where another way is taken, and bounds.

They decide about time and memory, about how much is told of proofs, and by `differing_names`
about what names of literals are told to be (DESIGN, Literals). Each says its unit, unless it counts
the things in its name. A test puts others in force by `thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class KnowledgeThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- why_not

    told_instances: int = 20
    """Instances that are told, the nearest of all rules."""

    # -- bounds

    instances_a_check: int = 1 << 14
    """Rule instances between two looks at the bounds of a change: a millisecond or so."""
    progress_seconds: float = 0.2
    """Between two reports of how far a load has come."""
    sampled_terms: int = 256
    """Terms whose texts tell how long all are."""

    # -- machine_memory

    memory_seconds: float = 0.05
    """Between two looks at the memory that is left: some 60 microseconds each."""
    memory_share: int = 32
    """The part of all memory of which less may not be left."""
    memory_taken: int = 4
    """The part of all memory that a process has taken if it is to blame for what is left."""
    least_memory: int = 128 << 20
    """Bytes of which less may not be left, where they are not more than a quarter of all."""

    # -- term_freezing

    text_thawed: int = 1 << 27
    """Bytes of terms, read and not frozen, from which on they are before more are read: half of the
    memory of long texts, where it is highest. A load of short ones is slower from there on, by a
    tenth or less."""

    # -- facade

    told_proofs: int = 1000
    """How many `explain` tells at most when asked for all."""

    # -- fact_views

    remembered_rows: int = 1 << 13
    """Rows that a view remembers, of at most `narrow_batch` objects each: some 300 bytes a row."""
    few_graphs: int = 64
    """Named graphs up to which each is asked whether it states a fact."""

    # -- literal_facts

    many_literals: int = 64
    """Literals from which on they are looked at by columns: the explicit triples are gone through
    instead of asked."""

    # -- literal_names

    differing_names: int = 256
    """Stated names of literals up to which they are told to differ."""

    # -- loading

    spark_start_bytes: int = 1_500_000_000
    """The bytes of N-Triples that one process reads while Spark starts: ten seconds, an
    estimate."""
    spark_speed: float = 0.12
    """How fast a bulk load on Spark is, a processor, beside reading here: 0.07 to 0.15 was
    measured, on one and two processors (`examples/benchmarks/spark_loading.py`)."""
    workers_speed: float = 4.7
    """How fast many worker processes are at most beside one, by what is done for all of them in one
    place (`examples/benchmarks/loading.py`)."""

    # -- processors

    most_workers: int = 8
    """Processes that read at most, unless somebody asks for more: what one process has to do for
    all of them takes its whole time by then."""

    # -- memory

    long_change: float = 0.1
    """Seconds. To look for free pages takes some milliseconds, and to get them again does so too:
    of shorter changes that is a share that shows."""
    memory_growth: int = 8
    """Nothing is looked for until the process has grown by one part in so many."""

    # -- storage_choice: rows that subjects share

    shared_relation: int = 10_000
    """Facts of a relation from which on a union can be worth it."""
    shared_at_once: int = 1_000_000
    """Facts of a relation in one update from which on what it adds is a union from the beginning:
    that takes a twentieth longer for few, and spares memory for many."""
    shared_bytes: float = 0.7
    """The part of a plain table's bytes that it may take at most."""

    # -- storage_choice: closures

    stated_edges: int = 64
    """Stated facts from which on a closure can be worth it."""
    closure_facts_an_edge: int = 4
    """Facts of the closure for each stated one from which on it is."""
    sampled_nodes: int = 16
    """Nodes from which reachable ones are counted, each time at most `sampled_reach`."""
    sampled_reach: int = 1024
    """Nodes reached from a sampled node after which it is left."""

    # -- term_reclaiming

    reclaimable_terms: int = 1 << 13
    """New terms from which on it may be worth to look for those that nothing mentions."""
    marked_facts_block: int = 1 << 18
    """Facts that are gone through at a time."""

    # -- input_facts

    few_facts: int = 16
    """Facts of a list up to which each term is looked up by itself."""
    fact_block: int = 4096
    """Facts whose terms are looked up at a time."""
    input_block: int = 1 << 16
    """Statements made of columns at a time."""
    input_given_back: int = 1 << 26
    """Bytes of columns after which their memory is given back."""

    # -- update_sources

    stream_pause: float = 0.001
    """Seconds until a generator that has nothing yet is asked again."""

    # -- engine

    many_statements: int = 1024
    """Statements from which on the rules that they wake are found before anything is derived."""

    many_inserted: int = 1024
    """Statements from which on an update that brings them freezes terms, if many are not frozen:
    smaller ones are not to wait for that."""
    very_many_inserted: int = 1_000_000
    """Statements from which on the memory that reading them took is given back first."""

    # -- stratifier

    small_schema: int = 2000
    """Schema facts up to which strata are made anew whenever they may be over representatives."""

    # -- term_predicates

    look_up_pairs: int = 50
    """Pairs that are gone through in the time of a look-up in one table."""
    noted_pairs: int = 1 << 24
    """Pairs up to which it is noted which predicates a term has."""

    # -- subject_rows

    look_up_facts: int = 100
    """Facts that are noted in the time in which those of one subject are looked up."""
    noted_facts: int = 1 << 21
    """Facts up to which they are noted by subject: 8 to 16 bytes each."""

    # -- rare_facts

    rare_pairs: int = 1 << 12
    """Pairs of a relation up to which it is rare."""
    few_predicates: int = 32
    """Predicates that are looked up one by one, however few facts they have."""

    # -- value_orders

    asked_before_order: int = 1
    """Conditions on the objects of a predicate before these are put in order."""

    # -- alias_delta

    many_alias_pairs: int = 1 << 16
    """Changed pairs, or ids with other equals than before, from which on the growth of a relation
    costs less to count than to enumerate."""

    # -- visible_delta, fact_views

    pairs_a_term: int = 1
    """Pairs of a relation, for each term that there is, from which on to tell what is left out of
    it costs less than to enumerate it."""


KNOWLEDGE = KnowledgeThresholds()
"""The thresholds in force."""
